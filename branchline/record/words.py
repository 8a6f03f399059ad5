"""Games in words: one sentence for each event, in the reader's language, and a score sheet that explains itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchline.base.record import Line, number_of
from branchline.events import Event, Reader
from branchline.maps.model import LOCO, MapData
from branchline.mechanics.composed_record import PARTS
from branchline.scores import PlayerScore
from branchline.view import View
from branchline.words import Language
from branchline.words.labels import labels_of
from branchline.words.telling import Telling

YOU: Final = "You"
_PLACES: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def describe(
    event: Event, data: MapData, names: Sequence[str], reader: Reader = None, language: Language = "en"
) -> str:
    """An event as one sentence; `names` are the players' by seat, and the player on the reader's is spoken to."""
    return Telling.of(data, names, reader, language).tell("event", event)


# ---------------------------------------------------------------- scores


def explain_scores(scores: Sequence[PlayerScore], data: MapData, names: Sequence[str]) -> list[str]:
    """The score sheets in words, the winner's first."""
    lines: list[str] = []
    for score in sorted(scores, key=lambda score: (score.place, score.seat)):
        place = _PLACES.get(score.place, f"{score.place}th")
        lines.append(f"{place}: {names[score.seat]}, {number_of(score.total, 'point')}")
        for points, words in _sheet(score, data):
            lines.append(f"  {'' if points is None else format(points, '+d'):>5}  {words}")
    return lines


def _sheet(score: PlayerScore, data: MapData) -> Iterator[Line]:
    """What adds up to the score, with the points; and what explains it, without."""
    yield score.tracks, "for tracks"
    for ticket in score.tickets:
        told = "completed" if ticket.completed else "not completed"
        yield ticket.points, f"for the ticket {labels_of(data).ticket(ticket.ticket)}, {told}"
    for part in PARTS:
        yield from part.sheet_words(score, data)
    if data.longest_path:
        bonus, path = score.longest_path_bonus, f"a path of {number_of(score.longest_path, 'train')}"
        yield (bonus, f"for the longest path, {path}") if bonus else (None, f"{path} was not the longest")
    if data.globetrotter:
        bonus, done = score.globetrotter_bonus, number_of(score.completed, "completed ticket")
        yield (bonus, f"as globetrotter, with {done}") if bonus else (None, f"{done} did not make a globetrotter")


# ---------------------------------------------------------------- the table


def table_lines(view: View, names: Sequence[str]) -> list[str]:
    """What lies on the table, as all may see it: one line for the cards, one for each player."""
    lines = [
        f"Display: {_shown(view.display)}. Deck: {number_of(view.deck_size, 'card')}. Tickets: {view.ticket_deck_size}."
    ]
    for part in PARTS:
        lines += part.table_words(view)
    for player in view.players:
        parts = [
            number_of(player.score, "point"),
            number_of(player.trains, "train"),
            number_of(player.card_count, "card"),
            number_of(player.ticket_count, "ticket"),
        ]
        for part in PARTS:
            parts += part.player_words(player)
        lines.append(f"{names[player.seat]}: {', '.join(parts)}.")
    return lines


def _shown(cards: Sequence[str | None]) -> str:
    return ", ".join("nothing" if card is None else card_word(card) for card in cards)


# ---------------------------------------------------------------- grammar


def card_word(card: str) -> str:
    """A card in one word."""
    return "locomotive" if card == LOCO else card
