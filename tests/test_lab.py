"""The lab: its notes against the library's face, its counting against cases solved by hand, its report as a reader
meets it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline import Game, load_map, shipped_maps
from branchline import events as e
from branchline.bots.games import columns as n
from branchline.bots.games.lab_notes import note_game
from branchline.bots.games.request import request
from branchline.bots.games.rows import LAB_NOTES, LAB_ROOM
from branchline.cli import main
from branchline.codec import action_of, names_of
from branchline.kernel.board import make_board
from branchline.lab import Games, Study, count_games, play_games
from branchline.lab.findings import find
from branchline.lab.intervals import difference, mean, share
from branchline.lab.markdown import write_markdown
from branchline.lab.playing import NoteTaker
from branchline.lab.projection import lay_out
from branchline.lab.report_tables import tables_of
from branchline.lab.study_page import write_page
from branchline.lab.words import mean_words, number, share_cell, signed
from branchline.mechanics.composed import Position, Work
from branchline.mechanics.festivals.columns import S_FESTIVAL_POINTS
from branchline.mechanics.stations.columns import S_BUILDS, S_LENT, S_STATION_POINTS, S_STATIONS
from branchline.mechanics.terrain.columns import T_DOUBLED
from branchline.mechanics.tunnels.columns import G_SURCHARGES, T_FAILED
from branchline.simulation import Series
from branchline.simulation.series import SeriesRoom

ROOT = Path(__file__).parent.parent
MAPS = shipped_maps()
TINY = ROOT / "tests" / "data" / "maps" / "tiny.json"
GAMES = 120


def series(name: str, players: int = 2, games: int = GAMES) -> Series:
    return Series(load_map(name), ("path",) * players, games=games, seed=3)


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    return {name: count_games(play_games(series(name, 2 + i % 2))) for i, name in enumerate(MAPS)}


def lab(*words: str) -> int:
    """Run the command; argparse leaves by SystemExit."""
    try:
        return main(["lab", *words])
    except SystemExit as left:
        return int(left.code or 0)


# ---------------------------------------------------------------- notes


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("players", [2, 5])
def test_interpreted_and_compiled_notes_are_the_same(name: str, players: int) -> None:
    one = series(name, players)
    codes, _ = SeriesRoom(one).codes(1)
    notes = [0] * LAB_ROOM
    positions = [Position()]
    asked = request(players=players, seed=one.game_seed(1), log_n=len(codes))
    turns = note_game(positions, make_board(one.map), Work(), asked, codes, notes)
    assert turns == notes[n.G_TURNS] > 20
    assert NoteTaker(one).notes(1, codes).tolist() == notes[:LAB_NOTES]


@pytest.mark.parametrize("name", MAPS)
def test_notes_say_what_the_events_and_the_score_sheet_say(name: str) -> None:
    one = series(name, 3)
    names = names_of(one.map)
    for number_ in range(3):
        codes, _ = SeriesRoom(one).codes(number_)
        game = Game.new(one.map, 3, seed=one.game_seed(number_))
        told: list[tuple[int, e.Event]] = []
        turn = sum(isinstance(event, e.TurnBegan) for event in game.first_events)
        for code in codes:
            seat = game.to_act[0]
            for event in game.play(action_of(code, game.position, names, seat), seat):
                told.append((turn, event))
                turn += isinstance(event, e.TurnBegan)
        row = NoteTaker(one).notes(number_, codes)
        games = Games.of(one, row.reshape(1, -1))
        assert games.game[0, n.G_TURNS] == turn
        check_tracks(games, told, names.track)
        check_seats(games, game)
        check_tickets(games, game, told, names.ticket)


def check_tracks(games: Games, told: list[tuple[int, e.Event]], track: dict[str, int]) -> None:
    claimed = {track[x.track]: (turn, 1 + x.seat, int(x.twice)) for turn, x in told if isinstance(x, e.TrackClaimed)}
    noted = games.track[0]
    assert {
        t: tuple(noted[t, [n.T_TURN, n.T_OWNER, T_DOUBLED]].tolist()) for t in np.flatnonzero(noted[:, n.T_TURN])
    } == claimed
    failed = [track[x.track] for _, x in told if isinstance(x, e.TunnelFailed)]
    assert noted[:, T_FAILED].sum() == len(failed)
    surcharges = sum(isinstance(x, e.TunnelCardsTurned) and x.extra > 0 for _, x in told)
    assert games.game[0, G_SURCHARGES] == surcharges
    last = [1 + x.seat for _, x in told if isinstance(x, e.LastRoundBegan)]
    assert games.game[0, n.G_LAST_ROUND_BY] == last[0]


def check_seats(games: Games, game: Game) -> None:
    for seat, sheet in enumerate(game.scores()):
        row = games.seat[0, seat]
        assert (row[n.S_SCORE], row[n.S_PLACE], row[n.S_TRACK_POINTS]) == (sheet.total, sheet.place, sheet.tracks)
        assert (row[n.S_TICKET_POINTS], row[n.S_COMPLETED]) == (sheet.ticket_points, sheet.completed)
        assert (row[S_FESTIVAL_POINTS], row[S_STATION_POINTS]) == (sheet.festival_points, sheet.stations)
        assert row[n.S_BONUS] == sheet.longest_path_bonus + sheet.globetrotter_bonus
        assert (row[S_STATIONS:S_LENT] > 0).sum() == len(sheet.loans)
        turns = row[[n.S_DRAWS, n.S_CLAIMS, n.S_TICKET_DRAWS, n.S_PASSES, S_BUILDS]].sum()
        assert abs(3 * turns - games.game[0, n.G_TURNS]) < 3  # all have had their turns


def check_tickets(games: Games, game: Game, told: list[tuple[int, e.Event]], number: dict[str, int]) -> None:
    noted = games.ticket[0]
    for seat, sheet in enumerate(game.scores()):
        held = {number[t.ticket]: int(t.completed) for t in sheet.tickets}
        assert {t: noted[t, n.D_DONE] for t in np.flatnonzero(noted[:, n.D_HOLDER] == 1 + seat)} == held
    for turn, x in told:
        if isinstance(x, e.TicketsKept) and x.tickets:
            assert all(noted[number[t], n.D_KEPT_IN] == turn for t in x.tickets)
    first = [x for x in game.first_events if isinstance(x, e.TicketsOffered)]
    for offer in first:
        assert all(noted[number[t], n.D_DEALT] == 1 + offer.seat for t in offer.tickets or ())
    dealt = games.map.first_tickets
    each = dealt.cards if hasattr(dealt, "cards") else dealt.normal + dealt.long
    assert (noted[:, n.D_DEALT] > 0).sum() == 3 * each


def test_the_number_of_threads_changes_nothing() -> None:
    one = series("europe", 4)
    alone, many = play_games(one, 1), play_games(one, 5)
    for part in ("game", "seat", "track", "ticket"):
        assert np.array_equal(getattr(alone, part), getattr(many, part))


def test_a_bot_from_a_file_is_looked_at_too(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text("class First:\n    def choose(self, view, actions):\n        return actions[0]\n", encoding="utf-8")
    games = play_games(Series(load_map(str(TINY)), (f"{file}:First",) * 2, games=2, seed=1), 1)
    assert (games.game[:, n.G_TURNS] > 0).all()
    assert count_games(games).bot.endswith("First")


# ---------------------------------------------------------------- statistics


def test_intervals_have_the_known_values() -> None:
    eight = share(8, 10)  # Wilson's interval of 8 in 10, from the tables
    assert (round(eight.low, 4), round(eight.high, 4)) == (0.4902, 0.9433)
    none = share(0, 20)
    assert (none.low, round(none.high, 4)) == (0.0, 0.1611)
    assert share(0, 0).to_json() is None
    one_to_nine = mean(np.arange(1, 10))
    assert one_to_nine.value == 5 and round(one_to_nine.half, 4) == round(1.959964 * 2.7386128 / 3, 4)
    apart = difference(np.array([1.0, 3.0]), np.array([0.0, 0.0]))
    assert apart.value == 2 and round(apart.half, 4) == 1.96


def made_games(name: Path, rows: int, players: int = 2) -> Games:
    """Games in which nothing happened yet, to be written by hand."""
    one = Series(load_map(str(name)), ("path",) * players, games=rows)
    games = Games.of(one, np.zeros((rows, LAB_NOTES), np.int16))
    games.game[:, n.G_TURNS] = 40
    games.seat[:, 0, n.S_PLACE] = 1
    games.seat[:, 1:, n.S_PLACE] = 2
    games.seat[:, 0, n.S_SCORE] = 10
    games.seat[:, :, n.S_DRAWS] = 20
    return games


def test_leaders_tracks_and_tickets_are_counted_as_by_hand() -> None:
    games = made_games(TINY, 8)
    games.game[:, n.G_LEADERS] = (1, 1, 1, 2, 2, 3, 3, 3)  # seat 0 alone three times, seat 1 twice, both three times
    games.seat[5, :, n.S_PLACE] = 1  # a victory shared
    games.track[:4, 2, n.T_TURN] = (10, 20, 30, 30)
    games.track[:4, 2, n.T_OWNER] = (1, 1, 1, 2)
    games.ticket[:6, 1, n.D_OFFERS] = 1
    games.ticket[:3, 1, n.D_HOLDER] = (1, 2, 2)
    games.ticket[:1, 1, n.D_DONE] = 1
    games.ticket[:4, 1, n.D_DEALT] = (1, 1, 2, 2)
    study = count_games(games)
    assert (study.leads[0].wins.value, study.leads[0].wins.n) == (3 / 5, 5)
    assert study.seats[0].wins.value == 7.5 / 8
    track = study.tracks[2]
    assert (track.taken.value, track.when, track.turn, track.wins.value) == (0.5, 25 / 40, 12.5, 0.75)
    assert study.tracks[0].when is None and not study.tracks[0].wins.known
    ticket, points = study.tickets[1], games.map.tickets[1].points
    assert (ticket.kept.value, ticket.completed.value) == (0.5, 1 / 3)
    assert ticket.worth.value == pytest.approx(-points / 3)
    assert ticket.score.value == pytest.approx(10 / 3 - 5)  # seat 0 has 10 points, seat 1 none
    assert (ticket.dealt_score.value, ticket.dealt_wins.value) == (0, 0.5)


def test_a_choke_point_is_found_where_it_was_put() -> None:
    games = made_games(TINY, 1000)
    t = 0
    games.ticket[:, 0, n.D_HOLDER] = 1 + np.arange(1000) % 2  # one of the two always needs the track
    games.track[:, t, n.T_TURN] = 10
    games.track[:, t, n.T_OWNER] = games.ticket[:, 0, n.D_HOLDER]
    lost = np.arange(1000) < 250  # where the other one takes it, the ticket fails and 30 points are lost
    games.track[lost, t, n.T_OWNER] = 3 - games.ticket[lost, 0, n.D_HOLDER]
    games.ticket[:, 0, n.D_DONE] = ~lost
    games.seat[:, :, n.S_SCORE] = 50
    for game in np.flatnonzero(lost):
        games.seat[game, games.ticket[game, 0, n.D_HOLDER] - 1, n.S_SCORE] = 20
    study = count_games(games)
    worst = study.routes[0]
    assert games.map.tracks[t].id in worst.tracks
    assert (worst.needed.value, worst.contested.value, worst.shut_out.value) == (1, 0, 0.25)
    assert (worst.done_if_shut.value, worst.done_if_not.value) == (0, 1)
    assert (worst.cost.value, worst.cost_per_game) == (30, 7.5)
    assert "Choke points" in [finding.title for finding in find(study)]
    dead = next(finding for finding in find(study) if finding.title == "Dead tracks")
    assert dead.text.startswith(f"{len(study.routes) - 1} routes of {len(study.routes)}")


def test_two_tickets_that_help_each_other_are_found_and_others_are_not() -> None:
    games = made_games(TINY, 4000)
    rng = np.random.default_rng(1)
    games.ticket[:, :3, n.D_HOLDER] = rng.integers(0, 3, (4000, 3))
    for seat in range(2):
        both = (games.ticket[:, :2, n.D_HOLDER] == 1 + seat).all(axis=1)
        games.seat[:, seat, n.S_SCORE] = 50 + rng.integers(-5, 6, 4000) + 20 * both
    pairs = count_games(games).pairs
    assert [(pair.a, pair.b) for pair in pairs] == [tuple(ticket.name for ticket in count_games(games).tickets[:2])]
    assert pairs[0].synergy.low < 20 < pairs[0].synergy.high
    assert pairs[0].synergy.half < 3


@pytest.mark.parametrize("name", MAPS)
def test_the_parts_add_up(name: str, studies: dict[str, Study]) -> None:
    study = studies[name]
    assert sum(seat.wins.value for seat in study.seats) == pytest.approx(1)
    assert sum(source.all for source in study.scores.sources) == pytest.approx(study.scores.mean)
    assert sum(count for _, count in study.scores.bins) == GAMES * study.players
    assert sum(study.length.ends.values()) == GAMES
    assert sum(study.length.kinds.values()) == pytest.approx(1)
    assert sum(kind.points for kind in study.colours) == pytest.approx(1)
    assert sum(kind.tracks for kind in study.lengths) == len(study.map.tracks)
    assert sum(len(route.tracks) for route in study.routes) == len(study.map.tracks)
    assert (study.more["stations"] is not None) == (study.map.stations is not None)
    assert (study.more["terrain"] is not None) == (study.map.terrain is not None)
    assert bool(study.more["festivals"]) == (study.map.festivals is not None)
    dealt = [ticket for ticket in study.tickets if ticket.dealt_score.known]
    assert all((ticket.more["pick"] is not None) == (name == "iberia") for ticket in dealt)


def test_numbers_read_well() -> None:
    assert (number(-0.04), number(-1.26), number(None), signed(2.0), signed(-2.0)) == (
        "0.0",
        "−1.3",
        "–",
        "+2.0",
        "−2.0",
    )
    assert share_cell(share(50, 100)) == "50.0 ±9.6"
    assert mean_words(mean(np.array([-3.0, -1.0, -2.0, -2.0]))) == "2.0 (1.2–2.8)"


# ---------------------------------------------------------------- the report


@pytest.mark.parametrize("name", MAPS)
def test_there_are_five_to_ten_findings_in_whole_sentences(name: str, studies: dict[str, Study]) -> None:
    found = find(studies[name])
    assert 5 <= len(found) <= 10
    assert len({finding.title for finding in found}) == len(found)
    for finding in found:
        assert finding.text.endswith(".") and finding.advice.endswith(".")
        assert "nan" not in finding.text


@pytest.mark.parametrize(
    ("won", "title"),
    [(300, "An early lead is no good sign"), (500, "An early lead says little"), (900, "Leaders run away")],
)
def test_what_an_early_lead_is_worth(won: int, title: str, studies: dict[str, Study]) -> None:
    study = studies["usa"]
    early, half, late = study.leads
    leads = (early, replace(half, wins=share(won, 1000)), late)
    assert title in [finding.title for finding in find(replace(study, leads=leads))]


class Reader(HTMLParser):
    """The tags of a page, and that those which must be closed are."""

    LOOSE = ("meta", "input", "th", "td", "tr", "path", "circle", "rect", "line")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.LOOSE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.LOOSE:
            assert self.open.pop() == tag


@pytest.mark.parametrize("name", MAPS)
def test_the_page_stands_alone_and_draws_every_track(name: str, studies: dict[str, Study]) -> None:
    page = write_page([studies[name]])
    reader = Reader(page)
    for tag, attributes in reader.tags:
        assert tag not in ("script", "link", "img", "iframe")
        assert not attributes.get("src") and (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page and "@import" not in page
    drawn = [a for tag, a in reader.tags if tag == "path" and (a.get("class") or "").startswith("t ")]
    assert len(drawn) == len(studies[name].map.tracks)
    for track in studies[name].tracks:
        assert page.count(track.name.replace("'", "&#x27;")) >= 2, "in the drawing and in the table"
    assert ("Our reconstruction" in page) == (name in ("iberia", "africa"))
    assert (" †</td>" in page or " †<td>" in page) == (name in ("iberia", "africa"))
    assert f"{GAMES:,} games" in page


def test_names_on_the_drawing_lie_inside_it_and_apart() -> None:
    for name in MAPS:
        sheet = lay_out(load_map(name))
        places = [place for place in load_map(name).places if place.kind != "way_station"]
        assert sorted(label.text for label in sheet.labels) == sorted(place.name for place in places)
        assert all(0 < p.x < sheet.width and 0 < p.y < sheet.height for p in sheet.places.values())
        assert len({label.at for label in sheet.labels}) == len(places)


def test_the_markdown_has_whole_tables(studies: dict[str, Study]) -> None:
    text = write_markdown([studies["europe"], studies["iberia"]])
    tables = re.findall(r"(?:^\|.*\|\n)+", text + "\n", re.MULTILINE)
    assert len(tables) == sum(len(tables_of(studies[name])) for name in ("europe", "iberia"))
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "Made by `branchline lab europe --games 120" in text


@pytest.mark.parametrize("name", MAPS)
def test_the_reports_that_are_kept_are_whole_and_small(name: str) -> None:
    folder = ROOT / "results" / "lab"
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 200_000
    Reader(page)
    report = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    assert report["map_hash"] == load_map(name).hash, "the map has changed: make its report again"
    assert report["games"] >= 20_000
    assert report["studies"][0]["findings"][0]["title"] in (folder / f"{name}.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the command


def test_the_command_writes_three_files_and_says_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--games", "60", "--players", "2,3", "--bot", "path", "--seed", "4", "--threads", "2")
    assert lab(str(TINY), *words, "--out", str(tmp_path / "new"), "--json") == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["tiny.html", "tiny.json", "tiny.md"]
    assert json.loads((tmp_path / "new" / "tiny.json").read_text(encoding="utf-8")) == report
    assert [study["players"] for study in report["studies"]] == [2, 3]
    assert (report["games"], report["bot"], report["seed"]) == (60, "path", 4)
    value, low, high, games = report["studies"][1]["seats"][2]["wins"]
    assert low <= value <= high and games == 60


def test_the_command_tells_its_findings_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab("iberia", "--games", "100", "--bot", "path") == 0
    out = capsys.readouterr().out
    assert "100 games with 2 players" in out
    assert "what to look at" in out and "\n 5. " in out
    assert "Our reconstruction" in out


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("nowhere",), "nowhere"),
        (("usa", "--players", "9"), "2 to 5 players"),
        (("usa", "--players", "two"), "--players two"),
        (("usa", "--players", "2,2"), "each once"),
        (("usa", "--games", "0"), "0 games"),
        (("usa", "--games", "1000000"), "100000 at the most"),
        (("usa", "--bot", "plannr"), "plannr"),
        (("usa", "--threads", "0"), "--threads 0"),
    ],
)
def test_wrong_arguments_are_answered_with_a_sentence(
    words: tuple[str, ...], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lab(*words) == 2
    assert answer in capsys.readouterr().err


def test_every_option_is_documented() -> None:
    import argparse

    from branchline.commands.lab import add_arguments

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    text = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    for action in parser._actions:
        for option in action.option_strings:
            assert option in ("-h", "--help") or f"`{option}" in text, option
