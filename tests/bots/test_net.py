"""The bot `net`: it plays whole games by its name, and where its weights are no good the planner plays, and it says so.

That it conforms, chooses alike in two worlds and takes no chances: test_bot_protocol.py, with all bots of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline import Action, Game
from branchline.bots import BOTS, Bot, make_bot
from branchline.bots.net import player
from branchline.training.inference import SHIPPED
from tests.test_properties import Table, new_game


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """Each test reads the weights anew, and none leaves others behind."""
    player._say_once.cache_clear()
    vars(player._OWN).clear()
    yield
    vars(player._OWN).clear()


def played(game: Game, bots: list[Bot], most: int = 10_000) -> list[Action]:
    """The actions of a game between these bots, or the first so many."""
    actions: list[Action] = []
    while not game.is_over and len(actions) < most:
        seat = game.to_act[0]
        actions.append(bots[seat].choose(game.view(seat), game.legal_actions(seat)))
        game.play(actions[-1], seat)
    return actions


def test_it_has_a_name() -> None:
    assert "net" in BOTS
    assert isinstance(make_bot("net", 1), player.NetBot)


@pytest.mark.parametrize("of", [("usa", 2), ("iberia", 4), ("tiny", 2)], ids=["usa", "iberia", "tiny"])
def test_it_plays_whole_games(of: Table) -> None:
    game: Game = new_game(of, 7)
    played(game, [make_bot("net", seat) for seat in range(game.players)])
    assert max(sheet.total for sheet in game.scores()) > 0


@pytest.mark.parametrize(
    ("file", "reason"),
    [("missing.npz", "no such file"), ("torn.npz", "not a whole .npz file")],
    ids=["missing", "torn"],
)
def test_without_weights_the_planner_plays_and_it_says_so_once(
    file: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torn.npz").write_bytes(SHIPPED.read_bytes()[:4000])
    monkeypatch.setenv("BRANCHLINE_NETWORK", str(tmp_path / file))
    nets: list[Bot] = [make_bot("net", seat) for seat in range(2)]
    planners: list[Bot] = [make_bot("planner", seat) for seat in range(2)]
    assert played(new_game(("usa", 2), 3), nets, 60) == played(new_game(("usa", 2), 3), planners, 60)
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 1
    assert "the planner plays for it" in said[0] and reason in said[0] and str(tmp_path / file) in said[0]


def test_what_the_network_has_no_word_for_is_left_to_the_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(("usa", 2), 3)
    view, actions = game.view(0), game.legal_actions(0)
    net = make_bot("net", 5)
    network = player.network()
    assert network is not None
    monkeypatch.setattr(network, "choose", lambda *position: None)
    assert net.choose(view, actions) == make_bot("planner", 5).choose(view, actions)


def test_a_spectator_has_nothing_to_choose() -> None:
    game = new_game(("usa", 2), 3)
    with pytest.raises(ValueError, match="a spectator"):
        make_bot("net", 1).choose(game.view(None), game.legal_actions(0))
