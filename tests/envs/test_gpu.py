"""Batches on a GPU, as far as no GPU is needed: the same bytes as on the CPU, refusals, and arrays that are lent."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from branchline.envs import Batch, Gpu
from branchline.envs.lending import take
from branchline.envs.parallel import ADVANCE, PROGRAMS
from branchline.training.ptx import make_ptx
from tests.envs.without_gpu import BatchHere
from tests.test_properties import TABLES, Table, new_game

every_table = pytest.mark.parametrize("of", TABLES, ids=[f"{map}-{players}" for map, players in TABLES])
ARRAYS = ("masks", "observations", "seats", "ended", "totals", "places", "rewards", "seeds")


def chosen_by_chance(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    found: np.ndarray = np.argmax(masks * chance.random(masks.shape), axis=1)
    return found


def assert_same(batch: Batch, other: Batch, arrays: tuple[str, ...] = ARRAYS) -> None:
    for name in arrays:
        here, there = np.asarray(getattr(batch, name)), np.asarray(getattr(other, name))
        assert here.dtype == there.dtype and here.shape == there.shape, name
        assert here.tobytes() == there.tobytes(), name


def assert_same_games(steps: int, **asked: Any) -> int:
    """Play the same choices on the CPU and by the kernels of the GPU; the games that came to their end."""
    there, here = Batch(**asked), BatchHere(**asked, device="cuda")
    chance, ended = np.random.default_rng(2), 0
    assert_same(there, here)
    for _ in range(steps):
        choices = chosen_by_chance(there.masks, chance)
        there.step(choices)
        here.step(choices)
        assert_same(there, here)
        ended += int(there.ended.sum())
    assert all(room.is_whole() for room in here.machine.rooms), "something was written behind an array"
    return ended


def test_the_kernels_of_the_gpu_play_the_same_games() -> None:
    assert assert_same_games(500, map="carpathians", players=2, games=5, seed=3, reward="rank") >= 5
    assert assert_same_games(500, map="africa", players=3, games=3, seed=4, reward="margin", settle_details=True) >= 3


@every_table
def test_on_every_table_the_kernels_of_the_gpu_see_the_same(of: Table) -> None:
    game = new_game(of, 0)
    assert_same_games(60, map=game.map, players=game.players, games=4, seed=9)


def test_without_observations_and_without_new_games() -> None:
    assert_same_games(60, map="usa", players=2, games=3, observe=False)
    batch = BatchHere("usa", players=2, games=3, seed=1, again=False, settle_details=True, device="cuda")
    assert assert_same_games(400, map="usa", players=2, games=3, seed=1, again=False, settle_details=True) == 3
    assert np.asarray(batch.observations).shape == (3, batch.layout.size)


def test_a_reset_deals_the_same_again() -> None:
    batch, fresh = (BatchHere("iberia", players=2, games=3, seed=seed, device="cuda") for seed in (1, 8))
    for _ in range(30):
        batch.step(np.argmax(batch.masks, axis=1))
    batch.reset(8)
    assert_same(batch, fresh, ("masks", "observations", "seats", "ended", "rewards", "seeds"))


# ---------------------------------------------------------------- refusals


def shown(batch: Batch) -> list[bytes]:
    side: Any = batch._side
    return [side.copy(name).tobytes() for name in ("store", *ARRAYS)]


def test_a_choice_that_is_not_allowed_is_refused_and_changes_nothing() -> None:
    batch = BatchHere("usa", players=2, games=4, seed=1, device="cuda")
    before, right = shown(batch), np.argmax(batch.masks, axis=1)
    for wrong in (int(np.argmin(batch.masks[2])), batch.layout.choices, -1, 2**40):
        choices = right.copy()
        choices[2:] = wrong
        with pytest.raises(ValueError, match=f"game 2: choice {wrong} is not allowed; its row of `masks`"):
            batch.step(choices)
        assert shown(batch) == before
    batch.step(right)
    assert shown(batch) != before


def test_without_checks_nothing_is_played_until_somebody_asks() -> None:
    batch = BatchHere("usa", players=2, games=4, seed=1, device=Gpu(check=False))
    batch.step(np.argmax(batch.masks, axis=1))
    batch.check()
    before, right = shown(batch), np.argmax(batch.masks, axis=1)
    wrong = right.copy()
    wrong[3] = -7
    batch.step(wrong)
    batch.step(right)
    batch.step(np.full(4, 99_999))
    assert shown(batch) == before
    with pytest.raises(ValueError, match=r"game 3: choice -7 is not allowed.*; 2 later steps were not played either"):
        batch.check()
    batch.check()
    batch.step(right)
    assert shown(batch) != before


def test_choices_of_another_shape_or_kind_are_refused() -> None:
    batch = BatchHere("usa", players=2, games=4, device="cuda")
    before = shown(batch)
    for choices, why in (
        (np.zeros(3, np.int64), r"choices of shape \(3,\): one for each of 4 games"),
        (np.zeros((4, 1), np.int64), r"choices of shape \(4, 1\)"),
        (np.zeros(4, np.float32), "whole numbers of 32 or 64 bits"),
        (np.zeros(4, np.int16), "whole numbers of 32 or 64 bits"),
        ([0.5] * 4, "4 whole numbers are needed"),
        ([0] * 5, "4 whole numbers are needed"),
    ):
        with pytest.raises(ValueError, match=why):
            batch.step(choices)
        assert shown(batch) == before


def test_choices_are_read_where_they_lie() -> None:
    batches = [BatchHere("usa", players=2, games=6, seed=2, device="cuda") for _ in range(4)]
    for _ in range(5):
        choices = np.argmax(batches[0].masks, axis=1)
        strided = np.repeat(choices, 3)[::3]
        for batch, given in zip(batches, (choices, choices.astype(np.int32), strided, choices.tolist()), strict=True):
            batch.step(given)
            assert_same(batch, batches[0])
    held = take(strided, 6)
    assert (held.address, held.stride, held.width) == (strided.ctypes.data, 24, 8)


def test_what_is_asked_wrongly_is_refused() -> None:
    for asked, why in (
        ({"device": "tpu"}, "device 'tpu': there are 'cpu', 'cuda'"),
        ({"device": "cuda", "threads": 2}, "leave threads out"),
        ({"device": Gpu(arrays="numpy")}, "arrays 'numpy': there are torch, jax, dlpack"),  # type: ignore[arg-type]
        ({"reward": "luck"}, "reward 'luck': there are win, margin, rank"),
    ):
        with pytest.raises(ValueError, match=why):
            Batch("usa", players=2, games=2, **asked)


def test_a_machine_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from branchline.envs import cuda

    def no_driver(name: str) -> Any:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr("ctypes.CDLL", no_driver)
    with pytest.raises(cuda.NoGpu, match=r"no GPU that CUDA could use \(libcuda.so.1: .*\): leave device out"):
        Batch("usa", players=2, games=2, device=Gpu(arrays="dlpack"))


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from branchline.envs import on_gpu

    monkeypatch.setattr(on_gpu, "find_spec", lambda name: None)
    with pytest.raises(
        ModuleNotFoundError, match=r"torch or jax is not installed: pip install 'branchline\[training\]'"
    ):
        Batch("usa", players=2, games=2, device="cuda")
    with pytest.raises(ModuleNotFoundError, match=r"^jax is not installed"):
        Batch("usa", players=2, games=2, device=Gpu(arrays="jax"))


# ---------------------------------------------------------------- lending


def test_arrays_are_lent_without_copying() -> None:
    batch = BatchHere("usa", players=3, games=4, device="cuda")
    masks, seats, side = batch.masks, batch.seats, batch._side
    assert masks.ctypes.data == side._lent["masks"].address
    before = masks.copy()
    for _ in range(4):
        batch.step(np.argmax(batch.masks, axis=1))
    assert (masks == batch.masks).all() and not (masks == before).all() and (seats == batch.seats).all()


def test_what_is_lent_outlives_the_batch() -> None:
    from branchline.envs import lending

    gc.collect()
    at_first = len(lending._lent)
    batch = BatchHere("usa", players=2, games=4, device="cuda")
    lent, masks = batch._side._lent["seeds"], batch.masks
    unused = lent.__dlpack__()
    assert len(lending._lent) == at_first + 2
    kept = masks.copy()
    del batch, lent, unused
    gc.collect()
    assert len(lending._lent) == at_first + 1 and (masks == kept).all()
    del masks
    gc.collect()
    assert len(lending._lent) == at_first


def test_a_copy_is_not_lent() -> None:
    lent = BatchHere("usa", players=2, games=4, device="cuda")._side._lent["seeds"]
    assert lent.__dlpack_device__() == (1, 0)
    for asked in ({"copy": True}, {"dl_device": (2, 0)}):
        with pytest.raises(BufferError, match="lent where it lies"):
            lent.__dlpack__(**asked)


def test_the_kernels_are_written_for_a_gpu() -> None:
    for program in PROGRAMS:
        if program is not ADVANCE:  # that takes a minute
            text = make_ptx(program)
            assert f".visible .entry {program.name}(" in text and ".target sm_90" in text
