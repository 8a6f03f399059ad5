"""The compiled kernel and the interpreted one are the same: byte for byte, move for move."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import numpy as np
import pytest

from branchline import Game, IllegalAction, imagine
from branchline.fast import FastGame
from branchline.kernel import backend, compiled
from branchline.kernel.board import make_board
from branchline.kernel.state import CODES
from branchline.kernel.turn import fill_menu, play, write_menu
from branchline.kernel.view import veil
from branchline.maps import load_map, shipped_maps
from branchline.measure import Batch, interpreted_signature, signature
from branchline.mechanics.composed import Position, Work

TABLES = [(name, players) for name in shipped_maps() for players in range(2, 6)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_move_leaves_the_same_bytes(name: str, players: int) -> None:
    board, w, rng = make_board(load_map(name)), Work(), random.Random(players)
    for seed in range(4):
        fast = FastGame(name, players, seed)
        s = Game.new(name, players, seed).position
        while not fast.is_over:
            assert fast.position.to_bytes() == s.to_bytes()
            fill_menu(s, board, w, fast.seat)
            codes = w.codes[: write_menu(w)]
            assert codes == list(fast.codes[: fast.choices])
            code = rng.choice(codes)
            assert play(s, board, w, fast.seat, code)
            fast.step(code)
        assert fast.position.to_bytes() == s.to_bytes()
        assert fast.totals() == [p.total for p in fast.game().scores()]


def test_both_have_the_same_signature() -> None:
    assert interpreted_signature(40) == signature(40)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_two_thousand_random_games_are_sound_after_every_move(name: str, players: int) -> None:
    """Cards, tickets and trains conserved, running score = recomputed, closed tracks as C-25 .. C-27 say, an end."""
    batch = Batch(name)
    where = batch.position.ctypes.data, batch.board.ctypes.data, batch.work.ctypes.data
    fault = compiled.run(compiled.AUDIT, *where, players, 0, 2000)
    assert fault == 0, f"fault {fault >> 40} in the game of seed {fault & ((1 << 40) - 1)}"


def test_the_audit_finds_a_lost_card() -> None:
    from branchline.kernel.audit import TRAIN_CARDS_WRONG, audit

    s = Game.new("usa", 2, 1).position
    s.deck_n -= 1
    assert audit(s, make_board(load_map("usa")), Work()) == TRAIN_CARDS_WRONG


@pytest.mark.parametrize("name", shipped_maps())
def test_views_and_imagined_worlds_are_the_same(name: str) -> None:
    board, rng = make_board(load_map(name)), random.Random(5)
    game = Game.new(name, 3, seed=2)
    batch = Batch(name)
    address, rest = batch.position.ctypes.data, (batch.board.ctypes.data, batch.work.ctypes.data)
    while not game.is_over:
        for reader in (-1, 0, 2):
            batch.position[:] = np.frombuffer(game.position.to_bytes(), Position.dtype())
            compiled.run(compiled.VEIL, address, *rest, reader, 0, 0)
            wiped = game.position
            veil(wiped, board, reader)
            assert batch.position.tobytes() == wiped.to_bytes()
            key = rng.getrandbits(62)
            compiled.run(compiled.IMAGINE, address, *rest, reader, key, 0)
            world = imagine(game.view(None if reader < 0 else reader), _Key(key))
            assert batch.position.tobytes() == world.position.to_bytes()
        seat = rng.choice(game.to_act)
        game.play(rng.choice(game.legal_actions(seat)), seat)


def test_compiled_code_is_kept_where_it_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BRANCHLINE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert backend.cache_folder().parent == tmp_path / "branchline"
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert backend.cache_folder().parent.parent == Path(tempfile.gettempdir())
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "mine"))
    assert backend.cache_folder().parent == tmp_path / "mine"


class _Key:
    """A random generator that gives one known number."""

    def __init__(self, key: int) -> None:
        self.key = key

    def getrandbits(self, n: int, /) -> int:
        return self.key


def test_a_code_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    game = FastGame("europe", 3, 4)
    before = game.position.to_bytes()
    legal = set(game.codes[: game.choices])
    for code in (*range(CODES), -1, -(2**62), CODES, 2**62):
        if code not in legal:
            with pytest.raises(IllegalAction):
                game.step(code)
    assert game.position.to_bytes() == before


def test_a_copy_goes_its_own_way_and_can_be_gone_back_to() -> None:
    game = FastGame("iberia", 2, 4)
    twin = game.copy()
    while twin.choices:
        twin.step(twin.codes[0])
    assert not game.is_over
    twin.copy_from(game)
    assert twin.position == game.position
    assert list(twin.codes[: twin.choices]) == list(game.codes[: game.choices])


def test_a_code_names_its_action_and_the_mask_its_codes() -> None:
    game = FastGame("usa", 2, 1)
    assert [game.action(code) for code in game.codes[: game.choices]] == list(game.game().legal_actions())
    assert game.legal_mask().nonzero()[0].tolist() == list(game.codes[: game.choices])


@pytest.mark.parametrize(("players", "seed"), [(1, 0), (6, 0), (2, -1), (2, 2**63), (True, 0)])
def test_what_cannot_be_dealt_is_refused(players: int, seed: int) -> None:
    with pytest.raises(ValueError, match=r"players|seed"):
        FastGame("usa", players, seed)
