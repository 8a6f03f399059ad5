"""The event loop's turns. Long work on it is cut into steps; between them everybody else has a turn.

This is the one place for it: who goes through many things uses `in_turns`, who computes for long uses `in_thread`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def yield_to_loop() -> None:
    """Let everybody else on the event loop have a turn."""
    await asyncio.sleep(0)


async def in_turns(things: Iterable[T], at_once: int = 1) -> AsyncIterator[T]:
    """The things, with a turn for everybody else after so many of them."""
    for number, thing in enumerate(things, 1):
        yield thing
        if number % at_once == 0:
            await asyncio.sleep(0)


async def in_thread(work: Callable[P, T], *args: P.args, **words: P.kwargs) -> T:
    """What takes milliseconds and touches nothing that others change."""
    return await asyncio.to_thread(work, *args, **words)
