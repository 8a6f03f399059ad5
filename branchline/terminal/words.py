"""The words a player can type on every map: commands and verbs, their short forms and what they are for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to type: how it is written, what it does, and other spellings of it."""

    usage: str
    text: str
    also: tuple[str, ...] = ()


COMMANDS = {
    "help": Word("help [WORD]", "what can be typed", ("h", "?")),
    "rules": Word("rules [CLAUSE or WORD]", "the rulebook: a clause, or the clauses with a word in them", ("rule",)),
    "repeat": Word("repeat", "the whole situation once more", ("look", "table", "again")),
    "status": Word("status", "the situation in a few words", ("st",)),
    "menu": Word("menu", "what you can do now, with numbers", ("m",)),
    "board": Word("board", "who owns what on the map", ("b",)),
    "tracks": Word("tracks [PLACE, free or mine]", "the tracks of the map, or those at a place"),
    "claims": Word("claims", "all tracks you can claim now, with their prices"),
    "tickets": Word("tickets", "your tickets and what they still need", ("my tickets",)),
    "hand": Word("hand", "your train cards", ("cards",)),
    "players": Word("players", "everything public about each player"),
    "log": Word("log [NUMBER]", "what happened: the last 20 events, or as many as you say"),
    "score": Word("score", "the points so far, and your own sheet if the game ended now", ("scores", "points")),
    "mark": Word("mark NUMBER …", "mark or unmark offered tickets; then keep keeps the marked ones"),
    "undo": Word("undo", "take back what has revealed nothing yet", ("u", "back")),
    "save": Word("save FILE", "write the game so far to a file"),
    "quit": Word("quit", "leave the game", ("q", "exit", "bye")),
}

VERBS = {
    "draw": Word("draw red, draw 3, draw deck", "take a train card from the display or the deck", ("d", "pick")),
    "draw tickets": Word("draw tickets", "draw new tickets", ("new tickets", "dt")),
    "claim": Word("claim DENVER OMAHA [COLOUR] [1 loco]", "claim a track; the two places alone will do", ("c",)),
    "locos": Word("locos 1", "how many locomotives you play; the number alone will do"),
    "keep": Word("keep 1 3", "keep these of the offered tickets; the numbers alone will do"),
    "return": Word("return 2", "this ticket goes under the deck next"),
    "pass": Word("pass", "do nothing, where nothing else is possible"),
}

_SPELLINGS = {other: name for name, word in COMMANDS.items() for other in (name, *word.also)}


def command_of(line: str) -> tuple[str, str] | None:
    """The command a folded line begins with, and the rest of it."""
    if line in _SPELLINGS:
        return _SPELLINGS[line], ""
    first, _, rest = line.partition(" ")
    takes_more = {"help", "rules", "tracks", "log", "mark", "save", "board", "score"}
    name = _SPELLINGS.get(first)
    return (name, rest) if name in takes_more else None
