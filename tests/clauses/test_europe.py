"""Europe: long tickets, stations, ferries, tunnels and its ties (EUR-01 .. EUR-23)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from branchline import Deal, Game, MapData, load_map
from branchline.events import DeckReshuffled, Event, TunnelCardsTurned
from branchline.scores import PlayerScore
from tests.table import Cards, Rest, count, discarded, hand, lines, refused, table, train_cards

MAPS = Path(__file__).parents[1] / "data" / "maps"
LONG = [
    "brest-petrograd",
    "cadiz-stockholm",
    "edinburgh-athina",
    "kobenhavn-erzurum",
    "lisboa-danzig",
    "palermo-moskva",
]


def owns(game: Game, seat: int, track: str) -> bool:
    return game.view(None).owners.get(track) == seat


def turned(events: tuple[Event, ...]) -> TunnelCardsTurned:
    """What was turned up for the tunnel."""
    return next(event for event in events if isinstance(event, TunnelCardsTurned))


# ---------------------------------------------------------------- tickets


@pytest.mark.clause("EUR-01")
def test_there_are_46_tickets_6_long_and_40_normal() -> None:
    tickets = load_map("europe").tickets
    assert sorted(t.id for t in tickets if t.long) == LONG
    assert len([t for t in tickets if not t.long]) == 40


@pytest.mark.clause("EUR-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_player_is_dealt_one_long_and_three_normal_tickets(players: int) -> None:
    game = Game.new("europe", players, seed=3)
    dealt = [game.view(seat).offered_tickets for seat in range(players)]
    assert all(len(tickets) == 4 and len(set(tickets) & set(LONG)) == 1 for tickets in dealt)
    assert len({ticket for tickets in dealt for ticket in tickets}) == 4 * players


@pytest.mark.clause("EUR-01")
def test_at_least_two_of_the_four_are_kept_of_any_kind() -> None:
    game = Game.new("europe", 2, seed=3)
    dealt = game.view(0).offered_tickets
    sets = [set(kept) for n in (2, 3, 4) for kept in combinations(dealt, n)]
    choices = [set(line.split()[1:]) for line in lines(game)]
    assert len(choices) == 11
    assert all(kept in choices for kept in sets)


@pytest.mark.clause("EUR-01")
@pytest.mark.parametrize("kept", ["brest-petrograd", "berlin-roma"])
def test_one_ticket_is_not_enough_be_it_long_or_normal(kept: str) -> None:
    deal = Deal(tickets=("berlin-roma", "paris-wien", "london-wien"), long_tickets=("brest-petrograd",))
    refused(Game.new("europe", 2, deal=deal), f"keep {kept}", "EUR-01")


def _all_tickets_drawn(game: Game) -> list[str]:
    """Draw the ticket deck empty, keeping everything; what came out of it."""
    drawn: list[str] = []
    while "tickets" in lines(game):
        seat = game.to_act[0]
        game.play("tickets")
        offered = game.view(seat).offered_tickets
        drawn += offered
        game.play("keep " + " ".join(offered))
    return drawn


MINE = ("berlin-roma", "paris-wien", "london-wien")
THEIRS = ("kyiv-sochi", "riga-bucuresti", "athina-angora")


def _first_tickets(kept: str) -> Game:
    """Seat 0 was dealt Brest–Petrograd and MINE, seat 1 Lisboa–Danzig and THEIRS."""
    deal = Deal(tickets=MINE + THEIRS, long_tickets=("brest-petrograd", "lisboa-danzig"))
    game = Game.new("europe", 2, deal=deal)
    game.play(f"keep {kept}", 0)
    game.play("keep kyiv-sochi lisboa-danzig", 1)
    return game


@pytest.mark.clause("EUR-02")
def test_first_tickets_not_kept_and_long_ones_not_dealt_never_come_back() -> None:
    game = _first_tickets("brest-petrograd berlin-roma")
    assert game.view(None).ticket_deck_size == 34
    normal = {t.id for t in load_map("europe").tickets if not t.long}
    assert sorted(_all_tickets_drawn(game)) == sorted(normal - {*MINE, *THEIRS})


@pytest.mark.clause("EUR-02")
def test_a_long_ticket_not_kept_does_not_go_into_the_deck() -> None:
    game = _first_tickets("berlin-roma paris-wien london-wien")
    assert game.view(0).me.tickets == ("berlin-roma", "london-wien", "paris-wien")
    assert "brest-petrograd" not in _all_tickets_drawn(game)


@pytest.mark.clause("EUR-02")
def test_nobody_sees_which_first_tickets_left_the_game() -> None:
    one, other = _first_tickets("brest-petrograd berlin-roma"), _first_tickets("paris-wien london-wien")
    assert one.view(0) != other.view(0)
    assert one.view(1) == other.view(1)
    assert one.view(None) == other.view(None)


@pytest.mark.clause("EUR-03")
def test_three_normal_tickets_are_drawn_one_is_kept_and_the_rest_go_to_the_bottom_as_named() -> None:
    deck = "berlin-roma paris-wien london-wien kyiv-sochi"
    game = table("europe", ticket_deck=deck)
    game.play("tickets")
    assert game.view(0).offered_tickets == ("berlin-roma", "paris-wien", "london-wien")
    game.play("keep paris-wien")
    game.play("return london-wien")
    assert game.to_act == (1,)
    assert _all_tickets_drawn(game) == ["kyiv-sochi", "london-wien", "berlin-roma"]


@pytest.mark.clause("EUR-03")
def test_no_ticket_at_all_may_not_be_kept_and_all_three_may() -> None:
    game = table("europe", ticket_deck="berlin-roma paris-wien london-wien kyiv-sochi")
    game.play("tickets")
    assert len(lines(game, "keep")) == 7
    refused(game, "keep kyiv-sochi", "C-28")


@pytest.mark.clause("EUR-03")
@pytest.mark.parametrize("seed", range(5))
def test_no_long_ticket_is_ever_drawn_during_the_game(seed: int) -> None:
    game = Game.new("europe", 5, seed=seed)
    for seat in range(5):
        game.play("keep " + " ".join(game.view(seat).offered_tickets), seat)
    drawn = _all_tickets_drawn(game)
    assert len(drawn) == 40 - 15
    assert not set(drawn) & set(LONG)


# ---------------------------------------------------------------- building stations


@pytest.mark.clause("EUR-04")
def test_each_player_begins_with_three_stations() -> None:
    game = Game.new("europe", 5, seed=1)
    assert [player.stations_left for player in game.view(None).players] == [3] * 5


@pytest.mark.clause("EUR-04")
def test_building_a_station_is_a_whole_turn() -> None:
    game = table("europe", hands=["red blue blue"])
    game.play("station paris red")
    view = game.view(None)
    assert view.player(0).stations == ("paris",)
    assert view.player(0).stations_left == 2
    assert game.to_act == (1,)
    assert game.phase == "turn"


@pytest.mark.clause("EUR-05")
def test_a_station_may_stand_in_any_city_with_or_without_tracks() -> None:
    mine, theirs = ["dieppe-paris-1"], ["edinburgh-london-1", "frankfurt-paris-1"]
    game = table("europe", hands=["red"], tracks={0: mine, 1: theirs})
    cities = {place.id for place in load_map("europe").places}
    assert {line.split()[1] for line in lines(game, "station")} == cities
    assert len(cities) == 47


@pytest.mark.clause("EUR-05")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_city_has_one_station_at_the_most_whoever_built_it(owner: int) -> None:
    game = table("europe", hands=["red red", "red"], stations={owner: ["paris"]})
    refused(game, "station paris red", "EUR-05")
    assert len(lines(game, "station")) == 46


@pytest.mark.clause("EUR-05")
def test_a_fourth_station_cannot_be_built() -> None:
    game = table("europe", hands=["red red red red loco loco loco loco"], stations={0: ["paris", "wien", "roma"]})
    assert game.view(None).player(0).station_price == 0
    assert lines(game, "station") == []
    refused(game, "station berlin red", "EUR-05")


@pytest.mark.clause("EUR-05")
def test_only_one_station_is_built_in_a_turn() -> None:
    game = table("europe", hands=["red red red", "blue"])
    game.play("station paris red")
    refused(game, "station wien red", "C-01", seat=0)


@pytest.mark.clause("EUR-06")
@pytest.mark.parametrize(
    ("built", "price"),
    [([], "red"), (["paris"], "red red"), (["paris", "wien"], "red red red")],
)
def test_the_first_station_costs_one_card_the_second_two_the_third_three(built: list[str], price: str) -> None:
    game = table("europe", hands=["red red red red"], stations={0: built})
    assert game.view(None).player(0).station_price == len(price.split())
    game.play("station roma red")
    assert game.view(0).me.stations[-1] == "roma"
    assert hand(game, 0) == count("red red red red") - count(price)
    assert discarded(game) == count(price)


@pytest.mark.clause("EUR-06")
@pytest.mark.parametrize(
    ("built", "cards"),
    [
        ([], ""),
        (["paris"], "red"),
        (["paris"], "red blue green"),
        (["paris", "wien"], "red red blue blue green"),
        (["paris", "wien"], "red blue loco"),
    ],
)
def test_too_few_cards_of_one_colour_build_no_station(built: list[str], cards: str) -> None:
    game = table("europe", hands=[cards], stations={0: built})
    assert lines(game, "station") == []
    refused(game, "station roma red", "EUR-06")


@pytest.mark.clause("EUR-06")
@pytest.mark.parametrize("locos", [0, 1, 2])
def test_locomotives_stand_in_for_cards_of_a_station(locos: int) -> None:
    game = table("europe", hands=["red red red loco loco loco"], stations={0: ["paris", "wien"]})
    game.play("station roma red")
    assert lines(game) == ["locos 0", "locos 1", "locos 2"]
    game.play(f"locos {locos}")
    assert discarded(game) == Counter({"red": 3 - locos}) + Counter({"loco": locos})
    assert sum(hand(game, 0).values()) == 3


@pytest.mark.clause("EUR-06")
@pytest.mark.parametrize(("built", "price"), [([], 1), (["paris"], 2), (["paris", "wien"], 3)])
def test_a_station_may_be_paid_by_locomotives_alone(built: list[str], price: int) -> None:
    game = table("europe", hands=["red red red loco loco loco"], stations={0: built})
    game.play("station roma loco")
    assert game.view(0).me.stations[-1] == "roma"
    assert discarded(game) == Counter({"loco": price})


# ---------------------------------------------------------------- what stations lend


def sheet(
    map: str | MapData = "europe",
    players: int = 2,
    *,
    mine: str = "",
    theirs: str = "",
    stations: str = "",
    tickets: str = "",
) -> PlayerScore:
    """Seat 0's score sheet, with these tracks, stations and tickets; `theirs` are the tracks of seat 1."""
    tracks = {0: mine.split(), 1: theirs.split()}
    return table(map, players, tracks=tracks, stations={0: stations.split()}, tickets=[tickets]).scores()[0]


def lent(player: PlayerScore) -> list[str | None]:
    """The track each station lends, in the order of building."""
    return [loan.track for loan in player.loans]


def done(player: PlayerScore) -> set[str]:
    """The completed tickets."""
    return {ticket.ticket for ticket in player.tickets if ticket.completed}


TO_PARIS = "edinburgh-london-1 dieppe-paris-1"  # Edinburgh–Paris but for the ferry


@pytest.mark.clause("EUR-07")
@pytest.mark.parametrize("city", ["dieppe", "london"])
def test_a_station_lends_a_track_that_starts_or_ends_in_its_city(city: str) -> None:
    player = sheet(mine=TO_PARIS, theirs="dieppe-london-1", stations=city, tickets="edinburgh-paris")
    assert done(player) == {"edinburgh-paris"}
    assert player.ticket_points == 7


@pytest.mark.clause("EUR-07")
@pytest.mark.parametrize("stations", ["", "paris", "edinburgh", "paris edinburgh amsterdam"])
def test_a_station_elsewhere_does_not_lend_the_track(stations: str) -> None:
    player = sheet(mine=TO_PARIS, theirs="dieppe-london-1", stations=stations, tickets="edinburgh-paris")
    assert done(player) == set()
    assert player.ticket_points == -7


@pytest.mark.clause("EUR-07")
def test_a_track_that_nobody_claimed_is_not_lent() -> None:
    assert done(sheet(mine=TO_PARIS, stations="dieppe london", tickets="edinburgh-paris")) == set()


@pytest.mark.clause("EUR-07")
def test_one_station_lends_one_track_not_two() -> None:
    theirs = "dieppe-london-1 dieppe-paris-1"
    player = sheet(mine="edinburgh-london-1", theirs=theirs, stations="dieppe", tickets="edinburgh-paris")
    assert done(player) == set()


@pytest.mark.clause("EUR-07")
def test_a_chain_may_use_borrowed_tracks_one_after_the_other() -> None:
    theirs = "edinburgh-london-1 dieppe-london-1 dieppe-paris-1"
    player = sheet(theirs=theirs, stations="edinburgh dieppe paris", tickets="edinburgh-paris")
    assert done(player) == {"edinburgh-paris"}
    assert lent(player) == ["edinburgh-london-1", "dieppe-london-1", "dieppe-paris-1"]


@pytest.mark.clause("EUR-07")
def test_the_one_track_serves_all_tickets() -> None:
    mine = f"{TO_PARIS} bruxelles-dieppe-1 bruxelles-frankfurt-1 berlin-frankfurt-1"
    player = sheet(mine=mine, theirs="dieppe-london-1", stations="london", tickets="edinburgh-paris london-berlin")
    assert done(player) == {"edinburgh-paris", "london-berlin"}


@pytest.mark.clause("EUR-07")
def test_a_station_lends_the_same_track_for_all_tickets() -> None:
    theirs = "hub-south-1 hub-north-1"
    player = sheet(load_map(str(MAPS / "e_halts.json")), theirs=theirs, stations="hub", tickets="hub-south hub-north")
    assert done(player) == {"hub-north"}
    assert player.ticket_points == 10 - 9


@pytest.mark.clause("EUR-07")
def test_the_track_is_chosen_at_the_end_even_if_claimed_after_the_station_was_built() -> None:
    game = table("europe", hands=["red", "blue loco"], tracks={0: TO_PARIS.split()}, tickets=["edinburgh-paris"])
    game.play("station dieppe red")
    assert done(game.scores()[0]) == set()
    game.play("claim dieppe-london-1 blue")
    assert done(game.scores()[0]) == {"edinburgh-paris"}


@pytest.mark.clause("EUR-07")
def test_each_station_borrows_from_whomever_it_likes() -> None:
    tracks = {0: ["edinburgh-london-1"], 1: ["dieppe-london-1"], 2: ["dieppe-paris-1"]}
    game = table("europe", 3, tracks=tracks, stations={0: ["london", "paris"]}, tickets=["edinburgh-paris"])
    assert done(game.scores()[0]) == {"edinburgh-paris"}


@pytest.mark.clause("EUR-07")
def test_a_borrowed_track_brings_no_points_of_its_own_and_stays_with_its_owner() -> None:
    tracks = {0: TO_PARIS.split(), 1: ["dieppe-london-1"]}
    tickets = ["edinburgh-paris", ""]
    game = table("europe", tracks=tracks, stations={0: ["dieppe"]}, tickets=tickets)
    assert [player.tracks for player in game.scores()] == [7 + 1, 2]


@pytest.mark.clause("EUR-07")
def test_a_station_need_not_lend_any_track() -> None:
    player = sheet(theirs="dieppe-london-1", stations="dieppe roma")
    assert [loan.place for loan in player.loans] == ["dieppe", "roma"]
    assert lent(player) == [None, None]


# In the map of halts the tracks stand in the file in this order: hub-south-1, hub-east-1, hub-north-1, ...
# Its tickets from the hub: to the north 10, to the south 9, to the east 4, to the far end 5.


def halts(*, mine: str = "", theirs: str, stations: str, tickets: str) -> PlayerScore:
    return sheet(load_map(str(MAPS / "e_halts.json")), mine=mine, theirs=theirs, stations=stations, tickets=tickets)


@pytest.mark.clause("EUR-08")
def test_the_highest_ticket_total_comes_before_the_most_tickets() -> None:
    tickets = "hub-north hub-east hub-far"
    player = halts(mine="east-far-1", theirs="hub-east-1 hub-north-1", stations="hub", tickets=tickets)
    assert lent(player) == ["hub-north-1"]
    assert done(player) == {"hub-north"}
    assert player.ticket_points == 10 - 4 - 5


@pytest.mark.clause("EUR-08")
def test_of_equal_totals_the_most_completed_tickets_count() -> None:
    tickets = "hub-south hub-east hub-far"
    player = halts(mine="east-far-1", theirs="hub-south-1 hub-east-1", stations="hub", tickets=tickets)
    assert lent(player) == ["hub-east-1"]
    assert done(player) == {"hub-east", "hub-far"}
    assert player.ticket_points == 4 + 5 - 9


@pytest.mark.clause("EUR-08")
def test_the_most_completed_tickets_come_before_the_fewest_tracks() -> None:
    tickets = "hub-south hub-east hub-far"
    player = halts(theirs="hub-south-1 hub-east-1 east-far-1", stations="hub far", tickets=tickets)
    assert done(player) == {"hub-east", "hub-far"}
    assert lent(player) == ["hub-east-1", "east-far-1"]


@pytest.mark.clause("EUR-08")
def test_then_the_fewest_borrowed_tracks_count() -> None:
    theirs = "hub-south-1 south-north-1 hub-north-1"
    player = halts(theirs=theirs, stations="hub north", tickets="hub-north")
    assert lent(player) == ["hub-north-1", None]


@pytest.mark.clause("EUR-08")
def test_a_station_that_helps_no_ticket_lends_nothing() -> None:
    player = halts(theirs="hub-south-1 hub-north-1 east-far-1", stations="far hub", tickets="hub-north")
    assert lent(player) == [None, "hub-north-1"]


@pytest.mark.clause("EUR-08")
@pytest.mark.parametrize("stations", ["hub north", "north hub"])
def test_of_two_stations_that_could_lend_the_track_the_first_built_does(stations: str) -> None:
    player = halts(theirs="hub-north-1", stations=stations, tickets="hub-north")
    assert lent(player) == ["hub-north-1", None]


@pytest.mark.clause("EUR-08")
def test_an_earlier_station_s_later_track_comes_before_none() -> None:
    """North's track stands in the file after south's, but north was built first: it lends rather than none."""
    theirs = "hub-south-1 hub-north-1"
    mine = "south-north-1"
    assert lent(halts(mine=mine, theirs=theirs, stations="north south", tickets="hub-north")) == ["hub-north-1", None]
    assert lent(halts(mine=mine, theirs=theirs, stations="south north", tickets="hub-north")) == ["hub-south-1", None]


@pytest.mark.clause("EUR-08")
def test_of_tracks_that_are_equally_good_the_first_in_the_map_file_is_lent() -> None:
    player = halts(mine="south-far-1 east-far-1", theirs="hub-east-1 hub-south-1", stations="hub", tickets="hub-far")
    assert lent(player) == ["hub-south-1"]


@pytest.mark.clause("EUR-08")
@pytest.mark.parametrize(("north", "south"), [(1, 2), (2, 1)])
def test_of_a_double_route_the_first_track_in_the_map_file_is_lent_whoever_owns_it(north: int, south: int) -> None:
    tracks = {0: TO_PARIS.split(), north: ["dieppe-london-1"], south: ["dieppe-london-2"]}
    game = table("europe", 4, tracks=tracks, stations={0: ["london"]}, tickets=["edinburgh-paris"])
    assert lent(game.scores()[0]) == ["dieppe-london-1"]


@pytest.mark.clause("EUR-08")
@pytest.mark.parametrize(
    ("stations", "loans"),
    [
        ("paris wien", ["frankfurt-paris-1", "munchen-wien-1"]),
        ("wien paris", ["budapest-wien-1", "paris-zurich-1"]),
    ],
)
def test_the_station_built_first_has_its_first_track_before_the_next_has_its_own(
    stations: str, loans: list[str]
) -> None:
    """Paris–Wien by Frankfurt and München, or by Zürich and Budapest: two loans either way."""
    mine = "frankfurt-munchen-1 venezia-zurich-1 venezia-zagrab-1 budapest-zagrab-1"
    theirs = "frankfurt-paris-1 munchen-wien-1 paris-zurich-1 budapest-wien-1"
    player = sheet(mine=mine, theirs=theirs, stations=stations, tickets="paris-wien")
    assert done(player) == {"paris-wien"}
    assert lent(player) == loans


@pytest.mark.clause("EUR-08")
def test_all_tickets_are_weighed_together() -> None:
    """Each station alone would lend to the best single ticket; together they complete all three."""
    tickets = "hub-north hub-east hub-far"
    player = halts(theirs="hub-north-1 hub-east-1 east-far-1", stations="north east far", tickets=tickets)
    assert done(player) == {"hub-north", "hub-east", "hub-far"}
    assert lent(player) == ["hub-north-1", "hub-east-1", "east-far-1"]


@pytest.mark.clause("EUR-09")
def test_a_borrowed_track_does_not_lengthen_the_longest_path() -> None:
    theirs = ["dieppe-london-1", "berlin-danzig-1", "berlin-essen-1"]
    tracks = {0: TO_PARIS.split(), 1: theirs}
    game = table("europe", tracks=tracks, stations={0: ["dieppe"]}, tickets=["edinburgh-paris"])
    mine, other = game.scores()
    assert done(mine) == {"edinburgh-paris"}
    assert (mine.longest_path, other.longest_path) == (4, 6)
    assert (mine.longest_path_bonus, other.longest_path_bonus) == (0, 10)


@pytest.mark.clause("EUR-10")
@pytest.mark.parametrize(("stations", "points"), [("", 12), ("paris", 8), ("paris wien", 4), ("paris wien roma", 0)])
def test_each_station_not_built_is_worth_four_points(stations: str, points: int) -> None:
    player = sheet(stations=stations)
    assert player.stations == points
    assert player.total == points


@pytest.mark.clause("EUR-10")
def test_stations_count_at_the_end_and_not_in_the_running_score() -> None:
    game = table("europe", hands=["red"])
    assert [player.score for player in game.view(None).players] == [0, 0]


# ---------------------------------------------------------------- ferries


@pytest.mark.clause("EUR-11")
def test_all_ferries_of_europe_are_gray() -> None:
    ferries = [track for track in load_map("europe").tracks if track.ferry]
    assert {track.colour for track in ferries} == {"gray"}
    assert {track.ferry for track in ferries} == {1, 2}


@pytest.mark.clause("EUR-11")
@pytest.mark.parametrize(
    ("track", "cards"),
    [
        ("athina-smyrna-1", "red red red"),
        ("palermo-smyrna-1", "red red red red red red loco"),
        ("amsterdam-london-1", "red red loco"),
    ],
)
def test_a_ferry_is_not_claimed_without_its_locomotives(track: str, cards: str) -> None:
    game = table("europe", hands=[cards])
    assert lines(game, f"claim {track}") == []
    refused(game, f"claim {track} red", "EUR-11")


@pytest.mark.clause("EUR-11")
@pytest.mark.parametrize(
    ("track", "cards"),
    [
        ("athina-smyrna-1", "red loco"),
        ("essen-kobenhavn-1", "white white loco"),
        ("palermo-smyrna-1", "red red red red loco loco"),
    ],
)
def test_the_other_cards_of_a_ferry_are_of_any_one_colour(track: str, cards: str) -> None:
    game = table("europe", hands=[cards])
    game.play(f"claim {track} {cards.split()[0]}")
    assert owns(game, 0, track)
    assert discarded(game) == count(cards)


@pytest.mark.clause("EUR-11")
def test_two_colours_are_not_mixed_on_a_ferry() -> None:
    game = table("europe", hands=["red blue loco"])
    assert lines(game, "claim essen-kobenhavn-1") == []


@pytest.mark.clause("EUR-11")
def test_a_ferry_takes_more_locomotives_than_it_shows_but_not_fewer() -> None:
    game = table("europe", hands=["red red red red red red loco loco loco loco"])
    game.play("claim palermo-smyrna-1 red")
    assert lines(game) == ["locos 2", "locos 3", "locos 4"]
    refused(game, "locos 1", "EUR-11")
    game.play("locos 4")
    assert discarded(game) == count("red red loco loco loco loco")


@pytest.mark.clause("EUR-11")
def test_a_ferry_may_be_paid_by_locomotives_alone() -> None:
    game = table("europe", hands=["loco loco loco"])
    game.play("claim essen-kobenhavn-1 loco")
    assert owns(game, 0, "essen-kobenhavn-1")
    assert hand(game, 0) == count("")


@pytest.mark.clause("EUR-11")
def test_amsterdam_london_takes_two_locomotives_and_nothing_else() -> None:
    game = table("europe", hands=["red red blue loco loco"])
    assert lines(game, "claim amsterdam-london-1") == ["claim amsterdam-london-1 loco"]
    refused(game, "claim amsterdam-london-1 red", "EUR-11")
    game.play("claim amsterdam-london-1 loco")
    assert owns(game, 0, "amsterdam-london-1")
    assert discarded(game) == count("loco loco")


# ---------------------------------------------------------------- tunnels


def tunnel(cards: str, deck: str, *, discards: str = "", rest: bool = True, trains: int = 45) -> Game:
    """Seat 0 holds these cards and the deck begins with these; without the rest, it has no others."""
    hands: list[Cards] = [cards, ""]
    where: Rest = "deck" if rest else "last hand"
    return table("europe", hands=hands, deck=deck, discards=discards, rest=where, trains=[trains, 45])


@pytest.mark.clause("EUR-12")
def test_two_red_played_one_red_turned_up_one_more_red() -> None:
    game = tunnel("red red red", "blue red white")
    events = game.play("claim angora-constantinople-1 red")
    assert turned(events).cards == ("blue", "red", "white")
    assert turned(events).extra == 1
    assert lines(game) == ["decline", "locos 0"]
    game.play("locos 0")
    assert owns(game, 0, "angora-constantinople-1")
    assert hand(game, 0) == count("")
    assert game.view(None).player(0).score == 2


@pytest.mark.clause("EUR-12")
def test_two_green_played_one_locomotive_turned_up_one_more_green() -> None:
    game = tunnel("green green green", "blue loco white")
    assert turned(game.play("claim venezia-zurich-1 green")).extra == 1
    game.play("locos 0")
    assert owns(game, 0, "venezia-zurich-1")
    assert hand(game, 0) == count("")


@pytest.mark.clause("EUR-12")
@pytest.mark.parametrize(
    ("deck", "extra"),
    [
        ("blue white black", 0),
        ("red white black", 1),
        ("blue red loco", 2),
        ("red red black", 2),
        ("loco loco loco", 3),
        ("red loco red", 3),
        ("blue white black red", 0),  # the fourth card stays where it is
        ("blue white red loco", 1),
    ],
)
def test_each_card_of_the_colour_and_each_locomotive_of_the_three_costs_one(deck: str, extra: int) -> None:
    game = tunnel("red red red red red", deck)
    event = turned(game.play("claim angora-constantinople-1 red"))
    assert event.cards == tuple(deck.split()[:3])
    assert event.extra == extra


@pytest.mark.clause("EUR-12")
@pytest.mark.parametrize(("deck", "extra"), [("red blue blue", 1), ("blue white black", 0), ("loco blue blue", 1)])
def test_with_a_locomotive_in_the_set_the_colour_played_counts_all_the_same(deck: str, extra: int) -> None:
    game = tunnel("red loco", deck)
    assert turned(game.play("claim angora-constantinople-1 red")).extra == extra


@pytest.mark.clause("EUR-12")
@pytest.mark.parametrize(
    ("cards", "track"), [("red red", "angora-constantinople-1"), ("blue blue", "munchen-venezia-1")]
)
def test_the_set_for_the_length_is_played_before_the_cards_are_turned_up(cards: str, track: str) -> None:
    one_short = cards.split()[0]
    assert lines(tunnel(one_short, ""), f"claim {track}") == []
    assert lines(tunnel(cards, ""), f"claim {track}") == [f"claim {track} {one_short}"]


@pytest.mark.clause("EUR-12")
@pytest.mark.parametrize("locos", [0, 1, 2])
def test_how_many_of_the_extra_cards_are_locomotives_is_the_player_s_choice(locos: int) -> None:
    game = tunnel("red red red red red loco loco loco", "red red blue")
    game.play("claim angora-constantinople-1 red")
    game.play("locos 0")
    assert lines(game) == ["decline", "locos 0", "locos 1", "locos 2"]
    game.play(f"locos {locos}")
    assert owns(game, 0, "angora-constantinople-1")
    assert hand(game, 0) == Counter({"red": 3 - (2 - locos), "loco": 3 - locos})


@pytest.mark.clause("EUR-12")
def test_the_extra_cards_are_split_where_neither_kind_suffices() -> None:
    game = tunnel("red red red loco", "red red blue")
    game.play("claim angora-constantinople-1 red")
    game.play("locos 0")
    assert lines(game) == ["decline", "locos 1"]
    refused(game, "locos 0", "EUR-12")
    refused(game, "locos 2", "EUR-12")
    game.play("locos 1")
    assert owns(game, 0, "angora-constantinople-1")
    assert hand(game, 0) == count("")


@pytest.mark.clause("EUR-12")
def test_locomotives_laid_down_do_not_pay_the_extra_cards_again() -> None:
    game = tunnel("red red loco", "red blue white")
    game.play("claim angora-constantinople-1 red")
    game.play("locos 1")
    assert lines(game) == ["decline", "locos 0"]


@pytest.mark.clause("EUR-12")
def test_extra_cards_of_another_colour_are_no_use() -> None:
    game = tunnel("red red blue blue blue", "red white black")
    game.play("claim angora-constantinople-1 red")
    assert lines(game) == ["decline"]


@pytest.mark.clause("EUR-13")
def test_who_cannot_pay_takes_the_cards_back_and_the_turn_is_over() -> None:
    game = tunnel("red loco blue", "red white black")
    game.play("claim angora-constantinople-1 red")
    assert lines(game) == ["decline"]
    game.play("decline")
    view = game.view(None)
    assert hand(game, 0) == count("red loco blue")
    assert view.owners == {}
    assert (view.player(0).trains, view.player(0).score) == (45, 0)
    assert game.to_act == (1,)
    assert game.phase == "turn"


@pytest.mark.clause("EUR-13")
def test_who_could_pay_need_not() -> None:
    game = tunnel("red red red loco", "red white black")
    game.play("claim angora-constantinople-1 red")
    game.play("locos 0")
    game.play("decline")
    assert hand(game, 0) == count("red red red loco")
    assert not owns(game, 0, "angora-constantinople-1")
    assert game.to_act == (1,)


@pytest.mark.clause("EUR-14")
@pytest.mark.parametrize(
    ("cards", "deck", "answer", "played"),
    [
        ("red red red", "red white black", "locos 0", "red red red"),
        ("red red red", "red white black", "decline", ""),
        ("red red", "blue white black", "", "red red"),
    ],
    ids=["paid", "declined", "nothing due"],
)
def test_the_turned_up_cards_are_discarded_at_the_end_of_the_attempt(
    cards: str, deck: str, answer: str, played: str
) -> None:
    game = tunnel(cards, deck)
    game.play("claim angora-constantinople-1 red")
    if answer:
        assert discarded(game) == count("")
        game.play(answer)
    assert discarded(game) == count(deck) + count(played)
    assert game.view(None).tunnel_cards == ()
    assert sum(train_cards(game).values()) == 110


@pytest.mark.clause("EUR-15")
@pytest.mark.parametrize(("track", "colour"), [("angora-constantinople-1", "loco"), ("marseille-zurich-1", "purple")])
def test_two_locomotives_played_one_locomotive_turned_up_one_more_locomotive(track: str, colour: str) -> None:
    game = tunnel("loco loco loco", "blue loco purple")
    assert turned(game.play(f"claim {track} {colour}")).extra == 1
    assert lines(game) == ["decline", "locos 1"]
    game.play("locos 1")
    assert owns(game, 0, track)
    assert hand(game, 0) == count("")


@pytest.mark.clause("EUR-15")
def test_on_a_coloured_tunnel_by_locomotives_alone_the_track_s_colour_costs_nothing() -> None:
    game = tunnel("purple purple loco loco", "purple purple purple")
    game.play("claim marseille-zurich-1 purple")
    assert turned(game.play("locos 2")).extra == 0
    assert owns(game, 0, "marseille-zurich-1")
    assert hand(game, 0) == count("purple purple")


@pytest.mark.clause("EUR-15")
def test_on_a_gray_tunnel_by_locomotives_alone_only_locomotives_cost() -> None:
    game = tunnel("red red loco loco", "red blue red")
    assert turned(game.play("claim angora-constantinople-1 loco")).extra == 0
    assert hand(game, 0) == count("red red")


@pytest.mark.clause("EUR-15")
@pytest.mark.parametrize(("track", "colour"), [("angora-constantinople-1", "loco"), ("marseille-zurich-1", "purple")])
def test_the_extra_cards_of_locomotives_alone_must_be_locomotives(track: str, colour: str) -> None:
    game = tunnel("purple purple purple loco loco", "blue loco purple")
    game.play(f"claim {track} {colour}")
    if colour == "purple":
        game.play("locos 2")
    assert lines(game) == ["decline"]
    refused(game, "locos 0", "EUR-15")
    game.play("decline")
    assert hand(game, 0) == count("purple purple purple loco loco")


@pytest.mark.clause("EUR-16")
@pytest.mark.parametrize(("deck", "extra"), [("red", 1), ("red loco", 2), ("blue red", 1), ("blue white", 0)])
def test_with_fewer_than_three_cards_those_there_are_count(deck: str, extra: int) -> None:
    game = tunnel("red red red red", deck, rest=False)
    event = turned(game.play("claim angora-constantinople-1 red"))
    assert event.cards == tuple(deck.split())
    assert event.extra == extra


@pytest.mark.clause("EUR-16")
def test_with_no_card_to_turn_up_nothing_extra_is_due() -> None:
    game = tunnel("red red", "", rest=False)
    event = turned(game.play("claim angora-constantinople-1 red"))
    assert (event.cards, event.extra) == ((), 0)
    assert owns(game, 0, "angora-constantinople-1")


@pytest.mark.clause("EUR-16")
@pytest.mark.parametrize(("deck", "discards"), [("", "red red red"), ("red", "red red"), ("red red", "red")])
def test_the_discards_are_turned_up_when_the_deck_runs_out(deck: str, discards: str) -> None:
    game = tunnel("red red red red", deck, discards=discards, rest=False)
    events = game.play("claim angora-constantinople-1 red")
    assert turned(events).cards == ("red", "red", "red")
    assert DeckReshuffled(len(discards.split())) in events


@pytest.mark.clause("EUR-16")
def test_a_reshuffle_in_the_middle_leaves_out_what_was_laid_down_and_turned_up() -> None:
    """Two reds laid down and a black turned up: the new deck is the one blue discard, and there is no third card."""
    game = tunnel("red red", "black", discards="blue", rest=False)
    events = game.play("claim angora-constantinople-1 red")
    assert DeckReshuffled(1) in events
    assert turned(events).cards == ("black", "blue")
    assert turned(events).extra == 0


@pytest.mark.clause("EUR-16")
def test_what_was_laid_down_and_turned_up_is_not_among_the_discards_while_it_lasts() -> None:
    game = tunnel("red red red", "red", discards="loco blue", rest=False)
    game.play("claim angora-constantinople-1 red")
    assert game.phase == "tunnel"
    assert game.view(1).discards == {}
    assert game.view(1).deck_size == 0
    assert set(game.view(1).tunnel_cards) == {"red", "loco", "blue"}


@pytest.mark.clause("EUR-17")
def test_with_nothing_due_the_track_is_claimed_at_once() -> None:
    game = tunnel("red red red", "blue white black")
    game.play("claim angora-constantinople-1 red")
    assert owns(game, 0, "angora-constantinople-1")
    assert game.to_act == (1,)


@pytest.mark.clause("EUR-17")
@pytest.mark.parametrize(
    ("cards", "answers"),
    [("red red", ["decline"]), ("red red red", ["decline", "locos 0"])],
    ids=["cannot pay", "one way to pay"],
)
def test_with_something_due_the_player_is_asked_and_everybody_sees_the_cards(cards: str, answers: list[str]) -> None:
    game = tunnel(cards, "red white black")
    game.play("claim angora-constantinople-1 red")
    assert game.to_act == (0,)
    assert lines(game) == answers
    for reader in (0, 1, None):
        view = game.view(reader)
        assert view.tunnel_cards == ("red", "white", "black")
        assert view.tunnel_extra == 1
        assert view.pending_track == "angora-constantinople-1"


@pytest.mark.clause("EUR-18")
def test_a_player_who_cannot_draw_train_cards_may_build_a_station() -> None:
    """No track is free to a player with no trains, and there is nothing to draw."""
    game = table("europe", display="- - - - -", hands=["red", ""], rest="last hand", ticket_deck="", trains=[0, 45])
    assert len(lines(game, "station")) == 47
    assert len(lines(game)) == 47
    refused(game, "pass", "C-34")
    game.play("station paris red")
    assert game.view(None).player(0).stations == ("paris",)


@pytest.mark.clause("EUR-20")
def test_no_track_of_europe_has_length_5_or_7() -> None:
    assert {track.length for track in load_map("europe").tracks} == {1, 2, 3, 4, 6, 8}


@pytest.mark.clause("EUR-20")
def test_the_8_space_track_is_worth_21_points() -> None:
    eight = [track.id for track in load_map("europe").tracks if track.length == 8]
    assert eight == ["petrograd-stockholm-1"]
    game = tunnel("red " * 8, "blue white black")
    game.play("claim petrograd-stockholm-1 red")
    assert game.view(None).player(0).score == 21
    assert game.scores()[0].tracks == 21


@pytest.mark.clause("EUR-21")
def test_a_tunnel_takes_the_trains_of_its_spaces_and_none_for_extra_cards() -> None:
    game = tunnel("red red red red red", "red red blue", trains=10)
    game.play("claim erzurum-sochi-1 red")
    game.play("locos 0")
    assert owns(game, 0, "erzurum-sochi-1")
    assert game.view(None).player(0).trains == 7


@pytest.mark.clause("EUR-21")
def test_trains_for_the_spaces_alone_are_enough() -> None:
    game = tunnel("red red red red red red", "red red red", trains=3)
    game.play("claim erzurum-sochi-1 red")
    game.play("locos 0")
    assert owns(game, 0, "erzurum-sochi-1")
    assert game.view(None).player(0).trains == 0


@pytest.mark.clause("EUR-21")
def test_a_tunnel_longer_than_the_trains_left_is_not_attempted() -> None:
    refused(tunnel("red red red", "", trains=2), "claim erzurum-sochi-1 red", "C-23")


def _failed_at_pamplona() -> Game:
    """Seat 0 fails at the black tunnel Madrid–Pamplona; seat 1 holds the cards for the black and the white one."""
    hands = ["black black black", "black black black white white white"]
    game = table("europe", hands=hands, deck="black blue blue red red red red red red")
    game.play("claim madrid-pamplona-1 black")
    game.play("decline")
    return game


@pytest.mark.clause("EUR-22")
@pytest.mark.parametrize("line", ["claim madrid-pamplona-1 black", "claim madrid-pamplona-2 white"])
def test_a_failed_attempt_leaves_track_and_double_route_free_for_the_others(line: str) -> None:
    game = _failed_at_pamplona()
    game.play(line)
    assert owns(game, 1, line.split()[1])


@pytest.mark.clause("EUR-22")
def test_the_same_player_may_try_again_on_a_later_turn() -> None:
    game = _failed_at_pamplona()
    game.play("station paris white")
    game.play("claim madrid-pamplona-1 black")
    assert owns(game, 0, "madrid-pamplona-1")


# The fan map of the Channel: every track is a tunnel and a ferry. Dover–Calais is gray with 2 symbols of 2,
# Calais–Lille blue with 2 of 3, Lille–Rouen green with 2 of 2, Rouen–Dover gray with 1 of 4.


def channel(cards: str, deck: str) -> Game:
    return table(load_map(str(MAPS / "e_channel.json")), hands=[cards], deck=deck)


@pytest.mark.clause("EUR-23")
@pytest.mark.parametrize(
    ("track", "colour", "cards"),
    [
        ("rouen-dover-1", "red", "red red red red"),
        ("calais-lille-1", "blue", "blue blue blue loco"),
        ("dover-calais-1", "red", "red red loco"),
        ("lille-rouen-1", "green", "green green loco"),
    ],
)
def test_a_tunnel_that_is_a_ferry_needs_its_locomotives_in_the_set(track: str, colour: str, cards: str) -> None:
    refused(channel(cards, ""), f"claim {track} {colour}", "EUR-11")


@pytest.mark.clause("EUR-23")
@pytest.mark.parametrize(
    ("track", "colour", "cards"),
    [
        ("rouen-dover-1", "red", "red red red loco"),
        ("calais-lille-1", "blue", "blue loco loco"),
        ("dover-calais-1", "loco", "loco loco"),
        ("lille-rouen-1", "green", "loco loco"),
    ],
)
def test_the_ferry_s_locomotives_are_part_of_the_set_laid_down(track: str, colour: str, cards: str) -> None:
    game = channel(cards, "white white black")
    game.play(f"claim {track} {colour}")
    assert owns(game, 0, track)
    assert hand(game, 0) == count("")


@pytest.mark.clause("EUR-23")
@pytest.mark.parametrize(("extra", "left"), [("locos 0", "loco"), ("locos 1", "red")])
def test_the_extra_cards_of_a_ferry_tunnel_are_of_the_colour_or_locomotives(extra: str, left: str) -> None:
    game = channel("red red red red loco loco", "red white black")
    game.play("claim rouen-dover-1 red")
    assert turned(game.play("locos 1")).extra == 1
    game.play(extra)
    assert owns(game, 0, "rouen-dover-1")
    assert hand(game, 0) == count(left)


@pytest.mark.clause("EUR-23")
def test_a_blue_ferry_tunnel_pays_its_extra_cards_in_blue() -> None:
    game = channel("blue blue loco loco", "blue white black")
    assert turned(game.play("claim calais-lille-1 blue")).extra == 1
    assert lines(game) == ["decline", "locos 0"]


@pytest.mark.clause("EUR-23")
@pytest.mark.parametrize(
    ("track", "colour"), [("dover-calais-1", "loco"), ("lille-rouen-1", "green")], ids=["gray", "green"]
)
def test_a_ferry_tunnel_all_of_symbols_is_attempted_by_locomotives_alone(track: str, colour: str) -> None:
    game = channel("green green loco loco loco", "green green loco")
    assert turned(game.play(f"claim {track} {colour}")).extra == 1
    assert lines(game) == ["decline", "locos 1"]


@pytest.mark.clause("EUR-23")
def test_the_little_isle_has_such_a_track_too() -> None:
    game = table(load_map(str(MAPS / "tiny.json")), hands=["red red red red loco"], deck="red blue blue")
    game.play("claim lighthouse-summit-1 red")
    assert lines(game) == ["decline", "locos 0"]
    game.play("locos 0")
    assert owns(game, 0, "lighthouse-summit-1")


# ---------------------------------------------------------------- ties

# Seat 2 has the longest path, and three long tickets not completed: it is last in all these games.
LAST = {2: ["petrograd-stockholm-1"]}
LAST_TICKETS = "cadiz-stockholm edinburgh-athina kobenhavn-erzurum"


def places(
    tracks: dict[int, list[str]], tickets: tuple[str, str] = ("", ""), stations: dict[int, list[str]] | None = None
) -> list[int]:
    """The places of seats 0 and 1, who are level on points."""
    held: list[Cards] = [*tickets, LAST_TICKETS]
    scores = table("europe", 3, tracks=tracks | LAST, tickets=held, stations=stations).scores()
    assert scores[0].total == scores[1].total
    assert scores[2].place == 3
    return [scores[0].place, scores[1].place]


@pytest.mark.clause("EUR-19")
def test_the_player_with_more_points_wins_whatever_else() -> None:
    tracks = {0: ["budapest-zagrab-1"], 1: ["essen-frankfurt-1", "essen-kobenhavn-1"]}
    tickets: list[Cards] = ["", "frankfurt-kobenhavn"]
    scores = table("europe", tracks=tracks, tickets=tickets).scores()
    assert [player.total for player in scores] == [14, 33]
    assert [player.place for player in scores] == [2, 1]


@pytest.mark.clause("EUR-19")
def test_level_on_points_the_most_completed_tickets_win_before_stations_and_path() -> None:
    """Two tickets, one station, a path of 5 against no ticket, no station, a path of 6: 30 points each."""
    first = ["essen-frankfurt-1", "essen-kobenhavn-1", "athina-smyrna-1", "angora-smyrna-1"]
    second = ["kharkov-kyiv-1", "kyiv-wilno-1", "berlin-danzig-1", "rostov-sevastopol-1"]
    tickets = ("frankfurt-kobenhavn athina-angora", "budapest-sofia")
    assert places({0: first, 1: second}, tickets, {0: ["paris"]}) == [1, 2]


@pytest.mark.clause("EUR-19")
def test_tickets_completed_with_a_borrowed_track_count() -> None:
    """Frankfurt–København by a borrowed track against no ticket and no station: 17 points each."""
    first = ["essen-kobenhavn-1"]
    second = ["essen-frankfurt-1", "madrid-pamplona-1", "barcelona-madrid-1", "brest-dieppe-1", "dieppe-paris-1"]
    tickets = ("frankfurt-kobenhavn", "zurich-budapest")
    assert places({0: first, 1: second}, tickets, {0: ["essen"]}) == [1, 2]


@pytest.mark.clause("EUR-19")
def test_then_the_fewest_stations_win_before_the_path() -> None:
    """No station and a path of 2 against one station and a path of 5: 14 points each."""
    tracks = {0: ["budapest-zagrab-1"], 1: ["essen-frankfurt-1", "essen-kobenhavn-1"]}
    assert places(tracks, stations={1: ["paris"]}) == [1, 2]


@pytest.mark.clause("EUR-19")
def test_then_the_longest_path_wins_by_its_length_without_the_bonus() -> None:
    """A path of 4 (2 + 2 spaces) against one of 3: 16 points each, and seat 2 has the bonus."""
    tracks = {0: ["budapest-zagrab-1", "venezia-zagrab-1"], 1: ["essen-kobenhavn-1"]}
    assert places(tracks) == [1, 2]


@pytest.mark.clause("EUR-19")
def test_still_tied_the_victory_is_shared() -> None:
    assert places({0: ["budapest-zagrab-1"], 1: ["essen-frankfurt-1"]}) == [1, 1]
