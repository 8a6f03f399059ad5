"""The pictures of a report, drawn as SVG: the map as a heat map, and how the scores spread.

Colours are classes, so that the page's style sheet gives them for a light and for a dark screen. Both scales run from
blue to orange through different lightness: they can be told apart without seeing red and green, and in grey.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from branchline.lab.figures import Study, TrackFigures
from branchline.lab.projection import DOT, Curve, Point, Sheet, lay_out
from branchline.lab.report_tables import track_kind, track_label
from branchline.lab.words import number, percent, share_words

THIN, THICK = 1.4, 11.0  # of a track taken never, and in every game
WHEN_STEPS = 5  # of the game
WIN_STEPS = (0.85, 0.95, 1.05, 1.15)  # of a fair share
NEUTRAL = 2


def heat_map(study: Study) -> str:
    """The map with its tracks as wide as they are often taken, coloured by when, or by how often their taker wins."""
    sheet = lay_out(study.map)
    tracks = _pooled(study)
    order = sorted(range(len(tracks)), key=lambda t: tracks[t].taken.value)
    title = f"{escape(study.map.name)} with {study.players} players: how often and when each track is taken"
    tall = " tall" if sheet.height > sheet.width else ""
    parts = [
        f'<svg class="heat{tall}" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}" role="img" aria-label="{title}">',
        f'<g class="casing">{"".join(_casing(sheet.curves[t], tracks[t]) for t in order)}</g>',
        *(_track(study, sheet.curves[t], tracks[t], study.tracks[t]) for t in order),
        f'<g class="dots">{"".join(_places(study, sheet))}</g>',
        f'<g class="names">{"".join(_names(sheet))}</g>',
        "</svg>",
    ]
    return "\n".join(parts)


def _pooled(study: Study) -> list[TrackFigures]:
    """The figures to draw each track by. Of equal tracks side by side bots take the first: they share their figures."""
    equal: dict[tuple[str, ...], list[TrackFigures]] = {}
    kinds = []
    for track, figures in zip(study.map.tracks, study.tracks, strict=True):
        kinds.append((*sorted((track.a, track.b)), track_kind(figures)))
        equal.setdefault(kinds[-1], []).append(figures)
    return [_shared(equal[kind]) for kind in kinds]


def _shared(tracks: list[TrackFigures]) -> TrackFigures:
    """The figures of the track that is taken most, with the mean of how often all are taken."""
    taken = sum(track.taken.value for track in tracks) / len(tracks)
    most = max(tracks, key=lambda track: track.taken.value)
    return replace(most, taken=replace(most.taken, value=taken))


def width_of(share: float) -> float:
    return THIN + (THICK - THIN) * share


def when_step(part: float | None) -> int:
    """Which fifth of the game; -1 for never."""
    return -1 if part is None else min(WHEN_STEPS - 1, int(part * WHEN_STEPS))


def win_step(track: TrackFigures, fair: float) -> int:
    """How the taker fares against a fair share; in the middle as long as that is not certain; -1 for never."""
    wins = track.wins
    if not wins.known:
        return -1
    if wins.low <= fair <= wins.high:
        return NEUTRAL
    return sum(wins.value / fair > step for step in WIN_STEPS)


def _path(curve: Curve) -> str:
    """The shortest way to write it."""
    a, m, b = ((round(p.x), round(p.y)) for p in (curve.a, curve.bend, curve.b))
    straight = abs(curve.bend.x - (curve.a.x + curve.b.x) / 2) + abs(curve.bend.y - (curve.a.y + curve.b.y) / 2) < 1
    return f"M{a[0]} {a[1]}L{b[0]} {b[1]}" if straight else f"M{a[0]} {a[1]}Q{m[0]} {m[1]} {b[0]} {b[1]}"


def _casing(curve: Curve, track: TrackFigures) -> str:
    return f'<path stroke-width="{width_of(track.taken.value) + 2:.1f}" d="{_path(curve)}"/>'


def _track(study: Study, curve: Curve, drawn: TrackFigures, own: TrackFigures) -> str:
    when, win = when_step(drawn.when), win_step(drawn, 1 / study.players)
    classes = f"t e{when} v{win}" if when >= 0 else "t never"
    width = f"{width_of(drawn.taken.value):.1f}"
    return (
        f'<path class="{classes}" stroke-width="{width}" d="{_path(curve)}"><title>{escape(_told(own))}</title></path>'
    )


def _told(track: TrackFigures) -> str:
    """What the pointer is told of a track."""
    text = f"{track_label(track)}, {track_kind(track)}: taken in {share_words(track.taken)}"
    if track.when is None:
        return text
    when = f"after {percent(track.when)} of the game (turn {number(track.turn, 0)})"
    return f"{text}, {when}; taker wins {share_words(track.wins)}"


def _places(study: Study, sheet: Sheet) -> Iterator[str]:
    for place in study.map.places:
        at = sheet.places[place.id]
        small = place.kind == "way_station"
        dot = f'<circle cx="{at.x:.0f}" cy="{at.y:.0f}" r="{DOT / 2 if small else DOT:.0f}"'
        yield f"{dot}><title>{escape(place.name)}</title></circle>" if small else f"{dot}/>"


def _names(sheet: Sheet) -> Iterator[str]:
    for label in sheet.labels:
        anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
        yield f'<text x="{label.at.x:.0f}" y="{label.at.y:.0f}"{anchor}>{escape(label.text)}</text>'


# ---------------------------------------------------------------- scores


BARS = Point(640.0, 190.0)
FOOT = 26.0


def histogram(study: Study) -> str:
    """How the final scores of all players spread."""
    scores = study.scores
    most = max(count for _, count in scores.bins)
    step = BARS.x / len(scores.bins)
    total = sum(count for _, count in scores.bins)
    bars = []
    for i, (edge, count) in enumerate(scores.bins):
        tall = (BARS.y - FOOT - 8) * count / most
        told = f"{edge} to {edge + scores.bin_width - 1} points: {percent(count / total, 1)}"
        bars.append(
            f'<rect x="{i * step + 1:.1f}" y="{BARS.y - FOOT - tall:.1f}" width="{step - 2:.1f}" height="{tall:.1f}">'
            f"<title>{told}</title></rect>"
        )
    every = max(1, round(len(bars) / 8))
    marks = [
        f'<text x="{i * step:.1f}" y="{BARS.y - 8:.0f}">{number(float(edge), 0)}</text>'
        for i, (edge, _) in enumerate(scores.bins)
        if i % every == 0
    ]
    middle = (scores.mean - scores.bins[0][0]) / scores.bin_width * step
    line = f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="2" y2="{BARS.y - FOOT:.0f}"><title>mean</title></line>'
    words = f"Final scores: mean {number(scores.mean)}, standard deviation {number(scores.sd)}"
    head = f'<svg viewBox="-4 0 {BARS.x + 8:.0f} {BARS.y:.0f}" role="img" aria-label="{words}" class="bars">'
    return head + "".join(bars) + line + "".join(marks) + "</svg>"
