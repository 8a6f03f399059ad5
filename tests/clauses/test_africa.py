"""The Heart of Africa: AFR-01 to AFR-23, clause by clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from branchline import Action, Deal, DoublePoints, Game, IllegalAction, KeepTickets, load_map, write_action
from branchline.events import DrewTerrain, TerrainPlayed, TerrainReshuffled, TrackClaimed
from branchline.maps.model import COLOURS, MAX_TICKETS, Track
from branchline.mechanics import composed as k
from tests.table import Cards, discarded, hand, table, train_cards

# A fan map of our own: tracks of 7, 8 and 9 spaces, and a dead end that two different cities reach.
PLATEAU = load_map(str(Path(__file__).parents[1] / "data" / "maps" / "a_plateau.json"))

CAPE = "cape_town-port_elizabeth-1"  # black, 3 spaces
MADAGASCAR_FERRY = "madagascar_2-durban-1"  # gray, 6 spaces, 2 locomotive symbols


def africa(players: int = 2, **things: Any) -> Game:
    """A table of this map."""
    return table("africa", players, **things)


def lines(game: Game) -> set[str]:
    """What the seat to act may choose, as lines of notation."""
    return {write_action(action) for action in game.legal_actions()}


def refused(game: Game, line: str | Action) -> str:
    """The clause by which an action is refused; a refusal changes nothing."""
    before = game.position
    with pytest.raises(IllegalAction) as refusal:
        game.play(line)
    assert game.position == before
    return refusal.value.clause


def terrain(game: Game, seat: int) -> dict[str, int]:
    """The terrain cards in front of a seat."""
    return game.view(None).player(seat).terrain


def score(game: Game, seat: int) -> int:
    return game.view(None).player(seat).score


def ticket_deck(game: Game) -> list[str]:
    """The ticket deck from the top."""
    s = game.position
    order = [s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] for i in range(s.ticket_n)]
    return [game.map.tickets[t].id for t in order]


def completed(game: Game, seat: int = 0) -> set[str]:
    """The tickets a seat has completed."""
    return {t.ticket for t in game.scores()[seat].tickets if t.completed}


def longest_path(game: Game, seat: int = 0) -> int:
    return game.scores()[seat].longest_path


# ---------------------------------------------------------------- AFR-01: what the map has and has not


@pytest.mark.clause("AFR-01")
def test_each_player_has_45_trains() -> None:
    game = Game.new("africa", players=5, seed=1)
    assert [player.trains for player in game.view(None).players] == [45] * 5


@pytest.mark.clause("AFR-01")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_one_claim_closes_a_double_route(players: int) -> None:
    game = africa(players, hands=["black black black"], tracks={1: [CAPE]})
    assert refused(game, "claim cape_town-port_elizabeth-2 black") == "C-27"


@pytest.mark.clause("AFR-01")
@pytest.mark.parametrize("players", [4, 5])
def test_with_four_or_five_players_a_double_route_is_for_two_different_players(players: int) -> None:
    game = africa(players, hands=["black black black"], tracks={1: [CAPE]})
    assert "claim cape_town-port_elizabeth-2 black" in lines(game)
    game = africa(players, hands=["black black black"], tracks={0: [CAPE]})
    assert refused(game, "claim cape_town-port_elizabeth-2 black") == "C-26"


@pytest.mark.clause("AFR-01")
def test_where_the_map_prints_locomotive_symbols_the_track_is_a_ferry() -> None:
    game = africa(hands=["red red red red red red loco"])
    assert refused(game, f"claim {MADAGASCAR_FERRY} red") == "EUR-11"
    assert "claim mocambique-madagascar_1-1 red" in lines(game)  # one symbol, one locomotive
    game = africa(hands=["red red red red loco loco"])
    game.play(f"claim {MADAGASCAR_FERRY} red")
    assert score(game, 0) == 15


@pytest.mark.clause("AFR-01")
def test_there_are_no_tunnels_and_no_stations() -> None:
    game = africa(hands=["black black black"])
    assert not any(track.tunnel for track in game.map.tracks)
    assert refused(game, "station cape_town black") == "EUR-04"
    assert {player.stations_left for player in game.view(None).players} == {0}
    assert game.scores()[0].stations == 0


@pytest.mark.clause("AFR-01")
def test_there_is_no_bonus_for_the_longest_path() -> None:
    game = africa(tracks={0: [CAPE]})
    sheet = game.scores()[0]
    assert (sheet.longest_path, sheet.longest_path_bonus, sheet.total) == (3, 0, 4)


# ---------------------------------------------------------------- AFR-02: tickets


@pytest.mark.clause("AFR-02")
def test_there_are_48_tickets_and_each_player_is_dealt_four() -> None:
    game = Game.new("africa", players=3, seed=1)
    assert len(game.map.tickets) == 48
    assert [len(game.view(seat).offered_tickets) for seat in range(3)] == [4, 4, 4]
    assert game.view(None).ticket_deck_size == 48 - 12


@pytest.mark.clause("AFR-02")
def test_at_least_two_of_the_first_four_tickets_are_kept() -> None:
    game = Game.new("africa", players=2, seed=1)
    offered = game.view(0).offered_tickets
    assert refused(game, KeepTickets(offered[:1])) == "AFR-02"
    assert refused(game, KeepTickets(())) == "AFR-02"
    sizes = Counter(len(a.tickets) for a in game.legal_actions(0) if isinstance(a, KeepTickets))
    assert sizes == {2: 6, 3: 4, 4: 1}


@pytest.mark.clause("AFR-02")
def test_first_tickets_not_kept_go_to_the_bottom_seat_by_seat_in_the_order_named() -> None:
    game = Game.new("africa", players=2, seed=3)
    first, second = game.view(0).offered_tickets, game.view(1).offered_tickets
    left = ticket_deck(game)
    game.play(f"keep {second[0]} {second[1]} {second[2]}", seat=1)
    game.play(f"keep {first[1]} {first[2]}", seat=0)
    game.play(f"return {first[3]}", seat=0)
    assert ticket_deck(game) == [*left, first[3], first[0], second[3]]
    assert set(game.view(0).me.tickets) == {first[1], first[2]}
    assert game.view(None).player(1).ticket_count == 3


@pytest.mark.clause("AFR-02")
def test_four_tickets_are_drawn_during_the_game() -> None:
    game = africa()
    top = ticket_deck(game)[:4]
    game.play("tickets")
    assert list(game.view(0).offered_tickets) == top


@pytest.mark.clause("AFR-02")
def test_at_least_one_drawn_ticket_is_kept_and_the_rest_goes_to_the_bottom_in_the_order_named() -> None:
    game = africa()
    a, b, c, d, *below = ticket_deck(game)
    game.play("tickets")
    assert refused(game, KeepTickets(())) == "AFR-02"
    game.play(f"keep {c}")
    game.play(f"return {d}")
    game.play(f"return {a}")
    assert game.view(0).me.tickets == (c,)
    assert ticket_deck(game) == [*below, d, a, b]
    assert game.to_act == (1,)


@pytest.mark.clause("AFR-02")
@pytest.mark.parametrize("left", [1, 2, 3])
def test_with_fewer_than_four_tickets_left_all_of_them_are_drawn(left: int) -> None:
    deck = [t.id for t in load_map("africa").tickets[:left]]
    game = africa(ticket_deck=deck)
    game.play("tickets")
    assert list(game.view(0).offered_tickets) == deck
    assert f"keep {deck[0]}" in lines(game)


# ---------------------------------------------------------------- AFR-03, AFR-04: terrain cards

LAND = {
    "yellow": "desert", "orange": "desert", "red": "desert",
    "purple": "jungle", "blue": "jungle", "green": "jungle",
    "white": "mountain", "gray": "mountain", "black": "mountain",
}  # fmt: skip
ONE_OR_TWO = {
    "yellow": "ngaoundere-junction_northwest-1",
    "orange": "windhoek-walvis_bay-1",
    "red": "port_nolloth-cape_town-1",
    "purple": "douala-libreville-2",
    "blue": "ujiji-elizabethville-1",
    "green": "bangui-bondo-1",
    "white": "bulawayo-pretoria-1",
    "gray": "junction_northeast-bogoro-1",
    "black": "salisbury-bulawayo-1",
}


@pytest.mark.clause("AFR-03")
def test_there_are_15_terrain_cards_of_each_type() -> None:
    s = Game.new("africa", players=2, seed=5).position
    cards = Counter(s.terrain_deck[: s.terrain_n] + s.terrain_up[:2])
    for seat in range(2):
        for kind in range(3):
            cards[kind] += s.terrain[seat * k.TERRAINS + kind]
    assert cards == {0: 15, 1: 15, 2: 15}


@pytest.mark.clause("AFR-03")
@pytest.mark.parametrize("colour", [*COLOURS, "gray"])
@pytest.mark.parametrize("type", ["desert", "jungle", "mountain"])
def test_each_colour_of_track_belongs_to_one_terrain(colour: str, type: str) -> None:
    paid = "red" if colour == "gray" else colour
    game = africa(hands=[[paid] * 2], terrain=[f"{type} {type}"])
    game.play(f"claim {ONE_OR_TWO[colour]} {paid}")
    assert (game.phase == "double") == (LAND[colour] == type)


@pytest.mark.clause("AFR-04")
def test_each_player_starts_with_one_terrain_card_and_two_are_turned_up() -> None:
    deal = Deal(terrain_deck=("desert", "jungle", "mountain", "mountain", "jungle", "desert"))
    view = Game.new("africa", players=3, deal=deal).view(None)
    assert [player.terrain for player in view.players] == [{"desert": 1}, {"jungle": 1}, {"mountain": 1}]
    assert view.terrain_display == ("mountain", "jungle")
    assert view.terrain_deck_size == 45 - 3 - 2
    assert view.terrain_discards == {}


@pytest.mark.clause("AFR-04")
def test_the_first_terrain_cards_are_random() -> None:
    dealt = {tuple(Game.new("africa", players=2, seed=n).view(None).player(0).terrain) for n in range(40)}
    assert dealt == {("desert",), ("jungle",), ("mountain",)}


# ---------------------------------------------------------------- AFR-05 .. AFR-08: drawing terrain cards


@pytest.mark.clause("AFR-05")
@pytest.mark.parametrize("first", ["draw 1", "draw deck", "terrain 1", "terrain deck"])
@pytest.mark.parametrize("second", ["draw 2", "draw deck", "terrain 2", "terrain deck"])
def test_two_train_cards_two_terrain_cards_or_one_of_each_in_either_order(first: str, second: str) -> None:
    game = africa()
    game.play(first)
    assert game.to_act == (0,)
    game.play(second)
    assert game.to_act == (1,)
    trains = first.startswith("draw") + second.startswith("draw")
    assert hand(game, 0).total() == trains
    assert sum(terrain(game, 0).values()) == 2 - trains


@pytest.mark.clause("AFR-05")
def test_terrain_comes_from_the_two_face_up_cards_or_from_the_deck() -> None:
    game = africa(terrain_display="desert jungle", terrain_deck="mountain mountain mountain")
    game.play("terrain 2")
    game.play("terrain deck")
    assert terrain(game, 0) == {"jungle": 1, "mountain": 1}
    assert refused(game, "terrain 3") == "AFR-07"


@pytest.mark.clause("AFR-06")
def test_a_display_locomotive_is_the_only_card_of_the_turn() -> None:
    game = africa(display="loco red blue green white")
    game.play("draw 1")
    assert game.to_act == (1,)
    assert sum(terrain(game, 0).values()) == 0


@pytest.mark.clause("AFR-06")
@pytest.mark.parametrize("first", ["terrain 1", "terrain deck", "draw 2"])
def test_a_display_locomotive_may_not_be_the_second_card(first: str) -> None:
    game = africa(display="loco red blue green white")
    game.play(first)
    assert refused(game, "draw 1") == "AFR-06"


@pytest.mark.clause("AFR-06")
def test_a_locomotive_drawn_blind_may_come_before_or_after_a_terrain_card() -> None:
    game = africa(deck="loco")
    game.play("draw deck")
    game.play("terrain 1")
    assert hand(game, 0) == {"loco": 1}
    game = africa(deck="loco")
    game.play("terrain 1")
    game.play("draw deck")
    assert hand(game, 0) == {"loco": 1}


@pytest.mark.clause("AFR-07")
def test_a_face_up_terrain_card_is_replaced_at_once() -> None:
    game = africa(terrain_display="desert jungle", terrain_deck="mountain jungle desert")
    game.play("terrain 1")
    assert game.view(0).terrain_display == ("mountain", "jungle")
    game.play("terrain 1")  # the card that has just come up may be the second
    assert terrain(game, 0) == {"desert": 1, "mountain": 1}


@pytest.mark.clause("AFR-07")
def test_terrain_discards_become_the_new_deck_only_when_a_card_is_needed() -> None:
    game = africa(terrain_display="desert jungle", terrain_deck="jungle", terrain_discards="mountain mountain")
    assert not any(isinstance(event, TerrainReshuffled) for event in game.play("terrain 1"))
    assert (game.view(0).terrain_deck_size, game.view(0).terrain_discards) == (0, {"mountain": 2})
    assert TerrainReshuffled(2) in game.play("terrain 2")
    assert (game.view(0).terrain_deck_size, game.view(0).terrain_discards) == (1, {})
    assert game.view(0).terrain_display == ("jungle", "mountain")


@pytest.mark.clause("AFR-07")
def test_what_was_discarded_after_the_deck_ran_out_is_shuffled_in_too() -> None:
    game = africa(hands=["black black black"], terrain=["mountain"], terrain_deck="", terrain_discards="desert")
    game.play(f"claim {CAPE} black")
    game.play("double 0")
    assert game.view(1).terrain_discards == {"desert": 1, "mountain": 1}
    game.play("terrain deck")
    assert game.view(1).terrain_deck_size == 1
    assert game.view(1).terrain_discards == {}


@pytest.mark.clause("AFR-07")
def test_with_terrain_deck_and_discards_empty_a_face_up_card_may_be_taken_and_is_not_replaced() -> None:
    game = africa(terrain_display="desert jungle", terrain_deck="")
    assert refused(game, "terrain deck") == "AFR-07"
    game.play("terrain 1")
    assert game.view(0).terrain_display == (None, "jungle")
    assert refused(game, "terrain 1") == "AFR-07"
    game.play("draw deck")
    assert game.view(0).terrain_display == (None, "jungle")


@pytest.mark.clause("AFR-07")
def test_empty_face_up_places_are_refilled_at_the_end_of_a_turn_after_which_that_is_possible() -> None:
    game = africa(hands=[["white"] * 4], terrain=["mountain mountain"], terrain_display="- -", terrain_deck="")
    game.play("claim beira-durban-1 white")
    assert game.view(0).terrain_display == (None, None)
    game.play("double 0")
    assert game.view(0).terrain_display == ("mountain", "mountain")
    assert game.view(0).terrain_discards == {}


@pytest.mark.clause("AFR-07")
def test_an_empty_place_stays_empty_while_the_discards_do_not_suffice() -> None:
    game = africa(hands=["black black black"], terrain=["mountain"], terrain_display="- -", terrain_deck="")
    game.play(f"claim {CAPE} black")
    game.play("double 0")
    assert game.view(0).terrain_display == ("mountain", None)


@pytest.mark.clause("AFR-08")
def test_terrain_cards_lie_open_before_their_players() -> None:
    game = africa(3, terrain=["desert desert", "jungle", "mountain mountain jungle"])
    for reader in (0, 1, 2, None):
        seen = [player.terrain for player in game.view(reader).players]
        assert seen == [{"desert": 2}, {"jungle": 1}, {"jungle": 1, "mountain": 2}]


@pytest.mark.clause("AFR-08")
def test_everybody_sees_which_terrain_card_came_from_the_deck() -> None:
    game = africa(terrain_deck="mountain jungle")
    events = game.play("terrain deck")
    for reader in (0, 1, None):
        assert events[0].seen_by(reader) == DrewTerrain(0, None, "mountain")


# ---------------------------------------------------------------- AFR-09, AFR-10: doubling


@pytest.mark.clause("AFR-09")
def test_a_terrain_card_of_the_tracks_type_doubles_its_points() -> None:
    game = africa(hands=["black black black"], terrain=["mountain desert"])
    game.play(f"claim {CAPE} black")
    assert lines(game) == {"single", "double 0"}
    events = game.play("double 0")
    assert score(game, 0) == 8
    assert terrain(game, 0) == {"desert": 1}
    assert game.view(None).doubled == {CAPE}
    assert TrackClaimed(0, CAPE, "black", 3, 0, points=8, twice=True) in events


@pytest.mark.clause("AFR-09")
def test_doubling_may_be_left() -> None:
    game = africa(hands=["black black black"], terrain=["mountain"])
    game.play(f"claim {CAPE} black")
    game.play("single")
    assert (score(game, 0), terrain(game, 0), game.view(None).doubled) == (4, {"mountain": 1}, frozenset())


@pytest.mark.clause("AFR-09")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_gray_track_belongs_to_mountain_whatever_colour_pays_for_it(colour: str) -> None:
    others = "desert desert jungle jungle"  # the type of the cards played does not count
    game = africa(hands=[[colour] * 3], terrain=[others])
    game.play(f"claim mocambique-beira-1 {colour}")
    assert score(game, 0) == 4  # claimed at once: there was nothing to double with
    game = africa(hands=[[colour] * 3], terrain=[f"{others} mountain"])
    game.play(f"claim mocambique-beira-1 {colour}")
    game.play("double 0")
    assert score(game, 0) == 8
    assert terrain(game, 0) == {"desert": 2, "jungle": 2}


@pytest.mark.clause("AFR-09")
def test_a_gray_track_paid_by_locomotives_alone_belongs_to_mountain() -> None:
    game = africa(hands=["loco loco loco"], terrain=["mountain"])
    game.play("claim mocambique-beira-1 loco")
    game.play("double 0")
    assert score(game, 0) == 8
    game = africa(hands=["loco loco loco"], terrain=["desert jungle"])
    game.play("claim mocambique-beira-1 loco")
    assert score(game, 0) == 4


@pytest.mark.clause("AFR-09")
def test_a_gray_ferry_belongs_to_mountain_too() -> None:
    game = africa(hands=["blue blue loco"], terrain=["jungle jungle mountain"])
    game.play("claim mocambique-madagascar_1-1 blue")
    game.play("double 0")
    assert score(game, 0) == 8
    assert terrain(game, 0) == {"jungle": 2}


@pytest.mark.clause("AFR-09")
def test_points_are_doubled_once_however_many_terrain_cards_there_are() -> None:
    game = africa(hands=["black black black"], terrain=["mountain mountain mountain"])
    game.play(f"claim {CAPE} black")
    game.play("double 0")
    assert (score(game, 0), terrain(game, 0)) == (8, {"mountain": 2})


@pytest.mark.clause("AFR-09")
def test_a_track_is_not_doubled_later_than_the_claim() -> None:
    game = africa(tracks={0: [CAPE]}, terrain=["mountain mountain"], hands=["loco loco"])
    assert refused(game, "double 0") == "AFR-09"
    assert refused(game, "single") == "AFR-09"


SPACES = {
    1: ("salisbury-bulawayo-1", "black"),
    2: ("bulawayo-pretoria-1", "white"),
    3: (CAPE, "black"),
    4: ("beira-durban-1", "white"),
    5: ("leopoldville-junction_lower_congo-1", "purple"),
    6: (MADAGASCAR_FERRY, "red"),
}


@pytest.mark.clause("AFR-10")
@pytest.mark.parametrize(("length", "due", "points"), [
    (1, 1, 2), (2, 1, 4), (3, 1, 8), (4, 2, 14), (5, 2, 20), (6, 2, 30),
])  # fmt: skip
def test_it_takes_one_terrain_card_up_to_three_spaces_and_two_up_to_six(length: int, due: int, points: int) -> None:
    track, colour = SPACES[length]
    type = "jungle" if length == 5 else "mountain"
    symbols = 2 if length == 6 else 0
    payment = [colour] * (length - symbols) + ["loco"] * symbols
    game = africa(hands=[payment], terrain=[[type] * 3])
    game.play(f"claim {track} {colour}")
    game.play("double 0")
    assert terrain(game, 0) == {type: 3 - due}
    assert score(game, 0) == points
    game = africa(hands=[payment], terrain=[[type] * (due - 1)])
    game.play(f"claim {track} {colour}")
    assert game.to_act == (1,)  # one card short: there was no question of doubling
    assert score(game, 0) == points // 2


@pytest.mark.clause("AFR-10")
@pytest.mark.parametrize(("track", "cards", "points"), [
    ("west-well-1", "white white white white white white white", 18),
    ("well-south-1", "red red red red red red red loco", 21),
    ("west-south-1", "black black black black black black black black black", 27),
])  # fmt: skip
def test_a_track_of_more_than_six_spaces_cannot_be_doubled(track: str, cards: str, points: int) -> None:
    game = table(PLATEAU, hands=[cards + " loco loco loco"], terrain=[["mountain"] * 9])
    game.play(f"claim {track} {cards.split()[0]}")
    game.play("locos 1" if "loco" in cards else "locos 0")
    assert game.to_act == (1,)
    assert score(game, 0) == points
    assert terrain(game, 0) == {"mountain": 9}


@pytest.mark.clause("AFR-10")
def test_a_fan_map_doubles_its_six_space_tracks() -> None:
    game = table(PLATEAU, hands=[["white"] * 6], terrain=["mountain mountain"])
    game.play("claim well-east-1 white")
    game.play("double 0")
    assert score(game, 0) == 30


# ---------------------------------------------------------------- AFR-11: as many as every other player


def doubling(mine: Cards = "", others: Sequence[Cards] = ("",), locos: int = 0, *, track: str = CAPE) -> Game:
    """Seat 0 has paid for a track with cards of its colour and is asked about doubling, if that is possible."""
    paid = next(t for t in load_map("africa").tracks if t.id == track)
    cards = [paid.colour] * paid.length + ["loco"] * locos
    game = africa(1 + len(others), hands=[cards], terrain=[mine, *others])
    game.play(f"claim {track} {paid.colour}")
    if game.phase == "pay":
        game.play("locos 0")
    return game


@pytest.mark.clause("AFR-11")
@pytest.mark.parametrize(("mine", "theirs", "allowed"), [
    (1, 0, True), (1, 1, True), (1, 2, False), (3, 3, True), (3, 4, False),
])  # fmt: skip
def test_a_player_needs_as_many_terrain_cards_as_the_other(mine: int, theirs: int, allowed: bool) -> None:
    game = doubling(["mountain"] * mine, (["mountain"] * theirs,))
    assert (game.phase == "double") == allowed


@pytest.mark.clause("AFR-11")
def test_every_other_player_is_compared_and_only_in_cards_of_that_type() -> None:
    game = doubling("mountain mountain", ("mountain", "desert desert desert", "mountain mountain"))
    assert lines(game) == {"single", "double 0"}
    game = doubling("mountain mountain", ("mountain", "desert desert desert", "mountain mountain mountain"))
    assert game.to_act == (1,)


@pytest.mark.clause("AFR-11")
def test_too_few_terrain_cards_are_refused_by_name() -> None:
    game = doubling("mountain", ("mountain mountain",), locos=1)
    assert refused(game, "double 0") == "AFR-11"
    assert lines(game) == {"single", "double 1"}


@pytest.mark.clause("AFR-11")
def test_the_comparison_is_made_before_anything_is_discarded() -> None:
    game = doubling("mountain mountain", ("mountain mountain",), track="beira-durban-1")
    game.play("double 0")  # two against two, though none are left afterwards
    assert (score(game, 0), terrain(game, 0)) == (14, {})


@pytest.mark.clause("AFR-11")
def test_other_players_locomotives_never_count() -> None:
    game = africa(hands=["black black black", ["loco"] * 10], terrain=["mountain", "mountain"])
    game.play(f"claim {CAPE} black")
    game.play("double 0")
    assert score(game, 0) == 8


@pytest.mark.clause("AFR-11")
def test_none_against_none_is_enough_if_what_is_due_can_be_paid() -> None:
    game = doubling("", ("", ""), locos=1)
    assert lines(game) == {"single", "double 1"}
    game = doubling("", ("", ""), locos=0)
    assert game.to_act == (1,)


# ---------------------------------------------------------------- AFR-12, AFR-13: locomotives as terrain


@pytest.mark.clause("AFR-12")
def test_the_example_of_the_rulebook() -> None:
    game = doubling("mountain", ("mountain mountain",), locos=1)
    game.play("double 1")
    assert score(game, 0) == 4 * 2
    assert hand(game, 0) == {}
    assert discarded(game) == {"black": 3, "loco": 1}
    assert terrain(game, 0) == {"mountain": 1}
    assert game.view(None).terrain_discards == {}


@pytest.mark.clause("AFR-12")
def test_a_locomotive_pays_part_of_what_is_due_and_a_terrain_card_the_rest() -> None:
    game = doubling("mountain", locos=1, track="beira-durban-1")
    assert lines(game) == {"single", "double 1"}
    events = game.play("double 1")
    assert TerrainPlayed(0, "mountain", cards=1, locos=1) in events
    assert (score(game, 0), terrain(game, 0)) == (14, {})


@pytest.mark.clause("AFR-12")
def test_a_locomotive_stands_in_for_any_type() -> None:
    for colour, track in ONE_OR_TWO.items():
        if colour != "gray":
            game = doubling("", locos=1, track=track)
            assert lines(game) == {"single", "double 1"}, colour


@pytest.mark.clause("AFR-12")
def test_a_locomotive_that_pays_for_the_track_is_no_terrain_card() -> None:
    game = africa(hands=["black black loco"])
    game.play(f"claim {CAPE} black")
    assert score(game, 0) == 4  # nothing was left to double with
    game = africa(hands=["black black loco loco"])
    game.play(f"claim {CAPE} black")
    game.play("locos 1")
    assert lines(game) == {"single", "double 1"}
    game = africa(hands=["black black loco loco"])
    game.play(f"claim {CAPE} black")
    game.play("locos 2")
    assert score(game, 0) == 4


@pytest.mark.clause("AFR-12")
def test_a_ferrys_locomotives_are_no_terrain_cards() -> None:
    game = africa(hands=["red red loco"])
    game.play("claim mocambique-madagascar_1-1 red")
    assert (game.to_act, score(game, 0)) == ((1,), 4)


@pytest.mark.clause("AFR-12")
def test_more_locomotives_than_are_in_hand_are_refused() -> None:
    game = doubling("mountain", ("mountain mountain mountain",), locos=2)
    assert lines(game) == {"single", "double 2"}
    assert refused(game, "double 3") == "AFR-12"


@pytest.mark.clause("AFR-13")
def test_locomotives_may_be_played_with_terrain_cards_enough() -> None:
    game = doubling("mountain mountain", locos=1)
    assert lines(game) == {"single", "double 0", "double 1"}
    game.play("double 1")
    assert (score(game, 0), terrain(game, 0)) == (8, {"mountain": 2})
    assert discarded(game) == {"black": 3, "loco": 1}


@pytest.mark.clause("AFR-13")
def test_more_locomotives_than_are_due_may_be_played_to_reach_the_comparison() -> None:
    game = doubling("mountain", (["mountain"] * 4,), locos=5)
    assert lines(game) == {"single", "double 3"}  # one card is due, three are lacking
    game.play("double 3")
    assert score(game, 0) == 8
    assert hand(game, 0) == {"loco": 2}
    assert discarded(game) == {"black": 3, "loco": 3}  # all of them are gone
    assert terrain(game, 0) == {"mountain": 1}  # and cover what was due


@pytest.mark.clause("AFR-13")
@pytest.mark.parametrize(("mine", "theirs", "track", "offers"), [
    (0, 0, CAPE, {1}),
    (1, 0, CAPE, {0, 1}),
    (0, 1, CAPE, {1}),
    (5, 5, CAPE, {0, 1}),
    (0, 3, CAPE, {3}),
    (0, 0, "beira-durban-1", {2}),
    (1, 1, "beira-durban-1", {1, 2}),
    (2, 2, "beira-durban-1", {0, 1, 2}),
    (1, 2, "beira-durban-1", {1, 2}),
    (2, 3, "beira-durban-1", {1, 2}),
    (2, 5, "beira-durban-1", {3}),
])  # fmt: skip
def test_no_more_locomotives_than_are_due_or_lacking(mine: int, theirs: int, track: str, offers: set[int]) -> None:
    game = doubling(["mountain"] * mine, (["mountain"] * theirs,), locos=7, track=track)
    assert lines(game) == {"single"} | {f"double {n}" for n in offers}
    assert refused(game, DoublePoints(max(offers) + 1)) == "AFR-13"


@pytest.mark.clause("AFR-13")
@pytest.mark.parametrize(("locos", "left"), [(0, 0), (1, 1), (2, 2)])
def test_terrain_cards_are_discarded_only_as_far_as_locomotives_do_not_cover_what_is_due(locos: int, left: int) -> None:
    game = doubling("mountain mountain", locos=2, track="beira-durban-1")
    game.play(f"double {locos}")
    assert terrain(game, 0).get("mountain", 0) == left
    assert game.view(None).terrain_discards.get("mountain", 0) == 2 - left
    assert hand(game, 0).get("loco", 0) == 2 - locos


# ---------------------------------------------------------------- AFR-14 .. AFR-16: where the cards go


@pytest.mark.clause("AFR-14")
def test_terrain_cards_go_to_the_terrain_discards_and_locomotives_to_the_train_discards() -> None:
    game = doubling("mountain", locos=1, track="beira-durban-1")
    game.play("double 1")
    assert game.view(None).terrain_discards == {"mountain": 1}
    assert game.view(None).discards == {"white": 4, "loco": 1}
    assert train_cards(game).total() == 110


@pytest.mark.clause("AFR-14")
def test_the_new_terrain_deck_holds_no_locomotive() -> None:
    game = africa(hands=["white white white white loco"], terrain=["mountain"], terrain_deck="")
    game.play("claim beira-durban-1 white")
    game.play("locos 0")
    game.play("double 1")
    game.play("terrain deck")
    assert terrain(game, 1) == {"mountain": 1}
    assert game.view(None).terrain_deck_size == 0


@pytest.mark.clause("AFR-15")
@pytest.mark.parametrize("choice", ["double 0", "double 1", "double 2", "single"])
def test_doubling_takes_no_more_trains_than_the_track_has_spaces(choice: str) -> None:
    game = doubling("mountain mountain", locos=2, track="beira-durban-1")
    game.play(choice)
    assert game.view(None).player(0).trains == 45 - 4


@pytest.mark.clause("AFR-15")
def test_a_track_can_be_doubled_with_the_last_trains() -> None:
    game = africa(hands=["black black black"], terrain=["mountain"], trains=[3, 45])
    game.play(f"claim {CAPE} black")
    game.play("double 0")
    assert (game.view(None).player(0).trains, score(game, 0)) == (0, 8)


@pytest.mark.clause("AFR-15")
def test_doubling_does_not_lengthen_the_path_or_the_ticket() -> None:
    doubled = africa(tracks={0: [CAPE]}, doubled=[CAPE], tickets=["cape_town-durban"])
    single = africa(tracks={0: [CAPE]}, tickets=["cape_town-durban"])
    assert longest_path(doubled) == longest_path(single) == 3
    assert doubled.scores()[0].ticket_points == single.scores()[0].ticket_points == -6
    assert (doubled.scores()[0].tracks, single.scores()[0].tracks) == (8, 4)


@pytest.mark.clause("AFR-16")
def test_terrain_cards_left_at_the_end_are_worth_nothing() -> None:
    rich = africa(terrain=["desert desert jungle mountain mountain", ""])
    poor = africa(terrain=["", ""])
    assert rich.scores() == poor.scores()
    assert [sheet.total for sheet in rich.scores()] == [0, 0]
    assert [sheet.place for sheet in rich.scores()] == [1, 1]


# ---------------------------------------------------------------- AFR-17, AFR-18, AFR-22: places

TO_DURBAN = ["port_elizabeth-east_london-1", "east_london-durban-1"]


@pytest.mark.clause("AFR-17")
def test_a_ticket_to_madagascar_is_completed_by_the_northern_place() -> None:
    north = ["mocambique-madagascar_1-1", "zomba-mocambique-1", "livingstonia-zomba-1"]
    ujiji = ["elizabethville-livingstonia-1", "ujiji-elizabethville-1"]
    game = africa(tracks={0: north + ujiji}, tickets=["madagascar-ujiji"])
    assert completed(game) == {"madagascar-ujiji"}


@pytest.mark.clause("AFR-17")
def test_a_ticket_to_madagascar_is_completed_by_the_southern_place() -> None:
    game = africa(tracks={0: [CAPE, *TO_DURBAN, MADAGASCAR_FERRY]}, tickets=["cape_town-madagascar"])
    assert completed(game) == {"cape_town-madagascar"}
    game = africa(tracks={0: [CAPE, *TO_DURBAN]}, tickets=["cape_town-madagascar"])
    assert completed(game) == set()


@pytest.mark.clause("AFR-17")
def test_the_two_places_of_madagascar_are_joined_only_by_a_track_between_them() -> None:
    coast = ["dar_es_salaam-mocambique-1", "mocambique-madagascar_1-1", MADAGASCAR_FERRY, "east_london-durban-1"]
    ticket = "dar_es_salaam-east_london"
    assert completed(africa(tracks={0: coast}, tickets=[ticket])) == set()
    joined = africa(tracks={0: [*coast, "madagascar_1-madagascar_2-1"]}, tickets=[ticket])
    assert completed(joined) == {ticket}  # the chain passes through both


@pytest.mark.clause("AFR-17")
def test_the_longest_path_passes_madagascar_by_the_track_alone() -> None:
    apart = ["mocambique-madagascar_1-1", MADAGASCAR_FERRY]
    assert longest_path(africa(tracks={0: apart})) == 6
    assert longest_path(africa(tracks={0: [*apart, "madagascar_1-madagascar_2-1"]})) == 3 + 4 + 6


LINE = ["douala-libreville-1", "ngaoundere-douala-1", "ngaoundere-junction_northwest-1",
        "junction_northwest-fachoda-1", "fachoda-addis_ababa-1"]  # fmt: skip
THROUGH = {  # a country's tracks in the place of one track of the line
    "nigeria": ("ngaoundere-douala-1", ["douala-nigeria_1-1", "ngaoundere-nigeria_2-1"]),
    "chad": ("ngaoundere-junction_northwest-1", ["ngaoundere-chad_1-1", "junction_northwest-chad_2-1"]),
    "sudan": ("fachoda-addis_ababa-1", ["fachoda-sudan_1-1", "addis_ababa-sudan_2-1"]),
}


@pytest.mark.clause("AFR-18")
@pytest.mark.parametrize("country", THROUGH)
def test_tracks_to_a_country_are_not_joined_through_it(country: str) -> None:
    ticket = "addis_ababa-libreville"
    gap, tracks = THROUGH[country]
    through = [*(track for track in LINE if track != gap), *tracks]
    assert completed(africa(tracks={0: through}, tickets=[ticket])) == set()
    assert completed(africa(tracks={0: LINE}, tickets=[ticket])) == {ticket}


@pytest.mark.clause("AFR-18")
@pytest.mark.parametrize(("ticket", "ways"), [
    ("bangui-nigeria", [["ngaoundere-bangui-1", "ngaoundere-nigeria_2-2"], ["douala-bangui-1", "douala-nigeria_1-2"]]),
    ("chad-libreville", [
        ["libreville-bangui-1", "ngaoundere-bangui-1", "ngaoundere-chad_1-1"],
        ["libreville-bangui-1", "bangui-junction_northwest-1", "junction_northwest-chad_2-1"],
    ]),
    ("douala-sudan", [
        ["ngaoundere-douala-1", "ngaoundere-junction_northwest-1", "junction_northwest-fachoda-1", "fachoda-sudan_1-1"],
        [*LINE[1:], "addis_ababa-sudan_2-2"],
    ]),
])  # fmt: skip
def test_a_ticket_to_a_country_is_completed_by_any_track_to_it(ticket: str, ways: list[list[str]]) -> None:
    for way in ways:
        assert completed(africa(tracks={0: way}, tickets=[ticket])) == {ticket}
        assert completed(africa(tracks={0: way[:-1]}, tickets=[ticket])) == set()


@pytest.mark.clause("AFR-18")
def test_a_country_that_two_cities_reach_at_one_point_is_a_dead_end_too() -> None:
    over_the_border = ["west-border-1", "border-east-1"]
    tickets = "west-east west-borderland east-borderland"
    game = table(PLATEAU, tracks={0: over_the_border}, tickets=[tickets])
    assert completed(game) == {"west-borderland", "east-borderland"}
    game = table(PLATEAU, tracks={0: ["west-well-1", "well-east-1"]}, tickets=[tickets])
    assert completed(game) == {"west-east"}


@pytest.mark.clause("AFR-18")
def test_a_longest_path_does_not_pass_a_dead_end() -> None:
    over_the_border = ["west-border-1", "border-east-1"]
    assert longest_path(table(PLATEAU, tracks={0: over_the_border})) == 3
    assert longest_path(table(PLATEAU, tracks={0: [*over_the_border, "west-well-1"]})) == 3 + 7


@pytest.mark.clause("AFR-18")
def test_a_longest_path_may_begin_and_end_in_a_dead_end() -> None:
    loop = ["west-border-1", "west-well-1", "well-east-1", "border-east-1"]
    assert longest_path(table(PLATEAU, tracks={0: loop})) == 3 + 7 + 6 + 3
    fork = ["fachoda-sudan_1-1", "fachoda-addis_ababa-1", "addis_ababa-sudan_2-1"]
    assert longest_path(africa(tracks={0: fork})) == 2 + 5 + 3


def longest_chain(tracks: Sequence[Track], at: str) -> int:
    """The longest chain of tracks from a place on, by trying all; nothing goes on from the Borderland."""
    best = 0
    for track in tracks:
        for here, there in ((track.a, track.b), (track.b, track.a)):
            if here == at:
                rest = [other for other in tracks if other is not track]
                best = max(best, track.length + (0 if there == "border" else longest_chain(rest, there)))
    return best


@pytest.mark.clause("AFR-18")
def test_the_longest_path_of_any_tracks_stops_at_a_dead_end() -> None:
    tracks = PLATEAU.tracks
    for n in range(1 << len(tracks)):
        owned = [track for i, track in enumerate(tracks) if n >> i & 1]
        longest = max(longest_chain(owned, place.id) for place in PLATEAU.places)
        assert longest_path(table(PLATEAU, tracks={0: [track.id for track in owned]})) == longest


@pytest.mark.clause("AFR-22")
def test_a_track_to_a_way_station_is_claimed_like_any_other() -> None:
    game = africa(hands=["white red"])
    game.play("claim junction_coast-livingstonia-1 white")
    assert game.view(None).owners == {"junction_coast-livingstonia-1": 0}
    game = africa(hands=["red"])
    game.play("claim port_florence-junction_east-1 red")
    assert game.view(None).player(0).score == 1


@pytest.mark.clause("AFR-22")
def test_tracks_join_at_a_way_station() -> None:
    way = ["junction_coast-livingstonia-1", "mombasa-junction_coast-1", "port_florence-mombasa-1"]
    game = africa(tracks={0: way}, tickets=["livingstonia-port_florence"])
    assert completed(game) == {"livingstonia-port_florence"}
    assert longest_path(game) == 1 + 2 + 2


@pytest.mark.clause("AFR-22")
def test_no_ticket_names_a_way_station() -> None:
    data = load_map("africa")
    stations = {place.id for place in data.places if place.kind == "way_station"}
    assert len(stations) == 10
    assert not any(stations & {*ticket.a, *ticket.b} for ticket in data.tickets)


# ---------------------------------------------------------------- AFR-19, AFR-20: bonus and ties

SHORT = ["pretoria-bloemfontein-1", "bulawayo-pretoria-1"]  # completes bloemfontein-bulawayo, worth 4
COAST = [CAPE, *TO_DURBAN]  # completes cape_town-durban, worth 6


@pytest.mark.clause("AFR-19")
def test_the_player_with_the_most_completed_tickets_gets_ten_points() -> None:
    tickets = ["bloemfontein-bulawayo port_elizabeth-port_nolloth", "cape_town-durban", ""]
    cape = ["port_nolloth-cape_town-1", "bloemfontein-port_elizabeth-1", "bloemfontein-cape_town-1"]
    game = africa(3, tracks={0: SHORT + cape, 1: COAST}, tickets=tickets)
    assert [sheet.completed for sheet in game.scores()] == [2, 1, 0]
    assert [sheet.globetrotter_bonus for sheet in game.scores()] == [10, 0, 0]
    sheet = game.scores()[0]
    assert sheet.total == sheet.tracks + 4 + 5 + 10


@pytest.mark.clause("AFR-19")
def test_the_number_of_completed_tickets_counts_and_not_their_value_or_those_that_failed() -> None:
    tickets = ["bloemfontein-bulawayo douala-madagascar bondo-port_elizabeth", "cape_town-durban"]
    game = africa(tracks={0: SHORT, 1: COAST}, tickets=tickets)
    assert [sheet.globetrotter_bonus for sheet in game.scores()] == [10, 10]
    assert game.scores()[0].total == 2 + 2 + 4 - 22 - 18 + 10


@pytest.mark.clause("AFR-19")
def test_all_who_tie_get_the_bonus() -> None:
    tickets = ["bloemfontein-bulawayo", "cape_town-durban", "douala-madagascar"]
    game = africa(3, tracks={0: SHORT, 1: COAST}, tickets=tickets)
    assert [sheet.globetrotter_bonus for sheet in game.scores()] == [10, 10, 0]
    assert [sheet.total for sheet in game.scores()] == [4 + 4 + 10, 9 + 6 + 10, -22]


@pytest.mark.clause("AFR-19")
def test_nobody_gets_the_bonus_with_none_completed() -> None:
    game = africa(tickets=["bloemfontein-bulawayo", "cape_town-durban"])
    assert [sheet.globetrotter_bonus for sheet in game.scores()] == [0, 0]
    assert [sheet.total for sheet in game.scores()] == [-4, -6]


def places(game: Game) -> list[int]:
    return [sheet.place for sheet in game.scores()]


@pytest.mark.clause("AFR-20")
def test_level_players_are_parted_by_completed_tickets_before_the_path() -> None:
    six = ["madagascar_2-durban-1", "bulawayo-durban-1"]  # 15 and 4
    game = africa(tracks={0: [*SHORT, "salisbury-bulawayo-1"], 1: six}, tickets=["bloemfontein-bulawayo"])
    first, second = game.scores()
    assert first.total == second.total == 2 + 2 + 1 + 4 + 10
    assert first.longest_path < second.longest_path
    assert places(game) == [1, 2]


@pytest.mark.clause("AFR-20")
def test_players_level_in_points_and_tickets_are_parted_by_the_length_of_the_path() -> None:
    apart = ["bulawayo-pretoria-1", "zomba-salisbury-1"]
    game = africa(3, tracks={0: apart, 1: [CAPE], 2: SHORT[:1]})
    assert [sheet.total for sheet in game.scores()] == [4, 4, 2]
    assert [sheet.longest_path for sheet in game.scores()] == [2, 3, 2]
    assert places(game) == [2, 1, 3]


@pytest.mark.clause("AFR-20")
def test_the_path_earns_no_points() -> None:
    game = africa(tracks={0: SHORT, 1: [CAPE]})
    assert [sheet.longest_path for sheet in game.scores()] == [4, 3]
    assert [sheet.total for sheet in game.scores()] == [4, 4]
    assert places(game) == [1, 2]


@pytest.mark.clause("AFR-20")
def test_still_level_players_share_the_place() -> None:
    game = africa(3, tracks={0: [CAPE], 1: ["east_london-durban-1"], 2: ["salisbury-bulawayo-1"]})
    assert places(game) == [1, 1, 3]


# ---------------------------------------------------------------- AFR-21: when a card can be drawn

NO_TRAIN_CARDS: dict[str, Any] = {"display": "- - - - -", "rest": "last hand"}


@pytest.mark.clause("AFR-21")
@pytest.mark.parametrize(("shown", "deck", "discards"), [
    ("desert -", "", ""), ("- -", "desert", ""), ("- -", "", "desert"),
])  # fmt: skip
def test_a_terrain_card_alone_makes_the_action_available(shown: str, deck: str, discards: str) -> None:
    game = africa(**NO_TRAIN_CARDS, ticket_deck="", terrain_display=shown, terrain_deck=deck, terrain_discards=discards)
    assert lines(game) == {"terrain 1" if shown == "desert -" else "terrain deck"}
    assert refused(game, "pass") == "C-34"


@pytest.mark.clause("AFR-21")
def test_without_any_train_or_terrain_card_the_action_is_not_available() -> None:
    game = africa(**NO_TRAIN_CARDS, ticket_deck="", terrain_display="- -", terrain_deck="")
    assert lines(game) == {"pass"}


@pytest.mark.clause("AFR-21")
def test_the_second_draw_is_due_while_a_terrain_card_can_be_taken() -> None:
    game = africa(display="red - - - -", rest="last hand", terrain_display="desert jungle", terrain_deck="")
    game.play("draw 1")
    assert lines(game) == {"terrain 1", "terrain 2"}
    game.play("terrain 2")
    assert game.to_act == (1,)


@pytest.mark.clause("AFR-21")
def test_the_second_draw_is_due_while_an_allowed_train_card_can_be_taken() -> None:
    game = africa(display="loco red - - -", rest="last hand", terrain_display="desert -", terrain_deck="")
    game.play("terrain 1")
    assert lines(game) == {"draw 2"}


@pytest.mark.clause("AFR-21")
def test_the_action_ends_with_one_card_when_no_second_may_be_taken() -> None:
    game = africa(**NO_TRAIN_CARDS, terrain_display="desert -", terrain_deck="")
    game.play("terrain 1")
    assert game.to_act == (1,)
    game = africa(display="loco loco - - -", rest="last hand", terrain_display="- desert", terrain_deck="")
    game.play("terrain 2")  # only locomotives are left to take, and none may be the second card
    assert game.to_act == (1,)
    game = africa(display="red loco - - -", rest="last hand", terrain_display="- -", terrain_deck="")
    game.play("draw 1")
    assert game.to_act == (1,)


# ---------------------------------------------------------------- AFR-23: the second worked example


@pytest.mark.clause("AFR-23")
def test_a_six_space_ferry_doubled_by_locomotives_alone() -> None:
    game = africa(hands=[["red"] * 6 + ["loco"] * 4], terrain=["desert", "jungle"])
    game.play(f"claim {MADAGASCAR_FERRY} red")
    assert lines(game) == {"locos 2", "locos 3", "locos 4"}  # six red cards alone are not enough
    game.play("locos 2")
    assert lines(game) == {"single", "double 2"}
    game.play("double 2")
    assert score(game, 0) == 15 * 2
    assert game.view(None).player(0).trains == 45 - 6
    assert discarded(game) == {"red": 4, "loco": 4}
    assert hand(game, 0) == {"red": 2}
    assert terrain(game, 0) == {"desert": 1}


@pytest.mark.clause("AFR-23")
@pytest.mark.parametrize("locos", [3, 4])
def test_locomotives_played_for_the_ferry_are_missing_as_terrain(locos: int) -> None:
    game = africa(hands=["red red red red loco loco loco loco"])
    game.play(f"claim {MADAGASCAR_FERRY} red")
    game.play(f"locos {locos}")
    assert (score(game, 0), game.to_act) == (15, (1,))


@pytest.mark.clause("AFR-23")
def test_with_one_locomotive_less_the_ferry_is_claimed_single() -> None:
    game = africa(hands=["red red red red loco loco loco"])
    game.play(f"claim {MADAGASCAR_FERRY} red")
    game.play("locos 2")
    assert (score(game, 0), hand(game, 0)) == (15, {"loco": 1})
