"""Batches on a GPU: how soon they are ready, how fast they step, whether their bytes are the CPU's, and a peer.

    python bench/envs_gpu.py [--games 65536,262144] [--maps usa,europe] [--check 32] [--cold] [--peers FOLDER]
                             [--out FILE]

Needs torch and a CUDA device; JAX for what concerns it. Games are at different points of their course when they are
timed: each has ended at least once. Choices are uniformly random and allowed, made on the GPU. `--peers` names a folder
that has pgx and svgwrite, where they are not installed. `--cold` compiles everything again, beside the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch

from branchline.envs import Batch, Gpu
from branchline.maps import shipped_maps

ROOT = Path(__file__).parent.parent
ARRAYS = ("masks", "observations", "seats", "ended", "totals", "places", "rewards", "seeds")
FIRST_STEP = """
import sys, time
sys.path.insert(0, {root!r})
from branchline.envs import Batch, Gpu
Batch("usa", 2, 64, device=Gpu(arrays="dlpack"))._side.copy("masks")
"""
FOR_THE_CPU = (
    "import sys; sys.path.insert(0, {root!r}); from branchline.envs.compiled import load_advance; load_advance()"
)


def chosen(batch: Batch) -> torch.Tensor:
    """An allowed choice for each game, each as likely."""
    return torch.argmax(batch.masks * torch.rand(batch.masks.shape, device="cuda"), 1)


def seconds_of(run: Callable[[], object], times: int) -> float:
    """By the clock on the wall, from an idle GPU to an idle GPU."""
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(times):
        run()
    torch.cuda.synchronize()
    return time.perf_counter() - begun


def state(batch: Batch, name: str) -> torch.Tensor:
    return torch.from_dlpack(batch._side._lent[name])


def go_on_from(batch: Batch, other: Batch) -> None:
    """Let a batch go on where another is; if it has more games, several go on from the same."""
    copies = batch.games // other.games
    for name in ("store", "menus"):
        state(batch, name).copy_(state(other, name).repeat(1, copies))
    for name in ("masks", "seats", "seeds"):
        table = state(other, name)
        state(batch, name).copy_(table.repeat(copies, *[1] * (table.ndim - 1)))


def played(batch: Batch, most: int = 2000) -> Batch:
    """The batch when each game has ended at least once."""
    over = torch.zeros(batch.games, dtype=torch.bool, device="cuda")
    for step in range(most):
        batch.step(chosen(batch))
        over |= batch.ended
        if step % 50 == 49 and over.float().mean() > 0.98:
            break
    return batch


def stepping(batch: Batch, steps: int) -> float:
    """Decisions a second of steps alone."""
    seconds = 0.0
    for _ in range(steps):
        choices = chosen(batch)
        seconds += seconds_of(lambda: batch.step(choices), 1)  # noqa: B023  (called at once)
    return batch.games * steps / seconds


def with_choosing(batch: Batch, steps: int) -> float:
    return batch.games * steps / seconds_of(lambda: batch.step(chosen(batch)), steps)


def rates(map: str, players: int, sizes: list[int], steps: int) -> dict[str, dict[str, float]]:
    """Decisions a second, by the number of games."""
    found: dict[str, dict[str, float]] = {}
    first = played(Batch(map, players, sizes[0], seed=1, observe=False, device=Gpu(check=False)))
    for games in sizes:
        told: dict[str, float] = {}
        for name, observe in (("masks", False), ("observations", True)):
            for check in (True, False):
                batch = Batch(map, players, games, seed=2, observe=observe, device=Gpu(check=check))
                go_on_from(batch, first)
                for _ in range(5):
                    batch.step(chosen(batch))
                more = "" if check else ", unchecked"
                told[name + more] = stepping(batch, steps)
                told[f"{name}{more}, with choosing"] = with_choosing(batch, steps)
                batch.check()
        found[f"{games} games"] = told
        shown = "; ".join(f"{name} {rate / 1e6:.1f}" for name, rate in told.items())
        print(f"{map}, {players} players, {games} games, M decisions/s: {shown}", flush=True)
    return found


def is_same(games: int, steps: int) -> dict[str, Any]:
    """All arrays after each step, here and on the CPU, with the same choices."""
    compared = ended = 0
    for n, (map, players) in enumerate((map, players) for map in shipped_maps() for players in (2, 3, 4, 5)):
        asked: dict[str, Any] = {"seed": n, "reward": ("win", "margin", "rank")[n % 3], "settle_details": n % 4 == 3}
        here, there = (Batch(map, players, games, device=device, **asked) for device in ("cuda", "cpu"))
        chance = np.random.default_rng(n)
        for step in range(steps):
            for name in ARRAYS:
                if not np.array_equal(getattr(here, name).cpu().numpy(), getattr(there, name)):
                    print(f"{map}, {players} players, step {step}: {name} differ", flush=True)
                    return {"equal": False, "map": map, "players": players, "step": step, "array": name}
            weights = chance.random(there.masks.shape, dtype=np.float32)
            choices = np.argmax(there.masks * weights, axis=1)
            there.step(choices)
            here.step(torch.from_numpy(choices).cuda())
            ended += int(there.ended.sum())
        compared += steps * games
    print(f"{compared} decisions and {ended} ends of games: the bytes of the CPU", flush=True)
    return {"equal": True, "decisions": compared, "games ended": ended}


def refusals() -> dict[str, bool]:
    """A wrong choice: told at once, or when somebody asks; nothing has changed."""
    found = {}
    for check in (True, False):
        batch = Batch("usa", 2, 1000, device=Gpu(check=check))
        choices, before = chosen(batch), [batch._side.copy(name).tobytes() for name in ("store", *ARRAYS)]
        choices[77] = torch.argmin(batch.masks[77].int())
        try:
            batch.step(choices)
            batch.check()
        except ValueError as fault:
            same = before == [batch._side.copy(name).tobytes() for name in ("store", *ARRAYS)]
            found["told at once" if check else "told when asked"] = same and "game 77" in str(fault)
    print(f"refusals: {found}", flush=True)
    return found


def lending(games: int, steps: int) -> dict[str, Any]:
    """torch's and JAX's arrays lie where the kernels write, and both libraries play the same games."""
    import jax
    import jax.numpy as jnp

    ours, theirs = (
        Batch("europe", 3, games, seed=5, device="cuda"),
        Batch("europe", 3, games, seed=5, device=Gpu(arrays="jax")),
    )
    found: dict[str, Any] = {
        "torch at our address": ours.masks.data_ptr() == ours._side._lent["masks"].address,
        "torch stays the same": ours.masks is ours.masks,
        "JAX at our address": theirs.masks.unsafe_buffer_pointer() == theirs._side._lent["masks"].address,
        "torch to JAX and back": torch.from_dlpack(jax.dlpack.from_dlpack(ours.observations)).data_ptr()
        == ours.observations.data_ptr(),
    }

    def by_chance(masks: Any, key: Any) -> Any:
        return jnp.argmax(masks * jax.random.uniform(key, masks.shape), axis=1)

    pick, key, same = jax.jit(by_chance), jax.random.key(1), True
    for _ in range(steps):
        key, now = jax.random.split(key)
        choices = pick(theirs.masks, now)
        ours.step(torch.from_dlpack(choices).long())
        theirs.step(choices)
        for name in ARRAYS[:-1]:  # JAX has whole numbers of 64 bits only where it was told to
            same &= bool(np.array_equal(getattr(ours, name).cpu().numpy(), np.asarray(getattr(theirs, name))))
    found["the same games"] = same
    large = Batch("usa", 2, 65536, seed=5, device=Gpu(arrays="jax"))
    for _ in range(20):
        large.step(pick(large.masks, key))
    begun = time.perf_counter()
    for _ in range(steps):
        key, now = jax.random.split(key)
        large.step(pick(large.masks, now))
    jax.block_until_ready(large.masks)
    found["JAX, observations, with choosing, first steps"] = steps * large.games / (time.perf_counter() - begun)
    print(f"lending: {found}", flush=True)
    return found


def backgammon(games: int, steps: int) -> float:
    """Steps a second of Pgx's backgammon, random play, jit, dealt anew at the end; choosing counted."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = auto_reset(env.step, env.init)

    def once(state: Any, key: Any) -> tuple[Any, None]:
        pick, deal = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        choice = jax.random.categorical(pick, logits, axis=-1)
        return jax.vmap(step)(state, choice, jax.random.split(deal, games)), None

    play = jax.jit(lambda state, key: jax.lax.scan(once, state, jax.random.split(key, steps))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    state = jax.block_until_ready(play(state, jax.random.key(1)))
    begun = time.perf_counter()
    jax.block_until_ready(play(state, jax.random.key(2)))
    rate = games * steps / (time.perf_counter() - begun)
    print(f"Pgx's backgammon, {games} games: {rate / 1e6:.1f} M steps/s", flush=True)
    return rate


def peers(folder: str | None, sizes: list[int]) -> dict[str, Any]:
    if folder:
        sys.path.append(folder)
    try:
        return {f"Pgx's backgammon, {games} games": backgammon(games, 200) for games in sizes}
    except Exception as fault:  # a peer that does not run here is no fault of ours, and is told
        print(f"no peer: {fault!r}", flush=True)
        return {"none": repr(fault)}


def start(code: str, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", code.format(root=str(ROOT))]
    return subprocess.Popen(command, env=os.environ | environment)


def ready(cold: bool) -> Callable[[], dict[str, float]]:
    """Wall seconds of a program that makes a batch of 64 games and reads its masks: with the cache now, without it by
    and by (what is compiled for the CPU is compiled again as well)."""
    begun = time.perf_counter()
    found, done = {}, start(FIRST_STEP).wait()
    if done == 0:
        found["a program that has the kernels in its cache"] = time.perf_counter() - begun
    folder = tempfile.TemporaryDirectory()
    begun, slow = time.perf_counter(), start(FIRST_STEP, BRANCHLINE_CACHE=folder.name) if cold else None

    def wait() -> dict[str, float]:
        if slow is not None and slow.wait() == 0:
            found["a program that has to compile them, beside other work"] = time.perf_counter() - begun
        folder.cleanup()
        print(f"ready, s: {found}", flush=True)
        return found

    return wait


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games", default="65536,262144", help="so many at once are timed; each a multiple of the first"
    )
    parser.add_argument("--maps", default=",".join(shipped_maps()))
    parser.add_argument("--players", default="2,4")
    parser.add_argument("--steps", type=int, default=25, help="timed steps")
    parser.add_argument("--check", type=int, default=32, help="games a map and number of players compared; 0: none")
    parser.add_argument("--check-steps", type=int, default=320)
    parser.add_argument("--rates-only", action="store_true")
    parser.add_argument("--cold", action="store_true", help="time a start from nothing")
    parser.add_argument("--peers", help="a folder that has pgx")
    parser.add_argument("--out", type=Path, help="a file for the figures")
    asked = parser.parse_args()
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of the memory
    begun = time.perf_counter()
    sizes = [int(text) for text in asked.games.split(",")]
    told: dict[str, Any] = {"GPU": torch.cuda.get_device_name(), "torch": torch.__version__}
    for_cpu = start(FOR_THE_CPU) if asked.check and not asked.rates_only else None
    wait = ready(asked.cold) if not asked.rates_only else None

    def write() -> None:
        if asked.out:
            asked.out.write_text(json.dumps(told, indent=1) + "\n")

    found = told["decisions a second"] = {}
    for map in asked.maps.split(","):
        found[map] = {}
        for players in (int(text) for text in asked.players.split(",")):
            found[map][f"{players} players"] = rates(map, players, sizes, asked.steps)
            write()
    if not asked.rates_only:
        told["refusals"] = refusals()
        told["lending"] = lending(256, 60)
        told["peers"] = peers(asked.peers, sizes)
        write()
    if for_cpu is not None and for_cpu.wait() == 0:
        told["identity"] = is_same(asked.check, asked.check_steps)
    if wait is not None:
        told["seconds until ready"] = wait()
    told["seconds in all"] = time.perf_counter() - begun
    write()
    print(f"{told['seconds in all']:.0f} s in all", flush=True)
    return 0 if told.get("identity", {"equal": True})["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
