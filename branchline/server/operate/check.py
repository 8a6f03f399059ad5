"""What is unsafe about a deployment, each with what to do: `branchline admin check`.

Every check is a function from what was found out (`Scene`) to findings, so that a test can lay out a scene.
"""

from __future__ import annotations

import ipaddress
import json
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from branchline.server.operate.deployment import Address, Deployment, is_running, last_backup, read_deployments
from branchline.server.store.contract import KeyRow, Store
from branchline.server.store.schema import MIGRATIONS

DAY: Final = 86400.0
OLD_KEY_DAYS: Final = 365
OLD_BACKUP_DAYS: Final = 3
LEAST_FREE: Final = 0.10  # of the disk
LEAST_FREE_BYTES: Final = 1 << 30
MOST_SKEW: Final = 2.0  # seconds between this machine's clock and the database's
LEAST_FILES: Final = 8192  # open at once: a socket is one
UNITS: Final = Path("/etc/systemd/system")
# The settings of a systemd unit without which a hole in the service is a hole in the machine.
HARDENING: Final = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectControlGroups": "yes",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
}
_YES: Final = frozenset({"yes", "true", "on", "1"})
_SHARED_DISKS: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "glusterfs", "ceph"})


@dataclass(frozen=True, slots=True)
class Finding:
    """Something an operator should know. What is not `unsafe` is advice, and does not fail the check."""

    what: str
    do: str
    unsafe: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the checks look at, read once."""

    folder: Path
    now: float  # this machine's time
    facts: Mapping[str, object]  # what the store says of itself
    keys: Sequence[KeyRow] = ()
    skew: float = 0.0  # the store's clock less this machine's
    database: Address | None = None
    deployments: Sequence[Deployment] = ()
    units: Sequence[Path] = ()
    backup: float | None = None
    packages: Mapping[str, str | None] = field(default_factory=dict)  # what is installed


async def look(store: Store, folder: Path, database: Address | None, units: Path = UNITS) -> Scene:
    """See how things stand, beside a running service."""
    before = time.time()
    theirs = await store.now()
    after = time.time()
    return Scene(
        folder=folder,
        now=after,
        facts=await store.facts(),
        keys=await store.keys(),
        skew=theirs - min(max(theirs, before), after),
        database=database,
        deployments=read_deployments(folder),
        units=sorted(units.glob("branchline*.service")) if units.is_dir() else [units] if units.is_file() else [],
        backup=last_backup(folder),
        packages={name: _installed(name) for name in locked_packages()},
    )


def findings(scene: Scene) -> list[Finding]:
    """All that is to be said, the unsafe first."""
    found = [finding for check in CHECKS for finding in check(scene)]
    return sorted(found, key=lambda finding: not finding.unsafe)


# ---------------------------------------------------------------- files and disk


def check_permissions(scene: Scene) -> Iterator[Finding]:
    folder = scene.folder
    if folder.is_dir() and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        mode = stat.S_IMODE(folder.stat().st_mode)
        yield Finding(
            f"other users of this machine can look into {folder} (mode {mode:o}): games and keys are in it",
            f"chmod 700 {folder}",
        )
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o022:
            yield Finding(f"other users of this machine can write to {path}", f"chmod 600 {path}")


def check_disk(scene: Scene) -> Iterator[Finding]:
    if not scene.folder.is_dir():
        return
    disk = shutil.disk_usage(scene.folder)
    if disk.free < LEAST_FREE_BYTES or disk.free < LEAST_FREE * disk.total:
        free = f"{disk.free / (1 << 30):.1f} GiB free of {disk.total / (1 << 30):.1f}"
        do = "make room, or `branchline admin purge --older-than 365`; a full disk stops every table"
        yield Finding(f"the disk of {scene.folder} is nearly full: {free}", do)


def check_shared_disk(scene: Scene) -> Iterator[Finding]:
    """SQLite's write-ahead log needs memory that all its readers share, which no network disk gives."""
    if scene.facts.get("store") == "sqlite" and (kind := file_system_of(scene.folder)) in _SHARED_DISKS:
        do = "keep it on a disk of this machine, or use --database postgresql://…"
        yield Finding(f"the database lies on a network disk ({kind}), where SQLite can lose what it wrote", do)


def check_backup(scene: Scene) -> Iterator[Finding]:
    tables = scene.facts.get("tables")
    if not (isinstance(tables, Mapping) and any(tables.values())):
        return
    if scene.backup is None:
        do = "`branchline admin backup FILE` every day (docs/operate.md); after one made otherwise: "
        yield Finding("there is no backup yet", do + f"touch {scene.folder / 'backed-up'}")
    elif scene.now - scene.backup > OLD_BACKUP_DAYS * DAY:
        days = int((scene.now - scene.backup) / DAY)
        yield Finding(f"the last backup is {days} days old", "see why the daily backup no longer runs")


# ---------------------------------------------------------------- how it is reached


def check_listening(scene: Scene) -> Iterator[Finding]:
    for each in scene.deployments:
        who = f"port {each.port}"
        public = not _is_loopback(each.host)
        if (public or each.origins or each.allowed_hosts) and not each.https:
            what = f"{who}: reached by plain http, so anybody on the way can take a player's seat"
            yield Finding(what, "put a proxy with TLS in front (docs/deploy/nginx.conf) and start it with --https")
        if public and not each.allowed_hosts:
            what = f"{who}: listens on {each.host} and answers to any host name"
            yield Finding(what, "--allowed-host your.address, or --host 127.0.0.1 behind a proxy of this machine")
        if public and each.https and not each.trusted_proxies:
            what = f"{who}: no proxy is trusted, so all visitors share one address and its limits"
            yield Finding(what, "--trusted-proxy with the proxy's address")
        yield from _all_trusted(who, each.trusted_proxies)


def _all_trusted(who: str, proxies: Sequence[str]) -> Iterator[Finding]:
    for proxy in proxies:
        if proxy == "*" or (_network(proxy) and _network(proxy).prefixlen == 0):  # type: ignore[union-attr]
            what = f"{who}: --trusted-proxy {proxy} believes any visitor what address they write down"
            yield Finding(what, "name the proxy's own address or network")


def check_process(scene: Scene) -> Iterator[Finding]:
    for each in scene.deployments:
        if not is_running(each):
            continue
        if each.user in ("root", "0"):
            do = "a system user of its own, as in docs/deploy/branchline.service"
            yield Finding(f"port {each.port}: runs as root", do)
        if 0 < each.files < LEAST_FILES:
            what = f"port {each.port}: may have {each.files} files open, and every player's socket is one"
            yield Finding(what, "LimitNOFILE=65536 in the unit, or ulimit -n 65536", unsafe=False)
        if each.log_level == "debug":
            yield Finding(f"port {each.port}: logs every detail (--log-level debug)", "--log-level info", unsafe=False)


def check_unit(scene: Scene) -> Iterator[Finding]:
    for path in scene.units:
        said = unit_settings(path.read_text(encoding="utf-8", errors="replace"))
        missing = [name for name, value in HARDENING.items() if not _is_set(said.get(name), value)]
        if said.get("User", "root") == "root" and said.get("DynamicUser") not in _YES:
            missing.insert(0, "User")
        if missing:
            do = "take them from docs/deploy/branchline.service, then systemctl daemon-reload"
            yield Finding(f"{path} lacks {', '.join(missing)}", do)


# ---------------------------------------------------------------- the store and what is around it


def check_schema(scene: Scene) -> Iterator[Finding]:
    schema, program = scene.facts.get("schema"), len(MIGRATIONS)
    if not isinstance(schema, int) or schema == program:
        return
    if schema < program:
        do = "restart the service with this version: it makes a backup and migrates"
        yield Finding(f"the database has schema {schema}, this program {program}", do)
    else:
        do = "upgrade this program too; see the way back in docs/operate.md"
        yield Finding(f"the database has schema {schema}, newer than this program's {program}", do)


def check_keys(scene: Scene) -> Iterator[Finding]:
    for purpose in sorted({key.purpose for key in scene.keys}):
        newest = max(key.created for key in scene.keys if key.purpose == purpose)
        if (days := (scene.now + scene.skew - newest) / DAY) > OLD_KEY_DAYS:
            what = f"the newest {purpose} key is {int(days)} days old"
            yield Finding(what, f"branchline admin rotate-keys {purpose}", unsafe=False)


def check_first_secret(scene: Scene) -> Iterator[Finding]:
    if (scene.folder / "secret").exists() and any(key.purpose == "cookie" for key in scene.keys):
        what = f"{scene.folder / 'secret'} is the key of version 0.1, and the store holds it by now"
        yield Finding(what, "delete it once you are sure that you will not go back", unsafe=False)


def check_postgresql(scene: Scene) -> Iterator[Finding]:
    if scene.facts.get("store") != "postgresql":
        return
    for name in ("fsync", "full_page_writes"):
        if scene.facts.get(f"postgres_{name}", "on") != "on":
            do = f"{name} = on in postgresql.conf, then reload; after a crash with it off, restore a backup"
            yield Finding(f"PostgreSQL runs with {name} off: a power cut can destroy all games", do)
    if scene.facts.get("postgres_synchronous_commit", "on") == "off":
        what = "PostgreSQL runs with synchronous_commit off: a crash loses moves that were acknowledged"
        yield Finding(what, "synchronous_commit = on in postgresql.conf, then reload")
    far = scene.database if scene.database and not _is_loopback(scene.database.host) else None
    if far and scene.facts.get("postgres_ssl") != "on":
        what = f"the connection to the database at {far.host} is not encrypted"
        yield Finding(what, "ssl = on in postgresql.conf and ?sslmode=verify-full in --database", unsafe=False)


def check_bus(scene: Scene) -> Iterator[Finding]:
    for bus in {each.bus for each in scene.deployments if each.bus}:
        if _is_loopback(bus.host):
            continue
        if not bus.password:
            what = f"Redis at {bus.host} asks for no password: who reaches it hears every table"
            yield Finding(what, "requirepass in redis.conf, and redis://:PASSWORD@… in --bus")
        if not bus.encrypted:
            what = f"the connection to Redis at {bus.host} is not encrypted"
            yield Finding(what, "rediss://, or a private network between the hosts", unsafe=False)


def check_mail(scene: Scene) -> Iterator[Finding]:
    for each in scene.deployments:
        missing = [
            option
            for option, there in (("--smtp", each.smtp), ("--mail-from", each.mail_from), ("--origin", each.origins))
            if not there
        ]
        if (each.smtp or each.mail_from) and missing:
            what = f"port {each.port}: mail is half set, and none is sent: {', '.join(missing)} missing"
            yield Finding(what, "set --smtp, --mail-from and --origin together, or none of the first two", unsafe=False)


def check_contact(scene: Scene) -> Iterator[Finding]:
    for each in scene.deployments:
        named = each.mail_from or each.allowed_hosts or any(name.startswith("https://") for name in each.origins)
        if each.https and _is_loopback(each.host) and not named:  # else the name is asked for above
            what = f"port {each.port}: push services are told nobody to turn to, and some take no messages then"
            yield Finding(
                what, "--allowed-host your.address, --origin https://your.address, or --mail-from", unsafe=False
            )


def check_clock(scene: Scene) -> Iterator[Finding]:
    if abs(scene.skew) > MOST_SKEW:
        what = f"this machine's clock and the database's differ by {abs(scene.skew):.1f} s"
        yield Finding(what, "run an NTP client on both (timedatectl set-ntp true)")


def check_packages(scene: Scene) -> Iterator[Finding]:
    locked = locked_packages()
    other = [f"{name} {have}" for name, have in scene.packages.items() if have not in (None, locked.get(name))]
    if other:
        do = "pip install --require-hashes -r requirements/serve.txt"
        yield Finding(f"packages we did not test with: {', '.join(other)}", do, unsafe=False)


def check_versions(scene: Scene) -> Iterator[Finding]:
    running = sorted({each.version for each in scene.deployments if is_running(each)})
    if len(running) > 1:
        what = f"processes of different versions run side by side: {', '.join(running)}"
        yield Finding(what, "restart the older ones", unsafe=False)


def check_attention(scene: Scene) -> Iterator[Finding]:
    for name, what, do in (
        ("broken", "games put aside", "branchline admin broken"),
        ("reports", "reports that nobody has settled", "branchline admin reports"),
    ):
        if count := scene.facts.get(name):
            yield Finding(f"{what}: {count}", do, unsafe=False)


CHECKS: Final[tuple[Callable[[Scene], Iterator[Finding]], ...]] = (
    check_permissions,
    check_disk,
    check_shared_disk,
    check_backup,
    check_listening,
    check_process,
    check_unit,
    check_schema,
    check_keys,
    check_first_secret,
    check_postgresql,
    check_bus,
    check_mail,
    check_contact,
    check_clock,
    check_packages,
    check_versions,
    check_attention,
)


# ---------------------------------------------------------------- helpers


def locked_packages() -> dict[str, str]:
    """The versions of requirements/serve.txt."""
    found = json.loads((Path(__file__).parent / "packages.json").read_text(encoding="utf-8"))
    return {str(name): str(number) for name, number in found.items()}


def unit_settings(text: str) -> dict[str, str]:
    """The settings of a systemd unit; of one that stands twice, the last."""
    return {name: value.strip() for name, value in re.findall(r"^([A-Za-z]+)=(.*)$", text, re.MULTILINE)}


def file_system_of(folder: Path) -> str:
    """The kind of disk a folder lies on, "" where nobody says."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    place = folder.resolve()
    fields = [line.split() for line in mounts.splitlines()]
    over = [(len(f[1]), f[2]) for f in fields if len(f) > 2 and place.is_relative_to(f[1].replace("\\040", " "))]
    return max(over)[1] if over else ""


def _is_set(said: str | None, wanted: str) -> bool:
    if said is None:
        return False
    if wanted == "yes":
        return said.lower() in _YES or said == "read-only"
    return set(wanted.split()) >= set(said.split()) if " " in wanted else said == wanted


def _is_loopback(host: str) -> bool:
    """This machine, by name, address or socket file."""
    if host in ("", "localhost"):
        return True
    network = _network(host.strip("[]"))
    return network is not None and network.is_loopback


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
