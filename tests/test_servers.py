"""The servers of the tests come, go, keep what they must, and never outlive the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
import pytest

from tests.processes import eventually, family, lives
from tests.servers import Nginx, Postgres, Redis, balanced

ROOT = Path(__file__).parent.parent
ABANDON = """
import signal
from tests.servers import Redis
redis = Redis()
redis.__enter__()
print(redis.pid, redis.folder, flush=True)
signal.pause()
"""


def test_what_postgres_committed_outlives_its_kill(postgres: Postgres) -> None:
    url = postgres.fresh()
    with psycopg.connect(url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        connection.execute("CREATE TABLE kept (a int)")
    before, pids = postgres.cpu_seconds(), family(postgres.pid)
    postgres.kill()
    assert not any(map(lives, pids))
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    postgres.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    assert postgres.cpu_seconds() >= before > 0
    postgres.drop(url)


def test_a_fresh_database_is_empty_or_a_copy(postgres: Postgres) -> None:
    first = postgres.fresh()
    with psycopg.connect(first) as connection:
        connection.execute("CREATE TABLE kept (a int)")
    copy, empty = postgres.fresh(like=first.rsplit("/", 1)[1]), postgres.fresh()
    with psycopg.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    with psycopg.connect(empty) as connection, pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("SELECT count(*) FROM kept")
    for url in (first, copy, empty):
        postgres.drop(url)


def test_redis_comes_back_empty_on_the_same_port() -> None:
    with Redis() as redis:
        assert redis.ask("SET a 1") == b"+OK\r\n"
        redis.kill()
        assert redis.ask("PING") == b""
        redis.start()
        assert redis.ask("GET a") == b"$-1\r\n"
    assert not redis.folder.exists()


def test_a_frozen_server_goes_on_afterwards() -> None:
    with Redis() as redis:
        with redis.frozen():
            assert redis.ask("PING", seconds=0.1) == b""
        assert redis.answers()


def test_nginx_serves_the_site_it_was_given() -> None:
    with Nginx("server { listen @listen@; location / { return 200 'here'; } }") as nginx:
        assert urllib.request.urlopen(nginx.url).read() == b"here"
        nginx.write(balanced(9))
        nginx.restart()
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(nginx.url)
        refusal.value.close()
        assert refusal.value.code == 502


def test_no_server_outlives_tests_that_were_killed() -> None:
    program = [sys.executable, "-c", ABANDON]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    ) as run:
        assert run.stdout is not None
        pid, folder = run.stdout.readline().decode().split()
        assert lives(int(pid))
        run.send_signal(signal.SIGKILL)
    eventually(lambda: not lives(int(pid)))
    subprocess.run(["rm", "-rf", folder], check=True)
