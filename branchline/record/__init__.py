"""Game records: a small text file that replays to the same game, byte for byte.

    record = record_of(game, players=["Ada", "Bo"])
    text = write_game(record)
    assert read_game(text) == record
    assert verify(record) is None

`read_game` refuses what is no record with `BadRecord`; `verify` tells the first move or score that is wrong.
"""

from branchline.mechanics.composed_record import SheetLine
from branchline.record.decks import explicit_deal
from branchline.record.model import FORMAT, BadRecord, Fault, Move, Player, Record, Result
from branchline.record.reader import load_game, read_game
from branchline.record.replay import Step, record_of, replay, result_of, verify
from branchline.record.words import describe, explain_scores
from branchline.record.writer import write_game

__all__ = [
    "FORMAT",
    "BadRecord",
    "Fault",
    "Move",
    "Player",
    "Record",
    "Result",
    "SheetLine",
    "Step",
    "describe",
    "explain_scores",
    "explicit_deal",
    "load_game",
    "read_game",
    "record_of",
    "replay",
    "result_of",
    "verify",
    "write_game",
]
