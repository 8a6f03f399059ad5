"""Plans: what a person wishes for the next turns, played the moment the turn comes.

A turn is a list of wishes, and the first of them that is possible then is played. It is played in the same change as
the move that brought the turn: there is no moment between, at which it could be lost or played twice. What follows
from a choice is played as far as it is written; where it is not, the person is asked as ever. Nobody else is told of
a plan: its moves are the player's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from branchline import actions as a
from branchline.game import Game
from branchline.maps.model import CARDS, GRAY, LOCO, MapData, Track
from branchline.mechanics.composed_service import PLANS
from branchline.notation import read_action, write_action
from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.course import Course, Done
from branchline.server.tables.keeping import change_of, plan_rows
from branchline.server.tables.outcome import NOT_SEATED, Facts, Moved, News, Outcome, PlanChanged
from branchline.server.tables.planning import TOO_FEW_LOCOS, Asked, check_payment
from branchline.server.tables.play import NO_GAME, moved
from branchline.server.tables.rows import Change
from branchline.server.tables.state import Plan, Playing, Table, on_one_device, seat_of
from branchline.server.wire.prices import payments_of
from branchline.server.wire.refusals import BadRequest, Conflict
from branchline.server.wire.sentences import Sentence

MOST_TURNS: Final = 3
MOST_WISHES: Final = 8  # of one turn
MOST_THEN: Final = 9  # second cards to choose from: every kind of card once
BLIND: Final = "blind"
OTHER_WISHES: Final = {kind: wish for part in PLANS for kind, wish in part.wishes.items()}
ANSWERS: Final = {phase: answer for part in PLANS for phase, answer in part.answers.items()}


# ---------------------------------------------------------------- writing


def set_plan(table: Table, command: commands.SetPlan, facts: Facts) -> Outcome:
    """Write a plan in place of the one before; without a turn there is none any more."""
    seat = seat_of(table, command.user)
    if on_one_device(table.chairs):
        raise Conflict(Sentence("plan_device", "on a shared device there are no plans: everybody is here"))
    if seat is None:
        raise Conflict(NOT_SEATED)
    if not isinstance(table, Playing):
        raise Conflict(NO_GAME)
    if command.turns:
        _check_moment(table, seat)
    _check_sizes(command.turns)
    for wish in (wish for wishes in command.turns for wish in wishes):
        _check_wish(wish, table.agreed.map)
    turns = tuple(tuple(wishes) for wishes in command.turns)
    after = _with_plan(table, seat, Plan(seat, turns) if turns else None)
    return Outcome(after, change_of(table, after, facts.now, asked=command))


def _check_moment(table: Playing, seat: int) -> None:
    if table.agreed.options.clock.kind == "live":
        raise Conflict(Sentence("plan_live", "with a clock of minutes there are no plans: you play yourself"))
    if seat in table.proxied:
        raise Conflict(Sentence("plan_proxied", "a bot plays for you: take your seat back first"))
    if seat in table.course.game.to_act:
        raise Conflict(Sentence("plan_asked", "it is you who has to choose now: a plan is for when you wait"))


def _check_sizes(turns: Sequence[Sequence[wire.Wish]]) -> None:
    if len(turns) > MOST_TURNS:
        raise BadRequest(Sentence("plan_turns", f"a plan is for {MOST_TURNS} turns at the most", MOST_TURNS))
    if any(len(wishes) > MOST_WISHES for wishes in turns):
        raise BadRequest(Sentence("plan_wishes", f"a turn has {MOST_WISHES} wishes at the most", MOST_WISHES))
    if not all(turns):
        raise BadRequest(Sentence("plan_empty", "each turn of a plan needs at least one wish"))


def _check_wish(wish: wire.Wish, data: MapData) -> None:
    """What can be known beforehand; whether it is possible, the rules say at the moment."""
    match wish:
        case wire.ClaimWish():
            track = next((t for t in data.tracks if t.id == wish.track), None)
            if track is None:
                raise BadRequest(Sentence("plan_track", "there is no such track on this map"))
            _check_claim(wish, track, data)
        case wire.DrawWish():
            _check_cards([wish.first, *wish.then], data)
        case _:
            OTHER_WISHES[type(wish)].check(wish, data)


def _check_claim(wish: wire.ClaimWish, track: Track, data: MapData) -> None:
    check_payment(wish.colour, wish.locos)
    if track.colour not in (GRAY, wish.colour):
        raise BadRequest(Sentence("plan_colour", "this track cannot be paid with cards of that colour"))
    if wish.colour == LOCO and wish.locos < track.length:
        raise BadRequest(TOO_FEW_LOCOS)
    for part in PLANS:
        part.check_claim(wish, track, data)


def _check_cards(cards: Sequence[str], data: MapData) -> None:
    more = {card for part in PLANS for card in part.cards(data)}
    if len(cards) > 1 + MOST_THEN or not set(cards) <= {BLIND, *CARDS, *more}:
        raise BadRequest(Sentence("plan_cards", "there are no such cards to draw on this map"))


# ---------------------------------------------------------------- playing


def followed(outcome: Outcome, facts: Facts) -> Outcome:
    """What comes of a move, and of the plans of those whose turn it brings, one after the other: one change."""
    while (due := _due(outcome.table)) is not None:
        table, plan = due
        outcome = _one_after_the_other(outcome, _turn(table, plan, facts))
    return outcome


def _due(table: Table) -> tuple[Playing, Plan] | None:
    """The plan of who has to begin a turn, if there is one."""
    if not isinstance(table, Playing) or not table.plans or table.course.game.phase != "turn":
        return None
    seat = table.course.game.to_act[0]
    plan = table.plan_of(seat)
    return None if plan is None or not plan.turns or seat in table.proxied else (table, plan)


def _turn(table: Playing, plan: Plan, facts: Facts) -> Outcome:
    """One turn of a plan. After all but a whole turn, what was wished for the next ones is over too."""
    for wish in plan.turns[0]:
        trial = table.course.copy()
        lines = _opening(trial.game, plan.seat, wish)
        if lines:
            break
    else:
        after = _with_plan(table, plan.seat, Plan(plan.seat, (), wire.PlanResult("none", None, facts.now)))
        return Outcome(after, change_of(table, after, facts.now))
    dones = [trial.play(plan.seat, line, "plan") for line in lines]
    dones += _what_follows(trial, plan.seat, wish)
    whole = plan.seat not in trial.game.to_act
    result = wire.PlanResult("played" if whole else "stopped", wish, facts.now)
    rest = Plan(plan.seat, plan.turns[1:] if whole else (), result)
    key = f"plan:{plan.seat}-{table.course.seq}"
    outcome = moved(table, trial, dones, facts, key=key)
    assert isinstance(outcome.table, Playing)
    return replace(outcome, table=_with_plan(outcome.table, plan.seat, rest))


def _opening(game: Game, seat: int, wish: wire.Wish) -> list[str]:
    """The lines that begin a wish, if it is possible now."""
    legal = game.legal_actions(seat)
    match wish:
        case wire.DrawWish():
            return _drawn(game, legal, [wish.first])
        case wire.ClaimWish():
            return _paid(game, seat, a.ClaimTrack(wish.track, wish.colour), legal, wish.locos)
        case _:
            return _paid(game, seat, OTHER_WISHES[type(wish)].purchase(wish), legal, wish.locos)


def _paid(game: Game, seat: int, opening: a.Action, legal: Sequence[a.Action], locos: int) -> list[str]:
    """What is bought, with as few locomotives as can be, and no more than are allowed."""
    if opening not in legal:
        return []
    ways = [way for way in payments_of(game, seat, opening) if way.locos <= locos]
    return min(ways, key=lambda way: way.locos).lines if ways else []


def _drawn(game: Game, legal: Sequence[a.Action], cards: Sequence[str]) -> list[str]:
    """The line that takes the first of these cards that can be had."""
    view = game.view(None)
    for card in cards:
        ways: list[a.Action] = [a.DrawDeck()] if card == BLIND else []
        ways += [a.DrawDisplay(n) for n, shown in enumerate(view.display, 1) if shown == card]
        ways += [way for part in PLANS for way in part.ways(card, view)]
        found = next((way for way in ways if way in legal), None)
        if found is not None:
            return [write_action(found)]
    return []


def _what_follows(trial: Course, seat: int, wish: wire.Wish) -> list[Done]:
    """Play on as far as it is written."""
    dones: list[Done] = []
    spent = 0  # locomotives, for what was asked after the claim
    while seat in trial.game.to_act:
        line = _next_line(trial.game, seat, wish, spent)
        if line is None:
            break
        action = read_action(line)
        spent += action.count if isinstance(action, a.PlayLocos) else 0
        spent += sum(part.locos(action) for part in PLANS)
        dones.append(trial.play(seat, line, "plan"))
    return dones


def _next_line(game: Game, seat: int, wish: wire.Wish, spent: int) -> str | None:
    """What the wish says to the question now asked, or None where it says nothing."""
    legal = game.legal_actions(seat)
    if isinstance(wish, wire.DrawWish):
        lines = _drawn(game, legal, wish.then) if game.phase == "draw_second" else []
        return lines[0] if lines else None
    if not isinstance(wish, wire.ClaimWish):
        return None
    left = wish.locos - game.position.claim_locos - spent
    answer = ANSWERS.get(game.phase)
    found = answer(wish, Asked(game.view(seat), legal, left)) if answer is not None else None
    return write_action(found) if found is not None else None


# ---------------------------------------------------------------- keeping


def by_hand(before: Table, command: commands.Move, outcome: Outcome) -> Outcome:
    """Who begins a turn by hand has no plan any more."""
    assert isinstance(before, Playing) and isinstance(outcome.table, Playing)
    seat = seat_of(before, command.user)
    if seat is None or before.plan_of(seat) is None or before.course.game.phase != "turn":
        return outcome
    return replace(outcome, table=_with_plan(outcome.table, seat, None))


def kept(before: Table, outcome: Outcome) -> Outcome:
    """The plans after any command: who is replaced by a bot has none. What changed is written down, and told to whose
    plan it is."""
    was = before.plans if isinstance(before, Playing) else ()
    table = outcome.table
    if isinstance(table, Playing) and any(plan.seat in table.proxied for plan in table.plans):
        table = replace(table, plans=tuple(plan for plan in table.plans if plan.seat not in table.proxied))
    rows = plan_rows(table.chairs, was, table.plans if isinstance(table, Playing) else ())
    if not rows:
        return outcome
    assert outcome.change is not None
    news: tuple[News, ...] = (*outcome.news, PlanChanged(frozenset(row.seat for row in rows)))
    return replace(outcome, table=table, change=replace(outcome.change, plans=rows), news=news)


def _with_plan(table: Playing, seat: int, plan: Plan | None) -> Playing:
    others = [one for one in table.plans if one.seat != seat]
    return replace(table, plans=tuple(sorted([*others, *([plan] if plan else [])], key=lambda one: one.seat)))


def _one_after_the_other(first: Outcome, then: Outcome) -> Outcome:
    """Two outcomes as one: one change, and what was moved told at once."""
    if first.change is None or then.change is None:
        return replace(then, change=first.change or then.change, news=(*first.news, *then.news))
    one, two = first.change, then.change
    change: Change = replace(
        two,
        new=one.new,
        chairs=two.chairs if two.chairs is not None else one.chairs,
        log=(*one.log, *two.log),
        snapshot=two.snapshot or one.snapshot,
        receipt=one.receipt,
    )
    return Outcome(then.table, change, _told(first.news, then.news))


def _told(first: Sequence[News], then: Sequence[News]) -> tuple[News, ...]:
    """What all see is told of the table as it is after both: the moves of both are one piece of news."""
    moves = [piece for piece in (*first, *then) if isinstance(piece, Moved)]
    others = [piece for piece in (*first, *then) if not isinstance(piece, Moved)]
    if not moves:
        return tuple(others)
    dones = tuple(done for piece in moves for done in piece.dones)
    return (*others, Moved(dones, moves[0].before))
