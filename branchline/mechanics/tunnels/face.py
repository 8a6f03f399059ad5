"""Tunnels: tracks whose price is known only when one tries (EUR-12 .. EUR-15). What is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from branchline.base import actions as a
from branchline.base.events import Payment, Public
from branchline.faces import Face, Notes, Teller, bare
from branchline.kernel.state import LOCO
from branchline.maps.model import CARDS
from branchline.mechanics.tunnels.state import DECLINE, E_DUE, E_FAILED, E_TUNNEL, E_TURNED, TUNNEL
from branchline.objections import Case, Objection, explains

# ---------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Decline:
    """Do not pay the tunnel's extra cards (EUR-13)."""


Action: TypeAlias = Decline


_MOVES = (bare(Decline(), "decline", DECLINE),)

# ---------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class TunnelTried(Payment):
    """Cards laid down for a tunnel, seen by all (EUR-12, I-02)."""

    seat: a.Seat
    track: str
    colour: str
    cards: int
    locos: int


@dataclass(frozen=True, slots=True)
class TunnelCardsTurned(Public):
    """The cards turned up for a tunnel and what they cost (EUR-12, EUR-15)."""

    seat: a.Seat
    cards: tuple[str, ...]
    extra: int


@dataclass(frozen=True, slots=True)
class TunnelFailed(Public):
    seat: a.Seat
    track: str


Event: TypeAlias = TunnelTried | TunnelCardsTurned | TunnelFailed


def _tried(notes: Notes, seat: int, t: int, colour: int, locos: int) -> TunnelTried:
    track = notes.data.tracks[t]
    return TunnelTried(seat, track.id, CARDS[colour], track.length - locos, locos)


_EVENTS: dict[int, Teller] = {
    E_TUNNEL: _tried,
    E_TURNED: lambda notes, card, *_: notes.hold(E_TURNED, CARDS[card]),
    E_DUE: lambda notes, seat, extra, *_: TunnelCardsTurned(seat, notes.held(E_TURNED), extra),
    E_FAILED: lambda notes, seat, track, *_: TunnelFailed(seat, notes.names.tracks[track]),
}

# ---------------------------------------------------------------- refusals


@dataclass(frozen=True, slots=True)
class TunnelPrice:
    extra: int
    count: int  # the locomotives offered for it


@dataclass(frozen=True, slots=True)
class TunnelByLocomotives:
    """Attempted with locomotives alone, paid with locomotives alone."""

    extra: int


@dataclass(frozen=True, slots=True)
class NoTunnel:
    pass


@explains(a.PlayLocos)
def _locomotives(case: Case, action: a.PlayLocos) -> Objection | None:
    if case.s.phase != TUNNEL:
        return None
    if case.s.claim_colour == LOCO:
        return "EUR-15", TunnelByLocomotives(case.s.due)
    return "EUR-12", TunnelPrice(case.s.due, action.count)


@explains(Decline)
def _decline(case: Case, action: Decline) -> Objection:
    return "EUR-13", NoTunnel()


Refusal: TypeAlias = TunnelPrice | TunnelByLocomotives | NoTunnel

# ---------------------------------------------------------------- the whole

FACE = Face(moves=_MOVES, events=_EVENTS, phases={TUNNEL: "tunnel"}, chance={TunnelCardsTurned: "tunnel"})
