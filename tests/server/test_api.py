"""The interface from outside: its description, what it does with nonsense, limits, origins, headers, a bot's game."""

from __future__ import annotations

import html
import inspect
import json
import random
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import httpx
import msgspec
import pytest
import schemathesis
from fastapi import FastAPI, Request, Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Message
from websockets.exceptions import ConnectionClosed, InvalidStatus

from branchline import shipped_maps
from branchline.server import wire
from branchline.server.app import create_app
from branchline.server.service import ServeOptions
from branchline.server.store.shared import SharedStore
from branchline.server.tables.talk import PHRASES
from branchline.server.transport import after_api, calls_api, carry_api, guests_api, rehearsal, sockets, tables_api
from branchline.server.transport.bound_settings import BoundSettings, read_settings
from branchline.server.transport.connections import OUTBOX, Connection
from tests.server.service import LIMITS, ROOT, Json, Person, Process, Running, Stream, eventually, new_cid, seated

OPENAPI = create_app(ServeOptions(data=Path("nowhere"))).openapi()
SCHEMA = schemathesis.openapi.from_dict(OPENAPI)
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
DOC = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
BOUNDED = settings(
    deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck), max_examples=15
)


# ---------------------------------------------------------------- the description


@pytest.fixture(scope="module")
def running(on_either_store: Running) -> Running:
    return on_either_store


@pytest.fixture(scope="module")
def guest(running: Running) -> tuple[Person, list[str]]:
    """A guest with tables in each state, for requests that are made up."""
    ada = running.person("Ada")
    playing = ada.table("random", start=True)["id"]
    over = ada.table("random", start=True)["id"]
    ada.post(f"/tables/{over}/leave")
    eventually(lambda: ada.get(f"/tables/{over}")["state"] == "over")
    return ada, [ada.table("open")["id"], playing, over, "A" * 22]


@typing.cast(Any, SCHEMA.exclude(path_regex="/stream$").parametrize())  # type: ignore[untyped-decorator]
@BOUNDED
def test_whatever_is_asked_the_answer_is_as_described(
    case: Any, running: Running, guest: tuple[Person, list[str]]
) -> None:
    """Made-up requests, half of them about real tables: never a fault of ours, and a reason for every refusal."""
    person, tables = guest
    if "table_id" in case.path_parameters and crc32(repr(case.path_parameters).encode()) % 2:
        case.path_parameters["table_id"] = tables[len(repr(case.body)) % len(tables)]
    headers = {"authorization": f"Bearer {person.token}"}
    response = case.call(base_url=running.url, headers=headers)
    if case.method in ("GET", "POST"):
        case.validate_response(response, checks=list(CHECKS))
    assert response.status_code < 500
    if response.status_code >= 400:
        assert response.json()["reason"]


def test_the_description_is_complete_and_has_no_loose_ends() -> None:
    modules = (guests_api, carry_api, calls_api, tables_api, sockets, after_api)
    handlers = {name for module in modules for name, value in vars(module).items() if is_handler(value)}
    assert handlers == {operation["operationId"] for path in OPENAPI["paths"].values() for operation in path.values()}
    for path, methods in OPENAPI["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], path
            assert {"200", "400", "404", "429"} <= set(operation["responses"]), path
            assert ("requestBody" in operation) <= (method == "post")
    for ref in re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(OPENAPI)):
        assert ref in OPENAPI["components"]["schemas"], ref


def is_handler(value: object) -> bool:
    """Whether this answers requests, by what it takes and gives."""
    if not inspect.iscoroutinefunction(value) or value.__name__.startswith("_"):
        return False
    hints = typing.get_type_hints(value)
    return hints.get("return") is Response and hints.get("request") is Request


def test_the_description_is_served_and_can_be_read(running: Running) -> None:
    assert httpx.get(f"{running.url}/api/openapi.json").json()["info"]["title"] == "Branchline"
    page = httpx.get(f"{running.url}/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    for path in OPENAPI["paths"]:
        assert path in html.unescape(page.text)


# ---------------------------------------------------------------- the document


@pytest.mark.parametrize(
    "kind", [*typing.get_args(wire.FromServer), *typing.get_args(wire.ToServer)], ids=lambda kind: kind.__name__
)
def test_every_message_is_documented_with_its_fields(kind: type[wire.Wire]) -> None:
    side = "From the service" if kind in typing.get_args(wire.FromServer) else "To the service"
    part = re.search(rf"^### {side}$(.*?)(?=^##? |^### |\Z)", DOC, re.MULTILINE | re.DOTALL)
    assert part
    tag = kind.__struct_config__.tag
    section = re.search(rf"^#### `{tag}`$(.*?)(?=^#|\Z)", part[1], re.MULTILINE | re.DOTALL)
    assert section, f"docs/api.md says nothing of {tag}"
    for field in msgspec.structs.fields(kind):
        assert f"`{field.encode_name}`" in section[1], f"{tag}.{field.encode_name}"


def test_every_address_is_documented() -> None:
    for path, methods in OPENAPI["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in DOC
    for code in (sockets.NO_TABLE, sockets.PUT_ASIDE, sockets.TOO_FAST, sockets.TOO_SLOW, sockets.COME_BACK):
        assert str(code) in DOC


def test_the_bot_of_the_document_plays_a_whole_game(tmp_path: Path) -> None:
    """Against the service as it is, limits and all."""
    (code,) = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)
    assert len([line for line in code.splitlines() if line and not line.startswith("import")]) <= 10
    assert "http://127.0.0.1:8000" in code
    with Process(tmp_path) as process:
        here = code.replace("http://127.0.0.1:8000", process.url)
        done = subprocess.run(
            [sys.executable, "-c", f"import random; random.seed(4)\n{here}"],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == 2


# ---------------------------------------------------------------- nonsense on a socket

NUMBERS = st.one_of(st.integers(), st.floats(), st.just(10**400), st.just(-(2**63)))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=30))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)
TAGS = [kind.__struct_config__.tag for kind in (*typing.get_args(wire.ToServer), *typing.get_args(wire.FromServer))]
FIELDS = ["seq", "cid", "lines", "about", "phrase", "text", "agree", "t", "view"]


@st.composite
def wrong_messages(draw: st.DrawFn) -> str:
    """Something like a message: a known or unknown kind, with fields of any type."""
    fields = draw(st.dictionaries(st.sampled_from(FIELDS), TREES, max_size=5))
    return json.dumps({**fields, "t": draw(st.one_of(st.sampled_from(TAGS), LEAVES))})


@st.composite
def bent_moves(draw: st.DrawFn) -> Json:
    """A move that is nearly right; the test fills in what only the game knows."""
    bend = draw(st.sampled_from(["line", "line", "seq", "cid", "many", "theirs"]))
    return {"bend": bend, "at": draw(st.integers(0, 40)), "by": draw(st.text(min_size=1, max_size=5)), "t": "move"}


FRAMES = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    wrong_messages(),
    TREES.map(json.dumps),
    st.integers(1, 8000).map(lambda n: "[" * n + "]" * n),
    st.integers(1, 3000).map(lambda n: '{"t":' * n),
    st.sampled_from(['{"t":"ping","t":"move"}', '{"t":"ask","cid":"\\ud800","about":"x"}', "\x00", "{}", "null", ""]),
)


@pytest.fixture(scope="module")
def target(running: Running) -> Iterator[tuple[Stream, Stream]]:
    with seated(running, seed=2) as (_, (me, other)):
        assert other.move(other.offers[0], cid="theirs")["t"] == "ack"
        me.settled()
        yield me, other


def position(running: Running, table: str) -> tuple[int, bytes]:
    course = running.course(table)
    return course.seq, course.game.position.to_bytes()


@given(frame=FRAMES)
@settings(parent=BOUNDED, max_examples=250)
def test_no_frame_breaks_the_service_or_changes_the_game(
    running: Running, target: tuple[Stream, Stream], frame: str | bytes
) -> None:
    me, _ = target
    before = position(running, me.table["id"])
    try:
        me.send(frame)
        said = {message["t"] for message in me.settled()}
    except ConnectionClosed:
        pytest.fail(f"the stream was ended for {frame[:80]!r}")
    assert said <= {"trouble", "refused", "answer", "update", "chat", "pong"}
    assert position(running, me.table["id"]) == before


@given(bent=bent_moves())
@settings(parent=BOUNDED, max_examples=120)
def test_no_bent_move_is_played(running: Running, target: tuple[Stream, Stream], bent: Json) -> None:
    me, other = target
    before = position(running, me.table["id"])
    line = me.offers[bent["at"] % len(me.offers)]
    message: Json = {"t": "move", "seq": me.update["asked"], "cid": new_cid(), "lines": [line]}
    match bent["bend"]:
        case "line":
            cut = bent["at"] % len(line)
            message["lines"] = [line[:cut] + bent["by"] + line[cut:]]
        case "seq":
            message["seq"] += 1 + bent["at"]
        case "cid":
            message["cid"] = bent["by"] * 41
        case "many":
            message["lines"] = [line] * (2 + bent["at"])
        case "theirs":
            message |= {"cid": "theirs", "lines": ["keep " + bent["by"]]}
    if message["lines"][0].split() == line.split() and len(message["lines"]) == 1 and bent["bend"] == "line":
        return  # a blank more is the same line
    me.send(message)
    said = [m["t"] for m in me.settled()]
    assert set(said) <= {"refused", "trouble", "update"}
    assert {"refused", "trouble"} & set(said)
    assert position(running, me.table["id"]) == before
    assert other.settled() == []


def test_a_frame_of_many_bytes_ends_the_stream_and_nothing_else(running: Running) -> None:
    with seated(running) as (people, (me, other)):
        me.send("x" * 5000)
        assert "4096" in me.wait("trouble")["reason"]
        me.send("x" * 20000)
        assert me.closed() == 1009
        assert other.wait("table")["table"]["seats"][0]["connected"] is False
        with people[0].live(other.table["id"]) as back:
            back.begin()
            assert back.move(back.offers[0])["t"] == "ack"
    assert httpx.get(f"{running.url}/healthz").json()["ok"]


def test_a_client_id_used_for_a_bots_move_does_not_stop_the_bot(running: Running) -> None:
    """Ids a player may guess are the player's own: the bot that plays on for them has others."""
    with seated(running) as (people, (me, other)):
        table = me.table["id"]
        assert me.move(me.offers[0], cid="bot-1-0")["t"] == "ack"
        assert other.move(other.offers[0], cid="bot-1-1")["t"] == "ack"
        me.settled()
        seq = running.course(table).seq
        assert me.move("draw deck", cid=f"bot-0-{me.update['asked'] + 1}-{seq + 1}")["t"] == "ack"
        people[0].post(f"/tables/{table}/leave")
        eventually(lambda: any(entry.by == "proxy" for entry in running.log(table)))


def test_a_reader_too_slow_to_follow_is_cut_off() -> None:
    connection = Connection(None)
    for n in range(OUTBOX + 5):
        connection.send(str(n))
    assert connection.cut
    waiting = [connection.outbox.get_nowait() for _ in range(connection.outbox.qsize())]
    assert waiting[-1] is None
    assert len(waiting) == OUTBOX


# ---------------------------------------------------------------- words of strangers


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\u202eb", "a\x00b", "a\u200bb", "\u0300a", "a" + "\u0301" * 9])
def test_a_name_that_cannot_be_shown_is_refused(running: Running, name: str) -> None:
    ada = running.person("Ada")
    status, reason = ada.refused("/me", {"name": name})
    assert (status, reason.startswith("name: ")) == (400, True)
    assert ada.get("/me")["name"] == "Ada"


def test_a_name_is_text_and_never_part_of_a_page(running: Running) -> None:
    """It travels as JSON that no browser takes for a page; the page writes it as text."""
    ada = running.person("<img src=x>")
    reply = ada.http.get(f"/tables/{ada.table('open')['id']}")
    assert "<img src=x>" in reply.text
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_a_number_beyond_what_travels_is_refused_at_the_door(running: Running) -> None:
    """Between processes and in browsers whole numbers end at 53 and 64 bits: what is larger goes no further."""
    ada = running.person("Ada")
    table = ada.table("random", start=True)["id"]
    wish = {"do": "claim", "track": "x", "colour": "red", "extra": 10**21}
    reply = ada.http.post(f"/tables/{table}/plan", json={"turns": [[wish]]})
    assert reply.status_code == 400 and "a number is too large" in reply.text


def test_half_a_character_in_a_body_is_refused(running: Running) -> None:
    ada = running.person()
    for path, body in (("/me", '{"name":"\\ud800"}'), ("/tables", '{"map":"\\udfff","seats":[]}'), ("/me", b"\xff{}")):
        reply = ada.http.post(path, content=body)
        assert reply.status_code == 400, path
        assert reply.json()["reason"]


def test_what_is_said_is_cleaned_and_told_to_all(running: Running) -> None:
    with seated(running, watchers=1) as (_, (me, other, watcher)):
        me.send({"t": "say", "text": "  <b>hi</b>\u202e \x07there\n\nall e" + "\u0301" * 9})
        for stream in (me, other, watcher):
            chat = stream.wait("chat")["chat"]
            assert (chat["seat"], chat["text"]) == (0, "<b>hi</b> there all é\u0301\u0301")
        other.send({"t": "say", "phrase": "good_luck"})
        assert me.wait("chat")["chat"]["phrase"] == "good_luck"
        for wrong in (
            {"phrase": "hurry"},
            {"text": "x" * 201},
            {"text": "\u200b\n"},
            {"text": "a", "phrase": "hello"},
            {},
        ):
            me.send({"t": "say", **wrong})
            assert me.wait("trouble", "chat")["t"] == "trouble"
        with running.person().live(me.table["id"]) as late:
            assert [line["phrase"] for line in late.next()["chat"]] == [None, "good_luck"]


def test_among_strangers_there_are_phrases_only(running: Running) -> None:
    with seated(running, listed=True, seed=None) as (_, (me, other)):
        me.send({"t": "say", "text": "hello"})
        assert "phrases" in me.wait("trouble", "chat")["reason"]
        me.send({"t": "say", "phrase": random.Random(1).choice(sorted(PHRASES))})
        assert other.wait("chat")["chat"]["text"] is None


# ---------------------------------------------------------------- limits


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("limited"), limited=True) as up:
        yield up


def test_who_asks_too_fast_is_told_to_wait(limited: Running) -> None:
    ada = limited.person()
    replies = [ada.http.get("/bots") for _ in range(130)]
    refused = next(reply for reply in replies if reply.status_code != 200)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert "too many" in refused.json()["reason"]
    assert refused.headers["content-security-policy"]
    assert httpx.get(f"{limited.url}/healthz").status_code == 200
    assert limited.person().get("/bots")  # others are not held up


def test_made_up_tokens_do_not_make_anybody_faster(tmp_path: Path) -> None:
    bounds = read_settings(["requests.address=100/60"])
    with Running(tmp_path, bounds=bounds) as limited, httpx.Client(base_url=limited.url) as http:
        made_up = [{"authorization": f"Bearer {n}", "cookie": f"branchline_guest={n}"} for n in range(140)]
        statuses = [http.get("/api/bots", headers=headers).status_code for headers in made_up]
    assert 429 in statuses


def test_who_sends_too_many_messages_is_cut_off(limited: Running) -> None:
    ada = Person(limited.url, token=limited.service.guests.token("B" * 22))
    table = ada.table("open")["id"]
    with patch.multiple(sockets, **LIMITS), ada.live(table) as stream:
        for _ in range(int(LIMITS["BURST"]) - 10):
            stream.send({"t": "ping"})
        stream.settled()
        # The cut may come while we are still talking.
        with suppress(ConnectionClosed):
            for _ in range(100):
                stream.send({"t": "ping"})
        assert stream.closed() == 4429


def test_a_person_speaks_only_so_often(limited: Running) -> None:
    ada = Person(limited.url, token=limited.service.guests.token("C" * 22))
    with ada.live(ada.table("open")["id"]) as stream:
        stream.begin()
        for _ in range(8):
            stream.send({"t": "say", "phrase": "hello"})
        assert [message["t"] for message in stream.settled()] == ["chat"] * 5 + ["trouble"] * 3


def test_one_user_has_only_so_many_streams(limited: Running) -> None:
    ada = Person(limited.url, token=limited.service.guests.token("D" * 22))
    table = ada.table("open")["id"]
    streams = [ada.live(table) for _ in range(BoundSettings().streams.person or 0)]
    for stream in streams:
        stream.begin()
    assert ada.live(table).closed() == 4429
    assert ada.http.get(f"/tables/{table}/stream").status_code == 429
    for stream in streams:
        stream.socket.close()
    with ada.live(table) as again:
        again.begin()


def test_the_rehearsal_asks_every_route_and_nothing_comes_of_it(tmp_path: Path) -> None:
    """Before the door opens all routes have been asked; no guest, no table and no count is left of that."""
    asked: list[str] = []

    async def noting(app: FastAPI, method: str, path: str) -> None:
        asked.append(f"{method} {path}")
        await once(app, method, path)

    async def knocking() -> Message:
        asked.append("knock")
        return await knock()

    once, knock = rehearsal._ask, rehearsal._knock
    with (
        patch.object(rehearsal, "_ask", noting),
        patch.object(rehearsal, "_knock", knocking),
        Running(tmp_path) as running,
    ):
        described = running.person().http.get("/openapi.json").json()["paths"]
        left = running.run(running.service.store.facts())
    assert (left["users"], left["tables"]) == (0, {})
    assert len(asked) >= sum(len(methods) for methods in described.values()) > 25
    assert {"knock", *(f"GET /api/maps/{name}" for name in shipped_maps())} <= set(asked)


# ---------------------------------------------------------------- where requests come from


def test_a_request_from_another_site_is_refused(running: Running) -> None:
    ada = running.person()
    cookie = {"cookie": f"branchline_guest={ada.token}"}
    body = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "open"}]}
    for headers, status in (
        ({**cookie, "origin": "https://evil.example"}, 403),
        ({**cookie, "origin": "null"}, 403),
        (cookie, 403),
        ({**cookie, "origin": running.url}, 200),
        ({"authorization": f"Bearer {ada.token}"}, 200),
        ({"authorization": f"Bearer {ada.token}", "origin": "https://evil.example"}, 403),
    ):
        reply = httpx.post(f"{running.url}/api/tables", json=body, headers=headers)
        assert reply.status_code == status, headers
        assert status == 200 or reply.json()["reason"]


def test_a_socket_from_another_site_is_refused(running: Running) -> None:
    ada = running.person()
    table = ada.table("open")["id"]
    cookie = {"cookie": f"branchline_guest={ada.token}"}
    for headers in ({**cookie, "origin": "https://evil.example"}, cookie):
        with pytest.raises(InvalidStatus) as refused:
            Stream(running.url, table, headers=headers)
        assert refused.value.response.status_code == 403
    with Stream(running.url, table, headers={**cookie, "origin": running.url}) as stream:
        assert stream.next()["table"]["you"] == 0


def test_a_stranger_becomes_a_guest_with_a_cookie_that_scripts_cannot_read(running: Running) -> None:
    reply = httpx.get(f"{running.url}/api/me")
    cookie = reply.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=lax", "path=/"))
    again = httpx.get(f"{running.url}/api/me", cookies=dict(reply.cookies)).json()
    assert (again["id"], again["name"], again["token"]) == (reply.json()["id"], reply.json()["name"], None)
    assert "set-cookie" not in httpx.get(f"{running.url}/api/me", cookies=dict(reply.cookies)).headers


@pytest.mark.parametrize("lang", ["ro", "pt-BR", "en"])
def test_a_guest_sits_down_under_the_name_that_was_suggested(running: Running, lang: str) -> None:
    me = httpx.get(f"{running.url}/api/me", headers={"accept-language": lang}).json()
    ada = Person(running.url, token=me["token"])
    ada.http.headers["accept-language"] = lang
    assert ada.table("open")["seats"][0]["name"] == me["name"]
    assert ada.get("/me")["name"] == me["name"]


# ---------------------------------------------------------------- what every answer carries


@pytest.mark.parametrize("path", ["/", "/t/abc", "/api/maps", "/api/none", "/assets/none.js", "/healthz", "/api/docs"])
def test_every_answer_has_its_headers(running: Running, path: str) -> None:
    headers = httpx.get(running.url + path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-request-id"]


def test_health_is_that_of_the_store(running: Running) -> None:
    assert httpx.get(f"{running.url}/healthz").json()["ok"] is True
    store = running.service.store
    assert isinstance(store, SharedStore)
    writer = store._writer

    def told() -> bool:
        writer.trouble = "no space left"  # until the next commit, which may come at any moment
        sick = httpx.get(f"{running.url}/healthz")
        return (sick.status_code, sick.json()["trouble"]) == (503, "no space left")

    eventually(told)
    writer.trouble = ""


def test_the_service_counts_what_it_does(running: Running) -> None:
    before = counters(running)
    with seated(running) as (people, (me, other)):
        first = me.offers[0]
        assert me.move(first, cid="same")["t"] == "ack"
        assert me.move(first, cid="same")["t"] == "ack"
        assert me.move("pass")["t"] == "refused"
        assert me.move("pass", seq=99)["stale"]
        assert other.update
        during = counters(running)
        people[0].get("/bots")
    after = counters(running)

    def grown(name: str, of: dict[str, float] = during) -> float:
        return of.get(name, 0.0) - before.get(name, 0.0)

    assert grown('branchline_moves_total{by="player"}') == 1
    assert grown("branchline_moves_duplicate_total") == 1
    assert grown("branchline_moves_stale_total") == 1
    assert sum(grown(name) for name in during if name.startswith("branchline_moves_refused_total")) == 1
    assert during["branchline_sockets"] >= 2
    assert during["branchline_rooms"] >= 1
    assert grown("branchline_commit_seconds_count") >= 3
    assert grown('branchline_move_seconds_count{until="durable"}') == 1
    assert grown('branchline_http_requests_total{route="/api/bots",status="200"}', after) >= 1
    assert me.table["id"] not in httpx.get(f"{running.url}/metrics").text


def counters(running: Running) -> dict[str, float]:
    text = httpx.get(f"{running.url}/metrics").text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}
