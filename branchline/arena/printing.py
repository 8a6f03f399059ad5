"""A summary as tables in the terminal, and the command that plays it again."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from branchline.arena.ratings import Rating
from branchline.arena.results import Header
from branchline.arena.statistics import Interval
from branchline.arena.summary import Summary, Test
from branchline.maps import shipped_maps

LEAST_WIDTH = 120
PLAIN = str.maketrans({"–": "-", "−": "-", "±": "~", "·": "/"})  # for terminals that know no others
VERDICTS = {"high": "the higher rate is accepted", "low": "the lower rate is accepted", "open": "not decided yet"}


def print_summary(summary: Summary, console: Console | None = None) -> None:
    """Print who won how often, by how much, and how sure that is."""
    console = console or Console(highlight=False)
    console.width = max(console.width, LEAST_WIDTH)
    parts = [title(summary), _bot_table(summary)]
    if summary.is_pool and summary.pairs:
        parts.append(_pair_table(summary))
    if summary.test:
        parts.append(test_words(summary.test, summary.header.lineups[0][0]))
    if any(bot.choices for bot in summary.bots):
        parts.append(_clock_table(summary))
    with console.capture() as printed:
        for part in (*parts, foot(summary)):
            console.print(part, markup=False, soft_wrap=isinstance(part, str))
            console.print()
    text = printed.get()
    console.file.write(text if "utf" in console.encoding.lower() else text.translate(PLAIN))


def title(summary: Summary) -> str:
    return f"{summary.header.map_name}, {summary.header.players} players, {extent(summary)}"


def extent(summary: Summary) -> str:
    """How much was played."""
    header = summary.header
    seeds = ", ".join(str(seed) for seed in header.seeds)
    return (
        f"{len(summary.units):,} deals, "
        f"each played {header.players} times{' by every table' if summary.is_pool else ''} ({summary.games:,} games), "
        f"seed{'s' if len(header.seeds) > 1 else ''} {seeds}"
    )


def foot(summary: Summary) -> str:
    ends = ", ".join(f"{end} {n:,}" for end, n in summary.ends.items())
    seats = " · ".join(f"{100 * seat.value:.1f}" for seat in summary.seats)
    return (
        f"wins by seat, whoever sits there: {seats} %; "
        f"{summary.decisions_per_game:.1f} decisions a game; ends: {ends}\n"
        "Intervals: 95 %, with the deal as the unit. A victory shared by k players counts as 1/k."
    )


def label(name: str) -> str:
    """A bot's name for a narrow place: without the folder of its file."""
    return name.replace("\\", "/").rpartition("/")[2]


def percent(interval: Interval) -> str:
    return f"{100 * interval[0]:.1f} – {100 * interval[1]:.1f}"


def span(interval: Interval, digits: int = 1) -> str:
    return minus(" – ".join(f"{end:.{digits}f}" if math.isfinite(end) else "?" for end in interval))


def minus(text: str) -> str:
    """Figures with a minus sign that is not a hyphen."""
    return text.replace("-", "−")


def rating_words(rating: Rating | None, digits: int = 0) -> str:
    """A rating with its margin; the anchor has none."""
    if rating is None:
        return ""
    return minus(f"{rating.value:.{digits}f}") + (f" ± {rating.margin:.{digits}f}" if rating.margin else "")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, collapse_padding=True, padding=(0, 2, 0, 0))
    for n, column in enumerate(columns):
        table.add_column(column, justify="left" if n == 0 else "right", no_wrap=True)
    return table


def _bot_table(summary: Summary) -> Table:
    elo = summary.elo
    rating = "\nElo" if elo else "open-\nskill"
    table = _table("\nbot", "wins\n%", "\ninterval", "fair\nshare", "mean\nscore", "\ninterval", "lead", "\n±", rating)
    for bot in summary.bots:
        margin = bot.difference.interval[1] - bot.difference.value
        table.add_row(
            label(bot.name),
            f"{100 * bot.win_rate.value:.1f}",
            percent(bot.win_rate.interval),
            f"{100 * bot.expected:.0f}",
            minus(f"{bot.mean_score.value:.1f}"),
            span(bot.mean_score.interval),
            minus(f"{bot.difference.value:+.1f}"),
            f"{margin:.1f}" if math.isfinite(margin) else "?",
            rating_words(elo.get(bot.name)) if elo else rating_words(summary.openskill.get(bot.name), 1),
        )
    return table


def _pair_table(summary: Summary) -> Table:
    table = _table("pair", "deals", "wins of the first %", "interval")
    for pair in summary.pairs:
        rate = pair.win_rate
        table.add_row(
            f"{label(pair.bot)} : {label(pair.other)}",
            f"{pair.deals:,}",
            f"{100 * rate.value:.1f}",
            percent(rate.interval),
        )
    return table


def _clock_table(summary: Summary) -> Table:
    table = _table("bot at the clock", "decisions", "mean ms", "longest ms", "failed games")
    for bot in summary.bots:
        if bot.choices:
            mean = 1000 * (bot.mean_seconds or 0)
            table.add_row(
                label(bot.name), f"{bot.choices:,}", f"{mean:.2f}", f"{1000 * bot.longest:.1f}", str(bot.faults)
            )
    return table


def test_words(test: Test, bot: str) -> str:
    """Where a sequential test stands, in words."""
    low, high = test.sprt.bounds
    ratio = float(test.path[test.deals - 1]) if test.deals else 0.0
    return (
        f"Test of {label(bot)}'s win rate, {100 * test.sprt.low:.1f} % against {100 * test.sprt.high:.1f} % "
        f"(errors {test.sprt.alpha:g} and {test.sprt.beta:g}): {VERDICTS[test.verdict]} after {test.deals:,} deals, "
        f"log-likelihood ratio {ratio:.2f} (bounds {low:.2f} and {high:.2f})"
    )


def command(header: Header, lineup: Sequence[str] | None, *, seed: int, first: int, deals: int) -> str:
    """The command that plays a line-up, or all of a pool, again."""
    specs = {bot.name: bot.spec for bot in header.bots}
    file = header.map if header.map in shipped_maps() else f"{header.map}.json"
    words = ["branchline", "arena", "--map", file, "--players", str(header.players)]
    if lineup is None:
        words += ["--pool", ",".join(bot.spec for bot in header.bots)]
    else:
        words += ["--bots", ",".join(specs[name] for name in dict.fromkeys(lineup))]
    times = {bot.seconds for bot in header.bots if bot.seconds is not None and "@" not in bot.spec}
    words += ["--time", f"{times.pop():g}"] if len(times) == 1 else []
    words += ["--sprt", header.sprt.text] if header.sprt and deals > 1 else []
    words += ["--first", str(first)] if first else []
    return shlex.join([*words, "--deals", str(deals), "--seed", str(seed)])
