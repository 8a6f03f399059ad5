"""Promises: the commitment to a table's deal, given out before the one who will open the table has sent a seed.

A host who opens a table and sends a seed in one request must have seen the commitment before that. So the page asks for
a promise first, together with the guest's name and settings, and opens the table with it:

    promise = promises.new(user)                           # to the page: the commitment, and a ticket to hand in
    kept = promises.kept(ticket, user)                     # from the page, with its seed: the table's id and our seed

Nothing is stored: our seed follows from the service's secret and the table's id.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from typing import Final, NamedTuple

from branchline.fair import commitment

_TABLE: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class Promise(NamedTuple):
    """What the page gets: `ticket` opens the table `table`, for this guest alone."""

    table: str
    commitment: str
    ticket: str


class Kept(NamedTuple):
    """What the service needs to open the table."""

    table: str
    server_seed: bytes


class Promises:
    """Gives promises and knows them again. A table's id is used once: the store sees to that."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self, user_id: str) -> Promise:
        """A promise for a table that does not exist yet."""
        table = secrets.token_urlsafe(16)
        return Promise(table, commitment(self._seed(table)), f"{table}.{self._proof(table, user_id)}")

    def kept(self, ticket: str, user_id: str) -> Kept | None:
        """The table a ticket opens, or None if it was not given to this guest."""
        table, _, proof = ticket.partition(".")
        if not _TABLE.fullmatch(table):
            return None
        right = hmac.compare_digest(proof.encode("utf-8", "replace"), self._proof(table, user_id).encode())
        return Kept(table, self._seed(table)) if right else None

    def _seed(self, table: str) -> bytes:
        return self._mac("server seed", table)

    def _proof(self, table: str, user_id: str) -> str:
        return urlsafe_b64encode(self._mac("ticket", table, user_id)).rstrip(b"=").decode()

    def _mac(self, purpose: str, *parts: str) -> bytes:
        """The parts are ids, which have no blanks in them."""
        return hmac.digest(self._secret, " ".join(("branchline-promise-1", purpose, *parts)).encode(), "sha256")
