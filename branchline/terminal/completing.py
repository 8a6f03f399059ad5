"""What can follow what has been typed: every legal sentence, word by word, and the commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.maps.model import LOCO
from branchline.terminal.facts import loco_range
from branchline.terminal.labels import ScreenLabels, card_word, folded
from branchline.terminal.parts import PARTS
from branchline.terminal.payment import payments
from branchline.terminal.reading import offered
from branchline.terminal.rules_text import clauses
from branchline.terminal.words import COMMANDS
from branchline.view import View

Sentence = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word to offer, and how many typed characters it replaces."""

    text: str
    replaces: int


def sentences(view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> list[Sentence]:
    """All that can be typed now, each as the pieces in which it is completed."""
    found: list[Sentence] = []
    for action in actions:
        found += _of_action(action, view, labels)
    numbers = [str(n) for n in range(1, len(offered(view, actions)) + 1)]
    found += [("keep", n) for n in numbers if any(isinstance(x, a.KeepTickets) for x in actions)]
    found += [("mark", n) for n in numbers]
    return list(dict.fromkeys([*found, *_of_commands(labels)]))


def _of_commands(labels: ScreenLabels) -> Iterator[Sentence]:
    for command in COMMANDS:
        yield (command,)
    for place in labels.data.places:
        yield ("tracks", labels.place(place.id))
    yield from (("tracks", "free"), ("tracks", "mine"))
    for command in COMMANDS:
        yield ("help", command)
    for clause in clauses():
        yield ("rules", clause)


def _of_action(action: a.Action, view: View, labels: ScreenLabels) -> Iterator[Sentence]:
    match action:
        case a.DrawDisplay(place):
            yield ("draw", card_word(view.display[place - 1] or LOCO))
        case a.DrawDeck():
            yield ("draw", "deck")
        case a.DrawTickets():
            yield ("draw", "tickets")
        case a.ClaimTrack(track, _):
            ends = labels.tracks[track].a, labels.tracks[track].b
            for one, other in (ends, ends[::-1]):
                for payment in payments(action.colour, *loco_range(view, action)):
                    yield ("claim", labels.place(one), labels.place(other), *payment)
        case a.PlayLocos(count):
            yield ("locos", str(count))
        case a.KeepTickets(tickets):
            yield ("keep", *(labels.ticket(t) for t in tickets)) if len(tickets) == 1 else ("keep",)
        case a.ReturnTicket(ticket):
            yield ("return", labels.ticket(ticket))
        case a.Pass():
            yield ("pass",)
        case _:
            for part in PARTS:
                yield from part.sentences(action, view, labels)


def complete(typed: str, known: Sequence[Sentence]) -> list[Candidate]:
    """The pieces that can stand next; a claim's places may be typed without the word claim."""
    begun = folded(typed)
    ended = typed.endswith(" ") and bool(begun)
    found: dict[str, Candidate] = {}
    for sentence in known:
        for pieces in (sentence, sentence[1:]) if sentence[0] == "claim" else (sentence,):
            candidate = _next_piece(typed, begun, ended, pieces)
            if candidate:
                found.setdefault(candidate.text, candidate)
    return sorted(found.values(), key=lambda c: folded(c.text))


def _next_piece(typed: str, begun: str, ended: bool, pieces: Sentence) -> Candidate | None:
    """The piece of a sentence in which the typed text ends."""
    said = ""
    for piece in pieces:
        before, said = said, f"{said} {folded(piece)}".strip()
        if begun == said and not ended:
            return Candidate(piece, _length_of(typed, len(before.split())))
        if begun == said or not said.startswith(begun):
            if not begun.startswith(said + " ") and begun != said:
                return None
            continue
        return Candidate(piece, _length_of(typed, len(before.split())) if begun != before else 0)
    return None


def _length_of(typed: str, words: int) -> int:
    """How many characters of the typed text come after its first `words` words."""
    rest = typed.lstrip()
    for _ in range(words):
        parts = rest.split(maxsplit=1)
        rest = parts[1] if len(parts) > 1 else ""
    return len(rest)
