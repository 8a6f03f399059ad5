"""A game at the keyboard: who is to choose, what they see, what they type, what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from branchline import events as e
from branchline.actions import Action, KeepTickets, Seat
from branchline.game import Game
from branchline.maps.model import MapData
from branchline.record import Player, record_of, write_game
from branchline.refusals import IllegalAction
from branchline.terminal.completing import sentences
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels, listed, reconstruction_note
from branchline.terminal.looking import look
from branchline.terminal.menu import Menu, make_menu
from branchline.terminal.news import log_lines, names_for, news_lines
from branchline.terminal.parts import EVERY_VERB, PARTS, verbs_of
from branchline.terminal.plan import Ask, Do, Reading, Refuse, Run, Say
from branchline.terminal.reading import Reader
from branchline.terminal.screen import Screen
from branchline.terminal.situation import Report
from branchline.terminal.words import COMMANDS
from branchline.view import View
from branchline.words import Language, words_of
from branchline.words.telling import Telling

LOG_LENGTH = 20


class Bot(Protocol):
    """A program that plays: all it gets is what its seat may know."""

    def choose(self, view: View, actions: Sequence[Action], /) -> Action: ...


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a seat; without a bot it is a person."""

    name: str
    kind: str | None = None
    bot: Bot | None = None


class Leave(Exception):
    """Somebody leaves the game before its end."""


class Table:
    """One game with its players."""

    def __init__(
        self,
        game: Game,
        chairs: Sequence[Chair],
        screen: Screen,
        record: Path | None = None,
        language: Language = "en",
    ) -> None:
        self.game, self.chairs, self.screen, self.record = game, chairs, screen, record
        self.labels = ScreenLabels(game.map, screen.plain, words_of(language))
        self.finder = PlaceFinder(self.labels)
        self.names = [chair.name for chair in chairs]
        self.persons = [seat for seat, chair in enumerate(chairs) if chair.bot is None]
        self.log: list[e.Event] = list(game.first_events)
        self.told = dict.fromkeys([None, *range(len(chairs))], 0)  # how much of the log each reader has been told
        self.viewer: Seat | None = self.persons[0] if len(self.persons) == 1 else None
        self.marks: tuple[str, ...] = ()
        self.asking: Ask | None = None
        self.steps_back: list[tuple[Game, tuple[str, ...]]] = []
        self.why_no_undo = "you have not done anything yet"
        self.shown: tuple[Seat, int, int] | None = None  # seat, turns, moves of the table last shown
        self.written: set[Path] = set()

    # ------------------------------------------------------------ the game

    def run(self) -> int:
        """Play the game to its end; the exit status. Whatever happens, the record is written."""
        try:
            status = self._play()
        finally:
            written = self._write(self.record) if self.record else True
        return status if written else 1

    def _play(self) -> int:
        try:
            self._welcome()
            while not self.game.is_over:
                self._next()
            self._end()
        except (Leave, EOFError, KeyboardInterrupt) as left:
            self._goodbye()
            return 130 if isinstance(left, KeyboardInterrupt) else 0
        return 0

    def _welcome(self) -> None:
        who = [f"{chair.name} ({chair.kind} bot)" if chair.kind else chair.name for chair in self.chairs]
        if len(self.persons) == 1:
            who[self.persons[0]] = "you"
        self.screen.say(f"{self.labels.map}: {listed(who)}. Type help for what can be typed, quit to leave.")
        note = reconstruction_note(self.game.map)
        if note:
            self.screen.say(note)

    def _next(self) -> None:
        """One decision: bots first, then the person at the keyboard, then the next person."""
        awaited = self.game.to_act
        bots = [seat for seat in awaited if self.chairs[seat].bot]
        if bots:
            self._bot(bots[0])
        else:
            self._person(self.viewer if self.viewer in awaited else awaited[0])

    def _bot(self, seat: Seat) -> None:
        bot = self.chairs[seat].bot
        assert bot
        turns = self.turns
        view = self.game.view(seat)
        self._add(self.game.play(bot.choose(view, view.legal_actions()), seat))
        self._close("the others have moved since")
        if self.turns > turns and len(self.persons) < 2:
            self._tell(self.viewer)

    def _person(self, seat: Seat) -> None:
        self._give_keyboard(seat)
        self._tell(seat)
        view = self.game.view(seat)
        actions = view.legal_actions()
        menu = make_menu(view, actions, self.labels)
        self._show(seat, menu)
        line = self.screen.ask(self._prompt(seat, menu), lambda: sentences(view, actions, self.labels))
        asking, self.asking = self.asking, None
        by_key = {option.key: option for option in (*menu.all, *(asking.options if asking else ()))}
        reader = Reader(view, actions, self.labels, self.finder, tuple(by_key.values()), self.marks)
        self._follow(seat, reader.read(line), menu)

    @property
    def turns(self) -> int:
        return sum(isinstance(event, e.TurnBegan) for event in self.log)

    @property
    def round(self) -> int:
        return (self.turns - 1) // self.game.players + 1 if self.turns else 0

    # ------------------------------------------------------------ showing

    def _report(self, seat: Seat | None) -> Report:
        return Report(self.game.view(seat), self.labels, names_for(self.names, seat), self.round)

    def _telling(self, reader: Seat | None) -> Telling:
        return Telling(self.labels.words, self.labels, self.names, reader)

    def _give_keyboard(self, seat: Seat) -> None:
        """With several persons at one keyboard, the next one is asked to take it."""
        if self.viewer == seat:
            return
        before = None if self.viewer is None else self.names[self.viewer]
        if self.viewer is not None:
            self._tell(self.viewer)
        self.screen.hand_over(before, self.names[seat])
        self.viewer, self.shown, self.marks, self.asking = seat, None, (), None
        self._close("another player had the keyboard")

    def _tell(self, reader: Seat | None) -> None:
        """What has happened since the reader was last told."""
        new, self.told[reader] = self.log[self.told[reader] :], len(self.log)
        lines = news_lines(new, self._telling(reader))
        if lines:
            self.screen.news(lines)

    def _show(self, seat: Seat, menu: Menu) -> None:
        """The whole table when a turn begins, the choices after each decision, nothing after a mere question."""
        now = (seat, self.turns, len(self.game.history))
        if self.shown is None or self.shown[:2] != now[:2]:
            self.screen.situation(self._report(seat), menu, self.marks)
        elif self.shown != now:
            self.screen.menu(self._report(seat), menu, self.marks)
        self.shown = now

    def _prompt(self, seat: Seat, menu: Menu) -> str:
        who = f"{self.names[seat]}: " if len(self.persons) > 1 else ""
        return who + (self.asking.question if self.asking else menu.question)

    # ------------------------------------------------------------ following what was typed

    def _follow(self, seat: Seat, reading: Reading, menu: Menu) -> None:
        match reading:
            case Do(steps):
                self._do(seat, steps)
            case Ask():
                self.asking = reading
                self.screen.say(reading.question, *(f"  {option.key}) {option.text}" for option in reading.options))
            case Say(text):
                self.screen.say(*([text] if text else []))
            case Refuse(clause, why):
                self.screen.refuse(clause, self._telling(seat).tell("why", why))
            case Run(command, rest):
                self._command(seat, command, rest, menu)

    def _do(self, seat: Seat, steps: tuple[Action | str, ...]) -> None:
        """Play decisions: all of them, or none if one is refused; a step of text is read afterwards."""
        now = [step for step in steps if not isinstance(step, str)]
        later = [step for step in steps if isinstance(step, str)]
        trial = self.game.copy()
        events: list[e.Event] = []
        try:
            for action in now:
                events += trial.play(action, seat)
        except IllegalAction as no:
            self.screen.refuse(no.clause, self._telling(seat).tell("why", no.why))
            if self.steps_back:
                self.screen.say("To do something else, type undo first.")
            return
        before, self.game = self.game, trial
        self._add(events)
        if events:
            self._close(_why_closed(events))
        else:
            self.steps_back.append((before, self.marks))
        self.marks = ()
        for line in later:
            self._do_later(seat, line)

    def _do_later(self, seat: Seat, line: str) -> None:
        """The second card of a line like "draw red blue"; it is lost if the first one ended the turn."""
        self._tell(seat)
        if seat not in self.game.to_act or self.game.phase == "turn":
            self.screen.say(f'Your turn is over: "{line}" comes too late.')
            return
        view = self.game.view(seat)
        actions = view.legal_actions()
        menu = make_menu(view, actions, self.labels)
        self._follow(seat, Reader(view, actions, self.labels, self.finder).read(line), menu)

    def _add(self, events: Sequence[e.Event]) -> None:
        self.log += events

    def _close(self, why: str) -> None:
        """Nothing before this can be taken back."""
        self.steps_back.clear()
        self.why_no_undo = why

    # ------------------------------------------------------------ commands

    def _command(self, seat: Seat, command: str, rest: str, menu: Menu) -> None:
        if look(self.screen, command, rest, self._report(seat), menu, self.marks):
            return
        match command:
            case "help":
                self.screen.say(*help_lines(rest, self.game.map))
            case "log":
                self._show_log(seat, rest)
            case "mark":
                self._mark(rest, menu)
            case "undo":
                self._undo()
            case "save":
                self._save_as(rest)
            case _:
                raise Leave

    def _show_log(self, seat: Seat, rest: str) -> None:
        wanted = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 6 else LOG_LENGTH
        lines = log_lines(self.log, self._telling(seat))
        self.screen.say(*lines[max(0, len(lines) - wanted) :])

    def _mark(self, rest: str, menu: Menu) -> None:
        numbers = rest.replace(",", " ").split()
        chosen = [s.ticket.id for o, s in zip(menu.options, menu.tickets, strict=False) if o.key in numbers]
        if not menu.tickets or not _is_keeping(menu):
            self.screen.say("There are no tickets to mark now.")
        elif not chosen or len(chosen) != len(set(numbers)):
            self.screen.say(f"Write mark and the numbers of tickets, 1 to {len(menu.tickets)}.")
        else:
            self.steps_back.append((self.game, self.marks))
            self.marks = tuple(sorted(set(self.marks) ^ set(chosen)))
            names = listed([self.labels.ticket(t) for t in self.marks])
            self.screen.say(f"Marked: {names}. Type keep to keep them." if names else "Nothing is marked.")

    def _undo(self) -> None:
        if not self.steps_back:
            self.screen.say(f"Nothing can be taken back: {self.why_no_undo}.")
            return
        before, self.marks = self.steps_back.pop()
        self.shown = self.shown and (*self.shown[:2], -1)  # the choices are shown again
        self.game = before
        self.screen.say("Taken back.")

    # ------------------------------------------------------------ files, and the end

    def _save_as(self, name: str) -> None:
        """Write to a file the player names; never over another file."""
        path = file_named(name) if name else self.record
        if path is None:
            self.screen.say("Write save and the name of a file.")
        elif _exists(path) and path not in self.written:
            self.screen.say(f"{path} exists already: choose another name.")
        else:
            self._write(path)

    def _write(self, path: Path) -> bool:
        """Write the game so far; whether it worked."""
        players = [Player(chair.name, chair.kind) for chair in self.chairs]
        try:
            path.write_text(write_game(record_of(self.game, players=players)), encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.screen.say(f"The game could not be written to {path}: {reason}.")
            return False
        self.written.add(path)
        self.screen.say(f"The game is written to {path}.")
        return True

    def _goodbye(self) -> None:
        """Leave politely; without a record, offer to write one."""
        if self.screen.interactive and not self.record and self.game.history:
            try:
                name = self.screen.ask("Save the game? Write a file name, or press Enter.").strip()
                if name:
                    self._save_as(name)
            except (EOFError, KeyboardInterrupt):
                pass
        self.screen.say("You have left the game. Goodbye.")

    def _end(self) -> None:
        reader = self.viewer
        self._tell(reader)
        names = names_for(self.names, reader if len(self.persons) == 1 else None)
        ended = self._telling(None).tell("event", self.log[-1])
        self.screen.final(self.game.scores(), self.game.view(None).owners, self.labels, names, ended)
        if self.game.deal.is_seed_only:
            self.screen.say(f"To have the same cards dealt again: --seed {self.game.deal.seed}")


def file_named(name: str) -> Path:
    """The file a player names; a ~ at the beginning is the home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:  # the home of nobody
        return Path(name)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name no file can have: writing it will say so
        return False


def _is_keeping(menu: Menu) -> bool:
    """Whether the tickets of the menu are offered to be kept, several together if one likes."""
    reading = menu.options[0].reading
    return isinstance(reading, Do) and isinstance(reading.steps[0], KeepTickets)


def _why_closed(events: Sequence[e.Event]) -> str:
    """Why a move with these events stays."""
    for kind, why in _REVEALING:
        if any(isinstance(event, kind) for event in events):
            return why
    return "the move is complete"


_REVEALING: tuple[tuple[type, str], ...] = (
    *(told for part in PARTS for told in part.revealing),
    (e.DrewBlind, "you have seen the card you drew"),
    (e.DrewCard, "a card was drawn and another one turned up"),
    (e.DisplayFilled, "a card was drawn and another one turned up"),
    (e.TicketsOffered, "you have seen the tickets"),
    (e.TicketsKept, "a ticket once kept stays (C-29)"),
)


def help_lines(word: str, data: MapData) -> list[str]:
    """What can be typed: all that this map has a use for, or one word."""
    asked = {**EVERY_VERB, **COMMANDS}.get(word.strip().casefold())
    if asked:
        also = f" Also: {', '.join(asked.also)}." if asked.also else ""
        return [f"{asked.usage}: {asked.text}.{also}"]
    lines = ["To play:"]
    lines += [f"  {w.usage}: {w.text}." for w in verbs_of(data).values()]
    lines += ["A number chooses from the menu. Names may be shortened, accents left out. Card letters:"]
    lines += ["  P purple, B blue, O orange, W white, G green, Y yellow, K black, R red, L locomotive."]
    lines += ["To look and for the rest:"]
    return lines + [f"  {w.usage}: {w.text}." for w in COMMANDS.values()]
