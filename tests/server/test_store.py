"""The store: what is acknowledged is durable, one bad write hurts nobody else, a bad file is refused by name."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from branchline.server import store as module
from branchline.server.store import FILE, MIGRATIONS, BadStore, Statement, Store, StoreFailed

ROOT = Path(__file__).parents[2]
USERS = "INSERT INTO users (id, name, created, seen) VALUES (?, ?, 0, 0)"
MOVES = "INSERT INTO log (table_id, seq, seat, line, cid, at, by) VALUES (?, ?, 0, 'draw deck', ?, 0, 'player')"


def user(name: str) -> Statement:
    return USERS, (name, name.title())


def move(table: str, seq: int, cid: str | None = None) -> Statement:
    return MOVES, (table, seq, cid)


def using(folder: Path, work: Callable[[Store], Coroutine[Any, Any, None]]) -> Store:
    """Open a store, work with it, close it."""

    async def run() -> Store:
        store = Store(folder)
        try:
            await work(store)
        finally:
            await store.close()
        return store

    return asyncio.run(run())


def names(folder: Path) -> list[str]:
    """The users of a closed store, read by another door."""
    with sqlite3.connect(folder / FILE) as db:
        return [name for (name,) in db.execute("SELECT id FROM users ORDER BY id")]


# ---------------------------------------------------------------- writing and reading


def test_what_was_written_can_be_read_and_is_still_there_later(tmp_path: Path) -> None:
    async def first(store: Store) -> None:
        await store.write(user("ada"), user("bo"))
        assert [row["name"] for row in store.read("SELECT name FROM users WHERE id > ?", ("a",))] == ["Ada", "Bo"]

    async def second(store: Store) -> None:
        rows = await store.read_async("SELECT count(*) AS n FROM users")
        assert rows[0]["n"] == 2

    using(tmp_path / "data", first)
    using(tmp_path / "data", second)
    assert names(tmp_path / "data") == ["ada", "bo"]


def test_a_write_is_all_or_nothing(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(sqlite3.IntegrityError):
            await store.write(user("ada"), user("bo"), user("ada"))
        assert store.read("SELECT * FROM users") == []
        await store.write(user("ada"))
        assert not store.trouble

    using(tmp_path, work)
    assert names(tmp_path) == ["ada"]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (user("taken"), sqlite3.IntegrityError),
        (("INSERT INTO nowhere VALUES (1)", ()), sqlite3.OperationalError),
        ((USERS, ("x",)), sqlite3.ProgrammingError),
        ((USERS, ("x", 1 << 70)), OverflowError),
        (("INSERT INTO tables (id, map, state, created, commitment, server_seed) VALUES (?, '', 'x', 0, '', '')", "t"),
         sqlite3.IntegrityError),
        ((MOVES.replace("'player'", "'ghost'"), ("t", 1, None)), sqlite3.IntegrityError),
    ],
)  # fmt: skip
def test_a_failing_write_raises_for_its_caller_alone(tmp_path: Path, wrong: Statement, error: type[Exception]) -> None:
    async def work(store: Store) -> None:
        await store.write(user("taken"))
        good = [store.write(user(f"u{i:02}")) for i in range(20)]
        done = await asyncio.gather(*good[:10], store.write(user("half"), wrong), *good[10:], return_exceptions=True)
        assert isinstance(done[10], error)
        assert [told for i, told in enumerate(done) if i != 10] == [None] * 20

    using(tmp_path, work)
    assert names(tmp_path) == ["taken", *(f"u{i:02}" for i in range(20))]


def test_many_writes_share_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        seen: list[int] = []
        store.on_commit = lambda seconds, writes: seen.append(writes)
        calls = 0
        loop = asyncio.get_running_loop()
        real = loop.call_soon_threadsafe

        def counted(*args: Any, **named: Any) -> asyncio.Handle:
            nonlocal calls
            calls += 1
            return real(*args, **named)

        monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
        await asyncio.gather(*(store.write(move("t", seq), move("u", seq)) for seq in range(2000)))
        monkeypatch.undo()
        assert store.writes == 2000
        assert store.statements == 4000
        assert store.commits < 100
        assert calls == store.commits
        assert 0 < store.last_commit_seconds <= store.commit_seconds
        assert sum(seen) >= 1500  # the last may be told a moment later

    using(tmp_path, work)


def test_a_watcher_that_fails_stops_nobody(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        def watch(seconds: float, writes: int) -> None:
            raise RuntimeError("counted wrong")

        store.on_commit = watch
        await store.write(user("ada"))
        await store.write(user("bo"))
        assert store.on_commit is None

    using(tmp_path, work)


def test_a_caller_who_gives_up_does_not_undo_the_write(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        task = asyncio.create_task(store.write(user("ada")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await store.write(user("bo"))

    using(tmp_path, work)
    assert names(tmp_path) == ["ada", "bo"]


def test_closing_finishes_what_was_asked_for(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        tasks = [asyncio.create_task(store.write(user(f"u{i}"))) for i in range(50)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(StoreFailed, match="closed"):
            await store.write(user("late"))
        with pytest.raises(StoreFailed, match="closed"):
            await store.read_async("SELECT 1")

    using(tmp_path, work)
    assert len(names(tmp_path)) == 50
    assert not (tmp_path / f"{FILE}-wal").exists() or not (tmp_path / f"{FILE}-wal").stat().st_size


def test_threads_read_while_others_write(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        stop, wrong = threading.Event(), []

        def read() -> None:
            last = 0
            while not stop.is_set():
                (row,) = store.read("SELECT count(*) AS n, coalesce(max(seq), 0) AS last FROM log")
                if row["n"] % 2 or row["n"] < last or row["n"] != row["last"]:
                    wrong.append(tuple(row))
                last = row["n"]

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for seq in range(1, 200, 2):
            await store.write(move("t", seq), move("t", seq + 1))
        stop.set()
        for thread in threads:
            thread.join()
        assert not wrong

    using(tmp_path, work)


def test_several_event_loops_may_write(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        def other(n: int) -> None:
            async def run() -> None:
                for i in range(20):
                    await store.write(user(f"u{n}-{i}"))

            asyncio.run(run())

        await asyncio.gather(*(asyncio.to_thread(other, n) for n in range(4)))
        assert store.read("SELECT count(*) FROM users")[0][0] == 80

    using(tmp_path, work)


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises((sqlite3.Error, StoreFailed)):
            store.read("DELETE FROM users")

    using(tmp_path, work)


def test_a_client_id_is_used_once_at_a_table(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.write(move("t", 1, "a"), move("t", 2), move("t", 3), move("u", 1, "a"))
        with pytest.raises(sqlite3.IntegrityError):
            await store.write(move("t", 4, "a"))
        with pytest.raises(sqlite3.IntegrityError):
            await store.write(move("t", 2, "b"))

    using(tmp_path, work)


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        ("SELECT table_id FROM seats WHERE user_id = 'x'", "seats_of_user"),
        ("SELECT id FROM tables WHERE state = 'open' AND listed = 1 ORDER BY created", "tables_by_state"),
        ("SELECT seq FROM log WHERE table_id = 't' AND cid = 'c'", "log_of_client"),
        ("SELECT seq FROM log WHERE table_id = 't' AND seq > 7", "PRIMARY KEY"),
        ("SELECT text FROM chat WHERE table_id = 't' ORDER BY id", "chat_of_table"),
    ],
)
def test_frequent_questions_have_an_index(tmp_path: Path, sql: str, index: str) -> None:
    async def work(store: Store) -> None:
        plan = " ".join(row["detail"] for row in store.read(f"EXPLAIN QUERY PLAN {sql}"))
        assert index in plan
        assert "SCAN" not in plan
        assert "TEMP B-TREE" not in plan

    using(tmp_path, work)


# ---------------------------------------------------------------- files


def refused(folder: Path) -> str:
    with pytest.raises(BadStore) as told:
        Store(folder)
    return str(told.value)


def made(folder: Path, users: int = 0) -> Path:
    """The file of a store that was closed."""

    async def work(store: Store) -> None:
        for at in range(0, users, 500):
            await store.write(*(user(f"user {i:06}") for i in range(at, at + 500)))

    using(folder, work)
    return folder / FILE


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    made(tmp_path / "data")
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert (tmp_path / "data" / FILE).stat().st_mode & 0o077 == 0


def test_two_stores_cannot_share_a_folder(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert "this process uses this folder already" in refused(tmp_path)
        code = f"from branchline.server.store import Store; from pathlib import Path; Store(Path({str(tmp_path)!r}))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
        assert "another process uses this folder; stop it, or give another folder" in done.stderr
        await store.write(user("ada"))

    using(tmp_path, work)
    made(tmp_path)  # and once it is closed, another may have it


def test_a_newer_file_is_refused_by_name(tmp_path: Path) -> None:
    file = made(tmp_path)
    with sqlite3.connect(file) as db:
        db.execute("UPDATE schema_version SET version = 99")
    assert str(file) in refused(tmp_path)
    assert f"newer Branchline, version 99; this one reads up to version {len(MIGRATIONS)}" in refused(tmp_path)


def test_an_older_file_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, users=500)
    later = (*MIGRATIONS, ("ALTER TABLE users ADD COLUMN hat TEXT", "UPDATE users SET hat = 'bowler'"))
    monkeypatch.setattr(module, "MIGRATIONS", later)

    async def work(store: Store) -> None:
        assert store.read("SELECT DISTINCT hat FROM users")[0]["hat"] == "bowler"
        assert store.read("SELECT version FROM schema_version")[0]["version"] == len(later)

    using(tmp_path, work)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(module, "MIGRATIONS", (*MIGRATIONS, ("DROP TABLE chat", "DROP TABLE nowhere")))
        assert "nowhere" in refused(tmp_path)
    made(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as db:
        assert db.execute("SELECT version FROM schema_version").fetchone() == (len(MIGRATIONS),)
        assert db.execute("SELECT count(*) FROM chat").fetchone() == (0,)


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


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be used" in refused(tmp_path / "file")
    assert "cannot be used" in refused(tmp_path / "file" / "data")


# ---------------------------------------------------------------- when the disk fails


def test_a_full_disk_fails_the_write_and_no_other(tmp_path: Path) -> None:
    """SQLite's own limit of pages stands for the disk's: the same error at the same places."""

    async def work(store: Store) -> None:
        await store.write(user("ada"))
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages + 4}")
        long = (USERS, ("big", "x" * 100_000))
        with pytest.raises(StoreFailed, match="full"):
            await store.write(user("bo"), long)
        assert "full" in store.trouble
        assert [row["id"] for row in store.read("SELECT id FROM users")] == ["ada"]
        store._db.execute("PRAGMA max_page_count = 100000")
        await store.write(long)
        assert not store.trouble

    using(tmp_path, work)
    assert names(tmp_path) == ["ada", "big"]


def test_when_the_disk_fails_in_a_shared_commit_nobody_is_told_it_worked(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages + 4}")
        writes = [store.write((USERS, (f"u{i}", "x" * 3000))) for i in range(40)]
        told = await asyncio.gather(*writes, return_exceptions=True)
        kept = {row["id"] for row in store.read("SELECT id FROM users")}
        assert kept == {f"u{i}" for i, error in enumerate(told) if error is None}
        assert any(isinstance(error, StoreFailed) for error in told)

    using(tmp_path, work)


# ---------------------------------------------------------------- kill -9

WRITER = """
import asyncio, sys
from pathlib import Path
from branchline.server.store import Store

async def main(folder):
    store = Store(Path(folder))
    first = store.read("SELECT coalesce(max(seq), 0) FROM log")[0][0]

    async def play(table):
        for seq in range(first + 1, first + 100_000):
            row = (table, seq, 0, "draw deck", f"{table}-{seq}", 0.0, "player", None)
            await store.write(("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row))
            sys.stdout.write(f"{table} {seq}\\n")
            sys.stdout.flush()

    await asyncio.gather(*(play(f"t{n}") for n in range(20)))

asyncio.run(main(sys.argv[1]))
"""


def written_until_killed(folder: Path, after: int) -> set[tuple[str, int]]:
    """The moves a process said were durable before it was killed, a while after it had said so many."""
    command = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    return {(table, int(seq)) for table, seq in (line.split() for line in lines if line.endswith("\n"))}


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    acknowledged: set[tuple[str, int]] = set()

    async def check(store: Store) -> None:
        kept = {(row["table_id"], row["seq"]) for row in store.read("SELECT table_id, seq FROM log")}
        assert acknowledged <= kept
        assert [tuple(row) for row in store.read("PRAGMA integrity_check")] == [("ok",)]

    for after in (1, 50, 300, 777, 1500):
        acknowledged |= written_until_killed(tmp_path, after)
        using(tmp_path, check)
    assert len(acknowledged) >= 2628
