"""From one version to the next: nothing is changed without a backup, and an old store is played on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from branchline.server.store import schema
from branchline.server.store.backup import dump, load
from branchline.server.store.contract import BadStore, KeyRow, UserRow
from branchline.server.store.opening import open_store
from branchline.server.store.shared import SharedStore
from branchline.server.store.sqlite_file import FILE
from branchline.server.tables.rows import ChairRow, Change, LogRow, SnapshotRow
from tests.server.store.kit import LIVE, Target, ask, new, row, using

NEWEST = len(schema.MIGRATIONS)
HATS = ("ALTER TABLE users ADD COLUMN hat TEXT", "UPDATE users SET hat = 'bowler'")


async def nothing(store: SharedStore) -> None:
    pass


async def one_person(store: SharedStore) -> None:
    await store.put_user("ada", "Ada", None, 1.0)
    await store.write(new())


def refused(target: Target, backups: Path | None = None) -> str:
    with pytest.raises(BadStore) as told:
        using(target, nothing, backups=backups)
    return str(told.value)


def with_migration(monkeypatch: pytest.MonkeyPatch, migration: Sequence[str], compatible: int = NEWEST + 1) -> None:
    """As a later version of this program would be."""
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, tuple(migration)))
    monkeypatch.setattr(schema, "POSTGRES_LATER", (*schema.POSTGRES_LATER, tuple(migration)))
    monkeypatch.setattr(schema, "COMPATIBLE", (*schema.COMPATIBLE, compatible))


def test_every_version_has_what_each_store_needs() -> None:
    assert len(schema.COMPATIBLE) == NEWEST
    assert schema.POSTGRES_FIRST + len(schema.POSTGRES_LATER) == NEWEST


def test_both_stores_have_the_same_shape(database: str, tmp_path: Path) -> None:
    using(database, nothing)
    using(tmp_path, nothing)
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    ours = {(t, c[1]) for (t,) in ask(tmp_path, tables) for c in ask(tmp_path, f"PRAGMA table_xinfo({t})")}
    theirs = set(ask(database, "SELECT table_name, column_name FROM information_schema.columns"
                               " WHERE table_schema = 'public'"))  # fmt: skip
    assert ours == theirs
    assert {table for table, _ in ours} == {*schema.KEPT, "schema_version"}
    indexes = {name for (name,) in ask(tmp_path, "SELECT name FROM sqlite_master WHERE type = 'index'")}
    named = {name for name in indexes if not name.startswith("sqlite_")}
    assert named <= {name for (name,) in ask(database, "SELECT indexname FROM pg_indexes")}


# ---------------------------------------------------------------- newer and older programs


def test_a_newer_store_is_refused_with_both_versions_and_what_to_do(target: Target) -> None:
    using(target, one_person)
    ask(target, "UPDATE schema_version SET version = 99, compatible = 98")
    told = refused(target)
    assert f"version 99, for programs of version 98 or newer; this one is version {NEWEST}" in told
    assert "Install that one, or put back a backup" in told
    ask(target, f"UPDATE schema_version SET compatible = {NEWEST}")

    async def work(store: SharedStore) -> None:
        assert await store.names(["ada"]) == {"ada": "Ada"}
        assert (await store.facts())["schema"] == 99

    using(target, work)


def test_an_older_store_is_backed_up_and_brought_up_to_date(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(target, one_person)
    with monkeypatch.context() as later:
        with_migration(later, HATS)

        async def work(store: SharedStore) -> None:
            assert store.backup is not None and store.backup.exists()
            assert f"version-{NEWEST}" in store.backup.name
            assert store.backup.stat().st_mode & 0o077 == 0
            assert ask(target, "SELECT hat FROM users") == [("bowler",)]
            assert ask(target, "SELECT version, compatible FROM schema_version") == [(NEWEST + 1, NEWEST + 1)]
            backups.append(store.backup)

        backups: list[Path] = []
        using(target, work, backups=tmp_path / "backups")
    _put_back(backups[0], tmp_path / "before")


def _put_back(backup: Path, folder: Path) -> None:
    """The backup goes back into the program before, whichever kind it is."""
    if backup.suffix == ".sqlite3":
        folder.mkdir()
        backup.rename(folder / FILE)
    else:
        asyncio.run(load(backup, folder))

    async def work(store: SharedStore) -> None:
        assert await store.names(["ada"]) == {"ada": "Ada"}
        assert await store.read("t") is not None

    using(folder, work)


def test_a_store_with_nothing_in_it_is_brought_up_to_date_without_a_backup(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(target, nothing)
    with_migration(monkeypatch, HATS)

    async def work(store: SharedStore) -> None:
        assert store.backup is None

    using(target, work)


def test_a_migration_that_fails_changes_nothing(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(target, one_person)
    with monkeypatch.context() as later:
        with_migration(later, ("DROP TABLE chat", "DROP TABLE nowhere"))
        assert "nowhere" in refused(target, tmp_path / "backups")

    async def work(store: SharedStore) -> None:
        assert await store.chat("t", 5) == []
        assert (await store.facts())["schema"] == NEWEST

    using(target, work)


def test_without_a_place_for_the_backup_a_database_is_not_changed(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(database, one_person)
    with_migration(monkeypatch, HATS)
    assert "give a folder for the backup" in refused(database)
    (tmp_path / "file").write_text("")
    assert "the backup cannot be written" in refused(database, tmp_path / "file")
    assert ask(database, "SELECT version FROM schema_version") == [(NEWEST,)]


def test_processes_that_start_at_once_bring_a_database_up_to_date_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(database, one_person)
    with_migration(monkeypatch, HATS)

    async def main() -> None:
        stores = await asyncio.gather(*(open_store(database, backups=tmp_path) for _ in range(4)))
        assert sum(store.backup is not None for store in stores) == 1
        for store in stores:
            await store.close()

    asyncio.run(main())
    assert len(list(tmp_path.iterdir())) == 1


def test_an_operator_does_not_bring_a_store_up_to_date(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    using(target, one_person)
    with_migration(monkeypatch, HATS)
    with pytest.raises(BadStore, match="start the service once"):
        using(target, nothing, administer=True)
    assert ask(target, "SELECT version FROM schema_version") == [(NEWEST,)]


# ---------------------------------------------------------------- a store of version 0.1


def old_store(folder: Path) -> None:
    """As version 0.1 left it, with its own statements, in the middle of games."""
    folder.mkdir()
    (folder / "secret").write_bytes(bytes(range(32)))
    db = sqlite3.connect(folder / FILE, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA application_id = 1112690243")
    for migration in schema.MIGRATIONS[:4]:
        for statement in migration:
            db.execute(statement)
    db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    db.execute("INSERT INTO schema_version VALUES (4)")
    people = "INSERT INTO users (id, name, created, seen, lang, muted, holiday) VALUES (?, ?, 1, 2, 'ro', ?, ?)"
    db.execute(people, ("ada", "Ada", '["bo","cy"]', "2027-01-01"))
    db.execute(people, ("bo", "Bo", "[]", None))
    table = (
        "INSERT INTO tables (id, map, options, state, created, started, owner, listed, commitment, server_seed,"
        " seed, rematch_of, to_act, updated) VALUES (?, 'usa', ?, ?, 1, 2, 'ada', 1, 'c', ?, 77, NULL, '[]', 3)"
    )
    columns = "table_id, seat, user_id, bot, name, seed_hex, seed_by, place"
    seat = f"INSERT INTO seats ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    log = "INSERT INTO log (table_id, seq, seat, line, cid, at, by, clock) VALUES (?, ?, 0, ?, ?, 5, ?, ?)"
    for name, state in (("live", "playing"), ("paused", "playing"), ("waits", "open")):
        db.execute(table, (name, LIVE, state, b"\x01seed"))
        db.execute(seat, (name, 0, "ada", None, "Ada", "9f" * 16, "browser", 1))
        db.execute(seat, (name, 1, None, "planner", "Bot", None, "server", 0))
    db.execute(log, ("live", 1, "keep 1 2", "0:a", "player", "[600.0, 600.0]"))
    db.execute(log, ("live", 2, "draw deck", None, "standin", "[590.5, 600.0]"))
    db.execute("UPDATE tables SET snapshot = ?, snapshot_seq = 1 WHERE id = 'live'", (b"position",))
    db.execute("UPDATE tables SET clock = ? WHERE id = 'paused'", ('{"at": 9, "left": [1.5, 2.5], "paused": true}',))
    db.execute("INSERT INTO chat (table_id, at, user_id, seat, phrase, text) VALUES ('live', 6, 'ada', 0, NULL, 'hi')")
    db.execute("INSERT INTO reports (table_id, at, by_user, about_seat, reason) VALUES ('live', 7, 'bo', 0, 'rude')")
    db.close()


def test_a_store_of_version_01_is_opened_with_its_games(tmp_path: Path) -> None:
    old_store(tmp_path / "data")

    async def work(store: SharedStore) -> None:
        found = await store.take("live")
        assert isinstance(found, tuple)
        lease, stored = found
        assert (stored.table.map_hash, stored.table.rules, stored.table.deal_key) == (None, None, None)
        assert (stored.table.state, stored.table.seed, stored.table.server_seed) == ("playing", 77, b"\x01seed")
        assert stored.chairs[0] == ChairRow(0, "ada", None, "Ada", "9f" * 16, 1)
        assert stored.chairs[1] == ChairRow(1, None, "planner", "Bot", None, 0)
        assert stored.log[1] == LogRow(2, 0, "draw deck", "standin", None, 5.0)
        assert stored.snapshot == SnapshotRow(b"position", 1, None)
        assert (stored.names, stored.gone) == ({"ada": "Ada"}, 0.0)
        assert stored.old_clocks == ("[590.5, 600.0]", None)
        paused = await store.read("paused")
        assert paused is not None and paused.old_clocks == (None, '{"at": 9, "left": [1.5, 2.5], "paused": true}')
        await store.write((lease, Change(row("live", state="playing", options=LIVE, moment='{"since":1.0}'))))
        again = await store.read("live")
        assert again is not None and again.old_clocks == (None, None)

    using(tmp_path / "data", work)


def test_the_people_of_version_01_stay_who_they_are(tmp_path: Path) -> None:
    old_store(tmp_path / "data")

    async def work(store: SharedStore) -> None:
        assert await store.user("ada") == UserRow("ada", "Ada", 1, 2, "ro", "2027-01-01", frozenset({"bo", "cy"}))
        (key,) = await store.keys()
        assert key == KeyRow("1", "cookie", bytes(range(32)), key.created, None, None)
        assert (await store.reports(5))[0].about_user == "ada"
        assert [name for _, name in await store.chat("live", 5)] == ["Ada"]
        assert await store.pressing() == ["live", "paused"] or await store.pressing() == ["paused", "live"]
        assert store.backup is not None

    using(tmp_path / "data", work)


def test_a_store_of_version_01_moves_to_a_database_with_its_clocks(tmp_path: Path, database: str) -> None:
    old_store(tmp_path / "data")
    using(tmp_path / "data", lambda store: dumped(store, tmp_path / "old.backup"))
    asyncio.run(load(tmp_path / "old.backup", database))

    async def work(store: SharedStore) -> None:
        stored = await store.read("live")
        assert stored is not None and stored.old_clocks == ("[590.5, 600.0]", None)

    using(database, work)


async def dumped(store: SharedStore, path: Path) -> None:
    await dump(store, path)
