"""Bots at the tables of a service: levels, bots of the owner's, and what becomes of a game whose bot fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.bots import BadBot, known_levels
from branchline.server.tables.roster import NAMES, Roster
from tests.server.service import ROOT, Process, Running, eventually, full_disk, seated

# Each plays the first tickets and then goes wrong in its own way.
FAULTY = '''
import os, time

class Good:
    """Takes what is offered first."""
    def choose(self, view, actions):
        return actions[0]

class Crasher:
    def choose(self, view, actions):
        return actions[0] if "tickets" in view.phase else actions[len(actions)]

class Leaver:
    def choose(self, view, actions):
        raise SystemExit(3)

class Dier:
    def choose(self, view, actions):
        os._exit(1)

class Hanger:
    def choose(self, view, actions):
        while True:
            pass

class Talker:
    def choose(self, view, actions):
        return "claim everything"

class Sleeper:
    def __init__(self, seconds):
        self.seconds = seconds
    def choose(self, view, actions):
        time.sleep(self.seconds)
        return actions[0]
'''
CLASSES = ("Good", "Crasher", "Leaver", "Dier", "Hanger", "Talker")


@pytest.fixture(scope="module")
def bot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "faulty.py"
    path.write_text(FAULTY, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, bot_file: Path) -> Iterator[Running]:
    specs = tuple(f"{bot_file}:{name}" for name in CLASSES)
    with Running(tmp_path_factory.mktemp("hall"), bots=specs, bot_seconds=0.1) as up:
        yield up


# ---------------------------------------------------------------- what is offered


def test_the_levels_are_offered_gentlest_first_and_then_the_owners_bots(hall: Running) -> None:
    offered = hall.person().get("/bots")
    levels = [bot for bot in offered if bot["level"]]
    assert [bot["id"] for bot in levels] == [level.id for level in known_levels()]
    assert [bot["level"] for bot in levels] == sorted(bot["level"] for bot in levels)
    assert all(bot["about"] for bot in levels)
    own = offered[len(levels) :]
    assert [bot["id"] for bot in own] == list(CLASSES)
    assert own[0]["about"] == "Takes what is offered first."


def test_every_level_and_every_bot_of_ours_can_sit_down_and_has_a_name(hall: Running) -> None:
    for bot in ("random", "path", *(level.id for level in known_levels())):
        table = hall.person("Ada").table(bot, bot, bot, bot)
        names = [seat["name"] for seat in table["seats"][1:]]
        assert [seat["bot"] for seat in table["seats"][1:]] == [bot] * 4
        assert sorted(names) == sorted(set(names)) and set(names) <= set(NAMES[bot])
    table = hall.person("Ada").table("Good", "Good")
    assert [seat["name"] for seat in table["seats"][1:]] == ["Good", "Good 2"]


def test_an_owners_bot_cannot_take_the_name_of_one_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class conductor:\n    def choose(self, view, actions):\n        return actions[0]\n")
    with pytest.raises(BadBot, match='there is a bot "conductor" already'):
        Roster([f"{file}:conductor"])
    with pytest.raises(BadBot, match="no bot file"):
        Roster([f"{tmp_path}/other.py:Bot"])


# ---------------------------------------------------------------- bots that fail


def by_of(running: Running, table: str, seat: int) -> list[str]:
    return [entry.by for entry in running.log(table) if entry.seat == seat]


@pytest.mark.parametrize(
    ("bot", "why"),
    [("Crasher", "crashed"), ("Leaver", "crashed"), ("Dier", "died"), ("Hanger", "slow"), ("Talker", "nonsense")],
)
def test_a_bot_that_fails_is_replaced_for_the_move_and_the_table_is_told(hall: Running, bot: str, why: str) -> None:
    with seated(hall, ("Ada",), bots=[bot]) as (people, (me,)):
        table = me.table["id"]
        me.move(me.offers[0])
        while not any(step["seat"] == 1 and step["by"] == "standin" for step in me.steps):
            if me.offers:
                me.move(next(line for line in me.offers if line.startswith(("draw deck", "keep"))))
            else:
                me.wait("update")
        assert "standin" in by_of(hall, table, 1)
        told = people[0].get(f"/tables/{table}/history")
        assert [step["by"] for step in told if step["seat"] == 1] == by_of(hall, table, 1)
    metrics = hall.service.metrics.render().decode()
    assert f'branchline_bots_replaced_total{{bot="{bot}",why="{why}"}}' in metrics
    assert f'branchline_bot_seconds_count{{bot="{bot}"}}' in metrics


def test_after_a_write_that_failed_the_bots_go_on_by_themselves(hall: Running) -> None:
    with full_disk(hall, lambda change: any(entry.by == "bot" for entry in change.log)) as tried:
        table = hall.person("Ada").table("random", start=True)["id"]
        eventually(lambda: len(tried) >= 2)
        assert by_of(hall, table, 1) == []
    eventually(lambda: by_of(hall, table, 1) == ["bot"])  # nobody came and nobody asked


def test_a_good_bot_of_the_owners_is_not_replaced(hall: Running) -> None:
    with seated(hall, ("Ada",), bots=["Good"]) as (_, (me,)):
        me.move(me.offers[0])
        eventually(lambda: by_of(hall, me.table["id"], 1))
        assert set(by_of(hall, me.table["id"], 1)) == {"bot"}


def test_a_bot_that_is_offered_no_more_is_stood_in_for(tmp_path: Path, bot_file: Path) -> None:
    with Running(tmp_path, bots=(f"{bot_file}:Good",)) as before:
        ada = before.person("Ada")
        table = ada.table("Good", start=True)["id"]
    with Running(tmp_path) as after:
        after.live(table)  # who asks for a table wakes its bots
        eventually(lambda: "standin" in by_of(after, table, 1))
        assert 'branchline_bots_replaced_total{bot="other",why="missing"}' in after.service.metrics.render().decode()


# ---------------------------------------------------------------- nobody waits for another's thoughts


def test_one_that_hangs_holds_up_nobody_else(hall: Running) -> None:
    with seated(hall, ("Ada",), bots=["Hanger"]) as (_, (slow,)), seated(hall, ("Bo",), bots=["path"]) as (_, (me,)):
        slow.move(slow.offers[0])
        me.move(me.offers[0])
        eventually(lambda: by_of(hall, me.table["id"], 1))
        assert not by_of(hall, slow.table["id"], 1), "the quick bot waited for the one that hangs"


# ---------------------------------------------------------------- the command of the document


def test_the_documents_bot_can_be_met_in_the_browser(tmp_path: Path) -> None:
    document = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", document, re.DOTALL)[0]
    (command,) = re.findall(r"```sh\nbranchline serve (.*?) --open\n```", document)
    (tmp_path / "my_bot.py").write_text(code, encoding="utf-8")
    words = command.replace("my_bot.py", str(tmp_path / "my_bot.py")).split()
    with Process(tmp_path / "data", *words) as service:
        ada = service.person("Ada")
        assert ada.get("/bots")[-1] == {
            "id": "MyBot",
            "level": None,
            "about": "Claims the longest track it can pay, else draws blind.",
        }
        with seated(service, ("Ada",), bots=["MyBot"]) as (_, (me,)):
            me.move(me.offers[0])
            while not any(step["seat"] == 1 for step in me.steps):
                me.wait("update")
            assert {step["by"] for step in me.steps if step["seat"] == 1} == {"bot"}
