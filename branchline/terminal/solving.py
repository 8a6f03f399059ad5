"""A puzzle in the terminal: the position as a player sees it, one choice, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from branchline.actions import Action
from branchline.notation import BadNotation, read_action
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels
from branchline.terminal.looking import look
from branchline.terminal.menu import make_menu
from branchline.terminal.news import names_for
from branchline.terminal.plan import Ask, Do, Reading, Refuse, Run, Say
from branchline.terminal.plan import Option as MenuOption
from branchline.terminal.reading import Reader
from branchline.terminal.screen import Screen
from branchline.terminal.situation import Report
from branchline.words import Language, words_of
from branchline.words.telling import Telling

MOST_TOLD = 5

if TYPE_CHECKING:  # with the bots behind them: the terminal does without
    from branchline.puzzles import Option, Puzzle


class Solving:
    """One puzzle and its solver. Nothing is shown but what the seat may know."""

    def __init__(self, puzzle: Puzzle, screen: Screen, language: Language = "en") -> None:
        self.puzzle, self.screen = puzzle, screen
        self.view = puzzle.view()
        self.labels = ScreenLabels(puzzle.map, screen.plain, words_of(language))
        self.names = names_for([f"Seat {seat}" for seat in range(puzzle.players)], puzzle.seat)
        self.finder = PlaceFinder(self.labels)
        self.telling = Telling(self.labels.words, self.labels, self.names, puzzle.seat)

    def run(self) -> int:
        """Show it, ask until something is chosen, and explain; 0 if it was solved, 1 if not."""
        try:
            action = self._choice()
        except (EOFError, KeyboardInterrupt):
            self.screen.say(self._told("left"))
            return 1
        place = self.puzzle.place_of(action)
        self.screen.say(self.verdict(place), *self.explanation())
        return 0 if place == 0 else 1

    def _choice(self) -> Action:
        actions = self.view.legal_actions()
        menu = make_menu(self.view, actions, self.labels)
        report = Report(self.view, self.labels, self.names, 0)
        self.screen.say(self._told("ask", id=self.puzzle.id, grade=self.puzzle.grade))
        self.screen.situation(report, menu, ())
        asked: tuple[MenuOption, ...] = ()
        while True:
            line = self.screen.ask(menu.question)
            reading = self._read(line, actions, (*menu.all, *asked))
            asked = reading.options if isinstance(reading, Ask) else ()
            match reading:
                case Do((action, *_)) if not isinstance(action, str) and action in actions:
                    return action
                case Ask(question, options):
                    self.screen.say(question, *(f"  {option.key}) {option.text}" for option in options))
                case Say(text):
                    self.screen.say(text)
                case Refuse(clause, why):
                    self.screen.refuse(clause, self.telling.tell("why", why))
                case Run("quit"):
                    raise EOFError
                case Run(command, rest) if look(self.screen, command, rest, report, menu):
                    pass
                case _:
                    self.screen.say(self._told("how"))

    def _read(self, line: str, actions: Sequence[Action], options: tuple[MenuOption, ...]) -> Reading:
        """A line of notation, or anything that can be typed in a game."""
        action = self._noted(line, actions)
        return Do((action,)) if action else Reader(self.view, actions, self.labels, self.finder, options).read(line)

    def _noted(self, line: str, actions: Sequence[Action]) -> Action | None:
        """What a line of notation says, if it is one and may be played."""
        try:
            action = read_action(line.strip(), self.puzzle.map)
        except BadNotation:
            return None
        return action if action in actions else None

    # ------------------------------------------------------------ what became of it

    def verdict(self, place: int | None) -> str:
        if not place:
            return self._told("wrong" if place is None else "right")
        lost = round(100 * (self.puzzle.options[0].win - self.puzzle.options[place].win))
        return self._told("worse", lost=lost)

    def explanation(self) -> list[str]:
        puzzle, reason = self.puzzle, self.puzzle.reason
        told = [f"{self._told('answer')} {puzzle.answer}"]
        told += [self.telling.sentence(f"reason.{reason.kind}", reason.params)] if reason else []
        told += [self._told("choices"), *(f"  {_option(option)}" for option in puzzle.options[:MOST_TOLD])]
        return [*told, f"{self._told('solved')} {', '.join(_found(*row) for row in puzzle.solved.items())}"]

    def _told(self, message: str, **params: str | int) -> str:
        return self.telling.sentence(f"puzzle.{message}", params)


def _option(option: Option) -> str:
    return f"{100 * option.win:5.1f} % ± {100 * option.error:.1f}  {option.line}"


def _found(level: str, share: float) -> str:
    return f"{level} {100 * share:.0f} %"
