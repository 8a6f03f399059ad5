"""The report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.lab.figures import Study
from branchline.lab.findings import find
from branchline.lab.pieces import MARK, Table
from branchline.lab.report_tables import tables_of
from branchline.lab.texts import HOW_TO_READ, command_of, played, reconstructions


def write_markdown(studies: Sequence[Study]) -> str:
    """The same words and tables as on the page, without the pictures."""
    data = studies[0].map
    parts = [f"# {data.name}: what self-play says", played(studies)]
    marked = reconstructions(data)
    if marked:
        parts.append(f"> {MARK} {marked}")
    for study in studies:
        parts += _section(study)
    parts += ["## How to read this", *HOW_TO_READ, f"Made by `{command_of(studies)}`."]
    return "\n\n".join(parts) + "\n"


def _section(study: Study) -> Iterator[str]:
    yield f"## {study.players} players"
    yield "### What to look at"
    yield "\n".join(
        f"{i}. **{finding.title}.** {finding.text} *{finding.advice}*" for i, finding in enumerate(find(study), 1)
    )
    for table in tables_of(study):
        yield f"### {table.title}"
        if table.note:
            yield table.note
        yield _table(table)


def _table(table: Table) -> str:
    line = [":--" if i < table.words else "--:" for i in range(len(table.head))]
    rows = [table.head, line, *table.rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)
