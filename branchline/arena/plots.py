"""The plots of a report, drawn by hand as SVG: ink on paper, by day and by night.

Colour never stands alone: every mark has its bot's name beside it, and every figure is in a table too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np

from branchline.arena.printing import label, minus
from branchline.arena.ratings import Rating
from branchline.arena.statistics import Numbers
from branchline.arena.summary import BotSummary, Estimate, Pair, Summary, Test

WIDTH = 760
LEFT, RIGHT = 160, 118
ROW = 44
INKS = 6
LONGEST_LABEL = 17

# The inks, by day and by night. The page sets the same names.
PALETTE = {
    "paper": ("#fcf6e8", "#183039"),
    "ink": ("#221a12", "#f2e7cd"),
    "ink-2": ("#57472f", "#c6bb9c"),
    "line": ("#8b7550", "#a98f58"),
    "line-soft": ("#d9caa8", "#3a5158"),
    "bot-0": ("#14506b", "#7fc3de"),
    "bot-1": ("#b23a1e", "#f39a83"),
    "bot-2": ("#2f6b3a", "#86cf96"),
    "bot-3": ("#7a3b80", "#d9a9e2"),
    "bot-4": ("#96640a", "#eebf5d"),
    "bot-5": ("#4c5560", "#b9c4cd"),
}
STYLE = """
.plot text { font: 15px 'Barlow Semi Condensed', 'Arial Narrow', 'Helvetica Neue', sans-serif; fill: var(--ink) }
.plot .minor { font-size: 13px; fill: var(--ink-2) }
.plot .strong { font-weight: 600 }
.plot .end { text-anchor: end } .plot .mid { text-anchor: middle }
.plot .grid { stroke: var(--line-soft); stroke-width: 1 }
.plot .mark { stroke: var(--line); stroke-width: 1.5; stroke-dasharray: 5 4 }
.plot .span { stroke-width: 7; stroke-linecap: round; opacity: .42 }
.plot .dot { stroke: var(--paper); stroke-width: 2 }
.plot .path { fill: none; stroke-width: 2; stroke-linejoin: round }
.plot .hill { fill-opacity: .28; stroke-width: 1.75; stroke-linejoin: round }
"""


def inks(theme: int) -> str:
    """The palette of a theme (0 by day, 1 by night) as declarations."""
    return "; ".join(f"--{name}: {values[theme]}" for name, values in PALETTE.items())


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing: `body` inside, `caption` for those who do not see it and for those who wonder what it shows."""

    key: str
    title: str
    caption: str
    height: int
    body: str
    width: int = WIDTH

    def inline(self) -> str:
        """As part of a page that sets the inks."""
        return (
            f'<svg class="plot" viewBox="0 0 {self.width} {self.height}" role="img" '
            f'aria-label="{escape(self.title)}. {escape(self.caption)}">{self.body}</svg>'
        )

    def standalone(self) -> str:
        """As a file of its own, on its own paper."""
        style = f":root {{ {inks(0)} }} @media (prefers-color-scheme: dark) {{ :root {{ {inks(1)} }} }}{STYLE}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" width="{self.width + 40}" '
            f'viewBox="-20 -44 {self.width + 40} {self.height + 64}">'
            f"<title>{escape(self.title)}</title><desc>{escape(self.caption)}</desc>"
            f'<style>{style}</style><rect x="-20" y="-44" width="100%" height="100%" rx="8" fill="var(--paper)"/>'
            f'<text x="0" y="-16" class="strong" style="font-size: 18px">{escape(self.title)}</text>{self.body}</svg>\n'
        )


def plots_of(summary: Summary) -> list[Plot]:
    """All plots that have something to show."""
    plots = [win_plot(summary.bots), score_plot(summary.bots)]
    if summary.test:
        plots.insert(0, test_plot(summary.test, summary.header.lineups[0][0]))
    ratings = summary.elo or summary.openskill
    if len(summary.bots) > 2:
        plots.insert(0, ladder_plot(summary, ratings, "Elo" if summary.elo else "openskill"))
    curves = _budgets(summary)
    if summary.elo and curves:
        plots.append(time_plot(summary, curves))
    if summary.is_pool and len(summary.bots) > 2 and summary.pairs:
        plots.append(pair_plot([bot.name for bot in summary.bots], summary.pairs))
    return plots


# ---------------------------------------------------------------- brushes


def _ink(n: int) -> str:
    return f"var(--bot-{n % INKS})"


def _text(x: float, y: float, words: str, classes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, classes: str, ink: str = "") -> str:
    stroke = f' stroke="{ink}"' if ink else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{classes}"{stroke}/>'


def _dot(x: float, y: float, ink: str, r: float = 6.5) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" class="dot" fill="{ink}"/>'


def _short(name: str) -> str:
    """A name that fits beside its row: the end of a long one, where the class of a file stands."""
    return _cut(label(name), LONGEST_LABEL)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else "…" + name[-max(most - 1, 2) :]


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from low to high, about so many."""
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / about))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= about)
    return [n * step for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    return lambda value: start + (min(max(value, low), high) - low) / ((high - low) or 1.0) * (end - start)


def _columns(x: Scale, marks: Sequence[float], bottom: float, words: Callable[[float], str], top: float = 4) -> str:
    """Upright grid lines with their figures below."""
    return "".join(
        _line(x(mark), top, x(mark), bottom, "grid") + _text(x(mark), bottom + 18, words(mark), "minor mid")
        for mark in marks
    )


def _span(x: Scale, y: float, value: float, interval: tuple[float, float], ink: str) -> str:
    """An interval as a broad stroke, its figure as a dot."""
    return _line(x(interval[0]), y, x(interval[1]), y, "span", ink) + _dot(x(value), y, ink)


# ---------------------------------------------------------------- the plots


def win_plot(bots: Sequence[BotSummary]) -> Plot:
    """How often each bot wins, with its interval, against its fair share."""
    x, bottom = _scale(0, 1, LEFT, WIDTH - RIGHT), ROW * len(bots) + 4
    parts = [_columns(x, [0, 0.25, 0.5, 0.75, 1], bottom, lambda mark: f"{100 * mark:.0f} %")]
    for n, bot in enumerate(bots):
        y = ROW * (n + 0.5)
        parts.append(_line(x(bot.expected), y - ROW / 2 + 3, x(bot.expected), y + ROW / 2 - 3, "mark"))
        parts.append(_text(LEFT - 14, y + 5, _short(bot.name), "end"))
        parts.append(_span(x, y, bot.win_rate.value, bot.win_rate.interval, _ink(n)))
        parts.append(_text(WIDTH - RIGHT + 18, y, f"{100 * bot.win_rate.value:.1f} %", "strong"))
        parts.append(_text(WIDTH - RIGHT + 18, y + 15, _percent(bot.win_rate), "minor"))
    return Plot(
        "wins",
        "Games won",
        "The dot is the win rate, the broad stroke its 95 % interval, the dashed line the fair share of an equal.",
        bottom + 26,
        "".join(parts),
    )


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.interval[0]:.1f} – {100 * estimate.interval[1]:.1f}"


def score_plot(bots: Sequence[BotSummary]) -> Plot:
    """How the scores of each bot spread, on one scale."""
    everything = np.concatenate([bot.scores for bot in bots])
    low, high = float(np.percentile(everything, 0.1)), float(np.percentile(everything, 99.9))
    low, high = low - 0.08 * (high - low) - 4, high + 0.08 * (high - low) + 4
    row, x = 64, _scale(low, high, LEFT, WIDTH - RIGHT)
    bottom = row * len(bots) + 14
    hills = [_hill(bot.scores, low, high) for bot in bots]
    parts = [_columns(x, ticks(low, high), bottom, lambda mark: minus(f"{mark:g}"))]
    for n, (bot, hill) in enumerate(zip(bots, hills, strict=True)):
        base = row * (n + 1) + 8
        heights = base - hill / float(hill.max()) * (row - 12)
        across = np.linspace(x(low), x(high), len(hill))
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in zip(across, heights, strict=True))
        parts.append(
            f'<polygon points="{across[0]:.1f},{base} {points} {across[-1]:.1f},{base}" '
            f'class="hill" fill="{_ink(n)}" stroke="{_ink(n)}"/>'
        )
        parts.append(_dot(x(bot.mean_score.value), base, _ink(n), 5))
        parts.append(_text(LEFT - 14, base, _short(bot.name), "end"))
        parts.append(_text(WIDTH - RIGHT + 18, base - 12, minus(f"{bot.mean_score.value:.1f}"), "strong"))
        parts.append(_text(WIDTH - RIGHT + 18, base + 3, f"sd {bot.scores.std():.1f}", "minor"))
    return Plot(
        "scores",
        "Scores",
        "How often each score came up, as hills of one height; the dot is the mean, sd the standard deviation.",
        bottom + 26,
        "".join(parts),
    )


def _hill(scores: Numbers, low: float, high: float, points: int = 160) -> Numbers:
    """A smoothed histogram of the scores over low .. high."""
    counts, edges = np.histogram(scores, bins=points, range=(low, high))
    width = max(1.06 * float(scores.std()) * len(scores) ** -0.2, (high - low) / points)
    middles = (edges[:-1] + edges[1:]) / 2
    weights = np.exp(-0.5 * ((middles[:, None] - middles[None, :]) / width) ** 2)
    result: Numbers = weights @ counts
    return result


def ladder_plot(summary: Summary, ratings: dict[str, Rating], what: str) -> Plot:
    """The ratings from the strongest down, with the step from one to the next."""
    order = {bot.name: n for n, bot in enumerate(summary.bots)}
    rungs = sorted(((name, r) for name, r in ratings.items() if name in order), key=lambda rung: -rung[1].value)
    ends = [end for _, rating in rungs for end in rating.interval]
    pad = (max(ends) - min(ends)) * 0.04 + 1e-6
    x = _scale(min(ends) - pad, max(ends) + pad, LEFT, WIDTH - RIGHT)
    digits = 0 if what == "Elo" else 1
    bottom = ROW * len(rungs) + 4
    parts = [_columns(x, ticks(min(ends) - pad, max(ends) + pad), bottom, lambda mark: f"{mark:g}")]
    for n, (name, rating) in enumerate(rungs):
        y, ink = ROW * (n + 0.5), _ink(order[name])
        parts += [_text(LEFT - 14, y + 5, _short(name), "end"), _span(x, y, rating.value, rating.interval, ink)]
        below = "the anchor" if not rating.margin else f"± {rating.margin:.{digits}f}"
        parts.append(_text(WIDTH - RIGHT + 18, y, minus(f"{rating.value:.{digits}f}"), "strong"))
        parts.append(_text(WIDTH - RIGHT + 18, y + 15, below, "minor"))
    for n, ((_, upper), (_, lower)) in enumerate(pairwise(rungs)):
        y = ROW * (n + 1)
        parts.append(
            _text((x(upper.value) + x(lower.value)) / 2, y + 4, f"{upper.value - lower.value:.{digits}f}", "minor mid")
        )
    caption = f"{what} of each bot with its 95 % interval; the small figures are the steps between neighbours."
    return Plot("ladder", f"The ladder ({what})", caption, bottom + 26, "".join(parts))


def test_plot(test: Test, bot: str) -> Plot:
    """The log-likelihood ratio deal by deal, between its bounds."""
    low, high = test.sprt.bounds
    height, right = 250, WIDTH - RIGHT
    values = [0.0, *test.path[: test.deals].tolist()]
    floor, roof = min(low, *values) - 0.5, max(high, *values) + 0.5
    x, y = _scale(0, max(test.deals, 1), LEFT - 100, right), _scale(floor, roof, height, 6)
    step = max(1, len(values) // 600)
    kept = sorted({*range(0, len(values), step), len(values) - 1})
    points = " ".join(f"{x(n):.1f},{y(values[n]):.1f}" for n in kept)
    parts = [_columns(x, ticks(0, test.deals), height, lambda mark: f"{mark:g}")]
    parts += [_text(x(0) - 10, y(mark) + 4, minus(f"{mark:g}"), "minor end") for mark in ticks(floor, roof)]
    for bound, rate in ((high, test.sprt.high), (low, test.sprt.low)):
        parts.append(_line(x(0), y(bound), right, y(bound), "mark"))
        parts.append(_text(right + 12, y(bound) - 2, f"{100 * rate:.1f} %", "strong"))
        parts.append(_text(right + 12, y(bound) + 13, "accepted", "minor"))
    parts.append(f'<polyline points="{points}" class="path" stroke="{_ink(0)}"/>')
    parts.append(_dot(x(kept[-1]), y(values[-1]), _ink(0)))
    return Plot(
        "test",
        f"The test of {_short(bot)}",
        "The log-likelihood ratio after each deal: the test ends where it first meets one of the dashed bounds.",
        height + 26,
        "".join(parts),
    )


def _budgets(summary: Summary) -> dict[str, list[tuple[float, Rating]]]:
    """The ratings of bots that play with several budgets of time, by seconds."""
    curves: dict[str, list[tuple[float, Rating]]] = {}
    for bot in summary.header.bots:
        if bot.seconds is not None and bot.name in summary.elo:
            curves.setdefault(bot.spec.partition("@")[0], []).append((bot.seconds, summary.elo[bot.name]))
    return {name: sorted(curve, key=lambda c: c[0]) for name, curve in curves.items() if len(curve) > 1}


def time_plot(summary: Summary, curves: dict[str, list[tuple[float, Rating]]]) -> Plot:
    """Elo against the seconds a decision, on a scale on which every doubling is as wide."""
    seconds = sorted({s for curve in curves.values() for s, _ in curve})
    others = {bot.name: r for bot in summary.bots if (r := summary.elo.get(bot.name)) and "@" not in bot.name}
    ends = [end for curve in curves.values() for _, r in curve for end in r.interval] + [
        r.value for r in others.values()
    ]
    height, right = 280, WIDTH - RIGHT
    logs = _scale(math.log(seconds[0]) - 0.3, math.log(seconds[-1]) + 0.3, LEFT - 80, right)
    y = _scale(min(ends) - 15, max(ends) + 15, height, 6)
    parts = [_columns(lambda mark: logs(math.log(mark)), seconds, height, lambda mark: f"{mark:g} s")]
    for mark in ticks(min(ends) - 15, max(ends) + 15):
        parts.append(_line(LEFT - 80, y(mark), right, y(mark), "grid"))
        parts.append(_text(LEFT - 90, y(mark) + 4, f"{mark:g}", "minor end"))
    taken = [y(curve[-1][1].value) for curve in curves.values()]
    for name, rating in others.items():
        parts.append(_line(LEFT - 80, y(rating.value), right, y(rating.value), "mark"))
        if all(abs(y(rating.value) - other) > 15 for other in taken):
            taken.append(y(rating.value))
            parts.append(_text(right + 12, y(rating.value) + 4, _cut(label(name), 13), "minor"))
    for n, (name, curve) in enumerate(curves.items()):
        points = " ".join(f"{logs(math.log(s)):.1f},{y(r.value):.1f}" for s, r in curve)
        parts.append(f'<polyline points="{points}" class="path" stroke="{_ink(n)}"/>')
        for s, r in curve:
            px = logs(math.log(s))
            parts.append(_line(px, y(r.interval[0]), px, y(r.interval[1]), "span", _ink(n)))
            parts.append(_dot(px, y(r.value), _ink(n)))
        parts.append(_text(right + 12, y(curve[-1][1].value) + 4, _cut(label(name), 11), "strong"))
    return Plot(
        "time",
        "Strength by time",
        "Elo of a bot by the seconds it has for a decision, with 95 % intervals; dashed: bots without a clock.",
        height + 26,
        "".join(parts),
    )


def pair_plot(names: Sequence[str], pairs: Sequence[Pair]) -> Plot:
    """Who beats whom: a square for each pair, the more ink the more wins of the row over the column."""
    rates = {(p.bot, p.other): p.win_rate.value for p in pairs}
    rates |= {(p.other, p.bot): 1 - p.win_rate.value for p in pairs}
    size = min(84, (WIDTH - LEFT - 10) / len(names))
    parts = []
    for row, name in enumerate(names):
        y = 30 + row * size * 0.6
        parts.append(_text(LEFT - 14, y + size * 0.3 + 5, _short(name), "end"))
        parts.append(_text(LEFT + row * size + size / 2, 18, _cut(label(name), int(size / 7.5)), "minor mid"))
        parts += _cells(name, names, rates, y, size)
    return Plot(
        "pairs",
        "Who beats whom",
        "The row's win rate against the column, in per cent; the more ink, the more wins.",
        round(30 + len(names) * size * 0.6 + 8),
        "".join(parts),
    )


def _cells(
    name: str, names: Sequence[str], rates: dict[tuple[str, str], float], y: float, size: float
) -> Iterator[str]:
    for column, other in enumerate(names):
        rate = rates.get((name, other))
        if rate is None:
            continue
        x = LEFT + column * size
        yield (
            f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{size - 2:.1f}" height="{size * 0.6 - 2:.1f}" rx="3" '
            f'fill="var(--bot-0)" fill-opacity="{0.05 + 0.5 * rate:.2f}"/>'
        )
        yield _text(x + size / 2, y + size * 0.3 + 5, f"{100 * rate:.0f}", "mid strong" if rate > 0.5 else "mid")
