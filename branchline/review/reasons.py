"""Why a choice cost something, from facts: what it was, what was better, and what came of it in the game.

The first of these that holds is told; where none does, nothing is. A reason is a kind and its parameters; the words for
it are `review.reason.KIND` of the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from branchline.actions import Action, ClaimTrack, DrawDisplay, DrawTickets, KeepTickets
from branchline.base.actions import Draw
from branchline.codec import names_of
from branchline.graph.advice import Network
from branchline.maps.model import GRAY, LOCO
from branchline.mechanics import composed as k
from branchline.notation import read_action
from branchline.review.decisions import Decided
from branchline.review.moments import Moment, Played
from branchline.review.verdicts import LEAST
from branchline.view import View

SOON: Final = 2  # own turns within which another's claim counts as the next
HOARD: Final = 12  # cards in hand of which nobody would need more
LATE: Final = 2  # own turns before the end that count as too late


@dataclass(frozen=True)
class Reason:
    """A kind, and what its sentence names."""

    kind: str
    params: Mapping[str, Any]


Told: TypeAlias = Iterator[Reason]


def reason_of(played: Played, decided: Decided) -> Reason | None:
    """Of a choice that surely lost something."""
    if decided.loss < LEAST["inaccuracy"] or decided.close:
        return None
    moment = played.moments[decided.number - 1]
    case = _Case(played, moment, read_action(decided.best, played.record.map))
    return next(case.reasons(), None)


class _Case:
    """What was played, and what was better."""

    def __init__(self, played: Played, moment: Moment, best: Action) -> None:
        self.played, self.moment, self.best = played, moment, best
        self.view, self.chosen = moment.view, moment.action
        self.later = played.moments[moment.number :]

    def reasons(self) -> Told:
        if isinstance(self.best, ClaimTrack):
            yield from self._claim_missed(self.best)
        if isinstance(self.best, KeepTickets) and isinstance(self.chosen, KeepTickets):
            yield from self._kept(self.chosen, self.best)
        if isinstance(self.chosen, ClaimTrack):
            yield from self._claim_too_soon(self.chosen)
        if isinstance(self.chosen, DrawTickets):
            yield from self._tickets_drawn()
        if isinstance(self.best, DrawTickets):
            yield Reason("MoreTickets", {})
        if isinstance(self.best, DrawDisplay):
            yield from self._card_left(self.best)

    # --- a claim was better -----------------------------------------------------------------------------------

    def _claim_missed(self, best: ClaimTrack) -> Told:
        done = completed_by(self.view, best)
        if done and not isinstance(self.chosen, ClaimTrack):
            yield Reason("JoinsTicket", {"track": best.track, "ticket": done[0]})
        taken = self._taken_by(best.track)
        if taken is not None:
            yield Reason("TrackTaken", {"track": best.track, "seat": taken})
        lost = self._ticket_lost()
        if lost:
            yield Reason("TicketLost", {"ticket": lost})
        turns = self._own_turns_left()
        if isinstance(self.chosen, Draw | DrawTickets) and turns == 0:
            yield Reason("LastTurn", {"track": best.track})
        if isinstance(self.chosen, Draw | DrawTickets) and turns <= LATE:
            yield Reason("EndNear", {"track": best.track, "turns": turns})
        if isinstance(self.chosen, Draw) and self.view.me.card_count >= HOARD:
            yield Reason("Hoarded", {"track": best.track, "cards": self.view.me.card_count})
        if isinstance(self.chosen, ClaimTrack) and best.track in self._way() and self.chosen.track not in self._way():
            yield Reason("OnTheWay", {"track": best.track})

    def _taken_by(self, track: str) -> int | None:
        """Who claimed a track within the next own turns, if another did."""
        turns = 0
        for moment in self.later:
            if isinstance(moment.action, ClaimTrack) and moment.action.track == track:
                return moment.seat if moment.seat != self.moment.seat else None
            turns += moment.seat == self.moment.seat and moment.view.phase == "turn"
            if turns > SOON:
                return None
        return None

    def _ticket_lost(self) -> str | None:
        """The dearest ticket that could be completed before, and at the seat's next decision no more."""
        after = next((m.view for m in self.later if m.seat == self.moment.seat and not m.is_detail), None)
        if after is None:
            return None
        lost = [ticket for ticket in open_tickets(self.view) if ticket in after.me.tickets and is_lost(after, ticket)]
        return _dearest(self.view, lost)

    def _own_turns_left(self) -> int:
        """Turns the seat had after this one."""
        own = [m for m in self.later if m.seat == self.moment.seat and m.view.phase == "turn"]
        return len(own)

    def _way(self) -> tuple[str, ...]:
        """The tracks that the open tickets take together, as they could be joined for least."""
        path = Network(self.view).together(open_tickets(self.view))
        return path.tracks if path else ()

    # --- something else was better ----------------------------------------------------------------------------

    def _claim_too_soon(self, chosen: ClaimTrack) -> Told:
        if isinstance(self.best, ClaimTrack) or completed_by(self.view, chosen):
            return
        waits = chosen.track in self._way()
        yield Reason("CouldWait" if waits else "OffTheWay", {"track": chosen.track})

    def _kept(self, chosen: KeepTickets, best: KeepTickets) -> Told:
        seat = self.moment.seat
        sheet = {t.ticket: t.completed for t in self.played.end.scores()[seat].tickets}
        more = [ticket for ticket in chosen.tickets if ticket not in best.tickets]
        less = [ticket for ticket in best.tickets if ticket not in chosen.tickets]
        failed = _dearest(self.view, [ticket for ticket in more if sheet.get(ticket) is False])
        if failed:
            yield Reason("KeptInVain", {"ticket": failed})
        if less:
            yield Reason("KeepIt", {"ticket": _dearest(self.view, less)})
        if more:
            yield Reason("LeaveIt", {"ticket": _dearest(self.view, more)})

    def _tickets_drawn(self) -> Told:
        kept = next((m.action for m in self.later if isinstance(m.action, KeepTickets)), None)
        if not isinstance(kept, KeepTickets):
            return
        sheet = {t.ticket: t.completed for t in self.played.end.scores()[self.moment.seat].tickets}
        failed = _dearest(self.view, [ticket for ticket in kept.tickets if sheet.get(ticket) is False])
        yield Reason("DrawnInVain", {"ticket": failed}) if failed else Reason("EnoughTickets", {})

    def _card_left(self, best: DrawDisplay) -> Told:
        card = self.view.display[best.place - 1]
        path = Network(self.view).together(open_tickets(self.view))
        if card is not None and path and (path.cards.get(card) or (card == LOCO and sum(path.cards.values()))):
            yield Reason("CardWanted", {"card": card})
        elif card is not None and path and path.cards.get(GRAY):
            yield Reason("CardFits", {"card": card})


# --- facts of a view ------------------------------------------------------------------------------------------


def open_tickets(view: View) -> list[str]:
    """The reader's tickets that are neither completed nor lost."""
    assert view.reader is not None
    done = view.completed_tickets(view.reader)
    return [ticket for ticket in view.me.tickets if ticket not in done and not is_lost(view, ticket)]


def is_lost(view: View, ticket: str) -> bool:
    """Whether a ticket can be completed no more, by what its holder sees."""
    trains = Network(view).trains(ticket)
    return trains is None or trains > view.me.trains


def completed_by(view: View, claim: ClaimTrack) -> list[str]:
    """The reader's tickets that a track completes at once, the dearest first."""
    assert view.reader is not None
    s, track = view.position, names_of(view.map).tracks.index(claim.track)
    s.owned[k.TRACK_WORDS * view.reader + track // k.BITS] |= 1 << track % k.BITS
    before = view.completed_tickets(view.reader)
    after = View(view.map, s, view.reader).completed_tickets(view.reader)
    value = _values(view)
    return sorted((ticket for ticket in after if ticket not in before), key=lambda ticket: -value[ticket])


def _dearest(view: View, tickets: list[str]) -> str | None:
    value = _values(view)
    return max(tickets, key=lambda ticket: (value[ticket], ticket), default=None)


def _values(view: View) -> dict[str, int]:
    return {ticket.id: ticket.points for ticket in view.map.tickets}
