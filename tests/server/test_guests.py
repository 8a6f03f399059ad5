"""Guests: a token tells its user and cannot be made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from branchline.server.people.guests import new_user_id
from tests.server.keeping import keeper, run


def test_a_token_tells_its_user(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            for _ in range(50):
                user = new_user_id()
                token = our.guests.token(user)
                assert our.guests.user_of(token) == await our.guests.find(token) == user
                assert token.isascii()
                assert all(letter.isalnum() or letter in "-_." for letter in token)

    run(job)


def test_users_are_all_different() -> None:
    users = {new_user_id() for _ in range(1000)}
    assert len(users) == 1000
    assert {len(user) for user in users} == {22}


def test_a_token_that_was_not_made_here_is_nobodys(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path / "a") as our, keeper(tmp_path / "b") as their:
            user = new_user_id()
            token = our.guests.token(user)
            _, key, proof = token.split(".")
            wrong = [f"{user}.{proof}", f"{user}.1.{proof}", f"{new_user_id()}.{key}.{proof}", f"{user}.{key}.\ud800"]
            wrong += ["", ".", "..", user, f"{user}.", f".{key}.{proof}", f"{user}.{key}.", f"{user}..{proof}"]
            wrong += [f"{token}A", f"{token}=", token[:-1], token + "\n", "é" * 66, their.guests.token(user)]
            for at in range(len(token)):
                other = "A" if token[at] != "A" else "B"
                wrong.append(token[:at] + other + token[at + 1 :])
            for made_up in wrong:
                assert our.guests.user_of(made_up) is None
                assert await our.guests.find(made_up) is None
                assert not our.guests.is_old(made_up)

    run(job)


def test_only_ids_get_tokens(tmp_path: Path) -> None:
    async def job() -> None:
        async with keeper(tmp_path) as our:
            for wrong in ("", "ada", "x" * 23, "é" * 22, "a.b" + "x" * 19):
                with pytest.raises(ValueError, match="not the id of a user"):
                    our.guests.token(wrong)

    run(job)
