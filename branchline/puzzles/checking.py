"""Whether a puzzle is sound: everything that can be known of it without weighing its choices again."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from branchline.notation import read_action
from branchline.puzzles.model import LEAST_GAP, PROOF, PROOFS, Puzzle, holds_in_the_end
from branchline.review.alike import likeness
from branchline.view import imagine


def fault_of(puzzle: Puzzle) -> str:
    """What is wrong with a puzzle, or ""."""
    try:
        view = puzzle.view()
    except ValueError as error:
        return f"it does not replay: {error}"
    if puzzle.seat not in view.to_act:
        return f"seat {puzzle.seat} is not to move"
    if not knows_itself(puzzle):
        return "what the seat is shown depends on what it may not know"
    return _fault_of_choices(puzzle) or _fault_of_proofs(puzzle) or ("" if puzzle.reason else "no reason can be shown")


def knows_itself(puzzle: Puzzle) -> bool:
    """Two worlds: whether the view is the same where all that the seat does not know was dealt anew."""
    view = puzzle.view()
    return imagine(view, Random(0)).view(puzzle.seat) == view


def twins(puzzles: Iterable[Puzzle]) -> dict[str, str]:
    """By the id of a puzzle that of an earlier one in which the seat is shown the same."""
    seen: dict[tuple[str, int, bytes], str] = {}
    found = {}
    for one in puzzles:
        shown = (one.map.hash, one.seat, one.view().to_bytes())
        if shown in seen:
            found[one.id] = seen[shown]
        seen.setdefault(shown, one.id)
    return found


def _fault_of_choices(puzzle: Puzzle) -> str:
    view, likes = puzzle.view(), []
    legal = view.legal_actions()
    for option in puzzle.options:
        action = read_action(option.line, puzzle.map)
        if action not in legal:
            return f"{option.line} is not legal"
        likes.append(likeness(action, view))
    if len(set(likes)) < len(likes):
        return "two of its choices are alike"
    if any(option.win > puzzle.options[0].win for option in puzzle.options[1:]):
        return "another choice than its answer wins more often"
    return ""


def _fault_of_proofs(puzzle: Puzzle) -> str:
    if len(puzzle.proofs) < PROOFS:
        return f"it was weighed {len(puzzle.proofs)} times, not {PROOFS}"
    if puzzle.work < PROOF:
        return f"it was weighed for {puzzle.work:g} seconds' worth, less than {PROOF:g}"
    if not holds_in_the_end(puzzle.end.gap, puzzle.end.error):
        return "not so in games played to the end"
    return f"the gap is {puzzle.gap:.3f}, less than {LEAST_GAP}" if puzzle.gap < LEAST_GAP else ""
