"""Chat: phrases that every page says in its reader's own language, and free text among friends."""

from __future__ import annotations

import time
import unicodedata
from typing import TYPE_CHECKING, Final

from branchline.server import wire
from branchline.server.coarse import veiled
from branchline.server.limits import Limits
from branchline.server.said import Said
from branchline.server.store import Store
from branchline.server.tables import Table

if TYPE_CHECKING:
    from branchline.server.rooms import Room

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
KEPT: Final = 50  # lines told to who comes in


class BadChat(ValueError):
    """Something that cannot be said here; the message says why."""


class Chat:
    """What is said at the tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = Limits(rate=0.5, burst=5)

    def last(self, table_id: str, without: frozenset[str] = frozenset()) -> list[wire.ChatWire]:
        """The latest lines, but none of these people."""
        rows = self._store.read(
            "SELECT chat.user_id, chat.at, chat.seat, chat.phrase, chat.text, users.name FROM chat"
            " LEFT JOIN users ON users.id = chat.user_id WHERE table_id = ? ORDER BY chat.id DESC LIMIT ?",
            (table_id, KEPT),
        )
        return [
            wire.ChatWire(r["at"], r["seat"], r["name"] or "", r["phrase"], r["text"])
            for r in reversed(rows)
            if r["user_id"] not in without
        ]

    async def say(self, room: Room, user: str, name: str, said: wire.Say) -> None:
        """Say something at a table, or raise `BadChat`."""
        text = self._checked(room.table, user, said)
        now, seat = time.time(), room.table.seat_of(user)
        await self._store.write(
            (
                "INSERT INTO chat (table_id, at, user_id, seat, phrase, text) VALUES (?, ?, ?, ?, ?, ?)",
                (room.table.id, now, user, seat, said.phrase, text),
            )
        )
        room.tell_all(wire.ChatNews(wire.ChatWire(now, seat, name, said.phrase, text)), speaker=user)

    def _checked(self, table: Table, user: str, said: wire.Say) -> str | None:
        if (said.phrase is None) == (said.text is None):
            raise BadChat(Said("chat_one", "say a phrase or a text, one of the two"))
        if table.seat_of(user) is None:
            raise BadChat(Said("chat_seated", "only who sits at the table can speak"))
        if said.phrase is not None and said.phrase not in PHRASES:
            raise BadChat(Said("chat_phrase", f"no such phrase; there are {', '.join(sorted(PHRASES))}"))
        if said.text is not None and not table.free_chat:
            raise BadChat(Said("chat_phrases", "at a table of the lobby there are phrases only"))
        text = veiled(clean_text(said.text)) if said.text is not None else None
        if not self._limits.take(user):
            raise BadChat(Said("chat_slow", "a little slower, please"))
        return text


def clean_text(text: str) -> str:
    """One line of what can be shown, without signs that turn or pile up letters."""
    spaced = " ".join(unicodedata.normalize("NFC", text).split())  # first: the end of a line is a control sign too
    kept = [c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn")]
    line = " ".join("".join(kept).split())
    marks = 0
    clean = []
    for letter in line:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= 2:
            clean.append(letter)
    line = "".join(clean)
    if not line:
        raise BadChat(Said("chat_empty", "nothing was said"))
    if len(line) > LONGEST:
        raise BadChat(Said("chat_long", f"{len(line)} letters, {LONGEST} at the most", LONGEST))
    return line
