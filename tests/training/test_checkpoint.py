"""Checkpoints keep what was learned under names, and a bad one is refused with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline.maps.loader import load_map
from branchline.training import checkpoint as c
from branchline.training import network as net
from branchline.training.boards import board_facts

SHAPE = net.Shape(8, 8, 8, 16, 1)


def made(seed: int = 1) -> c.Checkpoint:
    chance = np.random.default_rng(seed)
    facts = board_facts(load_map("usa"))
    sizes = net.map_shapes(SHAPE, facts.n_tracks, facts.n_places, facts.n_tickets)
    weights = {name: chance.normal(size=size).astype(np.float32) for name, size in net.weight_shapes(SHAPE).items()}
    own = {part: chance.normal(size=size).astype(np.float32) for part, size in sizes.items()}
    return c.Checkpoint(SHAPE, weights, {"usa": own}, 1234, 5.5, [{"M": 1.0}])


def rewritten(path: Path, change: Any) -> None:
    """Change the arrays of a checkpoint; `about` is there as plain values."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes())
    change(arrays, about)
    if "about" in arrays:
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(path, **arrays)


def test_it_comes_back_as_it_was_in_half_precision(tmp_path: Path) -> None:
    path, before = tmp_path / "net.npz", made()
    c.save(path, before)
    after = c.load(path)
    assert (after.shape, after.decisions, after.gpu_seconds, after.curve) == (SHAPE, 1234, 5.5, [{"M": 1.0}])
    assert after.weights.keys() == before.weights.keys()
    for name, value in before.weights.items():
        assert np.array_equal(after.weights[name], value.astype(np.float16).astype(np.float32)), name
    for part, value in before.maps["usa"].items():
        assert np.array_equal(after.maps["usa"][part], value.astype(np.float16).astype(np.float32)), part
    assert [p.name for p in tmp_path.iterdir()] == ["net.npz"]


def test_rows_stand_under_their_names(tmp_path: Path) -> None:
    """What stood elsewhere is put in its place, what is new begins at zero, what is gone is dropped."""
    path = tmp_path / "net.npz"
    c.save(path, made())
    before = c.load(path).weights["tickets.in"]

    def change(arrays: dict[str, Any], about: dict[str, Any]) -> None:
        arrays["tickets.in"] = arrays["tickets.in"][::-1]
        about["rows"]["tickets.in"] = [*about["rows"]["tickets.in"][:0:-1], "a fact of long ago"]

    rewritten(path, change)
    after = c.load(path).weights["tickets.in"]
    assert np.array_equal(after[1:], before[1:])
    assert not after[0].any()


def test_a_maps_own_weights_stand_under_the_names_of_its_tracks(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    c.save(path, made())
    before = c.load(path).maps["usa"]["tracks"]

    def change(arrays: dict[str, Any], about: dict[str, Any]) -> None:
        arrays["map usa tracks"] = np.roll(arrays["map usa tracks"], 1, 0)
        names = about["maps"]["usa"]["tracks"]
        about["maps"]["usa"]["tracks"] = [names[-1], *names[:-1]]

    rewritten(path, change)
    assert np.array_equal(c.load(path).maps["usa"]["tracks"], before)


def drop(name: str) -> Any:
    return lambda arrays, about: arrays.pop(name)


def spoil(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["trunk.0"][0, 0] = np.nan


def shrink(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["trunk.0"] = arrays["trunk.0"][:-1]


def age(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["format"] = "branchline network 0"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (drop("about"), "does not say what its weights are"),
        (drop("claim.token"), '"claim.token" are missing'),
        (drop("map usa places"), "map usa places"),
        (spoil, '"trunk.0" hold something that is no number'),
        (shrink, '"trunk.0" are'),
        (age, "its format is not"),
        (lambda arrays, about: about.pop("shape"), "shape"),
    ],
)
def test_a_bad_one_is_refused_with_its_reason(tmp_path: Path, change: Any, reason: str) -> None:
    path = tmp_path / "net.npz"
    c.save(path, made())
    rewritten(path, change)
    with pytest.raises(c.BadCheckpoint, match=reason) as caught:
        c.load(path)
    assert str(path) in str(caught.value)


def test_a_missing_and_a_torn_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    with pytest.raises(c.BadCheckpoint, match="no such file"):
        c.load(path)
    c.save(path, made())
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(c.BadCheckpoint, match="not a whole"):
        c.load(path)
