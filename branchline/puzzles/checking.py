"""Whether a puzzle is sound: everything that can be known of it without weighing its choices again."""

from __future__ import annotations

from branchline.notation import read_action
from branchline.puzzles.model import LEAST_GAP, Puzzle
from branchline.record import Fault
from branchline.review.alike import likeness


def fault_of(puzzle: Puzzle) -> str:
    """What is wrong with a puzzle, or ""."""
    try:
        view = puzzle.view()
    except (Fault, ValueError) as error:
        return f"it does not replay: {error}"
    if puzzle.seat not in view.to_act:
        return f"seat {puzzle.seat} is not to move"
    legal = view.legal_actions()
    likes = []
    for option in puzzle.options:
        action = read_action(option.line, puzzle.map)
        if action not in legal:
            return f"{option.line} is not legal"
        likes.append(likeness(action, view))
    if len(set(likes)) < len(likes):
        return "two of its choices are alike"
    if puzzle.gap < LEAST_GAP:
        return f"the gap is {puzzle.gap:.3f}, less than {LEAST_GAP}"
    if puzzle.reason is None:
        return "no reason can be shown"
    return ""
