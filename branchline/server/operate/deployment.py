"""How each process of the service on this machine was started, kept in its data folder for `branchline admin check`.

    serve at its start:   write_deployment(folder, Deployment(host="0.0.0.0", port=8000, https=True, …))
    admin check:          read_deployments(folder)

No password is in it: addresses of a database or a bus are kept without them, and what is said of them is whether
there is one.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import msgspec

from branchline.version import __version__

if os.name != "nt":
    import pwd
    import resource

MARK = "backed-up"  # a file of the data folder, touched after every backup


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, without its password."""

    url: str
    host: str  # "" is this machine, by a socket file
    password: bool
    encrypted: bool


def _own_user() -> str:
    """As whom this process runs."""
    with contextlib.suppress(OSError, KeyError):  # a container's user may have no name
        return getpass.getuser() if os.name == "nt" else pwd.getpwuid(os.geteuid()).pw_name
    return str(os.geteuid()) if os.name != "nt" else ""


def _most_files() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] if os.name != "nt" else 0


@dataclass(frozen=True, slots=True)
class Deployment:
    """What one process was told, and as whom it runs."""

    host: str
    port: int
    https: bool = False
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    database: Address | None = None  # None: SQLite in the data folder
    bus: Address | None = None
    smtp: Address | None = None
    mail_from: bool = False
    name: str = ""
    log_level: str = "info"
    version: str = __version__
    pid: int = field(default_factory=os.getpid)
    user: str = field(default_factory=_own_user)
    started: float = field(default_factory=time.time)
    files: int = field(default_factory=_most_files)  # that it may have open at once; each socket is one


def write_deployment(folder: Path, deployment: Deployment) -> None:
    """Keep it until the next start on the same port; only the service's own user can read it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(folder / f"serve-{deployment.port}.json", msgspec.json.format(msgspec.json.encode(deployment)))


def write_private(path: Path, text: bytes) -> None:
    """A file that its owner alone can read, there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_deployments(folder: Path) -> list[Deployment]:
    """Of every process that was started here; one that cannot be read is passed over."""
    found = []
    for path in sorted(folder.glob("serve-*.json")):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            found.append(msgspec.json.decode(path.read_bytes(), type=Deployment))
    return found


def is_running(deployment: Deployment) -> bool:
    try:
        os.kill(deployment.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def address_of(url: str | None) -> Address | None:
    """What may be written down of the address of a database or a bus."""
    if not url:
        return None
    parts = urlsplit(url)
    query = re.sub(r"(?i)(^|&)(password)=[^&]*", r"\1\2=…", parts.query)
    place = parts.netloc.rpartition("@")[2]
    who = f"{parts.username}@" if parts.username else ""
    secret = bool(parts.password) or query != parts.query
    encrypted = parts.scheme in ("rediss", "smtps") or bool(re.search(r"sslmode=(require|verify)", parts.query))
    host = re.search(r"(?:^|&)host=([^&]*)", parts.query)
    named = (host[1] if host else None) or parts.hostname or ""
    bare = urlunsplit((parts.scheme, who + place, parts.path, query, ""))
    return Address(bare, "" if parts.scheme == "unix" or named.startswith("/") else named, secret, encrypted)


def note_backup(folder: Path) -> None:
    """A backup was made just now."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()


def last_backup(folder: Path) -> float | None:
    """When the last backup was made, as far as anybody said so."""
    try:
        return (folder / MARK).stat().st_mtime
    except OSError:
        return None
