"""Fixtures and helpers all tests share."""

from __future__ import annotations

from branchline.extras import one_thread_for_sums
from tests.servers import postgres, postgres_of_worker, redis, redis_of_worker

__all__ = ["postgres", "postgres_of_worker", "redis", "redis_of_worker"]

one_thread_for_sums()  # what several processes find is what one finds
