"""The protocol of bots: what a user may write for one, what any bot has to do, and the ten lines that make one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from branchline import Game, load_map
from branchline.bots import BOTS, LEVELS, BadBot, check_bot, is_known, kernel_number, known_levels, loading, make_bot
from branchline.bots import players as at_tables
from branchline.bots.conformance import check, check_at, suite
from branchline.bots.conformance.unseen_map import unseen_map
from branchline.bots.games.match import CONDUCTOR_BOT
from branchline.bots.registry import parse, short_name, takes
from branchline.cli import main

ROOT = Path(__file__).parent.parent

BOTS_FILE = '''
import sys, time

class First:
    """Takes what is offered first."""
    def choose(self, view, actions):
        return actions[0]

class Seeded:
    def __init__(self, seed):
        self.seed = seed
    def choose(self, view, actions):
        return actions[self.seed % len(actions)]

class Slow:
    def __init__(self, seconds=0.1, rollouts=None):
        self.seconds = 0 if rollouts else 2 * seconds
    def choose(self, view, actions):
        time.sleep(self.seconds)
        return actions[0]

class Wants:
    def __init__(self, book):
        pass
    def choose(self, view, actions):
        return actions[0]

class Cheat:
    """Looks over the table's shoulder."""
    def choose(self, view, actions):
        frame = sys._getframe()
        while frame and "game" not in frame.f_locals:
            frame = frame.f_back
        game = frame.f_locals["game"]
        return actions[sum(game.position.deck) % len(actions)]

class Moody:
    count = 0
    def choose(self, view, actions):
        Moody.count += 1
        return actions[Moody.count % len(actions)]

class Vandal:
    def choose(self, view, actions):
        view._position.trains[0] += 1
        return actions[0]

class Liar:
    def choose(self, view, actions):
        return "draw deck"

class Faller:
    def choose(self, view, actions):
        return {}["nothing"]

def maker(seed):
    return First()

SOMETHING = 3

class NoBot:
    pass
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("a@b") / "some_bots.py"
    path.write_text(BOTS_FILE, encoding="utf-8")
    return path


# ---------------------------------------------------------------- what a user writes


def test_a_spec_is_a_name_or_a_level_or_a_place_and_may_have_seconds() -> None:
    assert parse("path") == ("", "path", None)
    assert parse("search@0.3") == ("", "search", 0.3)
    assert parse("bots/my.py:Mine@2") == ("bots/my.py", "Mine", 2.0)
    assert parse("/a@b/my.py:Mine") == ("/a@b/my.py", "Mine", None)
    assert parse("C:\\bots\\my.py") == ("C:\\bots\\my.py", "", None)
    assert parse("driver") == parse("planner")
    assert parse("stationmaster") == ("", "search", 1.0)
    assert [parse(spec).bare for spec in ("search@1", "a.py:B@1", "a.py@1")] == ["search", "a.py:B", "a.py"]
    assert [short_name(spec) for spec in ("search@1", "/x/a.py:B", "/x/a.py", "m.n:B")] == ["search@1", "B", "a", "B"]


def test_a_class_is_made_with_what_it_takes(file: Path) -> None:
    game = Game.new("usa", 2, seed=1)
    view, actions = game.view(0), game.legal_actions(0)
    assert make_bot(f"{file}:First", 5, seconds=1, threads=2).choose(view, actions) == actions[0]
    assert make_bot(f"{file}:Seeded", 2).choose(view, actions) == actions[2]
    assert make_bot(f"{file}:maker", 2).choose(view, actions) == actions[0]
    assert vars(make_bot(f"{file}:Slow@0.25", 2, seconds=9))["seconds"] == 0.5
    assert takes(f"{file}:Slow", "seconds") and not takes(f"{file}:First", "seconds")
    assert kernel_number(f"{file}:First") is None
    assert kernel_number("conductor") == CONDUCTOR_BOT != kernel_number("path")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("{file}:Frist", 'has no "Frist" (did you mean "First"?)'),
        ("{file}", "has 9 bots"),
        ("{file}:NoBot", "is no bot: a bot has a method choose"),
        ("{file}:SOMETHING", "is no bot"),
        ("{file}:Wants", "asks for book"),
        ("{file}:First@1", "takes no seconds"),
        ("nowhere.py:Bot", "no bot file nowhere.py"),
        ("no.such.module:Bot", 'no module "no.such.module"'),
        ("path@soon", "after @ come the seconds"),
        ("path@0", "more than 0"),
        ("path@1", "takes no seconds"),
        ("pth", 'did you mean "path"?'),
        ("conducter", 'did you mean "conductor"?'),
    ],
)
def test_what_cannot_be_a_bot_is_refused_in_words(file: Path, spec: str, words: str) -> None:
    with pytest.raises(BadBot, match=re.escape(words)):
        check_bot(spec.format(file=file))
    assert not is_known(spec.format(file=file))


def test_a_file_that_breaks_says_where(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("import nothing_like_it\n")
    with pytest.raises(BadBot, match=r"bad\.py cannot be loaded: ModuleNotFoundError.*nothing_like_it"):
        check_bot(f"{bad}:Bot")


def test_packages_can_add_bots_by_entry_points(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "guest": EntryPoint("guest", "branchline.bots.players:ConductorBot", loading.GROUP),
        "broken": EntryPoint("broken", "no_such_package:Bot", loading.GROUP),
    }
    monkeypatch.setattr(loading, "offered", lambda: points)
    monkeypatch.setattr("branchline.bots.registry.offered", lambda: points)
    game = Game.new("usa", 2, seed=1)
    assert make_bot("guest", 1).choose(game.view(0), game.legal_actions(0)) in game.legal_actions(0)
    with pytest.raises(BadBot, match=r'"broken" .* cannot be loaded'):
        make_bot("broken", 1)
    with pytest.raises(BadBot, match='did you mean "guest"'):
        make_bot("gest", 1)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, branchline.bots as b; b.known_levels(); print({'numba', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "set()"


# ---------------------------------------------------------------- levels


def test_five_levels_stand_in_order_and_each_is_a_bot() -> None:
    assert [level.id for level in LEVELS] == ["passenger", "porter", "conductor", "driver", "stationmaster"]
    assert len({level.bot for level in LEVELS}) == 5
    assert all(is_known(level.bot) and is_known(level.id) for level in known_levels())


# ---------------------------------------------------------------- conformance

# On each map another number of seats, and the map that none of them has seen; two of these for who thinks long.
TABLES = [("usa", 2), ("europe", 3), ("iberia", 4), ("africa", 5), ("unseen", 4)]
SEATED = [(bot, *at) for bot in BOTS for at in (TABLES[2::2] if takes(bot, "seconds") else TABLES)]


@pytest.mark.parametrize(("bot", "name", "players"), SEATED)
def test_every_bot_of_ours_conforms(bot: str, name: str, players: int) -> None:
    report = check_at(bot, unseen_map() if name == "unseen" else load_map(name), players, seed=3)
    assert report.ok, str(report)
    assert all(report.findings[what].looked for what in suite.ALL if what != suite.BUDGET), str(report)


@pytest.mark.parametrize("bot", [bot for bot in BOTS if takes(bot, "seconds")])
def test_a_bot_that_takes_seconds_keeps_to_them(bot: str) -> None:
    report = suite.Report(bot, {what: suite.Finding(what) for what in suite.ALL})
    suite._Suite(bot, report, 1).keep_time(load_map("europe"))
    assert report.findings[suite.BUDGET].ok, str(report)


@pytest.mark.parametrize(
    ("bot", "what"),
    [
        ("Cheat", suite.WORLDS),
        ("Moody", suite.SAME),
        ("Vandal", suite.KEEPS),
        ("Liar", suite.LEGAL),
        ("Faller", suite.LEGAL),
        ("Faller", suite.WHOLE),
    ],
)
def test_the_suite_finds_what_is_wrong(file: Path, bot: str, what: str) -> None:
    report = check_at(f"{file}:{bot}", load_map("usa"), 2)
    assert not report.ok
    assert report.findings[what].faults
    assert f"FAIL  {what}" in str(report)


def test_the_suite_finds_a_bot_that_takes_too_long(file: Path) -> None:
    report = suite.Report("x", {what: suite.Finding(what) for what in suite.ALL})
    suite._Suite(f"{file}:Slow@0.02", report, 1).keep_time(unseen_map())
    assert report.findings[suite.BUDGET].faults


def test_a_bot_that_hangs_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hangs:
        def choose(self, view: object, actions: object) -> object:
            while True:
                pass

    monkeypatch.setattr(suite, "PATIENCE", 0.05)
    game = Game.new("usa", 2, seed=1)
    chosen, fault, took = suite._ask(Hangs(), game.view(0), game.legal_actions(0))  # type: ignore[arg-type]
    assert chosen is None and "no answer" in fault and took < 5


def test_the_command_says_what_it_found(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-bot", f"{file}:First", "--map", "usa"]) == 0
    assert "all is right" in capsys.readouterr().out
    assert main(["check-bot", f"{file}:Faller", "--map", "usa"]) == 1
    assert "FAIL" in capsys.readouterr().out
    assert main(["check-bot", "nobody"]) == 2
    assert "no bot" in capsys.readouterr().err
    assert main(["check-bot", "path", "--map", "nowhere"]) == 2
    assert check("random", [str(ROOT / "tests" / "data" / "maps" / "tiny.json")]).ok


# ---------------------------------------------------------------- the unseen map


def test_the_unseen_map_has_what_a_bot_may_meet() -> None:
    data = unseen_map()
    assert (data.min_players, data.max_players) == (2, 5)
    assert any(track.ferry for track in data.tracks) and any(track.tunnel for track in data.tracks)
    assert data.stations and len({(t.a, t.b) for t in data.tracks}) < len(data.tracks)


# ---------------------------------------------------------------- bots of the compiled games at a table


def test_while_nothing_is_compiled_a_bot_is_interpreted_and_chooses_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("europe", 2, seed=8)
    numbers = sorted({number for bot in BOTS if (number := kernel_number(bot)) is not None})
    for move in range(12):
        seat = game.to_act[0]
        view, actions = game.view(seat), game.legal_actions(seat)
        for number in numbers:
            compiled = at_tables.KernelBot(number, 4).choose(view, actions)
            with monkeypatch.context() as patch:
                patch.setattr(at_tables, "_waits_for_compiler", False)
                patch.setattr(at_tables, "is_compiled", lambda: False)
                assert at_tables.KernelBot(number, 4).choose(view, actions) == compiled, (move, number)
        game.play(at_tables.KernelBot(CONDUCTOR_BOT, 1).choose(view, actions), seat)


# ---------------------------------------------------------------- in simulate and play


def test_simulate_plays_bots_from_files(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "games"
    words = [
        "simulate",
        "--bot",
        f"{file}:First",
        "--games",
        "2",
        "--threads",
        "1",
        "--json",
        "--records",
        str(records),
    ]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bots"] == [f"{file}:First", "conductor"]
    assert told["seats"][1]["wins"] == 2
    (record, _) = sorted(records.glob("*.json"))
    assert [player["bot"] for player in json.loads(record.read_text())["players"]] == ["First", "conductor"]
    assert main(["replay", str(record), "--verify"]) == 0


def test_a_series_at_tables_is_the_same_as_the_compiled_one(file: Path) -> None:
    from branchline.simulation import Series
    from branchline.simulation.at_tables import play_game
    from branchline.simulation.series import SeriesRoom

    series = Series(load_map("iberia"), ("path", "random", "path"), games=3, seed=6, rotate=True)
    room = SeriesRoom(series)
    for game in range(2):
        codes, notes = room.codes(game)
        again, noted = play_game(series, game)
        assert again == codes
        assert noted.tolist() == notes.tolist()


def test_simulate_says_which_bot_failed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--bot", f"{file}:Faller", "--games", "1"]) == 1
    assert "Faller, game 0 (seed 0), seat 0: KeyError" in capsys.readouterr().err
    assert main(["simulate", "--bot", f"{file}:Liar", "--games", "1"]) == 1
    assert "none of the" in capsys.readouterr().err


def test_play_seats_bots_from_files(file: Path) -> None:
    words = ["play", "--plain", "--seed", "3", "--map", str(ROOT / "tests" / "data" / "maps" / "tiny.json")]
    command = [sys.executable, "-m", "branchline", *words, "--seats", f"bot,{file}:First,random", "--bot", "conductor"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert "(conductor bot)" in done.stdout and "(First bot)" in done.stdout and "(random bot)" in done.stdout
    command = [sys.executable, "-m", "branchline", *words, "--seats", "me,random", "--bot", "path"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "--bot is for the seats that --seats calls bot" in done.stderr


# ---------------------------------------------------------------- the document

DOCUMENT = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
MY_BOT, *SAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
COMMANDS = re.findall(r"```sh\nbranchline (.*?)\n```", DOCUMENT)


@pytest.fixture
def beside_my_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the document's bot, in which commands are run."""
    (tmp_path / "my_bot.py").write_text(MY_BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_ten_lines_make_a_bot() -> None:
    assert len([line for line in MY_BOT.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith(("simulate", "check-bot", "arena"))])
def test_the_documents_bot_does_what_the_document_says(
    command: str, beside_my_bot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 0
    assert "MyBot" in capsys.readouterr().out


def test_the_documents_bot_sits_down_in_the_terminal(beside_my_bot: Path) -> None:
    command = next(c for c in COMMANDS if c.startswith("play"))
    words = [sys.executable, "-m", "branchline", *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    assert "MyBot bot" in done.stdout


def test_every_command_of_the_document_is_one_that_is_tried() -> None:
    assert [command.split()[0] for command in COMMANDS] == ["play", "simulate", "check-bot", "arena", "serve"]


@pytest.mark.parametrize("code", SAMPLES)
def test_the_samples_of_the_document_run(code: str, beside_my_bot: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_document_tells_of_every_level_as_it_is() -> None:
    for n, level in enumerate(LEVELS, 1):
        (row,) = re.findall(rf"^\| {n} \| .*\(`{level.id}`\).*$", DOCUMENT, re.MULTILINE)
        assert f"`{parse(level.bot).name}`" in row and row.endswith(f"| {level.style} |")
