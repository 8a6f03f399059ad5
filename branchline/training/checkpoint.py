"""Checkpoints: half-precision weights in one .npz, with a schema that names every input and output.

Rows and columns of weights are kept under the names of the facts and choices they belong to, and a map's own weights
under the names of its tracks, places and tickets. So a checkpoint outlives a change of the kernel's numbers: what is
new begins at zero, what is gone is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from branchline.maps.loader import load_map
from branchline.maps.model import MapData
from branchline.mechanics import composed as k
from branchline.training import network as n
from branchline.training import record as o
from branchline.training.boards import STATIC_PLACE_FACTS, STATIC_TICKET_FACTS, STATIC_TRACK_FACTS

FORMAT = "branchline network 1"
# Weights that came later: a checkpoint without them is whole, and training begins them anew.
LATER = ("belief.", *n.ERRAND_WEIGHTS)
Array = np.ndarray


class BadCheckpoint(ValueError):
    """A checkpoint that cannot be used; the message says which file and why."""


@dataclass
class Checkpoint:
    """A network and how it came about."""

    shape: n.Shape
    weights: dict[str, Array]  # shared by all maps
    maps: dict[str, dict[str, Array]]  # by map: its own weights by part
    decisions: int = 0
    gpu_seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)


def row_names() -> dict[str, tuple[str, ...]]:
    """What the rows of the first layers stand for."""
    seats = tuple(f"seat {i}: {fact}" for i in range(k.SEATS) for fact in o.SEAT_FACTS)
    table = (*o.TABLE_FACTS, *seats)
    return {
        "cards.in": o.CARD_FACTS,
        "table.in": table,
        "trunk.facts": table,
        "tracks.in": (*o.TRACK_FACTS, *(f"board: {fact}" for fact in STATIC_TRACK_FACTS)),
        "places.in": (*o.PLACE_FACTS, *(f"board: {fact}" for fact in STATIC_PLACE_FACTS)),
        "tickets.in": o.TICKET_FACTS,
        "terrain.in": o.TERRAIN_FACTS,
        "errands.in": o.ERRAND_FACTS,
        "pay.facts": n.PAY_FACTS,
        "belief.ticket": ("mine", *STATIC_TICKET_FACTS),
    }


def column_names() -> dict[str, tuple[str, ...]]:
    """What the columns of the last layers stand for."""
    plain = tuple(n.PLAIN)
    return {"plain.out": plain, "plain.out.bias": plain}


def map_names(data: MapData) -> dict[str, list[str]]:
    return {
        "tracks": [track.id for track in data.tracks],
        "places": [place.id for place in data.places],
        "tickets": ["", *(ticket.id for ticket in data.tickets)],
    }


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; a reader never sees half of one."""
    names = {name: map_names(load_map(name)) for name in checkpoint.maps}
    about = {
        "format": FORMAT,
        "shape": asdict(checkpoint.shape),
        "rows": row_names(),
        "columns": column_names(),
        "maps": names,
        "decisions": checkpoint.decisions,
        "gpu_seconds": round(checkpoint.gpu_seconds, 1),
        "curve": checkpoint.curve,
    }
    arrays = {name: value.astype(np.float16) for name, value in checkpoint.weights.items()}
    for name, parts in checkpoint.maps.items():
        arrays |= {f"map {name} {part}": value.astype(np.float16) for part, value in parts.items()}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    fresh.replace(path)


def load(path: Path) -> Checkpoint:
    """Read a checkpoint, every row and column put where its name stands today; BadCheckpoint if that cannot be."""
    about, arrays = _read(path)
    try:
        shape = n.Shape(**about["shape"])
        weights = _aligned(path, about, arrays, shape)
        maps = {name: _map_weights(about["maps"][name], name, arrays) for name in about["maps"]}
        return Checkpoint(shape, weights, maps, about["decisions"], about["gpu_seconds"], about["curve"])
    except (KeyError, TypeError) as error:
        raise BadCheckpoint(f"{path}: the description of the weights lacks or misstates {error}") from error


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except FileNotFoundError as error:
        raise BadCheckpoint(f"{path}: there is no such file") from error
    except Exception as error:  # NumPy and zipfile raise many kinds for a damaged file
        raise BadCheckpoint(f"{path}: not a whole .npz file ({error})") from error
    if "about" not in arrays:
        raise BadCheckpoint(f"{path}: no checkpoint of ours, it does not say what its weights are")
    try:
        about = json.loads(arrays.pop("about").tobytes())
    except ValueError as error:
        raise BadCheckpoint(f"{path}: the description of its weights cannot be read") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadCheckpoint(f'{path}: its format is not "{FORMAT}"')
    return about, {name: value.astype(np.float32) for name, value in arrays.items()}


def _aligned(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array], shape: n.Shape) -> dict[str, Array]:
    rows = row_names()
    columns = column_names()
    found = {}
    for name, size in n.weight_shapes(shape).items():
        value = arrays.get(name)
        if value is None and name.startswith(LATER):
            continue
        if value is None:
            raise BadCheckpoint(f'{path}: the weights "{name}" are missing')
        if not np.isfinite(value).all():
            raise BadCheckpoint(f'{path}: the weights "{name}" hold something that is no number')
        if name in rows:
            value = _rearranged(value, about["rows"][name], rows[name], 0)
        if name in columns:
            value = _rearranged(value, about["columns"][name], columns[name], value.ndim - 1)
        if value.shape != size:
            raise BadCheckpoint(f'{path}: the weights "{name}" are {value.shape}, not {size}')
        found[name] = value
    return found


def _rearranged(value: Array, old: list[str], new: tuple[str, ...], axis: int) -> Array:
    """The slices of `value` named `old` in the order of `new`; zero where a name is new."""
    at = {name: i for i, name in enumerate(old)}
    moved = np.moveaxis(value, axis, 0)
    if len(old) != len(moved):
        return value  # the shape is refused by the caller
    nothing = np.zeros_like(moved[:1])
    taken = [moved[at[name]][None] if name in at else nothing for name in new]
    return np.ascontiguousarray(np.moveaxis(np.concatenate(taken), 0, axis))


def _map_weights(names: Mapping[str, list[str]], name: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """A map's own weights, by the names that the map has today."""
    today = map_names(load_map(name))
    return {part: _rearranged(arrays[f"map {name} {part}"], names[part], tuple(today[part]), 0) for part in n.MAP_PARTS}
