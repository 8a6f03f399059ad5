"""A summary as documents: Markdown for repositories, and one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from branchline.arena.contest_page import page
from branchline.arena.plots import plots_of
from branchline.arena.printing import command, label, minus, percent, rating_words, span, test_words, title
from branchline.arena.summary import Summary


def write_report(summary: Summary, name: Path) -> list[Path]:
    """Write NAME.md, its plots NAME-*.svg and NAME.html; a report is made anew each time."""
    if name.suffix in (".md", ".html"):
        name = name.with_suffix("")
    name.parent.mkdir(parents=True, exist_ok=True)
    plots = {f"{name.name}-{plot.key}.svg": plot for plot in plots_of(summary)}
    written = {f"{name.name}.md": markdown(summary, {plot.title: file for file, plot in plots.items()})}
    written |= {file: plot.standalone() for file, plot in plots.items()}
    written[f"{name.name}.html"] = page(summary)
    for file, text in written.items():
        (name.parent / file).write_text(text, encoding="utf-8")
    return [name.parent / file for file in written]


def markdown(summary: Summary, plots: dict[str, str]) -> str:
    """The report as Markdown, with links to the files of its plots by their titles."""
    parts = [
        f"# Arena: {summary.header.map_name}, {summary.header.players} players",
        title(summary) + ".",
        "\n".join(_table(*bot_rows(summary))),
    ]
    if summary.test:
        parts.append(test_words(summary.test, summary.header.lineups[0][0]) + ".")
    parts += [f"![{plot}]({file})" for plot, file in plots.items()]
    for heading, rows in sections(summary):
        parts += [f"## {heading}", "\n".join(_table(*rows))]
    parts += ["## How it was played", *(f"    {line}" for line in reproduce(summary)), *notes(summary)]
    return "\n\n".join(parts) + "\n"


def _table(*rows: Sequence[str]) -> Iterator[str]:
    """A Markdown table; the first row is its head."""
    for n, row in enumerate(rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        if n == 0:
            yield "|---|" + "--:|" * (len(row) - 1)


def bot_rows(summary: Summary) -> list[list[str]]:
    """A line for each bot: wins, scores, ratings."""
    elo = summary.elo
    rating = "Elo" if elo else "openskill"
    rows = [["bot", "wins", "95 %", "fair share", "mean score", "95 %", "lead", rating]]
    for bot in summary.bots:
        margin = bot.difference.interval[1] - bot.difference.value
        row = [label(bot.name), f"{100 * bot.win_rate.value:.1f} %", percent(bot.win_rate.interval)]
        row += [f"{100 * bot.expected:.0f} %", minus(f"{bot.mean_score.value:.1f}"), span(bot.mean_score.interval)]
        row += [minus(f"{bot.difference.value:+.1f} ± {margin:.1f}")]
        ratings, digits = (elo, 0) if elo else (summary.openskill, 1)
        rows.append([*row, rating_words(ratings.get(bot.name), digits)])
    return rows


def sections(summary: Summary) -> Iterator[tuple[str, list[list[str]]]]:
    """The other tables of a report that have something to say."""
    if summary.is_pool and summary.pairs:
        yield "Pair by pair", pair_rows(summary)
    if summary.elo:
        yield "Ratings of openskill", skill_rows(summary)
    yield "By seat", seat_rows(summary)
    if any(bot.choices for bot in summary.bots):
        yield "At the clock", clock_rows(summary)
    if any(bot.faults for bot in summary.bots):
        yield "Failures", fault_rows(summary)


def pair_rows(summary: Summary) -> list[list[str]]:
    rows = [["pair", "deals", "wins of the first", "95 %"]]
    for pair in summary.pairs:
        rate = f"{100 * pair.win_rate.value:.1f} %"
        rows.append(
            [f"{label(pair.bot)} : {label(pair.other)}", f"{pair.deals:,}", rate, percent(pair.win_rate.interval)]
        )
    return rows


def seat_rows(summary: Summary) -> list[list[str]]:
    rows = [["seat", "wins, whoever sits there", "95 %"]]
    for seat, rate in enumerate(summary.seats, 1):
        rows.append([f"{seat}", f"{100 * rate.value:.1f} %", percent(rate.interval)])
    return rows


def skill_rows(summary: Summary) -> list[list[str]]:
    """For two players openskill stands beside Elo."""
    rows = [["bot", "mu", "95 %"]]
    for name, rating in sorted(summary.openskill.items(), key=lambda item: -item[1].value):
        rows.append([label(name), minus(f"{rating.value:.1f}"), span(rating.interval)])
    return rows


def clock_rows(summary: Summary) -> list[list[str]]:
    seconds = {bot.name: bot.seconds for bot in summary.header.bots}
    rows = [["bot", "seconds given", "decisions", "mean", "longest"]]
    for bot in summary.bots:
        if bot.mean_seconds is not None:
            given = f"{seconds[bot.name]:g} s" if seconds[bot.name] is not None else "its own"
            times = f"{1000 * bot.mean_seconds:.1f} ms", f"{1000 * bot.longest:.0f} ms"
            rows.append([label(bot.name), given, f"{bot.choices:,}", *times])
    return rows


def fault_rows(summary: Summary) -> list[list[str]]:
    rows = [["bot", "seed", "deal", "rotation", "choice", "what happened"]]
    faults = [(deal, fault) for deal in summary.deals for fault in deal.faults]
    for deal, fault in faults[:50]:
        where = (str(deal.seed), str(deal.deal), str(fault.rotation), str(fault.choice))
        rows.append([label(fault.bot), *where, fault.error.replace("\n", " ")])
    return rows


def reproduce(summary: Summary) -> list[str]:
    """The commands that play the same deals again, a seed each."""
    header = summary.header
    lines = []
    for seed in header.seeds:
        numbers = [deal.deal for deal in summary.deals if deal.seed == seed]
        if numbers:
            lineup = None if summary.is_pool else header.lineups[0]
            first = min(numbers)
            lines.append(command(header, lineup, seed=seed, first=first, deals=max(numbers) - first + 1))
    return lines


def notes(summary: Summary) -> list[str]:
    """What a reader has to know about the figures."""
    header = summary.header
    return [
        f"Branchline {header.version}, rules {header.rules_version}, map {header.map} ({header.map_hash[:12]}), "
        f"bots {header.code}.",
        "Every deal is played once a rotation with the same cards, all bots one seat further each time. Intervals hold "
        "with 95 % and take the deal, not the game, as the unit. A victory shared by k players counts as 1/k. "
        "docs/arena.md has the formulas.",
    ]
