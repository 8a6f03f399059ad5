"""C-01 .. C-42, the rules common to all maps: each test is named by its clause and reads like it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline import BadMap, Deal, Game, IllegalAction, KeepTickets, load_map, write_action
from branchline.codec import names_of
from branchline.events import (
    DeckReshuffled,
    DisplayFilled,
    DisplaySwept,
    DraftBegan,
    DrewBlind,
    DrewCard,
    Event,
    FestivalLaid,
    GameEnded,
    LastRoundBegan,
    Passed,
    TerrainFilled,
    TicketsKept,
    TicketsOffered,
    TrackClaimed,
    TurnBegan,
)
from branchline.maps import check_map, read_map
from branchline.maps.model import COLOURS, MAX_TICKETS
from branchline.scores import PlayerScore
from tests.table import discarded, hand, refused, table, train_cards

MAPS = Path(__file__).parents[1] / "data" / "maps"
LINE = load_map(MAPS / "c_line.json")  # nine tracks of 1 to 9 spaces, and a route of three parallel tracks
FAIR = load_map(MAPS / "c_fair.json")  # two tracks and three festival cards: soon nobody can do anything
FOUR = ("usa", "europe", "iberia", "africa")

NOTHING = "- - - - -"  # a display of empty places
BLIND = ("draw deck", "draw deck")  # a turn that takes no card from the display
TICKETS = ("tickets", "keep boston-miami calgary-phoenix calgary-salt_lake_city")  # a turn that moves no train card

clause = pytest.mark.clause


def offers(game: Game, seat: int | None = None) -> set[str]:
    """What the player may do now, as lines."""
    return {write_action(action) for action in game.legal_actions(seat)}


def play(game: Game, *lines: str) -> list[Event]:
    """Play the lines, each for the player to act; all their events."""
    return [event for line in lines for event in game.play(line)]


def kinds(events: Iterable[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def display(game: Game) -> str:
    return " ".join(card or "-" for card in game.view(None).display)


def deck_size(game: Game) -> int:
    return game.view(None).deck_size


def ticket_deck(game: Game) -> list[str]:
    """The ticket deck from the top."""
    s, names = game.position, names_of(game.map).tickets
    return [names[s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS]] for i in range(s.ticket_n)]


def with_reshuffles(game: Game, *decks: str) -> Game:
    """The same game, in which the discards will be shuffled into these decks, one after the other."""
    return Game(game.map, game.position, Deal(reshuffles=tuple(tuple(deck.split()) for deck in decks)), ())


def keep_all_first_tickets(game: Game) -> None:
    """Play the choice of first tickets, or the first draft, to its end."""
    while game.phase != "turn":
        game.play(game.legal_actions()[-1])


def random_turns(game: Game, seed: int) -> Iterable[Game]:
    """Play at random to the end; the game before every action."""
    rng = Random(seed)
    while not game.is_over:
        yield game
        game.play(rng.choice(game.legal_actions()))


def places(game: Game) -> list[int]:
    return [sheet.place for sheet in game.scores()]


def sheet(game: Game, seat: int = 0) -> PlayerScore:
    return game.scores()[seat]


# ================================================================ components and set-up


@clause("C-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_sit_down(players: int) -> None:
    assert len(Game.new("usa", players, seed=1).view(None).players) == players


@clause("C-01")
@pytest.mark.parametrize("players", [0, 1, 6])
def test_no_other_number_of_players_may(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 players"):
        Game.new("usa", players, seed=1)


@clause("C-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_play_goes_in_seat_order(players: int) -> None:
    game = table(players=players)
    order = []
    for _ in range(2 * players):
        order.append(game.to_act)
        play(game, *BLIND)
    assert order == [(seat,) for seat in range(players)] * 2


@clause("C-01")
def test_nobody_plays_out_of_turn() -> None:
    game = table(players=3)
    refused(game, "draw deck", "C-01", seat=1)
    refused(game, "draw deck", "C-01", seat=2)


@clause("C-02")
@pytest.mark.parametrize("name", FOUR)
def test_twelve_cards_of_each_colour_and_fourteen_locomotives_are_dealt_from(name: str) -> None:
    cards = train_cards(Game.new(name, 5, seed=3))
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert cards == {**dict.fromkeys(colours, 12), "loco": 14}
    assert cards.total() == 110


@clause("C-03")
@pytest.mark.parametrize(("name", "trains"), [("usa", 45), ("europe", 45), ("africa", 45), ("iberia", 35)])
def test_every_player_begins_with_the_trains_of_the_map(name: str, trains: int) -> None:
    game = Game.new(name, 5, seed=1)
    assert [player.trains for player in game.view(None).players] == [trains] * 5


@clause("C-04")
def test_four_cards_each_seat_by_seat_then_the_display_place_by_place() -> None:
    deck = "red red red blue  green green green white  black black black orange  purple yellow white red blue"
    game = Game.new("usa", 3, deal=Deal(train_deck=tuple(deck.split())))
    assert hand(game, 0) == {"red": 3, "blue": 1}
    assert hand(game, 1) == {"green": 3, "white": 1}
    assert hand(game, 2) == {"black": 3, "orange": 1}
    assert display(game) == "purple yellow white red blue"
    assert deck_size(game) == 110 - 3 * 4 - 5


@clause("C-04")
def test_the_train_cards_are_shuffled() -> None:
    decks = {tuple(Game.new("usa", 2, seed=seed).position.deck) for seed in range(20)}
    assert len(decks) == 20


@clause("C-05")
def test_a_first_display_with_three_locomotives_is_swept() -> None:
    deck = "red red red red  blue blue blue blue  loco white loco white loco  green black green black orange"
    game = Game.new("usa", 2, deal=Deal(train_deck=tuple(deck.split())))
    assert display(game) == "green black green black orange"
    assert discarded(game) == {"loco": 3, "white": 2}


FIRST_SIX = "boston-miami calgary-phoenix dallas-new_york denver-el_paso duluth-houston helena-los_angeles"


def first_tickets(players: int = 2) -> Game:
    return Game.new("usa", players, deal=Deal(tickets=tuple(FIRST_SIX.split())))


@clause("C-06")
def test_three_of_thirty_tickets_are_dealt_to_each_player() -> None:
    game = first_tickets()
    assert game.view(0).offered_tickets == ("boston-miami", "calgary-phoenix", "dallas-new_york")
    assert game.view(1).offered_tickets == ("denver-el_paso", "duluth-houston", "helena-los_angeles")
    assert game.view(None).ticket_deck_size == 30 - 6


@clause("C-06")
def test_the_tickets_are_shuffled() -> None:
    firsts = {Game.new("usa", 2, seed=seed).view(0).offered_tickets for seed in range(20)}
    assert len(firsts) == 20


@clause("C-06")
def test_at_least_two_first_tickets_are_kept() -> None:
    game = first_tickets()
    refused(game, "keep boston-miami", "C-06", seat=0)
    game.play("keep boston-miami dallas-new_york", 0)
    game.play("keep denver-el_paso duluth-houston helena-los_angeles", 1)
    assert game.view(0).me.tickets == ("boston-miami", "dallas-new_york")
    assert game.view(1).me.tickets == ("denver-el_paso", "duluth-houston", "helena-los_angeles")


@clause("C-06")
def test_first_tickets_not_kept_go_to_the_bottom_in_seat_order_once_all_have_chosen() -> None:
    game = first_tickets()
    below = ticket_deck(game)
    game.play("keep denver-el_paso duluth-houston", 1)
    assert ticket_deck(game) == below
    game.play("keep boston-miami calgary-phoenix", 0)
    assert ticket_deck(game) == [*below, "dallas-new_york", "helena-los_angeles"]


@clause("C-06")
def test_each_player_names_the_order_of_their_own() -> None:
    tickets = [ticket.id for ticket in load_map("africa").tickets[:8]]  # of four dealt, two can go back
    game = Game.new("africa", 2, deal=Deal(tickets=tuple(tickets)))
    below = ticket_deck(game)
    game.play(f"keep {tickets[0]} {tickets[1]}", 0)
    game.play(f"return {tickets[3]}", 0)
    game.play(f"keep {tickets[6]} {tickets[7]}", 1)
    game.play(f"return {tickets[5]}", 1)
    assert ticket_deck(game) == [*below, tickets[3], tickets[2], tickets[5], tickets[4]]


@clause("C-07")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_first_tickets_are_chosen_in_any_order(order: tuple[int, ...]) -> None:
    game = Game.new("usa", 3, seed=5)
    waiting = {0, 1, 2}
    for seat in order:
        assert set(game.to_act) == waiting
        game.play(KeepTickets(game.view(seat).offered_tickets), seat)
        waiting.remove(seat)
    assert game.phase == "turn"


@clause("C-07")
def test_a_choice_of_first_tickets_is_made_once() -> None:
    game = first_tickets()
    game.play("keep boston-miami calgary-phoenix", 0)
    refused(game, "keep calgary-phoenix dallas-new_york", "C-07", seat=0)


@clause("C-07")
@pytest.mark.parametrize("reader", [0, None])
def test_nobody_sees_what_another_chooses_first(reader: int | None) -> None:
    seen = set()
    for choice in first_tickets().legal_actions(1):
        game = first_tickets()
        game.play(choice, 1)
        seen.add(game.view(reader))
    assert len(seen) == 1


@clause("C-07")
def test_the_first_train_and_terrain_cards_lie_before_the_players_as_they_choose() -> None:
    view = Game.new("africa", 2, seed=4).view(0)
    assert view.phase == "first_tickets"
    assert (sum(view.me.hand.values()), sum(view.me.terrain.values())) == (4, 1)


@clause("C-08")
@pytest.mark.parametrize("name", FOUR)
@pytest.mark.parametrize("players", [2, 5])
def test_seat_0_starts(name: str, players: int) -> None:
    for seed in range(3):
        game = Game.new(name, players, seed=seed)
        keep_all_first_tickets(game)
        assert game.to_act == (0,)


# ================================================================ the turn


@clause("C-09")
@pytest.mark.parametrize(
    "action",
    [
        ("draw deck", "draw deck"),
        ("claim chicago-duluth-1 red",),
        ("tickets", "keep boston-miami calgary-phoenix chicago-santa_fe"),
    ],
)
def test_one_action_is_the_whole_turn(action: tuple[str, ...]) -> None:
    game = table(hands=["red red red"], ticket_deck="boston-miami calgary-phoenix chicago-santa_fe")
    *begun, last = action
    play(game, *begun)
    assert game.to_act == (0,)
    play(game, last)
    assert game.to_act == (1,)


@clause("C-09")
def test_the_actions_are_cards_a_track_or_tickets_and_nothing_else() -> None:
    game = table(hands=["red red red"])
    assert {line.split()[0] for line in offers(game)} == {"draw", "claim", "tickets"}


# ================================================================ drawing train cards


@clause("C-10")
@pytest.mark.parametrize(
    ("first", "second", "cards"),
    [
        ("draw 1", "draw 2", {"red": 1, "blue": 1}),
        ("draw 1", "draw deck", {"red": 1, "purple": 1}),
        ("draw deck", "draw 5", {"yellow": 1, "black": 1}),
        ("draw deck", "draw deck", {"yellow": 1, "purple": 1}),
    ],
)
def test_two_cards_each_from_the_display_or_the_top_of_the_deck(first: str, second: str, cards: dict[str, int]) -> None:
    game = table(display="red blue green white black", deck="yellow purple orange")
    play(game, first)
    assert game.to_act == (0,)
    play(game, second)
    assert game.to_act == (1,)
    assert hand(game, 0) == cards


@clause("C-10")
@pytest.mark.parametrize("first", ["draw 1", "draw deck"])
def test_the_second_draw_may_not_be_declined(first: str) -> None:
    game = table(display="red blue green white black", deck="yellow")
    play(game, first)
    assert offers(game) == {"draw 1", "draw 2", "draw 3", "draw 4", "draw 5", "draw deck"}


@clause("C-11")
def test_a_card_taken_is_replaced_at_once_in_the_same_place() -> None:
    game = table(display="red blue green white black", deck="yellow purple")
    play(game, "draw 2")
    assert display(game) == "red yellow green white black"


@clause("C-11")
def test_the_replacement_may_be_the_second_card() -> None:
    game = table(display="red blue green white black", deck="yellow purple")
    play(game, "draw 2", "draw 2")
    assert hand(game, 0) == {"blue": 1, "yellow": 1}
    assert display(game) == "red purple green white black"


@clause("C-12")
def test_a_locomotive_from_the_display_is_the_only_card() -> None:
    game = table(display="red blue loco white black")
    play(game, "draw 3")
    assert hand(game, 0) == {"loco": 1}
    assert game.to_act == (1,)


@clause("C-13")
@pytest.mark.parametrize("first", ["draw 1", "draw deck"])
def test_the_second_card_may_not_be_a_locomotive_from_the_display(first: str) -> None:
    game = table(display="red blue loco white black", deck="yellow yellow")
    play(game, first)
    refused(game, "draw 3", "C-13")


@clause("C-13")
def test_not_even_one_turned_up_as_the_replacement() -> None:
    game = table(display="red blue green white black", deck="loco")
    play(game, "draw 1")
    assert display(game) == "loco blue green white black"
    refused(game, "draw 1", "C-13")


@clause("C-14")
def test_after_a_blind_locomotive_the_second_draw_follows() -> None:
    game = table(deck="loco loco")
    play(game, "draw deck")
    assert game.to_act == (0,)
    play(game, "draw deck")
    assert hand(game, 0) == {"loco": 2}
    assert game.to_act == (1,)


@clause("C-15")
def test_the_third_locomotive_sweeps_the_whole_display_at_once() -> None:
    game = table(display="loco loco red blue green", deck="loco  white white black black yellow")
    play(game, "draw 3")
    assert game.phase == "draw_second"
    assert display(game) == "white white black black yellow"
    assert discarded(game) == {"loco": 3, "blue": 1, "green": 1}


@clause("C-15")
def test_two_locomotives_stay() -> None:
    game = table(display="loco red red blue green", deck="loco")
    assert DisplaySwept not in kinds(play(game, "draw 2"))
    assert display(game) == "loco loco red blue green"


@clause("C-15")
def test_the_sweep_repeats_as_often_as_it_happens() -> None:
    game = table(
        display="loco loco red blue green",
        deck="loco  loco loco white loco black  loco loco loco yellow yellow  red orange red orange red",
    )
    events = play(game, "draw 3")
    assert kinds(events).count(DisplaySwept) == 3
    assert display(game) == "red orange red orange red"


@clause("C-15")
def test_four_locomotives_are_swept_too() -> None:
    # three of them lay there unswept, for the cards were short (C-16)
    game = table(display="loco loco loco red blue", deck="loco  white white black black yellow")
    play(game, "draw 4")
    assert display(game) == "white white black black yellow"
    assert discarded(game) == {"loco": 4, "blue": 1}


@clause("C-16")
def test_the_display_is_filled_to_five_and_only_then_checked() -> None:
    game = table(
        display="loco loco red blue green",
        deck="loco  loco loco loco white black  yellow yellow orange orange purple",
    )
    play(game, "draw 3")
    # half-way, the second sweep would have come before white and black were turned up
    assert display(game) == "yellow yellow orange orange purple"
    assert discarded(game) == {"loco": 6, "blue": 1, "green": 1, "white": 1, "black": 1}


@clause("C-16")
def test_empty_places_are_all_filled_before_the_check() -> None:
    game = table(display="loco loco - - -", deck="red red  loco white black  yellow yellow orange orange purple")
    play(game, *BLIND)
    assert display(game) == "yellow yellow orange orange purple"
    assert discarded(game) == {"loco": 3, "white": 1, "black": 1}


@clause("C-16")
def test_swept_cards_may_come_back() -> None:
    game = table(display="loco loco red blue green", deck="loco white", rest="last hand")
    game = with_reshuffles(game, "blue loco green loco loco")
    play(game, "draw 3")
    assert display(game) == "white blue loco green loco"
    assert deck_size(game) == 1
    assert not discarded(game)


@clause("C-16")
@pytest.mark.parametrize(
    ("cards", "is_swept"),
    [
        ({"discards": ""}, False),
        ({"discards": "white"}, True),
        ({"deck": "white"}, True),
        ({"deck": "loco", "discards": "loco loco"}, False),
    ],
)
def test_no_sweep_with_fewer_than_three_coloured_cards_in_play(cards: dict[str, str], is_swept: bool) -> None:
    game = table(display="loco loco loco red blue", rest="last hand", **cards)  # type: ignore[arg-type]
    events = play(game, *TICKETS)
    assert (DisplaySwept in kinds(events)) is is_swept
    if not is_swept:
        assert display(game) == "loco loco loco red blue"


def endless(shown: str, deck: str) -> Game:
    """Six cards are left, three of them locomotives, and every new display shows these three."""
    game = table(display=shown, deck=deck, rest="last hand")
    return with_reshuffles(
        game, *["loco loco loco red blue", "loco loco loco red white"] * 5, "loco loco loco red blue"
    )


@clause("C-16")
def test_there_is_no_eleventh_sweep() -> None:
    game = endless("loco loco loco red blue", "white")
    events = play(game, *TICKETS)
    assert kinds(events).count(DisplaySwept) == 10
    assert display(game) == "blue loco loco loco red"  # it stays as it is


@clause("C-16")
def test_a_move_and_the_end_of_its_turn_have_ten_sweeps_together() -> None:
    game = endless("loco loco red blue loco", "loco white")
    events = play(game, "draw 5")  # the replacement is checked, and with this card the turn ends
    assert game.to_act == (1,)
    assert kinds(events).count(DisplaySwept) == 10


@clause("C-16")
def test_after_the_next_decision_the_display_is_swept_again() -> None:
    game = endless("loco loco loco red blue", "white")
    play(game, *TICKETS, "tickets")
    assert DisplaySwept in kinds(game.play(game.legal_actions()[-1]))


@clause("C-16")
def test_the_display_is_checked_at_the_end_of_a_turn_that_did_not_touch_it() -> None:
    game = table(display="loco loco loco red blue", hands=["green"], rest="last hand")
    events = play(game, "claim atlanta-nashville-1 green")  # now a third coloured card is in play
    assert DisplaySwept in kinds(events)


@clause("C-17")
def test_a_hand_may_hold_any_number_of_cards() -> None:
    game = table(deck="red blue", rest="last hand", seat=1)
    assert hand(game, 1).total() == 103
    play(game, *BLIND)
    assert hand(game, 1).total() == 105


@clause("C-17")
@pytest.mark.parametrize("name", FOUR)
def test_whatever_a_large_hand_can_pay_for_may_be_done(name: str) -> None:
    data = load_map(name)
    game = table(name, hands=[[*COLOURS * 9, *["loco"] * 9]], display=NOTHING)
    claims = sum(9 if track.colour == "gray" and track.ferry < track.length else 1 for track in data.tracks)
    assert sum(line.startswith("claim") for line in offers(game)) == claims
    assert sum(line.startswith("station") for line in offers(game)) == (9 * 47 if data.stations else 0)


@clause("C-18")
def test_the_discards_become_the_deck_when_a_card_is_needed() -> None:
    game = table(deck="red", discards="yellow yellow yellow", rest="last hand")
    play(game, "draw deck")
    assert (deck_size(game), discarded(game)) == (0, {"yellow": 3})
    events = play(game, "draw deck")
    assert kinds(events)[:2] == [DeckReshuffled, DrewBlind]
    assert (deck_size(game), discarded(game)) == (2, {})
    assert hand(game, 0) == {"red": 1, "yellow": 1}


@clause("C-18")
def test_what_was_discarded_after_the_deck_ran_out_is_shuffled_in_too() -> None:
    game = table(discards="yellow", hands=["green green"], rest="last hand")
    play(game, "claim atlanta-charleston-1 green")
    assert (deck_size(game), discarded(game)) == (0, {"yellow": 1, "green": 2})
    assert DeckReshuffled(3) in play(game, "draw deck")


@clause("C-18")
def test_the_new_deck_is_shuffled() -> None:
    rainbow = " ".join(COLOURS * 3)
    orders = set()
    for seed in range(20):
        position = table(discards=rainbow, rest="last hand").position
        position.seed = seed
        game = Game.at("usa", position)
        play(game, "draw deck")
        orders.add(tuple(game.position.deck[: deck_size(game)]))
    assert len(orders) == 20


@clause("C-19")
def test_with_deck_and_discards_empty_the_display_may_still_be_taken_from() -> None:
    game = table(display="red blue - loco black", rest="last hand")
    assert {line for line in offers(game) if line.startswith("draw")} == {"draw 1", "draw 2", "draw 4", "draw 5"}


@clause("C-19")
def test_then_no_card_is_drawn_blind() -> None:
    refused(table(rest="last hand"), "draw deck", "C-19")


@clause("C-19")
def test_an_empty_place_gives_no_card() -> None:
    refused(table(display="red blue - white black", rest="last hand"), "draw 3", "C-19")


@clause("C-19")
def test_a_card_taken_then_is_not_replaced() -> None:
    game = table(display="red blue green white black", rest="last hand")
    play(game, "draw 1", "draw 4")
    assert display(game) == "- blue green - black"


@clause("C-19")
def test_empty_places_are_refilled_the_lowest_first_at_the_end_of_a_turn() -> None:
    game = table(display="red - blue - green", hands=["purple"], rest="last hand")
    play(game, "claim atlanta-nashville-1 purple")
    assert display(game) == "red purple blue - green"


@clause("C-19")
def test_three_locomotives_that_come_up_so_are_swept() -> None:
    game = table(display="loco loco - - red", hands=["loco green green"], rest="last hand")
    game = with_reshuffles(game, "loco green green", "red green loco loco loco")
    events = play(game, "claim calgary-vancouver-1 green")
    assert kinds(events).count(DisplaySwept) == 1
    assert display(game) == "green red green loco loco"


@clause("C-20")
def test_if_no_card_can_be_taken_the_action_is_not_available() -> None:
    game = table(display=NOTHING, rest="last hand", hands=["red"])
    assert {line.split()[0] for line in offers(game)} == {"claim", "tickets"}
    refused(game, "draw deck", "C-20")


@clause("C-20")
@pytest.mark.parametrize(
    ("shown", "deck", "draw"),
    [
        ("red - - - -", "", "draw 1"),
        (NOTHING, "red", "draw deck"),
        ("red loco loco - -", "", "draw 1"),
        ("loco - - - loco", "red", "draw deck"),
    ],
)
def test_if_no_second_card_may_be_taken_the_action_ends_with_one(shown: str, deck: str, draw: str) -> None:
    game = table(display=shown, deck=deck, rest="last hand")
    play(game, draw)
    assert hand(game, 0) == {"red": 1}
    assert game.to_act == (1,)


@clause("C-20")
@pytest.mark.parametrize(
    ("shown", "deck", "discards"),
    [("red blue - - -", "", ""), ("red loco - - -", "blue blue", ""), ("red - - - -", "", "blue blue")],
)
def test_while_a_second_card_may_be_taken_it_is_due(shown: str, deck: str, discards: str) -> None:
    game = table(display=shown, deck=deck, discards=discards, rest="last hand")
    play(game, "draw 1")
    assert game.to_act == (0,)


# ================================================================ claiming a track

YELLOW_3 = "los_angeles-san_francisco-1"
GRAY_2 = "atlanta-charleston-1"


@clause("C-21")
@pytest.mark.parametrize("cards", ["yellow yellow yellow", "yellow yellow loco", "yellow loco loco", "loco loco loco"])
def test_a_yellow_track_of_3_takes_yellow_and_locomotives(cards: str) -> None:
    game = table(hands=[cards])
    play(game, f"claim {YELLOW_3} yellow")
    assert game.view(None).owners == {YELLOW_3: 0}
    assert not hand(game, 0)
    assert discarded(game) == Counter(cards.split())


@clause("C-21")
def test_montreal_new_york_takes_3_blue() -> None:
    game = table(hands=["blue blue blue"])
    play(game, "claim montreal-new_york-1 blue")
    assert game.view(None).owners == {"montreal-new_york-1": 0}


@clause("C-21")
def test_exactly_as_many_cards_as_spaces_are_played() -> None:
    game = table(hands=["yellow yellow yellow yellow yellow"])
    play(game, f"claim {YELLOW_3} yellow")
    assert hand(game, 0) == {"yellow": 2}


@clause("C-21")
@pytest.mark.parametrize(
    ("cards", "colour"),
    [
        ("yellow yellow", "yellow"),
        ("yellow loco", "yellow"),
        ("loco loco", "yellow"),
        ("red red red", "red"),
        ("yellow yellow red", "yellow"),
        ("red red loco", "red"),
    ],
)
def test_nothing_else_pays_for_it(cards: str, colour: str) -> None:
    game = table(hands=[cards])
    assert not any(YELLOW_3 in line for line in offers(game))
    refused(game, f"claim {YELLOW_3} {colour}", "C-21")


@clause("C-21")
def test_how_many_locomotives_are_played_is_the_players_choice() -> None:
    for locos in range(4):
        game = table(hands=["yellow yellow yellow loco loco loco"])
        play(game, f"claim {YELLOW_3} yellow")
        assert offers(game) == {"locos 0", "locos 1", "locos 2", "locos 3"}
        play(game, f"locos {locos}")
        assert discarded(game) == +Counter({"yellow": 3 - locos, "loco": locos})


@clause("C-22")
@pytest.mark.parametrize(("cards", "colour"), [("red red", "red"), ("yellow loco", "yellow"), ("loco loco", "loco")])
def test_a_gray_track_of_2_takes_one_colour_and_locomotives(cards: str, colour: str) -> None:
    game = table(hands=[cards])
    assert {line for line in offers(game) if GRAY_2 in line} == {f"claim {GRAY_2} {colour}"}
    play(game, f"claim {GRAY_2} {colour}")
    assert game.view(None).owners == {GRAY_2: 0}
    assert discarded(game) == Counter(cards.split())


@clause("C-22")
@pytest.mark.parametrize("colour", COLOURS)
def test_montreal_toronto_takes_3_of_any_one_colour(colour: str) -> None:
    game = table(hands=[[colour] * 3])
    play(game, f"claim montreal-toronto-1 {colour}")
    assert game.view(None).owners == {"montreal-toronto-1": 0}


@clause("C-22")
def test_a_gray_track_may_be_paid_in_every_way_its_colours_allow() -> None:
    game = table(hands=["red red yellow loco loco"])
    assert {line for line in offers(game) if GRAY_2 in line} == {
        f"claim {GRAY_2} {c}" for c in ("red", "yellow", "loco")
    }
    play(game, f"claim {GRAY_2} red")
    assert offers(game) == {"locos 0", "locos 1"}  # two locomotives would be no red card


@clause("C-22")
def test_two_colours_may_not_be_mixed() -> None:
    game = table(hands=["red yellow"])
    refused(game, f"claim {GRAY_2} red", "C-22")
    refused(game, f"claim {GRAY_2} yellow", "C-22")


@clause("C-23")
def test_as_many_trains_as_spaces_are_needed() -> None:
    refused(table(hands=["yellow yellow yellow"], trains=[2, 45]), f"claim {YELLOW_3} yellow", "C-23")
    game = table(hands=["yellow yellow yellow"], trains=[3, 45])
    play(game, f"claim {YELLOW_3} yellow")
    assert game.view(None).players[0].trains == 0


@clause("C-23")
def test_the_trains_are_put_down_and_the_cards_discarded() -> None:
    game = table(hands=["yellow yellow loco red"])
    play(game, f"claim {YELLOW_3} yellow")
    assert game.view(None).players[0].trains == 45 - 3
    assert game.view(None).discards == {"yellow": 2, "loco": 1}
    assert hand(game, 0) == {"red": 1}


@clause("C-24")
@pytest.mark.parametrize(
    ("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15), (8, 21), (7, 18), (9, 27)]
)
def test_points_at_once_by_length(length: int, points: int) -> None:
    game = table(LINE, hands=[["red"] * length], display="blue blue green green white")
    events = play(game, f"claim junction-halt_{length}-1 red")
    claimed = next(event for event in events if isinstance(event, TrackClaimed))
    assert claimed.points == points
    assert game.view(None).players[0].score == points


@clause("C-25")
def test_a_track_need_not_touch_the_players_others() -> None:
    game = table(tracks={0: ["atlanta-miami-1"]}, hands=["red"])
    play(game, "claim seattle-vancouver-1 red")
    assert game.view(None).owners == {"atlanta-miami-1": 0, "seattle-vancouver-1": 0}


@clause("C-25")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_claimed_track_is_not_free(owner: int) -> None:
    game = table(players=4, tracks={owner: ["seattle-vancouver-1"]}, hands=["red"])
    refused(game, "claim seattle-vancouver-1 red", "C-25")


@clause("C-25")
def test_one_track_a_turn() -> None:
    game = table(hands=["red red", "blue"])
    play(game, "claim seattle-vancouver-1 red")
    refused(game, "claim atlanta-nashville-1 red", "C-01", seat=0)


@clause("C-26")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_player_may_own_both_tracks_of_a_double_route(players: int) -> None:
    game = table(players=players, tracks={0: ["chicago-pittsburgh-1"]}, hands=["black black black"])
    refused(game, "claim chicago-pittsburgh-2 black", "C-26")


@clause("C-26")
def test_nor_claim_the_other_on_a_later_turn() -> None:
    game = table(players=4, hands=["red red"])
    play(game, "claim seattle-vancouver-2 red", *BLIND * 3)
    refused(game, "claim seattle-vancouver-1 red", "C-26")


@clause("C-27")
@pytest.mark.parametrize("players", [2, 3])
def test_with_2_or_3_players_the_other_track_is_closed_to_all(players: int) -> None:
    game = table(players=players, hands=["orange orange orange", "black black black", "black black black"][:players])
    play(game, "claim chicago-pittsburgh-1 orange")
    for _ in range(players - 1):
        refused(game, "claim chicago-pittsburgh-2 black", "C-27")
        play(game, *BLIND)
    play(game, *BLIND)
    refused(game, "claim chicago-pittsburgh-2 black", "C-27")  # and so for the rest of the game


@clause("C-27")
@pytest.mark.parametrize("players", [4, 5])
def test_with_4_or_5_players_another_may_claim_it(players: int) -> None:
    game = table(players=players, hands=["orange orange orange", "black black black"])
    play(game, "claim chicago-pittsburgh-1 orange", "claim chicago-pittsburgh-2 black")
    assert game.view(None).owners == {"chicago-pittsburgh-1": 0, "chicago-pittsburgh-2": 1}


# ================================================================ tickets

A, B, C, D, E = "boston-miami", "calgary-phoenix", "chicago-santa_fe", "denver-el_paso", "duluth-houston"


@clause("C-28")
def test_three_tickets_are_drawn_from_the_top() -> None:
    game = table(ticket_deck=[A, B, C, D, E])
    play(game, "tickets")
    assert game.view(0).offered_tickets == (A, B, C)
    assert ticket_deck(game) == [D, E]


@clause("C-28")
@pytest.mark.parametrize("left", [[A, B], [A]])
def test_all_of_them_if_fewer_are_left(left: list[str]) -> None:
    game = table(ticket_deck=left)
    play(game, "tickets")
    assert game.view(0).offered_tickets == tuple(left)
    assert ticket_deck(game) == []


@clause("C-28")
def test_any_one_or_more_of_them_are_kept() -> None:
    game = table(ticket_deck=[A, B, C, D])
    play(game, "tickets")
    kept = {frozenset(line.split()[1:]) for line in offers(game)}
    assert kept == {frozenset(s) for s in ([A], [B], [C], [A, B], [A, C], [B, C], [A, B, C])}
    with pytest.raises(IllegalAction, match="C-28"):
        game.play(KeepTickets(()))


@clause("C-28")
def test_the_rest_goes_to_the_bottom_in_the_order_the_player_names() -> None:
    game = table(ticket_deck=[A, B, C, D])
    play(game, "tickets", f"keep {B}")
    assert offers(game) == {f"return {A}", f"return {C}"}
    play(game, f"return {C}")
    assert ticket_deck(game) == [D, C, A]
    assert game.view(0).me.tickets == (B,)


@clause("C-28")
def test_a_single_ticket_put_back_goes_to_the_bottom() -> None:
    game = table(ticket_deck=[A, B, C, D])
    play(game, "tickets", f"keep {B} {C}")
    assert ticket_deck(game) == [D, A]


@clause("C-29")
def test_a_ticket_once_kept_stays_to_the_end_of_the_game() -> None:
    held: list[frozenset[str]] = [frozenset(), frozenset()]
    game = Game.new("usa", 2, seed=11)
    for now in random_turns(game, 11):
        for seat in range(2):
            tickets = frozenset(now.view(seat).me.tickets)
            assert tickets >= held[seat]
            held[seat] = tickets
    assert [frozenset(t.ticket for t in sheet.tickets) for sheet in game.scores()] == held


@clause("C-29")
def test_a_player_may_hold_any_number_of_tickets() -> None:
    all_thirty = [ticket.id for ticket in load_map("usa").tickets]
    game = table(tickets=[all_thirty[:27]], ticket_deck=all_thirty[27:])
    play(game, "tickets", "keep " + " ".join(all_thirty[27:]))
    assert game.view(0).me.tickets == tuple(all_thirty)


@clause("C-30")
@pytest.mark.parametrize("reader", [1, None])
def test_tickets_are_secret_and_their_number_is_not(reader: int | None) -> None:
    game = table(tickets=[[A, B], [C]])
    seen = game.view(reader).players[0]
    assert (seen.tickets, seen.ticket_count) == ((), 2)


@clause("C-30")
def test_how_many_of_those_drawn_were_kept_is_public_and_which_is_not() -> None:
    game = table(ticket_deck=[A, B, C, D])
    events = [event.seen_by(1) for event in play(game, "tickets", f"keep {A} {C}")]
    assert TicketsOffered(0, 3, None) in events
    assert TicketsKept(0, 2, 3, None) in events


@clause("C-30")
def test_at_the_end_of_the_game_tickets_are_shown() -> None:
    game = table(FAIR, tickets=[["green-well"], ["chapel-well"]], trains=[0, 20])
    play(game, *BLIND * 2)
    assert game.view(1).players[0].tickets == ()
    play(game, *BLIND)
    assert game.is_over
    assert [player.tickets for player in game.view(None).players] == [("green-well",), ("chapel-well",)]


@clause("C-31")
def test_with_an_empty_ticket_deck_no_tickets_are_drawn() -> None:
    refused(table(ticket_deck=[]), "tickets", "C-31")
    assert "tickets" in offers(table(ticket_deck=[A]))


@clause("C-32")
def test_a_ticket_is_completed_by_an_unbroken_chain_of_own_tracks() -> None:
    game = table(tickets=[["kansas_city-houston"]])  # worth 5
    chain = ["kansas_city-oklahoma_city-1", "dallas-oklahoma_city-2", "dallas-houston-1"]
    assert [(t.points, t.completed) for t in sheet(game).tickets] == [(-5, False)]
    for owned, points in ((chain[:1], -5), (chain[:2], -5), (chain[::2], -5), (chain, 5)):
        game = table(tickets=[["kansas_city-houston"]], tracks={0: owned})
        assert sheet(game).ticket_points == points
        assert sheet(game).total == sheet(game).tracks + 10 + points


@clause("C-32")
def test_other_players_tracks_join_nothing() -> None:
    game = table(tickets=[["denver-el_paso"]], tracks={0: ["denver-santa_fe-1"], 1: ["el_paso-santa_fe-1"]})
    assert sheet(game).ticket_points == -4


@clause("C-32")
def test_each_ticket_counts_for_itself() -> None:
    game = table(tickets=[["denver-el_paso", "boston-miami"]], tracks={0: ["denver-santa_fe-1", "el_paso-santa_fe-1"]})
    assert {t.ticket: t.points for t in sheet(game).tickets} == {"denver-el_paso": 4, "boston-miami": -12}


# ================================================================ the end


@clause("C-33")
@pytest.mark.parametrize(("trains", "begins"), [(6, False), (5, True), (4, True), (3, True)])
def test_two_or_fewer_trains_begin_the_last_round(trains: int, begins: bool) -> None:
    game = table(hands=["yellow yellow yellow"], trains=[trains, 45])
    events = play(game, f"claim {YELLOW_3} yellow")
    assert (LastRoundBegan(0) in events) is begins
    assert game.view(None).last_round is begins


@clause("C-33")
def test_at_the_end_of_the_players_own_turn_not_of_anothers() -> None:
    game = table(trains=[45, 2])
    play(game, *BLIND)
    assert not game.view(None).last_round
    assert LastRoundBegan(1) in play(game, *BLIND)


@clause("C-33")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("last", [0, 1])
def test_everybody_has_exactly_one_more_turn_and_the_player_who_began_it_the_last(players: int, last: int) -> None:
    trains = [2 if seat == last else 45 for seat in range(players)]
    game = table(players=players, trains=trains, seat=last)
    play(game, *BLIND)
    turns = []
    while not game.is_over:
        turns.append(game.to_act[0])
        play(game, *BLIND)
    assert turns == [(last + 1 + i) % players for i in range(players)]
    assert game.end_reason == "last round"


@clause("C-33")
def test_the_last_round_is_begun_once_only() -> None:
    game = table(players=3, trains=[2, 2, 2])
    events = play(game, *BLIND * 4)
    assert game.is_over
    assert [event for event in events if isinstance(event, LastRoundBegan)] == [LastRoundBegan(0)]


@clause("C-33")
def test_a_pass_counts_as_the_last_turn() -> None:
    game = table(FAIR, display=NOTHING, hands=["red red"], rest="last hand", trains=[4, 20], ticket_deck="")
    play(game, "claim green-chapel-1 red")  # two trains left: the last round begins
    play(game, "draw 1", "draw 2")  # seat 1 takes the only two cards
    assert offers(game) == {"pass"}
    assert play(game, "pass")[-1] == GameEnded("last round")


@clause("C-34")
def test_a_player_with_no_legal_action_passes() -> None:
    game = table(display=NOTHING, rest="last hand", ticket_deck="")
    assert offers(game) == {"pass"}
    assert play(game, "pass")[0] == Passed(0)
    assert game.to_act == (1,)


@clause("C-34")
@pytest.mark.parametrize(
    "cards",
    [
        {"display": "- - - - loco"},
        {"deck": "red"},
        {"discards": "red"},
        {"hands": ["red"]},
        {"ticket_deck": "los_angeles-miami"},
    ],
)
def test_with_any_legal_action_however_bad_nobody_may_pass(cards: dict[str, Any]) -> None:
    blocked = {"display": NOTHING, "rest": "last hand", "ticket_deck": ""}
    refused(table(**(blocked | cards)), "pass", "C-34")


def blocked_fair(players: int, **more: Any) -> Game:
    """Both tracks are claimed, and all train cards are in hands: nobody can do anything."""
    claimed = {0: ["green-chapel-1"], 1: ["chapel-well-1"]}
    return table(
        FAIR, players, **{"display": NOTHING, "rest": "last hand", "ticket_deck": "", "tracks": claimed} | more
    )


@clause("C-34")
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("first", [0, 1])
def test_when_all_pass_one_after_the_other_the_game_ends_there(players: int, first: int) -> None:
    game = blocked_fair(players, seat=first)
    play(game, *["pass"] * (players - 1))
    assert not game.is_over
    assert play(game, "pass")[-1] == GameEnded("all passed")


@clause("C-34")
def test_passes_with_a_turn_between_them_do_not_end_the_game() -> None:
    game = blocked_fair(2, tracks={0: ["green-chapel-1"]})
    play(game, "pass", "claim chapel-well-1 blue", "locos 0", "draw 1", "draw 2", "pass")
    assert not game.is_over
    play(game, "pass")
    assert game.end_reason == "all passed"


@clause("C-34")
def test_a_turn_whose_draws_brought_no_card_is_no_pass() -> None:
    game = blocked_fair(2, deck="festival:green")
    events = play(game, "draw deck")  # a festival card, and nothing under it
    assert DrewBlind not in kinds(events)
    assert game.to_act == (1,)
    play(game, "pass")
    assert not game.is_over  # only one player has passed
    play(game, "pass")
    assert game.is_over


TUNNEL = "barcelona-pamplona-1"


def tunnel_table(players: int) -> Game:
    """Everybody holds two red cards, and of deck and discards every card is red: each tunnel costs three more."""
    return table(
        "europe",
        players,
        display="blue green white black yellow",
        deck="red red red red",
        hands=["red red"] * players,
        rest="last hand",
    )


def fail_tunnel(game: Game) -> list[Event]:
    events = play(game, f"claim {TUNNEL} red")
    if game.phase == "pay":
        events += play(game, "locos 0")
    return events + play(game, "decline")


@clause("C-34")
@pytest.mark.parametrize("players", [2, 3])
def test_ten_times_players_failed_tunnels_in_a_row_end_the_game(players: int) -> None:
    game = tunnel_table(players)
    for _ in range(10 * players - 1):
        fail_tunnel(game)
        assert not game.is_over
    assert fail_tunnel(game)[-1] == GameEnded("no progress")


@clause("C-34")
def test_the_row_may_begin_at_any_seat() -> None:
    game = tunnel_table(3)
    play(game, "draw 1", "draw 2")
    for _ in range(29):
        fail_tunnel(game)
    assert not game.is_over
    fail_tunnel(game)
    assert game.is_over


@clause("C-34")
def test_any_other_turn_begins_the_row_anew() -> None:
    game = tunnel_table(2)
    for _ in range(19):
        fail_tunnel(game)
    play(game, "draw 1", "draw 2")
    for _ in range(19):
        fail_tunnel(game)
    assert not game.is_over


@clause("C-34")
def test_a_turn_whose_draws_brought_no_card_is_not_idle() -> None:
    position = blocked_fair(2, deck="festival:green").position
    position.idle_turns = 19  # a row of passes and failed tunnels so far
    game = Game.at(FAIR, position)
    play(game, "draw deck")
    assert not game.is_over


@clause("C-35")
def test_the_final_score_is_recomputed_from_the_board() -> None:
    position = table(tracks={0: ["calgary-winnipeg-1", "atlanta-nashville-1"], 1: ["chicago-toronto-1"]}).position
    position.score[:2] = [99, 98]  # a running score gone wrong
    assert [sheet.tracks for sheet in Game.at("usa", position).scores()] == [15 + 1, 7]


@clause("C-35")
@pytest.mark.parametrize("name", FOUR)
def test_running_and_final_score_of_the_tracks_agree(name: str) -> None:
    game = Game.new(name, 3, seed=2)
    for now in random_turns(game, 2):
        if len(now.history) % 20 == 0:
            assert [sheet.tracks for sheet in now.scores()] == [p.score for p in now.view(None).players]
    assert [sheet.tracks for sheet in game.scores()] == [p.score for p in game.view(None).players]


@clause("C-35")
def test_a_claimed_track_keeps_its_owner_and_whether_it_was_doubled() -> None:
    game = table("africa", hands=["white white", "black black"], terrain=["mountain", ""])
    play(game, "claim bulawayo-pretoria-1 white", "double 0")
    play(game, "claim douala-nigeria_1-2 black")
    view = game.view(None)
    assert view.owners == {"bulawayo-pretoria-1": 0, "douala-nigeria_1-2": 1}
    assert view.doubled == {"bulawayo-pretoria-1"}
    assert [sheet.tracks for sheet in game.scores()] == [4, 2]


# ---------------------------------------------------------------- the longest path

TRIANGLE = ("denver-santa_fe-1", "oklahoma_city-santa_fe-1", "denver-oklahoma_city-1")  # 2 + 3 + 4 around Denver
STAR = ("el_paso-santa_fe-1", "phoenix-santa_fe-1", "denver-santa_fe-1")  # 2, 3 and 2 cars, all at Santa Fe


def longest(*tracks: str) -> int:
    return sheet(table(tracks={0: tracks})).longest_path


@clause("C-36")
def test_the_longest_path_is_counted_in_train_cars() -> None:
    three_tracks = ("portland-seattle-1", "seattle-vancouver-1", "calgary-vancouver-1")
    assert longest(*three_tracks) == 1 + 1 + 3
    assert longest("calgary-winnipeg-1") == 6
    assert longest(*three_tracks, "duluth-helena-1") == 6


@clause("C-36")
def test_it_is_one_unbroken_chain() -> None:
    assert longest("atlanta-miami-1", "calgary-winnipeg-1") == 6
    assert longest("calgary-winnipeg-1", "sault_st_marie-winnipeg-1") == 12


@clause("C-36")
def test_it_may_pass_a_city_more_than_once() -> None:
    # El Paso, Santa Fe, round by Denver and Oklahoma City, Santa Fe again, Phoenix
    assert longest(*TRIANGLE, "el_paso-santa_fe-1", "phoenix-santa_fe-1") == 9 + 2 + 3


@clause("C-36")
def test_it_may_loop() -> None:
    assert longest(*TRIANGLE) == 9


@clause("C-36")
def test_it_uses_no_track_twice() -> None:
    assert longest(*STAR) == 3 + 2


@clause("C-36")
def test_only_the_players_own_tracks_count_for_it() -> None:
    game = table(tracks={0: TRIANGLE[:1], 1: TRIANGLE[1:]})
    assert [sheet.longest_path for sheet in game.scores()] == [2, 7]


@clause("C-36")
@pytest.mark.parametrize("name", ["usa", "europe"])
def test_the_longest_path_earns_10(name: str) -> None:
    long, short = {
        "usa": ("calgary-winnipeg-1", "helena-winnipeg-1"),
        "europe": ("palermo-smyrna-1", "roma-venezia-1"),
    }[name]
    game = table(name, tracks={0: [short], 1: [long]})
    assert [sheet.longest_path_bonus for sheet in game.scores()] == [0, 10]
    assert [sheet.total - sheet.tracks - sheet.stations for sheet in game.scores()] == [0, 10]


@clause("C-36")
def test_all_players_that_tie_for_it_get_the_10() -> None:
    game = table(players=3, tracks={0: ["calgary-winnipeg-1"], 1: ["duluth-helena-1"], 2: ["atlanta-miami-1"]})
    assert [sheet.total for sheet in game.scores()] == [25, 25, 10]


@clause("C-36")
def test_a_path_of_length_0_wins_nothing() -> None:
    assert [sheet.total for sheet in table(players=3).scores()] == [0, 0, 0]


@clause("C-36")
def test_the_longest_path_is_that_of_a_walk_of_every_possible_way() -> None:
    tracks = {track.id: track for track in load_map("usa").tracks}
    west = sorted(t for t in tracks if any(city in t for city in ("denver", "helena", "omaha", "santa_fe")))

    def walk(city: str, left: frozenset[str]) -> int:
        ways = [t for t in left if city in (tracks[t].a, tracks[t].b)]
        ahead = (tracks[t].length + walk(tracks[t].b if city == tracks[t].a else tracks[t].a, left - {t}) for t in ways)
        return max(ahead, default=0)

    for seed in range(40):
        mine = frozenset(Random(seed).sample(west, 8))
        best = max(walk(tracks[t].a, mine) for t in mine), max(walk(tracks[t].b, mine) for t in mine)
        assert longest(*sorted(mine)) == max(best), sorted(mine)


# ---------------------------------------------------------------- who wins

LONGEST = ["calgary-winnipeg-1", "sault_st_marie-winnipeg-1"]  # 12 cars: this player has the 10 ...
HOPELESS = ["seattle-new_york", "los_angeles-new_york", "vancouver-montreal"]  # ... and 63 points to lose


@clause("C-37")
def test_most_points_win() -> None:
    # seat 1 has the ticket and the longer path
    game = table(
        tickets=[[], ["denver-el_paso"]],
        tracks={0: ["duluth-helena-1", "portland-salt_lake_city-1"], 1: ["denver-santa_fe-1", "el_paso-santa_fe-1"]},
    )
    assert [sheet.total for sheet in game.scores()] == [40, 8]
    assert places(game) == [1, 2]


@clause("C-37")
def test_then_most_completed_tickets() -> None:
    game = table(
        players=3,
        tickets=[[], ["denver-el_paso"], HOPELESS],
        tracks={
            0: ["atlanta-new_orleans-1", "atlanta-nashville-1"],  # 7 + 1 points, a path of 5
            1: ["denver-santa_fe-1", "el_paso-santa_fe-1"],  # 2 + 2 and 4 for the ticket, a path of 4
            2: LONGEST,
        },
    )
    assert [sheet.total for sheet in game.scores()] == [8, 8, -23]
    assert [sheet.completed for sheet in game.scores()] == [0, 1, 0]
    assert places(game) == [2, 1, 3]


@clause("C-37")
def test_then_the_longest_path_by_its_length_though_another_has_the_bonus() -> None:
    game = table(
        players=3,
        tickets=[[], [], HOPELESS],
        tracks={
            0: ["chicago-toronto-1", "portland-seattle-1"],  # 7 + 1 points, a path of 4
            1: ["atlanta-new_orleans-1", "atlanta-nashville-1"],  # 7 + 1 points, a path of 5
            2: LONGEST,
        },
    )
    assert [sheet.longest_path_bonus for sheet in game.scores()] == [0, 0, 10]
    assert [sheet.total for sheet in game.scores()[:2]] == [8, 8]
    assert places(game) == [2, 1, 3]


@clause("C-37")
def test_still_tied_the_victory_is_shared() -> None:
    game = table(tracks={0: ["calgary-winnipeg-1"], 1: ["duluth-helena-1"]})
    assert places(game) == [1, 1]


@clause("C-38")
@pytest.mark.parametrize("name", FOUR)
def test_every_score_starts_at_0(name: str) -> None:
    game = Game.new(name, 5, seed=1)
    assert [player.score for player in game.view(None).players] == [0] * 5


@clause("C-38")
def test_the_running_score_holds_tracks_and_nothing_else() -> None:
    game = table(tickets=[["denver-el_paso"]], tracks={0: ["denver-santa_fe-1"]}, hands=["red red"])
    play(game, "claim el_paso-santa_fe-1 red")
    assert sheet(game).total == 4 + 4 + 10  # tracks, the ticket and the longest path, if the game ended now
    assert game.view(None).players[0].score == 4


@clause("C-38")
@pytest.mark.parametrize("reader", [0, 1, None])
def test_the_running_score_is_public(reader: int | None) -> None:
    game = table(tracks={0: ["calgary-winnipeg-1"], 1: ["chicago-toronto-1"]})
    assert [player.score for player in game.view(reader).players] == [15, 7]


@clause("C-38")
def test_a_final_score_may_be_below_0() -> None:
    assert sheet(table(tickets=[["los_angeles-miami"]])).total == -20


@clause("C-38")
def test_train_cards_left_in_hand_are_worth_nothing() -> None:
    assert [sheet.total for sheet in table(hands=["loco loco loco red red red", "blue"]).scores()] == [0, 0]


@clause("C-39")
def test_a_tie_break_is_applied_only_among_the_players_still_level() -> None:
    # seat 2 has fewer points and more tickets than the two who are level: that lifts nobody
    game = table(
        players=3,
        tickets=[[], [], ["denver-el_paso"]],
        tracks={0: ["calgary-winnipeg-1"], 1: ["duluth-helena-1"], 2: ["denver-santa_fe-1", "el_paso-santa_fe-1"]},
    )
    assert [sheet.total for sheet in game.scores()] == [25, 25, 8]
    assert places(game)[:2] == [1, 1]
    assert places(game)[2] > 1


def four_at_the_table() -> Game:
    """Three players with 18 points: two tickets and a path of 5, one and 6, one and 7; a fourth far behind."""
    return table(
        players=4,
        tickets=[["new_york-atlanta"], ["calgary-salt_lake_city"], ["denver-el_paso", "kansas_city-houston"], HOPELESS],
        tracks={
            0: [
                "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1",
                "duluth-sault_st_marie-1", "boston-montreal-1",
            ],
            1: ["calgary-helena-1", "helena-salt_lake_city-1"],
            2: [
                "denver-santa_fe-1", "el_paso-santa_fe-1",
                "kansas_city-oklahoma_city-1", "dallas-oklahoma_city-1", "dallas-houston-1",
            ],
            3: LONGEST,
        },
    )  # fmt: skip


@clause("C-39")
def test_the_path_is_compared_only_where_the_tickets_are_level() -> None:
    game = four_at_the_table()
    assert [(s.total, s.completed, s.longest_path) for s in game.scores()][:3] == [(18, 1, 6), (18, 1, 7), (18, 2, 5)]
    assert places(game) == [3, 2, 1, 4]


@clause("C-39")
def test_the_same_order_decides_every_place_not_only_the_first() -> None:
    game = table(
        players=3,
        tickets=[[], [], ["denver-el_paso"]],
        tracks={
            0: LONGEST,
            1: ["atlanta-new_orleans-1", "atlanta-nashville-1"],
            2: ["denver-santa_fe-1", "el_paso-santa_fe-1"],
        },
    )
    assert [sheet.total for sheet in game.scores()] == [40, 8, 8]
    assert places(game) == [1, 3, 2]  # level in points, and seat 2 has completed a ticket


@clause("C-39")
def test_players_level_to_the_end_share_the_place() -> None:
    game = table(players=3, tracks={0: ["atlanta-miami-1"], 1: ["helena-omaha-1"], 2: LONGEST})
    assert places(game) == [2, 2, 1]


# ================================================================ the end of a turn


@clause("C-40")
def test_played_cards_are_discarded_before_the_display_is_refilled() -> None:
    game = table(display="- blue green white black", hands=["red"], rest="last hand")
    events = play(game, "claim atlanta-nashville-1 red")
    assert kinds(events) == [TrackClaimed, DeckReshuffled, DisplayFilled, TurnBegan]
    assert display(game) == "red blue green white black"


@clause("C-40")
@pytest.mark.parametrize(
    ("deck", "answer", "discards"),
    [("blue blue blue", (), 2 + 3), ("red blue blue", ("locos 0",), 3 + 3), ("red blue blue", ("decline",), 3)],
)
def test_cards_played_and_turned_up_for_a_tunnel_are_discarded_before_the_display_is_refilled(
    deck: str, answer: tuple[str, ...], discards: int
) -> None:
    game = table(
        "europe", display="- blue green white black", deck=deck, hands=["red red red", "loco"], rest="last hand"
    )
    events = play(game, f"claim {TUNNEL} red", *answer)
    assert kinds(events)[-3:] == [DeckReshuffled, DisplayFilled, TurnBegan]
    assert DeckReshuffled(discards) in events


@clause("C-40")
def test_face_up_terrain_is_refilled_before_the_next_turn() -> None:
    game = table("africa", terrain_display="- desert", terrain_deck="", terrain_discards="jungle")
    events = play(game, *BLIND)
    assert kinds(events)[-2:] == [TerrainFilled, TurnBegan]
    assert game.view(None).terrain_display == ("jungle", "desert")


@clause("C-40")
def test_the_display_is_refilled_after_the_last_turn_too() -> None:
    game = table(display="- red blue green white", hands=["yellow"], rest="last hand", trains=[2, 45])
    play(game, "draw 2", "draw 3")  # the last round begins
    play(game, "draw 4", "draw 5")
    events = play(game, "claim atlanta-nashville-1 yellow")
    assert kinds(events)[-2:] == [DisplayFilled, GameEnded]
    assert display(game) == "yellow - - - -"


@clause("C-40")
def test_the_display_is_refilled_and_swept_before_the_last_round_is_begun_and_the_next_seat_moves() -> None:
    game = table(display="loco loco - - red", hands=["loco green green"], rest="last hand", trains=[5, 45])
    game = with_reshuffles(game, "loco green green", "red green loco loco loco")
    told = kinds(play(game, "claim calgary-vancouver-1 green"))
    assert DisplaySwept in told
    assert told[-2:] == [LastRoundBegan, TurnBegan]


@clause("C-40")
def test_the_second_draft_comes_after_the_last_round_was_begun_and_before_the_next_turn() -> None:
    game = table("iberia", deck="second-draft red red", trains=[2, 35])
    told = kinds(play(game, *BLIND))
    assert told[-2:] == [LastRoundBegan, DraftBegan]
    keep_all_first_tickets(game)
    assert game.to_act == (1,)


@clause("C-40")
def test_after_the_last_turn_the_game_ends_and_nothing_else_is_done() -> None:
    game = table("iberia", deck="red red  red red  second-draft blue blue", trains=[2, 2])
    play(game, *BLIND * 2)
    told = kinds(play(game, *BLIND))
    assert told[-1] == GameEnded
    assert not {DraftBegan, LastRoundBegan, TurnBegan} & set(told)


@clause("C-40")
def test_cards_that_come_up_are_dealt_with_one_by_one() -> None:
    game = table(display="- - green white black", deck="red", hands=["yellow"], rest="last hand")
    events = play(game, "claim atlanta-nashville-1 yellow")
    assert events[1:] == [DisplayFilled(1, "red"), DeckReshuffled(1), DisplayFilled(2, "yellow"), TurnBegan(1)]


@clause("C-40")
def test_a_festival_card_is_laid_before_the_next_card_is_turned_up() -> None:
    game = table("iberia", display="red blue green white black", deck="festival:sevilla yellow")
    assert play(game, "draw 1") == [DrewCard(0, 1, "red"), FestivalLaid("sevilla"), DisplayFilled(1, "yellow")]


@clause("C-41")
@pytest.mark.parametrize("first", ["draw 1", "draw deck"])
def test_after_a_card_was_drawn_no_other_action_may_be_chosen(first: str) -> None:
    game = table(hands=["yellow yellow yellow"])
    play(game, first)
    for line in (f"claim {YELLOW_3} yellow", "tickets", "pass"):
        refused(game, line, "C-41")


@clause("C-41")
def test_nor_after_tickets_were_seen() -> None:
    game = table(hands=["yellow yellow yellow"])
    play(game, "tickets")
    for line in (f"claim {YELLOW_3} yellow", "draw 1", "draw deck", "tickets", "pass"):
        refused(game, line, "C-41")


@clause("C-41")
def test_nor_after_cards_were_turned_up_for_a_tunnel() -> None:
    game = table("europe", deck="red blue blue", hands=["red red red yellow"])
    play(game, f"claim {TUNNEL} red")
    for line in ("claim brest-dieppe-1 orange", "station paris yellow", "draw 1", "draw deck", "tickets", "pass"):
        refused(game, line, "C-41")


@clause("C-41")
def test_nor_after_a_draw_that_turned_up_festival_cards_only() -> None:
    game = table("iberia", deck="festival:sevilla", hands=["black black"], rest="last hand")
    play(game, "draw deck")
    assert game.to_act == (0,)
    refused(game, "claim gijon-leon-1 black", "C-41")
    refused(game, "pass", "C-41")


# ================================================================ maps


def changed(name: str, change: Callable[[dict[str, Any]], object]) -> str:
    """The text of a fan map with something changed in it."""
    data = json.loads((MAPS / f"{name}.json").read_text(encoding="utf-8"))
    change(data)
    return json.dumps(data)


@clause("C-42")
def test_the_tracks_of_a_double_route_may_differ_in_colour_not_in_length() -> None:
    assert check_map(changed("c_line", lambda m: m["tracks"][10].update(colour="black")), "c_line.json") == []
    with pytest.raises(BadMap, match="C-42") as refusal:
        read_map(changed("c_line", lambda m: m["tracks"][10].update(length=3)), source="c_line.json")
    assert refusal.value.path == "tracks[10].length"


@clause("C-42")
def test_tracks_with_the_same_two_ends_are_parallel_whichever_end_is_named_first() -> None:
    with pytest.raises(BadMap, match="C-42") as refusal:
        read_map(changed("c_line", lambda m: m["tracks"][11].update(length=3)), source="c_line.json")
    assert refusal.value.path == "tracks[11].length"


@clause("C-42")
def test_three_parallel_tracks_are_one_route_of_which_2_players_may_claim_one_track() -> None:
    game = table(LINE, tracks={1: ["halt_1-ferry_hill-2"]}, hands=["blue blue"])
    refused(game, "claim halt_1-ferry_hill-1 blue", "C-27")
    refused(game, "claim ferry_hill-halt_1-3 blue", "C-27")


@clause("C-42")
def test_three_parallel_tracks_may_belong_to_three_of_4_players_and_no_two_to_one() -> None:
    game = table(LINE, 4, hands=["blue blue red red", "green green", "white white"])
    play(game, "claim halt_1-ferry_hill-1 blue", "claim halt_1-ferry_hill-2 green")
    assert game.to_act == (2,)
    free = game.copy()
    play(free, "claim ferry_hill-halt_1-3 white")
    assert free.view(None).owners["ferry_hill-halt_1-3"] == 2
    play(game, *BLIND * 2)
    refused(game, "claim ferry_hill-halt_1-3 red", "C-26")


@clause("C-42")
def test_the_tickets_must_suffice_for_the_first_deal_with_most_players() -> None:
    assert len(LINE.tickets) == 5  # one each for five players
    with pytest.raises(BadMap, match=r"5 players need 5 normal tickets, there are 4 \(C-42\)"):
        read_map(changed("c_line", lambda m: m["tickets"].pop()), source="c_line.json")


@clause("C-42")
def test_or_for_the_first_draft() -> None:
    def drafted(cards: int) -> str:
        draft = {"cards": cards, "keep_exactly": 1}
        return changed("c_line", lambda m: m["rules"].update(first_tickets={"draft": draft}))

    assert check_map(drafted(1), "c_line.json") == []
    with pytest.raises(BadMap, match=r"5 players need 10 tickets, there are 5 \(C-42\)"):
        read_map(drafted(2), source="c_line.json")


@clause("C-42")
def test_tunnels_are_not_joined_with_festivals_or_terrain() -> None:
    with pytest.raises(BadMap, match="C-42"):
        read_map(changed("c_fair", lambda m: m["rules"].update(tunnels={})), source="c_fair.json")
    africa = json.loads(resources.files("branchline.maps").joinpath("africa.json").read_text(encoding="utf-8"))
    africa["rules"]["tunnels"] = {}
    with pytest.raises(BadMap, match="C-42"):
        read_map(json.dumps(africa), source="africa.json")
