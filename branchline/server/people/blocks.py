"""Blocks: whom somebody wants no word from, and does not want to meet at a table of the lobby."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterable
from typing import Final

from branchline.server import wire
from branchline.server.said import Said
from branchline.server.store import Store
from branchline.server.tables import Conflict, Missing

MOST: Final = 200  # people one person can block
_REMEMBERED: Final = 10_000
_TAG: Final = b"branchline block 1:"


class Blocks:
    """Who has blocked whom, from the store; a blocked person is told by a handle that only the blocker's list knows."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._secret = secret
        self._lock = asyncio.Lock()  # a list is read, changed and written
        self._known: dict[str, frozenset[str]] = {}

    def of(self, user: str | None) -> frozenset[str]:
        """The people this one has blocked."""
        if user is None:
            return frozenset()
        if user not in self._known:
            rows = self._store.read("SELECT muted FROM users WHERE id = ?", (user,))
            self._remember(user, frozenset(json.loads(rows[0]["muted"])) if rows else frozenset())
        return self._known[user]

    def between(self, user: str, others: Iterable[str]) -> bool:
        """Whether one of the others has blocked this person, or the other way round."""
        mine = self.of(user)
        return any(other in mine or user in self.of(other) for other in others)

    def told(self, user: str) -> list[wire.BlockedWire]:
        """The blocked people as the blocker may know them."""
        found = "SELECT id, name FROM users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name, id"
        rows = self._store.read(found, (json.dumps(sorted(self.of(user))),))
        return [wire.BlockedWire(self._handle(user, row["id"]), row["name"]) for row in rows]

    async def set(self, user: str, other: str, blocked: bool) -> None:
        """Block somebody, or no more."""
        async with self._lock:
            now = self.of(user) | {other} if blocked else self.of(user) - {other}
            if len(now) > MOST:
                raise Conflict(Said("many_blocked", f"you have blocked {MOST} people: unblock one first", MOST))
            await self._store.write(("UPDATE users SET muted = ? WHERE id = ?", (json.dumps(sorted(now)), user)))
            self._remember(user, now)

    async def undo(self, user: str, handle: str) -> None:
        """Unblock the person of a handle; raises `Missing`."""
        other = next((o for o in self.of(user) if hmac.compare_digest(self._handle(user, o), handle)), None)
        if other is None:
            raise Missing(Said("not_blocked", "you have blocked nobody of this handle"))
        await self.set(user, other, False)

    def _handle(self, user: str, other: str) -> str:
        return hmac.digest(self._secret, _TAG + f"{user}:{other}".encode(), hashlib.sha256).hex()[:32]

    def _remember(self, user: str, blocked: frozenset[str]) -> None:
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        self._known[user] = blocked
