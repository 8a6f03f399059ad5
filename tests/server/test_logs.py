"""Logs and counters: they tell how the service fares, and nothing of what a player holds."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from branchline.server.operate.logs import HIDDEN, configure, log, shortened
from branchline.server.operate.metrics import Metrics
from branchline.server.people.guests import new_user_id
from branchline.server.transport.asgi import Message, Receive, Scope, Send
from branchline.server.transport.request_log import RequestLog


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Where JSON logs go; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    out = io.StringIO()
    configure("info", stream=out)
    yield out
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def told(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


# ---------------------------------------------------------------- logs


def test_a_line_is_json(lines: io.StringIO) -> None:
    log().info("table.started", table="t1", players=3)
    log().debug("not told")
    logging.getLogger("uvicorn.error").warning("the port %s is taken", 80)
    first, second = told(lines)
    assert (first["event"], first["table"], first["players"], first["level"]) == ("table.started", "t1", 3, "info")
    assert first["timestamp"].endswith("Z")
    assert (second["event"], second["level"]) == ("the port 80 is taken", "warning")


def test_in_a_terminal_a_line_is_plain(lines: io.StringIO) -> None:
    out = io.StringIO()
    configure("info", stream=out, plain=True)
    log().info("table.started", table="t1", token="abc")
    assert "table.started" in out.getvalue()
    assert "table=t1" in out.getvalue()
    assert "abc" not in out.getvalue()
    assert not out.getvalue().startswith("{")


def test_no_secret_and_no_hand_is_written(lines: io.StringIO) -> None:
    log().info("x", token="hush", server_seed=b"hush", line="keep hush", headers={"Cookie": "hush", "host": "h"})
    log().info("y", view={"hand": "hush"}, game={"players": {"tickets": ["hush"]}}, body=b"hush", Hand="hush")
    assert "hush" not in lines.getvalue()
    assert told(lines)[0]["headers"] == {"Cookie": HIDDEN, "host": "h"}
    assert told(lines)[1]["body"] == "4 bytes"


@pytest.mark.parametrize("plain", [False, True])
def test_a_traceback_shows_no_variables(lines: io.StringIO, plain: bool) -> None:
    configure("info", stream=lines, plain=plain)

    def fails() -> None:
        hand = "hu" + "sh"
        raise KeyError(len(hand))

    for say in (log().exception, logging.getLogger("asyncio").exception):
        try:
            fails()
        except KeyError:
            say("crashed")
    assert lines.getvalue().count("KeyError") >= 2
    assert "hush" not in lines.getvalue()


@pytest.mark.parametrize("plain", [False, True])
def test_of_a_table_and_of_a_person_only_the_beginning_is_written(lines: io.StringIO, plain: bool) -> None:
    configure("info", stream=lines, plain=plain)
    for table in (new_user_id(), new_user_id(), "-" * 21 + "A"):
        before = len(lines.getvalue())
        log().info(f"table.started {table}", table=table, user=table, seats=(table,), more={"link": f"/t/{table}?x"})
        logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" [accepted]', "a", f"/api/tables/{table}/live")
        log().info("an object", of=SimpleNamespace(table=table))
        try:
            raise KeyError(f"first line\n{table} and then {table}.abc.{'x' * 42}Y")
        except KeyError:
            log().exception("crashed")
        written = lines.getvalue()[before:]
        assert table not in written
        assert written.count(table[:6]) >= 7
        assert "xxxxxxx" not in written


def test_words_that_are_no_ids_are_written_whole() -> None:
    words = "test_the_position_is_x of HANDLE_WEBSOCKET_UPGRA; 2026-11-16T01:02:03.456789Z; " + "ab" * 32
    assert shortened(words) == words


# ---------------------------------------------------------------- requests


def answered(metrics: Metrics, *headers: tuple[bytes, bytes], route: str | None = "/api/t/{id}") -> list[Message]:
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = SimpleNamespace(path=route) if route else None
        log().info("inside")
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "GET", "path": "/api/t/7", "query_string": b"token=hush"}
    asyncio.run(RequestLog(app, metrics)({**scope, "headers": list(headers)}, receive, send))
    return sent


def test_a_request_has_an_id_in_all_its_lines_and_in_its_answer(lines: io.StringIO) -> None:
    metrics = Metrics()
    (start,) = answered(metrics)
    given = dict(start["headers"])[b"x-request-id"].decode()
    inside, request = told(lines)
    assert inside["request"] == request["request"] == given
    assert (request["route"], request["status"], request["method"]) == ("/api/t/{id}", 404, "GET")
    assert "hush" not in lines.getvalue()
    assert b'branchline_http_requests_total{route="/api/t/{id}",status="404"} 1.0' in metrics.render()


@pytest.mark.parametrize(("given", "kept"), [(b"abc-1", True), (b"a" * 65, False), (b"a\nb", False), (b"\xff", False)])
def test_an_id_from_a_proxy_is_kept_if_it_is_one(lines: io.StringIO, given: bytes, kept: bool) -> None:
    (start,) = answered(Metrics(), (b"x-request-id", given))
    assert (dict(start["headers"])[b"x-request-id"] == given) == kept


def test_what_machines_ask_all_the_time_is_counted_and_not_logged(lines: io.StringIO) -> None:
    metrics = Metrics()
    answered(metrics, route="/metrics")
    answered(metrics, route=None)
    assert [line["event"] for line in told(lines)] == ["inside", "inside", "request"]
    assert b'route="/metrics"' in metrics.render()
    assert b'route="other"' in metrics.render()


# ---------------------------------------------------------------- counters


def test_moves_are_counted_and_timed() -> None:
    metrics = Metrics()
    received = time.perf_counter() - 0.015
    metrics.move("player", received)
    metrics.delivered(received)
    metrics.refusal("C-13")
    metrics.refusal("CAR-04")
    metrics.refusal("")
    metrics.refusal('x"} 1\nevil')
    metrics.duplicates.inc()
    metrics.stale.inc()
    metrics.sockets.inc()
    metrics.bot_seconds.labels("path").observe(0.2)
    text = metrics.render().decode()
    assert 'branchline_moves_total{by="player"} 1.0' in text
    assert 'branchline_moves_refused_total{clause="C-13"} 1.0' in text
    assert 'branchline_moves_refused_total{clause="CAR-04"} 1.0' in text
    assert 'branchline_moves_refused_total{clause="protocol"} 2.0' in text
    assert 'branchline_move_seconds_bucket{le="0.01",until="durable"} 0.0' in text
    assert 'branchline_move_seconds_count{until="delivered"} 1.0' in text
    assert "branchline_sockets 1.0" in text
    assert "branchline_sockets 0.0" in Metrics().render().decode()


def test_commits_of_a_store_are_timed() -> None:
    metrics, store = Metrics(), SimpleNamespace(on_commit=None, trouble="")
    metrics.watch_store(store)
    store.on_commit(0.01, 3)
    text = metrics.render().decode()
    assert "branchline_commit_seconds_count 1.0" in text
    assert "branchline_commit_writes_total 3.0" in text
    assert "branchline_store_failing 0.0" in text
    store.trouble = "the disk is full"
    assert "branchline_store_failing 1.0" in metrics.render().decode()


def test_work_bus_leases_and_bounds_are_told_by_kind() -> None:
    metrics = Metrics()
    metrics.watch_work("replay", lambda: 3, lambda: 1)
    metrics.bus.labels("sent").inc(2)
    metrics.leases.set(7)
    metrics.broken.set(1)
    metrics.bounded.labels("tables").inc()
    text = metrics.render().decode()
    assert 'branchline_work_waiting{kind="replay"} 3.0' in text
    assert 'branchline_work_running{kind="replay"} 1.0' in text
    assert 'branchline_bus_messages_total{what="sent"} 2.0' in text
    assert "branchline_leases 7.0" in text
    assert "branchline_broken_games 1.0" in text
    assert 'branchline_bounds_refused_total{kind="tables"} 1.0' in text


def test_a_late_loop_is_noticed() -> None:
    async def work() -> float:
        metrics = Metrics()

        def lag() -> float:
            (sample,) = next(iter(metrics.loop_lag.collect())).samples
            return sample.value

        task = asyncio.create_task(metrics.watch_loop(0.01))
        await asyncio.sleep(0)  # it has begun
        time.sleep(0.08)  # the loop is late
        async with asyncio.timeout(10):
            while not lag():
                await asyncio.sleep(0)
        task.cancel()
        return lag()

    assert 0.05 < asyncio.run(work()) < 2
