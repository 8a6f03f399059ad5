"""Tunnels in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from branchline import actions as a
from branchline import events as e
from branchline.maps.model import MapData, Track
from branchline.terminal.labels import ScreenLabels, card_word, counted
from branchline.terminal.places import Due, Part, Typed
from branchline.terminal.plan import Do, Reading
from branchline.terminal.spelling import NO
from branchline.terminal.words import Word
from branchline.view import View

UNPAYABLE = "You cannot pay: decline."


class Tunnels(Part):
    clauses = "EUR"
    verbs = (("decline", Word("decline", "do not pay a tunnel's extra cards", ("no",))),)
    revealing = ((e.TunnelCardsTurned, "cards were turned up for the tunnel"),)

    def in_play(self, data: MapData) -> bool:
        return data.tunnel_cards > 0

    def track_kind(self, track: Track) -> str:
        return "tunnel" if track.tunnel else ""

    def due(self, view: View, labels: ScreenLabels) -> Due | None:
        if view.phase != "tunnel":
            return None
        turned = ", ".join(card_word(c) for c in view.tunnel_cards)
        pay = "Pay?" if len(view.legal_actions()) > 1 else UNPAYABLE
        more = counted(view.tunnel_extra, "more card")
        question = f"Turned up for the tunnel: {turned}. It costs {more}. {pay}"
        return Due(view.tunnel_extra, "the tunnel", question, UNPAYABLE)

    def option(self, view: View, action: a.Action, labels: ScreenLabels) -> str:
        return "decline: take your cards back, the turn is over" if isinstance(action, a.Decline) else ""

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterable[tuple[str, ...]]:
        return [("decline",)] if isinstance(action, a.Decline) else ()

    def choice(self, text: str, typed: Typed) -> Reading | None:
        declines = text.split()[0] in NO | {"decline"} and a.Decline() in typed.actions
        return Do((a.Decline(),)) if declines else None


PART = Tunnels()
