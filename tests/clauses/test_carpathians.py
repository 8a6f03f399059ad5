"""The Carpathians: CAR-01 to CAR-16."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from branchline import Deal, Game, imagine, load_map
from branchline.events import (
    BagDelivered,
    BagLaid,
    BagSeen,
    BagsLeft,
    BagTaken,
    Event,
    FestivalsTaken,
    TerrainPlayed,
    TrackClaimed,
)
from branchline.kernel.audit import audit
from branchline.kernel.board import make_board
from branchline.maps import BadMap, read_map
from branchline.maps.model import MapData
from branchline.mechanics.composed import Work
from branchline.mechanics.mail.view import Bag
from tests.table import lines, refused, table

CARPATHIANS = load_map("carpathians")
CLAIM = "claim cluj_napoca-targu_mures-1 purple"  # two spaces
PAIR = "purple purple"
MAIL = (BagSeen, BagTaken, BagLaid, BagsLeft, BagDelivered)


def mail_table(**things: Any) -> Game:
    """Seat 0 can claim Cluj-Napoca–Târgu Mureș."""
    return table("carpathians", **({"hands": [PAIR]} | things))


def mail_of(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if isinstance(event, MAIL)]


def lying(game: Game, reader: int | None = None) -> dict[str, str | None]:
    return {bag.place: bag.label for bag in game.view(reader).bags}


def with_rules(name: str, rules: dict[str, Any], mail: dict[str, int]) -> MapData:
    """A shipped map with further rules, and mail bags at some of its places."""
    raw = json.loads(resources.files("branchline.maps").joinpath(f"{name}.json").read_bytes())
    raw["rules"] |= rules
    for place in raw["places"]:
        place["mail"] = mail.get(place["id"], 0)
    return read_map(json.dumps(raw), source="fan.json")


# ---------------------------------------------------------------- the map


@pytest.mark.clause("CAR-01")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_play_with_40_trains(players: int) -> None:
    assert [player.trains for player in Game.new("carpathians", players, seed=1).view(None).players] == [40] * players


@pytest.mark.clause("CAR-01")
@pytest.mark.parametrize(("players", "clause"), [(2, "C-27"), (3, "C-27"), (4, None), (5, None)])
def test_the_second_track_of_a_double_route_is_open_from_four_players_on(players: int, clause: str | None) -> None:
    game = table("carpathians", players, tracks={1: ["bucuresti-ruse-1"]}, hands=["red"])
    if clause:
        refused(game, "claim bucuresti-ruse-2 red", clause)
    else:
        game.play("claim bucuresti-ruse-2 red")
        assert game.view(None).owners["bucuresti-ruse-2"] == 0


@pytest.mark.clause("CAR-01")
def test_there_are_ferries_and_tunnels_and_none_of_the_bonuses() -> None:
    refused(table("carpathians", hands=["red red red red"]), "claim beograd-turnu_severin-1 red", "EUR-11")
    game = table("carpathians", hands=[PAIR], deck="purple red red")
    game.play("claim brasov-pitesti-1 purple")
    assert game.phase == "tunnel" and game.view(None).tunnel_extra == 1
    assert not CARPATHIANS.stations
    score = table("carpathians", tracks={0: ["brasov-pitesti-1"]}).scores()[0]
    assert (score.longest_path_bonus, score.globetrotter_bonus) == (0, 0)


@pytest.mark.clause("CAR-02")
def test_46_tickets_four_each_of_which_two_are_kept() -> None:
    assert len(CARPATHIANS.tickets) == 46
    game = Game.new("carpathians", 2, seed=5)
    assert len(game.view(0).offered_tickets) == 4
    assert {len(line.split()) - 1 for line in lines(game, "keep", 0)} == {2, 3, 4}
    for seat in (0, 1):
        while seat in game.to_act:
            game.play(game.legal_actions(seat)[0], seat)
    assert game.view(None).ticket_deck_size == 46 - 4
    game.play("tickets")
    assert {len(line.split()) - 1 for line in lines(game, "keep")} == {1, 2, 3}


# ---------------------------------------------------------------- bags


@pytest.mark.clause("CAR-03")
def test_there_is_one_bag_for_each_city_and_a_far_one_is_worth_more() -> None:
    labels = Game.new("carpathians", 3, seed=4).position.bag[: len(CARPATHIANS.places)]
    assert sorted(labels) == list(range(1, 1 + len(CARPATHIANS.places)))
    value = {place.id: place.mail for place in CARPATHIANS.places}
    assert set(value.values()) == set(range(3, 8))
    assert value["brasov"] < value["constanta"] < value["krakow"]


@pytest.mark.clause("CAR-03")
def test_on_a_fan_map_only_places_with_a_value_have_a_bag() -> None:
    data = with_rules("usa", {"mail": {}}, {"boston": 9, "miami": 3})
    game = Game.new(data, 2, seed=1)
    assert set(lying(game)) == {"boston", "miami"}
    assert sorted(label for label in game.position.bag if label) == sorted(
        1 + i for i, place in enumerate(data.places) if place.mail
    )


@pytest.mark.clause("CAR-03")
def test_values_without_the_rule_and_the_rule_without_values_are_refused() -> None:
    with pytest.raises(BadMap, match="no rule mail"):
        with_rules("usa", {}, {"boston": 9})
    with pytest.raises(BadMap, match="no place has a bag"):
        with_rules("usa", {"mail": {}}, {})
    with pytest.raises(BadMap, match="2 numbers for 3 players"):
        with_rules("usa", {"mail": {"stamps": {"3": [0, 1]}}}, {"boston": 9})


@pytest.mark.clause("CAR-04")
def test_the_bags_are_laid_in_the_order_of_the_map_file() -> None:
    labels = [place.id for place in CARPATHIANS.places][::-1]
    game = Game.new("carpathians", 2, deal=Deal(mail=labels))
    s = game.position
    assert [CARPATHIANS.places[label - 1].id for label in s.bag[: len(labels)]] == labels
    assert set(lying(game).values()) == {None}


@pytest.mark.clause("CAR-04")
def test_the_shuffle_of_the_bags_is_one_of_its_own() -> None:
    plain, mail = Game.new("carpathians", 2, seed=6), Game.new("carpathians", 2, deal=Deal(seed=6, mail="brasov"))
    first, second = plain.position, mail.position
    assert (first.deck, first.ticket_deck, first.hand) == (second.deck, second.ticket_deck, second.hand)
    assert second.bag[0] == 1 + next(i for i, place in enumerate(CARPATHIANS.places) if place.id == "brasov")


@pytest.mark.clause("CAR-04")
def test_a_bag_may_lie_in_the_city_it_is_addressed_to() -> None:
    assert Game.new("carpathians", 2, deal=Deal(mail="bacau")).position.bag[0] == 1


# ---------------------------------------------------------------- taking


@pytest.mark.clause("CAR-05")
def test_a_claim_shows_the_bags_of_both_ends_and_one_may_be_taken() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia", "targu_mures": "lviv", "brasov": "varna"})
    events = game.play(CLAIM)
    assert mail_of(events) == [BagSeen(0, "cluj_napoca", "sofia"), BagSeen(0, "targu_mures", "lviv")]
    assert game.to_act == (0,) and game.phase == "mail"
    assert lines(game) == ["leave bags", "take bag cluj_napoca", "take bag targu_mures"]
    events = game.play("take bag targu_mures")
    assert mail_of(events) == [BagTaken(0, "targu_mures", "lviv", (0,))]
    assert lying(game, 0) == {"cluj_napoca": "sofia", "brasov": None}
    assert game.view(0).me.carried == (Bag("targu_mures", "lviv", (0,)),)
    assert game.to_act == (1,) and game.view(1).phase == "turn"


@pytest.mark.clause("CAR-05")
def test_what_can_be_delivered_is_delivered_before_the_bags_are_looked_at() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, carried=[{"targu_mures": "cluj_napoca"}])
    kinds = [type(event) for event in game.play(CLAIM) if isinstance(event, (TrackClaimed, *MAIL))]
    assert kinds == [TrackClaimed, BagDelivered, BagSeen]


@pytest.mark.clause("CAR-05")
def test_the_bags_may_be_left() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"})
    game.play(CLAIM)
    assert mail_of(game.play("leave bags")) == [BagsLeft(0)]
    assert lying(game, 0) == {"cluj_napoca": "sofia"} and game.view(0).me.carried == ()
    assert game.to_act == (1,)


@pytest.mark.clause("CAR-05")
def test_nobody_is_asked_where_no_bag_lies() -> None:
    game = mail_table(bags={"brasov": "sofia"})
    assert mail_of(game.play(CLAIM)) == []
    assert game.to_act == (1,) and game.phase == "turn"


@pytest.mark.clause("CAR-05")
def test_a_bag_lies_at_an_end_of_the_track_just_claimed_or_cannot_be_taken() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia", "brasov": "varna"})
    game.play(CLAIM)
    refused(game, "take bag brasov", "CAR-05")
    refused(game, "take bag targu_mures", "CAR-05")


@pytest.mark.clause("CAR-05")
def test_a_tunnel_that_fails_is_no_claim() -> None:
    things: dict[str, Any] = {"hands": [PAIR], "deck": "purple red red", "bags": {"brasov": "sofia", "pitesti": "lviv"}}
    game = table("carpathians", **things)
    game.play("claim brasov-pitesti-1 purple")
    assert mail_of(game.play("decline")) == []
    assert set(lying(game, 0).values()) == {None}
    game = table("carpathians", **(things | {"hands": ["purple purple purple"]}))
    game.play("claim brasov-pitesti-1 purple")
    assert len(mail_of(game.play("locos 0"))) == 2
    assert game.phase == "mail"


@pytest.mark.clause("CAR-05")
def test_the_mail_comes_before_the_end_of_the_turn() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, trains=[4, 40])
    assert "LastRoundBegan" not in [type(event).__name__ for event in game.play(CLAIM)]
    assert game.view(0).pending_track == "cluj_napoca-targu_mures-1"
    assert "LastRoundBegan" in [type(event).__name__ for event in game.play("leave bags")]


@pytest.mark.clause("CAR-06")
@pytest.mark.parametrize("line", ["take bag cluj_napoca", "leave bags"])
def test_bags_are_taken_with_a_claim_alone(line: str) -> None:
    refused(mail_table(bags={"cluj_napoca": "sofia"}, tracks={0: ["cluj_napoca-deva-1"]}), line, "CAR-05")


@pytest.mark.clause("CAR-06")
def test_the_bags_are_seen_to_before_anything_else() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"})
    game.play(CLAIM)
    for line in ("draw deck", "tickets", "claim bucuresti-ruse-1 red"):
        refused(game, line, "C-41")
    refused(game, "leave bags", "C-01", seat=1)


# ---------------------------------------------------------------- three at the most

THREE = {"bacau": "odesa", "iasi": "lviv", "ruse": "krakow"}


@pytest.mark.clause("CAR-07")
def test_who_carries_three_lays_one_down_in_its_place() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, carried=[THREE])
    game.play(CLAIM)
    assert lines(game) == ["leave bags", *(f"take bag cluj_napoca for {n}" for n in (1, 2, 3))]
    refused(game, "take bag cluj_napoca", "CAR-07")
    events = game.play("take bag cluj_napoca for 2")
    assert mail_of(events) == [
        BagTaken(0, "cluj_napoca", "sofia", (0,)),
        BagLaid(0, "cluj_napoca", "iasi", "lviv", (0,)),
    ]
    assert lying(game, 0) == {"cluj_napoca": "lviv"} and lying(game, 1) == {"cluj_napoca": None}
    assert [(bag.place, bag.label) for bag in game.view(0).me.carried] == [
        ("bacau", "odesa"), ("ruse", "krakow"), ("cluj_napoca", "sofia"),
    ]  # fmt: skip


@pytest.mark.clause("CAR-07")
def test_who_carries_fewer_lays_none_down() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, carried=[{"bacau": "odesa", "iasi": "lviv"}])
    game.play(CLAIM)
    refused(game, "take bag cluj_napoca for 1", "CAR-07")
    refused(game, "take bag cluj_napoca for 3", "CAR-07")
    game.play("take bag cluj_napoca")
    assert len(game.view(0).me.carried) == 3


@pytest.mark.clause("CAR-07")
def test_a_bag_delivered_as_it_is_taken_needs_no_room() -> None:
    game = mail_table(bags={"cluj_napoca": "targu_mures", "targu_mures": "sofia"}, carried=[THREE])
    game.play(CLAIM)
    assert lines(game, "take bag cluj_napoca") == ["take bag cluj_napoca"]
    assert lines(game, "take bag targu_mures") == [f"take bag targu_mures for {n}" for n in (1, 2, 3)]
    refused(game, "take bag cluj_napoca for 1", "CAR-07")
    game.play("take bag cluj_napoca")
    assert len(game.view(0).me.carried) == 3 and game.view(0).me.delivered == ("targu_mures",)


@pytest.mark.clause("CAR-08")
def test_a_bag_laid_down_is_taken_from_where_it_lies() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, carried=[THREE], hands=[PAIR, "black black black"])
    game.play_all([CLAIM, "take bag cluj_napoca for 1"])
    game.play("claim cluj_napoca-oradea-1 black")
    assert mail_of(game.play("take bag cluj_napoca")) == [BagTaken(1, "cluj_napoca", "odesa", (0, 1))]
    assert game.view(1).me.carried == (Bag("cluj_napoca", "odesa", (0, 1)),)


# ---------------------------------------------------------------- delivering


@pytest.mark.clause("CAR-09")
def test_a_bag_is_delivered_as_soon_as_own_tracks_join_where_it_was_taken_and_where_it_goes() -> None:
    game = mail_table(carried=[{"oradea": "sibiu"}], tracks={0: ["cluj_napoca-oradea-1", "sibiu-targu_mures-1"]})
    assert mail_of(game.play(CLAIM)) == [BagDelivered(0, "oradea", "sibiu", 3)]
    assert game.view(1).player(0).delivered == ("sibiu",) and game.view(1).player(0).carried == ()


@pytest.mark.clause("CAR-09")
def test_tracks_of_others_and_broken_chains_deliver_nothing() -> None:
    tracks = {0: ["cluj_napoca-oradea-1"], 1: ["sibiu-targu_mures-1"]}
    game = mail_table(carried=[{"oradea": "sibiu"}, {"oradea": "targu_mures"}], tracks=tracks)
    assert mail_of(game.play(CLAIM)) == []
    assert [len(player.carried) for player in game.view(0).players] == [1, 1]


@pytest.mark.clause("CAR-09")
def test_all_that_can_be_delivered_is_delivered_by_itself() -> None:
    bags = {"cluj_napoca": "targu_mures", "bacau": "odesa", "targu_mures": "cluj_napoca"}
    game = mail_table(carried=[bags])
    assert sorted(event.label or "" for event in mail_of(game.play(CLAIM)) if isinstance(event, BagDelivered)) == [
        "cluj_napoca", "targu_mures",
    ]  # fmt: skip
    assert [bag.label for bag in game.view(0).me.carried] == ["odesa"]


@pytest.mark.clause("CAR-09")
def test_no_chain_passes_a_dead_end() -> None:
    mail = {"boston": 5, "montreal": 5, "toronto": 5}
    open_way = with_rules("usa", {"mail": {}}, mail)
    places = tuple(replace(p, dead_end=p.id == "montreal") for p in open_way.places)
    for data, arrives in ((open_way, True), (replace(open_way, places=places, hash="dead end"), False)):
        game = table(data, tracks={0: ["boston-montreal-1"]}, carried=[{"boston": "toronto"}], hands=["red red red"])
        assert bool(mail_of(game.play("claim montreal-toronto-1 red"))) == arrives


@pytest.mark.clause("CAR-10")
def test_a_bag_whose_label_is_not_joined_yet_is_not_said_to_be_delivered_at_once() -> None:
    game = mail_table(bags={"targu_mures": "oradea", "cluj_napoca": "targu_mures"})
    game.play(CLAIM)
    assert game.view(0).bags_at_once == ("cluj_napoca",)


@pytest.mark.clause("CAR-10")
@pytest.mark.parametrize("label", ["cluj_napoca", "targu_mures", "oradea"])
def test_a_bag_taken_in_a_city_joined_to_its_label_is_delivered_at_once(label: str) -> None:
    game = mail_table(bags={"targu_mures": label}, tracks={0: ["cluj_napoca-oradea-1"]})
    assert game.view(0).bags_at_once == ()
    game.play(CLAIM)
    assert [game.view(reader).bags_at_once for reader in (0, 1, None)] == [("targu_mures",), (), ()]
    points = next(place.mail for place in CARPATHIANS.places if place.id == label)
    assert mail_of(game.play("take bag targu_mures")) == [
        BagTaken(0, "targu_mures", label, (0,)),
        BagDelivered(0, "targu_mures", label, points),
    ]
    assert game.view(None).player(0).carried == ()


# ---------------------------------------------------------------- points


@pytest.mark.clause("CAR-11")
def test_delivered_bags_score_their_values_and_others_nothing() -> None:
    game = mail_table(delivered=["krakow brasov"], carried=[THREE], bags={"sofia": "varna"}, players=2)
    score = game.scores()[0]
    assert [(bag.label, bag.points) for bag in score.mail] == [("brasov", 3), ("krakow", 7)]
    assert (score.mail_points, score.total) == (10, 10)


@pytest.mark.clause("CAR-12")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_those_who_sit_later_begin_with_stamps(players: int) -> None:
    assert CARPATHIANS.mail
    stamps = dict(CARPATHIANS.mail.stamps)[players]
    assert stamps[0] == 0 and any(stamps) and len(stamps) == players
    scores = table("carpathians", players).scores()
    assert tuple(score.total for score in scores) == tuple(score.mail_points for score in scores) == stamps


@pytest.mark.clause("CAR-13")
def test_more_completed_tickets_and_then_more_delivered_bags_break_a_tie() -> None:
    assert CARPATHIANS.ties == ("tickets", "mail")
    worth = {place.mail: place.id for place in CARPATHIANS.places}
    late = table("carpathians").scores()[1].stamps
    level = table("carpathians", delivered=[worth[late], ""]).scores()  # a bag against as many stamps
    assert [score.total for score in level] == [late, late]
    assert [score.place for score in level] == [1, 2]
    shared = table("carpathians", delivered=[worth[3 + late], worth[3]]).scores()
    assert [(score.total, score.place) for score in shared] == [(3 + late, 1)] * 2


# ---------------------------------------------------------------- who knows what


@pytest.mark.clause("CAR-14")
def test_a_label_is_known_to_those_who_have_looked() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia", "targu_mures": "lviv"}, players=3)
    events = game.play(CLAIM)
    assert [event.seen_by(1) for event in mail_of(events)] == [
        BagSeen(0, "cluj_napoca", None), BagSeen(0, "targu_mures", None),
    ]  # fmt: skip
    for reader, known in ((0, ["sofia", "lviv"]), (1, [None, None]), (None, [None, None])):
        assert list(lying(game, reader).values()) == known
        assert [bag.seen_by for bag in game.view(reader).bags] == [(0,), (0,)]
    (taken,) = mail_of(game.play("take bag cluj_napoca"))
    assert taken.seen_by(0) == taken
    assert taken.seen_by(2) == taken.seen_by(None) == BagTaken(0, "cluj_napoca", None, (0,))
    assert game.view(1).player(0).carried == (Bag("cluj_napoca", None, (0,)),)


@pytest.mark.clause("CAR-14")
def test_what_a_player_once_saw_stays_known_when_another_carries_it() -> None:
    game = mail_table(bags={"cluj_napoca": "sofia"}, hands=[PAIR, "black black black"])
    game.play_all([CLAIM, "leave bags", "claim cluj_napoca-oradea-1 black", "take bag cluj_napoca"])
    assert game.view(0).player(1).carried == (Bag("cluj_napoca", "sofia", (0, 1)),)
    assert game.view(None).player(1).carried == (Bag("cluj_napoca", None, (0, 1)),)


@pytest.mark.clause("CAR-14")
def test_a_delivered_bag_is_known_to_all() -> None:
    game = mail_table(bags={"cluj_napoca": "targu_mures"})
    game.play(CLAIM)
    delivered = mail_of(game.play("take bag cluj_napoca"))[-1]
    assert delivered.seen_by(None) == delivered
    assert game.view(None).player(0).delivered == ("targu_mures",)


@pytest.mark.clause("CAR-14")
@pytest.mark.parametrize("players", [2, 5])
def test_imagined_labels_are_as_possible_as_the_true_ones(players: int) -> None:
    """In every imagined world each label is there once, and no bag is carried that would have been delivered."""
    rng = random.Random(players)
    game = Game.new("carpathians", players, seed=players)
    board, work = make_board(CARPATHIANS), Work()
    while not game.is_over:
        seat = game.to_act[0]
        game.play(rng.choice(game.legal_actions(seat)), seat)
        if rng.random() < 0.1:
            reader = rng.choice([None, *range(players)])
            world = imagine(game.view(reader), rng)
            assert audit(world.position, board, work) == 0
            assert world.view(reader) == game.view(reader)


# ---------------------------------------------------------------- the end, and fan maps


@pytest.mark.clause("CAR-15")
def test_the_last_round_has_mail_too_and_then_all_labels_are_shown() -> None:
    game = mail_table(
        bags={"cluj_napoca": "sofia", "deva": "varna"}, hands=["", PAIR], carried=[{"oradea": "sibiu"}], seat=1
    )
    position = game.position
    position.turns_left = 1
    game = Game.at("carpathians", position)
    game.play(CLAIM)
    assert game.phase == "mail"
    game.play("take bag cluj_napoca")
    assert game.is_over
    view = game.view(None)
    assert [bag.label for player in view.players for bag in player.carried] == ["sibiu", "sofia"]
    assert lying(game) == {"deva": "varna"}


@pytest.mark.clause("CAR-16")
def test_festival_cards_are_taken_before_the_mail() -> None:
    data = with_rules("iberia", {"mail": {}}, {place.id: 5 for place in load_map("iberia").places})
    assert data.festivals
    place, group = next((p, g.id) for g in data.festivals.groups for p in g.places)
    track = next(t for t in data.tracks if place in (t.a, t.b) and not t.ferry)
    colour = "red" if track.colour == "gray" else track.colour
    game = table(data, hands=[[colour] * track.length], festivals={group: 2}, bags={place: place})
    events = game.play(f"claim {track.id} {colour}")
    assert [type(event) for event in events if isinstance(event, (FestivalsTaken, *MAIL))] == [FestivalsTaken, BagSeen]


@pytest.mark.clause("CAR-16")
def test_terrain_is_played_before_the_mail() -> None:
    data = with_rules("africa", {"mail": {}}, {place.id: 5 for place in load_map("africa").places})
    assert data.terrain
    kind = data.terrain.types[0]
    track = next(t for t in data.tracks if t.colour in kind.colours and not t.ferry and t.length <= 3)
    colour = "red" if track.colour == "gray" else track.colour
    game = table(data, hands=[[colour] * track.length], terrain=[[kind.id] * 3, []], bags={track.a: track.b})
    game.play(f"claim {track.id} {colour}")
    assert game.phase == "double"
    events = game.play("double 0")
    assert [type(event) for event in events if isinstance(event, (TerrainPlayed, *MAIL))] == [TerrainPlayed, BagSeen]
    assert game.view(0).phase == "mail"
