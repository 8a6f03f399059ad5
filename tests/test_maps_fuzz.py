"""Whatever is done to a map file, it loads or is refused with file, path and reason; nothing else happens."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from branchline.maps import BadMap, MapData, check_map, loader, read_map

FOLDER = Path(loader.__file__).parent
FILES = {name: (FOLDER / f"{name}.json").read_bytes() for name in ("usa", "europe", "iberia", "africa", "carpathians")}
FILES["tiny"] = (Path(__file__).parent / "data" / "maps" / "tiny.json").read_bytes()

MUTANTS = 550  # of each map and each kind of mutation but nesting
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2, 3, 9, 10, 63, 127, 10**17, 10**30, -0.0, 0.5, 1e308, 5e-324,
    float("nan"), float("inf"), float("-inf"), "", " ", "gray", "blue", "loco", "city", "country", "own",
    "nigeria", "paris", "sevilla", "a" * 5000, "é", "\ud800", "\x00", "1/2", "0/0", "9" * 50, "$schema",
    [], {}, [[]], [{}], [None], {"": {}}, {"1": 1}, {"deal": {}}, {"draft": {}}, ["path", "path"],
]  # fmt: skip


def walk(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value, in a fixed order."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        found.append((value, key))
        found += walk(value[key])
    return found


def replace_one(data: Any, rng: random.Random) -> None:
    holder, key = rng.choice(walk(data))
    holder[key] = copy.deepcopy(rng.choice(ODD))


def nudge_number(data: Any, rng: random.Random) -> None:
    numbers = [(h, k) for h, k in walk(data) if type(h[k]) in (int, float)]
    if numbers:
        holder, key = rng.choice(numbers)
        holder[key] += rng.choice([-100, -2, -1, 1, 2, 100, 0.5])


def delete_one(data: Any, rng: random.Random) -> None:
    holder, key = rng.choice(walk(data))
    del holder[key]


def swap_two(data: Any, rng: random.Random) -> None:
    (one, i), (two, j) = rng.sample(walk(data), 2)
    one[i], two[j] = copy.deepcopy(two[j]), copy.deepcopy(one[i])


def repeat_one(data: Any, rng: random.Random) -> None:
    lists = [h[k] for h, k in walk(data) if isinstance(h[k], list) and h[k]]
    if lists:
        chosen = rng.choice(lists)
        chosen.extend(copy.deepcopy([rng.choice(chosen)] * rng.choice([1, 2, 200])))


def rename_key(data: Any, rng: random.Random) -> None:
    holder, key = rng.choice([(h, k) for h, k in walk(data) if isinstance(h, dict)])
    letters = list(str(key) or "x")
    letters[rng.randrange(len(letters))] = rng.choice("aeiou_-[].0\n")
    holder["".join(letters)] = holder.pop(key)


def add_key(data: Any, rng: random.Random) -> None:
    holders = [h for h, _ in walk(data) if isinstance(h, dict)]
    name = rng.choice(["ferry", "tunnel", "dead_end", "country", "long", "tunnels", "stations", "terrain", "x"])
    rng.choice(holders)[name] = copy.deepcopy(rng.choice(ODD))


CHANGES = [replace_one, replace_one, nudge_number, delete_one, swap_two, repeat_one, rename_key, add_key]


def mutate_values(name: str, rng: random.Random) -> bytes:
    data = json.loads(FILES[name])
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        rng.choice(CHANGES)(data, rng)
        if not walk(data):
            break
    return json.dumps(data).encode()


def mutate_bytes(name: str, rng: random.Random) -> bytes:
    text = bytearray(FILES[name])
    for _ in range(rng.choice([1, 1, 3, 20])):
        at = rng.randrange(len(text))
        match rng.randrange(5):
            case 0:
                text[at] = rng.randrange(256)
            case 1:
                del text[at : at + rng.choice([1, 5, 500])]
            case 2:
                text[at:at] = rng.choice([b'"', b"{", b"]", b",", b"1e999", b"\\u0000", b"\xff", b"NaN", b"//"])
            case 3:
                end = min(len(text), at + 80)
                text[at:at] = text[at:end]
            case _:
                text[at:at] = text[at : at + 1]
    return bytes(text[: rng.randrange(len(text))] if rng.random() < 0.05 else text)


def must_load_or_be_refused(text: bytes, file: str) -> bool:
    """True if it loads."""
    try:
        data = read_map(text, source=file)
    except BadMap as fault:
        assert fault.file == file and fault.reason
        assert str(fault) == f"{file} {fault.path}: {fault.reason}".replace(f"{file} : ", f"{file}: ")
        assert str(fault).isprintable() and len(str(fault)) < 600
        if len(text) % 5 == 0:  # now and then, as it takes as long again
            assert str(check_map(text, file)[0]) == str(fault)
        return False
    assert isinstance(data, MapData) and len(data.hash) == 64
    return True


@pytest.mark.parametrize("name", FILES)
def test_changed_values(name: str) -> None:
    rng = random.Random(f"values of {name}")
    loaded = [must_load_or_be_refused(mutate_values(name, rng), f"{name}.json") for _ in range(MUTANTS)]
    assert 0 < sum(loaded) < MUTANTS


@pytest.mark.parametrize("name", FILES)
def test_changed_bytes(name: str) -> None:
    rng = random.Random(f"bytes of {name}")
    loaded = [must_load_or_be_refused(mutate_bytes(name, rng), f"{name}.json") for _ in range(MUTANTS // 2)]
    assert 0 < sum(loaded) < MUTANTS // 2


@pytest.mark.parametrize("depth", [5, 50, 500, 5_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"rules":', "}]")])
def test_nesting(depth: int, opening: str, closing: str) -> None:
    nested = opening * depth + "1" + closing * depth
    whole = FILES["tiny"].decode()
    for text in (
        nested,
        whole.replace("20", nested, 1),
        whole.replace('"places": [', f'"places": [{nested},', 1),
    ):
        assert not must_load_or_be_refused(text.encode(), "tiny.json")


def test_noise() -> None:
    rng = random.Random("noise")
    for _ in range(150):
        assert not must_load_or_be_refused(rng.randbytes(rng.randrange(200)), "noise.json")
