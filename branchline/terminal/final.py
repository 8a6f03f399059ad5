"""The end of a game, explained line by line: what each point is for, and who wins by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.maps.model import MapData
from branchline.record.words import YOU
from branchline.scores import PlayerScore
from branchline.terminal.labels import ScreenLabels, counted, listed, reconstruction_note
from branchline.terminal.parts import PARTS, parts_of
from branchline.terminal.places import Ended, Tie

PLACES = {1: "First", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth"}


def ranking(scores: Sequence[PlayerScore]) -> list[PlayerScore]:
    """The winner first."""
    return sorted(scores, key=lambda score: (score.place, score.seat))


def final_lines(
    scores: Sequence[PlayerScore], owners: dict[str, int], labels: ScreenLabels, names: Sequence[str], ended: str
) -> list[str]:
    """The whole end of the game; `ended` says why it is over."""
    lines = [ended]
    for score in ranking(scores):
        lines.append(f"{PLACES[score.place]}: {names[score.seat]}, {counted(score.total, 'point')}.")
        lines += [
            f"  {points:+d} {words}" if points is not None else f"  {words}"
            for points, words in sheet(score, owners, labels, names)
        ]
    note = reconstruction_note(labels.data)
    return [*lines, *tie_lines(scores, labels.data, names), winner_line(scores, names)] + ([note] if note else [])


def sheet(
    score: PlayerScore, owners: dict[str, int], labels: ScreenLabels, names: Sequence[str]
) -> Iterator[tuple[int | None, str]]:
    """What each part is worth; None for a line that only explains."""
    data = labels.data
    yield score.tracks, "for tracks."
    for ticket in score.tickets:
        result = "completed" if ticket.completed else "not completed"
        yield ticket.points, f"ticket {labels.ticket(ticket.ticket)}, {result}."
    for part in parts_of(data):
        yield from part.final(score, Ended(owners, labels, names))
    if data.longest_path or "path" in data.ties:
        yield from _path(score, labels)
    if data.globetrotter:
        yield score.globetrotter_bonus, f"globetrotter, for {counted(score.completed, 'completed ticket')}."


def _path(score: PlayerScore, labels: ScreenLabels) -> Iterator[tuple[int | None, str]]:
    length = counted(score.longest_path, "train")
    bonus = score.longest_path_bonus if labels.data.longest_path else None
    what = "longest path of all" if score.longest_path_bonus else "longest path"
    yield bonus, f"{what}: {length}{', ' if score.longest_path else ''}{trail(score.longest_path_tracks, labels)}."


def trail(tracks: Sequence[str], labels: ScreenLabels) -> str:
    """The places a path leads through, in order."""
    ends = [(labels.tracks[t].a, labels.tracks[t].b) for t in tracks]
    walks = [_walk(start, ends) for start in ends[0]] if ends else []
    return ", ".join(labels.place(p) for p in max(walks, key=len, default=[]))


def _walk(start: str, ends: list[tuple[str, str]]) -> list[str]:
    """The places from a start along the tracks, as far as they join."""
    places = [start]
    for a, b in ends:
        if places[-1] not in (a, b):
            break
        places.append(b if places[-1] == a else a)
    return places


def tie_lines(scores: Sequence[PlayerScore], data: MapData, names: Sequence[str]) -> list[str]:
    """How players with equal points were told apart, or that they share."""
    lines = []
    for total in sorted({score.total for score in scores}, reverse=True):
        level = [score for score in ranking(scores) if score.total == total]
        if len(level) > 1:
            lines.append(_tie(level, data, names))
    return lines


def _tie(level: list[PlayerScore], data: MapData, names: Sequence[str]) -> str:
    who = listed([names[score.seat] for score in level])
    said = []
    for tie in data.ties:
        values = {names[s.seat]: _TIES[tie].value(s) for s in level}
        said.append(f"{_TIES[tie].words} {listed([f'{name} {n}' for name, n in values.items()])}")
        if len(set(values.values())) == len(values):
            break
    decided = len({score.place for score in level}) > 1
    return (
        f"Level on points: {who}. {'It is decided by: ' if decided else 'Nothing tells them apart: '}{'; '.join(said)}."
    )


_TIES = {
    "tickets": Tie("completed tickets:", lambda score: score.completed),
    "path": Tie("longest path:", lambda score: score.longest_path),
} | dict(tie for part in PARTS for tie in part.ties)


def winner_line(scores: Sequence[PlayerScore], names: Sequence[str]) -> str:
    winners = [names[score.seat] for score in ranking(scores) if score.place == 1]
    if len(winners) > 1:
        return f"The victory is shared by {listed(winners)}."
    return "You win!" if winners == [YOU] else f"{winners[0]} wins."
