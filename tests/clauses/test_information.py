"""Who may know what: I-01 to I-07."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from branchline import DrawDeck, Game, IllegalAction, View, imagine
from branchline.events import (
    ChoiceMade,
    DrewBlind,
    DrewCard,
    DrewTerrain,
    Event,
    FestivalLaid,
    FestivalsTaken,
    Reader,
    TicketPicked,
    TicketsKept,
    TicketsOffered,
    TunnelCardsTurned,
    TunnelFailed,
    TunnelTried,
)
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics import composed as k
from tests.table import table

# What other readers are not told of an event: these fields must be None for them.
SECRETS = {DrewBlind: "card", TicketsOffered: "tickets", TicketsKept: "tickets", TicketPicked: "ticket"}


def seen(events: tuple[Event, ...], reader: Reader) -> list[Event]:
    """What a reader is told."""
    told = [event.seen_by(reader) for event in events]
    return [event for event in told if event is not None]


def known_bottom(view: View, n: int) -> list[str | None]:
    """The last n tickets of the deck as far as the reader knows them."""
    s = view.position
    last = [s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] for i in range(s.ticket_n)][-n:]
    return [None if t == k.HIDDEN else view.map.tickets[t].id for t in last]


def ended(**things: Any) -> Game:
    """A game that has just ended because nobody could do anything."""
    nothing: dict[str, Any] = {"display": "- - - - -", "rest": "last hand", "ticket_deck": "", "trains": [0, 0]}
    game = table(**(nothing | things))
    game.play_all(["pass", "pass"])
    assert game.is_over
    return game


# ---------------------------------------------------------------- I-01: train cards


@pytest.mark.clause("I-01")
def test_train_cards_are_known_to_their_player_alone_and_their_number_to_all() -> None:
    game = table(players=3, hands=["red red loco", "blue", "green green"])
    assert game.view(0).me.hand == {"red": 2, "loco": 1}
    for reader in (1, 2, None):
        assert game.view(reader).player(0).hand == {}
    for reader in (0, 1, 2, None):
        assert [player.card_count for player in game.view(reader).players] == [3, 1, 2]


@pytest.mark.clause("I-01")
def test_the_first_cards_dealt_are_secret_too() -> None:
    game = Game.new("usa", players=2, seed=4)
    assert sum(game.view(0).me.hand.values()) == 4
    assert (game.view(0).player(1).hand, game.view(0).player(1).unknown_cards) == ({}, 4)


@pytest.mark.clause("I-01")
def test_a_card_drawn_blind_is_known_to_its_player_alone() -> None:
    game = table(deck="purple")
    events = game.play("draw deck")
    assert seen(events, 0)[0] == DrewBlind(0, "purple")
    assert seen(events, 1)[0] == seen(events, None)[0] == DrewBlind(0, None)
    assert game.view(1).player(0).hand == {}
    assert game.view(1).player(0).card_count == 1


@pytest.mark.clause("I-01")
def test_hands_that_differ_look_alike_to_the_others() -> None:
    one = table(hands=["red red loco", "blue"], deck="white green")
    other = table(hands=["white green loco", "blue"], deck="red red")
    assert one.view(1) == other.view(1)
    assert one.view(0) != other.view(0)


# ---------------------------------------------------------------- I-02: what all have seen


@pytest.mark.clause("I-02")
def test_a_card_taken_from_the_display_is_seen_by_all() -> None:
    game = table(display="red blue green white black", hands=["yellow yellow"])
    events = game.play("draw 2")
    for reader in (0, 1, None):
        assert DrewCard(0, 2, "blue") in seen(events, reader)
    for reader in (1, None):
        player = game.view(reader).player(0)
        assert (player.hand, player.unknown_cards) == ({"blue": 1}, 2)


@pytest.mark.clause("I-02")
def test_a_card_seen_by_all_is_known_until_it_may_have_been_played() -> None:
    game = table(display="blue blue blue blue white", hands=["blue blue blue"], deck="green green")
    game.play_all(["draw 1", "draw 2", "draw deck", "draw deck"])
    assert game.view(1).player(0).hand == {"blue": 2}
    game.play("claim chicago-omaha-1 blue")  # four blue: the two that all saw may be among them
    assert (game.view(1).player(0).hand, game.view(1).player(0).unknown_cards) == ({}, 1)


@pytest.mark.clause("I-02")
def test_terrain_cards_taken_are_seen_by_all() -> None:
    game = table("africa", terrain_display="desert jungle", terrain_deck="mountain mountain")
    first, second = game.play("terrain 1"), game.play("terrain deck")
    for reader in (0, 1, None):
        assert DrewTerrain(0, 1, "desert") in seen(first, reader)
        assert DrewTerrain(0, None, "mountain") in seen(second, reader)


@pytest.mark.clause("I-02")
def test_festival_cards_laid_down_and_taken_are_seen_by_all() -> None:
    game = table("iberia", hands=["red"], deck="festival:pamplona red white")
    laid = game.play("draw deck")
    game.play_all(["draw deck", "draw deck", "draw deck"])
    taken = game.play("claim bilbao-pamplona-1 red")
    for reader in (0, 1, None):
        assert FestivalLaid("pamplona") in seen(laid, reader)
        assert FestivalsTaken(0, "pamplona", 1) in seen(taken, reader)


@pytest.mark.clause("I-02")
def test_cards_laid_down_and_turned_up_for_a_tunnel_are_seen_by_all() -> None:
    game = table("europe", hands=["purple loco red"], deck="purple green white")
    events = game.play("claim marseille-zurich-1 purple")
    for reader in (0, 1, None):
        assert TunnelTried(0, "marseille-zurich-1", "purple", cards=1, locos=1) in seen(events, reader)
        assert TunnelCardsTurned(0, ("purple", "green", "white"), extra=1) in seen(events, reader)
        assert game.view(reader).tunnel_cards == ("purple", "green", "white")
        assert game.view(reader).tunnel_extra == 1


@pytest.mark.clause("I-02")
def test_cards_laid_down_for_a_tunnel_that_fails_are_known_to_be_in_the_hand() -> None:
    game = table("europe", hands=["purple loco red"], deck="purple green white")
    game.play("claim marseille-zurich-1 purple")
    events = game.play("decline")
    for reader in (1, None):
        assert TunnelFailed(0, "marseille-zurich-1") in seen(events, reader)
        player = game.view(reader).player(0)
        assert (player.hand, player.unknown_cards) == ({"purple": 1, "loco": 1}, 1)


# ---------------------------------------------------------------- I-03: decks and discards


@pytest.mark.clause("I-03")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_nobody_knows_the_order_of_a_deck(reader: Reader) -> None:
    one = table("africa", deck="red blue loco", terrain_deck="desert jungle mountain")
    other = table("africa", deck="loco red blue", terrain_deck="mountain desert jungle")
    assert one != other
    assert one.view(reader) == other.view(reader)


@pytest.mark.clause("I-03")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_nobody_knows_the_order_of_the_ticket_deck(reader: Reader) -> None:
    one = table(ticket_deck="boston-miami calgary-phoenix dallas-new_york")
    other = table(ticket_deck="dallas-new_york boston-miami calgary-phoenix")
    assert one.view(reader) == other.view(reader)


@pytest.mark.clause("I-03")
def test_a_player_knows_which_tickets_they_put_at_the_bottom_and_in_what_order() -> None:
    game = table(ticket_deck="boston-miami calgary-phoenix dallas-new_york denver-el_paso")
    game.play_all(["tickets", "keep calgary-phoenix", "return dallas-new_york"])
    assert known_bottom(game.view(0), 3) == [None, "dallas-new_york", "boston-miami"]
    for reader in (1, None):
        assert known_bottom(game.view(reader), 3) == [None, None, None]


@pytest.mark.clause("I-03")
def test_what_a_player_put_at_the_bottom_stays_there_in_every_world_they_imagine() -> None:
    game = table(ticket_deck="boston-miami calgary-phoenix dallas-new_york denver-el_paso denver-pittsburgh")
    game.play_all(["tickets", "keep calgary-phoenix", "return dallas-new_york"])
    worlds = [imagine(game.view(0), random.Random(n)) for n in range(5)]
    assert all(known_bottom(world.view(0), 2) == ["dallas-new_york", "boston-miami"] for world in worlds)
    others = [imagine(game.view(1), random.Random(n)).position.ticket_deck for n in range(20)]
    assert len({tuple(deck) for deck in others}) > 1


@pytest.mark.clause("I-03")
def test_a_ticket_that_has_been_drawn_again_is_nobody_elses_knowledge() -> None:
    game = table(ticket_deck="boston-miami calgary-phoenix dallas-new_york")
    game.play_all(["tickets", "keep boston-miami", "return dallas-new_york"])
    game.play("tickets")
    game.play("keep dallas-new_york")
    assert game.view(0).player(1).tickets == ()
    assert known_bottom(game.view(0), 1) == [None]
    assert known_bottom(game.view(1), 1) == ["calgary-phoenix"]


@pytest.mark.clause("I-03")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_discards_and_the_sizes_of_decks_are_public(reader: Reader) -> None:
    game = table(
        "africa", discards="red red loco", terrain_deck="desert jungle", terrain_discards="mountain",
        ticket_deck="beira-chad bangui-nigeria",
    )  # fmt: skip
    view = game.view(reader)
    assert view.discards == {"red": 2, "loco": 1}
    assert view.terrain_discards == {"mountain": 1}
    assert (view.deck_size, view.ticket_deck_size, view.terrain_deck_size) == (110 - 5 - 3, 2, 2)


# ---------------------------------------------------------------- I-04: tickets, drafts, piles


@pytest.mark.clause("I-04")
def test_tickets_are_secret_and_their_number_is_not() -> None:
    game = table(tickets=["boston-miami calgary-phoenix", "dallas-new_york"])
    assert game.view(0).me.tickets == ("boston-miami", "calgary-phoenix")
    for reader in (1, None):
        assert game.view(reader).player(0).tickets == ()
        assert game.view(reader).player(0).ticket_count == 2


@pytest.mark.clause("I-04")
def test_drawn_tickets_are_offered_in_secret() -> None:
    game = table(ticket_deck="boston-miami calgary-phoenix dallas-new_york denver-el_paso")
    offered = game.play("tickets")
    kept = game.play("keep boston-miami calgary-phoenix")
    assert TicketsOffered(0, 3, ("boston-miami", "calgary-phoenix", "dallas-new_york")) in seen(offered, 0)
    assert TicketsKept(0, 2, 3, ("boston-miami", "calgary-phoenix")) in seen(kept, 0)
    for reader in (1, None):
        assert TicketsOffered(0, 3, None) in seen(offered, reader)
        assert TicketsKept(0, 2, 3, None) in seen(kept, reader)


@pytest.mark.clause("I-04")
def test_a_draft_pick_is_secret() -> None:
    game = Game.new("iberia", players=3, seed=2)
    views, told = [], []
    for action in game.legal_actions(0):
        world = game.copy()
        events = world.play(action, seat=0)
        assert isinstance(seen(events, 0)[0], TicketPicked)
        told.append((seen(events, 1), seen(events, None)))
        views.append((world.view(1), world.view(2), world.view(None)))
    assert len(views) == 6
    assert all(view == views[0] for view in views)
    assert all(one == ([TicketPicked(0, None), ChoiceMade(0)],) * 2 for one in told)


@pytest.mark.clause("I-04")
def test_a_player_of_a_draft_sees_the_cards_in_hand_and_those_taken_or_passed() -> None:
    game = Game.new("iberia", players=3, seed=2)
    dealt = [[a.ticket for a in game.legal_actions(seat)] for seat in range(3)]  # type: ignore[union-attr]
    for seat in range(3):
        game.play(f"take {dealt[seat][0]}", seat=seat)
    shown = game.view(1).position.pack
    names = [t.id for t in game.map.tickets]
    packs = [[names[t] if t != k.HIDDEN else None for t in shown[p * 6 : p * 6 + 6]] for p in range(3)]
    assert packs[0] == [None, *dealt[0][1:]]  # received now, without the card that seat 0 took unseen
    assert packs[1] == dealt[1]  # dealt to seat 1 and passed on
    assert packs[2] == [None] * 6  # never held
    assert game.view(1).offered_tickets == (dealt[1][0],)


@pytest.mark.clause("I-04")
def test_festival_piles_are_seen_by_their_owner_alone_and_counted_by_all() -> None:
    game = table("iberia", piles=[{"sevilla": 2, "madrid": 1}, {}])
    assert game.view(0).me.festivals == {"sevilla": 2, "madrid": 1}
    for reader in (1, None):
        assert game.view(reader).player(0).festivals == {}
        assert game.view(reader).player(0).festival_count == 3


@pytest.mark.clause("I-04")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_at_the_end_tickets_are_shown(reader: Reader) -> None:
    game = ended(tickets=["boston-miami", "dallas-new_york"])
    assert [player.tickets for player in game.view(reader).players] == [("boston-miami",), ("dallas-new_york",)]


@pytest.mark.clause("I-04")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_at_the_end_festival_piles_are_shown(reader: Reader) -> None:
    game = ended(map="iberia", piles=[{"sevilla": 2}, {"madrid": 1}])
    assert [player.festivals for player in game.view(reader).players] == [{"sevilla": 2}, {"madrid": 1}]


# ---------------------------------------------------------------- I-05: nothing hidden leaves


def secrets_of(event: Event) -> list[object]:
    """What a told event says in the fields that are one player's business."""
    return [getattr(event, field.name) for field in fields(event) if SECRETS.get(type(event)) == field.name]


@pytest.mark.clause("I-05")
@pytest.mark.parametrize("map", ["usa", "europe", "iberia", "africa", "carpathians"])
def test_no_event_tells_a_reader_another_players_secret(map: str) -> None:
    rng = random.Random(7)
    game = Game.new(map, players=3, seed=7)
    hidden = 0
    while not game.is_over:
        seat = rng.choice(game.to_act)
        for event in game.play(rng.choice(game.legal_actions(seat)), seat):
            for reader in (0, 1, 2, None):
                told = event.seen_by(reader)
                if told is not None and type(told) in SECRETS and told.seat != reader:  # type: ignore[union-attr]
                    assert secrets_of(told) == [None]
                    hidden += 1
    assert hidden > 50


@pytest.mark.clause("I-05")
@pytest.mark.parametrize("reader", [1, 2, None])
def test_a_claim_in_the_making_is_not_told(reader: Reader) -> None:
    game = table("africa", 3, hands=["black black black loco loco"], terrain=["mountain"])
    before = game.view(reader)
    assert seen(game.play("claim cape_town-port_elizabeth-1 black"), reader) == []
    assert game.view(reader) == before
    assert seen(game.play("locos 1"), reader) == []
    assert (game.phase, game.view(reader)) == ("double", before)


@pytest.mark.clause("I-05")
@pytest.mark.parametrize(("map", "hands", "lines"), [
    ("europe", ["red red loco"], ["station paris red"]),
    ("iberia", ["red loco"], ["claim bilbao-pamplona-1 red"]),
])  # fmt: skip
def test_a_payment_being_chosen_is_not_told(map: str, hands: list[str], lines: list[str]) -> None:
    game = table(map, hands=hands, stations={0: ["roma"]} if map == "europe" else None)
    before = [game.view(1), game.view(None)]
    for line in lines:
        assert seen(game.play(line), 1) == []
    assert game.to_act == (0,)
    assert [game.view(1), game.view(None)] == before


@pytest.mark.clause("I-05")
def test_how_first_tickets_are_chosen_does_not_show_before_all_have_chosen() -> None:
    game = Game.new("usa", players=3, seed=6)
    outcomes = set()
    for action in game.legal_actions(1):
        world = game.copy()
        events = world.play(action, seat=1)
        outcomes.add((world.view(0), world.view(2), world.view(None), *map(repr, seen(events, 0))))
    assert len(outcomes) == 1


@pytest.mark.clause("I-05")
def test_the_seed_does_not_leave_with_a_view() -> None:
    seed = 0x1122334455667788
    game = Game.new("usa", players=2, seed=seed)
    for reader in (0, 1, None):
        view = game.view(reader)
        assert seed.to_bytes(8, "little") not in view.to_bytes()
        assert seed.to_bytes(8, "little") not in pickle.dumps(view.position)
        assert view.position.seed == 0


@pytest.mark.clause("I-05")
@pytest.mark.parametrize("line", ["draw deck", "claim chicago-omaha-1 blue", "tickets", "pass", "draw 1"])
def test_a_refusal_says_the_same_whatever_the_others_hold(line: str) -> None:
    worlds = [table(hands=["red", cards], deck=rest) for cards, rest in [("blue", "loco"), ("loco", "blue")]]
    reasons = []
    for world in worlds:
        with pytest.raises(IllegalAction) as refusal:
            world.play(line, seat=1)
        reasons.append(str(refusal.value))
    assert reasons[0] == reasons[1]


@pytest.mark.clause("I-05")
def test_a_view_of_another_world_is_the_same_to_the_last_byte() -> None:
    game = Game.new("europe", players=4, seed=9)
    for reader in (0, 3, None):
        view = game.view(reader)
        world = imagine(view, random.Random(1))
        assert world != game
        assert world.view(reader).to_bytes() == view.to_bytes()


# ---------------------------------------------------------------- I-06: spectators


@pytest.mark.clause("I-06")
def test_a_spectator_sees_no_hand_no_ticket_no_pile() -> None:
    game = table("iberia", hands=["red red", "loco"], tickets=["lleida-palma", "burgos-gijon"], piles=[{"leon": 2}, {}])
    view = game.view(None)
    assert [(player.hand, player.tickets, player.festivals) for player in view.players] == [({}, (), {})] * 2
    assert view.offered_tickets == ()
    assert view.legal_actions() == ()


@pytest.mark.clause("I-06")
def test_a_spectator_cannot_tell_games_that_differ_in_secrets_alone() -> None:
    one = table(hands=["red red", "loco"], tickets=["boston-miami", "dallas-new_york"], deck="blue blue")
    other = table(hands=["blue blue", "red"], tickets=["dallas-new_york", "boston-miami"], deck="loco red")
    assert one.view(None) == other.view(None)
    assert seen(one.play(DrawDeck()), None) == seen(other.play(DrawDeck()), None)


@pytest.mark.clause("I-06")
def test_a_spectator_does_not_see_offered_or_drafted_tickets() -> None:
    for map in ("usa", "europe", "iberia", "africa", "carpathians"):
        game = Game.new(map, players=2, seed=3)
        world = imagine(game.view(None), random.Random(5))
        assert world.view(0) != game.view(0)
        assert world.view(None) == game.view(None)


@pytest.mark.clause("I-06")
def test_a_spectator_has_no_seat() -> None:
    view = table().view(None)
    with pytest.raises(ValueError, match="no seat"):
        _ = view.me
    with pytest.raises(ValueError, match="seat"):
        table().view(2)
    with pytest.raises(ValueError, match="seat"):
        table().view(-1)  # a spectator is None and nothing else


@pytest.mark.clause("I-06")
def test_after_the_game_a_spectator_may_see_the_tickets() -> None:
    assert ended(tickets=["boston-miami", ""]).view(None).player(0).tickets == ("boston-miami",)


# ---------------------------------------------------------------- I-07: what is public

PUBLIC: list[tuple[str, Callable[[View], object], object]] = [
    ("the display", lambda v: v.display, ("red", "blue", "green", "white", "black")),
    ("the face-up terrain", lambda v: v.terrain_display, ("desert", "mountain")),
    ("the train discards", lambda v: v.discards, {"purple": 2}),
    ("the terrain discards", lambda v: v.terrain_discards, {"jungle": 1}),
    ("the size of the deck", lambda v: v.deck_size, 110 - 5 - 2 - 3),
    ("the size of the ticket deck", lambda v: v.ticket_deck_size, 3),
    ("the size of the terrain deck", lambda v: v.terrain_deck_size, 2),
    ("owners", lambda v: v.owners, {"salisbury-bulawayo-1": 0, "cape_town-port_elizabeth-1": 1}),
    ("doubled tracks", lambda v: v.doubled, frozenset({"cape_town-port_elizabeth-1"})),
    ("trains", lambda v: [p.trains for p in v.players], [44, 42]),
    ("running scores", lambda v: [p.score for p in v.players], [1, 8]),
    ("terrain cards", lambda v: [p.terrain for p in v.players], [{"desert": 1}, {"jungle": 2}]),
    ("numbers of train cards", lambda v: [p.card_count for p in v.players], [2, 1]),
    ("numbers of tickets", lambda v: [p.ticket_count for p in v.players], [1, 2]),
    ("whose turn it is", lambda v: (v.seat_on_turn, v.to_act), (1, (1,))),
    ("which choice is awaited", lambda v: v.phase, "turn"),
]


@pytest.mark.clause("I-07")
@pytest.mark.parametrize("reader", [0, 1, None])
@pytest.mark.parametrize(("what", "shown", "value"), PUBLIC, ids=[row[0] for row in PUBLIC])
def test_what_is_public(reader: Reader, what: str, shown: Callable[[View], object], value: object) -> None:
    game = table(
        "africa", hands=["red loco", "white"], discards="purple purple", seat=1,
        tracks={0: ["salisbury-bulawayo-1"], 1: ["cape_town-port_elizabeth-1"]}, doubled=["cape_town-port_elizabeth-1"],
        terrain=["desert", "jungle jungle"], terrain_display="desert mountain", terrain_deck="desert jungle",
        terrain_discards="jungle", tickets=["beira-chad", "bangui-nigeria douala-sudan"],
        ticket_deck="durban-sudan bondo-ujiji sudan-walvis_bay",
    )  # fmt: skip
    assert shown(game.view(reader)) == value


@pytest.mark.clause("I-07")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_stations_are_public(reader: Reader) -> None:
    view = table("europe", stations={0: ["paris", "roma"]}).view(reader)
    assert [player.stations for player in view.players] == [("paris", "roma"), ()]
    assert [player.stations_left for player in view.players] == [1, 3]


@pytest.mark.clause("I-07")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_festival_cards_at_the_cities_and_the_size_of_piles_are_public(reader: Reader) -> None:
    view = table("iberia", festivals={"sevilla": 3, "porto": 1}, piles=[{"leon": 2}, {"madrid": 1}]).view(reader)
    assert view.festivals == {"sevilla": 3, "porto": 1}
    assert [player.festival_count for player in view.players] == [2, 1]


@pytest.mark.clause("I-07")
def test_who_has_still_to_choose_is_public() -> None:
    game = Game.new("usa", players=3, seed=1)
    game.play(game.legal_actions(1)[-1], seat=1)
    for reader in (0, 1, 2, None):
        assert game.view(reader).to_act == (0, 2)
        assert game.view(reader).phase == "first_tickets"


@pytest.mark.clause("I-07")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_a_second_card_tickets_and_a_tunnels_price_are_awaited_in_public(reader: Reader) -> None:
    game = table("europe", hands=["purple purple"], deck="purple purple purple red red red")
    second, tickets, tunnel = game.copy(), game.copy(), game.copy()
    second.play("draw deck")
    tickets.play("tickets")
    tunnel.play("claim marseille-zurich-1 purple")
    assert second.view(reader).phase == "draw_second"
    assert tickets.view(reader).phase == "keep_tickets"
    assert tunnel.view(reader).phase == "tunnel"
    assert tunnel.view(reader).pending_track == "marseille-zurich-1"
