"""The commands that only show something: the same in a game and in a puzzle."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import folded
from branchline.terminal.menu import Menu
from branchline.terminal.rules_text import look_up
from branchline.terminal.screen import Screen
from branchline.terminal.situation import Report


def look(screen: Screen, command: str, rest: str, report: Report, menu: Menu, marks: Sequence[str] = ()) -> bool:
    """Show what a command asks for; False for one that asks for something else."""
    match command:
        case "rules":
            screen.say(*look_up(rest, report.data))
        case "repeat":
            screen.situation(report, menu, marks)
        case "menu":
            screen.menu(report, menu, marks)
        case "claims" if menu.claims:
            screen.menu(report, Menu(menu.question, (), menu.claims), (), all_claims=True)
        case "claims":
            screen.say("There is no track you can claim now.")
        case "status":
            screen.say(*report.status())
        case "board":
            screen.say(*report.board())
        case "tracks":
            screen.tracks(*report.tracks(folded(rest), PlaceFinder(report.labels)), report)
        case "tickets":
            screen.say(*report.tickets(), "To draw new ones: draw tickets.")
        case "hand":
            screen.say(*report.hand())
        case "players":
            screen.say(*report.players())
        case "score":
            screen.say(*report.score())
        case _:
            return False
    return True
