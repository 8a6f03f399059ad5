"""Guests: who somebody is without an account. A guest holds a token that only this service can have made.

A token is `user.key.proof`; those of version 0.1 are `user.proof`, made with the first key, and good as long as it is.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from typing import Final, NamedTuple

from branchline.server.people.keys import FIRST_KEY, Keys

_TOKEN: Final = re.compile(r"([A-Za-z0-9_-]{22})\.(?:([a-z0-9]{1,16})\.)?([A-Za-z0-9_-]{43})")
_USER: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class _Parts(NamedTuple):
    user: str
    key: str | None  # None in a token of version 0.1
    proof: str


class Guests:
    """Makes tokens and reads them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def token(self, user: str) -> str:
        """What a guest keeps to be known again; fit for a cookie, a header and an address."""
        if not _USER.fullmatch(user):
            raise ValueError("not the id of a user")
        key = self._keys.signing("cookie")
        return f"{user}.{key.id}.{_proof(key.secret, user, key.id)}"

    def user_of(self, token: str) -> str | None:
        """Whose token this is, or None if we did not make it, or with a key that has ended."""
        parts = _parts(token)
        return self._proven(parts) if parts is not None else None

    async def find(self, token: str) -> str | None:
        """The same, but for a key that another process has only just begun to use the store is asked."""
        parts = _parts(token)
        if parts is None:
            return None
        await self._keys.look_up("cookie", parts.key or FIRST_KEY)
        return self._proven(parts)

    def is_old(self, token: str) -> bool:
        """Whether a guest of ours should get a new token: the key of this one is retired, or it is of version 0.1."""
        parts = _parts(token)
        if parts is None or self._proven(parts) is None:
            return False
        key = self._keys.find("cookie", parts.key or FIRST_KEY)
        return parts.key is None or (key is not None and key.retired is not None)

    def _proven(self, parts: _Parts) -> str | None:
        key = self._keys.find("cookie", parts.key or FIRST_KEY)
        if key is None:
            return None
        right = hmac.compare_digest(parts.proof, _proof(key.secret, parts.user, parts.key))
        return parts.user if right else None


def new_user_id() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(16)


def _parts(token: str) -> _Parts | None:
    found = _TOKEN.fullmatch(token)
    return _Parts(found[1], found[2], found[3]) if found else None


def _proof(secret: bytes, user: str, key: str | None) -> str:
    what = f"branchline guest 1:{user}" if key is None else f"branchline guest 2:{user}:{key}"
    digest = hmac.digest(secret, what.encode(), hashlib.sha256)
    return urlsafe_b64encode(digest).rstrip(b"=").decode()
