"""The log: each event in a sentence, as far as the reader may see it, and a shorter account of what others did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from branchline import events as e
from branchline.record.words import YOU
from branchline.terminal.parts import PARTS
from branchline.words.telling import Telling

# What the table shows anyway, or what only tells that the game goes on.
_SEEN_ANYWAY: tuple[type, ...] = (
    *(e.TurnBegan, e.DisplayFilled, e.ChoiceMade, e.GameEnded),
    *(event for part in PARTS for event in part.seen_anyway),
)


def names_for(names: Sequence[str], reader: e.Reader) -> list[str]:
    """The names as one reader hears them: their own seat is "You"."""
    return [YOU if seat == reader else name for seat, name in enumerate(names)]


def log_lines(events: Iterable[e.Event], telling: Telling) -> list[str]:
    """Every event the reader may know of, in full."""
    seen = [event.seen_by(telling.reader) for event in events]
    return [telling.tell("event", event) for event in seen if event is not None]


def news_lines(events: Iterable[e.Event], telling: Telling) -> list[str]:
    """What happened, without what the table shows anyway; two cards from the deck in one sentence."""
    lines: list[str] = []
    before: e.DrewBlind | None = None
    for event in events:
        known = event.seen_by(telling.reader)
        if known is None or isinstance(known, _SEEN_ANYWAY) or _is_own_offer(known, telling.reader):
            continue
        if isinstance(known, e.DrewBlind) and before is not None and before.seat == known.seat:
            both = {"seat": known.seat, "card": (before.card, known.card)}
            lines[-1] = telling.sentence("event.DrewBlind", both)
            before = None
            continue
        lines.append(telling.tell("event", known))
        before = known if isinstance(known, e.DrewBlind) else None
    return lines


def _is_own_offer(event: e.Event, reader: e.Reader) -> bool:
    """One's own tickets are shown as a choice."""
    return isinstance(event, e.TicketsOffered) and event.seat == reader
