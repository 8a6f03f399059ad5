"""What the routes work with. Each accessor gives one part of the service; a route asks for those it needs."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from branchline.server.live.all_tables import Tables
from branchline.server.notices.book import CallBook
from branchline.server.operate.metrics import Metrics
from branchline.server.people.carries import Carries
from branchline.server.people.guests import Guests
from branchline.server.people.people import People
from branchline.server.store.contract import Store
from branchline.server.tables.promises import Promises
from branchline.server.tables.roster import Roster
from branchline.server.thinking.reviewing import Reviewing
from branchline.server.thinking.thinking import Thinking
from branchline.server.transport.bounds import Bounds


def tables_of(request: HTTPConnection) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def people_of(request: HTTPConnection) -> People:
    people: People = request.app.state.people
    return people


def calls_of(request: HTTPConnection) -> CallBook:
    calls: CallBook = request.app.state.calls
    return calls


def carries_of(request: HTTPConnection) -> Carries:
    carries: Carries = request.app.state.carries
    return carries


def guests_of(request: HTTPConnection) -> Guests:
    guests: Guests = request.app.state.guests
    return guests


def promises_of(request: HTTPConnection) -> Promises:
    promises: Promises = request.app.state.promises
    return promises


def roster_of(request: HTTPConnection) -> Roster:
    roster: Roster = request.app.state.roster
    return roster


def reviewing_of(request: HTTPConnection) -> Reviewing:
    reviewing: Reviewing = request.app.state.reviewing
    return reviewing


def thinking_of(request: HTTPConnection) -> Thinking:
    thinking: Thinking = request.app.state.thinking
    return thinking


def store_of(request: HTTPConnection) -> Store:
    store: Store = request.app.state.store
    return store


def bounds_of(request: HTTPConnection) -> Bounds:
    bounds: Bounds = request.app.state.bounds
    return bounds


def metrics_of(request: HTTPConnection) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


def is_secure(request: HTTPConnection) -> bool:
    """Whether cookies are for https alone."""
    return bool(request.app.state.secure)


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""
