"""The report as one page that needs nothing beside itself: words first, then the map, then the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from branchline.lab.drawing import heat_map, histogram, width_of
from branchline.lab.figures import Study
from branchline.lab.findings import find
from branchline.lab.pieces import MARK, Finding, Table
from branchline.lab.report_tables import tables_of
from branchline.lab.style import STYLE
from branchline.lab.texts import HOW_TO_READ, command_of, played, reconstructions
from branchline.lab.words import number

SMALL = 5  # columns of a table that leaves room for another beside it
WHEN_WORDS = ("first fifth of the game", "second", "third", "fourth", "last")
WIN_WORDS = ("clearly less than a fair share", "less", "as good as fair, or not certain", "more", "clearly more")


def write_page(studies: Sequence[Study]) -> str:
    """The page of a map, a section for each number of players."""
    data = studies[0].map
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(data.name)} in the lab · Branchline</title>",
        f"<style>{STYLE}</style></head><body>",
        *_header(studies),
        "<main>",
        *(part for study in studies for part in _section(study)),
        "</main>",
        *_footer(studies),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _header(studies: Sequence[Study]) -> Iterator[str]:
    data = studies[0].map
    yield f'<header><p class="kicker">Branchline lab</p><h1>{escape(data.name)}: what self-play says</h1>'
    yield f'<p class="lead">{escape(played(studies))}</p>'
    marked = reconstructions(data)
    if marked:
        yield f'<p class="mark">{MARK} {escape(marked)}</p>'
    if len(studies) > 1:
        links = (f'<a href="#p{study.players}">{study.players} players</a>' for study in studies)
        yield f'<nav aria-label="Numbers of players">{"".join(links)}</nav>'
    yield "</header>"


def _footer(studies: Sequence[Study]) -> Iterator[str]:
    yield "<footer><h3>How to read this</h3>"
    for paragraph in HOW_TO_READ:
        yield f'<p class="note">{escape(paragraph)}</p>'
    yield f'<p class="note">Made by <code>{escape(command_of(studies))}</code></p></footer>'


def _section(study: Study) -> Iterator[str]:
    yield f'<section id="p{study.players}"><h2>{study.players} players</h2>'
    yield '<h3>What to look at</h3><ol class="findings">'
    yield from (_finding(finding) for finding in find(study))
    yield "</ol><h3>The map</h3>"
    yield from _map(study)
    yield "<h3>Final scores</h3>"
    scores = study.scores
    yield (
        f'<p class="note">Mean {number(scores.mean)}, standard deviation {number(scores.sd)}, winners '
        f"{number(scores.winner_mean)}; each bar holds {scores.bin_width} points, the broken line is the mean.</p>"
    )
    yield histogram(study)
    yield '<div class="tables">'
    yield from (_table(table) for table in tables_of(study))
    yield "</div></section>"


def _finding(finding: Finding) -> str:
    advice = f'<p class="advice">{escape(finding.advice)}</p>'
    text = escape(finding.text).replace(" %", "&nbsp;%")  # a line does not end between a number and its sign
    return f"<li><h4>{escape(finding.title)}</h4><p>{text}</p>{advice}</li>"


# ---------------------------------------------------------------- the map


def _map(study: Study) -> Iterator[str]:
    n = study.players
    yield '<p class="note">The wider a track, the oftener it is taken. All numbers stand in the table “All tracks”.</p>'
    yield f"<div>{_choice(f'when{n}', f'by{n}', 'colour: when', ' checked')}"
    yield _choice(f"win{n}", f"by{n}", "colour: how often its taker wins", kind="pick by-win")
    yield '<p class="note hint">The map is wider than the screen: move it sideways.</p>'
    drawing = heat_map(study)
    yield f'<div class="sheet" tabindex="0" role="group" aria-label="Map of {escape(study.map.name)}">{drawing}</div>'
    yield f'<div class="legend">{_legend()}</div></div>'


def _choice(id: str, name: str, words: str, more: str = "", kind: str = "pick") -> str:
    """One of two buttons; the style sheet alone follows them."""
    return f'<input class="{kind}" type="radio" name="{name}" id="{id}"{more}><label for="{id}">{words}</label>'


def _legend() -> str:
    often = "".join(_key("plain", f"in {share} % of the games", width_of(share / 100)) for share in (10, 50, 90))
    when = "".join(_key(f"e{i}", words) for i, words in enumerate(WHEN_WORDS))
    wins = "".join(_key(f"v{i}", words) for i, words in enumerate(WIN_WORDS))
    return (
        f"<div>{often}{_key('never', 'never', width_of(0.0))}</div>"
        f'<div class="when">Taken, in the middle, in the {when}</div><div class="win">Its taker wins {wins}</div>'
    )


def _key(kind: str, words: str, width: float = 8.0) -> str:
    line = f'<path class="k {kind}" stroke-width="{width:.1f}" d="M1 7H33"/>'
    return f'<span><svg viewBox="0 0 34 14" aria-hidden="true">{line}</svg>{words}</span>'


# ---------------------------------------------------------------- tables


def _table(table: Table) -> str:
    """A table; end tags that HTML lets go are left out, which makes a page a fifth smaller."""
    head = "".join(f'<th scope="col">{escape(cell)}' for cell in table.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{_cell(cell)}" for cell in row) for row in table.rows)
    body = f'<table class="w{table.words}"><thead><tr>{head}</thead><tbody>\n{rows}\n</tbody></table>'
    body = f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(table.title)}">{body}</div>'
    if table.folded:
        body = f"<details><summary>Show {len(table.rows)} rows</summary>{body}</details>"
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    small = " small" if len(table.head) <= SMALL and not table.folded else ""
    return f'<div class="tb{small}"><h3>{escape(table.title)}</h3>{note}{body}</div>'


def _cell(text: str) -> str:
    value, sign, half = text.partition(" ±")
    return f"{escape(value)} <i>±{half}</i>" if sign else escape(text)
