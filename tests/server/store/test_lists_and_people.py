"""Lists of tables, people, keys, and what an operator does: the same on both stores."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from branchline.server.store.contract import (
    DeviceRow,
    KeyRow,
    Known,
    Lease,
    LineRow,
    MailRow,
    NotHolder,
    ReviewRow,
    UserRow,
)
from branchline.server.store.shared import SharedStore
from branchline.server.tables.rows import ChairRow, Change, ChatRow, NoticeRow, PlanRow, ReportRow, SnapshotRow
from tests.server.store.kit import DAYS, LIVE, NO_CLOCK, Target, ask, beside, chairs, entry, new, row, using


def ids(lines: list[LineRow]) -> list[str]:
    return [line.id for line in lines]


# ---------------------------------------------------------------- lists


def test_the_lobby_shows_the_newest_tables_with_an_empty_chair(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        for n in range(4):
            await store.write(new(f"t{n}", f"host{n}", None, owner=f"host{n}", created=float(n)))
        await store.write(new("full", "ada", "bo", created=9.0))
        await store.write(new("hidden", "ada", None, created=9.0, listed=False))
        await store.write(new("begun", "ada", None, created=9.0, state="playing"))
        await store.write(new("odd", "ada", None, created=9.0, broken="cannot be read"))
        bot = ChairRow(1, None, "planner", "Bot", None, None)
        await store.write((None, Change(row("bots", created=9.0), new=True, chairs=(*chairs("ada"), bot))))
        assert ids(await store.lobby(10)) == ["t3", "t2", "t1", "t0"]
        assert ids(await store.lobby(2)) == ["t3", "t2"]

    using(target, work)


def test_nobody_fills_the_lobby_alone(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("honest", "bo", None, owner="bo", created=1.0))
        for n in range(30):
            await store.write(new(f"flood{n:02}", "eve", None, owner="eve", created=100.0 + n))
        assert ids(await store.lobby(10)) == ["flood29", "flood28", "flood27", "honest"]

    using(target, work)


def test_a_line_has_the_names_as_they_are_now_until_the_game_is_over(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.put_user("ada", "Countess", None, 1.0)
        seated = (ChairRow(0, "ada", None, "Ada", None, None, 4), ChairRow(1, "bo", None, "Bo", None, None))
        bot = ChairRow(2, None, "planner", "Bot", None, None)
        for state in ("open", "playing", "over"):
            change = Change(row(state, state=state, options=LIVE, to_act="[1]"), new=True, chairs=(*seated, bot))
            await store.write((None, change))
        lines = {line.id: line for line in await store.games_of("ada", 10)}
        now = (("ada", None, "Countess", 4), ("bo", None, "Bo", None), (None, "planner", "Bot", None))
        line = LineRow("open", "usa", "open", LIVE, True, 1000.0, "[1]", None, None, now)
        assert lines["open"] == line
        assert lines["playing"] == replace(line, id="playing", state="playing")
        assert lines["over"].chairs[0] == ("ada", None, "Ada", 4)

    using(target, work)


def test_the_games_of_a_person_come_by_the_last_touch_with_the_broken_ones(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        for n, state in enumerate(("open", "over", "dropped", "playing")):
            await store.write(new(state, "bo", "ada", state=state, updated=float(n), result="[1]"))
        await store.write(new("others", "bo", "cy"))
        await store.put_aside("playing", "the map is gone")
        lines = await store.games_of("ada", 10)
        assert ids(lines) == ["playing", "over", "open"]
        assert (lines[0].broken, lines[1].result) == ("the map is gone", "[1]")
        assert ids(await store.games_of("ada", 1)) == ["playing"]
        assert await store.games_of("nobody", 10) == []

    using(target, work)


def test_tables_that_count_against_their_owner(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("waits", updated=1.0))
        await store.write(new("played", state="playing", updated=500.0))
        await store.write(new("stale", state="playing", updated=100.0))
        await store.write(new("over", state="over", updated=500.0))
        await store.write(new("others", owner="bo"))
        assert await store.open_tables("ada", 400.0) == 2
        assert await store.open_tables("ada", 0.0) == 3

    using(target, work)


async def make_games(store: SharedStore) -> None:
    for table, state, options, updated in (
        ("live", "playing", LIVE, 5.0),
        ("days", "playing", DAYS, 1000.0),
        ("calm", "playing", NO_CLOCK, 5.0),
        ("open", "open", LIVE, 5.0),
        ("over", "over", LIVE, 5.0),
        ("odd", "playing", LIVE, 5.0),
        ("odd days", "playing", DAYS, 5.0),
    ):
        await store.write(new(table, state=state, options=options, updated=updated, created=updated))
    await store.put_aside("odd", "why")
    await store.put_aside("odd days", "why")


def test_games_that_press_are_late_or_overdue(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await make_games(store)
        two_days = 2 * 86400.0
        assert await store.pressing() == ["live"]
        assert await store.late(999.0 + two_days) == []
        assert await store.late(1001.0 + two_days) == ["days"]
        assert await store.overdue(0.0, 0.0) == []
        assert await store.overdue(6.0, 0.0) == ["open"]
        assert await store.overdue(0.0, 6.0) == ["calm"]
        assert sorted(await store.overdue(2000.0, 2000.0)) == ["calm", "days", "open"]

    using(target, work)


def test_games_that_another_living_process_holds_are_its_own_care(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.beat(1.0)
        await make_games(store)
        other = await beside(target)
        assert await other.pressing() == await other.late(1e9) == await other.overdue(1e9, 1e9) == []
        ask(target, "UPDATE processes SET until = 0 WHERE id = ?", (store.me,))
        assert (await other.pressing(), await other.late(1e9)) == (["live"], ["days"])
        assert len(await other.overdue(1e9, 1e9)) == 3
        await other.close()

    using(target, work)


def test_a_game_put_aside_can_be_tried_again(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t"), new("u"))
        await store.put_aside("t", "the map is gone")
        assert await store.broken() == [("t", "the map is gone")]
        await store.put_aside("t", None)
        assert await store.broken() == []
        await store.write((Lease("t", 1), Change(row("t"))))  # who holds it is not disturbed

    using(target, work)


def test_talk_is_told_oldest_first_with_the_names_of_now(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.put_user("ada", "Ada", None, 1.0)
        await store.write(new())
        said = [ChatRow(float(n), "ada" if n % 2 else "bo", n % 2, None if n else "hi", f"line {n}") for n in range(5)]
        for line in said:
            await store.write((Lease("t", 1), Change(row(), chat=line)))
        await store.put_user("ada", "Countess", None, 2.0)
        names = {"ada": "Countess", "bo": ""}
        assert await store.chat("t", 3) == [(line, names[line.user]) for line in said[2:]]
        assert len(await store.chat("t", 50)) == 5

    using(target, work)


def test_spectators_lines_push_no_players_line_out_and_are_the_persons(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        seats = [0, None, 1, *[None] * 4, 0, None]
        said = [ChatRow(float(n), "ada", seat, "hi", None) for n, seat in enumerate(seats)]
        for line in said:
            await store.write((Lease("t", 1), Change(row(), chat=line)))
        told = [line for line, _ in await store.chat("t", 2)]
        assert [line.at for line in told] == [2.0, 6.0, 7.0, 8.0]
        assert [line.seat for line in told] == [1, None, 0, None]
        exported = await store.export("ada")
        assert isinstance(exported["chat"], list) and [line["seat"] for line in exported["chat"]] == seats
        await store.erase("ada")
        assert await store.chat("t", 50) == []

    using(target, work)


def test_text_that_a_database_might_not_take_is_kept_readable(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        odd = "nul \0, quote ' \" \\, percent %s %(a)s, question ?, 🚂, \u202e"
        report = ReportRow(1.0, "bo", 0, "ada", odd, json.dumps({"text": odd}))
        await store.write((Lease("t", 1), Change(row(), chat=ChatRow(1.0, "ada", 0, None, odd), report=report)))
        await store.put_user("ada", "A\0da", None, 1.0)
        plain = odd.replace("\0", "\ufffd")
        assert (await store.chat("t", 1))[0] == (ChatRow(1.0, "ada", 0, None, plain), "A\ufffdda")
        assert (await store.reports(1))[0].reason == plain

    using(target, work)


# ---------------------------------------------------------------- people and keys


def test_people_are_made_and_changed(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        assert await store.user("ada") is None
        await store.put_user("ada", "Ada", None, 10.0)
        assert await store.user("ada") == UserRow("ada", "Ada", 10.0, 10.0, "en", None, frozenset())
        await store.put_user("ada", "Countess", "ro", 20.0, "2026-12-01")
        changed = UserRow("ada", "Countess", 10.0, 20.0, "ro", "2026-12-01", frozenset())
        assert await store.user("ada") == changed
        await store.put_user("ada", "Countess", None, 20.0)
        assert await store.user("ada") == changed
        await store.put_user("ada", "Countess", None, 20.0, None)
        assert await store.user("ada") == replace(changed, holiday=None)
        await store.put_user("bo", "Bo", "pt-BR", 1.0)
        assert await store.names(["bo", "ada", "nobody"]) == {"ada": "Countess", "bo": "Bo"}
        assert await store.names([]) == {}
        assert await store.names([f"u{n}" for n in range(2000)]) == {}

    using(target, work)


def test_somebody_can_be_blocked_and_banned(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.put_user("ada", "Ada", None, 1.0)
        for other, blocked in (("bo", True), ("cy", True), ("bo", True), ("cy", False), ("di", False)):
            await store.put_block("ada", other, blocked)
        assert await store.ban("ada", "rude") and not await store.ban("nobody", "rude")
        assert await store.user("ada") == UserRow("ada", "Ada", 1.0, 1.0, "en", None, frozenset({"bo"}), "rude")
        assert await store.ban("ada", None)
        ada = await store.user("ada")
        assert ada is not None and ada.banned is None

    using(target, work)


def test_keys_are_retired_by_new_ones_of_their_purpose(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        assert await store.keys() == []
        first = KeyRow("1", "cookie", b"\x00\xff" * 16, 1.0, None, None)
        deal = KeyRow("1", "deal", b"d", 1.0, None, None)
        second, third = replace(first, id="2", created=2.0), replace(first, id="3", created=3.0)
        await store.add_key(first, retire=False, ends=None)
        await store.add_key(deal, retire=False, ends=None)
        await store.add_key(second, retire=True, ends=100.0)
        assert await store.keys() == [replace(first, retired=2.0, ends=100.0), deal, second]
        await store.add_key(third, retire=True, ends=200.0)  # the first does not last longer for that
        retired = [replace(first, retired=2.0, ends=100.0), deal, replace(second, retired=3.0, ends=200.0), third]
        assert await store.keys() == retired
        with pytest.raises(Known):
            await store.add_key(third, retire=True, ends=5.0)
        assert await store.keys() == retired

    using(target, work)


# ---------------------------------------------------------------- for who runs it


async def report(store: SharedStore, at: float, by: str, about: str, context: str = "{}") -> None:
    await store.write((Lease("t", 1), Change(row(), report=ReportRow(at, by, 1, about, "rude", context))))


def test_reports_are_read_newest_first_until_they_are_settled(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new())
        for at in (1.0, 2.0, 3.0):
            await report(store, at, "ada", "bo")
        found = await store.reports(2)
        assert [line.at for line in found] == [3.0, 2.0]
        line = found[0]
        assert (line.table, line.by_user, line.about_seat, line.about_user) == ("t", "ada", 1, "bo")
        assert (line.reason, line.context, line.settled) == ("rude", "{}", False)
        assert await store.settle(line.id) and not await store.settle(12345)
        assert [line.at for line in await store.reports(5)] == [2.0, 1.0]
        assert [line.settled for line in await store.reports(5, settled=True)] == [True, False, False]

    using(target, work)


async def busy_person(store: SharedStore) -> None:
    """Ada, everywhere; and others who must not be harmed."""
    for user in ("ada", "bo", "cy"):
        await store.put_user(user, user.title(), None, 1.0)
        await store.ban(user, "for a test")
    await store.put_block("ada", "bo", True)
    await store.put_block("bo", "ada", True)
    await store.put_block("bo", "cy", True)
    await store.write(new("t", "ada", "bo", state="playing", started=2.0))
    said = ChatRow(3.0, "ada", 0, None, "my secret")
    await store.write(
        (Lease("t", 1), Change(row("t", state="playing"), log=(entry(1), entry(2)), chat=said, receipt="ada:1"))
    )
    await store.write((Lease("t", 1), Change(row("t"), chat=ChatRow(4.0, "bo", 1, None, "hello"), receipt="bo:1")))
    await report(store, 5.0, "ada", "bo", '{"text":"my words"}')
    await report(store, 6.0, "bo", "ada", '{"name":"Ada"}')
    plans = (PlanRow(0, "ada", '{"seat":0,"turns":"my wishes"}'), PlanRow(1, "bo", '{"seat":1,"turns":"his"}'))
    await store.write((Lease("t", 1), Change(row("t", state="playing", started=2.0), plans=plans)))
    for user in ("ada", "bo"):
        await store.put_calls(user, f'{{"calls":"of {user}"}}')
        await store.put_device(
            DeviceRow(user, "d", f"https://push.example/{user}", "p", "a", "1", "phone", 1.0, 1.0), 1
        )
        mail = MailRow(user, f"{user}@example.org", 2.0, None)
        assert await store.ask_mail(mail, f"token of {user}", "hash", 0.0, 5, 5)
    playing = row("t", state="playing", started=2.0)
    told = (NoticeRow("ada", "turn", 1, "", 3.0), NoticeRow("bo", "over", 2, "", 3.0))
    await store.write((Lease("t", 1), Change(playing, notices=told)))
    nudged = (NoticeRow("cy", "nudge", 1, "ada", 3.0),)
    await store.write((Lease("t", 1), Change(playing, notices=nudged)))
    await store.write(new("mine", "ada", "bo"))
    await store.write(new("guest", "bo", "ada", owner="bo"))
    await store.write(new("over", "ada", "cy", state="over", started=1.0, ended=2.0))
    await store.put_review(ReviewRow("over", "code", 3.0, '["how she played"]', b"all of it"), 9)
    await store.write(new("others", "bo", "cy", owner="bo"))


def test_all_about_a_person_can_be_handed_out(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await busy_person(store)
        kept = await store.export("ada")
        text = json.dumps(kept)
        for part in ("Ada", "my secret", "my words", "my wishes", "draw deck 2", "for a test", *ABOUT_ADA):
            assert part in text
        assert "hello" not in text and "his" not in json.dumps(kept["plans"]) and '"bo"' in json.dumps(kept["blocked"])
        assert {seat["table_id"] for seat in kept["seats"]} == {"t", "mine", "guest", "over"}  # type: ignore[attr-defined]
        assert not any((await store.export("nobody")).values())

    using(target, work)


def test_an_erased_person_is_nowhere_and_their_games_stay(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await busy_person(store)
        assert await store.erase("ada")
        assert not any((await store.export("ada")).values())
        everything = json.dumps(
            [list(map(str, line)) for name in TABLES for line in ask(target, f"SELECT * FROM {name}")]
        )
        for part in ('"ada"', "Ada", "ada:1", "my secret", "my words", "my wishes", *ABOUT_ADA):
            assert part not in everything, part
        played, mine, guest = [await store.read(table) for table in ("t", "mine", "guest")]
        assert played is not None and mine is not None and guest is not None
        assert [chair.name for chair in played.chairs] == ["?", "Bo"]
        assert [plan.user for plan in played.plans] == ["bo"]
        assert played.chairs[0].user is not None and played.table.owner == played.chairs[0].user
        assert len(played.log) == 2 and [line.text for line, _ in await store.chat("t", 9)] == ["hello"]
        assert mine.table.state == "dropped"
        assert guest.chairs == (*chairs("bo"), replace(chairs("x", None)[1], seat=1))
        bo = await store.user("bo")
        assert bo is not None and bo.blocks == {"cy"} and bo.banned
        assert await store.knows_receipt("t", "bo:1")
        assert len(await store.devices("bo")) == 1 and await store.mail("bo") is not None
        assert [notice.kind for notice in await store.take_notices(9.0, 9.0, 9)] == ["over"]
        assert not await store.erase("ada")

    using(target, work)


TABLES = ("users", "blocks", "tables", "seats", "log", "chat", "reports", "receipts", "plans",
          "devices", "mails", "mail_asked", "mail_refused", "notices", "reviews")  # fmt: skip
ABOUT_ADA = ("of ada", "https://push.example/ada", "ada@example.org", "how she played")


def test_who_held_a_table_of_an_erased_person_has_to_read_it_again(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await busy_person(store)
        await store.erase("ada")
        with pytest.raises(NotHolder):
            await store.write((Lease("guest", 1), Change(row("guest"), chairs=chairs("bo", "ada"))))
        await store.write((Lease("others", 1), Change(row("others"))))

    using(target, work)


def test_old_tables_are_deleted_with_all_that_belongs_to_them(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        for n in range(120):
            state = ("over", "dropped")[n % 2]
            change = Change(
                row(f"old{n}", state=state, ended=10.0 if state == "over" else None, updated=10.0),
                new=True,
                chairs=chairs("ada", "bo"),
                log=(entry(1), entry(2)),
                snapshot=SnapshotRow(b"x", 1, None),
                chat=ChatRow(1.0, "ada", 0, "hi", None),
                receipt="r",
                notices=(NoticeRow("ada", "over", 1, "", 1.0),),
            )
            await store.write((None, change))
        await store.put_review(ReviewRow("old0", "code", 3.0, "[]", b""), 9)
        kept = {"recent": ("over", 50.0), "playing": ("playing", 10.0), "open": ("open", 10.0)}
        for table, (state, at) in kept.items():
            change = Change(row(table, state=state, ended=at, updated=at), new=True, log=(entry(1),))
            await store.write((None, change))
        expected = {"tables": 120, "log": 240, "seats": 240, "snapshots": 120, "chat": 120, "receipts": 120,
                    "plans": 0, "notices": 120, "reviews": 1}  # fmt: skip
        assert await store.purge(20.0, dry_run=True) == expected
        assert await store.purge(20.0) == expected
        assert await store.purge(20.0) == await store.purge(20.0, dry_run=True) == {}
        for table in kept:
            stored = await store.read(table)
            assert stored is not None and len(stored.log) == 1
        assert ask(target, "SELECT count(*) FROM log") == [(3,)]

    using(target, work)


def test_the_facts_an_operator_asks_for(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await busy_person(store)
        await store.beat(1.0)
        facts = await store.facts()
        assert facts["store"] == ("postgresql" if isinstance(target, str) else "sqlite")
        counted = {name: facts[name] for name in ("users", "banned", "reports", "broken", "keys")}
        assert counted == {"users": 3, "banned": 3, "reports": 2, "broken": 0, "keys": 0}
        assert facts["tables"] == {"open": 3, "over": 1, "playing": 1}
        assert facts["schema"] == facts["program"] and facts["compatible"]
        assert isinstance(facts["bytes"], int) and facts["bytes"] > 0
        processes = facts["processes"]
        assert isinstance(processes, list)
        assert [(each["id"], each["address"]) for each in processes] == [(store.me, "here")]
        if isinstance(target, str):
            assert (facts["postgres_fsync"], facts["postgres_ssl"]) == ("on", "off")

    using(target, work, address="here")


# ---------------------------------------------------------------- reviews


def test_a_review_is_kept_for_what_made_it(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t", "ada", "bo", state="over", started=1.0, ended=2.0))
        first = ReviewRow("t", "old code", 3.0, "[1]", b"old")
        await store.put_review(first, 9)
        assert await store.review("t", "old code") == first and await store.review("t", "new code") is None
        second = ReviewRow("t", "new code", 4.0, "[2]", b"new")
        await store.put_review(second, 9)
        assert await store.review("t", "new code") == second and await store.review("t", "old code") is None

    using(target, work)


def test_so_many_reviews_are_kept_and_the_oldest_go(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        for n in range(5):
            await store.write(new(f"t{n}", "ada", "bo", state="over", started=1.0, ended=2.0))
            await store.put_review(ReviewRow(f"t{n}", "code", float(n), "[]", b""), 3)
        assert ask(target, "SELECT table_id FROM reviews ORDER BY 1") == [("t2",), ("t3",), ("t4",)]

    using(target, work)


def test_no_review_is_kept_of_a_game_that_goes_on_or_is_gone(target: Target) -> None:
    async def work(store: SharedStore) -> None:
        await store.write(new("t", "ada", "bo", state="playing", started=1.0))
        for table in ("t", "gone"):
            await store.put_review(ReviewRow(table, "code", 1.0, "[]", b""), 9)
        assert ask(target, "SELECT count(*) FROM reviews") == [(0,)]

    using(target, work)
