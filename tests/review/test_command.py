"""`branchline review`: in words, as JSON, and as a page and Markdown."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from branchline.cli import main
from branchline.record import write_game
from branchline.review.verdicts import LEAST
from branchline.words import LANGUAGES
from tests.review.games import quick, record


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "game.json"
    path.write_text(write_game(record()), encoding="utf-8")
    return path


def test_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(file), "--quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == quick().to_json()


def test_as_files_and_in_words(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(file), "--quick", "--out", str(tmp_path / "new"), "--processes", "2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Review: USA\n") and "own luck" in said
    assert json.loads((tmp_path / "new" / "review.json").read_text(encoding="utf-8")) == quick().to_json()
    text = (tmp_path / "new" / "review.md").read_text(encoding="utf-8")
    assert text.startswith("# Review: USA\n") and text.count("| ") > len(record().moves)
    page = _Page()
    page.feed((tmp_path / "new" / "review.html").read_text(encoding="utf-8"))
    assert page.open == [] and "script" not in page.tags and page.tags.count("svg") == 3
    assert "polyline" in page.tags and "rect" in page.tags and "table" in page.tags


class _Page(HTMLParser):
    """Which tags there are, and which were not closed."""

    ALONE = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.ALONE:
            self.open.append(tag)
        for _, value in attrs:
            assert value is None or "://" not in value

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(language: str) -> None:
    from branchline.review.printing import markdown_of, page_of, text_of

    for told in (text_of, markdown_of, page_of):
        words = told(quick(), record().map, language)  # type: ignore[arg-type]
        assert "{" not in words.partition("</style>")[2] if told is page_of else "{" not in words
        assert ("own luck" in words) == (language == "en")


def test_a_name_is_no_markup() -> None:
    from dataclasses import replace

    from branchline.review.printing import markdown_of, page_of

    rogue = replace(quick().players[0], name="<script>alert(1)</script>|x")
    found = replace(quick(), players=(rogue, *quick().players[1:]))
    assert "<script" not in page_of(found, record().map) + markdown_of(found, record().map).replace("\\<", "")


@pytest.mark.parametrize("text", ["", "{}", "[1]", "{", "\x00"])
def test_what_is_no_record_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    assert main(["review", str(path), "--quick"]) == 1
    assert "BadRecord" in capsys.readouterr().err


def test_a_game_that_goes_on_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dataclasses import replace

    path = tmp_path / "game.json"
    path.write_text(write_game(replace(record(), moves=record().moves[:50], result=None)), encoding="utf-8")
    assert main(["review", str(path), "--quick"]) == 1
    assert "the game is not over" in capsys.readouterr().err


def test_the_sample_of_the_guide_runs(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    monkeypatch.chdir(file.parent)
    found: dict[str, Any] = {}
    exec(sample, found)
    assert found["found"] == quick()


def test_the_guide_names_every_key_of_the_json_and_every_threshold() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    told = quick().to_json()
    rows = [
        told,
        told["players"][0],
        told["moves"][0],
        told["curve"][0],
        told["tickets"][0],
        told["players"][0]["ledger"],
    ]
    luck = next(move["chance"] for move in told["moves"] if move["chance"])
    for key in {key for row in [*rows, luck] for key in row}:
        assert f"`{key}`" in guide or f"`{key}:" in guide, key
    for verdict, least in LEAST.items():
        assert f"| {verdict} | {100 * least:.0f} |" in guide
