"""Promises: the commitment to a table's deal, given out before the one who will open the table has sent a seed.

A host who opens a table and sends a seed in one request must have seen the commitment before that. So the page asks for
a promise first, together with the guest's name and settings, and opens the table with it:

    promise = promises.new(user)                           # to the page: the commitment, and a ticket to hand in
    kept = promises.kept(ticket, user)                     # from the page, with its seed: the table's id and our seed

Nothing is stored: our seed follows from a deal key of the service and the table's id. A ticket names its key, so that a
promise is kept after a new key has come.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from typing import Final, Literal, NamedTuple, Protocol

from branchline.fair import commitment

_TICKET: Final = re.compile(r"([A-Za-z0-9_-]{22})\.(?:([a-z0-9]{1,16})\.)?([A-Za-z0-9_-]{43})")
_FIRST_KEY: Final = "1"  # tickets of version 0.1 name none


class Key(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def secret(self) -> bytes: ...


class DealKeys(Protocol):
    """Where the keys are found (people/keys.py)."""

    def signing(self, purpose: Literal["deal"], /) -> Key:
        """The key for new promises."""

    def find(self, purpose: Literal["deal"], key: str, /) -> Key | None:
        """The key of an old one, if it has not been revoked."""


class Promise(NamedTuple):
    """What the page gets: `ticket` opens the table `table`, for this guest alone."""

    table: str
    commitment: str
    ticket: str


class Kept(NamedTuple):
    """What the service needs to open the table; `key` is the id of the key from which its seed followed."""

    table: str
    server_seed: bytes
    key: str


class Promises:
    """Gives promises and knows them again. A table's id is used once: the store sees to that."""

    def __init__(self, keys: DealKeys) -> None:
        self._keys = keys

    def new(self, user: str, request: str = "") -> Promise:
        """A promise for a table that does not exist yet; for the same request of a guest, if it has a key, the same."""
        key = self._keys.signing("deal")
        table = _encoded(_mac(key, "table", user, request)[:16]) if request else secrets.token_urlsafe(16)
        return Promise(table, commitment(_seed(key, table)), f"{table}.{key.id}.{_proof(key, table, user)}")

    def kept(self, ticket: str, user: str) -> Kept | None:
        """The table a ticket opens, or None if it was not given to this guest."""
        found = _TICKET.fullmatch(ticket)
        key = self._keys.find("deal", found[2] or _FIRST_KEY) if found else None
        if found is None or key is None or not hmac.compare_digest(found[3], _proof(key, found[1], user)):
            return None
        return Kept(found[1], _seed(key, found[1]), key.id)


def _seed(key: Key, table: str) -> bytes:
    return _mac(key, "server seed", table)


def _proof(key: Key, table: str, user: str) -> str:
    return _encoded(_mac(key, "ticket", table, user))


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def _mac(key: Key, purpose: str, *parts: str) -> bytes:
    """The parts are ids, which have no blanks in them; the last may have some."""
    return hmac.digest(key.secret, " ".join(("branchline-promise-1", purpose, *parts)).encode(), "sha256")
