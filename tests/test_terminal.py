"""The game in the terminal: whole games typed at it, friendly input, refusals, undo, secrets, screens of two widths."""

from __future__ import annotations

import io
import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from branchline import Deal, Game, load_map, shipped_maps, write_action
from branchline import actions as a
from branchline.commands import play
from branchline.events import DrewBlind
from branchline.maps.model import COLOURS
from branchline.mechanics import MECHANICS
from branchline.objections import MixedColours
from branchline.record import load_game, verify
from branchline.terminal.completing import Sentence, complete, sentences
from branchline.terminal.facts import claim_offers, ticket_states
from branchline.terminal.final import final_lines, tie_lines, trail
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels, folded
from branchline.terminal.menu import make_menu
from branchline.terminal.news import names_for, news_lines
from branchline.terminal.parts import EVERY_VERB, verbs_of
from branchline.terminal.places import Part
from branchline.terminal.plan import Ask, Do, Reading, Refuse, Run, Say
from branchline.terminal.reading import Reader
from branchline.terminal.rich_screen import RichScreen
from branchline.terminal.rules_text import clauses, look_up
from branchline.terminal.screen import PlainScreen
from branchline.terminal.table import Chair, Table, help_lines
from branchline.terminal.words import COMMANDS
from branchline.view import View
from branchline.words.telling import Telling
from tests.table import hand, table

ROOT = Path(__file__).parent.parent
MAPS = shipped_maps()


class Claimer:
    """A bot that claims when it can and chooses at random otherwise."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, view: View, actions: Sequence[a.Action], /) -> a.Action:
        claims = [action for action in actions if isinstance(action, a.ClaimTrack)]
        return self.random.choice(claims if claims and self.random.random() < 0.7 else list(actions))


class Script(PlainScreen):
    """A plain screen on which a script types; `typist` may look at the table to decide."""

    def __init__(self, lines: Iterable[str] | Callable[[Table], str]) -> None:
        super().__init__(io.StringIO(), io.StringIO())
        self.lines = lines if callable(lines) else iter(lines)
        self.table: Table | None = None
        self.prompts: list[str] = []

    def ask(self, prompt: str, known: Callable[[], Sequence[Sentence]] | None = None) -> str:
        self.prompts.append(prompt)
        if known is None:
            line = ""
        elif callable(self.lines):
            assert self.table
            line = self.lines(self.table)
        else:
            line = next(self.lines, None) or self._end()
        self.say(f"{prompt} > {line}")
        return line

    @staticmethod
    def _end() -> str:
        raise EOFError

    @property
    def text(self) -> str:
        return cast(io.StringIO, self.stdout).getvalue()


def seat_at(game: Game, persons: int = 1) -> list[Chair]:
    people = [Chair(name) for name in ("Ann", "Ben", "Cleo", "Dan", "Eva")[:persons]]
    return people + [Chair(f"Bot {n}", "random", Claimer(n)) for n in range(1, game.players - persons + 1)]


def typed(
    game: Game, lines: Iterable[str] | Callable[[Table], str], persons: int = 1, record: Path | None = None
) -> tuple[Table, str]:
    """Sit persons down at a game and type lines; the table and all that was shown."""
    screen = Script(lines)
    screen.table = Table(game, seat_at(game, persons), screen, record)
    screen.table.run()
    return screen.table, screen.text


def reader_of(game: Game, seat: int = 0) -> Reader:
    labels = ScreenLabels(game.map, plain=True)
    view = game.view(seat)
    actions = view.legal_actions()
    return Reader(view, actions, labels, PlaceFinder(labels), make_menu(view, actions, labels).all)


def read(game: Game, line: str, seat: int = 0) -> Reading:
    return reader_of(game, seat).read(line)


def choose_any(game: Game, seat: int, chance: random.Random) -> a.Action:
    return Claimer(chance.getrandbits(20)).choose(game.view(seat), game.legal_actions(seat))


# ---------------------------------------------------------------- whole games


def notation_typist(seed: int) -> Callable[[Table], str]:
    """Types legal actions in notation, now and then something else before."""
    chance = random.Random(seed)
    commands = [name for name in COMMANDS if name not in ("quit", "save")]

    def typist(table: Table) -> str:
        if chance.random() < 0.2:
            return chance.choice([*commands, "nonsense", "", "99", "tracks free", "log 5", "rules locomotive"])
        assert table.viewer is not None
        line = write_action(choose_any(table.game, table.viewer, chance))
        return "draw tickets" if line == "tickets" else line

    return typist


@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_whole_game_can_be_typed_in_notation(map: str, players: int) -> None:
    table, text = typed(Game.new(map, players, seed=players), notation_typist(players))
    assert table.game.is_over
    assert "The game is over" in text
    assert re.search(r"(wins|You win!|shared by)", text)


@pytest.mark.parametrize("map", MAPS)
def test_a_whole_game_can_be_typed_in_friendly_words(map: str) -> None:
    chance = random.Random(5)

    def typist(table: Table) -> str:
        assert table.viewer is not None
        view = table.game.view(table.viewer)
        action = choose_any(table.game, table.viewer, chance)
        known = sentences(view, [action], table.labels)
        line = " ".join(known[0])
        return line if line != "keep" else "keep " + ", ".join(table.labels.ticket(t) for t in _tickets(action))

    table, text = typed(Game.new(map, 3, seed=8), typist)
    assert table.game.is_over
    assert "I do not understand" not in text


def _tickets(action: a.Action) -> tuple[str, ...]:
    assert isinstance(action, a.KeepTickets)
    return action.tickets


@pytest.mark.parametrize("map", MAPS)
def test_several_persons_share_the_keyboard(map: str) -> None:
    table, text = typed(Game.new(map, 3, seed=2), notation_typist(9), persons=2)
    assert table.game.is_over
    assert "Hand the keyboard to Ben. Ben, press Enter when you are ready." in text
    assert "Hand the keyboard to Ann. Ann, press Enter when you are ready." in text


def test_bots_alone_are_watched() -> None:
    table, text = typed(Game.new("usa", 2, seed=1), [], persons=0)
    assert table.game.is_over
    assert "You" not in text.replace("You have left", "")


def by_numbers(out: str, chance: random.Random, tried: set[str]) -> str:
    """An answer read off the screen alone: a number of the menu, as many as are asked for."""
    asked = out.rsplit("\n", 1)[-1]
    keep = re.search(r"Keep (?:at least|exactly) (\d)", asked)
    keys = re.findall(r"^(\d+|no): ", out, re.MULTILINE)
    if keep:
        return " ".join(str(n) for n in range(1, int(keep[1]) + 1))
    options = re.findall(r"^  (\d+)\) ", out, re.MULTILINE)
    fresh: list[str] = [key for key in options or keys if key not in tried] or ["6"]
    claims: list[str] = [key for key in re.findall(r"^(\d+): claim", out, re.MULTILINE) if key in fresh]
    return chance.choice(claims if claims and chance.random() < 0.6 else fresh)


@pytest.mark.parametrize("map", MAPS)
def test_a_whole_game_through_pipes_by_numbers_alone(map: str, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    args = ["play", "--map", map, "--seats", "me,random,random", "--seed", "11", "--record", str(record)]
    process = subprocess.Popen(
        [sys.executable, "-m", "branchline", *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdin
    assert process.stdout
    chance, everything, menu, tried = random.Random(3), "", "", set[str]()
    while True:
        out = _until_prompt(process.stdout)
        everything += out
        if not out.endswith(" > "):
            break
        if len(re.findall(r"^(?:\d+|no|  \d+[):]) ?", out, re.MULTILINE)) > 1 or "Keep" in out:
            menu, tried = out, set()
        answer = by_numbers(menu, chance, tried)
        tried.add(answer)
        process.stdin.write(f"{answer}\n".encode())
        process.stdin.flush()
    assert process.wait(30) == 0
    assert "The game is over" in everything
    assert "\x1b" not in everything
    assert verify(load_game(record)) is None


def _until_prompt(stream: object) -> str:
    """All that is written up to the next prompt, or to the end."""
    out = b""
    while not out.endswith(b" > "):
        byte = stream.read(1)  # type: ignore[attr-defined]
        if not byte:
            break
        out += byte
    return out.decode()


# ---------------------------------------------------------------- friendly input


def test_notation_is_read_as_it_is() -> None:
    game = table("usa", hands=["purple purple purple purple loco"])
    for line in ("draw 3", "draw deck", "claim denver-omaha-1 purple", "pass", "locos 1", "keep boston-miami"):
        reading = read(game, line)
        assert isinstance(reading, Do), line
        assert write_action(cast(a.Action, reading.steps[0])) == line


@pytest.mark.parametrize(
    "line",
    [
        "claim denver omaha purple 1 loco",
        "claim omaha denver purple 1 loco",
        "denver omaha 1 loco",
        "Denver - Omaha, 3 purple and 1 locomotive",
        "c den oma pur loco 1",
        "claim denver to omaha with 3 purple",
        "claim denver-omaha-1 3 purple 1 loco",
        "claim denver omaha p 1 l",
    ],
)
def test_a_claim_can_be_said_in_many_ways(line: str) -> None:
    game = table("usa", hands=["purple purple purple purple loco loco"])
    assert read(game, line) == Do((a.ClaimTrack("denver-omaha-1", "purple"), a.PlayLocos(1)))


def test_two_places_alone_are_a_claim() -> None:
    game = table("usa", hands=["purple purple purple purple"])
    assert read(game, "denver omaha") == Do((a.ClaimTrack("denver-omaha-1", "purple"),))
    assert read(game, "salt lake city denver") != Do((a.ClaimTrack("denver-omaha-1", "purple"),))


def test_places_are_found_by_beginnings_initials_and_without_accents() -> None:
    finder = PlaceFinder(ScreenLabels(load_map("usa"), plain=True))
    for said, place in [
        ("ny", "new_york"),
        ("new y", "new_york"),
        ("montreal", "montreal"),
        ("slc", "salt_lake_city"),
        ("lake", "salt_lake_city"),
        ("la", "los_angeles"),
        ("saint louis", "saint_louis"),
    ]:
        assert finder.best(tuple(said.split())) == [place], said
    assert len(finder.best(("sa",))) > 1
    finder = PlaceFinder(ScreenLabels(load_map("europe"), plain=True))
    assert finder.best(("kobenhavn",)) == ["kobenhavn"]
    assert finder.best(("zurich",)) == ["zurich"]
    finder = PlaceFinder(ScreenLabels(load_map("africa"), plain=True))
    assert finder.best(("lower", "congo")) == ["junction_lower_congo"]
    assert len(finder.best(("nigeria",))) == 2


def test_every_place_and_ticket_has_a_name_of_its_own() -> None:
    for map in MAPS:
        labels = ScreenLabels(load_map(map), plain=True)
        assert len({labels.place(p.id) for p in labels.data.places}) == len(labels.data.places)
        assert len({labels.ticket(t.id) for t in labels.data.tickets}) == len(labels.data.tickets)
        assert len({(labels.track(t.id), t.colour) for t in labels.data.tracks}) == len(labels.data.tracks)


def test_an_ambiguous_claim_asks_and_the_number_answers() -> None:
    game = table("usa", hands=["red red blue blue loco"])
    reading = read(game, "duluth omaha")
    assert isinstance(reading, Ask)
    assert [option.text for option in reading.options] == [
        "Duluth to Omaha (gray) with 2 blue",
        "Duluth to Omaha (gray) with 2 red",
    ]
    _, text = typed(table("usa", hands=["red red blue blue loco"]), ["duluth omaha", "2", "0"])
    assert "Ann" not in text
    assert "You claim Duluth to Omaha (1) for 2 red cards: 2 points." in text


def test_parallel_tracks_of_two_colours_are_told_apart_by_the_colour() -> None:
    game = table("usa", hands=["red red red yellow yellow yellow"])
    assert read(game, "denver salt yellow") == Do((a.ClaimTrack("denver-salt_lake_city-2", "yellow"),))
    reading = read(game, "denver salt")
    assert isinstance(reading, Ask)
    assert len(reading.options) == 2


def test_locomotives_alone() -> None:
    game = table("usa", hands=["loco loco loco loco red"])
    assert read(game, "duluth omaha loco") == Do((a.ClaimTrack("duluth-omaha-1", "loco"),))
    assert read(game, "denver omaha loco") == Do((a.ClaimTrack("denver-omaha-1", "purple"),))
    assert read(game, "denver omaha purple 4 locos") == Do((a.ClaimTrack("denver-omaha-1", "purple"),))


def test_cards_are_drawn_by_colour_letter_or_place() -> None:
    game = table("usa", display="red blue green white black")
    assert read(game, "draw blue") == read(game, "blue") == read(game, "d b") == read(game, "2")
    assert read(game, "draw blue") == Do((a.DrawDisplay(2),))
    assert read(game, "d k") == Do((a.DrawDisplay(5),))
    assert read(game, "deck") == read(game, "6") == read(game, "draw deck") == Do((a.DrawDeck(),))
    assert read(game, "draw red deck") == Do((a.DrawDisplay(1), "draw deck"))
    assert read(game, "draw tickets") == Do((a.DrawTickets(),))
    assert read(game, "draw yellow") == Say(
        "There is no yellow in the display; there are red, blue, green, white and black."
    )
    assert isinstance(read(game, "d"), Ask)
    assert isinstance(read(game, "draw bleu"), Say)


def test_two_cards_in_one_line() -> None:
    game = table("usa", display="red blue green white black", deck="orange yellow")
    before = hand(game, 0)
    after, text = typed(game, ["draw red blue", "quit"])
    assert (hand(after.game, 0) - before) == {"red": 1, "blue": 1}
    assert "You take a red card from place 1 of the display." in text


def test_a_second_card_that_comes_too_late_is_told() -> None:
    game = table("usa", display="loco blue green white black")
    _, text = typed(game, ["draw loco blue", "quit"])
    assert 'Your turn is over: "draw blue" comes too late.' in text


def test_terrain_cards() -> None:
    game = table("africa", terrain_display="desert mountain")
    assert read(game, "terrain mountain") == read(game, "draw mountain") == Do((a.TakeTerrain(2),))
    assert read(game, "terrain 1") == read(game, "desert") == Do((a.TakeTerrain(1),))
    assert read(game, "terrain deck") == read(game, "draw terrain deck") == Do((a.DrawTerrain(),))
    assert read(game, "draw desert red") == Do((a.TakeTerrain(1), "draw red"))
    assert isinstance(read(game, "terrain jungle"), Say)


def test_a_claim_with_doubling_in_one_line() -> None:
    cards = "black black black loco loco"
    game = table("africa", hands=[cards], terrain=["mountain", ""])
    claim = a.ClaimTrack("cape_town-port_elizabeth-1", "black")
    assert read(game, "cape town port elizabeth 0 locos double") == Do((claim, a.PlayLocos(0), a.DoublePoints(0)))
    assert read(game, "cape town port elizabeth 0 locos double 1") == Do((claim, a.PlayLocos(0), a.DoublePoints(1)))
    assert read(game, "cape town port elizabeth 0 locos single") == Do((claim, a.PlayLocos(0), a.SinglePoints()))
    table_after, text = typed(game, ["cape town port elizabeth 0 locos double", "quit"])
    assert table_after.game.view(0).me.score == 8
    assert "doubled" in text


def test_doubling_that_cannot_be_is_refused_and_nothing_is_played() -> None:
    game = table("africa", hands=["black black black"], terrain=["", "mountain"])
    after, text = typed(game, ["cape town port elizabeth double", "quit"])
    assert "Not allowed, AFR-11" in text
    assert not after.game.history


def test_festivals_in_one_line_and_as_a_question() -> None:
    track = next(t for t in load_map("iberia").tracks if {t.a, t.b} == {"sevilla", "cadiz"})
    cards = [track.colour if track.colour in COLOURS else "red"] * track.length
    game = table("iberia", hands=[cards], festivals={"sevilla": 2, "cadiz": 1})
    in_one = read(game, "sevilla cadiz festival cadiz")
    assert isinstance(in_one, Do)
    assert in_one.steps[-1] == a.TakeFestivals("cadiz")
    after, text = typed(game, ["sevilla cadiz", "undo", "sevilla cadiz", "cadiz", "quit"])
    assert after.game.view(0).me.festivals == {"cadiz": 1}
    assert "Whose festival cards do you take?" in text
    assert "Taken back." in text


def test_stations() -> None:
    game = table("europe", hands=["red red blue loco"])
    assert read(game, "station paris red") == Do((a.BuildStation("paris", "red"),))
    assert read(game, "build station paris with loco") == Do((a.BuildStation("paris", "loco"),))
    asked = read(game, "station paris")
    assert isinstance(asked, Ask)
    assert len(asked.options) == 3
    after, text = typed(game, ["station paris red", "quit"])
    assert after.game.view(0).me.stations == ("paris",)
    assert "You build a station in Paris for a red card." in text


def test_a_tunnel_is_paid_or_declined() -> None:
    track = next(t for t in load_map("europe").tracks if t.tunnel and t.colour != "gray" and t.length == 2)
    other = next(c for c in COLOURS if c != track.colour)
    words = f"{track.a} {track.b} {track.colour}"
    for answer, owned in (("0", 1), ("yes", 1), ("1 " + track.colour, 1), ("no", 0), ("decline", 0)):
        game = table("europe", hands=[[track.colour] * 3], deck=[track.colour, other, other])
        after, text = typed(game, [words, "undo", answer, "quit"])
        assert len(after.game.view(0).me.tracks) == owned, answer
        assert "It costs 1 more card. Pay?" in text
        assert "Nothing can be taken back: cards were turned up for the tunnel." in text


def test_a_tunnel_that_cannot_be_paid_can_only_be_declined() -> None:
    track = next(t for t in load_map("europe").tracks if t.tunnel and t.colour != "gray" and t.length == 2)
    game = table("europe", hands=[[track.colour] * 2], deck=[track.colour] * 3)
    after, text = typed(game, [f"{track.a} {track.b} {track.colour}", "yes", "no", "quit"])
    assert "You cannot pay: decline." in text
    assert not after.game.view(0).me.tracks


def test_tickets_are_kept_by_number_name_or_mark() -> None:
    deal = Deal(tickets=("boston-miami", "calgary-phoenix", "denver-el_paso"))
    keeps = {
        "1 3": ("boston-miami", "denver-el_paso"),
        "keep 3, 1": ("boston-miami", "denver-el_paso"),
        "keep denver and miami": ("boston-miami", "denver-el_paso"),
        "keep all": ("boston-miami", "calgary-phoenix", "denver-el_paso"),
        "keep calgary-phoenix boston-miami": ("boston-miami", "calgary-phoenix"),
    }
    for line, kept in keeps.items():
        game = Game.new("usa", 2, deal=deal)
        after, _ = typed(game, [line, "quit"])
        assert after.game.view(0).me.tickets == kept, line
    after, text = typed(
        Game.new("usa", 2, deal=deal), ["mark 1 2", "mark 2", "undo", "mark 3", "mark 1", "keep", "quit"]
    )
    assert after.game.view(0).me.tickets == ("calgary-phoenix", "denver-el_paso")
    assert "Marked: Boston to Miami and Calgary to Phoenix. Type keep to keep them." in text


def test_too_few_tickets_are_refused_with_the_clause() -> None:
    _, text = typed(Game.new("usa", 2, seed=1), ["1", "keep 9", "keep atlantis", "quit"])
    assert "Not allowed, C-06: Keep at least 2 of the 3 tickets you were dealt, each once." in text
    assert "There is no ticket 9: they are numbered 1 to 3." in text
    assert 'No offered ticket is called "atlantis"' in text


def test_a_draft_is_picked_by_number_and_shows_what_was_taken() -> None:
    after, text = typed(Game.new("iberia", 2, seed=1), ["2", "take 1", "1", "1", "1", "1 2 3", "1 2 3 4", "quit"])
    assert after.game.view(0).me.ticket_count == 4
    assert "Taken so far: " in text
    assert "Keep exactly 4 of these 6 tickets. Which?" in text
    assert "Not allowed, IBE-05" in text


def test_the_order_of_returned_tickets() -> None:
    after, text = typed(Game.new("africa", 2, seed=1), ["1 2", "undo", "1 3", "2", "quit"])
    assert "Which ticket goes under the deck next?" in text
    assert "Taken back." in text
    assert after.game.view(0).me.ticket_count == 2
    after, _ = typed(Game.new("africa", 2, seed=1), ["1 2", "any", "draw tickets", "1", "any", "quit"])
    assert after.game.view(0).me.ticket_count == 3


def test_single_words_open_lists() -> None:
    game = table("usa")
    assert read(game, "denver") == Run("tracks", "denver")
    assert read(game, "tickets") == Run("tickets", "")
    assert read(game, "rules C-13") == Run("rules", "C-13")
    assert read(game, "save My File.txt") == Run("save", "My File.txt")
    assert read(game, "?") == Run("help", "")
    assert read(game, "q") == Run("quit", "")


def test_what_is_not_understood_names_the_nearest() -> None:
    game = table("usa", hands=["purple purple purple purple"])
    for line, near in [("denvr omaha", "denver"), ("clame denver", "claim"), ("hlep", "help"), ("draw bleu", "blue")]:
        reading = read(game, line)
        assert isinstance(reading, Say), line
        assert f'did you mean "{near}"' in reading.text, line
    assert read(game, "denver boston") == Say(
        "There is no track between Denver and Boston. Tracks lead from Denver to Helena, Kansas City, Oklahoma City, "
        "Omaha, Phoenix, Salt Lake City and Santa Fe."
    )
    assert isinstance(read(game, "denver omaha purple nonsense"), Say)
    assert read(game, "99") == Say("There is no choice 99 now. Type menu to see what there is.")


def test_two_colours_may_not_be_mixed() -> None:
    game = table("usa", hands=["red red blue blue"])
    assert read(game, "duluth omaha 1 red 1 blue") == Refuse("C-22", MixedColours("red", "blue"))


def test_refusals_name_the_clause_and_speak_of_names() -> None:
    game = table("usa", hands=["purple purple"], tracks={1: ["denver-omaha-1"]}, display="red blue loco white black")
    lines = [
        "claim denver omaha",
        "claim seattle helena",
        "claim duluth omaha red",
        "pass",
        "decline",
        "station denver red",
        "terrain 1",
        "draw red",
        "draw loco",
        "draw tickets",
        "quit",
    ]
    _, text = typed(game, lines)
    for said in (
        "Not allowed, C-25: Bot 1 owns Denver to Omaha already. Choose a free track.",
        "Not allowed, C-21: Helena to Seattle takes 6 cards, of its colour or locomotives, and you have none of these.",
        "Not allowed, C-22: You have no red card",
        "Not allowed, C-34: You may pass only when",
        "Not allowed, EUR-13: There is no tunnel to give up now.",
        "Not allowed, EUR-04: This map has no stations.",
        "Not allowed, AFR-05: This map has no terrain cards.",
        "Not allowed, C-13: Your second card may not be a locomotive from the display.",
        "Not allowed, C-41: Something else is due first: draw your second card.",
    ):
        assert said in text, said


def test_a_number_of_locomotives_that_does_not_fit_is_refused_before_anything_happens() -> None:
    game = table("usa", hands=["purple purple purple purple loco"])
    after, text = typed(game, ["claim denver omaha purple 3 loco", "quit"])
    assert "Not allowed, C-21: Locomotives to play for this track: 0 to 1, not 3." in text
    assert not after.game.history


@pytest.mark.parametrize("map", MAPS)
def test_every_completed_sentence_reads_back(map: str) -> None:
    chance = random.Random(1)
    game = Game.new(map, 3, seed=3)
    checked = 0
    while not game.is_over:
        seat = game.to_act[0]
        view = game.view(seat)
        actions = view.legal_actions()
        reader = reader_of(game, seat)
        for action in chance.sample(actions, min(4, len(actions))) if chance.random() < 0.3 else ():
            for sentence in sentences(view, [action], reader.labels):
                if sentence[0] in EVERY_VERB and sentence != ("keep",):
                    reading = reader.read(" ".join(sentence))
                    assert isinstance(reading, Do), sentence
                    assert _same(cast(a.Action, reading.steps[0]), action, reader), sentence
                    checked += 1
        game.play(choose_any(game, seat, chance), seat)
    assert checked > 50


def _same(found: a.Action, meant: a.Action, reader: Reader) -> bool:
    """Equal, or one of several places or tracks that are alike in everything."""
    if isinstance(found, a.ClaimTrack) and isinstance(meant, a.ClaimTrack):
        tracks = reader.labels.tracks
        return reader.labels.parallel(tracks[found.track]) == reader.labels.parallel(tracks[meant.track])
    if isinstance(found, a.DrawDisplay) and isinstance(meant, a.DrawDisplay):
        return reader.view.display[found.place - 1] == reader.view.display[meant.place - 1]
    if isinstance(found, a.TakeTerrain) and isinstance(meant, a.TakeTerrain):
        return reader.view.terrain_display[found.place - 1] == reader.view.terrain_display[meant.place - 1]
    if isinstance(meant, a.KeepTickets):
        return isinstance(found, a.KeepTickets) and len(found.tickets) == 1
    return found == meant


POSITIONS = {
    "turn": table("usa", hands=["purple purple purple purple loco"]),
    "africa": table("africa", hands=["black black black loco"], terrain=["mountain", ""]),
    "iberia": Game.new("iberia", 2, seed=1),
    "europe": Game.new("europe", 3, seed=1),
}
WORDS = [
    *COMMANDS,
    *EVERY_VERB,
    *COLOURS,
    "loco",
    "denver",
    "omaha",
    "1",
    "2",
    "0",
    "-",
    "and",
    "to",
    "deck",
    "é",
    "#",
    "(",
    "999999999",
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(POSITIONS)),
    st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=40),
)
def test_no_line_a_person_can_type_crashes(position: str, line: str) -> None:
    game = POSITIONS[position].copy()
    if folded(line).split()[:1] == ["save"]:
        return
    typed(game, [line, line, "repeat", "undo", "quit"])


# ---------------------------------------------------------------- undo


def test_undo_takes_back_what_revealed_nothing() -> None:
    game = table("usa", hands=["purple purple purple purple loco"])
    before = game.copy()
    after, text = typed(game, ["denver omaha", "undo", "quit"])
    assert "How many locomotives do you play for Denver to Omaha?" in text
    assert "Taken back." in text
    assert after.game == before
    assert after.game.history == before.history


def test_undo_steps_back_through_every_open_choice() -> None:
    game = table("africa", hands=["black black black loco loco"], terrain=["mountain", ""])
    before = game.copy()
    after, _ = typed(game, ["cape town port elizabeth", "locos 0", "undo", "undo", "undo", "quit"])
    assert after.game == before


def test_undo_says_why_it_cannot() -> None:
    game = table("usa", display="red blue green white black", hands=["", ""])
    _, text = typed(game, ["undo", "draw deck", "undo", "quit"])
    assert "Nothing can be taken back: you have not done anything yet." in text
    assert "Nothing can be taken back: you have seen the card you drew." in text
    _, text = typed(table("usa"), ["draw tickets", "undo", "quit"])
    assert "Nothing can be taken back: you have seen the tickets." in text
    _, text = typed(table("usa"), ["draw 1", "undo", "quit"])
    assert "Nothing can be taken back: a card was drawn and another one turned up." in text
    _, text = typed(table("usa", hands=["purple purple purple purple", ""]), ["denver omaha", "undo", "quit"])
    assert "Nothing can be taken back: the others have moved since." in text


def test_another_action_in_the_middle_of_a_claim_points_to_undo() -> None:
    _, text = typed(table("usa", hands=["purple purple purple purple loco"]), ["denver omaha", "draw 1", "quit"])
    assert "Not allowed, C-41" in text
    assert "To do something else, type undo first." in text


# ---------------------------------------------------------------- completion


def test_completion_offers_what_is_legal_now() -> None:
    game = table("usa", hands=["purple purple purple purple loco"], display="red blue loco white black")
    labels = ScreenLabels(game.map, plain=False)
    view = game.view(0)
    known = sentences(view, view.legal_actions(), labels)

    def offers(line: str) -> list[str]:
        return [candidate.text for candidate in complete(line, known)]

    assert set(offers("draw ")) == {"red", "blue", "locomotive", "white", "black", "deck", "tickets"}
    assert "Omaha" in offers("claim denver ")
    assert offers("claim denver om") == ["Omaha"]
    assert offers("claim denver omaha ") == ["purple"]
    assert offers("claim denver omaha purple ") == ["0 loco", "1 loco"]
    assert offers("denver oma") == ["Omaha"]
    assert "Salt Lake City" in offers("tracks salt")
    assert offers("rules C-1")[:2] == ["C-10", "C-11"]
    assert "station" not in offers("")
    assert {"claim", "draw", "undo", "help"} <= set(offers(""))
    assert complete("claim salt l", known)[0].replaces == len("salt l")


def test_completion_knows_tickets() -> None:
    game = Game.new("usa", 2, deal=Deal(tickets=("boston-miami", "calgary-phoenix", "denver-el_paso")))
    view = game.view(0)
    known = sentences(view, view.legal_actions(), ScreenLabels(game.map, plain=False))
    assert [candidate.text for candidate in complete("keep ", known)] == ["1", "2", "3"]


# ---------------------------------------------------------------- what is shown


def test_plain_mode_tells_every_fact_in_words() -> None:
    game = table(
        "europe",
        hands=["red red loco", "blue"],
        display="red blue loco white -",
        tickets=["brest-marseille", ""],
        stations={1: ["paris"]},
    )
    _, text = typed(game, ["repeat", "players", "hand", "status", "board", "quit"])
    for fact in (
        "Europe",
        "1: draw red.",
        "3: draw locomotive.",
        "Display place 5: empty.",
        "Hand: 3 cards: 2 red and 1 locomotive.",
        "You: 0 points, 45 trains, 3 cards, 1 ticket, 3 stations left.",
        "Bot 1: 0 points, 45 trains, 1 card, 0 tickets, 2 stations left.",
        "Ticket: Brest to Marseille, 7 points: to do, 7 trains missing: ",
        "Brest to Paris 3 black, Paris to Marseille 4 gray.",
        "stations in Paris.",
        "Discards: no cards.",
        "build a station (1 card)",
    ):
        assert fact in text, fact
    assert not re.search(r"[─│╭▶·–\x1b]", text)


def test_reconstructed_tickets_and_tables_are_marked() -> None:
    _, text = typed(Game.new("iberia", 2, seed=1), ["board", "quit"])
    assert "reconstruction, not the printed game: tickets, festival cards and festival scores." in text
    assert re.search(r"1: .*, reconstructed: to do", text)
    _, text = typed(Game.new("usa", 2, seed=1), ["board", "quit"])
    assert "reconstruct" not in text


def test_a_ticket_shows_the_cheapest_way_left() -> None:
    game = table(
        "usa", tickets=["denver-el_paso duluth-el_paso", ""], tracks={0: ["denver-santa_fe-1"]}, trains=[5, 45]
    )
    states = {state.ticket.id: state for state in ticket_states(game.view(0), game.view(0).me.tickets)}
    assert [leg.track.id for leg in states["denver-el_paso"].missing or ()] == ["el_paso-santa_fe-1"]
    assert states["duluth-el_paso"].trains == 8
    _, text = typed(game, ["tickets", "quit"])
    assert "Denver to El Paso, 4 points: to do, 2 trains missing: Santa Fe to El Paso 2 gray." in text
    assert "8 trains missing, more than your 5" in text


def test_a_ticket_that_cannot_be_reached_says_so() -> None:
    data = load_map("usa")
    around = [t.id for t in data.tracks if "miami" in (t.a, t.b)]
    game = table("usa", tickets=["boston-miami", ""], tracks={1: around}, trains=[45, 45])
    _, text = typed(game, ["tickets", "quit"])
    assert "Boston to Miami, 12 points: to do, by own tracks impossible." in text


def test_no_way_leads_through_a_dead_end() -> None:
    game = table(load_map(str(ROOT / "tests" / "data" / "maps" / "a_plateau.json")))
    across, into = ticket_states(game.view(0), ["west-east", "west-borderland"])
    assert [leg.track.id for leg in across.missing or ()] == ["west-well-1", "well-east-1"]
    assert [leg.track.id for leg in into.missing or ()] == ["west-border-1"]
    for state in ticket_states(table("africa").view(0), [t.id for t in load_map("africa").tickets]):
        assert state.missing is not None


def test_claims_come_with_price_and_those_for_tickets_first() -> None:
    game = table("usa", hands=["purple purple purple purple red red"], tickets=["denver-el_paso", ""])
    offers = claim_offers(game.view(0), game.legal_actions(0))
    assert offers[0].track.id in ("denver-santa_fe-1", "el_paso-santa_fe-1")
    _, text = typed(game, ["claims", "quit"])
    assert "claim Denver to Omaha, 4 purple, 7 points: costs 4 purple." in text
    assert "costs 2 purple or red; helps Denver to El Paso." in text


@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("width", [80, 120])
def test_the_drawn_table_fits_its_width(map: str, width: int) -> None:
    chance = random.Random(width)
    out = io.StringIO()
    console = Console(file=out, width=width, height=50, force_terminal=False, highlight=False, markup=False)
    screen = RichScreen(console)
    game = Game.new(map, 5, seed=1)
    seats = seat_at(game, 5)
    table = Table(game, seats, screen)
    labels = ScreenLabels(game.map, plain=False)
    while not game.is_over:
        seat = game.to_act[0]
        if chance.random() < 0.15:
            view = game.view(seat)
            menu = make_menu(view, view.legal_actions(), labels)
            report = table._report(seat)
            screen.situation(report, menu, view.offered_tickets[:1])
            screen.menu(report, menu, (), all_claims=True)
        table.log += game.play(choose_any(game, seat, chance), seat)
    screen.tracks("All tracks", game.map.tracks, table._report(0))
    screen.say(*table._report(0).board(), *table._report(0).score())
    screen.final(game.scores(), game.view(None).owners, labels, names_for(table.names, 0), game.end_reason or "")
    lines = out.getvalue().splitlines()
    assert len(lines) > 200
    assert max(len(line) for line in lines) <= width
    assert not re.search(r"\b[2-9] ticket\b", out.getvalue()), "a column is cut off"


def test_the_drawn_table_names_every_card() -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, height=50, force_terminal=False, highlight=False, markup=False)
    game = table("usa", hands=["red red loco", "blue"], display="red blue loco white -", tickets=["boston-miami", ""])
    shown = Table(game, seat_at(game), RichScreen(console))
    view = game.view(0)
    shown.screen.situation(shown._report(0), make_menu(view, view.legal_actions(), shown.labels), ())
    text = out.getvalue()
    assert re.search(r"1\)\s+red\s+2\)\s+blue\s+3\)\s+locomotive\s+4\)\s+white\s+5 empty", text)
    assert re.search(r"Hand 3\s+2 red\s+1 locomotive", text)
    assert re.search(r"12\s+Boston–Miami\s+to do: \d+ trains", text)
    assert "6) draw from the deck" in text
    assert re.search(r"▶\s+You\s+0\s+45\s+3\s+1", text)


def test_no_colour_when_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), force_terminal=True, width=80, highlight=False, markup=False)
    RichScreen(console).refuse("C-13", "no")
    text = cast(io.StringIO, console.file).getvalue()
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", text)


# ---------------------------------------------------------------- secrets


def test_no_reader_is_shown_what_only_another_may_know() -> None:
    game = Game.new("usa", 2, seed=6)
    game.play_all(["keep " + " ".join(game.view(0).offered_tickets), "keep " + " ".join(game.view(1).offered_tickets)])
    events = game.play("draw deck", 0)
    mine = news_lines(events, Telling.of(game.map, ["Ann", "Ben"], 0))
    other = news_lines(events, Telling.of(game.map, ["Ann", "Ben"], 1))
    assert other == ["Ann draws a card from the deck."]
    assert mine != other
    events += game.play("draw deck", 0)
    other = news_lines(events, Telling.of(game.map, ["Ann", "Ben"], 1))
    assert other == ["Ann draws 2 cards from the deck."]
    twice = [DrewBlind(0, "red"), DrewBlind(0, "red")]
    mine = news_lines(twice, Telling.of(game.map, ["Ann", "Ben"], 0))
    assert mine == ["You draw 2 red cards from the deck."]


def test_a_hidden_card_changes_nothing_another_player_sees() -> None:
    """Two games that differ in a seat's hidden cards look the same to the person at the other seat."""
    shown = []
    for cards in ("red red red", "blue blue blue"):
        game = table(
            "usa", hands=["white", cards.split()], tickets=["boston-miami", "denver-el_paso"], rest="last hand"
        )
        shown.append(typed(game, ["repeat", "players", "board", "score", "log", "quit"])[1])
    assert shown[0] == shown[1]


def test_the_score_so_far_does_not_tell_others_tickets() -> None:
    texts = []
    for tickets in ("bangui-nigeria", "cape_town-durban"):
        game = table("africa", tickets=["", tickets], tracks={1: ["bloemfontein-cape_town-1"]})
        texts.append(typed(game, ["score", "quit"])[1])
    assert texts[0] == texts[1]


def test_a_hand_over_clears_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    screen = RichScreen(console)
    asked: list[str] = []
    monkeypatch.setattr(screen, "ask", lambda prompt, known=None: asked.append(prompt))
    screen.hand_over("Ann", "Ben")
    assert asked == ["Ann: press Enter to clear the screen.", "Ben: press Enter when nobody else is looking."]
    assert "\x1b[2J" in cast(io.StringIO, console.file).getvalue()
    assert "\x1b[3J" in cast(io.StringIO, console.file).getvalue()


# ---------------------------------------------------------------- the end


def test_the_last_round_is_announced() -> None:
    game = table("usa", hands=["purple purple purple purple", ""], trains=[6, 45])
    _, text = typed(game, ["denver omaha", "quit"])
    assert "You have hardly any trains left: the last round begins, one more turn for everybody." in text
    assert "last round, 1 turn left" in text


def test_the_final_sheet_explains_every_point() -> None:
    game = table(
        "europe",
        tracks={0: ["brest-paris-1"], 1: ["marseille-paris-1"]},
        stations={0: ["paris"]},
        tickets=["brest-marseille", ""],
    )
    labels = ScreenLabels(game.map, plain=True)
    names = ["You", "Ben"]
    lines = final_lines(game.scores(), game.view(None).owners, labels, names, "last round")
    text = "\n".join(lines)
    assert "+7 ticket Brest to Marseille, completed." in text
    assert re.search(r"the station in Paris lent (Marseille to Paris|Paris to Marseille) \(Ben\)\.", text)
    assert "+8 for 2 stations not built." in text
    assert "+10 longest path of all: 4 trains, " in text
    assert "longest path: 3 trains, " in text
    assert lines[-1] in ("You win!", "Ben wins.")
    for score in game.scores():
        start = next(i for i, line in enumerate(lines) if f"{names[score.seat]}, {score.total} point" in line)
        parts = []
        for line in lines[start + 1 :]:
            if not line.startswith("  "):
                break
            found = re.match(r"  ([+-]\d+) ", line)
            parts.append(int(found[1]) if found else 0)
        assert sum(parts) == score.total


def test_a_tie_is_explained() -> None:
    level = table("usa", tracks={0: ["denver-omaha-1"], 1: ["denver-helena-1"]})
    lines = tie_lines(level.scores(), level.map, ["Ann", "Ben"])
    assert lines == [
        "Level on points: Ann and Ben. Nothing tells them apart: completed tickets: Ann 0 and Ben 0; "
        "longest path: Ann 4 and Ben 4."
    ]


def test_a_path_is_told_place_by_place() -> None:
    labels = ScreenLabels(load_map("usa"), plain=True)
    tracks = ["denver-omaha-1", "duluth-omaha-1", "duluth-helena-1"]
    assert trail(tracks, labels) == "Denver, Omaha, Duluth, Helena"
    assert trail(["duluth-omaha-1", "duluth-omaha-2"], labels) == "Duluth, Omaha, Duluth"
    assert trail([], labels) == ""


# ---------------------------------------------------------------- leaving, saving, starting


def test_leaving_writes_the_record(tmp_path: Path) -> None:
    record = tmp_path / "left.txt"
    after, text = typed(Game.new("usa", 2, seed=4), ["1 2", "draw deck"], record=record)
    assert "You have left the game. Goodbye." in text
    assert f"The game is written to {record}." in text
    saved = load_game(record)
    assert verify(saved) is None
    assert list(saved.moves) == after.game.history
    assert saved.names == ("Ann", "Bot 1")


def test_save_writes_a_file_and_never_over_another(tmp_path: Path) -> None:
    file, other = tmp_path / "My game.txt", tmp_path / "other.txt"
    other.write_text("precious")
    strange = ["save ~nobody_of_that_name/x", "save " + "x" * 900, "save \0", f"save {tmp_path}"]
    lines = [
        "1 2",
        f"save {file}",
        f"save {file}",
        f"save {other}",
        "save",
        f"save {tmp_path}/none/x",
        *strange,
        "quit",
    ]
    _, text = typed(Game.new("usa", 2, seed=4), lines)
    assert verify(load_game(file)) is None
    assert other.read_text() == "precious"
    assert f"{other} exists already: choose another name." in text
    assert "Write save and the name of a file." in text
    assert "could not be written" in text


def test_a_bot_that_fails_leaves_the_record_behind(tmp_path: Path) -> None:
    class Broken:
        def choose(self, view: View, actions: Sequence[a.Action], /) -> a.Action:
            raise RuntimeError("a bot's own fault")

    record = tmp_path / "broken.txt"
    game = Game.new("usa", 2, seed=1)
    table = Table(game, [Chair("Ann"), Chair("Bot", "random", Broken())], Script([]), record)
    with pytest.raises(RuntimeError, match="a bot's own fault"):
        table.run()
    assert verify(load_game(record)) is None


def test_control_c_leaves_with_its_status() -> None:
    def typist(table: Table) -> str:
        raise KeyboardInterrupt

    screen = Script(typist)
    screen.table = Table(Game.new("usa", 2, seed=1), seat_at(Game.new("usa", 2, seed=1)), screen)
    assert screen.table.run() == 130
    assert "Goodbye" in screen.text


def run_play(*args: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "branchline", "play", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **env},
    )


def test_play_alone_starts_usa_against_two_bots() -> None:
    done = run_play(stdin="")
    assert done.returncode == 0
    assert done.stdout.startswith("USA: you, Bot 1 (conductor bot) and Bot 2 (conductor bot).")
    assert done.stdout.rstrip().endswith("You have left the game. Goodbye.")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--map", "iberai"], "iberia"),
        (["--seats", "me"], "2 to 5 players"),
        (["--seats", "me,bot,bot,bot,bot,bot"], "2 to 5 players"),
        (["--names", "a,b,c,d"], "4 names for 3 seats"),
        (["--seats", "Ann,ann"], "two players have it"),
        (["--seats", "You,bot"], "choose another"),
        (["--seats", "me,,bot"], "must not be empty"),
        (["--names", "x" * 21], "20 at the most"),
        (["--seed", "-1"], "seed"),
        (["--record", "no/such/folder/game.txt"], "nothing can be written"),
        (["--record", "README.md/x"], "nothing can be written"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(args: list[str], said: str) -> None:
    done = run_play(*args)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_record_is_never_written_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    done = run_play("--record", str(file))
    assert done.returncode == 2
    assert "exists already" in done.stderr
    assert file.read_text() == "precious"


def test_strange_bytes_and_a_narrow_encoding_do_no_harm() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "branchline", "play", "--map", "europe", "--seed", "1"],
        input=b"1 2\n\xff\xfe\x00 nonsense\nboard\ntracks\nquit\n",
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


def test_play_starts_without_the_compiler() -> None:
    code = (
        "import sys; from branchline.cli import main; main(['play', '--seed', '1']); "
        "heavy = {'numba', 'numpy', 'rich', 'prompt_toolkit'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="1 2\n", capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_real_terminal_gets_the_table_and_the_prompt() -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", COLUMNS="100", LINES="40", PYTHONPATH=str(ROOT))
        os.execv(sys.executable, [sys.executable, "-m", "branchline", "play", "--seed", "5", "--map", "europe"])
    _until(terminal, b"Which?")
    os.write(terminal, b"1 2\r")
    shown = _until(terminal, b"build a station.")
    assert "╭".encode() in shown or "──".encode() in shown
    assert b"Hand 4" in shown
    os.write(terminal, b"\x04")
    _until(terminal, b"Save the game?")
    os.write(terminal, b"\x04")
    assert b"Goodbye" in _until(terminal, b"Goodbye.")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _until(terminal: int, text: bytes) -> bytes:
    """Read from a terminal until a text appears; a cursor position that is asked for is told."""
    out = b""
    end = time.monotonic() + 20
    while text not in out:
        assert time.monotonic() < end, out
        if select.select([terminal], [], [], 0.2)[0]:
            out += os.read(terminal, 4096)
            if out.endswith(b"\x1b[6n"):
                os.write(terminal, b"\x1b[1;1R")
    return out


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert not play._screen(plain=False).plain
    assert play._screen(plain=True).plain
    monkeypatch.setenv("TERM", "dumb")
    assert play._screen(plain=False).plain
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert play._screen(plain=False).plain


def test_maps_of_ones_own_can_be_played() -> None:
    for file in sorted((ROOT / "tests" / "data" / "maps").glob("*.json")):
        data = load_map(str(file))
        table, _ = typed(Game.new(data, data.min_players, seed=1), notation_typist(1))
        assert table.game.is_over


def test_names_of_seats() -> None:
    assert play._names(["me", "bot", "random"], [None, "path", "random"], None) == ["Player", "Bot 1", "Bot 2"]
    assert play._names(["me", "me"], [None, None], None) == ["Player 1", "Player 2"]
    assert play._names(["Ann", "bot"], [None, "path"], ",Robot") == ["Ann", "Robot"]


# ---------------------------------------------------------------- rules, help, documents


def test_rules_are_found_by_clause_and_by_word() -> None:
    assert len(clauses()) > 100
    assert look_up("C-13", load_map("usa")) == look_up("c13", load_map("usa")) == look_up("C 13", load_map("usa"))
    assert look_up("C-13", load_map("usa"))[0].startswith("C-13: The second card may not be a locomotive")
    assert look_up("tunnel", load_map("europe"))[0].startswith("EUR-12")
    assert len(look_up("eur", load_map("europe"))) == 23
    assert look_up("zeppelin", load_map("usa"))[0] == 'No clause speaks of "zeppelin".'
    assert any("rules C-13" in line for line in look_up("", load_map("usa")))
    assert not any("**" in text for text in clauses().values())


WITHOUT = """
import sys
from importlib.util import find_spec, module_from_spec
sys.modules["branchline"] = module_from_spec(find_spec("branchline"))  # without what its __init__.py imports
import branchline.mechanics as the_list
the_list.MECHANICS = tuple(name for name in the_list.MECHANICS if name != sys.argv[1])
from branchline.cli import main
sys.exit(main(["play", "--map", sys.argv[2], "--plain", "--seed", "1", "--seats", "me,random"]))
"""


@pytest.mark.parametrize("name", MECHANICS)
def test_the_terminal_does_without_any_mechanic_of_the_list(name: str) -> None:
    part: Part = import_module(f"branchline.mechanics.{name}.terminal").PART
    map = next(one for one in reversed(shipped_maps()) if not part.in_play(load_map(one)))
    typed = "1 2 3 4\n1\n1\nmenu\nboard\nplayers\nscore\nhelp\nrules locomotive\nlog\nquit\n"
    command = [sys.executable, "-c", WITHOUT, name, map]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Goodbye" in done.stdout


def test_help_tells_every_word() -> None:
    for name in shipped_maps():
        data = load_map(name)
        everything = help_lines("", data)
        for word in {**COMMANDS, **verbs_of(data)}.values():
            assert f"  {word.usage}: {word.text}." in everything
    assert not any("station" in line for line in help_lines("", load_map("usa")))
    assert help_lines("undo", data) == ["undo: take back what has revealed nothing yet. Also: u, back."]


def test_every_command_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8")
    for name, word in {**COMMANDS, **EVERY_VERB}.items():
        assert f"`{word.usage}`" in text, name
        for other in word.also:
            assert f"`{other}`" in text, other
    for option in ("--map", "--seats", "--names", "--seed", "--plain", "--record"):
        assert f"`{option}" in text, option
