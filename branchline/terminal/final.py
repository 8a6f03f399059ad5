"""The end of a game, explained line by line: what each point is for, and who wins by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.maps.model import MapData
from branchline.record.words import END_WORDS, YOU
from branchline.scores import PlayerScore
from branchline.terminal.labels import Labels, counted, listed, reconstruction_note

PLACES = {1: "First", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth"}


def ranking(scores: Sequence[PlayerScore]) -> list[PlayerScore]:
    """The winner first."""
    return sorted(scores, key=lambda score: (score.place, score.seat))


def final_lines(
    scores: Sequence[PlayerScore], owners: dict[str, int], labels: Labels, names: Sequence[str], reason: str
) -> list[str]:
    """The whole end of the game."""
    lines = [f"The game is over: {END_WORDS[reason]}."]
    for score in ranking(scores):
        lines.append(f"{PLACES[score.place]}: {names[score.seat]}, {counted(score.total, 'point')}.")
        lines += [
            f"  {points:+d} {words}" if points is not None else f"  {words}"
            for points, words in sheet(score, owners, labels, names)
        ]
    note = reconstruction_note(labels.data)
    return [*lines, *tie_lines(scores, labels.data, names), winner_line(scores, names)] + ([note] if note else [])


def sheet(
    score: PlayerScore, owners: dict[str, int], labels: Labels, names: Sequence[str]
) -> Iterator[tuple[int | None, str]]:
    """What each part is worth; None for a line that only explains."""
    data = labels.data
    yield score.tracks, "for tracks."
    for ticket in score.tickets:
        result = "completed" if ticket.completed else "not completed"
        yield ticket.points, f"ticket {labels.ticket(ticket.ticket)}, {result}."
    if data.stations:
        left = data.stations.each - len(score.loans)
        yield score.stations, f"for {counted(left, 'station')} not built."
        for loan in score.loans:
            yield None, f"the station in {labels.place(loan.place)} {_lent(loan.track, owners, labels, names)}."
    for festival in score.festivals:
        yield festival.points, f"for {counted(festival.cards, 'festival card')} of {labels.group(festival.group)}."
    if data.longest_path or "path" in data.ties:
        yield from _path(score, labels)
    if data.globetrotter:
        yield score.globetrotter_bonus, f"globetrotter, for {counted(score.completed, 'completed ticket')}."


def _lent(track: str | None, owners: dict[str, int], labels: Labels, names: Sequence[str]) -> str:
    if track is None:
        return "lent no track"
    owner = names[owners[track]]
    return f"lent {labels.track(track)} ({'yours' if owner == YOU else owner})"


def _path(score: PlayerScore, labels: Labels) -> Iterator[tuple[int | None, str]]:
    length = counted(score.longest_path, "train")
    bonus = score.longest_path_bonus if labels.data.longest_path else None
    what = "longest path of all" if score.longest_path_bonus else "longest path"
    yield bonus, f"{what}: {length}{', ' if score.longest_path else ''}{trail(score.longest_path_tracks, labels)}."


def trail(tracks: Sequence[str], labels: Labels) -> str:
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
        values = {names[s.seat]: _tie_value(s, tie) for s in level}
        said.append(f"{_TIES[tie]} {listed([f'{name} {n}' for name, n in values.items()])}")
        if len(set(values.values())) == len(values):
            break
    decided = len({score.place for score in level}) > 1
    return (
        f"Level on points: {who}. {'It is decided by: ' if decided else 'Nothing tells them apart: '}{'; '.join(said)}."
    )


_TIES = {"tickets": "completed tickets:", "stations": "stations built, fewest first:", "path": "longest path:"}


def _tie_value(score: PlayerScore, tie: str) -> int:
    return {"tickets": score.completed, "stations": len(score.loans), "path": score.longest_path}[tie]


def winner_line(scores: Sequence[PlayerScore], names: Sequence[str]) -> str:
    winners = [names[score.seat] for score in ranking(scores) if score.place == 1]
    if len(winners) > 1:
        return f"The victory is shared by {listed(winners)}."
    return "You win!" if winners == [YOU] else f"{winners[0]} wins."
