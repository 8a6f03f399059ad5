"""A file of differences puts a shipped map right: checked like a map, with a hash of its own, and its marks true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from branchline import BadMap, Game, MapData, load_map
from branchline.maps import check_map, known_maps, put_on_shelf, read_map, shipped_maps
from branchline.maps.loader import SHELF
from branchline.record import BadRecord, read_game, record_of, write_game

FAN_MAPS = Path(__file__).parent / "data" / "maps"
HEAD = {"schema": "branchline-correction/1", "corrects": "iberia"}


def box(**changes: Any) -> MapData:
    return read_map(json.dumps(HEAD | changes), source="box.json")


def told(**changes: Any) -> list[str]:
    return [str(fault) for fault in check_map(json.dumps(HEAD | changes), "box.json")]


def test_a_ticket_is_changed_taken_out_and_added() -> None:
    iberia = load_map("iberia")
    first, second, *rest = (ticket.id for ticket in iberia.tickets)
    added = {"a": "lisboa", "b": "palma", "points": 16}
    data = box(tickets={first: {"points": 3}, second: None, "+": [added]})
    assert [ticket.id for ticket in data.tickets] == [first, *rest, "lisboa-palma"]
    assert data.tickets[0].points == 3
    assert (data.id, data.name) == ("iberia_corrected", "Iberia (corrected)")
    assert data.hash != iberia.hash and data.drawn_as == "iberia"


def test_what_was_corrected_is_no_reconstruction_and_the_rest_stays_one() -> None:
    iberia = load_map("iberia")
    first, second, *_ = iberia.tickets
    data = box(tickets={first.id: {}})  # looked at, and right
    assert (data.tickets[0].provenance, data.tickets[1].provenance) == ("official-1-source", "reconstruction")
    assert "tickets" in data.reconstructed
    everything = box(tickets={ticket.id: {} for ticket in iberia.tickets}, mark="official-2-sources")
    assert {ticket.provenance for ticket in everything.tickets} == {"official-2-sources"}
    assert "tickets" not in everything.reconstructed and "festival_cards" in everything.reconstructed
    assert second.id == everything.tickets[1].id


def test_a_whole_list_takes_the_place_of_ours() -> None:
    africa = load_map("africa")
    rows = [{"a": "cairo", "b": t.b[0], "points": n + 5} for n, t in enumerate(africa.tickets) if t.a == ("tanger",)]
    cards = [*rows, *({"a": a, "b": b, "points": 8} for a, b in _pairs(africa, 40))]
    data = read_map(json.dumps({**HEAD, "corrects": "africa", "tickets": cards}), source="box.json")
    assert len(data.tickets) == len(cards)
    assert "tickets" not in data.reconstructed


def _pairs(data: MapData, n: int) -> list[tuple[str, str]]:
    cities = [place.id for place in data.places if place.kind == "city"]
    return [(cities[i % 9], cities[9 + i % 11]) for i in range(n)]


def test_festival_cards_and_scores_are_corrected() -> None:
    groups = {"sevilla": {"cards": 4}, "lisboa": {"cards": 3}}
    scores = [{"cards": n, "points": 2 * n} for n in range(1, 8)]
    data = box(rules={"festivals": {"groups": groups, "score_table": scores}})
    assert data.festivals is not None
    by_id = {group.id: group for group in data.festivals.groups}
    assert (by_id["sevilla"].cards, by_id["sevilla"].provenance) == (4, "official-1-source")
    assert by_id["valencia"].provenance == "reconstruction"
    assert data.festivals.score_table == (0, 2, 4, 6, 8, 10, 12, 14)
    assert "festival_scores" not in data.reconstructed and "festival_cards" in data.reconstructed


def test_a_length_is_corrected_and_the_drawn_board_still_serves() -> None:
    track = next(t for t in load_map("iberia").tracks if t.id.endswith("-1") and t.length == 2)
    alike = {t.id: {"length": 3} for t in load_map("iberia").tracks if {t.a, t.b} == {track.a, track.b}}
    data = box(tracks=alike)
    assert next(t.length for t in data.tracks if t.id == track.id) == 3
    assert data.drawn_as == "iberia"


def test_a_map_whose_tracks_are_other_ones_is_drawn_anew() -> None:
    track = next(t for t in load_map("usa").tracks if t.id == "montreal-toronto-1")
    data = read_map(json.dumps({**HEAD, "corrects": "usa", "tracks": {track.id: None}}), source="box.json")
    assert data.drawn_as == ""


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"corrects": "ibera"}, 'box.json corrects: no shipped map "ibera" (did you mean "iberia"?)'),
        ({"schema": "branchline-map/1"}, 'box.json schema: must be "branchline-correction/1"'),
        ({"mark": "official"}, 'box.json mark: no provenance mark "official" (did you mean "official-1-source"?)'),
        ({"id": "usa"}, 'box.json id: "usa" is a shipped map: the corrected one needs an id of its own'),
        ({"rules": {"festivls": {}}}, 'box.json rules.festivls: no rule "festivls" (did you mean "festivals"?)'),
        (
            {"tickets": {"almeria-cadz": {"points": 4}}},
            'box.json tickets.almeria-cadz: not one of the tickets of the shipped map (did you mean "almeria-cadiz"?)',
        ),
        (
            {"tickets": {"almeria-cadiz": 7}},
            "box.json tickets.almeria-cadiz: must be an object, or null for one that is not there, not 7",
        ),
        (
            {"tickets": {"almeria-cadiz": {"points": "7"}}},
            'box.json tickets.almeria-cadiz.points: must be a whole number, not "7"',
        ),
        ({"tickets": {"+": {}}}, "box.json tickets.+: must be a list, not an object"),
        (
            {"tickets": {"+": [{"a": "lisbon", "b": "palma", "points": 9}]}},
            'box.json tickets.+[0].a: no place "lisbon" (did you mean "lisboa"?)',
        ),
        (
            {"rules": {"festivals": {"score_table": [{"cards": 1, "points": 2}]}}},
            "box.json rules.festivals.score_table: no points for 7 cards, and a group has so many",
        ),
    ],
)
def test_a_slip_is_told_where_it_stands_in_the_file(changes: dict[str, Any], fault: str) -> None:
    assert told(**changes) == [fault]


@pytest.mark.parametrize("value", [7, None, [], "x", {}, [7], {"x": 7}, [[]], {"+": [7, None]}])
@pytest.mark.parametrize("part", ["tickets", "rules", "tracks", "sources", "players", "trains", "id", "name", "mark"])
def test_nonsense_is_refused_in_words(part: str, value: object) -> None:
    for fault in check_map(json.dumps(HEAD | {part: value}), "box.json"):
        assert isinstance(fault, BadMap) and fault.reason


@pytest.mark.parametrize("corrects", ["iberia", "africa"])
def test_the_corrections_of_the_guide_work(corrects: str) -> None:
    guide = (Path(__file__).parents[1] / "docs" / "maps.md").read_text(encoding="utf-8")
    samples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", guide, re.DOTALL)]
    (sample,) = [sample for sample in samples if sample.get("corrects") == corrects]
    data = read_map(json.dumps(sample), source=f"{corrects}_box.json")
    assert data.drawn_as == corrects and data.hash != load_map(corrects).hash
    confirmed = [ticket for ticket in data.tickets if ticket.provenance == "official-1-source"]
    assert len(confirmed) == sum(change is not None for change in sample["tickets"].values())


def test_the_refusal_in_the_guide_is_what_is_said() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "maps.md").read_text(encoding="utf-8")
    slip = json.dumps(HEAD | {"tickets": {"almeria-cadz": {"points": 7}}})
    assert f"BadMap: {check_map(slip, 'iberia_box.json')[0]}" in guide


# ---------------------------------------------------------------- wherever a map is named


def test_a_game_on_a_corrected_map_says_so_in_its_record(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    file.write_text(json.dumps(HEAD | {"tickets": {"almeria-cadiz": {"points": 4}}}), encoding="utf-8")
    game = Game.new(str(file), players=2, seed=1)
    text = write_game(record_of(game, ()))
    assert read_game(text, map=load_map(file)).map == game.map
    with pytest.raises(BadRecord, match="iberia_corrected"):
        read_game(text)


def test_maps_on_the_shelf_are_known_by_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHELF, "")
    put_on_shelf([FAN_MAPS])
    assert known_maps()[: len(shipped_maps())] == shipped_maps() and "e_moles" in known_maps()
    assert load_map("e_moles") == load_map(FAN_MAPS / "e_moles.json")
    game = Game.new("e_moles", players=2, seed=1)
    assert read_game(write_game(record_of(game, ()))).map == game.map


def test_an_id_that_is_there_already_stays_off_the_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHELF, "")
    usa = json.loads((FAN_MAPS / "tiny.json").read_text(encoding="utf-8")) | {"id": "usa"}
    (tmp_path / "mine.json").write_text(json.dumps(usa), encoding="utf-8")
    with pytest.raises(BadMap, match=r'mine\.json id: a map "usa" is shipped'):
        put_on_shelf([tmp_path / "mine.json"])
    with pytest.raises(BadMap, match="given already"):
        put_on_shelf([FAN_MAPS / "tiny.json", FAN_MAPS / "tiny.json"])
    assert known_maps() == shipped_maps()
