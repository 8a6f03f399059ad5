"""The site of docs/deploy/nginx.conf, moved from the machine it is written for to ports and folders of a test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.servers import Nginx, free_port

ROOT = Path(__file__).parents[3]
CONFIGURATION = ROOT / "docs" / "deploy" / "nginx.conf"


class Site(Nginx):
    """nginx as the guide sets it up, with TLS, in front of services on these ports."""

    def __init__(self, *ports: int, changes: dict[str, str] | None = None) -> None:
        super().__init__("")
        self.plain_port = free_port()
        self.ports = ports
        self.changes = changes or {}

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def access_log(self) -> str:
        return (self.folder / "branchline.log").read_text(encoding="utf-8")

    @property
    def error_log(self) -> str:
        return (self.folder / "branchline.error.log").read_text(encoding="utf-8")

    def prepare(self) -> None:
        certificate(self.folder)
        for path in self.folder.glob("*.pem"):
            self._own(path)
        self.site = self._moved()
        super().prepare()

    def _moved(self) -> str:
        """Every place and port that a test cannot have; nothing else is changed."""
        text = CONFIGURATION.read_text(encoding="utf-8")
        for fails in ("max_fails=3 fail_timeout=5s", "max_fails=0"):
            servers = "".join(f"server 127.0.0.1:{port} {fails};\n" for port in self.ports)
            text, count = re.subn(rf"(    server 127\.0\.0\.1:\d+ {fails};\n)+", servers, text)
            assert count == 1, fails
        text = re.sub(r"    listen \[::\].*\n", "", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.plain_port};").replace(
            "listen 443", "listen @listen@"
        )
        text = text.replace("/etc/letsencrypt/live/play.example.org", str(self.folder))
        text = text.replace("/var/log/nginx", str(self.folder))
        for old, new in self.changes.items():
            assert old in text, old
            text = text.replace(old, new)
        return text


def certificate(folder: Path) -> None:
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=play.example.org",
    ]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)
