"""What an operator changes is all or nothing, too, and can be asked for again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from branchline.server.people.keys import new_key
from branchline.server.store.contract import OutcomeUnknown, Store, StoreFailed
from tests.server.transactions.breaking import AT_ROWS, KINDS, UNCERTAIN, Kind
from tests.server.transactions.laying import lay, whole_game
from tests.server.transactions.stage import Stage
from tests.server.transactions.writers import writing_methods

Work = Callable[[Store, dict[str, Any]], Awaitable[object]]
_KEY: Final = new_key("cookie", 1.0)
_REFUSED: Final = "a mailbox that wants no questions"

CHANGES: Final[dict[str, Work]] = {
    "settle": lambda store, at: store.settle(at["report"]),
    "ban": lambda store, at: store.ban(at["user"], "he swears"),
    "erase": lambda store, at: store.erase(at["user"]),
    "purge": lambda store, at: store.purge(1e12),
    "allow_mail": lambda store, at: store.allow_mail(_REFUSED),
    "put_aside": lambda store, at: store.put_aside(at["table"], "the map is gone"),
    "add_key": lambda store, at: store.add_key(_KEY, retire=True, ends=2e9),
}
_BROKEN_ELSEWHERE: Final = {
    "write",  # every command
    "put_user",
    "put_block",
    "put_calls",  # People's scenes
    "put_carry",
    "use_carry",  # Carries' scenes
    "put_device",
    "drop_device",
    "ask_mail",
    "confirm_mail",
    "drop_mail",
    "take_notices",
    "settle_notice",
    "put_off_notice",
    "tidy_notices",
    "refuse_mail",  # test_notices.py
    "silent_device",
    "heard_device",  # what is lost of it is learned from the next message
    "forget_notices",  # what it leaves is told all the same
    "put_review",  # test_reviews.py: it is told and made again
    "take",
    "release",
    "beat",
    "register",  # who holds what and who lives: no table changes
}


def test_every_writing_method_of_the_store_is_broken() -> None:
    assert writing_methods() == CHANGES.keys() | _BROKEN_ELSEWHERE


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_operators_change_is_all_or_nothing(stage: Stage, name: str, kind: Kind) -> None:
    before, after, rows = _unbroken(stage, name)
    store, at = stage.service.store, _scene(stage)
    try:
        for number in _some(rows) if kind in AT_ROWS else [1]:
            stage.breaker.begin(kind, number)
            told = OutcomeUnknown if kind in UNCERTAIN else StoreFailed
            with pytest.raises(told):
                stage.running.run(_work(CHANGES[name], store, at))
            stage.breaker.end()
            assert _sizes(stage) == (after if kind == "answer to the commit lost" else before)
        stage.running.run(_work(CHANGES[name], store, at) if not _is_there(stage, name) else _nothing())
        assert _sizes(stage) == after
    finally:
        _strike(stage)


def _some(rows: int) -> list[int]:
    """The first rows, the last, and a few between: a purge deletes hundreds."""
    return [number for number in range(1, rows + 1) if number <= 3 or number % 40 == 0 or number == rows]


async def _work(change: Work, store: Store, at: dict[str, Any]) -> None:
    await change(store, at)


async def _nothing() -> None:
    return None


def _is_there(stage: Stage, name: str) -> bool:
    """A key is added once; an operator who asks again makes another."""
    return name == "add_key" and bool(stage.breaker.ask(f"SELECT 1 AS one FROM keys WHERE id = '{_KEY.id}'"))


def _unbroken(stage: Stage, name: str) -> tuple[Any, Any, int]:
    """The sizes before and after the change, and how many rows it changed."""
    at = _scene(stage)
    try:
        before = _sizes(stage)
        stage.breaker.begin(None)
        stage.running.run(_work(CHANGES[name], stage.service.store, at))
        rows, _ = stage.breaker.counts()
        return before, _sizes(stage), rows
    finally:
        _strike(stage)


def _scene(stage: Stage) -> dict[str, Any]:
    """A game that is over, a report about Bo, and words that Bo said."""
    table = lay(stage, whole_game(), over=True)
    stage.ada.post(f"/tables/{table}/report", {"seat": 1, "reason": "chat", "text": "he swears"})
    (report,) = stage.breaker.ask("SELECT id FROM reports")
    stage.running.run(stage.service.store.refuse_mail(_REFUSED, 2e9))
    return {"table": table, "user": stage.bo.id, "report": report["id"]}


def _strike(stage: Stage) -> None:
    stage.strike(None)
    stage.breaker.ask(f"DELETE FROM keys WHERE id = '{_KEY.id}'")
    stage.breaker.ask("DELETE FROM mail_refused")
    stage.breaker.ask("UPDATE keys SET retired = NULL, ends = NULL")


def _sizes(stage: Stage) -> dict[str, Any]:
    """How many rows there are of everything, and what an operator can change of them."""
    dump = stage.breaker.dump()
    marks = ("broken", "settled", "banned", "retired", "ends", "about_user", "name", "user_id")
    return {table: sorted(str([bool(row.get(mark)) for mark in marks]) for row in rows) for table, rows in dump.items()}
