"""A seat is judged by what it knew: where two games differ in what was hidden from it, it gets the same verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

from branchline.actions import DrawDeck, KeepTickets, ReturnTicket
from branchline.mechanics.composed import Position
from branchline.record import Move, Record, explicit_deal, replay
from branchline.review import QUICK, Review, review
from branchline.review.luck import luck_of
from branchline.review.making import judge_moment
from branchline.review.moments import Moment, play_again
from branchline.view import View, imagine
from tests.review.games import quick, record


@lru_cache(maxsize=1)
def moments() -> tuple[Moment, ...]:
    return play_again(record()).moments


@lru_cache(maxsize=1)
def twin() -> Record:
    """The same game, but one ticket of seat 1 is another, that nobody ever saw."""
    game = [step.game for step in replay(record())][-1]
    deal = explicit_deal(game)
    kept = next(m.action for m in record().moves if m.seat == 1 and isinstance(m.action, KeepTickets))
    assert isinstance(kept, KeepTickets)
    offered = {ticket for m in moments() for ticket in m.view.offered_tickets}
    swap = {kept.tickets[0]: (never := next(t for t in deal.tickets if t not in offered)), never: kept.tickets[0]}
    tickets = tuple(swap.get(ticket, ticket) for ticket in deal.tickets)
    moves = tuple(move if move.seat == 0 else _renamed(move, swap) for move in record().moves)
    return replace(record(), deal=replace(deal, tickets=tickets), moves=moves, result=None)


def _renamed(move: Move, swap: dict[str, str]) -> Move:
    match move.action:
        case KeepTickets(tickets):
            return Move(move.seat, KeepTickets(tuple(swap.get(ticket, ticket) for ticket in tickets)))
        case ReturnTicket(ticket):
            return Move(move.seat, ReturnTicket(swap.get(ticket, ticket)))
        case _:
            return move


@lru_cache(maxsize=1)
def reviewed() -> Review:
    return review(twin(), setting=QUICK)


def test_the_other_game_is_another_and_its_seat_is_judged_otherwise() -> None:
    assert play_again(twin()).result.scores != play_again(record()).result.scores
    ours = [move.decided for move in quick().moves if move.seat == 1]
    assert ours != [move.decided for move in reviewed().moves if move.seat == 1]


def test_who_cannot_tell_the_games_apart_gets_the_same_verdicts_and_the_same_luck() -> None:
    for ours, theirs in zip(quick().moves, reviewed().moves, strict=True):
        if ours.seat == 0:
            assert ours.decided == theirs.decided and ours.luck == theirs.luck
            one, two = (found.curve[ours.number - 1] for found in (quick(), reviewed()))
            assert (one.win, one.own[0], one.points) == (two.win, two.own[0], two.points)


@pytest.mark.parametrize("number", [1, 7, 20, 33, 51, 70])
def test_a_choice_is_judged_alike_in_a_world_that_its_seat_could_be_in(number: int) -> None:
    moment = moments()[number]
    other = imagine(moment.view, Random(number)).position
    assert other != moment.before
    there = replace(moment, before=other, view=View.of(moment.view.map, other, moment.seat))
    assert judge_moment(moment, QUICK, 0).decided == judge_moment(there, QUICK, 0).decided


def test_luck_depends_on_the_card_that_came_and_on_nothing_else_that_was_hidden() -> None:
    moment = [m for m in moments() if isinstance(m.action, DrawDeck)][30]
    other = imagine(moment.view, Random(3)).position
    other.deck[other.deck_n - 1] = moment.before.deck[moment.before.deck_n - 1]
    there = replace(moment, before=other, after=_drawn(other))
    assert luck_of(moment, QUICK, 0) == luck_of(there, QUICK, 0) is not None


def _drawn(s: Position) -> Position:
    """With a card less in the deck: all that luck asks of what came after a blind card."""
    after = s.copy()
    after.deck_n -= 1
    return after
