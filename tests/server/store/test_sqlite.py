"""What is particular to SQLite: one folder and one process, files that are damaged, disks that are full."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branchline.server.store import reading, sqlite_file, statements
from branchline.server.store.contract import BadStore, Elsewhere, Lease, OutcomeUnknown, StoreFailed
from branchline.server.store.opening import open_store
from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite import SqliteStore
from branchline.server.store.sqlite_file import FILE, LOCK_FILE
from branchline.server.tables.rows import Change
from tests.server.store.kit import ask, entry, new, row, using

ROOT = Path(__file__).parents[3]
LOG = f"{FILE}-wal"
INDEX = f"{FILE}-shm"


async def nothing(store: SharedStore) -> None:
    pass


def refused(folder: Path) -> str:
    with pytest.raises(BadStore) as told:
        using(folder, nothing)
    return str(told.value)


def made(folder: Path, users: int = 0) -> Path:
    """The file of a store that was closed."""

    async def work(store: SharedStore) -> None:
        people = (store.put_user(f"user {n:06}", "x" * 100, None, 1.0) for n in range(users))
        await asyncio.gather(*people)

    using(folder, work)
    return folder / FILE


def writer_of(store: SharedStore) -> sqlite3.Connection:
    assert isinstance(store, SqliteStore)
    return store._db.raw


# ---------------------------------------------------------------- threads and loops


def test_many_writes_wake_the_loop_once_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: SharedStore) -> None:
        calls, commits = 0, store.commits
        loop = asyncio.get_running_loop()
        real = loop.call_soon_threadsafe

        def counted(*args: Any, **named: Any) -> asyncio.Handle:
            nonlocal calls
            calls += 1
            return real(*args, **named)

        monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
        await asyncio.gather(*(store.write(new(f"t{n}")) for n in range(1000)))
        monkeypatch.undo()
        assert calls == store.commits - commits < 100

    using(tmp_path, work)


def test_readers_see_whole_writes_only(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        assert isinstance(store, SqliteStore)
        await store.write(new())
        stop, wrong = threading.Event(), []

        def read() -> None:
            last = 0
            while not stop.is_set():
                found = reading.log(store._reader(), "t")
                if len(found) % 2 or len(found) < last:
                    wrong.append(len(found))
                last = len(found)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for seq in range(1, 200, 2):
            await store.write((Lease("t", 1), Change(row(), log=(entry(seq), entry(seq + 1)))))
        stop.set()
        for thread in threads:
            thread.join()
        assert not wrong

    using(tmp_path, work)


def test_several_event_loops_may_write(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        def other(n: int) -> None:
            async def run() -> None:
                for i in range(20):
                    await store.write(new(f"t{n}-{i}"))

            asyncio.run(run())

        await asyncio.gather(*(asyncio.to_thread(other, n) for n in range(4)))
        assert (await store.facts())["tables"] == {"open": 80}

    using(tmp_path, work)


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        with pytest.raises((sqlite3.Error, StoreFailed)):
            await store._look(statements.put_aside, "t", "why")

    using(tmp_path, work)


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        ("SELECT id FROM tables WHERE state = 'playing' AND clock_kind = 'live'", "tables_played"),
        ("SELECT id FROM tables WHERE holder = 'x'", "tables_held"),
        ("SELECT id FROM tables WHERE broken IS NOT NULL", "tables_broken"),
        ("SELECT 1 FROM tables WHERE owner = 'x' AND state IN ('open', 'playing')", "tables_of_owner"),
        ("SELECT table_id FROM seats WHERE user_id = 'x'", "seats_of_user"),
        ("SELECT id FROM tables WHERE state = 'open' AND listed = 1 ORDER BY created", "tables_by_state"),
        ("SELECT 1 FROM log WHERE table_id = 't' AND cid = 'c'", "log_of_client"),
        ("SELECT seq FROM log WHERE table_id = 't' ORDER BY seq", "PRIMARY KEY"),
        ("SELECT 1 FROM receipts WHERE table_id = 't' AND key = 'k'", "PRIMARY KEY"),
        ("SELECT text FROM chat WHERE table_id = 't' ORDER BY id", "chat_of_table"),
        ("SELECT * FROM reports WHERE settled = 0 ORDER BY id", "reports_open"),
    ],
)
def test_frequent_questions_have_an_index(tmp_path: Path, sql: str, index: str) -> None:
    made(tmp_path)
    plan = " ".join(line[-1] for line in ask(tmp_path, f"EXPLAIN QUERY PLAN {sql}"))
    assert index in plan
    assert "TEMP B-TREE" not in plan


# ---------------------------------------------------------------- folders


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        for path in (tmp_path / "data", *(tmp_path / "data").iterdir()):
            assert path.stat().st_mode & 0o077 == 0, path

    using(tmp_path / "data", work)


def test_a_closed_store_is_one_file_without_a_log(tmp_path: Path) -> None:
    using(tmp_path, lambda store: store.write(new()))
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK_FILE}


def test_two_services_cannot_share_a_folder(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        with pytest.raises(BadStore, match="this process uses this folder already"):
            await open_store(tmp_path)
        code = (
            "import asyncio; from branchline.server.store.opening import open_store;"
            f" asyncio.run(open_store({str(tmp_path)!r}))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
        assert "another process uses this folder; stop it, or give another folder" in done.stderr
        await store.write(new())

    using(tmp_path, work)
    made(tmp_path)  # and once it is closed, another may have it


def test_an_operator_works_beside_a_running_service(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.beat(1.0)
        await store.put_user("ada", "Ada", None, 1.0)
        await store.write(new())
        beside = await open_store(tmp_path, administer=True)
        moves = [store.write((Lease("t", 1), Change(row(), log=(entry(n),)))) for n in range(1, 200)]
        bans = [beside.ban("ada", f"{n}") for n in range(50)]
        await asyncio.gather(*moves, *bans)
        assert await beside.take("t") == Elsewhere(store.me)
        ada = await store.user("ada")
        assert ada is not None and ada.banned == "49"
        await beside.close()
        await store.write((Lease("t", 1), Change(row(), log=(entry(200),))))

    using(tmp_path, work)


def test_nothing_is_made_for_an_operator_where_no_store_is(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="there is no store in this folder"):
        using(tmp_path / "data", nothing, administer=True)
    assert not (tmp_path / "data").exists()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be used" in refused(tmp_path / "file")
    assert "cannot be used" in refused(tmp_path / "file" / "data")


# ---------------------------------------------------------------- files that are not what they should be


@pytest.mark.parametrize("text", [b"Dear diary, " * 500, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_database_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)
    assert "damaged, or no store at all" in refused(tmp_path)
    assert (tmp_path / FILE).read_bytes() == text


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    assert "a database of another program" in refused(tmp_path)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = made(tmp_path, users=5000)
    whole = bytearray(file.read_bytes())
    rng = random.Random(1)
    for page in range(2, len(whole) // 4096 - 1, 2):
        whole[page * 4096 : page * 4096 + 512] = rng.randbytes(512)
    file.write_bytes(whole)
    assert "damaged" in refused(tmp_path)


def test_a_file_that_was_emptied_is_not_begun_anew(tmp_path: Path) -> None:
    file = made(tmp_path)
    file.write_bytes(b"")
    assert "has 0 bytes; put back a backup of it, or move" in refused(tmp_path)
    assert file.stat().st_size == 0
    file.unlink()
    made(tmp_path)  # it was moved away: so it is meant


def test_a_file_that_is_gone_while_its_log_is_there_is_not_begun_anew(tmp_path: Path) -> None:
    folder = crashed(tmp_path)
    (folder / FILE).unlink()
    assert f"the file is gone, but its log {LOG} is there" in refused(folder)
    assert not (folder / FILE).exists()


def test_a_start_that_was_interrupted_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    (tmp_path / f"{FILE}.new").write_bytes(b"half of a")
    using(tmp_path, lambda store: store.write(new()))
    assert not (tmp_path / f"{FILE}.new").exists()


# ---------------------------------------------------------------- a damaged log

CRASH = """
import asyncio, os, sys
from pathlib import Path
from branchline.server.store.opening import open_store
from tests.server.store.kit import new

async def main():
    store = await open_store(Path(sys.argv[1]))
    for n in range(30):
        await store.write(new(f"t{n:02}", "x" * 3000))
    os._exit(9)

asyncio.run(main())
"""
PAGE = 24 + 4096


def crashed(tmp_path: Path) -> Path:
    """The folder of a store whose process ended without a word, with all its commits in the log."""
    folder = tmp_path / "crashed"
    subprocess.run([sys.executable, "-c", CRASH, str(folder)], cwd=ROOT, check=False)
    assert (folder / LOG).stat().st_size > 30 * PAGE
    return folder


def damage(at: int, byte: int = 500) -> Callable[[Path], None]:
    def do(log: Path) -> None:
        text = bytearray(log.read_bytes())
        pages = (len(text) - 32) // PAGE
        text[32 + (at % pages) * PAGE + byte] ^= 0xFF
        log.write_bytes(text)

    return do


def cut(size: int) -> Callable[[Path], None]:
    def do(log: Path) -> None:
        log.write_bytes(log.read_bytes()[:-size])

    return do


def damage_head(log: Path) -> None:
    text = bytearray(log.read_bytes())
    text[0] ^= 1
    log.write_bytes(text)


@pytest.mark.parametrize(
    ("harm", "index"),
    [
        (damage(5), True), (damage(5), False), (damage(5, 12), True), (damage(-1), True), (cut(100), True),
        (cut(20 * PAGE), True), (damage_head, True), (damage_head, False),
    ],
)  # fmt: skip
def test_a_log_that_lost_commits_is_refused_again_and_again(
    tmp_path: Path, harm: Callable[[Path], None], index: bool
) -> None:
    folder = crashed(tmp_path)
    harm(folder / LOG)
    if not index:
        (folder / INDEX).unlink()
    before = (folder / LOG).read_bytes(), (folder / FILE).read_bytes()
    for _ in range(2):
        assert f"its log {LOG} is damaged" in refused(folder)
    assert ((folder / LOG).read_bytes(), (folder / FILE).read_bytes()) == before


def test_a_log_whose_last_commit_a_power_cut_tore_is_read_up_to_there(tmp_path: Path) -> None:
    """That one was not acknowledged: it was torn because it had not reached the disk."""
    folder = crashed(tmp_path)
    cut(100)(folder / LOG)
    (folder / INDEX).unlink()  # it was never on the disk

    async def work(store: SharedStore) -> None:
        assert (await store.facts())["tables"] == {"open": 29}

    using(folder, work)


def test_a_crash_alone_harms_nothing(tmp_path: Path) -> None:
    folder = crashed(tmp_path)
    again = shutil.copytree(folder, tmp_path / "again")
    (again / INDEX).unlink()

    async def work(store: SharedStore) -> None:
        assert (await store.facts())["tables"] == {"open": 30}

    using(folder, work)
    using(again, work)


# ---------------------------------------------------------------- when the disk fails


def limit(store: SharedStore, more: int) -> None:
    """SQLite's own limit of pages stands for the disk's: the same error at the same places."""
    (pages,) = writer_of(store).execute("PRAGMA page_count").fetchone()
    writer_of(store).execute(f"PRAGMA max_page_count = {pages + more}")


def test_a_full_disk_fails_the_write_and_no_later_one(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t"))
        limit(store, 4)
        long = Change(row("t", state="playing", result="x" * 100_000), log=(entry(1, "c"),), receipt="r")
        with pytest.raises(StoreFailed, match="full") as told:
            await store.write(new("u"), (Lease("t", 1), long))
        assert not isinstance(told.value, OutcomeUnknown)
        assert "full" in store.trouble
        assert await store.read("u") is None
        stored = await store.read("t")
        assert stored is not None and (stored.table, stored.log) == (row("t"), ())
        limit(store, 100_000)
        await store.write(new("u"), (Lease("t", 1), long))
        assert not store.trouble

    using(tmp_path, work)


def test_when_the_disk_fails_in_a_shared_commit_nobody_is_told_it_worked(tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        limit(store, 10)
        writes = [store.write(new(f"t{n}", result="x" * 3000)) for n in range(60)]
        told = await asyncio.gather(*writes, return_exceptions=True)
        kept = [await store.read(f"t{n}") is not None for n in range(60)]
        assert kept == [error is None for error in told]
        assert any(isinstance(error, StoreFailed) for error in told)

    using(tmp_path, work)


class FailingDisk:
    """A connection whose disk fails at one statement, as SQLite tells of it."""

    def __init__(self, raw: sqlite3.Connection, at: str, code: int) -> None:
        self._raw, self._at, self._code = raw, at, code

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def execute(self, sql: str, args: Any = ()) -> Any:
        if sql.startswith(self._at):
            self._at = "never again"
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = self._code
            raise error
        return self._raw.execute(sql, args)


@pytest.mark.parametrize(
    ("at", "code", "told"),
    [
        ("BEGIN", sqlite3.SQLITE_BUSY, StoreFailed),
        ("UPDATE", sqlite3.SQLITE_IOERR_READ, StoreFailed),
        ("COMMIT", sqlite3.SQLITE_FULL, StoreFailed),
        ("COMMIT", sqlite3.SQLITE_IOERR_FSYNC, OutcomeUnknown),
    ],
)
def test_only_a_commit_that_failed_half_way_is_in_doubt(
    tmp_path: Path, at: str, code: int, told: type[Exception]
) -> None:
    async def work(store: SharedStore) -> None:
        assert isinstance(store, SqliteStore)
        await store.write(new())
        store._db.raw = FailingDisk(store._db.raw, at, code)  # type: ignore[assignment]
        with pytest.raises(StoreFailed) as met:
            await store.write((Lease("t", 1), Change(row(state="playing"))))
        assert type(met.value) is told
        assert store.trouble
        stored = await store.read("t")
        assert stored is not None and stored.table == row()
        await store.write((Lease("t", 1), Change(row(state="playing"))))
        assert not store.trouble

    using(tmp_path, work)


def test_a_full_disk_at_the_start_is_called_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = sqlite_file.connect

    def on_a_full_disk(path: Path) -> sqlite3.Connection:
        db = real(path)
        db.execute("PRAGMA max_page_count = 3")
        return db

    monkeypatch.setattr(sqlite_file, "connect", on_a_full_disk)
    assert "the disk is full: make room and start again; nothing is damaged" in refused(tmp_path)
    monkeypatch.undo()
    made(tmp_path)
