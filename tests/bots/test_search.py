"""The search guided by the network: what it chooses and tells, and that it depends on nothing but seed and view.

That it conforms and chooses alike in two worlds: test_bot_protocol.py, with all bots of ours.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest

from branchline import ClaimTrack, Game, imagine, load_map, read_action
from branchline.bots import BOTS, make_bot
from branchline.bots.net import player
from branchline.bots.rollout.trials import ROLLOUT_STREAM
from branchline.bots.search import SearchBot, Thoughts, think
from branchline.bots.search import thinking as of_search
from branchline.bots.search.budget import Count
from branchline.bots.search.lockstep import TICKET_WEIGHTS, Lockstep
from branchline.bots.search.playing import MARGIN_AT, Playing
from branchline.bots.search.steps import TOLD, WITHOUT_WORD, imagine_world, play_code, tell_game
from branchline.codec import code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.chance import stream_key
from branchline.kernel.view import veil
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from branchline.training.inference import NO_WORD, SHIPPED
from tests.bots.test_net import forgetful as forgetful
from tests.bots.test_rollout import last_turns, some_game
from tests.table import table

TRIES = 60
MAPS = Path(__file__).parent.parent / "data" / "maps"
TINY = str(MAPS / "tiny.json")


def thoughts_of(game: Game, **how: int) -> Thoughts:
    return think(game.view(game.to_act[0]), seed=1, threads=how.pop("threads", 1), rollouts=how.pop("rollouts", TRIES))


# ---------------------------------------------------------------- choosing


@pytest.mark.parametrize(
    ("map", "players"), [("usa", 2), ("europe", 5), ("africa", 3), ("tests/data/maps/tiny.json", 2)]
)
def test_two_worlds_one_thought(map: str, players: int) -> None:
    for moves in (0, 20 * players) if players > 2 else (0, 10, 25):
        game = some_game(map, players, moves)
        seat = game.to_act[0]
        other = imagine(game.view(seat), random.Random(moves))
        assert other.position != game.position
        here, there = thoughts_of(game), think(other.view(seat), seed=1, threads=1, rollouts=TRIES)
        assert here.candidates == there.candidates or np.isnan(here.win)
        assert here.action == there.action
        assert here.action in game.legal_actions(seat)


def test_the_number_of_threads_changes_nothing() -> None:
    game = some_game("europe", 3, 40)
    one, three = (thoughts_of(game, threads=threads) for threads in (1, 3))
    assert one.candidates == three.candidates
    assert one.rollouts == three.rollouts > 0


def test_threads_share_the_time() -> None:
    game = some_game("usa", 2, 30)
    assert think(game.view(game.to_act[0]), 0.3, threads=2).action in game.legal_actions()


def test_another_seed_sees_other_worlds() -> None:
    game = some_game("usa", 2, 30)
    view = game.view(game.to_act[0])
    assert think(view, seed=1, rollouts=TRIES).candidates != think(view, seed=2, rollouts=TRIES).candidates


def test_without_time_it_plays_what_the_network_plays() -> None:
    for moves in (0, 20, 40):
        game = some_game("iberia", 2, moves)
        seat = game.to_act[0]
        view = game.view(seat)
        assert think(view, 1e-6).action == make_bot("net", 0).choose(view, game.legal_actions(seat))


def test_the_last_turn_takes_the_points() -> None:
    game = table("usa", hands=["red red red red red red", ""], trains=[6, 2], tickets=["", ""])
    s = game.position
    s.turns_left = 1
    game = Game.at(game.map, s)
    choice = thoughts_of(game).action
    assert isinstance(choice, ClaimTrack)
    length = {track.id: track.length for track in game.map.tracks}
    claims = [action for action in game.legal_actions(0) if isinstance(action, ClaimTrack)]
    assert length[choice.track] == max(length[action.track] for action in claims)


def test_one_action_takes_no_tries() -> None:
    game = table("usa", display="- - - - -", hands=["", ""], rest="last hand", ticket_deck="")
    thoughts = think(game.view(0))
    assert (thoughts.rollouts, thoughts.action) == (0, game.legal_actions(0)[0])
    assert sum(thoughts.wins) == pytest.approx(1)  # at first sight
    with pytest.raises(ValueError, match="spectator"):
        think(game.view(None))


@pytest.mark.parametrize("when", ["midgame", "last turns"])
def test_it_keeps_its_time(when: str) -> None:
    game = some_game("usa", 4, 60) if when == "midgame" else last_turns()
    view = game.view(game.to_act[0])
    think(view, 0.05)
    spent = []
    for _ in range(5):  # a machine may be busy: what counts is that it can
        start = time.perf_counter()
        think(view, 0.2, threads=1)
        spent.append(time.perf_counter() - start)
    assert min(spent) <= 0.2


# ---------------------------------------------------------------- what it tells


def test_thoughts() -> None:
    game = some_game("europe", 3, 60)
    seat = game.to_act[0]
    thoughts = thoughts_of(game)
    assert thoughts.action == thoughts.candidates[0].action
    assert len({c.action for c in thoughts.candidates}) == len(thoughts.candidates) > 1
    assert thoughts.rollouts == sum(c.visits for c in thoughts.candidates)
    assert thoughts.candidates[0].visits == max(c.visits for c in thoughts.candidates)
    for c in thoughts.candidates:
        assert c.action in game.legal_actions(seat)
        assert c.win == c.wins[seat]
        assert sum(c.wins) == pytest.approx(1)
        assert 0 <= c.error < 0.5
        assert 0 <= c.prior <= 1
    assert (thoughts.win, thoughts.wins) == (thoughts.candidates[0].win, thoughts.candidates[0].wins)
    assert thoughts.note == ""


def test_the_principal_line_can_be_played() -> None:
    game = some_game("africa", 2, 40)
    seat = game.to_act[0]
    thoughts = thoughts_of(game)
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
        thoughts = think(Game.at(game.map, s).view(0), rollouts=20)
        assert thoughts.win == chance
        assert thoughts.wins == (chance, 1 - chance)


# ---------------------------------------------------------------- where the network is no good


def test_where_the_network_is_not_at_home_candidates_are_played_out() -> None:
    game = some_game(str(MAPS / "a_plateau.json"), 2, 20)
    seat = game.to_act[0]
    thoughts = thoughts_of(game)
    played = make_bot("rollout", 1, threads=1, rollouts=TRIES)
    assert thoughts.note == of_search.NOT_AT_HOME
    assert thoughts.action == played.choose(game.view(seat), game.legal_actions(seat))
    assert thoughts.win == thoughts.wins[seat] and sum(thoughts.wins) == pytest.approx(1)
    assert all(0 <= c.error < 0.5 for c in thoughts.candidates)
    assert read_action(thoughts.line[0][1], game.map) == thoughts.action


def test_what_the_network_has_no_word_for_is_left_to_the_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    game = some_game("usa", 2, 10)
    view = game.view(game.to_act[0])
    monkeypatch.setattr(of_search._Search, "_candidates", lambda *_: ([], []))
    thoughts = thoughts_of(game)
    assert thoughts.note == of_search.NO_WORD
    assert thoughts.action == make_bot("planner", 0).choose(view, game.legal_actions())


@pytest.mark.parametrize(("file", "reason"), [("missing.npz", "no such file"), ("torn.npz", "not a whole .npz file")])
def test_without_weights_the_planner_plays_and_it_says_so_once(
    file: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torn.npz").write_bytes(SHIPPED.read_bytes()[:4000])
    monkeypatch.setenv("BRANCHLINE_NETWORK", str(tmp_path / file))
    game = some_game("usa", 2, 10)
    view, actions = game.view(game.to_act[0]), game.legal_actions()
    bot = SearchBot(1, 0.1)
    assert bot.choose(view, actions) == bot.choose(view, actions) == make_bot("planner", 0).choose(view, actions)
    assert bot.thoughts is not None and bot.thoughts.note == of_search.NO_WEIGHTS
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 1
    assert "the planner plays for it" in said[0] and reason in said[0]


# ---------------------------------------------------------------- games side by side


@pytest.mark.parametrize("map", ["usa", "africa"])
def test_steps_interpreted_and_compiled_are_the_same(map: str) -> None:
    game = some_game(map, 3, 60)
    seat, board, work = game.to_act[0], make_board(game.map), Work()
    view = game.view(seat)
    weights = np.arange(TICKET_WEIGHTS) % 7 + 1
    rooms = Lockstep(game.map)
    worlds = rooms.imagine(view.to_bytes(), seat, 5, 3, 2, weights)
    codes = [code_of(action, view.position, names_of(game.map), seat) for action in game.legal_actions(seat)[:2]]
    after = worlds.copy()
    seen, told = rooms.step(after, np.arange(2), np.array(codes), seat)
    for i, code in enumerate(codes):
        s = view.position
        key = stream_key(5, ROLLOUT_STREAM, 3 + i)
        imagine_world(view.position, s, board, work, seat, weights.tolist(), key)
        assert s.to_bytes() == worlds[i].tobytes()
        hidden = s.copy()
        veil(hidden, board, seat)
        assert hidden == view.position
        play_code(s, board, work, seat, code)
        words = [0] * TOLD
        tell_game(s, board, work, words, 0)
        assert (s.to_bytes(), words) == (after[i].tobytes(), told[i].tolist())
        assert seen[i]["seat"] == words[0]


def test_who_believes_deals_the_likely_tickets() -> None:
    """The others' tickets are weighed by the network; those the reader holds need no weight."""
    game = some_game("usa", 3, 60)
    seat = game.to_act[0]
    net = player.network()
    assert net is not None
    room = Playing(net, game.view(seat), 1)
    assert (room.weights == 1).all()
    room.believe()
    rows = room.weights.reshape(k.SEATS, -1)
    assert (rows[seat] == 1).all()
    assert all(len(set(rows[other].tolist())) > 10 for other in range(3) if other != seat)
    world = Position.from_bytes(room.imagine(0, 1)[0].tobytes())
    assert world.ticket_count[:3] == game.position.ticket_count[:3]


def test_where_the_network_has_no_word_the_first_that_is_offered_is_played() -> None:
    assert WITHOUT_WORD == NO_WORD
    game = some_game("usa", 2, 20)
    here, there = game.position, game.position
    seat, board = game.to_act[0], make_board(game.map)
    play_code(here, board, Work(), seat, WITHOUT_WORD)
    first = min(code_of(action, there, names_of(game.map), seat) for action in game.legal_actions(seat))
    play_code(there, board, Work(), seat, first)
    assert here == there


def test_results_are_by_seat() -> None:
    """Whoever reads, the chances stand by seat, add up, and the margin is the reader's."""
    game = last_turns()
    net = player.network()
    assert net is not None
    codes = [code_of(action, game.position, names_of(game.map), 0) for action in game.legal_actions(0)[:3]]
    found = Playing(net, game.view(0), 1).try_out(0, 4, codes, Count(12))
    assert found is not None and found.shape[:2] == (4, 3)
    assert found[..., :2].sum(-1) == pytest.approx(1)
    assert ((found[..., 0] > 0.5) <= (found[..., MARGIN_AT] > 0)).all()


def test_it_has_a_name() -> None:
    assert {"net", "rollout", "search"} <= set(BOTS)
    assert isinstance(make_bot("search@0.1", 1), SearchBot)
