"""The log: each event in a sentence, as far as the reader may see it, and a shorter account of what others did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from branchline import events as e
from branchline.maps.model import MapData
from branchline.record.words import YOU, describe

# What the table shows anyway, or what only tells that the game goes on.
_SEEN_ANYWAY = (e.TurnBegan, e.DisplayFilled, e.TerrainFilled, e.ChoiceMade, e.PacksPassed, e.TicketPicked, e.GameEnded)
_DRAWS = (e.DrewCard, e.DrewBlind, e.DrewTerrain)


def names_for(names: Sequence[str], reader: e.Reader) -> list[str]:
    """The names as one reader hears them: their own seat is "You"."""
    return [YOU if seat == reader else name for seat, name in enumerate(names)]


def log_lines(events: Iterable[e.Event], reader: e.Reader, data: MapData, names: Sequence[str]) -> list[str]:
    """Every event the reader may know of, in full."""
    told = [event.seen_by(reader) for event in events]
    return [describe(event, data, names) for event in told if event is not None]


def news_lines(events: Iterable[e.Event], reader: e.Reader, data: MapData, names: Sequence[str]) -> list[str]:
    """What happened, without what the table shows anyway; the two draws of a turn in one sentence."""
    lines: list[str] = []
    drawer: int | None = None
    for event in events:
        known = event.seen_by(reader)
        if known is None or isinstance(known, _SEEN_ANYWAY) or _is_own_offer(known, reader):
            continue
        sentence = describe(known, data, names)
        if isinstance(known, _DRAWS):
            takes = _subject(sentence, names[known.seat])
            if drawer == known.seat and lines[-1].startswith(takes):
                lines[-1] = _both(lines[-1], sentence, takes)
                drawer = None
                continue
            drawer = known.seat
        else:
            drawer = None
        lines.append(sentence)
    return lines


def _both(first: str, second: str, takes: str) -> str:
    """Two draws in one sentence."""
    if first == second and first.startswith(f"{takes}a card "):
        return first.replace(f"{takes}a card ", f"{takes}two cards ")
    return f"{first.rstrip('.')} and {second.removeprefix(takes)}"


def _is_own_offer(event: e.Event, reader: e.Reader) -> bool:
    """One's own tickets are shown as a choice."""
    return isinstance(event, e.TicketsOffered) and event.seat == reader


def _subject(sentence: str, name: str) -> str:
    """The name and the verb a sentence begins with."""
    verb = sentence.removeprefix(name + " ").split(" ", 1)[0]
    return f"{name} {verb} "
