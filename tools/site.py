"""What MkDocs is told beside mkdocs.yml: which files outside docs/ are pages too, and where links out of docs/ lead.

The documents are written to be read in the repository as well. So a link to another file of it (`../bench/load.py`) is
a link there; on the site, which does not hold that file, it is the file's name.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
# Pages and pictures that stand elsewhere in the repository, by their address on the site.
ELSEWHERE = {
    "contributing.md": ROOT / "CONTRIBUTING.md",
    "changelog.md": ROOT / "CHANGELOG.md",
    "rules.md": ROOT / "branchline" / "rules.md",
    "img/icon.svg": ROOT / "web" / "public" / "icons" / "icon.svg",
}
DECISIONS = "<!-- the decisions -->"
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_CLAUSE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
_ITEM = re.compile(r"\s*([-*]|\d+\.) ")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = [_filled(entry, Path(config.docs_dir)) for entry in config.nav or []]
    return config


def _filled(entry: Any, docs: Path) -> Any:
    """An entry of the navigation, with the pages of a folder in the place of its name."""
    if isinstance(entry, dict):
        return {title: _filled(inner, docs) for title, inner in entry.items()}
    if isinstance(entry, list):
        return [_filled(inner, docs) for inner in entry]
    if isinstance(entry, str) and entry.endswith("/"):
        pages = sorted(path.name for path in (docs / entry).glob("*.md"))
        return [f"{entry}{name}" for name in sorted(pages, key=lambda name: (name != "index.md", name))]
    return entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for address, path in ELSEWHERE.items():
        files.append(File.generated(config, address, abs_src_path=str(path)))
    return files


def on_page_markdown(text: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    docs = Path(config.docs_dir)
    if DECISIONS in text:
        text = text.replace(DECISIONS, _decisions(docs))
    address = page.file.src_uri
    if address == "rules.md":
        text = _CLAUSE.sub(r'- <a id="\1"></a>**\1**', text)  # so that rules.html#C-13 is a clause
    source = ELSEWHERE.get(address, docs / address)
    pages = {Path(file.abs_src_path).resolve(): file.src_uri for file in files if file.abs_src_path}
    return "\n".join(_prose(text, lambda line: _LINK.sub(lambda m: _led(m, address, source, pages), line)))


def _decisions(docs: Path) -> str:
    """A line for each decision, by its title."""
    found = sorted((docs / "decisions").glob("[0-9]*.md"))
    return "\n".join(
        f"- [{path.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')}]({path.name})" for path in found
    )


def _led(link: re.Match[str], address: str, source: Path, pages: dict[Path, str]) -> str:
    """A link as the site has it: to a page, or, where the site has none, the name alone."""
    picture, words, target, place = link[1], link[2], link[3], link[4] or ""
    if not target or "://" in target or target.startswith("mailto:"):
        return link[0]
    path = (source.parent / target).resolve()
    if path in pages:
        return f"{picture}[{words}]({relpath(pages[path], Path(address).parent.as_posix())}{place})"
    if path.is_relative_to(ROOT) and path.exists():
        name = path.relative_to(ROOT).as_posix()
        return f"`{name}`" if words.strip("`") in (name, target, path.name) else f"{words} (`{name}`)"
    return link[0]  # MkDocs says that it leads nowhere


def _prose(text: str, changed: Any) -> list[str]:
    """The lines, those outside code changed; a list gets the empty line before it that Python-Markdown asks for."""
    lines: list[str] = []
    in_code = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            before = lines[-1] if lines else ""
            if _ITEM.match(line) and before.strip() and not _ITEM.match(before) and not before.startswith((" ", "\t")):
                lines.append("")
            line = changed(line)
        lines.append(line)
    return lines
