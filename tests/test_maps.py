"""The boards are what the rules say they are, and a bad map is refused with file, path and reason."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from branchline.maps import BadMap, MapData, check_file, check_map, load_map, read_map, shipped_maps
from branchline.maps import loader as loader_module
from branchline.maps.model import COLOURS, MAX_TRACKS, MAX_TRAINS, TicketDeal, TicketDraft, TicketDraw, Track
from branchline.maps.reading import MAX_FAULTS
from branchline.maps.schema import json_schema, schema_text
from branchline.maps.shapes import LANGUAGES as SPOKEN
from branchline.maps.shapes import MARKS
from branchline.server.wire.facts import facts_of
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels
from branchline.words import LANGUAGES, words_of
from branchline.words.labels import labels_of

MAPS = Path(loader_module.__file__).parent
TINY = Path(__file__).parent / "data" / "maps" / "tiny.json"
FIVE = ("usa", "europe", "iberia", "africa", "carpathians")

Json = dict[str, Any]
Change = Callable[[Json], object]


def raw(name: str) -> Json:
    path = TINY if name == "tiny" else MAPS / f"{name}.json"
    data: Json = json.loads(path.read_text(encoding="utf-8"))
    return data


def faults(name: str, change: Change) -> list[BadMap]:
    data = raw(name)
    change(data)
    return check_map(json.dumps(data), f"{name}.json")


def changed(name: str, change: Change) -> MapData:
    data = raw(name)
    change(data)
    return read_map(json.dumps(data), source=f"{name}.json")


def track(data: MapData, track_id: str) -> Track:
    return next(t for t in data.tracks if t.id == track_id)


def steps(path: str) -> list[str | int]:
    found = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    return [int(index) if index else key for index, key in found]


def set_at(path: str, value: object) -> Change:
    """A change that sets `a.b[2].c` to a value."""
    *way, last = steps(path)

    def change(data: Any) -> None:
        for step in way:
            data = data[step]
        data[last] = value

    return change


def both(*changes: Change) -> Change:
    def change(data: Json) -> None:
        for one in changes:
            one(data)

    return change


# --- the boards ---------------------------------------------------------------------------------------------


def test_the_five_maps_are_shipped() -> None:
    assert shipped_maps() == FIVE


@pytest.mark.parametrize(
    ("name", "places", "tracks", "tickets"),
    [
        ("usa", 36, 100, 30),
        ("europe", 47, 101, 46),
        ("iberia", 33, 103, 50),
        ("africa", 51, 117, 48),
        ("carpathians", 42, 95, 46),
    ],
)
def test_each_board_has_all_its_places_tracks_and_tickets(name: str, places: int, tracks: int, tickets: int) -> None:
    data = load_map(name)
    assert (data.id, len(data.places), len(data.tracks), len(data.tickets)) == (name, places, tracks, tickets)


@pytest.mark.clause("C-01")
@pytest.mark.parametrize("name", FIVE)
def test_two_to_five_play(name: str) -> None:
    data = load_map(name)
    assert (data.min_players, data.max_players) == (2, 5)


@pytest.mark.clause("C-02")
@pytest.mark.parametrize("name", FIVE)
def test_there_are_110_train_cards(name: str) -> None:
    data = load_map(name)
    assert (data.cards_per_colour, data.locomotives) == (12, 14)
    assert len(COLOURS) * data.cards_per_colour + data.locomotives == 110


@pytest.mark.clause("C-03")
def test_trains_by_map() -> None:
    assert {name: load_map(name).trains for name in FIVE} == {
        "usa": 45, "europe": 45, "iberia": 35, "africa": 45, "carpathians": 40,
    }  # fmt: skip


@pytest.mark.parametrize("name", FIVE)
def test_numbers_common_to_all_maps(name: str) -> None:
    data = load_map(name)
    assert (data.first_hand, data.display, data.sweep_at) == (4, 5, 3)
    assert (data.last_round_at, data.both_tracks_from) == (2, 4)


@pytest.mark.clause("C-24")
@pytest.mark.parametrize("name", FIVE)
def test_points_by_length(name: str) -> None:
    assert load_map(name).track_points == (0, 1, 2, 4, 7, 10, 15, 18, 21, 27)


@pytest.mark.clause("C-06")
def test_first_tickets_of_the_usa() -> None:
    usa = load_map("usa")
    assert usa.first_tickets == TicketDeal(normal=3, long=0, keep_at_least=2, unkept="bottom")
    assert usa.ticket_draw == TicketDraw(draw=3, keep_at_least=1)


@pytest.mark.clause("EUR-01")
def test_europe_has_six_long_tickets_and_deals_one_with_three_normal() -> None:
    europe = load_map("europe")
    assert Counter(ticket.long for ticket in europe.tickets) == {True: 6, False: 40}
    assert europe.first_tickets == TicketDeal(normal=3, long=1, keep_at_least=2, unkept="removed")


@pytest.mark.clause("IBE-03")
def test_iberia_drafts_its_first_tickets() -> None:
    half, two_thirds, three_quarters = Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)
    assert load_map("iberia").first_tickets == TicketDraft(
        cards=6,
        keep_exactly=4,
        second_depth=((2, half), (3, two_thirds), (4, three_quarters), (5, three_quarters)),
        second_jitter=5,
    )


@pytest.mark.clause("AFR-02")
def test_first_tickets_and_ticket_draw_of_africa() -> None:
    africa = load_map("africa")
    assert africa.first_tickets == TicketDeal(normal=4, long=0, keep_at_least=2, unkept="bottom")
    assert africa.ticket_draw == TicketDraw(draw=4, keep_at_least=1)


def test_each_map_switches_on_its_own_rules() -> None:
    def rules(name: str) -> tuple[object, ...]:
        data = load_map(name)
        on = [rule for rule in ("stations", "festivals", "terrain") if getattr(data, rule)]
        return data.longest_path, data.globetrotter, data.tunnel_cards, on, data.ties

    assert rules("usa") == (10, 0, 0, [], ("tickets", "path"))
    assert rules("europe") == (10, 0, 3, ["stations"], ("tickets", "stations", "path"))
    assert rules("iberia") == (0, 0, 0, ["festivals"], ("tickets",))
    assert rules("africa") == (0, 10, 0, ["terrain"], ("tickets", "path"))


@pytest.mark.clause("C-21")
def test_montreal_new_york_takes_three_blue() -> None:
    found = track(load_map("usa"), "montreal-new_york-1")
    assert (found.length, found.colour) == (3, "blue")


@pytest.mark.clause("C-22")
def test_montreal_toronto_takes_three_of_any_colour() -> None:
    found = track(load_map("usa"), "montreal-toronto-1")
    assert (found.length, found.colour) == (3, "gray")


@pytest.mark.clause("EUR-20")
def test_europe_has_no_track_of_five_or_seven_and_one_of_eight() -> None:
    europe = load_map("europe")
    lengths = Counter(t.length for t in europe.tracks)
    assert lengths == {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}
    assert europe.track_points[8] == 21


@pytest.mark.clause("EUR-11")
def test_europes_ferries_are_gray_and_tunnels_are_marked() -> None:
    europe = load_map("europe")
    assert {t.colour for t in europe.tracks if t.ferry} == {"gray"}
    assert sum(t.ferry > 0 for t in europe.tracks) == 13
    assert sum(t.tunnel for t in europe.tracks) == 18


@pytest.mark.clause("IBE-01")
def test_iberia_has_one_coloured_ferry_and_france_is_an_ordinary_city() -> None:
    iberia = load_map("iberia")
    assert [(t.id, t.colour) for t in iberia.tracks if t.ferry and t.colour != "gray"] == [
        ("barcelona-palma-1", "blue")
    ]
    france = next(place for place in iberia.places if place.id == "france")
    assert (france.kind, france.dead_end) == ("city", False)


@pytest.mark.clause("C-42")
@pytest.mark.parametrize(("name", "doubles"), [("usa", 22), ("europe", 11), ("iberia", 33), ("africa", 21)])
def test_the_tracks_of_a_double_route_are_equally_long(name: str, doubles: int) -> None:
    lengths: dict[frozenset[str], list[int]] = {}
    for t in load_map(name).tracks:
        lengths.setdefault(frozenset((t.a, t.b)), []).append(t.length)
    assert sum(len(parallel) == 2 for parallel in lengths.values()) == doubles
    assert all(len(parallel) <= 2 and len(set(parallel)) == 1 for parallel in lengths.values())


@pytest.mark.clause("IBE-02")
def test_iberia_has_54_festival_cards_in_17_groups() -> None:
    festivals = load_map("iberia").festivals
    assert festivals is not None
    assert (len(festivals.groups), sum(group.cards for group in festivals.groups)) == (17, 54)


@pytest.mark.clause("IBE-15")
def test_porto_and_coimbra_share_one_pool() -> None:
    festivals = load_map("iberia").festivals
    assert festivals is not None
    assert [group.id for group in festivals.groups if "coimbra" in group.places] == ["porto"]
    assert next(group.places for group in festivals.groups if group.id == "porto") == ("porto", "coimbra")


@pytest.mark.clause("IBE-16")
def test_three_sevilla_score_6_and_seven_valencia_22() -> None:
    festivals = load_map("iberia").festivals
    assert festivals is not None
    assert festivals.score_table == (0, 2, 4, 6, 9, 13, 17, 22)


@pytest.mark.clause("AFR-03")
def test_terrain_types_have_15_cards_and_three_colours_each() -> None:
    terrain = load_map("africa").terrain
    assert terrain is not None
    assert [(kind.id, kind.colours, kind.cards) for kind in terrain.types] == [
        ("desert", ("yellow", "orange", "red"), 15),
        ("jungle", ("purple", "blue", "green"), 15),
        ("mountain", ("white", "gray", "black"), 15),
    ]


@pytest.mark.clause("AFR-10")
def test_cards_to_double_by_length() -> None:
    terrain = load_map("africa").terrain
    assert terrain is not None
    assert (terrain.deal, terrain.face_up) == (1, 2)
    assert terrain.cards_to_double == (0, 1, 1, 1, 2, 2, 2, 0, 0, 0)


def test_nobody_may_own_more_tracks_than_a_longest_path_is_found_in() -> None:
    def all_short(raw: Json) -> None:
        raw["trains"] = 60
        for track in raw["tracks"]:
            track["length"] = 1

    assert [fault.path for fault in faults("usa", all_short)] == ["trains"]
    assert "MAX_OWN_TRACKS" in faults("usa", all_short)[0].reason


@pytest.mark.clause("AFR-10")
def test_a_map_cannot_let_a_track_of_seven_spaces_be_doubled() -> None:
    def longer(raw: Json) -> None:
        raw["rules"]["terrain"]["cards_to_double"]["7"] = 3

    assert [(fault.path, "AFR-10" in fault.reason) for fault in faults("africa", longer)] == [
        ("rules.terrain.cards_to_double.7", True)
    ]


@pytest.mark.clause("AFR-17")
def test_a_ticket_to_madagascar_is_completed_at_either_place() -> None:
    africa = load_map("africa")
    ticket = next(t for t in africa.tickets if t.id == "cape_town-madagascar")
    assert (ticket.a, ticket.b) == (("cape_town",), ("madagascar_1", "madagascar_2"))
    places = [place for place in africa.places if place.country == "madagascar"]
    assert [(place.kind, place.dead_end) for place in places] == [("country", False)] * 2


@pytest.mark.clause("AFR-18")
def test_the_other_countries_are_dead_ends() -> None:
    africa = load_map("africa")
    dead = Counter(place.country for place in africa.places if place.dead_end)
    assert dead == {"nigeria": 2, "chad": 2, "sudan": 2}
    assert next(t.b for t in africa.tickets if t.id == "bangui-nigeria") == ("nigeria_1", "nigeria_2")


@pytest.mark.clause("AFR-22")
def test_no_ticket_names_a_way_station() -> None:
    africa = load_map("africa")
    way_stations = {place.id for place in africa.places if place.kind == "way_station"}
    assert len(way_stations) == 10
    assert not any(way_stations.intersection(t.a + t.b) for t in africa.tickets)
    assert all(place.name for place in africa.places)


@pytest.mark.parametrize("name", FIVE)
def test_ticket_ids_are_the_two_ends(name: str) -> None:
    data = load_map(name)
    country = {place.id: place.country or place.id for place in data.places}
    assert [t.id for t in data.tickets] == [f"{country[t.a[0]]}-{country[t.b[0]]}" for t in data.tickets]


@pytest.mark.parametrize("name", ["iberia", "africa"])
def test_places_lie_on_the_printed_board(name: str) -> None:
    assert all(place.board is not None for place in load_map(name).places)


@pytest.mark.parametrize("name", FIVE)
def test_one_fact_a_line(name: str) -> None:
    lines = (MAPS / f"{name}.json").read_text(encoding="utf-8").splitlines()
    data = raw(name)
    for part in ("places", "tracks", "tickets"):
        found = [line for line in lines if line.strip().rstrip(",") in _dumped(data[part])]
        assert len(found) == len(data[part])


def _dumped(rows: list[Json]) -> set[str]:
    return {json.dumps(row, ensure_ascii=False) for row in rows}


# --- provenance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_usa_and_europe_are_official(name: str) -> None:
    data = load_map(name)
    parts = (data.places, data.tracks, data.tickets)
    assert {fact.provenance for part in parts for fact in part} == {"official-2-sources"}
    assert data.reconstructed == ()
    assert data.sources and data.doubts


@pytest.mark.parametrize("name", ["iberia", "africa"])
def test_a_reconstruction_says_so_fact_by_fact(name: str) -> None:
    data = load_map(name)
    assert {place.provenance for place in data.places} == {"official-1-source"}
    assert {t.provenance for t in data.tracks} == {"official-1-source"}
    assert {t.provenance for t in data.tickets} == {"reconstruction"}
    assert "tickets" in data.reconstructed
    assert data.sources and data.doubts


def test_of_the_festival_scores_only_3_and_7_are_printed() -> None:
    iberia = load_map("iberia")
    assert iberia.reconstructed == ("tickets", "festival_cards", "festival_scores")
    marks = dict(iberia.provenance)
    assert marks["festival_scores"] == "reconstruction, official-2-sources"
    assert {key: marks[key] for key in marks if "[" in key} == {
        "festival_scores[3]": "official-2-sources",
        "festival_scores[7]": "official-2-sources",
    }
    assert iberia.festivals is not None
    assert {group.provenance for group in iberia.festivals.groups} == {"reconstruction"}


def test_a_corrected_ticket_keeps_its_own_mark() -> None:
    data = changed("iberia", set_at("tickets[0].provenance", "official-1-source"))
    assert [t.provenance for t in data.tickets[:2]] == ["official-1-source", "reconstruction"]
    assert dict(data.provenance)["tickets"] == "official-1-source, reconstruction"


def test_when_all_tickets_are_corrected_one_line_says_so() -> None:
    data = changed("iberia", set_at("provenance.tickets", "official-1-source"))
    assert {t.provenance for t in data.tickets} == {"official-1-source"}
    assert "tickets" not in data.reconstructed


# --- the hash -----------------------------------------------------------------------------------------------


def test_the_hash_leaves_out_names_positions_and_provenance() -> None:
    cosmetic = both(
        set_at("name", "Hispania"),
        set_at("version", 7),
        set_at("places[0].name", "Corunna"),
        set_at("places[0].lat", 1.5),
        set_at("places[0].board", [0.5, 0.5]),
        set_at("provenance.tickets", "official-1-source"),
        set_at("sources", []),
        set_at("doubts", []),
    )
    assert changed("iberia", cosmetic).hash == load_map("iberia").hash


@pytest.mark.parametrize(
    "change",
    [
        set_at("id", "usa2"),
        set_at("trains", 44),
        set_at("tickets[0].points", 5),
        set_at("tracks[0].colour", "red"),
        set_at("rules.longest_path", 0),
        set_at("rules.ties", ["tickets"]),
        set_at("cards.first_hand", 3),
        set_at("rules.track_points", {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 16}),
        lambda data: data["tracks"].reverse(),
        lambda data: data["tickets"].reverse(),
    ],
)
def test_the_hash_changes_with_what_decides_a_game(change: Change) -> None:
    assert changed("usa", change).hash != load_map("usa").hash


def test_the_hash_is_a_sha256_and_differs_by_map() -> None:
    hashes = {load_map(name).hash for name in FIVE}
    assert len(hashes) == len(FIVE)
    assert all(re.fullmatch("[0-9a-f]{64}", found) for found in hashes)


NAMES: Json = {
    "ro": {"map": "Insula", "places": {"harbour": "Apus", "lighthouse": "Burg"}},
    "pt-BR": {"places": {"lighthouse": "Vila"}},
}


def test_a_map_brings_its_names_in_other_languages() -> None:
    plain, data = load_map(TINY), changed("tiny", set_at("names", NAMES))
    assert (data.hash, facts_of(plain).names) == (plain.hash, {})
    labels = [labels_of(data, words_of(language)) for language in LANGUAGES]
    assert [one.map for one in labels] == [plain.name, "Insula", plain.name, plain.name]
    assert [one.place("harbour") for one in labels] == ["Harbour", "Apus", "Harbour", "Harbour"]
    assert [one.place("lighthouse") for one in labels] == ["Lighthouse", "Burg", "Lighthouse", "Vila"]
    told = facts_of(data).names
    assert (told["ro"].map, told["pt-BR"].map, told["pt-BR"].places) == ("Insula", None, {"lighthouse": "Vila"})


def test_a_place_is_found_by_its_name_in_the_language_and_by_the_printed_one() -> None:
    data = changed("tiny", set_at("names", NAMES))
    finder = PlaceFinder(ScreenLabels(data, plain=True, words=words_of("ro")))
    assert finder.best(("apus",)) == finder.best(("harbour",)) == ["harbour"]


def test_maps_and_words_have_the_same_languages() -> None:
    assert SPOKEN == LANGUAGES


def test_defaults_written_out_change_nothing() -> None:
    written = both(
        set_at("rules.tunnels", {"cards": 3}),
        set_at("rules.double_routes", {"both_from_players": 4}),
        set_at("tickets[0].id", "harbour-quarry"),
        set_at("tickets[0].long", False),
    )
    assert changed("tiny", written) == load_map(TINY)


# --- a fan map ----------------------------------------------------------------------------------------------


@pytest.mark.clause("EUR-23")
def test_a_fan_map_is_one_file_and_no_code() -> None:
    tiny = load_map(TINY)
    assert (tiny.tunnel_cards, tiny.stations is not None, len(tiny.places)) == (3, True, 8)
    both_in_one = track(tiny, "lighthouse-summit-1")
    assert (both_in_one.tunnel, both_in_one.ferry) == (True, 1)
    assert {mark for _, mark in tiny.provenance} == {"own"}
    assert track(tiny, "lighthouse-abbey-1").length == 7
    assert tiny.track_points[7] == 18


@pytest.mark.clause("C-42")
def test_three_parallel_tracks_are_taken_if_they_are_equally_long() -> None:
    tiny = load_map(TINY)
    assert sum({t.a, t.b} == {"harbour", "bridge"} for t in tiny.tracks) == 3
    found = faults("tiny", set_at("tracks[3].length", 3))
    assert [str(fault) for fault in found] == [
        'tiny.json tracks[3].length: 3 spaces, and the parallel track "harbour-bridge-1" has 2 (C-42)'
    ]


def test_a_map_is_loaded_by_id_by_path_and_from_text() -> None:
    path = MAPS / "usa.json"
    assert load_map("usa") == load_map(path) == load_map(str(path))
    assert load_map("usa") == read_map(path.read_bytes(), source="x") == read_map(path.read_text("utf-8"), source="x")
    assert check_file(path) == []


def test_a_file_may_begin_with_a_byte_order_mark() -> None:
    assert read_map(b"\xef\xbb\xbf" + TINY.read_bytes(), source="tiny.json") == load_map(TINY)


# --- refusals -----------------------------------------------------------------------------------------------


def drop(path: str) -> Change:
    *way, last = steps(path)

    def change(data: Any) -> None:
        for step in way:
            data = data[step]
        del data[last]

    return change


LONELY = {"id": "nowhere", "name": "Nowhere", "lat": 0, "lon": 0}
DESERT = {"id": "desert", "name": "Desert", "colours": ["yellow", "orange", "red"], "cards": 15}


def refusal(name: str, change: Change, told: str, clause: str = "") -> Any:
    marks = [pytest.mark.clause(clause)] if clause else []
    return pytest.param(name, change, told, marks=marks, id=f"{name}: {told}"[:70])


REFUSALS = [
    # unknown names, with the nearest right one
    refusal("europe", set_at("tracks[41].b", "zurch"), 'tracks[41].b: no place "zurch" (did you mean "zurich"?)'),
    refusal("europe", set_at("tracks[0].a", "Zürich"), 'tracks[0].a: "Zürich" is not an id: use a-z, 0-9 and _'),
    refusal(
        "usa",
        set_at("tracks[0].colour", "gren"),
        'tracks[0].colour: no colour "gren" (did you mean "green"?)',
    ),
    refusal("usa", set_at("tracks[0].colour", "grey"), 'tracks[0].colour: no colour "grey" (did you mean "gray"?)'),
    refusal("usa", set_at("tracks[0].colour", "loco"), 'tracks[0].colour: no colour "loco"'),
    refusal(
        "usa",
        set_at("places[0].kind", "citty"),
        'places[0].kind: no kind of place "citty" (did you mean "city"?)',
    ),
    refusal("usa", set_at("rules.tunels", {}), 'rules.tunels: no rule "tunels" (did you mean "tunnels"?)'),
    refusal(
        "usa",
        set_at("rules.ties", ["ticket"]),
        'rules.ties[0]: no tie break "ticket" (did you mean "tickets"?)',
    ),
    refusal(
        "tiny",
        set_at("names", {"ro": {"places": {"harbor": "Apus"}}}),
        'names.ro.places.harbor: no place "harbor" (did you mean "harbour"?)',
    ),
    refusal("tiny", set_at("names", {"rom": {}}), 'names.rom: no language "rom" (did you mean "ro"?)'),
    refusal("tiny", set_at("names", {"ro": {"places": {"mill": ""}}}), "names.ro.places.mill: must not be empty"),
    refusal("tiny", set_at("names", {"ro": {"places": []}}), "names.ro.places: must be an object, not a list"),
    refusal("usa", set_at("trian", 1), 'trian: no key "trian" (did you mean "trains"?)'),
    refusal("usa", set_at("provenance.track", "own"), 'provenance.track: no part "track" (did you mean "tracks"?)'),
    refusal(
        "africa",
        set_at("tickets[0].a", "nigerai"),
        'tickets[0].a: no place "nigerai" (did you mean "nigeria"?)',
    ),
    refusal(
        "iberia",
        set_at("rules.festivals.groups[6].places[1]", "combra"),
        'rules.festivals.groups[6].places[1]: no place "combra" (did you mean "coimbra"?)',
    ),
    refusal(
        "usa",
        set_at("schema", "branchline-map/2"),
        'schema: no schema "branchline-map/2" (did you mean "branchline-map/1"?)',
    ),
    # missing keys and wrong types
    refusal("usa", drop("tracks"), "tracks: missing"),
    refusal("usa", drop("tracks[3].length"), "tracks[3].length: missing"),
    refusal("usa", set_at("tracks[3].length", True), "tracks[3].length: must be a whole number, not true"),
    refusal("usa", set_at("tracks[3].length", 2.0), "tracks[3].length: must be a whole number, not 2.0"),
    refusal("usa", set_at("tracks[3].length", "2"), 'tracks[3].length: must be a whole number, not "2"'),
    refusal("usa", set_at("tracks[3]", []), "tracks[3]: must be an object, not a list"),
    refusal("usa", set_at("tracks", {}), "tracks: must be a list, not an object"),
    refusal("usa", set_at("name", None), "name: must be text, not null"),
    refusal("usa", set_at("name", " "), "name: must not be empty"),
    refusal("usa", set_at("name", "a\nb"), 'name: "a?b" has a letter that cannot be printed'),
    refusal("usa", set_at("name", "\ud800"), 'name: "?" has a letter that cannot be printed'),
    refusal("usa", set_at("name", "x" * 81), "name: 81 letters: at most 80 are allowed"),
    refusal("usa", set_at("tracks[0].tunnel", 1), "tracks[0].tunnel: must be true or false, not 1"),
    refusal("usa", set_at("places[0].lat", "north"), 'places[0].lat: must be a number, not "north"'),
    refusal("usa", set_at("places[0].lat", float("nan")), "places[0].lat: must be a number, not NaN"),
    refusal("usa", set_at("places[0].lat", float("inf")), "places[0].lat: must be a number, not Infinity"),
    refusal("usa", set_at("trains", 10**30), "trains: must be a whole number, not 1000"),
    refusal("usa", set_at("places[0].id", "At Lanta"), 'places[0].id: "At Lanta" is not an id: use a-z, 0-9 and _'),
    # numbers out of range and head-room
    refusal("usa", set_at("places[0].lat", 91), "places[0].lat: 91 is not between -90 and 90"),
    refusal("usa", set_at("tracks[0].length", 0), "tracks[0].length: 0 is below 1"),
    refusal("usa", set_at("tracks[0].length", 10), "tracks[0].length: 10 is over the limit of 9 (MAX_LENGTH)"),
    refusal("usa", set_at("players.max", 6), "players.max: 6 is over the limit of 5 (MAX_PLAYERS)"),
    refusal("usa", set_at("trains", 101), f"trains: 101 is over the limit of {MAX_TRAINS} (MAX_TRAINS)"),
    refusal(
        "europe",
        set_at("rules.stations.each", 4),
        "rules.stations.each: 4 is over the limit of 3 (MAX_STATIONS)",
    ),
    refusal(
        "usa",
        set_at("rules.ticket_draw.draw", 7),
        "rules.ticket_draw.draw: 7 is over the limit of 6 (MAX_OFFER)",
    ),
    refusal(
        "usa",
        lambda d: d["tracks"].extend([d["tracks"][0]] * 27),
        f"tracks: 127 tracks: at most {MAX_TRACKS} are allowed (MAX_TRACKS)",
    ),
    refusal(
        "usa",
        set_at("cards.locomotives", 15),
        "cards: 111 train cards: at most 110 are allowed (MAX_TRAIN_CARDS)",
    ),
    refusal(
        "iberia",
        set_at("rules.festivals.groups[0].cards", 11),
        "rules.festivals: train cards, festival cards and the second-draft card make 169: "
        "at most 168 are allowed (MAX_DECK)",
    ),
    refusal(
        "iberia",
        set_at("rules.festivals.groups[0].cards", 14),
        "rules.festivals.groups: 61 cards: at most 60 are allowed (MAX_FESTIVAL_CARDS)",
    ),
    refusal(
        "africa",
        both(set_at("cards.per_colour", 10), set_at("cards.locomotives", 16)),
        "cards.locomotives: 16 locomotives: at most 15 are allowed with terrain (MAX_TERRAIN_LOCOMOTIVES)",
    ),
    refusal(
        "africa",
        set_at("rules.terrain.types[0].cards", 19),
        "rules.terrain.types: 49 cards: at most 48 are allowed (MAX_TERRAIN_CARDS)",
    ),
    refusal(
        "europe",
        set_at("rules.first_tickets.deal.normal", 6),
        "rules.first_tickets.deal: 7 tickets a player: at most 6 are allowed (MAX_OFFER)",
    ),
    refusal("usa", set_at("players", {"min": 4, "max": 3}), "players.min: 4 is more than players.max, 3"),
    refusal("usa", set_at("rules.last_round_at", 45), "rules.last_round_at: 45 is not below the 45 trains"),
    # ids
    refusal("usa", set_at("places[1].id", "atlanta"), 'places[1].id: "atlanta" is also the id of places[0]'),
    refusal(
        "usa",
        set_at("tracks[1].id", "atlanta-charleston-1"),
        'tracks[1].id: "atlanta-charleston-1" is also the id of tracks[0]',
    ),
    refusal(
        "usa",
        lambda d: d["tickets"].append({"a": "boston", "b": "miami", "points": 3}),
        'tickets[30].id: "boston-miami" is also the id of tickets[0]',
    ),
    # places, countries, dead ends
    refusal("usa", set_at("tracks[0].b", "atlanta"), 'tracks[0].b: both ends are "atlanta"'),
    refusal("usa", lambda d: d["places"].append(LONELY), 'places[36]: no track ends at "nowhere"'),
    refusal(
        "usa",
        set_at("places[0].dead_end", True),
        "places[0].dead_end: only a place of kind country can be a dead end (AFR-18)",
        clause="AFR-18",
    ),
    refusal(
        "usa",
        set_at("places[0].country", "georgia"),
        "places[0].country: only a place of kind country has it",
    ),
    refusal(
        "usa",
        set_at("places[0].kind", "country"),
        "places[0].country: missing: a place of kind country says of which country it is",
    ),
    refusal(
        "usa",
        both(set_at("places[0].kind", "country"), set_at("places[0].country", "boston")),
        'places[0].country: "boston" is also the id of a place',
    ),
    # tracks
    refusal(
        "usa",
        set_at("rules.track_points", {"1": 1, "2": 2, "3": 4, "4": 7, "6": 15}),
        "tracks[1].length: rules.track_points has no points for length 5",
        clause="C-24",
    ),
    refusal("europe", set_at("tracks[0].ferry", 2), "tracks[0].ferry: 2 locomotives on a track of 1"),
    refusal("usa", set_at("tracks[0].tunnel", True), "tracks[0].tunnel: the map has no rule tunnels"),
    refusal("tiny", set_at("cards.locomotives", 2), "tracks[13].ferry: 3 locomotives, and the map has 2"),
    refusal(
        "usa",
        set_at("tracks[4].length", 1),
        'tracks[4].length: 1 spaces, and the parallel track "atlanta-new_orleans-1" has 4 (C-42)',
        clause="C-42",
    ),
    # tickets
    refusal("usa", set_at("tickets[0].b", "boston"), 'tickets[0].b: both ends are "boston"'),
    refusal(
        "africa",
        both(set_at("tickets[0].a", "chad"), set_at("tickets[0].b", "chad_2")),
        'tickets[0].b: both ends are reached at "chad_2"',
        clause="AFR-17",
    ),
    refusal(
        "africa",
        set_at("tickets[0].a", "junction_coast"),
        'tickets[0].a: "junction_coast" is a way station: no ticket names one (AFR-22)',
        clause="AFR-22",
    ),
    refusal(
        "iberia",
        set_at("trains", 12),
        "its shortest chain has ",
    ),
    # first tickets
    refusal(
        "usa",
        lambda d: d.update(tickets=d["tickets"][:14]),
        "rules.first_tickets.deal.normal: 5 players need 15 normal tickets, there are 14 (C-42)",
        clause="C-42",
    ),
    refusal(
        "europe",
        lambda d: d.update(tickets=[t for t in d["tickets"] if not t.get("long")]),
        "rules.first_tickets.deal.long: 5 players need 5 long tickets, there are 0 (C-42)",
        clause="C-42",
    ),
    refusal(
        "iberia",
        lambda d: d.update(tickets=d["tickets"][:29]),
        "rules.first_tickets.draft.cards: 5 players need 30 tickets, there are 29 (C-42)",
        clause="C-42",
    ),
    refusal(
        "usa",
        set_at("tickets[0].long", True),
        "rules.first_tickets.deal.long: 1 long tickets, and none is dealt",
    ),
    refusal(
        "iberia",
        set_at("tickets[0].long", True),
        "rules.first_tickets.draft: 1 long tickets: a draft has none",
    ),
    refusal(
        "europe",
        set_at("rules.first_tickets.deal.unkept", "bottom"),
        'rules.first_tickets.deal.unkept: must be "removed" where long tickets are dealt (EUR-02)',
        clause="EUR-02",
    ),
    refusal(
        "usa",
        set_at("rules.first_tickets.deal.keep_at_least", 4),
        "rules.first_tickets.deal.keep_at_least: 4 of 3 tickets dealt",
    ),
    refusal(
        "iberia",
        set_at("rules.first_tickets.draft.cards", 3),
        "rules.first_tickets.draft.keep_exactly: 4 of 3 tickets",
    ),
    refusal(
        "usa",
        set_at("rules.ticket_draw.keep_at_least", 4),
        "rules.ticket_draw.keep_at_least: 4 of 3 tickets drawn",
    ),
    refusal(
        "iberia",
        set_at("rules.first_tickets.deal", {}),
        "rules.first_tickets: must have exactly one of deal, draft",
    ),
    refusal(
        "iberia",
        drop("rules.first_tickets.draft.second.depth.3"),
        "rules.first_tickets.draft.second.depth: no depth for 3 players",
    ),
    refusal(
        "iberia",
        set_at("rules.first_tickets.draft.second.depth.3", "3/2"),
        'rules.first_tickets.draft.second.depth.3: must be a fraction below 1 like "2/3", not "3/2"',
    ),
    refusal(
        "iberia",
        set_at("rules.first_tickets.draft.second.depth.6", "1/2"),
        'rules.first_tickets.draft.second.depth.6: keys here go from "2" to "5"',
    ),
    # rules that do not go together
    refusal(
        "africa",
        set_at("rules.tunnels", {}),
        "rules.tunnels: tunnels cannot be joined with terrain: there is no ruling for it (C-42)",
        clause="C-42",
    ),
    refusal(
        "iberia",
        set_at("rules.tunnels", {}),
        "rules.tunnels: tunnels cannot be joined with festivals: there is no ruling for it (C-42)",
        clause="C-42",
    ),
    refusal(
        "usa",
        set_at("rules.ties", ["stations"]),
        'rules.ties: tie break "stations", and the map has no rule stations',
    ),
    refusal("usa", set_at("rules.ties", ["path", "path"]), 'rules.ties[1]: "path" is in the list twice'),
    # cards
    refusal(
        "tiny",
        both(set_at("cards.per_colour", 3), set_at("cards.first_hand", 10)),
        "cards.first_hand: first hands and display take 35 cards, there are 32",
    ),
    # festivals
    refusal(
        "iberia",
        set_at("rules.festivals.groups[0].places", ["valencia", "porto"]),
        'rules.festivals.groups[6].places[0]: "porto" is in group "valencia" too',
        clause="IBE-15",
    ),
    refusal(
        "iberia",
        drop("rules.festivals.score_table[6]"),
        "rules.festivals.score_table: no points for 7 cards, and a group has so many",
        clause="IBE-16",
    ),
    refusal(
        "iberia",
        drop("rules.festivals.score_table[1]"),
        "rules.festivals.score_table: must count up: 1 card, 2 cards, 3 cards and so on",
    ),
    # terrain
    refusal(
        "africa",
        set_at("rules.terrain.types[0].colours", ["yellow", "red"]),
        "rules.terrain.types: no terrain type for orange: each colour belongs to exactly one",
        clause="AFR-03",
    ),
    refusal(
        "africa",
        set_at("rules.terrain.types[0].colours", ["yellow", "orange", "red", "gray"]),
        "rules.terrain.types: 2 terrain types for gray: each colour belongs to exactly one",
        clause="AFR-03",
    ),
    refusal(
        "africa",
        set_at("rules.terrain.deal", 9),
        "rules.terrain.deal: first deal and face-up cards take 47 cards, there are 45",
    ),
    refusal(
        "africa",
        set_at("rules.terrain.types[1]", DESERT),
        'rules.terrain.types[1].id: "desert" is also the id of rules.terrain.types[0]',
    ),
]


@pytest.mark.parametrize(("name", "change", "told"), REFUSALS)
def test_a_bad_map_is_refused_by_name(name: str, change: Change, told: str) -> None:
    found = faults(name, change)
    assert any(f"{name}.json {told}" in str(fault) or told in fault.reason for fault in found), found
    assert all(fault.file == f"{name}.json" and fault.path and fault.reason for fault in found)


def test_the_message_has_file_path_and_reason() -> None:
    data = raw("europe")
    data["tracks"][41]["b"] = "zurch"
    with pytest.raises(BadMap) as caught:
        read_map(json.dumps(data), source="europe.json")
    fault = caught.value
    assert (fault.file, fault.path) == ("europe.json", "tracks[41].b")
    assert fault.reason == 'no place "zurch" (did you mean "zurich"?)'
    assert str(fault) == 'europe.json tracks[41].b: no place "zurch" (did you mean "zurich"?)'
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_all_faults_are_told_at_once() -> None:
    change = both(
        set_at("trains", "many"),
        set_at("places[2].kind", "town"),
        set_at("tracks[5].a", "atlanto"),
        set_at("tickets[3].points", -1),
        set_at("rules.terain", {}),
    )
    assert {fault.path for fault in faults("usa", change)} == {
        "trains", "places[2].kind", "tracks[5].a", "tickets[3].points", "rules.terain",
    }  # fmt: skip


def test_a_slip_in_one_key_does_not_make_its_name_unknown() -> None:
    assert [fault.path for fault in faults("usa", set_at("places[0].lat", None))] == ["places[0].lat"]


@pytest.mark.clause("AFR-18")
def test_a_ticket_that_only_a_dead_end_could_join_is_refused() -> None:
    def change(data: Json) -> None:
        border = {"kind": "country", "country": "border", "dead_end": True, "lat": 51, "lon": -5}
        data["places"] += [{"id": "gate", "name": "Gate", **border}]
        data["places"] += [{"id": "beyond", "name": "Beyond", "lat": 52, "lon": -5}]
        data["tracks"] += [{"id": "abbey-gate-1", "a": "abbey", "b": "gate", "length": 1, "colour": "red"}]
        data["tracks"] += [{"id": "gate-beyond-1", "a": "gate", "b": "beyond", "length": 1, "colour": "red"}]
        data["tickets"] += [{"a": "abbey", "b": "border", "points": 1}]
        data["tickets"] += [{"a": "beyond", "b": "border", "points": 1}]
        data["tickets"] += [{"a": "abbey", "b": "beyond", "points": 2}]

    found = [str(fault) for fault in faults("tiny", change)]
    assert found == ['tiny.json tickets[13]: no chain of tracks joins "abbey" and "beyond"']


def test_a_key_written_twice_is_refused() -> None:
    text = TINY.read_text("utf-8").replace('"length": 1,', '"length": 1, "length": 2,', 1)
    assert [str(fault) for fault in check_map(text, "tiny.json")] == [
        'tiny.json tracks[0].length: "length" is written twice'
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "x.json line 1 column 1: not JSON: Expecting value"),
        (b'{"id": }', "x.json line 1 column 8: not JSON: Expecting value"),
        (b'{"id":\n "a",}', "x.json line 2 column 6: not JSON: "),
        (b"[1, 2]", "x.json: must be an object, not a list"),
        (b"null", "x.json: must be an object, not null"),
        (b"NaN", "x.json: must be an object, not NaN"),
        (b'{"id": "\xff"}', "x.json byte 8: not UTF-8 text"),
        (b"[" * 200_000, "x.json: nested too deeply"),
        (b'{"a":' * 100_000, "x.json: nested too deeply"),
        (b" " * ((1 << 20) + 1), "x.json: too large: over 1048576 bytes"),
        (b"9" * 100_000, "x.json: must be an object, not 999"),
    ],
)
def test_text_that_is_no_map_at_all(text: bytes, told: str) -> None:
    with pytest.raises(BadMap) as caught:
        read_map(text, source="x.json")
    assert str(caught.value).startswith(told)


def test_a_file_of_nothing_but_faults_is_given_up() -> None:
    text = json.dumps({f"key_{i}": i for i in range(50_000)})
    found = check_map(text, "x.json")
    assert len(found) == MAX_FAULTS + 1
    assert found[-1].reason == "more than 99 faults: the rest is not looked at"


def test_an_unknown_map_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadMap, match=re.escape('no map "europa" (did you mean "europe"?)')):
        load_map("europa")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMap, match=r"gone\.json: cannot be read: "):
        load_map(tmp_path / "gone.json")
    with pytest.raises(BadMap, match="not a file"):
        load_map(tmp_path)
    with pytest.raises(BadMap, match="cannot be read"):
        load_map("bad\0name.json")
    assert [fault.file for fault in check_file(tmp_path / "gone.json")] == ["gone.json"]


# --- the JSON Schema ----------------------------------------------------------------------------------------


def test_the_shipped_schema_is_the_generated_one() -> None:
    assert (MAPS / "map.schema.json").read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", [*FIVE, "tiny"])
def test_each_map_validates_against_the_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.Draft202012Validator(json_schema()).validate(raw(name))


def test_the_schema_describes_every_key_and_refuses_others() -> None:
    def walk(schema: Json) -> None:
        if schema.get("type") == "object" and "properties" not in schema:  # texts by id
            walk(schema["additionalProperties"])
        elif schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            named = schema["properties"]
            assert all("description" in field or key.isdigit() for key, field in named.items())
            for field in named.values():
                walk(field)
        if "items" in schema:
            walk(schema["items"])

    walk(json_schema())


def test_the_guide_names_every_rule_and_every_mark() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "maps.md").read_text(encoding="utf-8")
    rules = json_schema()["properties"]["rules"]["properties"]
    assert [word for word in (*rules, *MARKS) if f"`{word}`" not in guide] == []


def test_the_example_of_the_guide_loads() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "maps.md").read_text(encoding="utf-8")
    example = guide.split("```json\n")[1].split("```")[0]
    assert read_map(example, source="two_hills.json").id == "two_hills"
    jsonschema.Draft202012Validator(json_schema()).validate(json.loads(example))
