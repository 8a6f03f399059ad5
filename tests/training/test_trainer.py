"""What needs torch: the chains of choices against a slow count by hand, and torch against NumPy. Skipped without it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from branchline.kernel.state import HELD
from branchline.maps.loader import load_map
from branchline.mechanics.composed import Position
from branchline.training.checkpoint import load
from branchline.training.inference import SHIPPED, Engine

torch: Any = pytest.importorskip("torch")


def outcome(trainer: Any, m: int, g: int, t: int, seat: int) -> Any:
    """How the game that ended at step t ended for a seat: who won, in its order, and its margin in hundreds."""
    players, result = int(trainer.players[m, g]), trainer.result[m, t, g].tolist()
    totals, won = result[2 : 2 + players], [result[1] >> q & 1 for q in range(players)]
    others = [total for q, total in enumerate(totals) if q != seat]
    shares = [won[(seat + i) % players] / sum(won) for i in range(players)] + [0.0] * (5 - players)
    return torch.tensor([*shares, 0.01 * (totals[seat] - sum(others) / len(others))])


def expected(trainer: Any, last: Any, m: int, g: int, seat: int) -> dict[int, Any]:
    """The advantages of a seat's choices in one game, by step; None for one of which no more is known."""
    steps = [t for t in range(trainer.s.steps) if int(trainer.seat[m, t, g]) == seat]
    found: dict[int, Any] = {}
    for t, after in reversed(list(zip(steps, [*steps[1:], trainer.s.steps], strict=True))):
        value = trainer.value[m, t, g]
        ends = [u for u in range(t, after) if trainer.result[m, u, g, 0] > 0]
        if ends:
            found[t] = outcome(trainer, m, g, ends[0], seat) - value
        elif after < trainer.s.steps:
            later = found[after] if found[after] is not None else torch.zeros_like(value)
            found[t] = trainer.value[m, after, g] - value + trainer.s.blend * later
        else:
            found[t] = last[m, g] - value if int(trainer.seat_after[m, g]) == seat else None
    return found


def test_each_seat_has_a_chain_of_its_own() -> None:
    from branchline.training.trainer import PARTS, Settings, Trainer

    settings = Settings(games=6, steps=180, batch=64, pool_share=0.34)
    trainer = Trainer([load_map("iberia"), load_map("usa")], [2, 3, 4], settings, None, "cpu")
    trainer.games.step()
    with torch.no_grad():
        trainer.play()
        trainer.value.copy_(torch.randn_like(trainer.value))
        last = torch.randn(2, 6, PARTS)
        trainer.chains(last)
    for m in range(2):
        for g in range(6):
            for seat in range(int(trainer.players[m, g])):
                learns = g < trainer.rivals_from or seat == int(trainer.learner_seat[m, g])
                for t, gain in expected(trainer, last, m, g, seat).items():
                    assert float(trainer.weight[m, t, g]) == float(learns and gain is not None)
                    if gain is not None:
                        told = trainer.target[m, t, g] - trainer.value[m, t, g]
                        assert torch.allclose(told, gain, atol=1e-4)


@pytest.mark.parametrize("kinds", [[2], [2, 4], [2, 3, 4, 5]])
def test_against_the_past_it_sits_on_every_seat_as_often(kinds: list[int]) -> None:
    from branchline.training.trainer import Settings, Trainer

    trainer = Trainer([load_map("usa")], kinds, Settings(games=60 * len(kinds), steps=2), None, "cpu")
    for players in kinds:
        seats = trainer.learner_seat[0][trainer.players[0] == players].tolist()
        assert [seats.count(seat) for seat in range(players)] == [60 // players] * players


def hidden_of(games: Any, row: int) -> list[set[int]]:
    words = games.hidden[:, row].tolist()
    return [{t for t in range(126) if words[2 * i + t // 63] >> t % 63 & 1} for i in range(4)]


def held_by_others(games: Any, row: int, seat: int) -> list[set[int]]:
    s = Position.from_bytes(games.positions[:, row].contiguous().numpy().tobytes())
    seats = [(seat + i) % s.players if i < s.players else -9 for i in range(1, 5)]
    return [{t for t, at in enumerate(s.ticket_at) if at == HELD + other} for other in seats]


def test_numpy_plays_what_torch_trains() -> None:
    from branchline.training.games import Games
    from branchline.training.torch_network import TorchNetwork

    checkpoint = load(SHIPPED)
    maps = [load_map(name) for name in ("usa", "europe", "iberia", "africa")]
    network = TorchNetwork(maps, checkpoint.shape, "cpu", torch.float32)
    network.load(checkpoint)
    games, engine, known = Games(maps, [2, 4], 4, 3, "cpu"), Engine(checkpoint), torch.tensor(1.0)
    games.step()
    for step in range(40):
        words = games.seen.view(-1, 4, 4).permute(1, 2, 0).contiguous()
        with torch.no_grad():
            _, _, codes, logp, wins, margin = network.act(words, network.weights, known)
        for row in range(16 if step % 8 == 0 else 0):
            m, i = divmod(row, 4)
            position = games.positions[:, row].contiguous().numpy().tobytes()
            seat = int(network._field(words, "seat")[m, i, 0])
            thought = engine.think(maps[m], position, seat)
            chance = thought.chances[thought.codes.tolist().index(int(codes[m, i]))]
            assert np.log(chance) == pytest.approx(float(logp[m, i]), abs=1e-3)
            assert thought.wins == pytest.approx(wins[m, i, : len(thought.wins)].numpy(), abs=1e-4)
            assert hidden_of(games, row) == held_by_others(games, row, seat)
            assert thought.margin == pytest.approx(100 * float(margin[m, i]), abs=0.01)
        games.codes.copy_(codes.flatten())
        games.step()


def test_bots_play_their_seats_and_nobody_learns_from_them() -> None:
    """In the last games of every map the others' choices are those of a bot, made on what it may know."""
    from branchline.bots.compiled.engine import Engine as Bot
    from branchline.bots.games.match import PLANNER_BOT
    from branchline.game import Game
    from branchline.training.trainer import Settings, Trainer

    maps = [load_map("carpathians"), load_map("europe")]
    settings = Settings(games=10, steps=3, batch=10, bot_share=0.4, pool_share=0.2, bot_threads=2)
    trainer = Trainer(maps, [2, 3], settings, None, "cpu")
    trainer.games.step()
    bot, asked = Bot(), 0
    for step in range(150):
        before = trainer.games.positions.clone()
        with torch.no_grad():
            if step % 3 == 0:
                trainer.at.zero_()
            trainer.send_tables()
            trainer.choose_once()
            chosen = trainer.games.codes.clone().view(2, 10)
            trainer.ask_bots()
        codes = trainer.games.codes.view(2, 10)
        assert torch.equal(codes[:, :6], chosen[:, :6]), "only in the games with bots"
        for m in range(2):
            for g in range(6, 10):
                s = Position.from_bytes(before.view(-1, 2, 10)[:, m, g].contiguous().numpy().tobytes())
                seat = (s.awaited & -s.awaited).bit_length() - 1
                learner = int(trainer.learner_seat[m, g])
                assert bool(trainer.mine[m, step % 3, g]) == (seat == learner)
                if seat == learner:
                    assert codes[m, g] == chosen[m, g]
                elif step % 10 == 0:
                    view = Game.at(maps[m], s).view(seat)
                    assert int(codes[m, g]) == bot.choose(view, PLANNER_BOT, 0, 0)
                    asked += 1
        with torch.no_grad():
            trainer.step_once()
    assert asked > 20


def test_the_curve_tells_of_each_map_who_won_against_bots() -> None:
    from branchline.training.trainer import Settings, Trainer

    settings = Settings(minutes=1e-6, games=8, steps=260, batch=64, bot_share=0.5, bots="path,conductor", bot_threads=2)
    trainer = Trainer([load_map("usa"), load_map("africa")], [2], settings, None, "cpu")
    rows: list[str] = []
    trainer.run(None, None, rows.append)
    told = json.loads(rows[-1])
    for bot in ("path", "conductor"):
        for rate, games in told[f"2p against {bot}"].values():
            assert 0 <= rate <= 1 and games >= 1
    assert told["bots"]["us"] > 0


def test_without_bots_none_is_loaded() -> None:
    from branchline.training.trainer import Settings, Trainer

    trainer = Trainer([load_map("usa")], [2], Settings(games=4, steps=2, bot_share=0), None, "cpu")
    assert trainer.bots is None and trainer.bots_from == 4


def test_a_bot_that_is_not_there_is_refused() -> None:
    from branchline.training.trainer import Settings, Trainer

    with pytest.raises(ValueError, match="no bot that answers here is called nobody: there are"):
        Trainer([load_map("usa")], [2], Settings(games=4, steps=2, bot_share=0.5, bots="nobody"), None, "cpu")
