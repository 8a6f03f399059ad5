"""`branchline admin` beside `branchline serve`: what it was told is looked at, what is changed it notices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from branchline.cli import main
from branchline.server.operate.deployment import is_running, read_deployments
from tests.server.operate.running import Serving


def test_what_serve_was_told_is_found_unsafe_while_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data"
    with Serving(folder, "--host", "0.0.0.0", "--trusted-proxy", "0.0.0.0/0") as serving:
        [noted] = read_deployments(folder)
        assert (noted.port, noted.host) == (serving.port, "0.0.0.0") and is_running(noted)
        assert main(["admin", "--data", str(folder), "check"]) == 1
        told = capsys.readouterr().out
        assert main(["admin", "--data", str(folder), "status"]) == 0
        assert f"0.0.0.0:{serving.port}" in capsys.readouterr().out
    for words in ("plain http", "--allowed-host", "name the proxy"):
        assert words in told
    assert not is_running(noted)


def test_the_folder_of_a_new_service_is_its_own_users_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with Serving(folder):
        loose = [path.name for path in (folder, *folder.iterdir()) if path.stat().st_mode & 0o077]
    assert loose == []


def test_bans_and_keys_reach_the_running_service(tmp_path: Path) -> None:
    """A guest outlives a new key, but neither a ban nor the end of the old key."""
    folder = tmp_path / "data"
    admin = ["admin", "--data", str(folder)]
    with Serving(folder) as serving, guest_of(serving) as (rude, who), guest_of(serving) as (guest, me):
        assert changes_itself(rude) == 200
        assert main([*admin, "ban", f"@{who}", "--reason", "insults at tables"]) == 0
        assert main([*admin, "rotate-keys", "cookie"]) == 0
        assert soon(rude, 403)
        assert guest.get("/api/me").json()["id"] == me
        assert main([*admin, "rotate-keys", "cookie", "--revoke"]) == 0
        assert soon(guest, 401)


@contextmanager
def guest_of(serving: Serving) -> Iterator[tuple[httpx.Client, str]]:
    """A guest of a service, and their id."""
    with httpx.Client(base_url=f"http://127.0.0.1:{serving.port}") as guest:
        me = guest.get("/api/me").json()
        guest.cookies.clear()
        guest.headers["authorization"] = f"Bearer {me['token']}"
        yield guest, me["id"]


def changes_itself(guest: httpx.Client) -> int:
    return guest.post("/api/me", json={"lang": "en"}).status_code


def soon(guest: httpx.Client, status: int) -> bool:
    """Whether the service comes to answer like this: what it has read it believes for some seconds."""
    end = time.monotonic() + 60
    while (answered := changes_itself(guest)) != status and time.monotonic() < end:
        time.sleep(0.2)
    return answered == status


GAME = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "passenger"}]}


def test_a_backup_made_under_way_is_restored_and_played_on(tmp_path: Path) -> None:
    folder, backup, new = tmp_path / "data", tmp_path / "a.backup", tmp_path / "new"
    with Serving(folder) as serving, guest_of(serving) as (guest, _):
        token = guest.headers["authorization"]
        table = guest.post("/api/tables", json={**GAME, "start": True}).json()
        assert main(["admin", "--data", str(folder), "backup", str(backup)]) == 0
    assert main(["admin", "--data", str(new), "restore", str(backup)]) == 0
    with Serving(new) as serving, guest_of(serving) as (guest, _):
        again = guest.get(f"/api/tables/{table['id']}", headers={"authorization": token}).json()
        assert (again["state"], again["you"]) == (table["state"], table["you"]) and table["state"] == "playing"
