"""The report as one page of HTML that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from branchline.arena.plots import STYLE, inks, plots_of
from branchline.arena.printing import extent, label, test_words
from branchline.arena.summary import BotSummary, Summary

PAGE_STYLE = """
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); line-height: 1.5;
  font: 17px/1.5 'Barlow Semi Condensed', 'Arial Narrow', 'Helvetica Neue', sans-serif }
main { max-width: 920px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
h1, h2, .headline { font-family: 'Old Standard TT', 'Times New Roman', serif; font-weight: 700; line-height: 1.2;
  margin: 0 }
h1 { font-size: clamp(1.9rem, 1.5rem + 1.8vw, 2.75rem) }
h2 { font-size: 1.35rem }
.over { letter-spacing: .14em; text-transform: uppercase; font-size: .8rem; color: var(--ink-2); margin: 0 0 .3rem }
.what { color: var(--ink-2); margin: .4rem 0 0 }
.headline { font-size: 1.45rem; font-weight: 400; margin: 1.6rem 0; padding: 1rem 1.2rem;
  border-left: 5px solid var(--line); background: var(--paper); border-radius: 0 6px 6px 0 }
section { margin-top: 1.6rem; background: var(--paper); border: 1px solid var(--line-soft); border-radius: 10px;
  padding: 1.1rem 1.3rem 1.2rem }
section > p { color: var(--ink-2); margin: .2rem 0 1rem; font-size: .95rem }
svg { display: block; width: 100%; min-width: 540px; height: auto }
.wide { overflow-x: auto }
table { font-size: .97rem; border-collapse: collapse; width: 100%;
  font-variant-numeric: tabular-nums; margin-top: .6rem }
th, td { text-align: right; padding: .4rem .5rem; border-bottom: 1px solid var(--line-soft); white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
td:last-child { padding-right: 0 }
td.long { white-space: normal; text-align: left }
tbody tr:last-child td { border-bottom: 0 }
th { font-weight: 600; color: var(--ink-2); font-size: .88rem }
code { display: block; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .86rem/1.6 ui-monospace, 'DejaVu Sans Mono', monospace;
  background: var(--ground); border-radius: 6px; padding: .7rem .9rem; margin: .7rem 0 }
footer { color: var(--ink-2); font-size: .92rem; margin-top: 1.8rem }
@media (max-width: 560px) { main { padding: 1.4rem .8rem 3rem } section { padding: .9rem .8rem } }
@media print { body { background: #fff } section { break-inside: avoid } }
"""
GROUND = ("#f5ecd7", "#10232a")


def page(summary: Summary) -> str:
    """The whole page."""
    from branchline.arena.writing import bot_rows, notes, reproduce, sections

    header = summary.header
    heading = f"{header.map_name}, {header.players} players"
    plots = "".join(
        f"<section><h2>{escape(plot.title)}</h2><p>{escape(plot.caption)}</p>"
        f'<div class="wide">{plot.inline()}</div></section>'
        for plot in plots_of(summary)
    )
    tables = "".join(f"<section><h2>{escape(name)}</h2>{_table(rows)}</section>" for name, rows in sections(summary))
    commands = "".join(f"<code>{escape(line)}</code>" for line in reproduce(summary))
    test = f"<p>{escape(test_words(summary.test, header.lineups[0][0]))}.</p>" if summary.test else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Arena: {escape(heading)}</title><style>{_style()}</style></head><body><main>"
        f'<header><p class="over">Branchline · Arena</p><h1>{escape(heading)}</h1>'
        f'<p class="what">{escape(extent(summary))}</p></header>'
        f'<p class="headline">{escape(headline(summary))}</p>'
        f"<section><h2>The figures</h2>{test}{_table(bot_rows(summary))}</section>"
        f"{plots}{tables}<section><h2>How it was played</h2>{commands}</section>"
        f"<footer>{''.join(f'<p>{escape(note)}</p>' for note in notes(summary))}</footer></main></body></html>\n"
    )


def headline(summary: Summary) -> str:
    """The result in a sentence that claims no more than was shown."""
    best = max(summary.bots, key=lambda bot: bot.win_rate.value - bot.expected)
    rate = f"{100 * best.win_rate.value:.1f} %"
    if best.win_rate.interval[0] <= best.expected:
        return f"No bot is shown to be stronger: {label(best.name)} leads with {rate}, which may be luck."
    fair = f"where {100 * best.expected:.0f} % would be fair"
    return f"{label(best.name)} wins {rate} of its games{_against(summary, best)}, {fair}."


def _against(summary: Summary, best: BotSummary) -> str:
    others = [label(bot.name) for bot in summary.bots if bot is not best]
    return f" against {others[0]}" if len(others) == 1 else f" in this field of {len(summary.bots)}"


def _style() -> str:
    day, night = (f"{inks(theme)}; --ground: {GROUND[theme]}" for theme in (0, 1))
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {night} }} }}"
    return f":root {{ color-scheme: light dark; {day} }} {dark}{PAGE_STYLE}{STYLE}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows[1:])
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(text: str) -> str:
    return f'<td class="long">{escape(text)}</td>' if len(text) > 40 else f"<td>{escape(text)}</td>"
