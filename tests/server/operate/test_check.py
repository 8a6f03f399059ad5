"""`branchline admin check`: what is unsafe is found, with what to do, and a sound deployment is not blamed."""

from __future__ import annotations

import dataclasses
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branchline.server.operate import check
from branchline.server.operate.check import CHECKS, HARDENING, Scene, findings, locked_packages, unit_settings
from branchline.server.operate.deployment import (
    Deployment,
    address_of,
    is_running,
    last_backup,
    note_backup,
    read_deployments,
    write_deployment,
)
from branchline.server.store.contract import KeyRow
from branchline.server.store.schema import MIGRATIONS

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "docs" / "deploy" / "branchline.service"
DAY = 86400.0

SOUND = Deployment(
    host="127.0.0.1",
    port=8000,
    https=True,
    allowed_hosts=("play.example.org",),
    trusted_proxies=("127.0.0.1",),
    user="branchline",
    files=65536,
)
FACTS = {"store": "sqlite", "schema": len(MIGRATIONS), "tables": {"playing": 3}}
POSTGRES = {**FACTS, "store": "postgresql", "postgres_fsync": "on", "postgres_full_page_writes": "on"}


@pytest.fixture
def sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A deployment as docs/operate.md makes it."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100 << 30, 50 << 30, 50 << 30))
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    now = time.time()
    keys = [KeyRow("1", purpose, b"", now - DAY, None, None) for purpose in ("cookie", "deal", "handle")]
    return Scene(
        folder=folder,
        now=now,
        facts=FACTS,
        keys=keys,
        deployments=[SOUND],
        units=[UNIT],
        backup=now - DAY,
        packages=dict(locked_packages()),
    )


def test_a_deployment_as_the_guide_makes_it_is_sound(sound: Scene) -> None:
    assert findings(sound) == []


def with_mode(scene: Scene, mode: int) -> Scene:
    scene.folder.chmod(mode)
    return scene


def with_writable_file(scene: Scene) -> Scene:
    (scene.folder / "branchline.sqlite3").touch()
    (scene.folder / "branchline.sqlite3").chmod(0o666)
    return scene


def serving(**options: Any) -> Callable[[Scene], Scene]:
    return lambda scene: dataclasses.replace(scene, deployments=[dataclasses.replace(SOUND, **options)])


def changed(**parts: Any) -> Callable[[Scene], Scene]:
    return lambda scene: dataclasses.replace(scene, **parts)


def with_unit(old: str, new: str) -> Callable[[Scene], Scene]:
    def change(scene: Scene) -> Scene:
        path = scene.folder.parent / "branchline.service"
        path.write_text(UNIT.read_text().replace(old, new))
        return dataclasses.replace(scene, units=[path])

    return change


DATABASE = address_of("postgresql://branchline@db.internal/games")
UNSAFE: dict[str, tuple[Callable[[Scene], Scene], str]] = {
    "open folder": (lambda scene: with_mode(scene, 0o755), "chmod 700"),
    "writable file": (with_writable_file, "chmod 600"),
    "no backup": (changed(backup=None), "admin backup"),
    "old backup": (changed(backup=time.time() - 10 * DAY), "10 days old"),
    "plain http to the world": (serving(host="0.0.0.0", https=False), "plain http"),
    "plain http behind a proxy": (serving(https=False), "--https"),
    "any host name": (serving(host="0.0.0.0", allowed_hosts=()), "--allowed-host"),
    "no trusted proxy": (serving(host="10.0.0.5", trusted_proxies=()), "--trusted-proxy"),
    "everybody trusted": (serving(trusted_proxies=("*",)), "name the proxy"),
    "every address trusted": (serving(trusted_proxies=("::/0",)), "name the proxy"),
    "root": (serving(user="root"), "system user"),
    "unit without hardening": (with_unit("NoNewPrivileges=yes\nCap", "Cap"), "lacks NoNewPrivileges"),
    "unit half hardened": (with_unit("ProtectSystem=strict", "ProtectSystem=no"), "lacks ProtectSystem"),
    "unit of root": (with_unit("User=branchline\n", ""), "lacks User"),
    "schema older": (changed(facts={**FACTS, "schema": 2}), "restart the service"),
    "schema newer": (changed(facts={**FACTS, "schema": 99}), "newer than this program"),
    "fsync off": (changed(facts={**POSTGRES, "postgres_fsync": "off"}), "fsync = on"),
    "torn pages": (changed(facts={**POSTGRES, "postgres_full_page_writes": "off"}), "full_page_writes = on"),
    "commits that wait": (changed(facts={**POSTGRES, "postgres_synchronous_commit": "off"}), "synchronous_commit = on"),
    "open redis": (serving(bus=address_of("rediss://10.1.2.3:6379/0")), "requirepass"),
    "clock behind": (changed(skew=-7.5), "differ by 7.5 s"),
}
ADVICE: dict[str, tuple[Callable[[Scene], Scene], str]] = {
    "few files": (serving(files=1024), "LimitNOFILE"),
    "debug": (serving(log_level="debug"), "--log-level info"),
    "old keys": (changed(keys=[KeyRow("1", "deal", b"", time.time() - 400 * DAY, None, None)]), "rotate-keys deal"),
    "database in the clear": (changed(facts=POSTGRES, database=DATABASE), "sslmode"),
    "redis in the clear": (serving(bus=address_of("redis://:secret@10.1.2.3/0")), "rediss://"),
    "half-set mail": (serving(smtp=address_of("smtps://ada:secret@mail.example.org")), "--mail-from"),
    "nobody to turn to": (serving(allowed_hosts=()), "--origin https://your.address"),
    "other packages": (changed(packages={"uvicorn": "0.1"}), "requirements/serve.txt"),
    "broken games": (changed(facts={**FACTS, "broken": 2}), "admin broken"),
    "reports": (changed(facts={**FACTS, "reports": 1}), "admin reports"),
    "two versions": (
        changed(deployments=[SOUND, dataclasses.replace(SOUND, port=8001, version="0.0.1")]),
        "restart the older",
    ),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_what_is_unsafe_is_said_with_what_to_do(name: str, sound: Scene) -> None:
    change, words = UNSAFE[name]
    found = findings(change(sound))
    assert len(found) == 1 and found[0].unsafe
    assert words in f"{found[0].what} {found[0].do}"


@pytest.mark.parametrize("name", ADVICE)
def test_what_could_be_better_is_advice_and_no_failure(name: str, sound: Scene) -> None:
    change, words = ADVICE[name]
    found = findings(change(sound))
    assert len(found) == 1 and not found[0].unsafe
    assert words in f"{found[0].what} {found[0].do}"


def test_a_disk_nearly_full_is_unsafe(sound: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100 << 30, 95 << 30, 5 << 30))
    assert ["nearly full" in finding.what for finding in findings(sound)] == [True]


def test_a_database_on_a_network_disk_is_unsafe(sound: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "file_system_of", lambda _: "nfs4")
    assert ["network disk" in finding.what for finding in findings(sound)] == [True]


def test_the_kind_of_a_disk_is_known() -> None:
    assert check.file_system_of(Path("/proc")) == "proc"


def test_every_check_finds_something_in_these_tests(sound: Scene) -> None:
    apart = {check.check_disk, check.check_shared_disk, check.check_first_secret}  # each has a test of its own
    idle = [each for each in CHECKS if each not in apart]
    for change, _ in [*UNSAFE.values(), *ADVICE.values()]:
        scene = change(sound)
        idle = [each for each in idle if not list(each(scene))]
        sound.folder.chmod(0o700)
    assert idle == []


def test_the_secret_of_the_first_version_is_pointed_out(sound: Scene) -> None:
    (sound.folder / "secret").write_bytes(bytes(32))
    (sound.folder / "secret").chmod(0o600)
    assert ["version 0.1" in finding.what for finding in findings(sound)] == [True]


def test_on_one_machine_without_visitors_plain_http_is_fine(sound: Scene) -> None:
    at_home = Deployment(host="127.0.0.1", port=8000, user="me", files=65536)
    assert findings(dataclasses.replace(sound, deployments=[at_home], units=[])) == []


def test_a_new_service_without_a_game_needs_no_backup_yet(sound: Scene) -> None:
    assert findings(dataclasses.replace(sound, facts={**FACTS, "tables": {}}, backup=None)) == []


def test_both_units_of_the_guide_have_all_that_is_looked_for() -> None:
    for path in UNIT.parent.glob("*.service"):
        said = unit_settings(path.read_text())
        assert set(HARDENING) <= set(said), path.name


# ---------------------------------------------------------------- what serve leaves for it


def test_what_serve_was_told_is_kept_for_its_own_user_and_read_back(tmp_path: Path) -> None:
    write_deployment(tmp_path, SOUND)
    write_deployment(tmp_path, dataclasses.replace(SOUND, port=8001, bus=address_of("redis://:secret@10.1.2.3/0")))
    assert [each.port for each in read_deployments(tmp_path)] == [8000, 8001]
    assert read_deployments(tmp_path)[0] == SOUND and is_running(SOUND)
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o077 == 0
        assert "secret" not in path.read_text()


def test_what_cannot_be_read_of_it_is_passed_over(tmp_path: Path) -> None:
    write_deployment(tmp_path, SOUND)
    (tmp_path / "serve-9.json").write_text("{")
    (tmp_path / "serve-10.json").write_text('{"port": "x"}')
    assert read_deployments(tmp_path) == [SOUND]


def test_a_process_that_ended_does_not_run(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    assert not is_running(dataclasses.replace(SOUND, pid=child))


@pytest.mark.parametrize(
    ("url", "host", "password", "encrypted"),
    [
        ("redis://127.0.0.1:6379/0", "127.0.0.1", False, False),
        ("rediss://:s3cret@bus.internal/0", "bus.internal", True, True),
        ("unix://:s3cret@/run/redis.sock", "", True, False),
        ("postgresql://me:s3cret@db.internal:5432/games", "db.internal", True, False),
        ("postgresql:///games?host=/run/postgresql", "", False, False),
        ("postgresql:///games?host=db.internal&password=s3cret&sslmode=require", "db.internal", True, True),
        ("redis://[2001:db8::1]:6379", "2001:db8::1", False, False),
    ],
)
def test_an_address_is_kept_without_its_password(url: str, host: str, password: bool, encrypted: bool) -> None:
    found = address_of(url)
    assert found is not None
    assert (found.host, found.password, found.encrypted) == (host, password, encrypted)
    assert "s3cret" not in found.url


def test_a_backup_made_otherwise_is_noted_by_a_touch(tmp_path: Path) -> None:
    assert last_backup(tmp_path) is None
    note_backup(tmp_path)
    assert time.time() - (last_backup(tmp_path) or 0) < 60
