"""Bounds by person and by address. (The routes ask through these methods; each raises `TooMany`.)"""

from __future__ import annotations

from collections.abc import Callable


class Bounds:
    """What one person, and one address, may have and ask for."""

    def request(self, user: str | None, address: str) -> None:
        """One request more."""

    def new_guest(self, address: str) -> None: ...

    def new_table(self, user: str, address: str) -> None: ...

    def sit(self, user: str, address: str) -> None: ...

    def report(self, user: str, address: str) -> None: ...

    def say(self, user: str, address: str) -> None: ...

    def file(self, user: str, address: str) -> None: ...

    def stream(self, user: str | None, address: str, table_id: str) -> Callable[[], None]:
        """One open stream more; what to call when it ends."""
        return lambda: None
