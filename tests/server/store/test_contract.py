"""What every store does, held by both: a write is all or nothing, and only of the process that holds the table."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.server.store.contract import Elsewhere, Known, Lease, NotHolder, StoreFailed
from branchline.server.store.shared import SharedStore
from branchline.server.tables.rows import ChairRow, Change, ChatRow, ReportRow, SnapshotRow, Stored
from tests.server.store.kit import Target, ask, beside, chairs, entry, new, row, using

ROOT = Path(__file__).parents[3]


async def taken(store: SharedStore, table: str = "t") -> tuple[Lease, Stored]:
    found = await store.take(table)
    assert isinstance(found, tuple), f"not to be had: {found}"
    return found


async def all_of(store: SharedStore, table: str = "t") -> tuple[Stored | None, list[tuple[ChatRow, str]], int]:
    """All that a write can change at a table."""
    return await store.read(table), await store.chat(table, 50), len(await store.reports(50))


# ---------------------------------------------------------------- a change at a table


def test_a_table_is_read_as_it_was_written_also_by_the_next_process(target: Target) -> None:
    played = row(
        state="playing", started=1001.0, seed=(1 << 63) - 1, to_act="[0,1]", moment='{"since":7.5}', result="[{}]",
        ended=1002.5, rematch_of="before", rematch="after", listed=False, broken="odd", updated=1002.25,
    )  # fmt: skip
    seated = (ChairRow(0, "ada", None, "Ada", "9f" * 16, 1, 3), ChairRow(1, None, "planner", "Bot Ω", None, 0))
    log = (entry(1), entry(2, "c2"), entry(3, None, "standin"))
    kept = SnapshotRow(b"\x00\xff position", 3, "layout")

    async def first(store: SharedStore) -> None:
        await store.put_user("ada", "Ada Lovelace", None, 1.0)
        await store.write(new())
        change = Change(played, chairs=seated, log=log, snapshot=kept)
        await store.write((Lease("t", 1), change))
        assert await store.log("t") == list(log)

    async def second(store: SharedStore) -> None:
        stored = await store.read("t")
        assert stored == Stored(played, seated, log, kept, names={"ada": "Ada Lovelace"})
        assert stored == (await taken(store))[1]
        assert await store.read("u") is None
        assert await store.take("u") is None

    using(target, first)
    using(target, second)


def test_a_move_leaves_what_it_does_not_name(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t", "ada", "bo"))
        lease = Lease("t", 1)
        kept = SnapshotRow(b"first", 1, "a")
        await store.write((lease, Change(row(state="playing"), log=(entry(1),), snapshot=kept)))
        await store.write((lease, Change(row(state="playing", to_act="[1]"), log=(entry(2),))))
        stored = await store.read("t")
        assert stored is not None
        assert (stored.chairs, stored.snapshot, stored.table.to_act) == (chairs("ada", "bo"), kept, "[1]")
        await store.write((lease, Change(row(), snapshot=SnapshotRow(b"second", 2, "b"), chairs=chairs("bo", None))))
        stored = await store.read("t")
        assert stored is not None and stored.snapshot == SnapshotRow(b"second", 2, "b")
        assert stored.chairs == chairs("bo", None)

    using(target, work)


@pytest.mark.parametrize("what", ["not held", "a seq again", "a cid again", "a receipt again", "a table again"])
def test_a_write_about_two_tables_is_all_or_nothing(target: Target, what: str) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t"), new("u"))
        t, u = Lease("t", 1), Lease("u", 1)
        await store.write((u, Change(row("u"), log=(entry(1, "c1"),), receipt="ada:1")))
        said = ChatRow(5.0, "ada", 0, None, "hello")
        told = ReportRow(5.0, "ada", 1, "bo", "rude", "{}")
        good = Change(row("t", state="playing"), chairs=chairs("bo", "ada"), log=(entry(1),), chat=said, report=told)
        bad = {
            "not held": (Lease("u", 7), Change(row("u"))),
            "a seq again": (u, Change(row("u"), log=(entry(1),))),
            "a cid again": (u, Change(row("u"), log=(entry(2, "c1"),))),
            "a receipt again": (u, Change(row("u"), receipt="ada:1")),
            "a table again": new("u"),
        }[what]
        before = await all_of(store, "t"), await all_of(store, "u")
        for changes in (((t, good), bad), (bad, (t, good))):
            with pytest.raises(NotHolder if what == "not held" else Known):
                await store.write(*changes)
            assert (await all_of(store, "t"), await all_of(store, "u")) == before
        await store.write((t, good))
        assert store.trouble == ""
        assert await all_of(store, "t") != before[0]

    using(target, work)


def test_a_failing_write_harms_no_other_that_shares_its_commit(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t"), new("u"))
        good = [store.write(new(f"n{i}")) for i in range(40)]
        bad = [
            store.write((Lease("t", 9), Change(row("t", state="dropped")))),
            store.write(new("u")),
            store.write((Lease("t", 1), Change(row("t"), log=(entry(1, by="ghost"),)))),
        ]
        done = await asyncio.gather(
            *good[:10], bad[0], *good[10:20], bad[1], *good[20:], bad[2], return_exceptions=True
        )
        faults = [fault for fault in done if fault is not None]
        assert [type(fault) for fault in faults[:2]] == [NotHolder, Known]
        assert "constraint" in str(faults[2]) and not isinstance(faults[2], (StoreFailed, Known))
        assert [bool(await store.read(f"n{i}")) for i in range(40)] == [True] * 40
        stored = await store.read("t")
        assert stored is not None and (stored.table.state, stored.log) == ("open", ())

    using(target, work)


def test_a_move_and_a_receipt_are_known_at_their_own_table(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t"), new("u"))
        await store.write((Lease("t", 1), Change(row("t"), log=(entry(1), entry(2, "c")), receipt="ada:1")))
        assert await store.knows_move("t", "c") and not await store.knows_move("u", "c")
        assert await store.knows_receipt("t", "ada:1") and not await store.knows_receipt("u", "ada:1")
        await store.write((Lease("u", 1), Change(row("u"), log=(entry(1, "c"),), receipt="ada:1")))

    using(target, work)


def test_reads_see_every_write_that_has_returned(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        async def play(table: str) -> None:
            await store.write(new(table))
            for seq in range(1, 20):
                await store.write((Lease(table, 1), Change(row(table), log=(entry(seq, f"c{seq}"),))))
                assert await store.knows_move(table, f"c{seq}")
                assert len(await store.log(table)) == seq

        await asyncio.gather(*(play(f"t{n}") for n in range(8)))

    using(target, work)


def test_many_writes_share_a_commit(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        seen: list[tuple[float, int]] = []
        commits, writes, statements = store.commits, store.writes, store.statements
        store.on_commit = lambda seconds, writes: seen.append((seconds, writes))
        await asyncio.gather(*(store.write(new(f"t{n}")) for n in range(600)))
        assert store.writes - writes == 600
        assert store.statements - statements == 1200
        assert store.commits - commits < 100
        assert store.commit_seconds > 0
        await store.write(new("last"))
        assert sum(writes for _, writes in seen) >= 600
        assert all(seconds > 0 for seconds, _ in seen)

    using(target, work)


def test_a_watcher_that_fails_stops_nobody(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        def watch(seconds: float, writes: int) -> None:
            raise RuntimeError("counted wrong")

        store.on_commit = watch
        await store.write(new("t"))
        await store.write(new("u"))
        assert store.on_commit is None

    using(target, work)


def test_a_caller_who_gives_up_does_not_undo_the_write(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        task = asyncio.create_task(store.write(new("t")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await store.write(new("u"))
        assert await store.read("t") is not None

    using(target, work)


def test_closing_finishes_what_was_asked_for(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        tasks = [asyncio.create_task(store.write(new(f"t{n}"))) for n in range(50)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(StoreFailed, match="closed"):
            await store.write(new("late"))
        with pytest.raises(StoreFailed, match="closed"):
            await store.lobby(5)
        with pytest.raises(StoreFailed, match="closed"):
            await store.put_user("ada", "Ada", None, 1.0)

    using(target, work)
    assert ask(target, "SELECT count(*) FROM tables") == [(50,)]


# ---------------------------------------------------------------- who holds a table


def test_each_taking_gives_a_larger_number_and_ends_the_one_before(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        (second, _), (third, _) = await taken(store), await taken(store)
        assert 1 < second.number < third.number
        for old in (Lease("t", 1), second):
            with pytest.raises(NotHolder):
                await store.write((old, Change(row(state="dropped"))))
        await store.write((third, Change(row(state="playing"))))
        assert await store.held() == {"t": third.number}

    using(target, work)


def test_who_has_let_go_writes_no_more(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        lease, _ = await taken(store)
        await store.release(lease)
        assert await store.held() == {}
        with pytest.raises(NotHolder):
            await store.write((lease, Change(row(state="dropped"))))
        again, _ = await taken(store)
        await store.release(lease)  # of no effect: it is held anew
        await store.write((again, Change(row(state="playing"))))

    using(target, work)


def test_a_living_process_keeps_its_tables(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        other = await beside(target)
        await store.beat(1.0)
        await store.write(new())
        assert await other.take("t") == Elsewhere(store.me)
        await store.write((Lease("t", 1), Change(row(state="playing"))))
        await other.close()

    using(target, work)


def test_a_process_that_was_stopped_and_taken_over_from_writes_nothing(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        other = await beside(target)
        await store.write(new())
        lease, _ = await taken(store)
        ask(target, "UPDATE processes SET until = 0 WHERE id = ?", (store.me,))  # it stood still for too long
        theirs, _ = await taken(other)
        await other.write((theirs, Change(row(to_act="[1]"), log=(entry(1, "theirs"),))))
        before = await all_of(store)
        late = Change(row(state="over"), chairs=chairs("bo"), log=(entry(2, "late"),), receipt="r", chat=None)
        with pytest.raises(NotHolder):
            await store.write((lease, late))
        await store.release(lease)
        assert await all_of(store) == before
        assert not await store.knows_receipt("t", "r")
        assert await other.held() == {"t": theirs.number}
        await store.beat(2.0)  # alive again: but the table is another's now
        assert await store.take("t") == Elsewhere(other.me)
        await other.close()

    using(target, work)


def test_only_one_of_many_who_try_takes_the_table_of_a_dead_process(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        ask(target, "UPDATE processes SET until = 0 WHERE id = ?", (store.me,))
        others = [await beside(target) for _ in range(3)]
        found = await asyncio.gather(*(other.take("t") for other in others))
        assert sum(isinstance(each, tuple) for each in found) == 1
        winner = next(other for other, each in zip(others, found, strict=True) if isinstance(each, tuple))
        assert [each for each in found if not isinstance(each, tuple)] == [Elsewhere(winner.me)] * 2
        for other in others:
            await other.close()

    using(target, work)


def test_a_table_that_is_gone_cannot_be_written_to(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        ask(target, "DELETE FROM tables")
        with pytest.raises(NotHolder):
            await store.write((Lease("t", 1), Change(row(), log=(entry(1),))))
        assert await store.log("t") == []

    using(target, work)


# ---------------------------------------------------------------- clocks


def test_a_clock_loses_the_time_that_its_process_lived_on_and_no_more(target: Target) -> None:
    async def first(store: SharedStore) -> None:
        await store.write(new())
        await store.write((Lease("t", 1), Change(row(state="playing", moment='{"since":100.0}'))))
        await store.beat(130.5)

    async def second(store: SharedStore) -> None:
        await store.beat(5_000_000.0)  # a clock of its own, which has nothing to do with the other's
        assert (await taken(store))[1].gone == 30.5

    using(target, first)
    using(target, second)


def test_a_clock_never_gains(target: Target) -> None:
    async def first(store: SharedStore) -> None:
        await store.beat(50.0)
        await store.write(new())
        await store.write((Lease("t", 1), Change(row(state="playing", moment='{"since":100.0}'))))

    async def second(store: SharedStore) -> None:
        assert (await taken(store))[1].gone == 0.0

    using(target, first)
    using(target, second)


def test_a_process_knows_its_own_steady_time_better_than_its_last_beat(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.beat(100.0)
        await store.write(new())
        await store.write((Lease("t", 1), Change(row(state="playing", moment='{"since":90.0}'))))
        first, second = (await taken(store))[1].gone, (await taken(store))[1].gone
        assert 10.0 < first < second

    using(target, work)


def test_a_moment_without_a_time_and_one_whose_process_is_forgotten_count_nothing(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.beat(100.0)
        await store.write(new("t"), new("u"))
        await store.write((Lease("t", 1), Change(row("t", moment='{"removed":["bo"]}'))))
        await store.write((Lease("u", 1), Change(row("u", moment='{"since":1.0}'))))
        ask(target, "UPDATE tables SET written_by = 'nobody' WHERE id = 'u'")
        assert [(await taken(store, table))[1].gone for table in ("t", "u")] == [0.0, 0.0]

    using(target, work)


def test_the_time_is_the_stores(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        now = "SELECT extract(epoch FROM clock_timestamp())" if isinstance(target, str) else "SELECT unixepoch()"
        before = float(ask(target, now)[0][0])
        told = [await store.now() for _ in range(3)]
        assert before - 1 <= told[0] <= told[1] <= told[2] <= float(ask(target, now)[0][0]) + 1

    using(target, work)


# ---------------------------------------------------------------- kill -9

WRITER = """
import asyncio, sys
from pathlib import Path
from branchline.server.store.contract import Lease
from branchline.server.store.opening import open_store
from branchline.server.tables.rows import Change
from tests.server.store.kit import entry, new, row

async def main(target):
    store = await open_store(target if "://" in target else Path(target))

    async def play(table):
        await store.write(new(table))
        for seq in range(1, 100_000):
            await store.write((Lease(table, 1), Change(row(table), log=(entry(seq, f"{seq}"),))))
            sys.stdout.write(f"{table} {seq}\\n")
            sys.stdout.flush()

    await asyncio.gather(*(play(f"{store.me}-{n}") for n in range(20)))

asyncio.run(main(sys.argv[1]))
"""


def written_until_killed(target: Target, after: int) -> set[tuple[str, int]]:
    """The moves a process said were durable before it was killed, a while after it had said so many."""
    command = [sys.executable, "-c", WRITER, str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(after)]
        process.kill()
        lines += process.stdout.readlines()
    return {(table, int(seq)) for table, seq in (line.split() for line in lines if line.endswith("\n"))}


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(target: Target) -> None:
    acknowledged: set[tuple[str, int]] = set()

    async def check(store: SharedStore) -> None:
        kept = {(table, move.seq) for table, _ in acknowledged for move in await store.log(table)}
        assert acknowledged <= kept
        for table in {table for table, _ in acknowledged}:
            assert [move.seq for move in await store.log(table)] == list(range(1, 1 + len(await store.log(table))))

    for after in (1, 300, 1500):
        acknowledged |= written_until_killed(target, after)
        using(target, check)
    assert len(acknowledged) >= 1801


def test_a_change_under_the_wrong_lease_is_a_mistake_of_ours(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        for lease in (None, Lease("u", 1)):
            with pytest.raises(ValueError, match="under the lease"):
                await store.write((lease, Change(replace(row(), state="playing"))))

    using(target, work)
