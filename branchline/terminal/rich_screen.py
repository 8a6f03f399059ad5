"""The table drawn with rich, and a prompt with completion. No fact is told by colour alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from branchline.actions import Action, DrawDeck, DrawDisplay
from branchline.maps.model import COLOURS, LOCO, Track
from branchline.scores import PlayerScore
from branchline.terminal.completing import Sentence, complete
from branchline.terminal.facts import ClaimOffer, TicketState, ticket_states, ways_to_pay
from branchline.terminal.final import PLACES, ranking, sheet, tie_lines, winner_line
from branchline.terminal.labels import ScreenLabels, card_word, counted, listed, reconstruction_note
from branchline.terminal.menu import Menu
from branchline.terminal.parts import PARTS
from branchline.terminal.places import Part
from branchline.terminal.plan import Do, Option
from branchline.terminal.situation import Report
from branchline.view import PlayerView

# Front and back together, so that every card can be read on a light and on a dark terminal.
STYLES = {
    "purple": "bold white on #8e44ad",
    "blue": "bold white on #1f5fbf",
    "orange": "bold black on #e67e22",
    "white": "bold black on #f2f2f2",
    "green": "bold white on #1e8449",
    "yellow": "bold black on #f4d03f",
    "black": "bold white on #2b2b2b",
    "red": "bold white on #c0392b",
    "gray": "bold white on #6b6b6b",
    LOCO: "bold black on #9fe3d6",
}
WIDE = 110


class RichScreen:
    """A terminal that can draw."""

    plain = False
    interactive = True

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, markup=False, emoji=False)
        self._session: PromptSession[str] | None = None

    # ------------------------------------------------------------ lines

    def say(self, *lines: str) -> None:
        for line in lines:
            indent = len(line) - len(line.lstrip())
            self.console.print(Padding(Text(line.strip()), (0, 0, 0, indent)))

    def news(self, lines: Sequence[str]) -> None:
        for line in lines:
            style = "bold" if "last round begins" in line else "italic"
            self.console.print(Text.assemble(("· ", "dim"), (line, style)))

    def refuse(self, clause: str, reason: str) -> None:
        self.console.print(Text.assemble(("Not allowed ", "bold red"), (f"({clause}): ", "bold"), reason))

    # ------------------------------------------------------------ the table

    def situation(self, report: Report, menu: Menu | None, marks: Sequence[str]) -> None:
        self.console.print()
        self.console.print(Rule(Text(report.heading(), "bold"), align="left", style="dim"))
        self.console.print(self._cards(report, menu))
        self.console.print(self._players(report))
        if report.view.reader is not None:
            self.console.print(self._own(report))
        if menu:
            self._choices(report, menu, marks)

    def _display(self, report: Report, menu: Menu | None) -> Text:
        """The display: the places from which a card can be drawn now have a number to type."""
        offers = _first_steps(menu)
        placed = []
        for place, card in enumerate(report.view.display, 1):
            key = (f"{place}) ", "bold cyan") if DrawDisplay(place) in offers else (f"{place} ", "dim")
            placed.append(Text.assemble(key, _chip(card) if card else "empty"))
        return _row(placed)

    def _cards(self, report: Report, menu: Menu | None) -> Grid:
        """Display, decks and discards."""
        view, labels = report.view, report.labels
        grid = _label_grid()
        grid.add_row("Display", self._display(report, menu))
        decks = [
            f"deck {view.deck_size}",
            f"discards {sum(view.discards.values())}",
            f"tickets {view.ticket_deck_size}",
        ]
        decks += filter(None, (part.pile(view) for part in report.parts))
        rows = [part.face_up_row(view, labels) for part in report.parts]
        rows += [("Piles", " · ".join(decks)), *(part.lying_row(view, labels) for part in report.parts)]
        for heading, text in filter(None, rows):
            grid.add_row(heading, Text(text))
        return grid

    def _players(self, report: Report) -> Grid:
        grid = _list_grid()
        grid.add_column("")
        grid.add_column("Player", overflow="fold")
        for name in ("Points", "Trains", "Cards", "Tickets"):
            grid.add_column(name, justify="right")
        for part in filter(_has_column, report.parts):
            if part.column_of_numbers:
                grid.add_column(part.column, justify="right")
            else:
                grid.add_column(part.column, overflow="fold")
        for player in report.view.players:
            grid.add_row(*self._player(player, report))
        return grid

    def _player(self, player: PlayerView, report: Report) -> list[Text]:
        turn = "▶" if player.seat in report.view.to_act else " "
        cells = [turn, report.names[player.seat]]
        cells += [str(n) for n in (player.score, player.trains, player.card_count, player.ticket_count)]
        cells += [part.cell(player, report.labels) for part in filter(_has_column, report.parts)]
        style = "bold" if player.seat == report.view.reader else ""
        return [Text(cell, style) for cell in cells]

    def _own(self, report: Report) -> Grid:
        """The reader's hand and tickets."""
        view = report.view
        grid = _label_grid()
        hand = [_chip(c, view.me.hand[c]) for c in (*COLOURS, LOCO) if view.me.hand.get(c)]
        grid.add_row(f"Hand {view.me.card_count}", _row(hand) if hand else Text("no cards"))
        states = ticket_states(view, view.me.tickets)
        shared = _shared_note(states, report)
        for n, state in enumerate(states):
            note = "" if shared else report.labels.ticket_note(state.ticket)
            style = "green" if state.done else ""
            line = Text(f"{state.ticket.points:>3}  {report.labels.ticket(state.ticket.id)}", "bold")
            line.append(f"  {report.short_need(state)}", style)
            line.append(f"  {report.way(state)}", "dim")
            if note:
                line.append(f"  ({note})", "dim italic")
            grid.add_row("Tickets" if n == 0 else "", line)
        if shared:
            grid.add_row("", Text(f"     (all {shared})", "dim italic"))
        return grid

    # ------------------------------------------------------------ choices

    def menu(self, report: Report, menu: Menu, marks: Sequence[str], all_claims: bool = False) -> None:
        if any(isinstance(step, DrawDisplay | DrawDeck) for step in _first_steps(menu)):
            grid = _label_grid()
            grid.add_row("Display", self._display(report, menu))
            self.console.print(grid)
        self._choices(report, menu, marks, all_claims)

    def _choices(self, report: Report, menu: Menu, marks: Sequence[str], all_claims: bool = False) -> None:
        if menu.tickets:
            self.say(*report.own())
            self.console.print(self._offered(report, menu, marks))
        else:
            self._options([o for o in menu.options if not isinstance(_first_step(o), DrawDisplay)])
        if not menu.claims:
            return
        most = len(menu.claims) if all_claims else max(4, min(12, self.console.height - 22))
        self.console.print(self._claims(report, menu.claims[:most]))
        more = len(menu.claims) - most
        if more > 0:
            self.console.print(Text(f"  … and {counted(more, 'more track')} you can claim: type claims", "dim"))

    def _options(self, options: Sequence[Option]) -> None:
        """Side by side as far as the line goes."""
        line = Text()
        for option in options:
            piece = Text.assemble((f"{option.key})", "bold cyan"), " ", option.text)
            if line and line.cell_len + piece.cell_len + 3 > self.console.width:
                self.console.print(line)
                line = Text()
            line.append("   " if line else "").append_text(piece)
        if line:
            self.console.print(line)

    def _offered(self, report: Report, menu: Menu, marks: Sequence[str]) -> Grid:
        grid = Grid(box=ROUNDED, padding=(0, 1))
        for name in ("No.", "Points"):
            grid.add_column(name, justify="right")
        shared = _shared_note(menu.tickets, report)
        for name in (f"Ticket ({shared})" if shared else "Ticket", "Cheapest way"):
            grid.add_column(name, overflow="fold")
        for option, state in zip(menu.options, menu.tickets, strict=True):
            note = "" if shared else report.labels.ticket_note(state.ticket)
            ends = _wrapping(report.labels.ticket(state.ticket.id))
            ends.stylize("bold")
            ends.append(f"\n{note}" if note else "", "dim italic")
            if state.ticket.id in marks:
                ends.append("\nmarked", "bold green")
            need = f"{report.short_need(state).removeprefix('to do: ')}. {report.way(state)}"
            grid.add_row(Text(f"{option.key})", "bold cyan"), str(state.ticket.points), ends, Text(need))
        return grid

    def _claims(self, report: Report, claims: Sequence[tuple[Option, ClaimOffer]]) -> Grid:
        wide = self.console.width >= WIDE
        grid = _list_grid()
        grid.add_column("No.", justify="right")
        grid.add_column("You can claim", overflow="fold")
        grid.add_column("Track", overflow="fold")
        grid.add_column("Points" if wide else "Pts", justify="right")
        grid.add_column("Price", overflow="fold")
        if any(offer.helps for _, offer in claims):
            grid.add_column("Helps", overflow="fold")
        for option, offer in claims:
            names = [report.labels.ticket(t.id) for t in offer.helps]
            helps = "; ".join(names) if wide else counted(len(names), "ticket") if names else ""
            name = report.labels.pair(offer.track.a, offer.track.b)
            cells = [Text(f"{option.key})", "bold cyan"), _wrapping(name), _kind(offer.track), Text(str(offer.points))]
            grid.add_row(*[*cells, _price(offer), Text(helps)][: len(grid.columns)])
        return grid

    # ------------------------------------------------------------ lists

    def tracks(self, heading: str, tracks: Sequence[Track], report: Report) -> None:
        self.console.print(Text(heading, "bold"))
        if not tracks:
            return
        grid = _list_grid()
        for name in ("Track", "Spaces", "Points", "State"):
            grid.add_column(name, overflow="fold", justify="right" if name == "Points" else "left")
        for t in tracks:
            state = report.track_state(t)
            grid.add_row(_wrapping(report.labels.track(t.id)), _kind(t), str(report.data.track_points[t.length]), state)
        self.console.print(grid)

    def final(
        self,
        scores: Sequence[PlayerScore],
        owners: dict[str, int],
        labels: ScreenLabels,
        names: Sequence[str],
        ended: str,
    ) -> None:
        self.console.print(Rule(Text(ended.rstrip("."), "bold"), style="dim"))
        for score in ranking(scores):
            title = f"{PLACES[score.place]}: {names[score.seat]}, {counted(score.total, 'point')}"
            grid = Grid(box=ROUNDED, padding=(0, 1), title=Text(title, "bold"), title_justify="left", show_header=False)
            grid.add_column(justify="right", min_width=4)
            grid.add_column(overflow="fold")
            for points, words in sheet(score, owners, labels, names):
                grid.add_row("" if points is None else f"{points:+d}", words)
            self.console.print(grid)
        self.say(*tie_lines(scores, labels.data, names))
        self.console.print(Text(winner_line(scores, names), "bold"))
        self.say(*filter(None, [reconstruction_note(labels.data)]))

    # ------------------------------------------------------------ the keyboard

    def ask(self, prompt: str, known: Callable[[], Sequence[Sentence]] | None = None) -> str:
        if self._session is None:
            self._session = PromptSession(complete_while_typing=False)
        completer = _Sentences(known) if known else None
        gap = " " if len(prompt) < self.console.width // 2 else "\n"  # room to type
        text = FormattedText([("bold", prompt), ("", gap), ("bold fg:ansicyan", "> ")])
        return self._session.prompt(text, completer=completer)

    def hand_over(self, before: str | None, after: str) -> None:
        """Clear the screen between two players, so that secrets stay secret."""
        if before is not None:
            self.ask(f"{before}: press Enter to clear the screen.")
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write("\x1b[3J")  # what has scrolled away too
        self._session = None  # the arrow keys bring back no other player's lines
        self.console.print(Rule(Text(f"The keyboard goes to {after}", "bold")))
        self.ask(f"{after}: press Enter when nobody else is looking.")


class _Sentences(Completer):
    """Offers what can be typed next."""

    def __init__(self, known: Callable[[], Sequence[Sentence]]) -> None:
        self._ask = known
        self._known: Sequence[Sentence] | None = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        if self._known is None:
            self._known = self._ask()
        for candidate in complete(document.text_before_cursor, self._known):
            yield Completion(candidate.text, start_position=-candidate.replaces)


def _label_grid() -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    return grid


def _list_grid() -> Grid:
    return Grid(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, header_style="dim")


def _has_column(part: Part) -> bool:
    return bool(part.column)


def _first_step(option: Option) -> Action | str | None:
    return option.reading.steps[0] if isinstance(option.reading, Do) else None


def _first_steps(menu: Menu | None) -> list[Action | str | None]:
    return [_first_step(option) for option in menu.all] if menu else []


def _shared_note(states: Sequence[TicketState], report: Report) -> str:
    """What would stand beside every ticket, to be said once; nothing if they differ."""
    notes = {report.labels.ticket_note(state.ticket) for state in states}
    return notes.pop() if len(notes) == 1 else ""


def _wrapping(name: str) -> Text:
    """A pair of places that a narrow column may break between them."""
    return Text(name.replace("–", " – "))


def _row(chips: Sequence[Text]) -> Text:
    return Text("  ").join(chips)


def _chip(card: str, n: int | None = None) -> Text:
    return Text(f" {'' if n is None else f'{n} '}{card_word(card, n or 1)} ", STYLES[card])


def _kind(track: Track) -> Text:
    kind = Text.assemble((f" {track.length} {track.colour} ", STYLES[track.colour]))
    for part in PARTS:
        special = part.short_kind(track)
        kind.append(f" {special}" if special else "")
    return kind


def _price(offer: ClaimOffer) -> Text:
    """Each way to pay, the fewest locomotives of each."""
    ways = []
    for cards, colours, locos in ways_to_pay(offer):
        parts = [f"{cards} {listed(colours, 'or')}"] if cards else []
        parts += [f"{locos} loco{'s' if locos > 1 else ''}"] if locos else []
        ways.append(" + ".join(parts))
    return Text("; or ".join(ways))
