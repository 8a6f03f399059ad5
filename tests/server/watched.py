"""`branchline serve`, and on a signal (SIGUSR1) a look for what only holds itself: the counts go to a file, by type.

It lets go of tables at once, says on quiet streams very often that they live, and lets tests ask as fast as they can.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Final

FOUND: Final = "garbage.json"


def garbage() -> Counter[str]:
    """What only holds itself, by type; it is gone afterwards."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    counts = Counter(_described(thing) for thing in gc.garbage)
    gc.set_debug(0)
    gc.garbage.clear()
    gc.collect()  # for good, this time
    return counts


def look(*_: object) -> None:
    counts = garbage()
    folder = Path(sys.argv[sys.argv.index("--data") + 1])
    (folder / "looking").write_text(json.dumps(counts), encoding="utf-8")
    os.replace(folder / "looking", folder / FOUND)


def _described(thing: object) -> str:
    kind = type(thing)
    name = getattr(thing, "__qualname__", "") or getattr(getattr(thing, "f_code", None), "co_qualname", "")
    return f"{kind.__module__}.{kind.__qualname__} {name}".strip()


def main() -> int:
    from branchline import cli
    from branchline.server import service
    from branchline.server.live import held
    from branchline.server.transport import sockets

    sockets.FRAMES_A_SECOND = sockets.BURST = 1_000_000  # type: ignore[misc]
    sockets.QUIET_SECONDS = 0.05  # type: ignore[misc]
    held.IDLE_SECONDS = 0.0  # type: ignore[misc]
    service.SWEEP_SECONDS = 0.2
    signal.signal(signal.SIGUSR1, look)
    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
