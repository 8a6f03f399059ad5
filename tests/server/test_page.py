"""The files of the page: which a browser may keep, and which it has to ask for each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from branchline.server.transport import page_files
from tests.server.service import Running

FILES = ("index.html", "sw.js", "site.webmanifest", "favicon.svg", "assets/index-abc.js", "boards/usa.json")


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page of six files."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(page_files, "FOLDER", tmp_path)
    page_files._files.cache_clear()
    yield
    page_files._files.cache_clear()


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/", "no-cache"),
        ("/t/abc", "no-cache"),
        ("/index.html", "no-cache"),
        ("/sw.js", "no-cache"),
        ("/site.webmanifest", "no-cache"),
        ("/favicon.svg", "public, max-age=3600"),
        ("/boards/usa.json", "public, max-age=3600"),
        ("/assets/index-abc.js", "public, max-age=31536000, immutable"),
    ],
)
def test_how_long_a_browser_may_keep_a_file(running: Running, path: str, kept: str) -> None:
    assert httpx.get(running.url + path).headers["cache-control"] == kept


@pytest.mark.usefixtures("built")
def test_the_service_worker_is_a_script_under_the_same_policy_and_makes_nobody_a_guest(running: Running) -> None:
    reply = httpx.get(f"{running.url}/sw.js")
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "script-src 'self';" in reply.headers["content-security-policy"]
    for path in ("/sw.js", "/index.html"):  # what a worker keeps
        assert "set-cookie" not in httpx.get(running.url + path).headers
    assert "set-cookie" in httpx.get(f"{running.url}/").headers
