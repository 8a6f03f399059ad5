"""Drafts in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline import actions as a
from branchline import events as e
from branchline.maps.model import MapData, TicketDraft
from branchline.terminal.labels import ScreenLabels, counted
from branchline.terminal.places import Part
from branchline.terminal.words import Word
from branchline.view import View


class Drafts(Part):
    clauses = "IBE"
    verbs = (("take", Word("take 2", "take this ticket from the pack")),)
    seen_anyway = (e.PacksPassed, e.TicketPicked)
    revealing = (
        (e.DraftBegan, "you have seen the tickets"),
        (e.TicketPicked, "a ticket once taken is not exchanged (IBE-04)"),
    )

    def in_play(self, data: MapData) -> bool:
        return isinstance(data.first_tickets, TicketDraft)

    def own(self, view: View, labels: ScreenLabels) -> Iterator[str]:
        taken = [f"{labels.ticket(t)} {labels.tickets[t].points}" for t in view.offered_tickets]
        if taken and view.phase == "draft":
            yield f"Taken so far: {', '.join(taken)}."

    def question(self, view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> str:
        first = view.map.first_tickets
        if view.phase == "keep_drafted" and isinstance(first, TicketDraft):
            tickets = counted(len(view.offered_tickets), "ticket")
            return f"Keep exactly {first.keep_exactly} of these {tickets}. Which?"
        asked = any(isinstance(action, a.PickTicket) for action in actions)
        return "Which ticket do you take from the pack?" if asked else ""

    def ticket_of(self, action: a.Action) -> str | None:
        return action.ticket if isinstance(action, a.PickTicket) else None

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterator[tuple[str, ...]]:
        if isinstance(action, a.PickTicket):
            yield ("take", labels.ticket(action.ticket))


PART = Drafts()
