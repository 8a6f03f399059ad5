"""What a reader's tickets take and what would help them, as it crosses the wire: from a view alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from branchline.actions import KeepTickets
from branchline.graph.advice import Help, Network, Path
from branchline.server import wire
from branchline.view import View


def advice_of(view: View, seq: int) -> wire.Advice:
    """Advice on the position of this number."""
    network, me = Network(view), view.me
    todo = [ticket for ticket in me.tickets if network.trains(ticket) != 0]
    before = view.offered_tickets
    return wire.Advice(
        seq=seq,
        paths={ticket: _path(network.path(ticket)) for ticket in (*me.tickets, *before, *view.pack)},
        together=_path(network.together(todo)) if len(todo) > 1 else None,
        keeps=[wire.KeepWire(list(some), _path(network.together(some))) for some in _sets(before)],
        keep=_keep(view, network),
        helps=dict(_claims(view, network, todo)),
        loans=list(_loans(network, todo)),
    )


def _path(path: Path | None) -> wire.PathWire | None:
    if path is None:
        return None
    loans = [wire.LoanWire(loan.place, loan.track) for loan in path.loans]
    return wire.PathWire(list(path.tracks), loans, path.trains, path.cards)


def _sets(tickets: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every two and more of these."""
    for n in range(2, len(tickets) + 1):
        yield from combinations(tickets, n)


def _keep(view: View, network: Network) -> list[str] | None:
    keeps = [action.tickets for action in view.legal_actions() if isinstance(action, KeepTickets)]
    best = network.best_to_keep((some for some in keeps if some), view.me.trains)
    return None if best is None else list(best)


def _claims(view: View, network: Network, todo: Sequence[str]) -> Iterator[tuple[str, list[wire.HelpWire]]]:
    for track in network.open:
        helps = network.helps(track, todo)
        if helps:
            yield view.map.tracks[track].id, _helps(helps)


def _loans(network: Network, todo: Sequence[str]) -> Iterator[wire.LoanHelpWire]:
    for place in network.sites:
        found = network.one_more_loan(place, todo)
        if found is not None:
            yield wire.LoanHelpWire(found.place, found.track, _helps(found.helps))


def _helps(helps: Sequence[Help]) -> list[wire.HelpWire]:
    return [wire.HelpWire(help.ticket, help.before, help.after) for help in helps]
