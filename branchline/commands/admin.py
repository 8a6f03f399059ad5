"""`branchline admin`: what an operator does to a service, beside it while it runs."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchline.server.store.contract import Store

EPILOG = (
    """PERSON is @ID as the lists show it, or /t/TABLE:SEAT for whoever sits there. The whole guide: docs/operate.md."""
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "--data", type=Path, default=Path("data"), metavar="DIR", help="the service's folder; default data"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=os.environ.get("BRANCHLINE_DATABASE") or None,
        help="its database, if it is not in the folder: postgresql://…; default BRANCHLINE_DATABASE",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_moderation(actions)
    _add_privacy(actions)
    _add_keeping(actions)
    _add_looking(actions)


def _add_moderation(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    reports = actions.add_parser("reports", help="what players reported; `reports settle N` when it is dealt with")
    reports.add_argument("--all", action="store_true", help="the settled ones too")
    reports.add_subparsers(dest="todo").add_parser("settle").add_argument("number", type=int, metavar="N")
    ban = actions.add_parser("ban", help="keep a person out")
    ban.add_argument("person", metavar="PERSON")
    ban.add_argument(
        "--reason", required=True, help="kept with the ban, for you and whoever looks after the service next"
    )
    actions.add_parser("unban", help="let them in again").add_argument("person", metavar="PERSON")


def _add_privacy(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    export = actions.add_parser("export", help="all that is kept about a person, as JSON")
    export.add_argument("person", metavar="PERSON")
    export.add_argument("--out", type=Path, required=True, metavar="FILE")
    erase = actions.add_parser("erase", help="take a person out of everything; their games stay, without a name")
    erase.add_argument("person", metavar="PERSON")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    ask = actions.add_parser("allow-mail", help="let an address be asked again that wanted no mail from here")
    ask.add_argument("address", metavar="ADDRESS")
    purge = actions.add_parser("purge", help="delete dropped tables and games that ended long ago")
    purge.add_argument("--older-than", type=float, required=True, metavar="DAYS")
    purge.add_argument("--dry-run", action="store_true", help="only say how many")


def _add_keeping(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    keys = actions.add_parser("rotate-keys", help="new secrets; old cookies are good for 30 days more")
    keys.add_argument("purpose", nargs="?", default="all", choices=["cookie", "deal", "handle", "mail", "push", "all"])
    keys.add_argument("--revoke", action="store_true", help="the old ones end now: guests become strangers")
    backup = actions.add_parser("backup", help="write all that is kept to a file")
    backup.add_argument("file", type=Path, metavar="FILE")
    restore = actions.add_parser("restore", help="read a backup into an empty store, of either kind")
    restore.add_argument("file", type=Path, metavar="FILE")


def _add_looking(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    broken = actions.add_parser("broken", help="games put aside, and why; `broken retry TABLE` puts one back in play")
    broken.add_subparsers(dest="todo").add_parser("retry").add_argument("table", metavar="TABLE")
    actions.add_parser("status", help="what runs, and what is kept")
    check = actions.add_parser("check", help="say what is unsafe about this deployment, and what to do")
    check.add_argument("--unit", type=Path, metavar="FILE", help="the systemd unit, if it is not where they are kept")


def run(args: argparse.Namespace) -> int:
    from branchline.server.operate.admin import AdminFailed
    from branchline.server.store.contract import BadStore, StoreFailed

    if args.action == "erase" and not args.yes and not _is_sure(args.person):
        print("nothing was changed")
        return 1
    try:
        return asyncio.run(_done(args))
    except (AdminFailed, BadStore, StoreFailed) as error:
        print(f"branchline admin: {error}", file=sys.stderr)
        return 2


def _is_sure(person: str) -> bool:
    print(f"Take {person} out of everything? It cannot be undone. Type yes:", end=" ", flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


async def _done(args: argparse.Namespace) -> int:
    from branchline.server.operate.backups import back_up, restore

    if args.action == "backup":
        print(await back_up(args.data, args.database, args.file))
        return 0
    if args.action == "restore":
        print(await restore(args.data, args.database, args.file))
        return 0
    return await _with_store(args, lambda store: _act(args, store))


async def _with_store(args: argparse.Namespace, act: Callable[[Store], Awaitable[int]]) -> int:
    from branchline.server.operate.backups import open_beside

    store = await open_beside(args.data, args.database)
    try:
        return await act(store)
    finally:
        await store.close()


async def _act(args: argparse.Namespace, store: Store) -> int:
    if args.action == "check":
        return await _check(args, store)
    print(await _said(args, store))
    return 0


async def _check(args: argparse.Namespace, store: Store) -> int:
    from branchline.server.operate.admin import told_findings
    from branchline.server.operate.check import UNITS, findings, look
    from branchline.server.operate.deployment import address_of

    found = findings(await look(store, args.data, address_of(args.database), args.unit or UNITS))
    print(told_findings(found))
    return int(any(finding.unsafe for finding in found))


async def _said(args: argparse.Namespace, store: Store) -> str:
    from branchline.server.operate import admin
    from branchline.server.people.keys import PURPOSES

    match args.action, getattr(args, "todo", None):
        case "reports", "settle":
            return await admin.settle_report(store, args.number)
        case "reports", _:
            return await admin.list_reports(store, settled=args.all)
        case "ban", _:
            return await admin.ban(store, args.person, args.reason)
        case "unban", _:
            return await admin.unban(store, args.person)
        case "export", _:
            return await admin.export(store, args.person, args.out)
        case "erase", _:
            return await admin.erase(store, args.person)
        case "allow-mail", _:
            return await admin.allow_mail(store, args.address)
        case "purge", _:
            return await admin.purge(store, args.older_than, dry_run=args.dry_run)
        case "rotate-keys", _:
            purposes = PURPOSES if args.purpose == "all" else (args.purpose,)
            return await admin.rotate_keys(store, purposes, revoke=args.revoke)
        case "broken", "retry":
            return await admin.retry_broken(store, args.table)
        case "broken", _:
            return await admin.list_broken(store)
        case _:
            return await admin.status(store, args.data)
