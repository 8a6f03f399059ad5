"""What the game needs of a screen, and the one that writes pure lines of text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Protocol, TextIO

from branchline.maps.model import Track
from branchline.scores import PlayerScore
from branchline.terminal.completing import Sentence
from branchline.terminal.final import final_lines
from branchline.terminal.labels import ScreenLabels
from branchline.terminal.menu import Menu
from branchline.terminal.situation import Report

MOST_CLAIMS = 6


class Screen(Protocol):
    """Shows things to the one at the keyboard and reads what they type."""

    plain: bool
    interactive: bool

    def say(self, *lines: str) -> None: ...

    def news(self, lines: Sequence[str]) -> None: ...

    def refuse(self, clause: str, reason: str) -> None: ...

    def situation(self, report: Report, menu: Menu | None, marks: Sequence[str]) -> None: ...

    def menu(self, report: Report, menu: Menu, marks: Sequence[str], all_claims: bool = False) -> None: ...

    def tracks(self, heading: str, tracks: Sequence[Track], report: Report) -> None: ...

    def final(
        self,
        scores: Sequence[PlayerScore],
        owners: dict[str, int],
        labels: ScreenLabels,
        names: Sequence[str],
        ended: str,
    ) -> None: ...

    def ask(self, prompt: str, known: Callable[[], Sequence[Sentence]] | None = None) -> str: ...

    def hand_over(self, before: str | None, after: str) -> None: ...


class PlainScreen:
    """Lines of text and nothing else: for screen readers, pipes and dumb terminals."""

    plain = True

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self.stdin, self.stdout = stdin or sys.stdin, stdout or sys.stdout
        self.interactive = self.stdin.isatty()

    def say(self, *lines: str) -> None:
        for line in lines:
            print(_spoken(line), file=self.stdout)
        self.stdout.flush()

    def news(self, lines: Sequence[str]) -> None:
        self.say(*lines)

    def refuse(self, clause: str, reason: str) -> None:
        self.say(f"Not allowed, {clause}: {reason}")

    def situation(self, report: Report, menu: Menu | None, marks: Sequence[str]) -> None:
        self.say(*report.situation(menu))
        if menu:
            self.say(*report.choices(menu, marks, MOST_CLAIMS))

    def menu(self, report: Report, menu: Menu, marks: Sequence[str], all_claims: bool = False) -> None:
        self.say(*report.again(menu), *report.choices(menu, marks, None if all_claims else MOST_CLAIMS))

    def tracks(self, heading: str, tracks: Sequence[Track], report: Report) -> None:
        self.say(f"{heading}: {len(tracks)}." if tracks else heading, *(report.track_line(t) for t in tracks))

    def final(
        self,
        scores: Sequence[PlayerScore],
        owners: dict[str, int],
        labels: ScreenLabels,
        names: Sequence[str],
        ended: str,
    ) -> None:
        self.say(*final_lines(scores, owners, labels, names, ended))

    def ask(self, prompt: str, known: Callable[[], Sequence[Sentence]] | None = None) -> str:
        print(_spoken(prompt), end=" > ", file=self.stdout, flush=True)
        try:
            line = self.stdin.readline()
        except KeyboardInterrupt:
            print(file=self.stdout)
            raise
        if not line:
            print(file=self.stdout)
            raise EOFError
        if not self.interactive:  # a transcript shows what was typed
            print(line.rstrip("\r\n"), file=self.stdout)
        return line.rstrip("\r\n")

    def hand_over(self, before: str | None, after: str) -> None:
        self.ask(f"Hand the keyboard to {after}. {after}, press Enter when you are ready.")


def _spoken(line: str) -> str:
    """Signs a screen reader stumbles over, in words."""
    return line.replace("–", " to ").replace("…", "...")
