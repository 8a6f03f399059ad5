"""An outcome as tables for a reader."""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.table import Table

from branchline.bots import short_name
from branchline.simulation.outcome import Outcome, SeatOutcome
from branchline.simulation.parts import PARTS

LEAST_WIDTH = 80
BINS = 24
BARS, PLAIN_BARS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"


def print_outcome(outcome: Outcome, console: Console | None = None) -> None:
    """Print wins, scores, tickets and ends."""
    console = console or Console(highlight=False)
    console.width = max(console.width, LEAST_WIDTH)
    bars = BARS if "utf" in console.encoding.lower() else PLAIN_BARS
    for part in (
        _title(outcome),
        _win_table(outcome),
        _score_table(outcome, bars),
        _ticket_table(outcome),
        _foot(outcome),
    ):
        console.print(part, markup=False, soft_wrap=isinstance(part, str))
        console.print()


def _title(outcome: Outcome) -> str:
    series = outcome.series
    seats = "the bots move one seat on from game to game" if series.rotate else "every bot keeps its seat"
    return f"{series.map.name}, {series.players} players, {series.games:,} games, seed {series.seed}; {seats}"


def _table(outcome: Outcome, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, collapse_padding=True, padding=(0, 2, 0, 0))
    table.add_column("\nbot" if outcome.series.rotate else "\nseat", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _label(seat: SeatOutcome) -> str:
    return f"{seat.seat} {short_name(seat.bot)}"


def _win_table(outcome: Outcome) -> Table:
    table = _table(outcome, "\nwins", "\n%", "won\nalone", "won\nshared", "mean\nscore", "\nsd")
    for seat in outcome.seats:
        wins = (f"{seat.wins:,.1f}", f"{100 * seat.win_rate:.1f}", f"{seat.wins_alone:,}", f"{seat.wins_shared:,}")
        table.add_row(_label(seat), *wins, f"{seat.mean_score:.1f}", f"{seat.sd_score:.1f}")
    return table


def _score_table(outcome: Outcome, bars: str) -> Table:
    """The spread of the scores, drawn on one scale for all."""
    low = min(int(seat.scores.min()) for seat in outcome.seats)
    high = max(int(seat.scores.max()) for seat in outcome.seats)
    scale = f"{low}".ljust(BINS - len(str(high))) + f"{high}"
    table = _table(outcome, "min\nscore", "\n25 %", "\nmedian", "\n75 %", "\nmax", f"\n {scale} ")
    for seat in outcome.seats:
        numbers = (seat.scores.min(), *seat.quartiles, seat.scores.max())
        table.add_row(_label(seat), *(f"{n:g}" for n in numbers), f"|{_histogram(seat, low, high, bars)}|")
    return table


def _histogram(seat: SeatOutcome, low: int, high: int, bars: str) -> str:
    counts, _ = np.histogram(seat.scores, bins=BINS, range=(low, high + 1))
    most = int(counts.max())
    return "".join(bars[-(-int(n) * (len(bars) - 1) // most)] for n in counts)


def _ticket_table(outcome: Outcome) -> Table:
    more = [counted for part in PARTS if part.in_play(outcome.series.map) for counted in part.counted]
    tickets = ("tickets\nkept", "tickets\ndone", "\n%", "ticket\npoints")
    others = ("track\npoints", "trains\nleft", "decisions\na game", *(counted.heading for counted in more))
    table = _table(outcome, *tickets, *others)
    for seat in outcome.seats:
        kept, done = seat.tickets_kept / seat.games, seat.tickets_completed / seat.games
        numbers = [kept, done, 100 * seat.ticket_completion, seat.mean_ticket_points]
        numbers += [seat.mean_track_points, seat.mean_trains_left, seat.choices_per_game]
        cells = [f"{n:.1f}" for n in numbers] + [f"{seat.more[counted.name]:.2f}" for counted in more]
        table.add_row(_label(seat), *cells)
    return table


def _foot(outcome: Outcome) -> str:
    ends = ", ".join(f"{name} {n:,}" for name, n in outcome.ends.items() if n)
    return (
        f"ends: {ends}\n"
        f"{outcome.decisions_per_game:.1f} decisions a game; {outcome.games_per_s:,.0f} games and "
        f"{outcome.decisions_per_s:,.0f} decisions a second ({outcome.elapsed_s:.2f} s)\n"
        "A victory shared by k players counts as 1/k in wins; all other figures are means over the games."
    )
