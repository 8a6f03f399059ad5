"""Keys: each purpose has its own, all processes find them, a new one takes over softly, a revoked one ends at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from branchline.fair import commitment
from branchline.server.people import keys as keys_module
from branchline.server.people.guests import new_user_id
from branchline.server.people.keys import FIRST_KEY, PURPOSES, RETIRED_SECONDS, SETTLED_SECONDS, rotate
from branchline.server.store.contract import KeyRow
from branchline.server.store.opening import open_store
from tests.server.keeping import Keeper, keeper, run

DAY = 86400.0
OLD_SECRET = bytes(range(32))
OLD_USER = "AAECAwQFBgcICQoLDA0ODw"
OLD_TOKEN = f"{OLD_USER}.yCz9keTdzDS4hxsX1duax84FNFEkrMKpuEnL_6lyxZk"


def key_of(token: str) -> str:
    return token.split(".")[1]


# ---------------------------------------------------------------- what there is


def test_each_purpose_gets_a_key_of_its_own_once(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as first:
            made = await first.store.keys()
            second = Keeper(first.store)
            await second.keys.load()
            assert await first.store.keys() == made
        assert {key.purpose for key in made} == set(PURPOSES)
        assert len(made) == len({key.secret for key in made}) == len(PURPOSES)
        assert all(len(key.secret) == 32 and key.ends is None for key in made)

    run(job)


def test_processes_that_start_together_use_the_same_key(tmp_path: Path) -> None:
    async def job() -> None:
        store = await open_store(tmp_path)
        keepers = [Keeper(store) for _ in range(5)]
        await asyncio.gather(*(one.keys.load() for one in keepers))
        user = new_user_id()
        for maker in keepers:
            for reader in keepers:
                assert await reader.guests.find(maker.guests.token(user)) == user
        await asyncio.gather(*(one.keys.refresh() for one in keepers))
        assert len({key_of(one.guests.token(user)) for one in keepers}) == 1
        await store.close()

    run(job)


# ---------------------------------------------------------------- a new key


def test_a_new_key_signs_when_all_know_it_and_old_tokens_last_for_thirty_days(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            our.later(DAY)
            user = new_user_id()
            old = our.guests.token(user)
            assert not our.guests.is_old(old)
            (made,) = await rotate(our.store, ["cookie"])
            await our.keys.refresh()
            assert key_of(our.guests.token(user)) == key_of(old)  # other processes may not know the new one yet
            our.later(SETTLED_SECONDS + 1)
            new = our.guests.token(user)
            assert key_of(new) == made.id != key_of(old)
            assert our.guests.is_old(old) and not our.guests.is_old(new)
            our.later(RETIRED_SECONDS - 2 * SETTLED_SECONDS)
            assert our.guests.user_of(old) == our.guests.user_of(new) == user
            our.later(2 * SETTLED_SECONDS)
            assert (our.guests.user_of(old), our.guests.user_of(new)) == (None, user)
            assert not our.guests.is_old(old)

    run(job)


def test_a_second_rotation_gives_the_first_key_no_more_time(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            first = our.keys.signing("cookie")
            await rotate(our.store, ["cookie"])
            ends = {key.id: key.ends for key in await our.store.keys()}[first.id]
            await rotate(our.store, ["cookie"])
            assert {key.id: key.ends for key in await our.store.keys()}[first.id] == ends

    run(job)


def test_a_revoked_key_ends_at_once(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            old, handle, ticket = our.guests.token(user), our.keys.signing("handle").id, our.promises.new(user).ticket
            await rotate(our.store, revoke=True)
            await our.keys.refresh()
            assert our.guests.user_of(old) is None
            assert our.keys.find("handle", handle) is None
            assert our.promises.kept(ticket, user) is None
            assert our.guests.user_of(our.guests.token(user)) == user
            assert our.promises.kept(our.promises.new(user).ticket, user) is not None

    run(job)


def test_a_token_of_a_key_made_elsewhere_is_known_at_once(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            other, user = Keeper(our.store), new_user_id()
            await rotate(our.store, revoke=True)
            await other.keys.load()
            token = other.guests.token(user)
            assert our.guests.user_of(token) is None
            our.later(1)
            assert await our.guests.find(token) == user
            assert our.guests.user_of(token) == user

    run(job)


def test_made_up_keys_do_not_keep_the_store_busy(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            asked, plain = 0, our.store.keys

            async def counted() -> list[KeyRow]:
                nonlocal asked
                asked += 1
                return await plain()

            our.store.keys = counted  # type: ignore[method-assign]
            our.later(1)
            tokens = (f"{new_user_id()}.{n:08x}.{'x' * 43}" for n in range(500))
            assert await asyncio.gather(*(our.guests.find(token) for token in tokens)) == [None] * 500
            assert asked == 1

    run(job)


def test_who_watches_notices_a_rotation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert keys_module.REFRESH_SECONDS + SETTLED_SECONDS < 60
    monkeypatch.setattr(keys_module, "REFRESH_SECONDS", 0.01)

    async def job() -> None:
        async with keeper(tmp_path) as our:
            watching = asyncio.create_task(our.keys.watch())
            (made,) = await rotate(our.store, ["cookie"])
            async with asyncio.timeout(20):
                while our.keys.find("cookie", made.id) is None:
                    await asyncio.sleep(0.01)
            watching.cancel()

    run(job)


# ---------------------------------------------------------------- deals


def test_a_promise_is_kept_however_often_the_key_changed_since(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            user = new_user_id()
            promises = []
            for _ in range(4):
                our.later(2 * SETTLED_SECONDS)
                promises.append((our.keys.signing("deal").id, our.promises.new(user)))
                await rotate(our.store, ["deal"])
                await our.keys.refresh()
            our.later(1000 * DAY)
            for key, promise in promises:
                kept = our.promises.kept(promise.ticket, user)
                assert kept is not None
                assert (kept.table, commitment(kept.server_seed)) == (promise.table, promise.commitment)
                assert kept.key == key

    run(job)


# ---------------------------------------------------------------- version 0.1


def test_guests_of_version_0_1_stay_known_until_their_key_ends(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            await rotate(our.store, ["cookie"], revoke=True)
            first = KeyRow(FIRST_KEY, "cookie", OLD_SECRET, 0.0, None, None)
            await our.store.add_key(first, retire=False, ends=None)
            await our.keys.refresh()
            assert our.guests.user_of(OLD_TOKEN) == OLD_USER
            assert await our.guests.find(OLD_TOKEN) == OLD_USER
            assert our.guests.is_old(OLD_TOKEN)
            assert our.guests.user_of(OLD_TOKEN[:-1] + "A") is None
            await rotate(our.store, ["cookie"])
            await our.keys.refresh()
            assert our.guests.user_of(OLD_TOKEN) == OLD_USER
            our.later(RETIRED_SECONDS + 1)
            assert our.guests.user_of(OLD_TOKEN) is None

    run(job)
