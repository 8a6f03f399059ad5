"""Iberia: drafts, festival cards and the second-draft card (IBE-01 .. IBE-19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from branchline import Deal, Game, load_map
from branchline.codec import names_of
from branchline.events import (
    ChoiceMade,
    DeckReshuffled,
    DisplayFilled,
    DisplaySwept,
    DraftBegan,
    Event,
    FestivalLaid,
    GameEnded,
    LastRoundBegan,
    PacksPassed,
    SecondDraftCardUp,
    TicketPicked,
    TunnelCardsTurned,
    TurnBegan,
)
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics import composed as k
from tests.table import Cards, count, discarded, hand, lines, refused, table

# A fan map with drafts and tunnels.
MOLES = load_map(str(Path(__file__).parents[1] / "data" / "maps" / "e_moles.json"))
IBERIA = load_map("iberia")
TICKETS = [ticket.id for ticket in IBERIA.tickets]
EIGHT = ["red"] * 4 + ["blue"] * 4  # the first hands of two players


def deck_of(game: Game) -> list[int]:
    """The numbers of the train deck's cards, from the top."""
    s = game.position
    return s.deck[: s.deck_n][::-1]


def above_second_draft(game: Game) -> int:
    """How many cards lie above the second-draft card."""
    return deck_of(game).index(k.DRAFT_CARD)


def is_festival(card: int) -> bool:
    return k.FESTIVAL <= card < k.DRAFT_CARD


def ticket_deck(game: Game) -> list[str]:
    """The ticket deck from the top."""
    s, names = game.position, names_of(game.map)
    return [names.tickets[s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS]] for i in range(s.ticket_n)]


def pack(game: Game, seat: int) -> set[str]:
    """The tickets a seat has in hand to take one from."""
    return {line.split()[1] for line in lines(game, "take", seat)}


def take_first(game: Game) -> None:
    """All seats take the first ticket of the pack before them."""
    for seat in game.to_act:
        game.play(lines(game, "take", seat)[0], seat)


def keep_first(game: Game) -> None:
    """All seats keep the first set that may be kept."""
    for seat in game.to_act:
        game.play(lines(game, "keep", seat)[0], seat)


def draft_to_the_end(game: Game) -> None:
    """All take and keep what comes first."""
    while game.phase == "draft":
        take_first(game)
    if game.phase == "keep_drafted":
        keep_first(game)


def dealt(players: int, *, seed: int = 0, reshuffled: tuple[str, ...] = ()) -> Game:
    """A game whose first draft deals the tickets in the order of the map file, six by six."""
    again = (reshuffled,) if reshuffled else ()
    return Game.new("iberia", players, deal=Deal(seed=seed, tickets=tuple(TICKETS), ticket_reshuffles=again))


def festivals(game: Game) -> dict[str, int]:
    """The festival cards lying at the cities, as a spectator sees them."""
    return game.view(None).festivals


def of_kind(events: tuple[Event, ...], *kinds: type) -> list[Event]:
    return [event for event in events if isinstance(event, kinds)]


# ---------------------------------------------------------------- the map


@pytest.mark.clause("IBE-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_has_35_trains(players: int) -> None:
    assert [player.trains for player in Game.new("iberia", players, seed=1).view(None).players] == [35] * players


@pytest.mark.clause("IBE-01")
def test_france_is_an_ordinary_city_through_which_a_chain_passes() -> None:
    tracks = {0: ["pamplona-burgos-1", "pamplona-france-1", "france-barcelona-1"]}
    score = table("iberia", tracks=tracks, tickets=["barcelona-burgos burgos-france"]).scores()[0]
    assert [ticket.completed for ticket in score.tickets] == [True, True]


@pytest.mark.clause("IBE-01")
@pytest.mark.parametrize(("players", "clause"), [(2, "C-27"), (3, "C-27"), (4, None), (5, None)])
def test_the_second_track_of_a_double_route_is_open_from_four_players_on(players: int, clause: str | None) -> None:
    game = table("iberia", players, tracks={1: ["lleida-barcelona-1"]}, hands=["red"])
    if clause:
        refused(game, "claim lleida-barcelona-2 red", clause)
    else:
        game.play("claim lleida-barcelona-2 red")
        assert game.view(None).owners["lleida-barcelona-2"] == 0


@pytest.mark.clause("IBE-01")
def test_nobody_owns_both_tracks_of_a_double_route() -> None:
    game = table("iberia", 5, tracks={0: ["lleida-barcelona-1"]}, hands=["red"])
    refused(game, "claim lleida-barcelona-2 red", "C-26")


@pytest.mark.clause("IBE-01")
@pytest.mark.parametrize("cards", ["blue blue loco", "blue loco loco", "loco loco loco"])
def test_a_blue_ferry_takes_blue_cards_beside_its_locomotive(cards: str) -> None:
    game = table("iberia", hands=[cards])
    assert lines(game, "claim barcelona-palma-1") == ["claim barcelona-palma-1 blue"]
    game.play("claim barcelona-palma-1 blue")
    assert game.view(None).owners == {"barcelona-palma-1": 0}
    assert discarded(game) == count(cards)


@pytest.mark.clause("IBE-01")
@pytest.mark.parametrize(
    ("line", "cards", "clause"),
    [
        ("claim barcelona-palma-1 blue", "blue blue blue", "EUR-11"),
        ("claim barcelona-palma-1 red", "red red loco", "C-21"),
        ("claim alicante-palma-1 red", "red red loco loco", "EUR-11"),
    ],
)
def test_a_ferry_is_not_claimed_without_its_locomotives_nor_in_another_colour(
    line: str, cards: str, clause: str
) -> None:
    refused(table("iberia", hands=[cards]), line, clause)


@pytest.mark.clause("IBE-01")
def test_neither_the_longest_path_nor_most_tickets_earn_a_bonus() -> None:
    tracks = {0: ["pamplona-burgos-1", "pamplona-france-1"]}
    first, second = table("iberia", tracks=tracks, tickets=["burgos-france", ""]).scores()
    assert (first.longest_path, first.completed) == (8, 1)
    assert (first.longest_path_bonus, first.globetrotter_bonus) == (0, 0)
    assert first.total == 4 + 10 + 8
    assert second.total == 0


@pytest.mark.clause("IBE-01")
def test_there_are_no_tunnels_and_no_stations() -> None:
    assert not any(track.tunnel for track in IBERIA.tracks)
    game = table("iberia", hands=["red red red"])
    assert lines(game, "station") == []
    refused(game, "station madrid red", "EUR-04")
    assert game.view(0).me.stations_left == 0


# ---------------------------------------------------------------- set-up


@pytest.mark.clause("IBE-02")
def test_54_festival_cards_and_one_second_draft_card_are_in_the_deck() -> None:
    cards = Counter(deck_of(Game.new("iberia", 2, seed=1)))
    assert IBERIA.festivals
    groups = {k.FESTIVAL + g: group.cards for g, group in enumerate(IBERIA.festivals.groups)}
    assert sum(groups.values()) == 54
    assert {card: n for card, n in cards.items() if is_festival(card)} == groups
    assert cards[k.DRAFT_CARD] == 1


@pytest.mark.clause("IBE-02")
def test_each_festival_card_names_a_festival_city() -> None:
    assert IBERIA.festivals
    assert all(group.places for group in IBERIA.festivals.groups)
    assert len({place for group in IBERIA.festivals.groups for place in group.places}) == 18


@pytest.mark.clause("IBE-03")
@pytest.mark.parametrize("seed", range(30))
def test_hands_and_first_display_hold_train_cards_only(seed: int) -> None:
    game = Game.new("iberia", 5, seed=seed)
    view = game.view(None)
    assert festivals(game) == {}
    assert None not in view.display
    assert [player.card_count for player in view.players] == [4] * 5


@pytest.mark.clause("IBE-03")
@pytest.mark.parametrize(("players", "others", "above"), [(2, 151, 75), (3, 147, 98), (4, 143, 107), (5, 139, 104)])
def test_the_second_draft_card_lies_at_its_depth_give_or_take_five(players: int, others: int, above: int) -> None:
    depths = set()
    for seed in range(120):
        game = Game.new("iberia", players, seed=seed)
        if game.view(None).discards == {}:  # no sweep
            assert game.view(None).deck_size == others + 1
            depths.add(above_second_draft(game))
    assert depths == set(range(above - 5, above + 6))


@pytest.mark.clause("IBE-03")
def test_cards_swept_from_the_first_display_stay_discards_and_do_not_count_for_the_depth() -> None:
    swept, shown = ["loco", "loco", "loco", "white", "black"], ["red", "blue", "green", "white", "black"]
    depths = set()
    for seed in range(120):
        game = Game.new("iberia", 2, deal=Deal(seed=seed, train_deck=(*EIGHT, *swept, *shown)))
        assert discarded(game) == Counter(swept)
        assert game.view(None).deck_size == 146 + 1
        depths.add(above_second_draft(game))
    assert depths == set(range(73 - 5, 73 + 6))


@pytest.mark.clause("IBE-03")
def test_the_festival_cards_are_shuffled_into_the_whole_deck() -> None:
    top, bottom = Counter[bool](), Counter[bool]()
    for seed in range(20):
        deck = deck_of(Game.new("iberia", 2, seed=seed))
        top.update(map(is_festival, deck[:20]))
        bottom.update(map(is_festival, deck[-20:]))
    for part in (top, bottom):  # 54 of 151 cards, of 400 about 143
        assert 100 < part[True] < 190


@pytest.mark.clause("IBE-03")
def test_nobody_knows_where_the_second_draft_card_lies() -> None:
    first = [*EIGHT, "green", "white", "black", "yellow", "orange"]
    games = [
        Game.new("iberia", 2, deal=Deal(train_deck=(*first, *following)))
        for following in (("second-draft", "festival:sevilla"), ("purple", "festival:leon", "second-draft"))
    ]
    assert deck_of(games[0]) != deck_of(games[1])
    for reader in (0, 1, None):
        assert games[0].view(reader) == games[1].view(reader)


# ---------------------------------------------------------------- the first draft


@pytest.mark.clause("IBE-04")
def test_there_are_50_tickets() -> None:
    assert len(IBERIA.tickets) == 50


@pytest.mark.clause("IBE-04")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_is_dealt_six_and_passes_the_rest_to_the_next_seat(players: int) -> None:
    game = dealt(players)
    packs = [set(TICKETS[6 * seat : 6 * seat + 6]) for seat in range(players)]
    assert game.view(None).ticket_deck_size == 50 - 6 * players
    for step in range(5):
        assert [pack(game, seat) for seat in range(players)] == packs
        assert len(packs[0]) == 6 - step
        taken = [lines(game, "take", seat)[0].split()[1] for seat in range(players)]
        take_first(game)
        left = [cards - {ticket} for cards, ticket in zip(packs, taken, strict=True)]
        packs = [left[seat - 1] for seat in range(players)]
    for seat in range(players):
        assert packs[seat] == {game.view(seat).offered_tickets[5]}


@pytest.mark.clause("IBE-04")
def test_after_the_draft_each_has_taken_six_different_tickets() -> None:
    game = dealt(5)
    for _ in range(5):
        take_first(game)
    taken = [game.view(seat).offered_tickets for seat in range(5)]
    assert [len(tickets) for tickets in taken] == [6] * 5
    assert {ticket for tickets in taken for ticket in tickets} == set(TICKETS[:30])


@pytest.mark.clause("IBE-04")
def test_a_ticket_once_taken_is_not_exchanged() -> None:
    game = dealt(2)
    first, second = TICKETS[0], TICKETS[1]
    game.play(f"take {first}", 0)
    refused(game, f"take {second}", "IBE-19", seat=0)
    assert game.view(0).offered_tickets == (first,)
    game.play(f"take {TICKETS[6]}", 1)
    refused(game, f"take {first}", "IBE-04", seat=0)
    refused(game, f"take {second}", "IBE-04", seat=0)  # passed on


def _all_taken(players: int = 2, seed: int = 0) -> Game:
    """The six tickets are taken; all have to say which four they keep."""
    game = dealt(players, seed=seed)
    while game.phase == "draft":
        take_first(game)
    return game


@pytest.mark.clause("IBE-05")
def test_exactly_four_of_the_six_taken_are_kept() -> None:
    game = _all_taken()
    six = game.view(0).offered_tickets
    choices = {frozenset(line.split()[1:]) for line in lines(game, "keep")}
    assert choices == {frozenset(kept) for kept in combinations(six, 4)}
    for n in (1, 3, 5, 6):
        refused(game, "keep " + " ".join(six[:n]), "IBE-05")
    game.play("keep " + " ".join(six[2:]), 0)
    keep_first(game)
    assert set(game.view(0).me.tickets) == set(six[2:])
    assert [player.ticket_count for player in game.view(None).players] == [4, 4]


@pytest.mark.clause("IBE-05")
def test_the_two_others_of_each_player_go_back_into_the_deck() -> None:
    game = _all_taken()
    back = [game.view(seat).offered_tickets[4:] for seat in (0, 1)]
    keep_first(game)
    deck = ticket_deck(game)
    assert sorted(deck) == sorted([*back[0], *back[1], *TICKETS[12:]])
    assert game.view(None).ticket_deck_size == 42


@pytest.mark.clause("IBE-05")
def test_the_whole_ticket_deck_is_shuffled_then() -> None:
    """Neither do the others keep their order nor do the returned ones lie together, whatever the chance."""
    old_order = unmixed = 0
    for seed in range(20):
        game = _all_taken(seed=seed)
        back = {ticket for seat in (0, 1) for ticket in game.view(seat).offered_tickets[4:]}
        keep_first(game)
        deck = ticket_deck(game)
        old_order += [ticket for ticket in deck if ticket not in back] == TICKETS[12:]
        unmixed += back in (set(deck[:4]), set(deck[-4:]))
    assert (old_order, unmixed) == (0, 0)


@pytest.mark.clause("IBE-05")
def test_a_returned_ticket_may_come_to_the_top() -> None:
    back = TICKETS[0]
    game = dealt(2, reshuffled=(back, TICKETS[49]))
    game.play(f"take {back}", 0)
    game.play(f"take {TICKETS[6]}", 1)
    while game.phase == "draft":
        take_first(game)
    for seat in (0, 1):
        others = [ticket for ticket in game.view(seat).offered_tickets if ticket != back]
        game.play("keep " + " ".join(others[:4]), seat)
    assert ticket_deck(game)[:2] == [back, TICKETS[49]]


@pytest.mark.clause("IBE-06")
def test_picks_are_made_at_the_same_time_in_any_order() -> None:
    one, other = dealt(3), dealt(3)
    assert one.to_act == (0, 1, 2)
    picks = {seat: f"take {TICKETS[6 * seat + 2]}" for seat in range(3)}
    for seat in (0, 1, 2):
        one.play(picks[seat], seat)
    for seat in (2, 0, 1):
        other.play(picks[seat], seat)
    assert one == other


@pytest.mark.clause("IBE-06")
def test_a_pick_is_secret() -> None:
    one, other = dealt(3), dealt(3)
    event = one.play(f"take {TICKETS[6]}", 1)
    other.play(f"take {TICKETS[7]}", 1)
    for reader in (0, 2, None):
        assert one.view(reader) == other.view(reader)
    picked = of_kind(event, TicketPicked)
    assert picked[0].seen_by(1) == TicketPicked(1, TICKETS[6])
    assert all(seen == TicketPicked(1, None) for seen in (picked[0].seen_by(0), picked[0].seen_by(None)))


@pytest.mark.clause("IBE-06")
def test_what_is_taken_from_a_pack_passed_on_is_secret_until_the_pack_comes_round() -> None:
    """Seat 1 holds the pack that seat 0 has seen, and takes one card of it or another."""
    one, other = dealt(3), dealt(3)
    for game in (one, other):
        take_first(game)
    one.play(f"take {TICKETS[1]}", 1)
    other.play(f"take {TICKETS[2]}", 1)
    assert one.view(1) != other.view(1)
    for reader in (0, 2, None):
        assert one.view(reader) == other.view(reader)


@pytest.mark.clause("IBE-06")
def test_which_tickets_are_kept_is_secret() -> None:
    one, other = _all_taken(), _all_taken()
    first, *_, last = lines(one, "keep", 1)
    one.play(first, 1)
    other.play(last, 1)
    for reader in (0, None):
        assert one.view(reader) == other.view(reader)


def _tickets_in_sight(game: Game, seat: int) -> set[str]:
    """The tickets of the packs that a seat's view names."""
    s = game.view(seat).position
    packs = range(s.players)
    shown = [s.pack[p * k.OFFER + i] for p in packs for i in range(s.pack_n)]
    return {names_of(game.map).tickets[ticket] for ticket in shown if ticket != k.HIDDEN}


@pytest.mark.clause("IBE-06")
def test_a_player_sees_the_cards_in_hand_taken_or_passed_and_no_other() -> None:
    game = dealt(4)
    seen = [pack(game, seat) for seat in range(4)]
    for _ in range(4):
        assert [_tickets_in_sight(game, seat) for seat in range(4)] == seen
        take_first(game)
        seen = [old | pack(game, seat) for seat, old in enumerate(seen)]
    assert game.view(None).offered_tickets == ()
    assert all(ticket == k.HIDDEN for ticket in game.view(None).position.pack[:6])


@pytest.mark.clause("IBE-06")
def test_what_others_were_dealt_is_not_seen() -> None:
    mine = TICKETS[:6]
    one = Game.new("iberia", 2, deal=Deal(tickets=(*mine, *TICKETS[6:12])))
    other = Game.new("iberia", 2, deal=Deal(tickets=(*mine, *TICKETS[20:26])))
    assert one.view(0) == other.view(0)
    assert one.view(None) == other.view(None)
    assert one.view(1) != other.view(1)


# ---------------------------------------------------------------- festival cards come up

PLAIN = "red blue green white black"  # a display


@pytest.mark.clause("IBE-07")
def test_festival_cards_pass_by_in_a_blind_draw_until_a_train_card_comes() -> None:
    game = table("iberia", display=PLAIN, deck="festival:sevilla festival:leon festival:sevilla red blue")
    events = game.play("draw deck")
    assert of_kind(events, FestivalLaid) == [FestivalLaid("sevilla"), FestivalLaid("leon"), FestivalLaid("sevilla")]
    assert hand(game, 0) == count("red")
    for reader in (0, 1, None):
        assert game.view(reader).festivals == {"sevilla": 2, "leon": 1}
    assert game.phase == "draw_second"
    game.play("draw deck")
    assert hand(game, 0) == count("red blue")
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-07")
def test_festival_cards_pass_by_when_the_display_is_filled() -> None:
    game = table("iberia", display=PLAIN, deck="festival:madrid festival:madrid yellow")
    events = game.play("draw 2")
    assert of_kind(events, FestivalLaid, DisplayFilled) == [
        FestivalLaid("madrid"),
        FestivalLaid("madrid"),
        DisplayFilled(2, "yellow"),
    ]
    assert game.view(1).display == ("red", "yellow", "green", "white", "black")
    assert festivals(game) == {"madrid": 2}
    assert hand(game, 0) == count("blue")


@pytest.mark.clause("IBE-07")
def test_festival_cards_pass_by_when_the_display_is_refilled_at_the_end_of_a_turn() -> None:
    game = table("iberia", display="red - green white black", deck="festival:leon yellow", hands=["blue"])
    game.play("claim zaragoza-lleida-2 blue")
    assert game.view(None).display == ("red", "yellow", "green", "white", "black")
    assert festivals(game) == {"leon": 1}


@pytest.mark.clause("IBE-07")
@pytest.mark.parametrize(
    ("deck", "discards", "possible"),
    [("festival:leon", "", True), ("second-draft", "", True), ("", "red", True), ("red", "", True), ("", "", False)],
)
def test_a_blind_draw_may_be_chosen_while_deck_or_discards_hold_any_card(
    deck: str, discards: str, possible: bool
) -> None:
    game = table("iberia", deck=deck, discards=discards, hands=["", ""], rest="last hand")
    assert ("draw deck" in lines(game)) is possible


def last_festivals(display: str, deck: str = "festival:leon festival:sevilla") -> Game:
    """Nothing but festival cards is left to draw, beside the display."""
    return table("iberia", display=display, deck=deck, hands=["", ""], rest="last hand")


@pytest.mark.clause("IBE-07")
def test_a_draw_that_brings_festival_cards_only_is_not_used_up() -> None:
    game = last_festivals("red blue loco - -")
    game.play("draw deck")
    assert festivals(game) == {"leon": 1, "sevilla": 1}
    assert hand(game, 0) == count("")
    assert game.phase == "draw_first"
    assert lines(game) == ["draw 1", "draw 2", "draw 3"]
    game.play("draw 1")
    game.play("draw 2")
    assert hand(game, 0) == count("red blue")
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-07")
def test_a_display_locomotive_is_then_still_a_first_card() -> None:
    game = last_festivals("red blue loco - -")
    game.play("draw deck")
    game.play("draw 3")
    assert hand(game, 0) == count("loco")
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-07")
def test_no_other_action_may_be_chosen_after_festival_cards_came_up() -> None:
    hands = ["red", ""]
    game = table("iberia", display="blue - - - -", deck="festival:leon", hands=hands, rest="last hand")
    assert "claim lleida-barcelona-2 red" in lines(game)
    game.play("draw deck")
    refused(game, "claim lleida-barcelona-2 red", "C-41")


@pytest.mark.clause("IBE-07")
def test_a_second_draw_of_festival_cards_only_is_not_used_up_either() -> None:
    """The display's locomotive may not be the second card (C-13)."""
    game = last_festivals("red blue loco - -", "yellow festival:leon")
    game.play("draw deck")
    assert lines(game) == ["draw 1", "draw 2", "draw deck"]
    game.play("draw deck")
    assert festivals(game) == {"leon": 1}
    assert lines(game, seat=0) == ["draw 1", "draw 2"]
    game.play("draw 2")
    assert hand(game, 0) == count("yellow blue")
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-07")
@pytest.mark.parametrize("display", ["- - - - -", "loco loco - - -"])
def test_the_action_ends_with_one_card_if_only_festival_cards_were_left_for_the_second(display: str) -> None:
    game = last_festivals(display, "yellow festival:leon")
    game.play("draw deck")
    assert lines(game) == ["draw deck"]
    game.play("draw deck")
    assert hand(game, 0) == count("yellow")
    assert festivals(game) == {"leon": 1}
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-07")
def test_the_action_ends_even_with_no_card() -> None:
    game = last_festivals("- - - - -")
    game.play("draw deck")
    assert hand(game, 0) == count("")
    assert festivals(game) == {"leon": 1, "sevilla": 1}
    assert game.to_act == (1,)
    assert game.phase == "turn"


@pytest.mark.clause("IBE-07")
def test_a_place_of_the_display_for_which_no_train_card_comes_stays_empty() -> None:
    game = last_festivals("red blue green white black")
    game.play("draw 2")
    assert game.view(None).display == ("red", None, "green", "white", "black")
    assert festivals(game) == {"leon": 1, "sevilla": 1}
    game.play("draw 1")
    assert game.view(None).display == (None, None, "green", "white", "black")


# ---------------------------------------------------------------- the second-draft card


@pytest.mark.clause("IBE-08")
def test_the_second_draft_card_counts_as_no_card_in_a_blind_draw() -> None:
    game = table("iberia", deck="second-draft festival:leon red blue")
    events = game.play("draw deck")
    assert of_kind(events, SecondDraftCardUp, FestivalLaid) == [SecondDraftCardUp(), FestivalLaid("leon")]
    assert hand(game, 0) == count("red")
    assert game.phase == "draw_second"


@pytest.mark.clause("IBE-08")
def test_the_turn_is_finished_normally_and_then_the_draft_takes_place() -> None:
    game = table("iberia", 3, deck="second-draft red blue")
    game.play("draw deck")
    events = game.play("draw deck")
    assert hand(game, 0) == count("red blue")
    assert of_kind(events, DraftBegan) == [DraftBegan(2, 6)]
    assert game.phase == "draft"
    assert list(game.to_act) == [0, 1, 2]
    draft_to_the_end(game)
    assert game.view(None).phase == "turn"
    assert list(game.to_act) == [1]


@pytest.mark.clause("IBE-08")
@pytest.mark.parametrize("deck", ["second-draft yellow", "festival:leon second-draft festival:leon yellow"])
def test_it_counts_as_no_card_when_the_display_is_filled(deck: str) -> None:
    game = table("iberia", display=PLAIN, deck=deck)
    game.play("draw 1")
    assert game.view(None).display[0] == "yellow"
    assert game.phase == "draw_second"
    game.play("draw 5")
    assert game.view(None).phase == "draft"


@pytest.mark.clause("IBE-08")
def test_it_may_come_up_in_the_second_draw() -> None:
    game = table("iberia", display=PLAIN, deck="red second-draft blue")
    game.play("draw deck")
    game.play("draw deck")
    assert hand(game, 0) == count("red blue")
    assert game.phase == "draft"


@pytest.mark.clause("IBE-08")
def test_it_may_come_up_as_the_replacement_of_a_locomotive() -> None:
    game = table("iberia", display="loco blue green white black", deck="second-draft red")
    game.play("draw 1")
    assert game.view(None).display[0] == "red"
    assert game.phase == "draft"


@pytest.mark.clause("IBE-08")
def test_it_may_come_up_in_a_sweep() -> None:
    deck = "loco red blue second-draft green white black"
    game = table("iberia", display="loco loco red blue green", deck=deck)
    events = game.play("draw 3")
    assert of_kind(events, DisplaySwept, SecondDraftCardUp) == [DisplaySwept(), SecondDraftCardUp()]
    assert game.view(None).display == ("red", "blue", "green", "white", "black")
    game.play("draw 1")
    assert game.phase == "draft"


@pytest.mark.clause("IBE-08")
def test_it_may_come_up_when_the_display_is_refilled_at_the_end_of_a_turn() -> None:
    game = table("iberia", display="red - green white black", deck="second-draft yellow", hands=["blue"])
    game.play("claim zaragoza-lleida-2 blue")
    assert game.view(None).owners == {"zaragoza-lleida-2": 0}
    assert game.view(None).display[1] == "yellow"
    assert game.phase == "draft"


@pytest.mark.clause("IBE-08")
def test_it_may_be_the_last_card_of_all() -> None:
    """Nothing else can be drawn: the action ends without a card, and the draft takes place."""
    game = table("iberia", display="- - - - -", deck="second-draft", hands=["", ""], rest="last hand")
    game.play("draw deck")
    assert hand(game, 0) == count("")
    assert game.phase == "draft"
    draft_to_the_end(game)
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-08")
def test_the_card_is_set_aside_and_there_is_no_third_draft() -> None:
    game = table("iberia", deck="second-draft", discards="red blue", hands=["", ""], rest="last hand")
    game.play("draw deck")
    game.play("draw deck")
    draft_to_the_end(game)
    assert k.DRAFT_CARD not in deck_of(game)
    game.play("draw 1")
    game.play("draw 2")
    assert game.phase == "turn"
    assert game.to_act == (0,)


@pytest.mark.clause("IBE-08")
def test_it_counts_as_no_card_in_a_tunnel_of_a_fan_map() -> None:
    game = table(MOLES, hands=["red red", ""], deck="white second-draft red black")
    events = game.play("claim north-larder-1 red")
    assert TunnelCardsTurned(0, ("white", "red", "black"), 1) in events
    events = game.play("decline")
    assert of_kind(events, DraftBegan) == [DraftBegan(2, 2)]


# ---------------------------------------------------------------- the second draft


def second_draft(players: int = 2, deck: Cards | None = None, seed: int = 20, held: Sequence[Cards] = ()) -> Game:
    """Seat 0 has drawn a locomotive and the second-draft card came up: the draft begins."""
    shown = "loco blue green white black"
    position = table("iberia", players, display=shown, deck="second-draft", ticket_deck=deck, tickets=held).position
    position.seed = seed
    game = Game.at("iberia", position)
    game.play("draw 1")
    return game


@pytest.mark.clause("IBE-09")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_second_draft_passes_to_the_previous_seat(players: int) -> None:
    game = second_draft(players, TICKETS)
    packs = [set(TICKETS[6 * seat : 6 * seat + 6]) for seat in range(players)]
    for _ in range(5):
        assert [pack(game, seat) for seat in range(players)] == packs
        taken = [lines(game, "take", seat)[0].split()[1] for seat in range(players)]
        take_first(game)
        left = [cards - {ticket} for cards, ticket in zip(packs, taken, strict=True)]
        packs = [left[(seat + 1) % players] for seat in range(players)]
    for seat in range(players):
        assert packs[seat] == {game.view(seat).offered_tickets[5]}


@pytest.mark.clause("IBE-09")
def test_exactly_four_are_kept_beside_those_of_the_first_draft() -> None:
    game = second_draft(2, TICKETS[:20], held=[TICKETS[40:44], TICKETS[44:48]])
    while game.phase == "draft":
        take_first(game)
    six = game.view(0).offered_tickets
    choices = {frozenset(line.split()[1:]) for line in lines(game, "keep")}
    assert choices == {frozenset(kept) for kept in combinations(six, 4)}
    game.play("keep " + " ".join(six[:4]), 0)
    keep_first(game)
    assert set(game.view(0).me.tickets) == set(six[:4]) | set(TICKETS[40:44])
    assert [player.ticket_count for player in game.view(None).players] == [8, 8]


@pytest.mark.clause("IBE-09")
def test_the_others_go_to_the_bottom_shuffled_and_the_rest_is_not_shuffled() -> None:
    orders = set()
    for seed in range(30):
        game = second_draft(2, TICKETS[:20], seed)
        while game.phase == "draft":
            take_first(game)
        back = {ticket for seat in (0, 1) for ticket in game.view(seat).offered_tickets[4:]}
        keep_first(game)
        deck = ticket_deck(game)
        assert deck[:8] == TICKETS[12:20]
        assert set(deck[8:]) == back
        orders.add(tuple(deck[8:]))
    assert len(orders) > 10  # of 24


@pytest.mark.clause("IBE-09")
def test_with_five_players_the_second_draft_takes_the_whole_deck() -> None:
    first = ["red", "blue", "green", "white", "black"] * 5
    game = Game.new("iberia", 5, deal=Deal(seed=4, train_deck=(*first, "second-draft", "red", "blue")))
    draft_to_the_end(game)
    assert game.view(None).ticket_deck_size == 30
    game.play("draw deck")
    game.play("draw deck")
    assert game.phase == "draft"
    assert game.view(None).ticket_deck_size == 0
    assert [len(pack(game, seat)) for seat in range(5)] == [6] * 5
    draft_to_the_end(game)
    assert [player.ticket_count for player in game.view(None).players] == [8] * 5
    assert game.view(None).ticket_deck_size == 10


@pytest.mark.clause("IBE-09")
@pytest.mark.parametrize(
    ("left", "each", "kept"), [(12, 6, 4), (11, 5, 4), (10, 5, 4), (9, 4, 4), (7, 3, 3), (5, 2, 2), (3, 1, 1)]
)
def test_with_fewer_tickets_all_get_the_same_largest_number(left: int, each: int, kept: int) -> None:
    game = second_draft(2, TICKETS[:left])
    if each > 1:
        assert [pack(game, seat) for seat in (0, 1)] == [set(TICKETS[:each]), set(TICKETS[each : 2 * each])]
        assert game.view(None).ticket_deck_size == left - 2 * each
    draft_to_the_end(game)
    assert [player.ticket_count for player in game.view(None).players] == [kept, kept]
    assert game.view(None).ticket_deck_size == left - 2 * kept
    assert ticket_deck(game)[: left - 2 * each] == TICKETS[2 * each : left]
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-09")
def test_of_five_each_exactly_four_are_kept() -> None:
    game = second_draft(2, TICKETS[:10])
    while game.phase == "draft":
        take_first(game)
    assert len(lines(game, "keep")) == 5
    refused(game, "keep " + " ".join(game.view(0).offered_tickets), "IBE-05")


@pytest.mark.clause("IBE-09")
@pytest.mark.parametrize("left", [0, 1])
def test_with_less_than_one_ticket_a_player_nobody_gets_any(left: int) -> None:
    game = second_draft(2, TICKETS[:left])
    assert game.to_act == (1,)
    assert game.phase == "turn"
    assert [player.ticket_count for player in game.view(None).players] == [0, 0]
    assert ("tickets" in lines(game)) is (left > 0)  # the second draft is over (IBE-10)


@pytest.mark.clause("IBE-10")
def test_nobody_may_draw_tickets_before_the_second_draft() -> None:
    game = Game.new("iberia", 2, seed=1)
    draft_to_the_end(game)
    assert "tickets" not in lines(game)
    refused(game, "tickets", "IBE-10")
    game.play("draw deck")
    refused(game, "tickets", "C-41")


@pytest.mark.clause("IBE-10")
def test_tickets_may_be_drawn_after_the_second_draft() -> None:
    game = second_draft(2, TICKETS[:20])
    while game.phase == "draft":
        refused(game, "tickets", "C-41")
        take_first(game)
    keep_first(game)
    game.play("tickets")
    assert game.view(1).offered_tickets == tuple(TICKETS[12:15])
    assert len(lines(game, "keep")) == 7  # any but none
    game.play(f"keep {TICKETS[13]}")
    game.play(f"return {TICKETS[14]}")
    assert ticket_deck(game)[0] == TICKETS[15]
    assert ticket_deck(game)[-2:] == [TICKETS[14], TICKETS[12]]


# ---------------------------------------------------------------- reshuffle and sweep


@pytest.mark.clause("IBE-11")
def test_the_new_deck_is_made_of_the_discards_and_of_train_cards_only() -> None:
    """Festival cards at the cities, in a pile and the second-draft card stay where they are."""
    game = table(
        "iberia",
        display=PLAIN,
        deck="festival:leon festival:sevilla",
        discards="red red red",
        hands=["", ""],
        rest="last hand",
        festivals={"madrid": 2},
        piles=[{"valencia": 3}, {}],
        drafts_done=2,
    )
    events = game.play("draw deck")
    assert of_kind(events, FestivalLaid, DeckReshuffled) == [
        FestivalLaid("leon"),
        FestivalLaid("sevilla"),
        DeckReshuffled(3),
    ]
    assert hand(game, 0) == count("red")
    assert deck_of(game) == [names_of(game.map).card["red"]] * 2
    assert festivals(game) == {"leon": 1, "sevilla": 1, "madrid": 2}


@pytest.mark.clause("IBE-12")
def test_festival_cards_pass_by_when_the_display_is_swept() -> None:
    deck = "festival:porto loco festival:leon red festival:sevilla blue green white black"
    game = table("iberia", display="loco loco red blue green", deck=deck)
    events = game.play("draw 3")
    seen = of_kind(events, DisplaySwept, FestivalLaid, DisplayFilled)
    assert seen == [
        FestivalLaid("porto"),
        DisplayFilled(3, "loco"),
        DisplaySwept(),
        FestivalLaid("leon"),
        DisplayFilled(1, "red"),
        FestivalLaid("sevilla"),
        DisplayFilled(2, "blue"),
        DisplayFilled(3, "green"),
        DisplayFilled(4, "white"),
        DisplayFilled(5, "black"),
    ]
    assert discarded(game) == count("loco loco loco blue green")
    assert festivals(game) == {"porto": 1, "leon": 1, "sevilla": 1}


@pytest.mark.clause("IBE-12")
def test_a_sweep_is_repeated_with_festival_cards_between() -> None:
    deck = "loco festival:leon loco loco festival:leon loco red blue green white black yellow orange"
    game = table("iberia", display="loco loco red blue green", deck=deck)
    events = game.play("draw 3")
    assert len(of_kind(events, DisplaySwept)) == 2
    assert game.view(None).display == ("green", "white", "black", "yellow", "orange")
    assert festivals(game) == {"leon": 2}


# ---------------------------------------------------------------- taking festival cards


@pytest.mark.clause("IBE-13")
def test_who_claims_a_track_to_a_festival_city_takes_all_its_cards() -> None:
    game = table("iberia", hands=["green green"], festivals={"sevilla": 3, "cadiz": 1})
    game.play("claim badajoz-sevilla-1 green")
    assert festivals(game) == {"cadiz": 1}
    assert game.view(0).me.festivals == {"sevilla": 3}
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-13")
def test_only_the_owner_may_look_at_the_pile_but_all_know_its_size() -> None:
    game = table("iberia", hands=["green green"], festivals={"sevilla": 3}, piles=[{"leon": 2}, {"madrid": 1}])
    game.play("claim badajoz-sevilla-1 green")
    assert game.view(0).me.festivals == {"sevilla": 3, "leon": 2}
    for reader in (1, None):
        player = game.view(reader).player(0)
        assert player.festivals == {}
        assert player.festival_count == 5
    assert game.view(0).player(1).festivals == {}


@pytest.mark.clause("IBE-13")
def test_cards_that_come_up_after_the_claim_stay_at_the_city() -> None:
    """The display is refilled at the end of the turn, when the cards of the city have been taken."""
    deck = "festival:sevilla yellow"
    game = table(
        "iberia", display="red - white white black", deck=deck, hands=["green green"], festivals={"sevilla": 1}
    )
    game.play("claim badajoz-sevilla-1 green")
    assert game.view(0).me.festivals == {"sevilla": 1}
    assert festivals(game) == {"sevilla": 1}


@pytest.mark.clause("IBE-13")
def test_a_track_between_other_cities_gives_no_festival_cards() -> None:
    game = table("iberia", hands=["blue"], festivals={"sevilla": 3})
    game.play("claim zaragoza-lleida-2 blue")
    assert game.view(0).me.festival_count == 0
    assert festivals(game) == {"sevilla": 3}


@pytest.mark.clause("IBE-13")
def test_a_later_track_to_the_city_gives_what_has_come_since() -> None:
    game = table("iberia", hands=["green green red"], festivals={"sevilla": 1}, deck="festival:sevilla blue")
    game.play("claim badajoz-sevilla-1 green")
    game.play("draw deck")
    game.play("draw deck")
    game.play("claim cordoba-sevilla-2 red")
    assert game.view(0).me.festivals == {"sevilla": 2}


@pytest.mark.clause("IBE-14")
@pytest.mark.parametrize(("city", "left"), [("sevilla", "cadiz"), ("cadiz", "sevilla")])
def test_between_two_festival_cities_with_cards_the_player_chooses_one(city: str, left: str) -> None:
    cards = {"sevilla": 3, "cadiz": 2}
    game = table("iberia", hands=["blue"], festivals=cards)
    game.play("claim sevilla-cadiz-1 blue")
    assert lines(game) == ["festival sevilla", "festival cadiz"]
    game.play(f"festival {city}")
    assert game.view(0).me.festivals == {city: cards[city]}
    assert festivals(game) == {left: cards[left]}
    assert game.view(None).owners == {"sevilla-cadiz-1": 0}
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-14")
def test_the_city_is_named_as_part_of_the_claim() -> None:
    game = table("iberia", hands=["blue"], festivals={"sevilla": 3, "cadiz": 2})
    game.play("claim sevilla-cadiz-1 blue")
    assert game.view(None).owners == {}
    assert hand(game, 0) == count("blue")
    refused(game, "festival madrid", "IBE-14")
    refused(game, "draw deck", "C-41")


@pytest.mark.clause("IBE-14")
@pytest.mark.parametrize(
    ("waiting", "taken"), [({"sevilla": 3}, {"sevilla": 3}), ({"cadiz": 2}, {"cadiz": 2}), ({"madrid": 1}, {})]
)
def test_where_there_is_no_choice_nothing_is_asked(waiting: dict[str, int], taken: dict[str, int]) -> None:
    game = table("iberia", hands=["blue"], festivals=waiting)
    game.play("claim sevilla-cadiz-1 blue")
    assert game.to_act == (1,)
    assert game.view(0).me.festivals == taken


@pytest.mark.clause("IBE-15")
@pytest.mark.parametrize(
    ("track", "cards", "colour"),
    [
        ("vigo-porto-1", "purple", "purple"),
        ("porto-salamanca-1", "black black black black", "black"),
        ("coimbra-badajoz-1", "red red red", "red"),
        ("coimbra-salamanca-1", "yellow yellow yellow yellow", "yellow"),
    ],
)
def test_a_track_to_porto_or_to_coimbra_gives_their_one_pool(track: str, cards: str, colour: str) -> None:
    game = table("iberia", hands=[cards], festivals={"porto": 3})
    game.play(f"claim {track} {colour}")
    assert game.view(0).me.festivals == {"porto": 3}
    assert festivals(game) == {}


@pytest.mark.clause("IBE-15")
def test_a_track_between_porto_and_coimbra_gives_the_pool_once_without_asking() -> None:
    game = table("iberia", hands=["orange"], festivals={"porto": 3})
    game.play("claim porto-coimbra-1 orange")
    assert game.view(0).me.festivals == {"porto": 3}
    assert game.view(0).me.festival_count == 3
    assert festivals(game) == {}
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-15")
@pytest.mark.parametrize(("city", "taken"), [("coimbra", {"porto": 3}), ("lisboa", {"lisboa": 2})])
def test_coimbra_s_pool_may_be_chosen_against_another_city_s(city: str, taken: dict[str, int]) -> None:
    game = table("iberia", hands=["purple purple"], festivals={"porto": 3, "lisboa": 2})
    game.play("claim coimbra-lisboa-1 purple")
    assert lines(game) == ["festival coimbra", "festival lisboa"]
    game.play(f"festival {city}")
    assert game.view(0).me.festivals == taken


@pytest.mark.clause("IBE-15")
def test_cards_taken_at_porto_and_at_coimbra_are_one_set() -> None:
    game = table("iberia", hands=["purple orange"], festivals={"porto": 2}, deck="festival:porto festival:porto red")
    game.play("claim vigo-porto-1 purple")
    game.play("draw deck")
    game.play("draw deck")
    game.play("claim porto-coimbra-1 orange")
    (festival,) = game.scores()[0].festivals
    assert (festival.cards, festival.points) == (4, 9)  # two sets of two would be 8


# ---------------------------------------------------------------- scoring


@pytest.mark.clause("IBE-16")
def test_three_sevilla_score_6_and_seven_valencia_22() -> None:
    score = table("iberia", piles=[{"sevilla": 3, "valencia": 7}]).scores()[0]
    assert {festival.group: festival.points for festival in score.festivals} == {"sevilla": 6, "valencia": 22}
    assert score.total == 28


@pytest.mark.clause("IBE-16")
@pytest.mark.parametrize(("cards", "points"), [(1, 2), (2, 4), (3, 6), (4, 9), (5, 13), (6, 17), (7, 22)])
def test_a_set_scores_by_the_table(cards: int, points: int) -> None:
    assert IBERIA.festivals
    assert IBERIA.festivals.score_table[cards] == points
    assert table("iberia", piles=[{"valencia": cards}]).scores()[0].total == points


@pytest.mark.clause("IBE-16")
def test_cards_of_different_cities_are_different_sets() -> None:
    assert table("iberia", piles=[{"sevilla": 2, "madrid": 2, "leon": 1}]).scores()[0].total == 4 + 4 + 2


@pytest.mark.clause("IBE-16")
def test_festival_cards_still_lying_at_the_cities_score_for_nobody() -> None:
    tracks = {0: ["badajoz-sevilla-1"]}
    scores = table("iberia", tracks=tracks, festivals={"sevilla": 3, "valencia": 7}).scores()
    assert [(score.festivals, score.total) for score in scores] == [((), 2), ((), 0)]


@pytest.mark.clause("IBE-17")
def test_level_on_points_the_most_completed_tickets_win() -> None:
    """A ticket worth 4 completed by three tracks (4 points) against 8 points of tracks and festivals."""
    tracks = {0: ["madrid-cuenca-1", "cuenca-albacete-1", "albacete-murcia-1"], 1: ["zaragoza-cuenca-1"]}
    tickets: list[Cards] = ["madrid-murcia", ""]
    scores = table("iberia", tracks=tracks, tickets=tickets, piles=[{}, {"leon": 2}]).scores()
    assert [score.total for score in scores] == [8, 8]
    assert [score.place for score in scores] == [1, 2]


@pytest.mark.clause("IBE-17")
def test_then_the_victory_is_shared_whatever_the_path() -> None:
    tracks = {0: ["zaragoza-cuenca-1"], 1: ["madrid-ciudad_real-1", "valladolid-madrid-1"]}
    scores = table("iberia", tracks=tracks).scores()
    assert [score.total for score in scores] == [4, 4]
    assert scores[0].longest_path != scores[1].longest_path
    assert [score.place for score in scores] == [1, 1]


# ---------------------------------------------------------------- the second-draft card and the end


def _last_round(display: str, deck: str) -> Game:
    """Seat 0's turn ends with two trains: the last round is on, seat 1 is to move, then seat 0 for the last time."""
    game = table("iberia", display=display, deck=deck, trains=[2, 35], ticket_deck=TICKETS)
    events = game.play("draw 1")
    assert of_kind(events, LastRoundBegan) == [LastRoundBegan(0)]
    return game


@pytest.mark.clause("IBE-18")
def test_no_second_draft_if_its_card_never_came_up() -> None:
    game = _last_round("loco loco white white white", "red red red red red")
    game.play("draw 2")
    game.play("draw deck")
    game.play("draw deck")
    assert game.is_over
    assert [player.ticket_count for player in game.view(None).players] == [0, 0]


@pytest.mark.clause("IBE-18")
def test_in_the_last_round_the_draft_takes_place_at_the_end_of_that_turn() -> None:
    game = _last_round("loco loco white white white", "red second-draft red red red")
    game.play("draw 2")
    assert game.phase == "draft"
    draft_to_the_end(game)
    assert game.to_act == (0,)
    game.play("draw deck")
    game.play("draw deck")
    assert game.is_over
    assert [len(score.tickets) for score in game.scores()] == [4, 4]


@pytest.mark.clause("IBE-18")
def test_the_turn_that_begins_the_last_round_may_bring_the_draft_too() -> None:
    game = table("iberia", display="loco white white white white", deck="second-draft red", trains=[2, 35])
    events = game.play("draw 1")
    assert of_kind(events, LastRoundBegan, DraftBegan) == [LastRoundBegan(0), DraftBegan(2, 6)]
    draft_to_the_end(game)
    assert game.to_act == (1,)


@pytest.mark.clause("IBE-18")
@pytest.mark.parametrize("deck", ["red red second-draft blue blue", "red red blue second-draft blue"])
def test_in_the_last_turn_of_the_game_there_is_no_draft(deck: str) -> None:
    game = _last_round("loco loco white white white", deck)
    game.play("draw 2")
    game.play("draw deck")
    events = game.play("draw deck")
    assert of_kind(events, GameEnded, DraftBegan) == [GameEnded("last round")]
    assert game.is_over
    assert game.scores()[0].tickets == ()


@pytest.mark.clause("IBE-18")
def test_in_the_last_turn_there_is_no_draft_though_the_card_comes_up_as_a_replacement() -> None:
    game = _last_round("loco loco white white white", "red red second-draft blue")
    game.play("draw 2")
    assert SecondDraftCardUp() in game.play("draw 3")
    events = game.play("draw 4")
    assert of_kind(events, GameEnded, DraftBegan) == [GameEnded("last round")]


def _nineteen_failures(last_cards: str) -> Game:
    """Nineteen tunnels in a row have failed, for want of a third red or blue card; these cards come next."""
    others = ["white", "black", "orange", "purple", "yellow"] * 8
    deck = [card for i in range(19) for card in ("blue" if i % 2 else "red", others[2 * i], others[2 * i + 1])]
    hands = ["red red", "blue blue"]
    game = table(MOLES, display="loco loco green green green", hands=hands, deck=[*deck, *last_cards.split()])
    for _ in range(19):
        _fail(game)
    return game


def _fail(game: Game) -> tuple[Event, ...]:
    """The seat to move tries a tunnel and does not pay."""
    game.play("claim north-larder-1 red" if game.to_act == (0,) else "claim larder-south-1 blue")
    return game.play("decline")


@pytest.mark.clause("IBE-18")
def test_no_draft_where_the_game_ends_for_want_of_progress() -> None:
    """The second-draft card comes up among the cards of the twentieth failed tunnel (C-34)."""
    game = _nineteen_failures("blue second-draft white black")
    events = _fail(game)
    assert of_kind(events, GameEnded, DraftBegan) == [GameEnded("no progress")]
    assert game.is_over


# ---------------------------------------------------------------- steps of a draft


@pytest.mark.clause("IBE-19")
def test_packs_move_only_when_all_have_taken_a_card() -> None:
    game = dealt(3)
    game.play(f"take {TICKETS[0]}", 0)
    game.play(f"take {TICKETS[12]}", 2)
    assert pack(game, 1) == set(TICKETS[6:12])
    assert lines(game, "", 0) == []
    events = game.play(f"take {TICKETS[6]}", 1)
    assert of_kind(events, PacksPassed) == [PacksPassed(2)]
    assert [pack(game, seat) for seat in range(3)] == [
        set(TICKETS[13:18]),
        set(TICKETS[1:6]),
        set(TICKETS[7:12]),
    ]


@pytest.mark.clause("IBE-19")
def test_who_has_still_to_choose_is_public() -> None:
    game = dealt(3)
    assert game.view(None).to_act == (0, 1, 2)
    events = game.play(f"take {TICKETS[6]}", 1)
    assert of_kind(events, ChoiceMade) == [ChoiceMade(1)]
    for reader in (0, 1, 2, None):
        assert game.view(reader).to_act == (0, 2)
    refused(game, f"take {TICKETS[7]}", "IBE-19", seat=1)


@pytest.mark.clause("IBE-19")
def test_who_has_still_to_keep_is_public_too() -> None:
    game = _all_taken(3)
    game.play(lines(game, "keep", 1)[0], 1)
    assert game.view(None).to_act == (0, 2)
    assert game.view(None).phase == "keep_drafted"


@pytest.mark.clause("IBE-19")
@pytest.mark.parametrize("players", [2, 5])
def test_the_last_card_of_a_pack_is_taken_without_asking(players: int) -> None:
    game = dealt(players)
    for step in range(5):
        assert game.phase == "draft"
        assert [len(pack(game, seat)) for seat in range(players)] == [6 - step] * players
        take_first(game)
    assert game.phase == "keep_drafted"
    assert [len(game.view(seat).offered_tickets) for seat in range(players)] == [6] * players


@pytest.mark.clause("IBE-19")
def test_during_the_second_draft_a_player_may_look_at_the_tickets_of_the_first() -> None:
    game = second_draft(2, TICKETS[:20], held=[TICKETS[40:44], TICKETS[44:48]])
    assert game.phase == "draft"
    assert set(game.view(0).me.tickets) == set(TICKETS[40:44])
    assert game.view(0).player(1).tickets == ()
    assert game.view(0).player(1).ticket_count == 4


@pytest.mark.clause("IBE-19")
def test_the_first_turn_begins_when_the_draft_is_over() -> None:
    game = _all_taken(3)
    game.play(lines(game, "keep", 2)[0], 2)
    game.play(lines(game, "keep", 0)[0], 0)
    events = game.play(lines(game, "keep", 1)[0], 1)
    assert TurnBegan(0) in events
    assert game.to_act == (0,)
