"""`branchline serve`: the service and its page, on one folder of data."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for all; default 127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; default 8000")
    parser.add_argument(
        "--data", type=Path, default=Path("data"), metavar="DIR", help="folder of the games; default data"
    )
    # Their passwords need not stand on the command line, where everybody on the machine can read them.
    parser.add_argument(
        "--database",
        default=os.environ.get("BRANCHLINE_DATABASE", ""),
        metavar="URL",
        help="postgresql://…: for more than one process; default BRANCHLINE_DATABASE, or a file in DIR",
    )
    parser.add_argument(
        "--bus",
        default=os.environ.get("BRANCHLINE_BUS", ""),
        metavar="URL",
        help="redis://…: how processes talk; needed where there are several; default BRANCHLINE_BUS",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="believe what this proxy, or network, says of addresses; default loopback",
    )
    parser.add_argument(
        "--allowed-host", action="append", default=[], metavar="NAME", help="answer to this name alone; can be repeated"
    )
    parser.add_argument(
        "--open-days", type=float, default=2, metavar="D", help="close tables nobody started after this; default 2"
    )
    parser.add_argument(
        "--abandon-days", type=float, default=30, metavar="D", help="close games nobody came back to; default 30"
    )
    parser.add_argument(
        "--bound",
        action="append",
        default=[],
        metavar="KIND.WHO=N",
        help="another bound, as tables.address=500/60 or streams.person=none; can be repeated",
    )
    parser.add_argument(
        "--smtp",
        default=os.environ.get("BRANCHLINE_SMTP", ""),
        metavar="URL",
        help="send mail by smtp://USER:PASSWORD@HOST:PORT or smtps://…; default BRANCHLINE_SMTP, or no mail",
    )
    parser.add_argument(
        "--mail-from",
        default=os.environ.get("BRANCHLINE_MAIL_FROM", ""),
        metavar="ADDRESS",
        help="who mail comes from; needed with --smtp, as is --origin; default BRANCHLINE_MAIL_FROM",
    )
    parser.add_argument(
        "--call-after",
        type=float,
        default=10,
        metavar="S",
        help="seconds until somebody who does not look is told; default 10",
    )
    parser.add_argument(
        "--push-allow",
        action="append",
        default=[],
        metavar="HOST:PORT",
        help="for tests: a push service that need not be public",
    )
    parser.add_argument(
        "--origin", action="append", default=[], metavar="URL", help="another address of the page, behind a proxy"
    )
    parser.add_argument(
        "--https", action="store_true", help="the page is reached by https, through a proxy: safe cookies only"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes for quick bots, scores and histories; default 1",
    )
    parser.add_argument(
        "--thinkers",
        type=int,
        default=1,
        help="processes for bots that take their time; default 1",
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="SPEC",
        help="offer this bot too, FILE.py:CLASS; can be repeated",
    )
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FILE",
        help="offer this map too, a .json file or a folder of them; can be repeated; default BRANCHLINE_MAPS",
    )
    parser.add_argument(
        "--bot-seconds", type=float, default=1.0, metavar="S", help="what a bot may think about a move; default 1"
    )
    parser.add_argument(
        "--bot-pause", type=float, default=0.7, metavar="S", help="seconds between bots' moves; default 0.7"
    )
    voting = "seconds a player is away before the others may vote for a bot; default 60"
    parser.add_argument("--grace", type=float, default=60, metavar="S", help=voting)
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--log-level", default="info", choices=["debug", "info", "warning", "error"])


def run(args: argparse.Namespace) -> int:
    from branchline.server.app import create_app
    from branchline.server.operate.logs import configure
    from branchline.server.service import ServeOptions
    from branchline.server.store.contract import BadStore
    from branchline.server.transport.bound_settings import read_settings
    from branchline.server.transport.serving import make_server

    fault = _fault(args)
    if fault:
        print(f"branchline serve: {fault}", file=sys.stderr)
        return 2
    try:
        _try_store(args.database or args.data, args.data)
    except BadStore as error:
        print(f"branchline serve: {error}", file=sys.stderr)
        return 2
    configure(args.log_level)
    options = ServeOptions(
        data=args.data,
        address=f"{args.host}:{args.port}",
        database=args.database,
        bus=args.bus,
        proxies=tuple(args.trusted_proxy),
        hosts=tuple(args.allowed_host),
        open_days=args.open_days,
        abandon_days=args.abandon_days,
        bounds=read_settings(args.bound),
        bot_pause=args.bot_pause,
        grace=args.grace,
        workers=args.workers,
        thinkers=args.thinkers,
        bots=tuple(args.bot),
        bot_seconds=args.bot_seconds,
        warm=True,
        origins=frozenset(args.origin),
        secure=args.https,
        smtp=args.smtp,
        mail_from=args.mail_from,
        call_after=args.call_after,
        push_allow=tuple(args.push_allow),
    )
    if args.smtp and options.mailer() is None:
        print("branchline serve: no mail is sent: --smtp needs --mail-from and --origin", file=sys.stderr)
    _note_deployment(args)
    if args.open:
        _open_soon(f"http://{'127.0.0.1' if args.host == '0.0.0.0' else args.host}:{args.port}/")
    sys.setswitchinterval(0.001)  # a thread that computes gives the event loop its turn after a millisecond
    signal.signal(signal.SIGTERM, _quit)  # raised again by uvicorn once all is written
    app = create_app(options)

    def end_streams() -> None:  # of the service, which is there once the application has started
        app.state.service.end_streams()

    server = make_server(app, end_streams=end_streams, host=args.host, port=args.port)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else 3


def _note_deployment(args: argparse.Namespace) -> None:
    """For `branchline admin check`; a folder that cannot be written to is no reason not to start."""
    from branchline.server.operate.deployment import Deployment, address_of, write_deployment

    noted = Deployment(
        host=args.host,
        port=args.port,
        https=args.https,
        origins=tuple(args.origin),
        trusted_proxies=tuple(args.trusted_proxy),
        allowed_hosts=tuple(args.allowed_host),
        database=address_of(args.database),
        bus=address_of(args.bus),
        log_level=args.log_level,
        smtp=address_of(args.smtp),
        mail_from=bool(args.mail_from),
    )
    with contextlib.suppress(OSError):
        write_deployment(args.data, noted)


def _quit(*_: object) -> None:
    """Asked to end, and ended in good order."""
    raise SystemExit(0)


def _fault(args: argparse.Namespace) -> str:
    from branchline.bots import BadBot
    from branchline.maps import BadMap, known_maps, put_on_shelf
    from branchline.server.notices.mail import read_sender, read_server
    from branchline.server.tables.roster import Roster
    from branchline.server.transport.addresses import TrustedProxies
    from branchline.server.transport.bound_settings import read_settings
    from branchline.server.transport.hosts import AllowedHosts

    if not 0 <= args.port <= 65535:
        return f"--port {args.port}: 0 to 65535"
    if bool(args.bus) != bool(args.database):
        return "--database and --bus go together: several processes share a database and talk over a bus"
    for option, read, given in (("--smtp", read_server, args.smtp), ("--mail-from", read_sender, args.mail_from)):
        try:
            read(given) if given else None
        except ValueError as error:
            return f"{option}: {error}"
    if args.open_days <= 0 or args.abandon_days <= 0:
        return "--open-days and --abandon-days: more than 0"
    for option, count in (("--workers", args.workers), ("--thinkers", args.thinkers)):
        if not 1 <= count <= 64:
            return f"{option} {count}: 1 to 64"
    if not 0.05 <= args.bot_seconds <= 60:
        return f"--bot-seconds {args.bot_seconds:g}: 0.05 to 60"
    try:
        put_on_shelf(args.map) if args.map else known_maps()
        Roster(args.bot)
        TrustedProxies(args.trusted_proxy)
        AllowedHosts(args.allowed_host)
        read_settings(args.bound)
    except BadMap as error:
        return f"--map: {error}"
    except BadBot as error:
        return f"--bot: {error}"
    except ValueError as error:
        return str(error)
    if args.bot_pause < 0 or args.grace < 0 or args.call_after < 0:
        return "--bot-pause, --grace and --call-after: no less than 0 seconds"
    return ""


def _try_store(target: Path | str, backups: Path) -> None:
    """Say what is wrong with the store before anything else starts."""
    import asyncio

    from branchline.server.store.opening import open_store

    async def open_and_close() -> None:
        await (await open_store(target, backups=backups)).close()

    asyncio.run(open_and_close())


def _open_soon(address: str) -> None:
    """Open the browser once the service answers."""
    import threading
    import time
    import urllib.request
    import webbrowser

    def wait() -> None:
        for _ in range(100):
            try:
                urllib.request.urlopen(address + "healthz", timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                webbrowser.open(address)
                return

    if os.environ.get("DISPLAY") or sys.platform in ("darwin", "win32") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=wait, daemon=True).start()
    print(f"Branchline is at {address}")
