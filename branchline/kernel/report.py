"""Events: what a move made happen, in order, for whoever listens."""

from __future__ import annotations

from branchline.kernel.primitives import kernel
from branchline.kernel.state import EVENT, EVENTS, Work


@kernel
def tell(w: Work, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Note an event; simulations do not listen and pay one comparison."""
    if w.listening and w.event_n < EVENTS:
        at = w.event_n * EVENT
        event = w.event
        event[at] = kind
        event[at + 1] = a
        event[at + 2] = b
        event[at + 3] = c
        event[at + 4] = d
        w.event_n += 1
