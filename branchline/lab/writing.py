"""The files of a report: a page, Markdown and JSON, named after the map."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from branchline.lab.figures import Study
from branchline.lab.findings import find
from branchline.lab.markdown import write_markdown
from branchline.lab.study_page import write_page


def write_report(studies: Sequence[Study], folder: Path) -> list[Path]:
    """Write the report of one map into a folder, over an older one; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"html": write_page(studies), "md": write_markdown(studies), "json": _lines(report_json(studies))}
    paths = []
    for kind, text in texts.items():
        path = folder / f"{studies[0].map.id}.{kind}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def report_json(studies: Sequence[Study]) -> dict[str, Any]:
    """One object: what was played, and a study for each number of players with its findings."""
    first = studies[0].to_json()
    head = {key: first[key] for key in ("map", "map_version", "map_hash", "reconstructed", "version", "bot", "seed")}
    return head | {"games": first["games"], "studies": [_study_json(study, head) for study in studies]}


def _study_json(study: Study, head: dict[str, Any]) -> dict[str, Any]:
    figures = {key: value for key, value in study.to_json().items() if key not in head}
    return {"findings": [finding.to_json() for finding in find(study)]} | figures


def _lines(report: dict[str, Any]) -> str:
    """JSON with a line for every track, ticket and finding, so that two reports can be compared line by line."""
    studies = report["studies"]
    head = json.dumps({key: value for key, value in report.items() if key != "studies"}, ensure_ascii=False)
    return f'{head[:-1]}, "studies": [\n' + ",\n".join(_study_lines(study) for study in studies) + "\n]}\n"


def _study_lines(study: dict[str, Any]) -> str:
    parts = []
    for key, value in study.items():
        name = json.dumps(key)
        if isinstance(value, list) and value:
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f"{name}: [\n  {rows}]")
        else:
            parts.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    return "{" + ",\n ".join(parts) + "}"
