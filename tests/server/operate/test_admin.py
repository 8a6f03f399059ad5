"""`branchline admin` on real stores of both kinds, beside the process that holds them."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import io
import json
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from branchline.cli import main
from branchline.server.people.keys import Keys
from branchline.server.store.contract import KeyRow, Store, UserRow
from branchline.server.store.opening import open_store
from branchline.server.tables.rows import ChairRow, Change, ChatRow, LogRow, ReportRow, Stored, TableRow
from tests.servers import Postgres

TABLE = "AAAAAAAAAAAAAAAAAAAAAA"
OLD = "BBBBBBBBBBBBBBBBBBBBBB"
DROPPED = "CCCCCCCCCCCCCCCCCCCCCC"
ADA = "-daaaaaaaaaaaaaaaaaaaa"  # an id may begin with a dash
RUDE = "rrrrrrrrrrrrrrrrrrrrrr"
DAY = 86400.0
T = TypeVar("T")


def row(table: str, state: str, at: float) -> TableRow:
    ended = at if state == "over" else None
    return TableRow(
        id=table,
        map="usa",
        map_hash="h",
        rules=1,
        options="{}",
        state=state,
        created=at,
        started=at,
        ended=ended,
        owner=ADA,
        listed=False,
        commitment="c",
        server_seed=b"\x00\xff",
        deal_key="1",
        seed=None,
        rematch_of=None,
        rematch=None,
        result=None,
        to_act="[]",
        updated=at,
        moment=None,
    )


async def fill(store: Store) -> None:
    """A game that is played and was reported, one that ended long ago, and a table that was dropped."""
    now = await store.now()
    await Keys(store).load()
    for user, name in ((ADA, "Ada"), (RUDE, "Rude \x1b[31m")):
        await store.put_user(user, name, "en", now)
    await store.put_block(ADA, RUDE, True)
    chairs = (ChairRow(0, ADA, None, "Ada", "00", 0), ChairRow(1, RUDE, None, "Rude", None, 1))
    context = json.dumps({"name": "Rude", "text": "he said \x1b[2J this", "chat": [{"name": "Rude", "text": "bah"}]})
    report = ReportRow(now, ADA, 1, RUDE, "insult", context)
    game = Change(row(TABLE, "playing", now), new=True, chairs=chairs, log=(LogRow(1, 0, "deck", "player", "k", now),))
    await store.write((None, game))
    held = await store.take(TABLE)
    assert isinstance(held, tuple)
    said = Change(row(TABLE, "playing", now), chat=ChatRow(now, RUDE, 1, None, "bah"), report=report)
    await store.write((held[0], said))
    long_ago = now - 400 * DAY
    await store.write((None, Change(row(OLD, "over", long_ago), new=True, chairs=chairs)))
    await store.write((None, Change(row(DROPPED, "dropped", long_ago), new=True, chairs=chairs[:1])))


@dataclass(frozen=True)
class Place:
    """Where a service keeps its games, and the way `branchline admin` is told."""

    folder: Path
    database: str | None

    @property
    def options(self) -> list[str]:
        return ["--data", str(self.folder), *(["--database", self.database] if self.database else [])]

    @property
    def target(self) -> Path | str:
        return self.database or self.folder


Admin = Callable[..., tuple[int, str, str]]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    if request.param == "sqlite":
        yield Place(folder, None)
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    url = postgres.fresh()
    yield Place(folder, url)
    postgres.drop(url)


@pytest.fixture
def admin(place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Admin:
    """Runs `branchline admin` in the process's own words; the answer is its status and what it printed."""
    monkeypatch.delenv("BRANCHLINE_DATABASE", raising=False)

    def run(*words: str, at: Place = place) -> tuple[int, str, str]:
        status = main(["admin", *at.options, *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


class Beside:
    """A process that holds the store and goes on, in a loop of its own."""

    def __init__(self, target: Path | str) -> None:
        self._loop = asyncio.new_event_loop()
        self.store: Store = self.do(open_store(target))

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def find(self, user: str) -> UserRow | None:
        return self.do(self.store.user(user))

    def user(self, user: str) -> UserRow:
        found = self.find(user)
        assert found is not None
        return found

    def find_table(self, table: str) -> Stored | None:
        return self.do(self.store.read(table))

    def read(self, table: str) -> Stored:
        found = self.find_table(table)
        assert found is not None
        return found

    def chat(self, table: str) -> list[tuple[ChatRow, str]]:
        return self.do(self.store.chat(table, 100))

    def keys(self, purpose: str) -> list[KeyRow]:
        return sorted((key for key in self.do(self.store.keys()) if key.purpose == purpose), key=lambda k: k.created)

    def facts(self) -> dict[str, object]:
        """What is counted; sizes and ages change by themselves."""
        return {
            name: value for name, value in self.do(self.store.facts()).items() if name not in ("bytes", "processes")
        }

    def all_of_it(self) -> object:
        """All that somebody can tell a store by."""
        tables = [dataclasses.replace(self.read(table), gone=0.0) for table in (TABLE, OLD, DROPPED)]
        people = [self.user(user) for user in (ADA, RUDE)]
        reports = self.do(self.store.reports(10, True))
        return tables, people, self.do(self.store.keys()), reports, self.chat(TABLE)

    def close(self) -> None:
        self.do(self.store.close())
        self._loop.close()


@pytest.fixture
def service(place: Place) -> Iterator[Beside]:
    beside = Beside(place.target)
    beside.do(fill(beside.store))
    yield beside
    beside.close()


# ---------------------------------------------------------------- moderation


def test_a_report_is_read_with_what_was_said_and_settled(service: Beside, admin: Admin) -> None:
    status, out, _ = admin("reports")
    assert status == 0
    assert f"@{RUDE}" in out and f"seat 1 of /t/{TABLE}" in out and "Rude: bah" in out and "insult" in out
    assert "\x1b" not in out  # what players wrote does not steer the operator's terminal
    number = out.split()[1].strip(",")
    assert admin("reports", "settle", number)[0] == 0
    assert "no reports" in admin("reports")[1]
    assert "(settled)" in admin("reports", "--all")[1]
    status, _, err = admin("reports", "settle", "4711")
    assert status == 2 and "no report 4711" in err


@pytest.mark.parametrize("who", [f"@{RUDE}", RUDE, f"/t/{TABLE}:1", f"https://play.example.org/t/{TABLE}:1"])
def test_a_ban_is_known_to_the_running_service_and_undone(who: str, service: Beside, admin: Admin) -> None:
    assert admin("ban", who, "--reason", "insults")[0] == 0
    assert service.user(RUDE).banned == "insults"
    assert admin("unban", f"@{RUDE}")[0] == 0
    assert service.user(RUDE).banned is None
    status, _, err = admin("unban", f"@{RUDE}")
    assert status == 2 and "not banned" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("ban", "@zzzzzzzzzzzzzzzzzzzzzz", "--reason", "x"), "nobody is"),
        (("ban", f"/t/{TABLE}:4", "--reason", "x"), "nobody sits"),
        (("ban", "/t/DDDDDDDDDDDDDDDDDDDDDD:0", "--reason", "x"), "no table"),
        (("ban", f"@{RUDE}", "--reason", " "), "--reason"),
        (("broken", "retry", TABLE), "not put aside"),
        (("broken", "retry", "x"), "is no table"),
        (("purge", "--older-than", "-1"), "no less than 0"),
        (("erase", "@zzzzzzzzzzzzzzzzzzzzzz", "--yes"), "nothing is kept"),
        (("export", "@zzzzzzzzzzzzzzzzzzzzzz", "--out", "x.json"), "nothing is kept"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    words: tuple[str, ...], why: str, service: Beside, admin: Admin
) -> None:
    before = service.facts()
    status, out, err = admin(*words)
    assert (status, out) == (2, "") and why in err
    assert service.facts() == before


# ---------------------------------------------------------------- privacy


def test_all_that_is_kept_about_a_person_is_exported_for_one_reader(
    service: Beside, admin: Admin, tmp_path: Path
) -> None:
    out = tmp_path / "ada.json"
    assert admin("export", f"@{ADA}", "--out", str(out))[0] == 0
    text = out.read_text()
    assert "Ada" in text and TABLE in text and "deck" in text
    assert isinstance(json.loads(text), dict)
    assert out.stat().st_mode & 0o077 == 0
    status, _, err = admin("export", f"@{ADA}", "--out", str(out))
    assert status == 2 and "exists already" in err
    status, _, err = admin("export", f"@{ADA}", "--out", str(tmp_path / "no" / "ada.json"))
    assert status == 2 and "cannot be written" in err


def test_a_person_is_erased_once_the_operator_says_yes(
    service: Beside, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    assert admin("erase", f"@{RUDE}")[0] == 1
    assert service.find(RUDE) is not None
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert admin("erase", f"@{RUDE}")[0] == 0
    assert service.find(RUDE) is None
    assert "nothing is kept" in admin("erase", f"@{RUDE}", "--yes")[2]
    kept = service.read(TABLE)
    assert next(chair.user for chair in kept.chairs) == ADA and RUDE not in str(kept)
    assert "bah" not in str(service.chat(TABLE))


def test_a_purge_says_first_what_it_would_delete(service: Beside, admin: Admin) -> None:
    status, would, _ = admin("purge", "--older-than", "365", "--dry-run")
    assert status == 0 and "2 tables" in would and service.find_table(OLD)
    status, did, _ = admin("purge", "--older-than", "365")
    assert status == 0 and did.removeprefix("deleted") == would.removeprefix("would delete")
    assert not service.find_table(OLD) and not service.find_table(DROPPED) and service.find_table(TABLE)
    assert "nothing" in admin("purge", "--older-than", "365")[1]


# ---------------------------------------------------------------- keys


def test_a_new_cookie_key_retires_the_old_one_which_ends_in_thirty_days(service: Beside, admin: Admin) -> None:
    assert admin("rotate-keys", "cookie")[0] == 0
    old, new = service.keys("cookie")
    assert old.retired and old.ends and 29 * DAY < old.ends - time.time() < 31 * DAY
    assert new.retired is None and len(service.keys("deal")) == 1


def test_revoked_keys_end_at_once_and_deals_keep_their_proof(service: Beside, admin: Admin) -> None:
    before = service.read(TABLE).table
    status, out, _ = admin("rotate-keys", "all", "--revoke")
    assert status == 0 and "stranger" in out and "proofs" in out
    old, _ = service.keys("cookie")
    assert old.ends and old.ends <= time.time() + 5
    after = service.read(TABLE).table
    assert (after.server_seed, after.deal_key) == (before.server_seed, before.deal_key)


# ---------------------------------------------------------------- games put aside


def test_a_game_put_aside_is_listed_and_put_back_in_play(service: Beside, admin: Admin) -> None:
    assert "no game" in admin("broken")[1]
    service.do(service.store.put_aside(TABLE, "line 7: no such track"))
    assert "line 7" in admin("broken")[1]
    assert admin("broken", "retry", f"/t/{TABLE}")[0] == 0
    assert service.read(TABLE).table.broken is None and "no game" in admin("broken")[1]


# ---------------------------------------------------------------- looking


def test_the_status_counts_what_is_kept(service: Beside, admin: Admin) -> None:
    status, out, _ = admin("status")
    assert status == 0
    for words in ("1 playing", "1 over", "1 dropped", "2, 0 of them banned", "1 reports to settle", "none yet"):
        assert words in out


def test_a_check_of_a_real_store_is_clean_once_there_is_a_backup(service: Beside, admin: Admin, tmp_path: Path) -> None:
    unit = Path(__file__).parents[3] / "docs" / "deploy" / "branchline.service"
    status, out, _ = admin("check", "--unit", str(unit))
    assert status == 1 and "no backup yet" in out and out.count("UNSAFE") == 1 + ("nearly full" in out)
    assert admin("backup", str(tmp_path / "a.backup"))[0] == 0
    status, out, _ = admin("check", "--unit", str(unit))
    assert "no backup" not in out and status == int("nearly full" in out)
    assert "reports that nobody has settled: 1" in out


def test_an_unsafe_postgresql_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Postgres(fsync="off") as postgres:
        unsafe = Place(tmp_path, postgres.fresh())
        Beside(unsafe.target).close()
        assert main(["admin", *unsafe.options, "check"]) == 1
    assert "fsync = on" in capsys.readouterr().out


# ---------------------------------------------------------------- backups


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_goes_into_an_empty_store_of_either_kind(
    kind: str, place: Place, service: Beside, admin: Admin, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    backup = tmp_path / "all.backup"
    assert admin("backup", str(backup))[0] == 0
    assert backup.stat().st_mode & 0o077 == 0
    postgres: Postgres | None = request.getfixturevalue("postgres") if kind == "postgresql" else None
    other = Place(tmp_path / "other", postgres.fresh() if postgres else None)
    status, out, err = admin("restore", str(backup), at=other)
    assert status == 0 and "3 tables, 2 people" in out, err
    restored = Beside(other.target)
    assert restored.all_of_it() == service.all_of_it()
    restored.close()
    status, _, err = admin("restore", str(backup), at=other)
    assert status == 2 and "not empty" in err


def cut(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def cut_between_lines(whole: bytes) -> bytes:
    return gzip.compress(b"".join(gzip.decompress(whole).splitlines(keepends=True)[:-1]))


def changed_row(whole: bytes) -> bytes:
    return gzip.compress(gzip.decompress(whole).replace(b"deck", b"loco"))


def flipped(whole: bytes) -> bytes:
    return whole[:200] + bytes([whole[200] ^ 0x40]) + whole[201:]


def empty(whole: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut, cut_between_lines, changed_row, flipped, empty])
def test_a_damaged_backup_is_refused_and_the_store_stays_empty(
    damage: Callable[[bytes], bytes], place: Place, service: Beside, admin: Admin, tmp_path: Path
) -> None:
    backup, bad = tmp_path / "all.backup", tmp_path / "bad.backup"
    admin("backup", str(backup))
    bad.write_bytes(damage(backup.read_bytes()))
    other = Place(tmp_path / "other", None)
    status, _, err = admin("restore", str(bad), at=other)
    assert status == 2 and "bad.backup" in err
    assert admin("restore", str(backup), at=other)[0] == 0


def test_no_backup_is_written_over(service: Beside, admin: Admin, tmp_path: Path) -> None:
    kept = tmp_path / "all.backup"
    kept.write_text("mine")
    assert admin("backup", str(kept))[0] == 2 and kept.read_text() == "mine"
    assert admin("restore", str(tmp_path / "none.backup"), at=Place(tmp_path / "other", None))[0] == 2


def test_nothing_is_made_where_there_is_no_service(admin: Admin, tmp_path: Path) -> None:
    nowhere = Place(tmp_path / "typo", None)
    for words in (("status",), ("check",), ("backup", str(tmp_path / "x"))):
        status, _, err = admin(*words, at=nowhere)
        assert status == 2 and "typo" in err
    assert not (tmp_path / "typo").exists()
