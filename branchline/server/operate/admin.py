"""What an operator does to a service, beside it while it runs: `branchline admin`.

Each function does one thing to the store and says in words what it did; `AdminFailed` says why it did nothing.
People are written `@ID` and tables `/t/ID`, as in their links: an id may begin with a dash, and would look like an
option.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from branchline.files import printable
from branchline.server.operate.check import Finding
from branchline.server.operate.deployment import is_running, last_backup, read_deployments, write_private
from branchline.server.people.keys import PURPOSES, RETIRED_SECONDS, Purpose, rotate
from branchline.server.people.mailboxes import address_digest
from branchline.server.store.contract import ReportLine, Store
from branchline.server.store.schema import MIGRATIONS
from branchline.version import __version__

DAY: Final = 86400.0
MOST_REPORTS: Final = 200
LONGEST_REASON: Final = 500
_TABLE: Final = re.compile(r"(?:.*/t/)?([A-Za-z0-9_-]{22})")
_STRANGERS: Final = ": every guest is a stranger to their games"
_SEAT: Final = re.compile(r"(.+):([0-9])")


class AdminFailed(Exception):
    """What was asked cannot be done, and why; nothing was changed."""


# ---------------------------------------------------------------- moderation


async def list_reports(store: Store, *, settled: bool = False) -> str:
    """What players reported, newest first: those that nobody has settled yet, or all."""
    found = await store.reports(MOST_REPORTS, settled)
    if not found:
        return "no reports" if settled else "no reports that nobody has settled"
    return "\n\n".join(_told_report(report) for report in found)


async def settle_report(store: Store, number: int) -> str:
    if not await store.settle(number):
        raise AdminFailed(f"there is no report {number}")
    return f"report {number} is settled"


async def ban(store: Store, who: str, reason: str) -> str:
    """Keep somebody out; the reason is for whoever looks after the service."""
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise AdminFailed(f"--reason: 1 to {LONGEST_REASON} letters")
    user = await find_user(store, who)
    if not await store.ban(user, reason.strip()):
        raise AdminFailed(f"nobody is @{user}")
    return f"@{user} is banned; running processes know it within some seconds"


async def unban(store: Store, who: str) -> str:
    user = await find_user(store, who)
    row = await store.user(user)
    if row is None or row.banned is None:
        raise AdminFailed(f"@{user} is not banned")
    await store.ban(user, None)
    return f"@{user} is banned no more"


# ---------------------------------------------------------------- privacy


async def export(store: Store, who: str, out: Path) -> str:
    """All that is kept about a person, as JSON, in a file that only its owner can read."""
    user = await find_user(store, who)
    kept = await store.export(user)
    if not any(kept.values()):
        raise AdminFailed(f"nothing is kept about @{user}")
    if out.exists():
        raise AdminFailed(f"{out} exists already")
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    try:
        write_private(out, text.encode())
    except OSError as error:
        raise AdminFailed(f"{out} cannot be written: {error.strerror}") from None
    return f"all that is kept about @{user} is in {out}"


async def erase(store: Store, who: str) -> str:
    """Take a person out of everything; their games stay for the others, without a name."""
    user = await find_user(store, who)
    if not await store.erase(user):
        raise AdminFailed(f"nothing is kept about @{user}")
    return f"@{user} is erased; backups made before still hold them"


async def allow_mail(store: Store, address: str) -> str:
    """Forget that whoever reads an address wanted no mail from here; it is kept as a digest alone."""
    if not await store.allow_mail(address_digest(address)):
        raise AdminFailed(f"{printable(address)} has not refused mail")
    return f"{printable(address)} can be asked again"


async def purge(store: Store, days: float, *, dry_run: bool = False) -> str:
    """Delete dropped tables, and games that ended so long ago."""
    if days < 0:
        raise AdminFailed(f"--older-than {days:g}: no less than 0 days")
    counts = await store.purge(await store.now() - days * DAY, dry_run=dry_run)
    listed = ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
    return f"would delete: {listed}" if dry_run else f"deleted: {listed}"


# ---------------------------------------------------------------- keys


async def rotate_keys(store: Store, purposes: Sequence[Purpose] = PURPOSES, *, revoke: bool = False) -> str:
    """New keys; what the old ones made is good for thirty days more, or with `revoke` no longer."""
    made = await rotate(store, purposes, revoke=revoke)
    return "\n".join(_told_rotation(key.purpose, revoke) for key in made)


def _told_rotation(purpose: str, revoke: bool) -> str:
    if purpose == "deal":
        return "deal: a new key; tables keep their promises and proofs"
    if revoke:
        return f"{purpose}: a new key; all that the old ones made ends now" + _STRANGERS * (purpose == "cookie")
    return f"{purpose}: a new key; what the old ones made is good for {RETIRED_SECONDS / DAY:.0f} days more"


# ---------------------------------------------------------------- games put aside


async def list_broken(store: Store) -> str:
    found = await store.broken()
    if not found:
        return "no game is put aside"
    return "\n".join(f"/t/{table}  {printable(reason)}" for table, reason in found)


async def retry_broken(store: Store, where: str) -> str:
    """Put a game back into play: it is loaded again when somebody looks at it."""
    table = table_id(where)
    if table not in dict(await store.broken()):
        raise AdminFailed(f"/t/{table} is not put aside")
    await store.put_aside(table, None)
    return f"/t/{table} is tried again when somebody opens it; if it breaks again, `branchline admin broken` says why"


# ---------------------------------------------------------------- how things stand


async def status(store: Store, folder: Path) -> str:
    """What runs here and what is kept, a line each."""
    facts = await store.facts()
    program = f"program    branchline {__version__}, schema {len(MIGRATIONS)}"
    lines = [program, *_told_store(facts), *_told_counts(facts)]
    lines += [_told_process(process) for process in _listed(facts.get("processes"))]
    for each in read_deployments(folder):
        runs = f"runs since {_when(each.started)}" if is_running(each) else "does not run"
        lines.append(f"here       {each.host}:{each.port}, version {each.version}, {runs}")
    made = last_backup(folder)
    return "\n".join([*lines, f"backup     {_when(made) if made else 'none yet'}"])


def told_findings(findings: Sequence[Finding]) -> str:
    """What `check` found, with what to do."""
    if not findings:
        return "nothing unsafe was found"
    return "\n".join(f"{'UNSAFE' if f.unsafe else 'advice'}  {f.what}\n        do: {f.do}" for f in findings)


# ---------------------------------------------------------------- people and tables as an operator writes them


async def find_user(store: Store, who: str) -> str:
    """The id of `@ID`, `ID`, or whoever sits at `/t/TABLE:SEAT`."""
    if match := _SEAT.fullmatch(who):
        return await _sitting(store, table_id(match[1]), int(match[2]))
    return who.removeprefix("@")


async def _sitting(store: Store, table: str, seat: int) -> str:
    stored = await store.read(table)
    if stored is None:
        raise AdminFailed(f"there is no table /t/{table}")
    user = next((chair.user for chair in stored.chairs if chair.seat == seat), None)
    if user is None:
        raise AdminFailed(f"nobody sits on seat {seat} of /t/{table}")
    return user


def table_id(where: str) -> str:
    """The id of a table, from its link or itself."""
    match = _TABLE.fullmatch(where)
    if match is None:
        raise AdminFailed(f"{printable(where)} is no table: /t/ID, as in its link")
    return match[1]


# ---------------------------------------------------------------- words


def _told_report(report: ReportLine) -> str:
    context = _mapping(_loaded(report.context))
    about = f"@{report.about_user}" if report.about_user else "nobody any more"
    named = f' "{printable(str(context["name"]))}"' if context.get("name") else ""
    lines = [
        f"report {report.id}{' (settled)' if report.settled else ''}, {_when(report.at)}: {printable(report.reason)}",
        f"  about  {about}{named}, seat {report.about_seat} of /t/{report.table}",
        f"  by     @{report.by_user}",
    ]
    if context.get("text"):
        lines.append(f"  text   {printable(str(context['text']))}")
    return "\n".join([*lines, *(f"  chat   {printable(_told_line(line))}" for line in context.get("chat") or [])])


def _told_line(line: object) -> str:
    said = _mapping(line)
    who = said.get("name") or said.get("seat") or "?"
    return f"{who}: {said.get('text') or said.get('phrase') or ''}" if said else str(line)


def _told_store(facts: Mapping[str, Any]) -> list[str]:
    size = f"{float(facts.get('bytes') or 0) / 1e6:.1f} MB"
    schema = f"schema {facts.get('schema')}, for programs of schema {facts.get('compatible')} or later"
    kind = " ".join(str(part) for part in (facts.get("store"), facts.get("postgres_server_version")) if part)
    return [f"store      {kind}, {size}, {schema}"]


def _told_counts(facts: Mapping[str, Any]) -> list[str]:
    tables = ", ".join(f"{count} {state}" for state, count in _mapping(facts.get("tables")).items()) or "none"
    people = f"{facts.get('users', 0)}, {facts.get('banned', 0)} of them banned"
    waiting = f"{facts.get('reports', 0)} reports to settle, {facts.get('broken', 0)} games put aside"
    return [f"tables     {tables}", f"people     {people}", f"waiting    {waiting}"]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: object) -> list[Mapping[str, Any]]:
    return [_mapping(each) for each in value] if isinstance(value, list) else []


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def _told_process(process: Mapping[str, Any]) -> str:
    where = f" at {process['address']}" if process.get("address") else ""
    return f"process    {process['id']}{where}, seen {process['seen']} s ago"
