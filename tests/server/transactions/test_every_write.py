"""Every write of every command is broken once: all or nothing in memory, in the database, in the clocks and in what
every reader is told; and the retry succeeds, once.

The commands are found in `commands.Any`, the changes of people in what `People` calls: a new one without a scene fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from branchline.server.tables import commands
from tests.server.transactions.breaking import AT_ROWS, KINDS, UNCERTAIN, Dump, Kind
from tests.server.transactions.comparing import effect, plain
from tests.server.transactions.scenes import OF, SCENES
from tests.server.transactions.stage import Scene, Stage, photo
from tests.server.transactions.writers import public_writers, writers

CERTAIN = [kind for kind in KINDS if kind not in UNCERTAIN]
SILENT = {"renamed"}  # writes nothing
UNWRITTEN = {"cannot_write", "move_unwritten"}

every_scene = pytest.mark.parametrize("name", SCENES)


@dataclass(frozen=True)
class Known:
    """What comes of a scene where nothing breaks."""

    rows: int
    transactions: int
    body: Any  # of the answer
    effect: dict[str, Any]
    told: list[Any]  # to each reader
    present: list[Any]  # state, to each reader


def known(stage: Stage, name: str) -> Known:
    if name not in stage.known:
        stage.known[name] = _played(stage, name)
    found: Known = stage.known[name]
    return found


def _played(stage: Stage, name: str) -> Known:
    scene = SCENES[name](stage)
    try:
        told(scene)
        stage.let_pass(scene.passes)
        before = stage.breaker.dump()
        stage.breaker.begin(None)
        reply = scene.ask()
        assert reply.ok, reply
        came = came_of(stage, scene, before)
        rows, transactions = stage.breaker.counts()
        return Known(rows, transactions, said(scene, reply.body), came, told(scene), present(scene))
    finally:
        stage.strike(scene)


def told(scene: Scene) -> list[Any]:
    """What each reader heard since it was last asked."""
    return [said(scene, reader.told()) for reader in scene.readers]


def seen(scene: Scene) -> list[Any]:
    """The table and the game as each reader has them."""
    told(scene)
    return [said(scene, reader.stands()) for reader in scene.readers]


def present(scene: Scene) -> list[Any]:
    """The same, for readers who ask how it stands."""
    for reader in scene.readers:
        reader.send({"t": "resync"})
    return seen(scene)


def said(scene: Scene, body: Any) -> Any:
    """The same in every run of a scene."""
    return plain(body, _newcomer(scene))


def came_of(stage: Stage, scene: Scene, before: Dump) -> dict[str, Any]:
    """The rows that came and went."""
    stage.calm()
    return effect(before, stage.breaker.dump(), stage.names() | _newcomer(scene))


def _newcomer(scene: Scene) -> dict[str, str]:
    return {scene.newcomer: "newcomer"} if scene.newcomer else {}


NOTHING: list[Any] = []


# ---------------------------------------------------------------- nothing is left out

# Every place from which the store is changed, and where it is broken. A new one has to be put here, and broken.
_WRITERS = {
    "live/table.py:LiveTable._commit": "the scenes of all commands",
    "live/held.py:HeldTables.made": "the scenes of `create`",
    "people/people.py:People._put": "the scenes of People's methods",
    "people/people.py:People.set_block": "the scenes of People's methods",
    "people/carries.py:Carries._put": "the scenes of Carries' methods",
    "people/carries.py:Carries.use": "the scenes of Carries' methods",
    "live/table.py:LiveTable._be_certain": "test_going_on.py: a table in doubt",
    "live/held.py:HeldTables._load": "test_put_aside.py: a table is taken when somebody asks for it",
    "live/held.py:HeldTables._put_aside": "test_put_aside.py",
    "live/held.py:HeldTables._let_go": "changes no table, only who holds it",
    "live/all_tables.py:Tables.looks": "forgets what need not be told; what stays is told all the same",
    "notices/book.py:CallBook.add_device": "test_notices.py",
    "notices/book.py:CallBook.drop_device": "test_notices.py",
    "notices/book.py:CallBook._ask": "test_notices.py",
    "notices/book.py:CallBook.confirm": "test_notices.py",
    "notices/book.py:CallBook.drop_mail": "test_notices.py",
    "notices/book.py:CallBook.stop": "test_notices.py",
    "notices/sender.py:Sender._look": "test_notices.py",
    "notices/sender.py:Sender._tidy": "test_notices.py",
    "notices/sender.py:Sender._handle": "test_notices.py",
    "notices/sender.py:Sender._send": "test_notices.py",
    "notices/sender.py:Sender._settle": "test_notices.py",
    "notices/sender.py:Sender._learn": "what is lost of it is learned from the next message",
    "people/people.py:People.set_calls": "the scenes of People's methods",
    "thinking/reviewing.py:Reviewing._make": "test_reviews.py: what could not be kept is told, and made again",
    "service.py:Service.start": "a sign of life",
    "service.py:Service.stop": "a sign of life",
    "service.py:Service._beat": "a sign of life",
    "people/keys.py:Keys.load": "test_operators_writes.py",
    "people/keys.py:rotate": "test_operators_writes.py",
    "operate/admin.py:settle_report": "test_operators_writes.py",
    "operate/admin.py:ban": "test_operators_writes.py",
    "operate/admin.py:unban": "test_operators_writes.py",
    "operate/admin.py:erase": "test_operators_writes.py",
    "operate/admin.py:allow_mail": "test_operators_writes.py",
    "operate/admin.py:purge": "test_operators_writes.py",
    "operate/admin.py:retry_broken": "test_operators_writes.py",
}


def test_every_command_has_a_scene() -> None:
    assert OF.keys() >= {command.__name__ for command in get_args(commands.Any)} | {"create"}


def test_every_change_of_a_person_has_a_scene() -> None:
    assert OF.keys() >= {f"People.{name}" for name in public_writers("people/people.py", "People")}
    assert OF.keys() >= {f"Carries.{name}" for name in public_writers("people/carries.py", "Carries")}


def test_nobody_else_changes_the_store() -> None:
    assert writers().keys() == _WRITERS.keys()


# ---------------------------------------------------------------- breaking


@every_scene
@pytest.mark.parametrize("kind", CERTAIN)
def test_what_cannot_be_written_did_not_happen_and_can_be_asked_again(stage: Stage, name: str, kind: Kind) -> None:
    usual = known(stage, name)
    if name in SILENT:
        assert usual.rows == 0
        return
    every = range(1, (usual.rows if kind in AT_ROWS else usual.transactions) + 1)
    for ats in [[at] for at in every] if usual.transactions > 1 else [every]:
        scene = SCENES[name](stage)
        try:
            _unwritten(stage, scene, kind, ats, usual)
        finally:
            stage.strike(scene)


def _unwritten(stage: Stage, scene: Scene, kind: Kind, ats: Iterable[int], usual: Known) -> None:
    joined, clocks = stage.late_joiner(scene.table) if scene.table else ([], [])
    told(scene)
    stage.let_pass(scene.passes)
    before, begun = photo(stage, scene), stage.breaker.dump()
    for at in ats:
        stage.breaker.begin(kind, at)
        broken = stage.breaker.strikes
        reply = scene.ask()
        assert stage.breaker.strikes > broken
        assert not reply.ok and reply.code in UNWRITTEN, reply
        assert told(scene) == [NOTHING] * len(scene.readers)
        assert photo(stage, scene) == before
    if scene.table:
        again, clocks_again = stage.late_joiner(scene.table)
        assert again == joined
        assert scene.passes or clocks_again == pytest.approx(clocks, abs=0.5)
        told(scene)
    stage.breaker.end()
    reply = scene.ask()
    assert reply.ok and said(scene, reply.body) == usual.body
    stage.calm()
    assert told(scene) == usual.told
    assert came_of(stage, scene, begun) == usual.effect
    stage.memory_is_database()


@every_scene
@pytest.mark.parametrize("kind", UNCERTAIN)
def test_what_may_have_been_written_is_found_out_and_never_done_twice(stage: Stage, name: str, kind: Kind) -> None:
    usual = known(stage, name)
    for at in range(1, usual.transactions + 1):
        scene = SCENES[name](stage)
        try:
            _in_doubt(stage, scene, kind, at, usual)
        finally:
            stage.strike(scene)


def _in_doubt(stage: Stage, scene: Scene, kind: Kind, at: int, usual: Known) -> None:
    told(scene)
    stage.let_pass(scene.passes)
    begun, memory = stage.breaker.dump(), stage.memory()
    stage.breaker.begin(kind, at)
    reply = scene.ask()
    assert (reply.ok, reply.code) == (False, "uncertain")
    if not scene.person:
        assert told(scene) == [NOTHING] * len(scene.readers)
        assert stage.memory() == memory
    if scene.table and not scene.person:
        _accepts_nothing(stage, scene)
    stage.breaker.end()
    reply = scene.ask()
    if not scene.ours:
        assert reply.ok and said(scene, reply.body) == usual.body
    stage.calm()
    _all_know(scene, kind, usual)
    assert came_of(stage, scene, begun) == usual.effect
    stage.memory_is_database()
    scene.ask()
    assert came_of(stage, scene, begun) == usual.effect


def _all_know(scene: Scene, kind: Kind, usual: Known) -> None:
    """Nobody had to ask how it stands."""
    heard = told(scene)
    if kind == "commit never came":
        assert [news[len(news) - len(wanted) :] for news, wanted in zip(heard, usual.told, strict=True)] == usual.told
    else:
        assert seen(scene) == usual.present
    assert present(scene) == usual.present


def _accepts_nothing(stage: Stage, scene: Scene) -> None:
    """Whoever asks for whatever, while nobody knows how the table stands."""
    before = stage.breaker.dump()
    reply = stage.do(scene.table, commands.Say(user=stage.ada.id, phrase="hello", cid="meanwhile"))()
    assert not reply.ok
    assert stage.breaker.dump()["chat"] == before["chat"]
