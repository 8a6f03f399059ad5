"""One work space a thread, for callers that keep none of their own."""

from __future__ import annotations

import threading

from branchline.mechanics.composed import Work

_local = threading.local()


def scratch() -> Work:
    """This thread's work space. Whatever a call left in it may be overwritten by the next."""
    try:
        work: Work = _local.work
    except AttributeError:
        work = _local.work = Work()
    return work
