"""The bot `rollout`: worlds, rollouts, what it chooses, and that it depends on nothing but its seed and its view."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from branchline import ClaimTrack, Game, imagine, load_map, read_action, shipped_maps
from branchline.bots import Bot
from branchline.bots.composed import Plan
from branchline.bots.games.match import CONDUCTOR_BOT, PATH_BOT
from branchline.bots.games.request import request
from branchline.bots.players import ConductorBot
from branchline.bots.rollout import RolloutBot, think
from branchline.bots.rollout import workspace as rooms
from branchline.bots.rollout.evaluation import FEATURES, NET, gauge
from branchline.bots.rollout.guess import BINS, STAGES, bin_tickets, deal_likely_tickets
from branchline.bots.rollout.race import Clock
from branchline.bots.rollout.trials import ALL_TURNS, make_world, try_candidates
from branchline.bots.rollout.workspace import EVALUATION, LIKELY, TICKET_WEIGHTS, Room, load_compiled
from branchline.codec import code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.view import veil
from branchline.maps.model import MAX_TICKETS
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from tests.table import table

MAPS = shipped_maps()


def some_game(map: str, players: int, moves: int, seed: int = 3) -> Game:
    """A game of conductors, stopped where somebody has a choice."""
    game = Game.new(map, players=players, seed=seed)
    bot = ConductorBot(0)
    n = 0
    while n < moves or len(game.legal_actions()) < 2:
        seat = game.to_act[0]
        game.play(bot.choose(game.view(seat), game.legal_actions(seat)), seat)
        n += 1
    return game


# ---------------------------------------------------------------- choosing


@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("players", [2, 5])
def test_two_worlds_one_choice(map: str, players: int) -> None:
    for moves in (0, 9 * players, 30 * players):
        game = some_game(map, players, moves)
        seat = game.to_act[0]
        view = game.view(seat)
        other = imagine(view, random.Random(moves))
        assert other.position != game.position
        one = RolloutBot(5, rollouts=40).choose(view, game.legal_actions(seat))
        two = RolloutBot(5, rollouts=40).choose(other.view(seat), other.legal_actions(seat))
        assert one == two
        assert one in game.legal_actions(seat)


def test_the_number_of_threads_changes_nothing() -> None:
    view = some_game("europe", 3, 40).view(some_game("europe", 3, 40).to_act[0])
    one, three = (think(view, seed=2, threads=threads, rollouts=200) for threads in (1, 3))
    assert one.rollouts == three.rollouts >= 150
    assert one.candidates == three.candidates


def test_another_seed_sees_other_worlds() -> None:
    game = some_game("usa", 2, 30)
    view = game.view(game.to_act[0])
    assert think(view, seed=1, rollouts=100).candidates != think(view, seed=2, rollouts=100).candidates


def test_a_whole_game() -> None:
    game = Game.new("iberia", players=3, seed=8)
    bots: list[Bot] = [RolloutBot(1, rollouts=16, threads=1), ConductorBot(0), ConductorBot(0)]
    while not game.is_over:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
    assert game.end_reason == "last round"


def test_the_last_turn_takes_the_points() -> None:
    game = table("usa", hands=["red red red red red red", ""], trains=[6, 2], tickets=["", ""])
    s = game.position
    s.turns_left = 1
    game = Game.at(game.map, s)
    choice = RolloutBot(1, rollouts=300).choose(game.view(0), game.legal_actions(0))
    assert isinstance(choice, ClaimTrack)
    length = {track.id: track.length for track in game.map.tracks}
    assert length[choice.track] == max(
        length[action.track] for action in game.legal_actions(0) if isinstance(action, ClaimTrack)
    )


def test_one_action_takes_no_rollouts() -> None:
    game = some_game("usa", 2, 20)
    view = game.view(game.to_act[0])
    game = table("usa", display="- - - - -", hands=["", ""], rest="last hand", ticket_deck="")
    assert len(game.legal_actions(0)) == 1
    thoughts = think(game.view(0))
    assert (thoughts.rollouts, thoughts.action) == (0, game.legal_actions(0)[0])
    with pytest.raises(ValueError, match="spectator"):
        think(Game.new(view.map, players=2, seed=1).view(None))


def last_turns() -> Game:
    """A game of which only two turns are left: a second holds more rollouts than anywhere else."""
    game = table("usa", hands=["red red blue blue", "green green"], trains=[3, 3], tickets=["", ""])
    s = game.position
    s.turns_left = 2
    return Game.at(game.map, s)


@pytest.mark.parametrize("when", [partial(some_game, "usa", 4, 60), last_turns], ids=["midgame", "last turns"])
def test_it_keeps_its_time(when: Callable[[], Game]) -> None:
    game = when()
    view = game.view(game.to_act[0])
    think(view, 0.05)
    spent = []
    for _ in range(5):  # a machine may be busy: what counts is that it can
        start = time.perf_counter()
        think(view, 0.2)
        spent.append(time.perf_counter() - start)
    assert min(spent) <= 0.2


# ---------------------------------------------------------------- what it tells


def test_thoughts() -> None:
    game = some_game("europe", 2, 50)
    seat = game.to_act[0]
    thoughts = think(game.view(seat), seed=1, rollouts=300)
    assert thoughts.action == thoughts.candidates[0].action
    assert len({c.action for c in thoughts.candidates}) == len(thoughts.candidates) > 1
    for c in thoughts.candidates:
        assert c.action in game.legal_actions(seat)
        assert c.visits == 0 or 0 <= c.win <= 1
    assert thoughts.candidates[0].visits == max(c.visits for c in thoughts.candidates)
    assert thoughts.rollouts == sum(c.visits for c in thoughts.candidates)
    assert 0 <= thoughts.win <= 1
    assert thoughts.seconds > 0


def test_the_principal_line_can_be_played() -> None:
    game = some_game("africa", 2, 40)
    seat = game.to_act[0]
    thoughts = think(game.view(seat), seed=1, rollouts=100)
    assert thoughts.line[0][0] == seat
    assert read_action(thoughts.line[0][1], game.map) == thoughts.action
    assert len(thoughts.line) > 4
    assert {s for s, _ in thoughts.line} == {0, 1}


def test_a_won_game_is_seen_as_won() -> None:
    long = [track.id for track in load_map("usa").tracks if track.length == 6][:5]
    for owner, chance in ((0, 1), (1, 0)):
        game = table("usa", hands=["red red", ""], trains=[3, 3], tracks={owner: long})
        s = game.position
        s.turns_left = 2
        assert think(Game.at(game.map, s).view(0), rollouts=100).win == chance


# ---------------------------------------------------------------- worlds


def test_likely_tickets_are_dealt_and_none_is_lost() -> None:
    game = some_game("usa", 3, 60)
    board = make_board(game.map)
    seat = game.to_act[0]
    positions = [game.view(seat).position, Position(), Position()]
    other = (seat + 1) % 3
    unseen = [t for t in range(board.n_tickets) if positions[0].ticket_at[t] == 0]
    wanted = unseen[:: len(unseen) // game.position.ticket_count[other]][: game.position.ticket_count[other]]
    weights = [1] * TICKET_WEIGHTS
    for t in wanted:
        weights[other * MAX_TICKETS + t] = 1_000_000
    for key in range(5):
        make_world(positions, board, Work(), seat, weights, key)
        s = positions[1]
        held = [t for t in range(board.n_tickets) if s.ticket_at[t] == k.HELD + other]
        assert len(held) == s.ticket_count[other]
        assert len(set(held) & set(wanted)) >= len(held) - 1
        deck = [s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] for i in range(s.ticket_n)]
        assert len(set(deck)) == len(deck)
        assert not set(deck) & {t for t in range(board.n_tickets) if k.HELD <= s.ticket_at[t] < k.RETURNED}
        veil(s, board, seat)
        assert s == positions[0]


def test_who_has_laid_the_way_of_a_ticket_is_likely_to_hold_it() -> None:
    data = load_map("usa")
    done, way = next(
        (i, [one.id, two.id])
        for i, ticket in enumerate(data.tickets)
        for one in data.tracks
        for two in data.tracks
        if {one.a, one.b} ^ {two.a, two.b} == {*ticket.a, *ticket.b}
    )
    game = table("usa", tracks={1: way})
    bins = [0] * TICKET_WEIGHTS
    bin_tickets(game.view(0).position, make_board(data), Plan(), 0, bins)
    assert bins[MAX_TICKETS + done] % BINS == 0
    assert LIKELY.shape == (STAGES, BINS)
    rates = LIKELY.reshape(-1)[bins[MAX_TICKETS : MAX_TICKETS + len(data.tickets)]]
    assert rates[done] == rates.max() > 10 * np.median(rates)


def test_nothing_is_exchanged_while_tickets_are_chosen() -> None:
    game = Game.new("usa", players=2, seed=1)
    root = game.view(0).position
    s = imagine(game.view(0), random.Random(1)).position
    before = s.copy()
    deal_likely_tickets(root, s, make_board(game.map), 0, [1] * TICKET_WEIGHTS, 5)
    assert s == before


# ---------------------------------------------------------------- rollouts


@pytest.mark.parametrize("map", MAPS)
def test_rollouts_interpreted_and_compiled_are_the_same(map: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "OWN_POLICY", PATH_BOT)
    monkeypatch.setattr(rooms, "OTHERS_POLICY", CONDUCTOR_BOT)
    game = some_game(map, 3, 60)
    seat = game.to_act[0]
    view = game.view(seat)
    codes = [code_of(action, view.position, names_of(view.map), seat) for action in game.legal_actions(seat)[:2]]
    room = Room(view)
    room.set_weights(seat)
    weights = room.weights.tolist()
    for turns in (2, ALL_TURNS):
        compiled = room.roll_out(seat, 77, 5, 1, codes, turns)
        results = [0] * (2 * k.SEATS)
        positions = [view.position, Position(), Position()]
        tried = request(codes=codes, codes_n=2, seed=77, first=5, worlds=1, turns=turns)
        tried.seat, tried.bot, tried.others = seat, PATH_BOT, CONDUCTOR_BOT
        try_candidates(positions, make_board(view.map), Work(), Plan(), tried, weights, results)
        assert compiled.reshape(-1).tolist() == results


def test_the_evaluation_is_whole() -> None:
    data = json.loads(EVALUATION.read_text(encoding="utf-8"))
    assert len(data["net"]) == NET
    assert all(isinstance(n, int) for n in data["net"])


def test_the_evaluation_sees_what_is_there() -> None:
    """Points laid down and tickets joined count: the same seat with more of them is expected to end with more."""
    game = some_game("usa", 2, 90)
    s, board, work = game.position, make_board(game.map), Plan()
    gauge(s, board, work, 0)
    facts = work.facts[:FEATURES]
    assert facts[0] == s.score[0]
    assert sum(facts[1:4]) == sum(board.ticket_points[t] for t in range(board.n_tickets) if s.ticket_at[t] == k.HELD)


@pytest.mark.parametrize(("seconds", "end"), [(0.05, 0.04), (0.1, 0.08), (0.3, 0.256), (1.0, 0.9), (3.0, 2.74)])
def test_a_search_stops_before_its_time_is_over(seconds: float, end: float) -> None:
    """The more so the less it has: a core may be late by as much, whatever the time."""
    assert Clock(0.0, seconds, 1)._end == pytest.approx(end)


def test_a_bot_that_is_made_has_loaded_what_it_needs() -> None:
    load_compiled.cache_clear()
    RolloutBot(1, rollouts=1)
    assert load_compiled.cache_info().currsize == 1
