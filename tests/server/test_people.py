"""People: one name each, in one place; holidays end everywhere; who blocked whom is for the blocker alone to know."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from branchline.server.people.guests import new_user_id
from branchline.server.people.holidays import BadHoliday, checked_day, end_of
from branchline.server.people.keys import rotate
from branchline.server.people.people import BELIEVED_SECONDS, MOST_BLOCKED, language_of
from branchline.server.store.contract import StoreFailed, UserRow
from branchline.server.wire.refusals import BadRequest, Conflict, Missing
from branchline.server.wire.sentences import code_of
from tests.server.keeping import Keeper, keeper, run


def day(ahead: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=ahead)).isoformat()


# ---------------------------------------------------------------- names, languages, holidays


def test_a_stranger_is_suggested_the_same_name_until_it_is_theirs(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            name, named = await our.people.name(user, "ro")
            assert (name, named) == ((await our.people.person(user, "ro")).name, False)
            assert await our.store.user(user) is None
            assert await our.people.own_name(user, "ro") == name
            assert await our.people.name(user, "en") == (name, True)  # from now on in every language
            stored = await our.store.user(user)
            assert stored is not None and stored.name == name

    run(job)


def test_what_is_changed_is_changed_and_the_rest_stays(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user, people = new_user_id(), our.people
            first = await people.change(user, lang="pt-BR", suggest_in="ro")
            assert (first.named, first.lang, first.holiday, first.banned) == (True, "pt-BR", None, None)
            assert first.name == (await Keeper(our.store).people.name(user))[0]
            assert (await people.change(user, name="  Ada   Lovelace ")).name == "Ada Lovelace"
            away = await people.change(user, holiday=day(3))
            assert (away.name, away.lang, away.holiday) == ("Ada Lovelace", "pt-BR", day(3))
            assert (await people.change(user, name="Ida", lang="ro")).holiday == day(3)
            back = await people.change(user, holiday=None)
            assert (back.name, back.lang, back.holiday) == ("Ida", "ro", None)
            assert await people.holiday(user) is None

    run(job)


@pytest.mark.parametrize(
    ("change", "reason", "code"),
    [
        ({"name": "x" * 25}, "name: ", "name_long"),
        ({"name": "Bo", "lang": "xx"}, "lang: one of en, ro, pt-PT, pt-BR", ""),
        ({"name": "Bo", "holiday": day(32)}, "holiday: ", "holiday_far"),
        ({"name": "Bo", "holiday": day(-3)}, "holiday: ", "holiday_over"),
        ({"name": "Bo", "holiday": "2026-02-31"}, "holiday: ", "holiday_written"),
    ],
)
def test_one_bad_part_and_nothing_is_changed(tmp_path: Path, change: dict[str, str], reason: str, code: str) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user, told = new_user_id(), list[str]()
            await our.people.change(user, name="Ada")
            our.people.on_change = told.append
            with pytest.raises(BadRequest) as refused:
                await our.people.change(user, **change)
            assert refused.value.reason.startswith(reason)
            assert code_of(refused.value.reason)[0] == code
            assert await our.people.name(user) == ("Ada", True)
            assert told == []

    run(job)


def test_a_failed_write_changes_nothing_and_nobody_is_told(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user, told = new_user_id(), list[str]()
            await our.people.change(user, name="Ada")
            our.people.on_change = told.append

            async def full(*_: object) -> None:
                raise StoreFailed("the disk is full")

            our.store.put_user = full  # type: ignore[method-assign, assignment]
            with pytest.raises(StoreFailed):
                await our.people.change(user, name="Bo", lang="ro", holiday=day(2))
            now = await our.people.person(user)
            assert (now.name, now.lang, now.holiday, told) == ("Ada", "en", None, [])

    run(job)


def test_a_holiday_ends_when_its_day_is_over_everywhere() -> None:
    now = datetime(2026, 3, 1, 11, 0, tzinfo=UTC).timestamp()
    assert end_of("2026-02-28") == now + 3600
    assert checked_day("2026-02-28", now) == "2026-02-28"
    assert checked_day("2026-03-31", now) == "2026-03-31"
    with pytest.raises(BadHoliday, match="over"):
        checked_day("2026-02-28", now + 3600)
    with pytest.raises(BadHoliday, match="30 days"):
        checked_day("2026-04-01", now)


def test_a_holiday_that_is_over_is_none(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            await our.store.put_user(user, "Ada", None, 0.0, "2020-01-01")
            assert await our.people.holiday(user) is None
            assert (await our.people.person(user)).holiday is None

    run(job)


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [("ro", "ro"), ("ro-RO,en;q=0.5", "ro"), ("pt-BR", "pt-BR"), ("pt", "pt-PT"), ("pt-AO", "pt-PT"), ("", "en"),
     ("de-DE,ro", "en"), ("\x00", "en")],
)  # fmt: skip
def test_a_browser_says_its_language(accepted: str, lang: str) -> None:
    assert language_of(accepted) == lang


# ---------------------------------------------------------------- what is remembered


def test_what_was_read_is_believed_for_a_while_and_forgotten_when_told(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            other, user = Keeper(our.store), new_user_id()
            await our.people.change(user, name="Ada")
            assert await other.people.name(user) == ("Ada", True)
            await our.people.change(user, name="Ida")
            assert await our.people.name(user) == ("Ida", True)
            assert await other.people.name(user) == ("Ada", True)
            other.later(BELIEVED_SECONDS + 1)
            assert await other.people.name(user) == ("Ida", True)
            await our.people.change(user, name="Oda")
            other.people.forget(user)
            assert await other.people.name(user) == ("Oda", True)

    run(job)


def test_what_was_read_before_it_was_forgotten_is_not_remembered(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            await our.people.change(user, name="Ada")
            our.people.forget(user)
            plain, asked, go_on = our.store.user, asyncio.Event(), asyncio.Event()

            async def slow(user: str) -> UserRow | None:
                row = await plain(user)
                asked.set()
                await go_on.wait()
                return row

            our.store.user = slow  # type: ignore[method-assign]
            reading = asyncio.create_task(our.people.name(user))
            await asked.wait()
            await Keeper(our.store).store.put_user(user, "Ida", None, 0.0)
            our.people.forget(user)
            go_on.set()
            assert await reading == ("Ada", True)
            assert await our.people.name(user) == ("Ida", True)

    run(job)


def test_who_changes_is_told_of(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            ada, bo, told = new_user_id(), new_user_id(), list[str]()
            our.people.on_change = told.append
            await our.people.own_name(ada)
            await our.people.own_name(ada)
            await our.people.change(bo, name="Bo")
            await our.people.set_block(ada, bo, True)
            assert told == [ada, bo, ada]

    run(job)


def test_a_ban_is_noticed(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            assert await our.people.banned(user) is None
            await our.people.own_name(user)
            assert await our.store.ban(user, "spam")
            our.later(BELIEVED_SECONDS + 1)
            assert await our.people.banned(user) == "spam"
            assert (await our.people.person(user)).banned == "spam"

    run(job)


# ---------------------------------------------------------------- blocks


def test_blocks_are_told_by_handles_and_undone_by_them(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            ada, bo, cy = (new_user_id() for _ in range(3))
            for user, name in ((ada, "Ada"), (bo, "Bo"), (cy, "Cy")):
                await our.people.change(user, name=name)
            await our.people.set_block(ada, cy, True)
            await our.people.set_block(ada, bo, True)
            await our.people.set_block(ada, bo, True)
            told = await our.people.told_blocks(ada)
            assert [person.name for person in told] == ["Bo", "Cy"]
            assert bo not in str(told) and cy not in str(told)
            assert await our.people.told_blocks(bo) == []
            for user, handle in ((bo, told[0].handle), (ada, "0" * 32), (ada, bo), (ada, "")):
                with pytest.raises(Missing) as refused:
                    await our.people.unblock(user, handle)
                assert code_of(refused.value.reason)[0] == "not_blocked"
            await rotate(our.store, ["handle"])  # the list was told before that
            await our.keys.refresh()
            await our.people.unblock(ada, told[0].handle)
            assert await Keeper(our.store).people.blocks(ada) == {cy}

    run(job)


def test_who_blocked_and_who_is_blocked_are_kept_apart(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            ada, bo, cy = (new_user_id() for _ in range(3))
            await our.people.set_block(ada, bo, True)
            assert await our.people.are_apart(ada, [cy, bo])
            assert await our.people.are_apart(bo, [ada])
            assert not await our.people.are_apart(ada, [cy])
            assert not await our.people.are_apart(cy, [ada, bo])
            assert await our.people.blocks(None) == frozenset()

    run(job)


def test_nobody_blocks_more_than_two_hundred(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user, others = new_user_id(), [new_user_id() for _ in range(MOST_BLOCKED + 5)]
            for other in others[:-5]:
                await our.people.set_block(user, other, True)
            for other in others[-5:]:
                with pytest.raises(Conflict) as refused:
                    await our.people.set_block(user, other, True)
                assert code_of(refused.value.reason) == ("many_blocked", MOST_BLOCKED)
            await our.people.set_block(user, others[0], True)  # is blocked already
            await our.people.set_block(user, others[0], False)
            await our.people.set_block(user, others[-1], True)
            assert len(await our.people.blocks(user)) == MOST_BLOCKED

    run(job)
