"""Fixtures and helpers all tests share."""

from __future__ import annotations

from tests.servers import postgres, postgres_of_worker, redis, redis_of_worker

__all__ = ["postgres", "postgres_of_worker", "redis", "redis_of_worker"]
