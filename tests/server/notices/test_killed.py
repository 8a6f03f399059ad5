"""A service is killed amid notices: what nobody had taken yet is sent later, what was being sent is not sent again."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.server.notices.kit import ALL, Browser, PushService, days_game, settings
from tests.server.service import PATIENCE, Process


def test_a_killed_service_tells_what_it_had_not_begun_to_tell_and_nothing_twice(tmp_path: Path) -> None:
    push, browser, is_dead = PushService(), Browser(), threading.Event()

    def never(path: str) -> tuple[int, dict[str, str]]:
        is_dead.wait(PATIENCE)
        return 201, {}

    def serve() -> Process:
        return Process(tmp_path, "--push-allow", push.place, "--call-after", "0")

    try:
        push.answer = never
        with serve() as process:
            ada, bo = process.person("Ada"), process.person("Bo")
            push.subscribe(bo, browser)
            bo.post("/me/calls", settings(push=ALL))
            begun = days_game(ada, bo)
            assert browser.read(push.next().body)["tag"] == begun  # and nobody says whether it arrived
            waits = days_game(ada, bo)
            process.kill()
        is_dead.set()
        push.nothing_more()
        with serve() as process:
            assert browser.read(push.next().body)["tag"] == waits  # of two that wait the older would come first
            process.stop()
        push.nothing_more()
    finally:
        push.close()
