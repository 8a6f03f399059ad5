"""Puzzles: positions of real games in which one choice is clearly best.

for puzzle in shipped():
    view = puzzle.view()                # what the seat may know, and nothing else
    puzzle.is_right("draw deck")
"""

from branchline.puzzles.daily import of_day
from branchline.puzzles.model import FORMAT, BadPuzzle, Option, Proof, Puzzle, Reason
from branchline.puzzles.reading import find, load, read, shipped, write

__all__ = [
    "FORMAT",
    "BadPuzzle",
    "Option",
    "Proof",
    "Puzzle",
    "Reason",
    "find",
    "load",
    "of_day",
    "read",
    "shipped",
    "write",
]
