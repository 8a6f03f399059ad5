"""Real servers for the tests: PostgreSQL, Redis and nginx, each on a free port in a temporary folder of its own.

None outlives the tests, however those end: beside every server stands a watcher that kills it once its tests are gone.
A worker of pytest-xdist has servers of its own, so that it may kill them.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self, TypeVar

import psycopg
import pytest

from tests.processes import cpu_of, dismiss, family, kill_all, send, watch

PATIENCE = 30.0  # seconds a server may take to start or stop
_S = TypeVar("_S", bound="Server")


class Server:
    """A server program: started, killed, started again on the same port and data, stopped, with its CPU time."""

    name = "server"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"branchline-{self.name}-"))
        self.port = free_port()
        self.log = self.folder / "log"
        self._user = _unprivileged(self.name)
        self._process: subprocess.Popen[bytes] | None = None
        self._watcher: subprocess.Popen[bytes] | None = None
        self._spent = 0.0  # by processes that are gone
        self.log.touch()
        self._own(self.folder)
        self._own(self.log)

    # ------------------------------------------------------------ what each of them says for itself
    @property
    def url(self) -> str:
        raise NotImplementedError

    def command(self) -> list[str]:
        raise NotImplementedError

    def prepare(self) -> None:
        """Before the first start."""

    def answers(self) -> bool:
        """Whether it does its work by now."""
        raise NotImplementedError

    # ------------------------------------------------------------ its life
    def __enter__(self) -> Self:
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.close(keep=True)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(keep=kind is not None)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} does not run"
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers."""
        assert not self.running, f"{self.name} runs already"
        with self.log.open("ab") as log:
            self._process = self._launch(self.command(), log)
        self._watcher = watch(self.pid)
        end = time.monotonic() + PATIENCE
        while not self.answers():
            if not self.running or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start:\n{self.log_tail()}")
            time.sleep(0.01)

    def kill(self) -> None:
        """End it and all its processes as a crash would, without a word."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end in good order."""
        self._end(signal.SIGTERM)

    def restart(self) -> None:
        self.stop()
        self.start()

    def close(self, keep: bool = False) -> None:
        """End it for good; its folder goes too, unless somebody wants to read its log."""
        self.stop()
        if keep:
            print(f"{self.name}: log kept at {self.log}\n{self.log_tail()}", file=sys.stderr)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """All its processes stand still for a while."""
        pids = family(self.pid)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def cpu_seconds(self) -> float:
        """CPU time of all its processes since the first start, those that ended included."""
        return self._spent + (cpu_of(family(self.pid)) if self.running else 0.0)

    def log_tail(self, lines: int = 20) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    def _end(self, sign: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            pids = family(process.pid)
            self._spent += cpu_of(pids)
            send(process.pid, sign)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            kill_all(pids)
        process.wait()
        if self._watcher is not None:
            dismiss(self._watcher)

    def _launch(self, command: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # ctrl-C is for the tests
            user=self._user and self._user.pw_uid,
            group=self._user and self._user.pw_gid,
            extra_groups=self._user and [],
        )

    def _own(self, path: Path) -> None:
        if self._user is not None:
            os.chown(path, self._user.pw_uid, self._user.pw_gid)


class Postgres(Server):
    """PostgreSQL as an operator runs it: what is committed is on the disk. `fresh` gives an empty database."""

    name = "postgres"

    def __init__(self, **settings: str | int) -> None:
        super().__init__()
        self.settings = {"fsync": "on", "max_connections": 60, "shared_buffers": "32MB", **settings}
        self._made = 0

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def prepare(self) -> None:
        command = [_postgres("initdb"), "-D", str(self.folder / "data"), "--username=postgres", "--auth=trust"]
        quick = ["--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        with self.log.open("ab") as log:
            if self._launch(command + quick, log).wait():
                raise RuntimeError(f"initdb failed:\n{self.log_tail()}")

    def command(self) -> list[str]:
        ours = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder)}
        options = [part for name, value in {**ours, **self.settings}.items() for part in ("-c", f"{name}={value}")]
        return [_postgres("postgres"), "-D", str(self.folder / "data"), *options]

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        self._end(signal.SIGINT)  # "fast": without waiting for clients to leave

    def fresh(self, like: str = "template0") -> str:
        """The URL of a new database: empty, or a copy of another that nobody uses now."""
        self._made += 1
        name = f"fresh_{self._made}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return self.url_of(name)

    def drop(self, url: str) -> None:
        """Delete a database, whoever is connected to it."""
        self.execute(f"DROP DATABASE IF EXISTS {url.rsplit('/', 1)[-1]} WITH (FORCE)")

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql.encode())


class Redis(Server):
    """Redis, in memory alone: killed, it comes up empty. `tls`: a folder with `ca.crt`, `server.crt`, `server.key`."""

    name = "redis"

    def __init__(self, password: str = "", tls: Path | None = None) -> None:
        super().__init__()
        self.password = password
        self.tls = tls
        self.tls_port = free_port()

    @property
    def url(self) -> str:
        return f"redis://{f':{self.password}@' if self.password else ''}127.0.0.1:{self.port}/0"

    @property
    def unix_url(self) -> str:
        return f"unix://{f':{self.password}@' if self.password else ''}{self.folder / 'socket'}"

    @property
    def tls_url(self) -> str:
        return f"rediss://localhost:{self.tls_port}?ssl_ca_certs={self.tls}/ca.crt"

    def command(self) -> list[str]:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self.folder}
        more = {"unixsocket": self.folder / "socket", **({"requirepass": self.password} if self.password else {})}
        all_options = {**options, **more, **self._tls_options()}
        return [_program("redis-server"), *(part for k, v in all_options.items() for part in (f"--{k}", str(v)))]

    def _tls_options(self) -> dict[str, object]:
        if self.tls is None:
            return {}
        files = {f"tls-{kind}-file": self.tls / f"server.{end}" for kind, end in (("cert", "crt"), ("key", "key"))}
        return {"tls-port": self.tls_port, "tls-auth-clients": "no", "tls-ca-cert-file": self.tls / "ca.crt", **files}

    def answers(self) -> bool:
        return self.ask("PING").startswith((b"+PONG", b"-NOAUTH"))

    def ask(self, line: str, seconds: float = 2.0) -> bytes:
        """What it answers to a line, in its own protocol; nothing if it is not there."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), seconds) as connection:
                connection.sendall(line.encode() + b"\r\n")
                return connection.recv(4096)
        except OSError:
            return b""


class Nginx(Server):
    """nginx with a site as one writes it into a `sites-enabled` file; "@listen@" in it is its address."""

    name = "nginx"

    def __init__(self, site: str) -> None:
        super().__init__()
        self.site = site

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        (self.folder / "temporary").mkdir()
        self._own(self.folder / "temporary")
        self.write()

    def write(self, site: str | None = None) -> None:
        """Write the configuration down; `reload` or a start reads it."""
        self.site = self.site if site is None else site
        site = self.site.replace("@listen@", f"127.0.0.1:{self.port}")
        (self.folder / "nginx.conf").write_text(_NGINX % (self.folder, self.folder, _temporary(), site))

    def reload(self) -> None:
        send(self.pid, signal.SIGHUP)

    def command(self) -> list[str]:
        return [_program("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", str(self.log)]

    def answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 2):
            return True
        return False


_NGINX = """daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid %s/pid;
events { worker_connections 16000; }
http {
    access_log %s/access.log;
    %s
    %s
}
"""


def _temporary() -> str:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path temporary/{kind};" for kind in kinds)


def balanced(*ports: int) -> str:
    """A plain site in front of several processes of the service, sockets included: no process is ever left alone."""
    upstream = " ".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports)
    return f"""
    map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
    upstream service {{ {upstream} keepalive 64; }}
    server {{
        listen @listen@ backlog=4096;
        location / {{
            proxy_pass http://service;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_connect_timeout 2s;
            proxy_read_timeout 120s;
        }}
    }}"""


# ---------------------------------------------------------------- fixtures


@pytest.fixture
def postgres(postgres_of_worker: Postgres) -> Postgres:
    """It runs, also if the test before killed it."""
    return _running(postgres_of_worker)


@pytest.fixture
def redis(redis_of_worker: Redis) -> Redis:
    """It runs, also if the test before killed it."""
    return _running(redis_of_worker)


@pytest.fixture(scope="session")
def postgres_of_worker(request: pytest.FixtureRequest) -> Iterator[Postgres]:
    yield from _for_session(Postgres(), request)


@pytest.fixture(scope="session")
def redis_of_worker(request: pytest.FixtureRequest) -> Iterator[Redis]:
    yield from _for_session(Redis(), request)


def _for_session(server: _S, request: pytest.FixtureRequest) -> Iterator[_S]:
    with server:
        yield server
        server.close(keep=bool(request.session.testsfailed))


def _running(server: _S) -> _S:
    if not server.running:
        server.start()
    return server


# ---------------------------------------------------------------- programs, ports, users


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    assert found, f"{name} is not installed: tests/tools/servers installs it"
    return found


def _postgres(name: str) -> str:
    """A program of PostgreSQL; Debian keeps them by version and out of the way."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return str(found[-1]) if found else _program(name)


def free_port() -> int:
    """A port nobody listens on, and that no outgoing connection is given while its server is down.

    Such a connection would keep the server from coming back, and a client that tries again and again to reach a dead
    server can even be connected to itself.
    """
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    outside = [*range(10_000, low), *range(high + 1, 65_000)] or list(range(10_000, 65_000))
    while True:
        port: int = random.SystemRandom().choice(outside)
        if _is_free(port):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) != 0


def _unprivileged(name: str) -> pwd.struct_passwd | None:
    """Whom a server runs as when the tests are root's: PostgreSQL refuses root, and the others need not be it."""
    if os.geteuid() != 0:
        return None
    with contextlib.suppress(KeyError):
        return pwd.getpwnam(name)
    return pwd.getpwnam("nobody")
