"""Under which names the service answers: a page that comes by another name is not ours to serve."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from branchline.server.transport.asgi import Scope, headers

_HOST: Final = re.compile(r"([a-z0-9_][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?")


class AllowedHosts:
    """The names the operator allows; with none given any will do."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(read_name(name) for name in names)

    def fault(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request cannot be answered, with the status that says so."""
        given = headers(scope, b"host")
        if not given:
            return 400, "the header Host is missing"
        name = host_name(given[0]) if len(given) == 1 else None
        if name is None:
            return 400, "the header Host is not the name of one host"
        if self._names and name not in self._names:
            return 421, "this service does not answer under this name; its operator allows names with --allowed-host"
        return None


def host_name(host: str) -> str | None:
    """The name in a header Host, without its port; None if there is none."""
    found = _HOST.fullmatch(host.lower())
    return found[1].rstrip(".") if found else None


def read_name(text: str) -> str:
    """A name from the command line; raises `ValueError`, which says what would be right."""
    found = _HOST.fullmatch(text.strip().lower())
    if found is None or found[2]:
        raise ValueError(f'"{text[:60]}" is no name of a host, like "trains.example" or "[fd00::7]"; it has no port')
    return found[1].rstrip(".")
