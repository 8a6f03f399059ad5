"""Which bus an operator chose."""

from __future__ import annotations

from branchline.server.bus.contract import Bus
from branchline.server.bus.local import LocalBus
from branchline.server.bus.redis import RedisBus


def bus_at(url: str, me: str, prefix: str = "branchline") -> Bus:
    """The bus at an address, not open yet; without an address, that of a process alone. Raises `BadBus`."""
    return RedisBus(url, me, prefix) if url else LocalBus(me)
