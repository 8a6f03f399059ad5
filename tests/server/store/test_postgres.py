"""What is particular to PostgreSQL: a line that breaks, a server that dies or says nothing, many processes at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from branchline.server.store import postgres as module
from branchline.server.store import postgres_opening
from branchline.server.store.contract import BadStore, Lease, NotHolder, OutcomeUnknown, StoreFailed
from branchline.server.store.opening import open_store
from branchline.server.store.shared import SharedStore
from branchline.server.tables.rows import Change
from tests.server.store.kit import ask, entry, new, row, using
from tests.server.store.proxy import DONE_BEGIN, DONE_COMMIT, Line
from tests.servers import Postgres

ROOT = Path(__file__).parents[3]


def move(seq: int, number: int = 1) -> tuple[Lease, Change]:
    return Lease("t", number), Change(row(to_act=f"[{seq}]"), log=(entry(seq, f"c{seq}"),))


async def seqs(store: SharedStore, table: str = "t") -> list[int]:
    return [line.seq for line in await store.log(table)]


# ---------------------------------------------------------------- when the line breaks


def test_an_answer_lost_before_the_commit_changes_nothing(database: str) -> None:
    with Line(database) as line:

        async def work(store: SharedStore) -> None:
            await store.write(new())
            line.cut_at = DONE_BEGIN
            told = await asyncio.gather(*(store.write(move(n)) for n in (1, 2)), return_exceptions=True)
            assert [type(error) for error in told] == [StoreFailed] * 2
            assert line.cuts >= 2 and store.trouble
            line.cut_at = None
            assert await seqs(store) == []
            await store.write(move(1))
            assert await seqs(store) == [1] and not store.trouble

        using(line.url, work)


def test_an_answer_lost_after_the_commit_is_said_to_be_unknown_and_reading_again_tells(database: str) -> None:
    with Line(database) as line:

        async def work(store: SharedStore) -> None:
            await store.write(new())
            line.cut_at = DONE_COMMIT
            told = await asyncio.gather(*(store.write(move(n)) for n in (1, 2)), return_exceptions=True)
            assert [type(error) for error in told] == [OutcomeUnknown] * 2
            line.cut_at = None
            found = await store.take("t")
            assert isinstance(found, tuple)
            assert [entry.seq for entry in found[1].log] == [1, 2]
            with pytest.raises(NotHolder):  # a write that was still on its way could not come in now
                await store.write(move(3))
            await store.write(move(3, found[0].number))

        using(line.url, work)


def test_a_small_change_whose_answer_is_lost_is_unknown_too(database: str) -> None:
    with Line(database) as line:

        async def work(store: SharedStore) -> None:
            line.cut_at = DONE_COMMIT
            with pytest.raises(OutcomeUnknown):
                await store.put_user("ada", "Ada", None, 1.0)
            assert store.trouble
            line.cut_at = None
            assert await store.names(["ada"]) == {"ada": "Ada"}
            await store.put_user("ada", "Countess", None, 1.0)
            assert not store.trouble

        using(line.url, work)


def test_a_line_that_broke_while_nobody_used_it_is_not_noticed(database: str) -> None:
    with Line(database) as line:

        async def work(store: SharedStore) -> None:
            await store.write(new())
            await store.lobby(5)
            for seq in (1, 2, 3):
                line.end_all()
                await store.write(move(seq))
                line.end_all()
                assert await seqs(store) == list(range(1, seq + 1))
                line.end_all()
                await store.beat(1.0)

        using(line.url, work)


# ---------------------------------------------------------------- when the server dies


def test_a_server_that_was_killed_and_comes_back_has_all_that_was_acknowledged(postgres: Postgres) -> None:
    database = postgres.fresh()

    async def work(store: SharedStore) -> None:
        await store.write(new())
        acknowledged: list[int] = []
        doubtful: list[int] = []

        async def play() -> None:
            lease, seq = Lease("t", 1), 0
            while len(acknowledged) < 400:
                try:
                    await store.write((lease, Change(row(), log=(entry(seq + 1, f"c{seq + 1}"),))))
                    acknowledged.append(seq := seq + 1)
                except OutcomeUnknown:
                    doubtful.append(seq + 1)
                    lease, seq = await read_again(store)
                except StoreFailed:
                    await asyncio.sleep(0.05)

        playing = asyncio.create_task(play())
        for enough in (60, 200):
            while len(acknowledged) < enough:
                await asyncio.sleep(0.005)
            await asyncio.to_thread(postgres.kill)
            await asyncio.to_thread(postgres.start)
        await asyncio.wait_for(playing, 60)
        found = await seqs(store)
        assert found == list(range(1, len(found) + 1))
        assert set(acknowledged) <= set(found) <= set(acknowledged) | set(doubtful)

    using(database, work)
    postgres.drop(database)


async def read_again(store: SharedStore) -> tuple[Lease, int]:
    while True:
        try:
            found = await store.take("t")
            assert isinstance(found, tuple)
            return found[0], len(found[1].log)
        except StoreFailed:
            await asyncio.sleep(0.05)


def test_while_the_server_is_away_everything_fails_at_once_and_later_goes_on(postgres: Postgres) -> None:
    database = postgres.fresh()

    async def work(store: SharedStore) -> None:
        await store.write(new())
        await asyncio.to_thread(postgres.stop)
        for asked in (store.write(move(1)), store.lobby(5), store.take("t"), store.beat(1.0), store.user("ada")):
            with pytest.raises(StoreFailed):
                await asyncio.wait_for(asked, 8)
        assert store.trouble
        assert await store.now() > 1e9  # the database's time is known for a while
        await asyncio.to_thread(postgres.start)
        await store.write(move(1))
        assert await seqs(store) == [1]

    using(database, work)
    postgres.drop(database)


def test_a_server_that_says_nothing_is_given_up_on(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    database = postgres.fresh()

    async def work(store: SharedStore) -> None:
        await store.write(new())
        await store.lobby(5)
        with postgres.frozen():
            asked = (store.write(move(1)), store.log("t"), store.beat(1.0), store.put_user("ada", "Ada", None, 1.0))
            told = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 20)
            assert all(isinstance(error, StoreFailed) for error in told), told
        lease, played = await read_again(store)
        assert played == 0
        await store.write(move(1, lease.number))
        await store.beat(2.0)
        assert await seqs(store) == [1]

    using(database, work)
    postgres.drop(database)


def test_a_row_that_somebody_keeps_locked_holds_up_nobody_else_for_good(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_opening, "LOCK_SECONDS", 0.3)

    async def work(store: SharedStore) -> None:
        await store.write(new("t"), new("u"))
        with psycopg.connect(database) as other:
            other.execute("SELECT * FROM tables WHERE id = 't' FOR UPDATE")
            stuck = asyncio.create_task(store.write(move(1)))
            free = [store.write((Lease("u", 1), Change(row("u"), log=(entry(n),)))) for n in range(3)]
            await asyncio.gather(*free)
            with pytest.raises(StoreFailed, match="lock timeout"):
                await stuck
        assert await seqs(store) == []
        await store.write(move(1))

    using(database, work)


def test_a_session_that_stands_still_within_a_transaction_loses_its_locks(database: str) -> None:
    """Its process was stopped between the statements of a write: others can still take its tables over."""

    async def work(store: SharedStore) -> None:
        assert 0 < int(ask_settings(store)["idle_in_transaction_session_timeout"]) <= 10_000

    using(database, work)


def ask_settings(store: SharedStore) -> dict[str, str]:
    assert isinstance(store, module.PostgresStore)
    with postgres_opening.connected(store.url, "test") as raw:
        return {name: str(setting) for name, setting in raw.execute("SELECT name, setting FROM pg_settings")}


def test_a_server_that_would_not_wait_for_its_disk_is_told_to(postgres: Postgres, database: str) -> None:
    postgres.execute(f"ALTER DATABASE {database.rsplit('/', 1)[-1]} SET synchronous_commit = off")

    async def work(store: SharedStore) -> None:
        assert ask_settings(store)["synchronous_commit"] == "on"
        assert (await store.facts())["postgres_synchronous_commit"] == "on"

    using(database, work)


# ---------------------------------------------------------------- opening


def refused(target: str) -> str:
    with pytest.raises(BadStore) as told:
        using(target, nothing)
    return str(told.value)


async def nothing(store: SharedStore) -> None:
    pass


def test_many_processes_that_start_at_once_make_the_tables_once(database: str) -> None:
    async def main() -> None:
        stores = await asyncio.gather(*(open_store(database) for _ in range(6)))
        await stores[0].write(new())
        assert {store.backup for store in stores} == {None}
        for store in stores:
            assert await store.read("t") is not None
            await store.close()

    asyncio.run(main())
    assert len(ask(database, "SELECT * FROM schema_version")) == 1


def test_a_process_that_ends_gives_its_tables_away_at_once(database: str) -> None:
    using(database, lambda store: store.write(new()))

    async def work(store: SharedStore) -> None:
        assert isinstance(await store.take("t"), tuple)

    using(database, work)


def test_what_is_no_place_for_a_store_is_refused_without_a_password(postgres: Postgres, database: str) -> None:
    secret = database.replace("postgres@", "postgres:hunter2@")
    assert "does not exist" in refused(secret.replace("fresh_", "missing_"))
    assert "hunter2" not in refused(secret.replace("fresh_", "missing_"))
    assert "refused" in refused("postgresql://postgres:hunter2@127.0.0.1:1/x")
    ask(database, "CREATE TABLE users (recipe TEXT)")
    assert "a database of another program" in refused(database)
    postgres.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    assert "ENCODING 'UTF8'" in refused(postgres.url_of("latin"))
    postgres.execute("DROP DATABASE latin")


def test_sqlite_alone_needs_no_package_of_postgresql() -> None:
    code = "import sys; from branchline.server.store import backup, opening; assert 'psycopg' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_a_connection_is_used_by_one_thread_at_a_time_and_few_are_made(database: str) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        await asyncio.gather(*(store.read("t") for _ in range(50)), *(store.beat(1.0) for _ in range(5)))
        mine = f"branchline {store.me}"
        found = ask(database, "SELECT count(*) FROM pg_stat_activity WHERE application_name = ?", (mine,))
        assert found[0][0] <= 5

    using(database, work)
    left = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^branchline' AND datname = current_database()"
    )
    end = time.monotonic() + 10
    while ask(database, left) != [(0,)]:
        assert time.monotonic() < end
