"""A review as plain text for the terminal, as Markdown, and as one page that needs nothing else."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from branchline.maps.model import MapData
from branchline.review.model import Review
from branchline.review.telling import TERMS, Table, Told
from branchline.words import Language

COLOURS = ("#b3261e", "#1d5fa8", "#2c7a3f", "#b88a00", "#5b5b5b")
DASHES = ("", "8 4", "2 3", "12 3 2 3", "5 2")  # so that a curve is known without its colour too
WIDE, HIGH = 760, 240
LETTERS = 16  # of a line under a bar
STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{text-align:left;padding:.25rem .75rem;border-bottom:1px solid #8886}
svg{width:100%;height:auto;background:#8881}
svg text{font:12px system-ui,sans-serif;fill:currentColor}
"""


def text_of(review: Review, data: MapData, language: Language = "en") -> str:
    """What `branchline review` prints."""
    told = Told(review, data, language)
    parts = [told.title, told.judge, "", *_columns(told.players()), "", *_columns(told.verdicts()), ""]
    parts += [*_columns(told.ledger()), "", told.word("costliest"), *_costliest(told)]
    parts += ["", told.word("turning"), *(f"  {line}" for line in told.turning())]
    return "\n".join(parts)


def _columns(table: Table) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        first, *rest = (
            f"{cell:<{width}}" if n == 0 else f"{cell:>{width}}" for n, (cell, width) in _sized(row, widths)
        )
        yield "  ".join([first, *rest]).rstrip()


def _sized(row: Sequence[str], widths: Sequence[int]) -> Iterable[tuple[int, tuple[str, int]]]:
    return enumerate(zip(row, widths, strict=True))


def _costliest(told: Told) -> Iterator[str]:
    for seat, name in enumerate(told.names):
        yield f"  {name}"
        yield from (f"    {line}" for line in told.costliest(seat))


# --- Markdown -------------------------------------------------------------------------------------------------


def markdown_of(review: Review, data: MapData, language: Language = "en") -> str:
    told = Told(review, data, language)
    parts = [f"# {_plain(told.title)}", _plain(told.judge), _rows(told.players()), _rows(told.verdicts())]
    parts += [f"## {told.word('costliest')}"]
    for seat, name in enumerate(told.names):
        parts += [f"### {_plain(name)}", "\n".join(f"- {_plain(line)}" for line in told.costliest(seat))]
    parts += [f"## {told.word('turning')}", "\n".join(f"- {_plain(line)}" for line in told.turning())]
    parts += [f"## {told.word('ledger')}", _rows(told.ledger())]
    parts += [f"## {told.word('curve')}", _rows(told.curve())]
    parts += [f"## {told.word('tickets')}", _rows(told.tickets())]
    if told.open():
        parts += [f"## {told.word('open')}", _rows(told.open())]
    parts += [f"## {told.word('moves')}", _rows(told.moves())]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(table: Table) -> str:
    head, *rows = ["| " + " | ".join(map(_plain, row)) + " |" for row in table]
    return "\n".join([head, "|" + " --- |" * len(table[0]), *rows])


def _plain(text: str) -> str:
    """A name is somebody's own: nothing in it may become markup."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in text)


# --- one page -------------------------------------------------------------------------------------------------


def page_of(review: Review, data: MapData, language: Language = "en") -> str:
    """A page with its curve and its waterfalls drawn, and both as text; without a script."""
    told = Told(review, data, language)
    body = "\n".join(_body(told))
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(told.title)}</title>'
    )
    top = f'<!doctype html>\n<html lang="{language}">\n<head>{head}<style>{STYLE}</style></head>'
    return f"{top}\n<body>\n{body}\n</body>\n</html>\n"


def _body(told: Told) -> Iterator[str]:
    yield f"<h1>{escape(told.title)}</h1><p>{escape(told.judge)}</p>"
    yield _table(told.players()) + _table(told.verdicts())
    yield f"<h2>{escape(told.word('curve'))}</h2>" + _curve(told)
    yield f"<details><summary>{escape(told.word('curve.text'))}</summary>{_table(told.curve())}</details>"
    yield f"<h2>{escape(told.word('costliest'))}</h2>"
    for seat, name in enumerate(told.names):
        yield f"<h3>{escape(name)}</h3>" + _list(told.costliest(seat))
    yield f"<h2>{escape(told.word('turning'))}</h2>" + _list(told.turning())
    yield f"<h2>{escape(told.word('ledger'))}</h2>"
    yield from (_waterfall(told, seat) for seat in range(len(told.names)))
    yield _table(told.ledger())
    yield f"<h2>{escape(told.word('tickets'))}</h2>" + _table(told.tickets())
    if told.open():
        yield f"<h2>{escape(told.word('open'))}</h2>" + _table(told.open())
    yield f"<h2>{escape(told.word('moves'))}</h2>" + _table(told.moves())


def _table(table: Table) -> str:
    head, *rows = table
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    rest = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{rest}</tbody></table>"


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _curve(told: Told) -> str:
    """What each seat thought of its chances over the moves; each turning point has a mark."""
    points = told.review.curve
    step = WIDE / max(1, len(points) - 1)
    lines = [
        f'<polyline fill="none" stroke="{COLOURS[seat]}" stroke-width="2" stroke-dasharray="{DASHES[seat]}" points="'
        + " ".join(f"{n * step:.1f},{HIGH * (1 - point.own[seat]):.1f}" for n, point in enumerate(points))
        + f'"/><text x="{8 + 150 * seat}" y="{HIGH + 18}" style="fill:{COLOURS[seat]}">{escape(name)}</text>'
        for seat, name in enumerate(told.names)
    ]
    marks = "".join(
        f'<line x1="{(n - 1) * step:.1f}" x2="{(n - 1) * step:.1f}" y1="0" y2="{HIGH}" stroke="#8888"/>'
        for n in told.review.turning
    )
    return _drawn(told.word("curve"), marks + "".join(lines), HIGH + 26)


def _waterfall(told: Told, seat: int) -> str:
    """From the chances at the start to the result, a bar for each term."""
    bars, top, wide = [], 0.0, WIDE / (len(TERMS) + 1)
    ledger = told.review.players[seat].ledger
    for n, term in enumerate(TERMS):
        value = getattr(ledger, term)
        bars.append(_bar(n, wide, top, top + value, told.word(f"ledger.{term}"), term == "start"))
        top += value
    bars.append(_bar(len(TERMS), wide, 0.0, top, told.word("ledger.result"), True))
    ground = f'<line x1="0" x2="{WIDE}" y1="{_level(0):.1f}" y2="{_level(0):.1f}" stroke="#8888"/>'
    return f"<h3>{escape(told.names[seat])}</h3>" + _drawn(told.names[seat], ground + "".join(bars), HIGH + 46)


def _bar(n: int, wide: float, start: float, end: float, word: str, is_whole: bool) -> str:
    low, high = (_level(value) for value in (min(start, end), max(start, end)))
    fill = "#777" if is_whole else ("#2c7a3f" if end >= start else "#b3261e")
    lines = textwrap.wrap(word.split(":")[0], LETTERS)
    label = "".join(
        f'<text x="{(n + 0.5) * wide:.1f}" y="{HIGH + 14 + 14 * i}" text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<rect x="{n * wide + 8:.1f}" y="{high:.1f}" width="{wide - 16:.1f}" height="{max(1.0, low - high):.1f}" '
        f'fill="{fill}"/>{label}'
    )


def _level(value: float) -> float:
    """From −100 % at the bottom to 200 % at the top: sums of skill go beyond what can be won."""
    return HIGH * (1 - (min(2.0, max(-1.0, value)) + 1) / 3)


def _drawn(name: str, content: str, high: float) -> str:
    return f'<svg viewBox="0 0 {WIDE} {high}" role="img" aria-label="{escape(name, quote=True)}">{content}</svg>'
