"""More machines: the same jobs handed to Ray. Every machine needs Branchline, and bots from files at the same path."""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import Any

from branchline.arena.contest import Contest
from branchline.arena.playing import GameResult, Job, Means, play_job
from branchline.bots.warm import warm

LOCAL = "local"


class Cluster:
    """Workers on a Ray cluster: one at `address`, or one of our own on this machine."""

    def __init__(self, contest: Contest, means: Means, many: int, address: str) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError("Ray is not installed: pip install 'branchline[ray]'") from None
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if address == LOCAL:
            options |= {"num_cpus": many, "include_dashboard": False}
        else:
            options["address"] = address
        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own:
            ray.init(**options)
        self.many = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.put((contest, means))
        self._play = ray.remote(num_cpus=1, max_retries=2)(_play_there)

    def submit(self, job: Job) -> Future[list[GameResult]]:
        future: Future[list[GameResult]] = self._play.remote(self._task, job).future()
        return future

    def stop(self) -> None:
        if self._own:
            self._ray.shutdown()


def _play_there(task: tuple[Contest, Means], job: Job) -> list[GameResult]:
    contest, means = task
    warm()  # this may be a machine on which nothing was compiled yet
    return play_job(contest, means, job)
