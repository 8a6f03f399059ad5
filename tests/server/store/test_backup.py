"""Backups: all that is kept goes from either store into either, or nothing does and one is told why."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from branchline.server.store import schema
from branchline.server.store.backup import BadBackup, Contents, contents, dump, load
from branchline.server.store.contract import BadStore, KeyRow, Lease
from branchline.server.store.shared import SharedStore
from branchline.server.tables.rows import Change, ChatRow, ReportRow, SnapshotRow
from tests.server.store.kit import LIVE, Target, ask, chairs, entry, new, row, using
from tests.servers import Postgres


async def fill(store: SharedStore) -> None:
    """Something of everything."""
    await store.beat(50.0)
    for user in ("ada", "bo"):
        await store.put_user(user, f"{user} 🚂", "ro", 1.5, "2027-01-01")
    await store.put_block("ada", "bo", True)
    await store.ban("bo", "rude")
    await store.add_key(KeyRow("1", "cookie", bytes(range(256)), 1.0, None, 9.0), retire=False, ends=None)
    await store.write(new("t", "ada", "bo", options=LIVE))
    for seq in range(1, 30):
        change = Change(
            row("t", state="playing", options=LIVE, seed=(1 << 63) - 1, moment='{"since":20.25}'),
            chairs=chairs("bo", "ada"),
            log=(entry(seq, f"c{seq}"),),
            snapshot=SnapshotRow(b"\x00\xff" * 500, seq, "layout"),
            chat=ChatRow(1.0 / 3, "ada", 0, None, f'"{seq}"\n{{"b":1}}'),
            report=ReportRow(2.5, "ada", 1, "bo", "rude", '{"b": "text"}'),
            receipt=f"ada:{seq}",
        )
        await store.write((Lease("t", 1), change))


def rows_of(target: Target) -> dict[str, list[Any]]:
    """Every row of every table but the processes; columns by name, for SQLite's have grown in the course of time."""
    found: dict[str, list[Any]] = {}
    for table in schema.KEPT:
        if table == "processes":
            continue
        if isinstance(target, Path):
            columns = sorted(line[1] for line in ask(target, f"PRAGMA table_info({table})"))
        else:
            named = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'"
            kept = ask(target, f"{named} AND table_name = ? AND is_generated = 'NEVER'", (table,))
            columns = sorted(line[0] for line in kept)
        found[table] = sorted(map(str, ask(target, f"SELECT {', '.join(columns)} FROM {table}")))
    return found


def written(target: Target, path: Path) -> Contents:
    made: list[Contents] = []

    async def work(store: SharedStore) -> None:
        if not await store.read("t"):
            await fill(store)
        made.append(await dump(store, path))

    using(target, work)
    return made[0]


@pytest.fixture
def other(target: Target, tmp_path: Path, request: pytest.FixtureRequest) -> list[Target]:
    """A place for a store of each kind."""
    postgres: Postgres = request.getfixturevalue("postgres")
    return [tmp_path / "other", postgres.fresh()]


def refused(path: Path, target: Target) -> str:
    with pytest.raises(BadStore) as told:
        asyncio.run(load(path, target))
    return str(told.value)


# ---------------------------------------------------------------- there and back


def test_a_backup_goes_into_either_kind_of_store(target: Target, other: list[Target], tmp_path: Path) -> None:
    path = tmp_path / "all.backup"
    made = written(target, path)
    assert made.counts["log"] == 29 and made.schema == len(schema.MIGRATIONS)
    assert contents(path) == made
    assert path.stat().st_mode & 0o077 == 0
    ask(target, "UPDATE tables SET holder = NULL")  # who held it is not there
    before = rows_of(target)
    for place in other:
        assert asyncio.run(load(path, place)) == made
        assert rows_of(place) == before

        async def work(store: SharedStore) -> None:
            found = await store.take("t")
            assert isinstance(found, tuple)
            lease, stored = found
            assert stored.gone == 29.75
            change = Change(stored.table, chat=ChatRow(9.0, "bo", 1, "hi", None), log=(entry(30),))
            await store.write((lease, change))  # new rows get new numbers
            assert (await store.chat("t", 1))[0][0].phrase == "hi"
            assert await store.pressing() == ["t"]

        using(place, work)


def test_a_backup_is_of_one_moment_while_others_go_on_writing(target: Target, tmp_path: Path) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t", to_act="[0]"))
        stop = asyncio.Event()

        async def play() -> int:
            seq = 0
            while not stop.is_set():
                seq += 1
                change = Change(row(to_act=f"[{seq}]"), log=(entry(2 * seq), entry(2 * seq + 1)), receipt=f"r{seq}")
                await store.write((Lease("t", 1), change))
            return seq

        playing = asyncio.create_task(play())
        for n in range(8):
            made = await dump(store, tmp_path / f"{n}.backup")
            assert made.counts["log"] == 2 * made.counts["receipts"]
            assert f"[{made.counts['receipts']}]" in table_in(tmp_path / f"{n}.backup")
        stop.set()
        assert await playing > 8

    using(target, work)


def table_in(path: Path) -> list[Any]:
    """The row of the only table in a backup."""
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    heads = [at for at, line in enumerate(lines) if isinstance(line, dict)]
    begin = next(at for at in heads if lines[at].get("table") == "tables")
    found: list[Any] = lines[begin + 1]
    return found


# ---------------------------------------------------------------- what is refused


def test_a_store_that_is_not_empty_is_left_alone(target: Target, tmp_path: Path) -> None:
    path = tmp_path / "all.backup"
    written(target, path)
    before = rows_of(target)
    assert "the store is not empty (it has users" in refused(path, target)
    assert rows_of(target) == before


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.99])
def test_a_backup_that_was_cut_off_is_refused_and_nothing_is_made(tmp_path: Path, part: float) -> None:
    path, short = tmp_path / "all.backup", tmp_path / "short.backup"
    written(tmp_path / "data", path)
    short.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    assert "cut off" in refused(short, tmp_path / "other") or not part
    assert not (tmp_path / "other").exists()


def test_every_damaged_byte_is_noticed(tmp_path: Path) -> None:
    path, bad = tmp_path / "all.backup", tmp_path / "bad.backup"
    written(tmp_path / "data", path)
    whole = path.read_bytes()
    for at in range(30, len(whole), 97):
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with pytest.raises(BadBackup):
            contents(bad)


def changed(path: Path, old: bytes, new: bytes) -> Path:
    """A backup in which somebody has changed the text, but not the checksum."""
    other = path.with_name("changed.backup")
    text = gzip.decompress(path.read_bytes())
    assert old in text
    other.write_bytes(gzip.compress(text.replace(old, new, 1)))
    return other


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"schema":%d' % len(schema.MIGRATIONS), b'"schema":99', "of version 99; this program reads up to version"),
        (b'"format":1', b'"format":2', "a backup of another kind"),
        (b'"branchline":"backup"', b'"recipes":"backup"', "no backup of Branchline"),
        (b"draw deck 7", b"draw deck 8", "its checksum is not that of its lines"),
        (b'{"table":"log"', b'{"table":"gol"', "its checksum is not that of its lines"),
    ],
)
def test_a_backup_that_is_not_as_it_was_written_is_refused(tmp_path: Path, old: bytes, new: bytes, told: str) -> None:
    path = tmp_path / "all.backup"
    written(tmp_path / "data", path)
    assert told in refused(changed(path, old, new), tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("Dear diary")
    (tmp_path / "packed").write_bytes(gzip.compress(b"Dear diary"))
    assert "no backup at all" in refused(tmp_path / "diary", tmp_path / "other")
    assert "no backup at all" in refused(tmp_path / "packed", tmp_path / "other")
    assert "No such file" in refused(tmp_path / "missing", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "all.backup"
    path.write_text("precious")
    with pytest.raises(BadBackup, match="there is a file of this name already"):
        written(tmp_path / "data", path)
    assert path.read_text() == "precious"


def test_a_backup_that_fails_half_way_leaves_no_file(tmp_path: Path) -> None:
    written(tmp_path / "data", tmp_path / "first.backup")
    ask(tmp_path / "data", "UPDATE chat SET text = CAST(x'ff' AS TEXT) WHERE id = 20")  # not to be read as text
    with pytest.raises(Exception, match="decode"):
        written(tmp_path / "data", tmp_path / "second.backup")
    assert [path.name for path in tmp_path.glob("second*")] == []
