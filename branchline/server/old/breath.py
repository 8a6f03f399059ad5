"""Long work on the event loop is cut into steps; between them everybody else has a turn."""

from __future__ import annotations

import asyncio


async def breath() -> None:
    """Let everybody else on the event loop have a turn."""
    await asyncio.sleep(0)
