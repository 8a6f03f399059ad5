"""What is said at a table: phrases that every page says in its reader's own language, free text among friends; players
to all, spectators to each other; and reports to who runs the service."""

from __future__ import annotations

import json
import unicodedata
from typing import Final

from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.keeping import change_of
from branchline.server.tables.outcome import Facts, Outcome, Spoke
from branchline.server.tables.rows import ChatRow, ReportRow
from branchline.server.tables.state import Over, Table, on_one_device, seat_of, seats_of
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence
from branchline.server.words.profanity import veiled

PHRASES: Final = frozenset(
    {
        "hello",
        "good_luck",
        "well_played",
        "nice_move",
        "oops",
        "thanks",
        "sorry",
        "wow",
        "thinking",
        "your_turn",
        "one_moment",
        "rematch",
        "good_game",
        "bye",
    }
)
LONGEST: Final = 200
LONGEST_REPORT: Final = 500
CONTEXT: Final = 20  # lines of talk that go with a report


def say(table: Table, command: commands.Say, facts: Facts) -> Outcome:
    """Say something at a table: to all, or as a spectator to the other spectators."""
    seat = seat_of(table, command.user, command.own)
    if seat is None and seats_of(table.chairs, command.user):
        raise BadRequest(Sentence("chat_chair", "say for which of your seats you speak"))
    text = _text(table, command)
    row = ChatRow(facts.now, command.user, seat, command.phrase, text)
    change = change_of(table, table, facts.now, chat=row, asked=command)
    name = table.chairs[seat].name if seat is not None and on_one_device(table.chairs) else facts.name
    chat = wire.ChatWire(facts.now, seat, name, command.phrase, text)
    return Outcome(table, change, (Spoke(chat, command.user, is_aside(table, chat)),))


def is_aside(table: Table, chat: wire.ChatWire) -> bool:
    """Said among spectators: until the game is over no player hears them, and what was said till then stays theirs."""
    return chat.seat is None and not (isinstance(table, Over) and chat.at > table.ended)


def _text(table: Table, command: commands.Say) -> str | None:
    if (command.phrase is None) == (command.text is None):
        raise BadRequest(Sentence("chat_one", "say a phrase or a text, one of the two"))
    if command.phrase is not None and command.phrase not in PHRASES:
        raise BadRequest(Sentence("chat_phrase", f"no such phrase; there are {', '.join(sorted(PHRASES))}"))
    if command.text is None:
        return None
    if not table.agreed.free_chat:
        raise BadRequest(Sentence("chat_phrases", "at a table of the lobby there are phrases only"))
    return veiled(clean_text(command.text))


def clean_text(text: str) -> str:
    """One line of what can be shown, without signs that turn or pile up letters."""
    spaced = " ".join(unicodedata.normalize("NFC", text).split())  # first: the end of a line is a control sign too
    kept = [c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn")]
    line = _without_piles(" ".join("".join(kept).split()))
    if not line:
        raise BadRequest(Sentence("chat_empty", "nothing was said"))
    if len(line) > LONGEST:
        raise BadRequest(Sentence("chat_long", f"{len(line)} letters, {LONGEST} at the most", LONGEST))
    return line


def _without_piles(line: str) -> str:
    marks = 0
    clean = []
    for letter in line:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= 2:
            clean.append(letter)
    return "".join(clean)


def report(table: Table, command: commands.Report, facts: Facts) -> Outcome:
    """Tell who runs the service about a player, with what was said of late."""
    if not 0 <= command.seat < len(table.chairs):
        raise BadRequest(f"seat: 0 to {len(table.chairs) - 1}")
    if len(command.text) > LONGEST_REPORT:
        raise BadRequest(Sentence("report_long", f"text: {LONGEST_REPORT} letters at the most", LONGEST_REPORT))
    chair = table.chairs[command.seat]
    lines = [chat for chat in facts.talk if chat.text and chat.seat is not None][-CONTEXT:]  # of who sits there
    said = [{"seat": c.seat, "name": c.name, "text": c.text, "at": c.at} for c in lines]
    context = json.dumps({"text": command.text, "name": chair.name, "chat": said})
    row = ReportRow(facts.now, command.user, command.seat, chair.user, command.reason, context)
    return Outcome(table, change_of(table, table, facts.now, report=row, asked=command))
