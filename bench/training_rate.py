"""How fast training goes: decisions a second with learning, and what a round is made of.

    python bench/training_rate.py [--seconds 20] [--weights FILE] [--json FILE] [--device cpu]

First the network of our first rough script (three layers of 768 over 454 numbers, 2.6 M weights, USA, two players, two
passes over every round) in the loop of our trainer, with 16,384 games at once as there, and with four times as many.
With its weights (--weights) it plays as it did when it was trained; a network that knows nothing draws tickets
all the time, and every ticket is a path to look for. That script reached 1.36 M decisions/s on one H200. Then the
network that we ship, on all maps and two made up, with two to five players. Of each: the step of the games, the pass
that chooses, and learning. CUDA graphs are recorded in the first round, and torch has compiled by then; neither is
counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import torch
from torch.nn import functional

from bench.training_light import FACTS, FACTS_ROOM, LIGHT, LIGHT_WORDS, Light, load_light, scales
from branchline.kernel.state import MENU, SEATS
from branchline.maps.loader import load_map, shipped_maps
from branchline.mechanics.composed import Position, Work
from branchline.training.checkpoint import load
from branchline.training.games import Games
from branchline.training.inference import SHIPPED
from branchline.training.record import Paths
from branchline.training.torch_network import FAR_BELOW, Judged
from branchline.training.trainer import Settings, Trainer

FIRST_SCRIPT = 1.36  # M decisions/s on one H200, as published with it
WIDTH = 768
LIVE = [0, *range(1, 19), MENU - 1]  # the words of the menu that this map can have
CODES = 64 * len(LIVE)


class LightGames(Games):
    """Games that tell the facts of the rough script."""

    def __init__(self, maps: list[Any], n: int, seed: int, device: str) -> None:
        super().__init__(maps, [2], n, seed, device)
        self._wanted = LIGHT_WORDS
        self.seen = self._words(LIGHT_WORDS, self.maps * n)
        self._launch = self._light_on_gpu() if self.device.type == "cuda" else self._light_on_cpu()

    def _light_on_gpu(self) -> Any:
        from branchline.training.driver import Launcher

        launcher, games = Launcher(LIGHT), self.codes.numel()
        numbers = [games, self._wanted]
        return lambda: launcher.launch(games, numbers + self._addresses(), torch.cuda.current_stream().cuda_stream)

    def _light_on_cpu(self) -> Any:
        step, games = load_light(), self.codes.numel()
        scratch = [np.zeros(size, np.uint8) for size in (Position.SIZE, Work.SIZE, Light.SIZE, Paths.SIZE)]

        def launch() -> None:
            for i in range(games):
                step(i, games, self._wanted, *self._addresses(), *(room.ctypes.data for room in scratch))

        return launch


def forward(x: Any, w: dict[str, Any]) -> Any:
    """Three layers; then a number for each code, who wins and the margin."""
    h = functional.gelu(x @ w["i"] + w["i.bias"])
    for name, norm in (("a", "n1"), ("b", "n2")):
        told = functional.layer_norm(h, (WIDTH,), w[norm], w[f"{norm}.bias"])
        h = h + functional.gelu(told @ w[name] + w[f"{name}.bias"])
    return h @ w["heads"] + w["heads.bias"]


def weigh(raw: Any, allowed: Any, chosen: Any) -> tuple[Any, Any]:
    """The log-probability of what was chosen, and the entropy."""
    logp = functional.log_softmax(raw.float().masked_fill(~allowed, FAR_BELOW), -1)
    entropy = -(logp.exp() * logp.clamp_min(-30)).sum(-1)
    return logp.gather(-1, chosen[..., None])[..., 0], entropy


class Dense:
    """The rough script's network, in the place of ours in the trainer."""

    def __init__(self, device: str, dtype: Any, weights: Path | None) -> None:
        self.device, self.dtype, self.shape = torch.device(device), dtype, None
        data = load_map("usa")
        row = scales(len(data.tracks), len(data.tickets))
        self.scales = torch.from_numpy(row).to(self.device, dtype)
        made = {name: value.to(self.device) for name, value in self.begin(weights).items()}
        self.weights = {name: value.requires_grad_() for name, value in made.items()}
        self.live = torch.tensor(LIVE, device=self.device)
        self.shifts = torch.arange(8, device=self.device, dtype=torch.uint8)
        self.fields = {field.name: field for field in Light.FIELDS}
        self.forward, self.weigh = forward, weigh

    @staticmethod
    def begin(path: Path | None) -> dict[str, Any]:
        generator = torch.Generator().manual_seed(1)
        sizes = {"i": (FACTS_ROOM, WIDTH), "a": (WIDTH, WIDTH), "b": (WIDTH, WIDTH), "heads": (WIDTH, CODES + 8)}
        found = {name: torch.randn(size, generator=generator) / size[0] ** 0.5 for name, size in sizes.items()}
        found["heads"] *= 0.01
        found |= {f"{name}.bias": torch.zeros(size[1]) for name, size in sizes.items()}
        found |= {name: torch.ones(WIDTH) for name in ("n1", "n2")}
        found |= {f"{name}.bias": torch.zeros(WIDTH) for name in ("n1", "n2")}
        if path:
            with np.load(path) as file:
                old = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
            found["i"][:FACTS] = old["i.weight"].T
            found["i.bias"] = old["i.bias"]
            for name in ("a", "b"):
                found[name], found[f"{name}.bias"] = old[f"{name}.weight"].T.contiguous(), old[f"{name}.bias"]
            for name in ("n1", "n2"):
                found[name], found[f"{name}.bias"] = old[f"{name}.weight"], old[f"{name}.bias"]
            found["heads"][:, :CODES] = old["p.weight"].T
            found["heads.bias"][:CODES] = old["p.bias"]
        return found

    def compile(self) -> None:
        self.forward = torch.compile(forward, dynamic=False)
        self.weigh = torch.compile(weigh, dynamic=False)

    def frozen(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self.weights.items()}

    def seat_of(self, words: Any) -> Any:
        return words.view(torch.int8)[..., self.fields["seat"].offset].long()

    def look(self, words: Any, weights: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
        """Logits of the codes, which are allowed, win probabilities, margin."""
        at = self.fields["facts"].offset
        x = words.view(torch.int8)[..., at : at + FACTS_ROOM].to(self.dtype) * self.scales
        w = {name: value.to(self.dtype) for name, value in weights.items()}
        out = self.forward(x.flatten(0, 1), w).view(*x.shape[:2], -1)
        bytes_ = words.index_select(-1, self.live).view(torch.uint8)
        allowed = ((bytes_[..., None] >> self.shifts) & 1).bool().flatten(-2)
        wins = functional.pad(functional.softmax(out[..., CODES : CODES + 2].float(), -1), (0, SEATS - 2))
        return out[..., :CODES], allowed, wins, out[..., CODES + 2].float()

    def act(self, words: Any, weights: dict[str, Any], known: Any, dice: bool = True) -> tuple[Any, ...]:
        raw, allowed, wins, margin = self.look(words, weights)
        logp = functional.log_softmax(raw.float().masked_fill_(~allowed, FAR_BELOW), -1)
        noise = torch.rand_like(logp).clamp_(1e-9, 1 - 1e-7)
        chosen = (logp - torch.log(-torch.log(noise))).argmax(-1)
        codes = self.live[chosen // 64] * 64 + chosen % 64
        return chosen, torch.zeros_like(chosen), codes, logp.gather(-1, chosen[..., None])[..., 0], wins, margin

    def judge(self, words: Any, hidden: Any, chosen: Any, colour: Any, weights: dict[str, Any], known: Any) -> Judged:
        raw, allowed, wins, margin = self.look(words, weights)
        logp, entropy = self.weigh(raw, allowed, chosen)
        return Judged(logp, entropy, torch.zeros_like(logp), wins, margin)


class Measured(Trainer):
    """A trainer that says how long the parts of a round take."""

    weights: Path | None = None
    light = False

    def make_network(self, shape: Any, device: str, dtype: Any) -> Any:
        return Dense(device, dtype, self.weights) if self.light else super().make_network(shape, device, dtype)

    def make_games(self, players: list[int], device: str) -> Games:
        if self.light:
            return LightGames(self.maps, self.s.games, self.s.seed, device)
        return super().make_games(players, device)

    def split(self) -> dict[str, float]:
        """Seconds of the parts of a round, each alone on the GPU."""
        wait = torch.cuda.synchronize if self.network.device.type == "cuda" else lambda: None
        parts = {"forward": 0.0, "step": 0.0, "chains": 0.0, "update": 0.0}

        def timed(name: str, work: Any) -> Any:
            wait()
            start = time.perf_counter()
            found = work()
            wait()
            parts[name] += time.perf_counter() - start
            return found

        with torch.no_grad():
            self.at.zero_()
            for _ in range(self.s.steps):
                timed("forward", self._choose_once)
                timed("step", self._step_once)
            words = self.look()
            *_, wins, margin = self.network.act(words, self.network.weights, self.known)
            self.seat_after = self.seat_of(words)
            timed("chains", lambda: self.chains(torch.cat([wins, margin[..., None]], -1)))
        timed("update", self.learn)
        return parts


def measure(trainer: Measured, seconds: float) -> dict[str, Any]:
    """Rounds until the time is over, after two that are not counted."""
    began = time.perf_counter()
    trainer.games.step()
    for _ in range(2):
        trainer.one_round()
    ready = time.perf_counter() - began
    before, start, rounds = trainer.decisions, time.perf_counter(), 0
    while rounds < 2 or time.perf_counter() - start < seconds:
        trainer.one_round()
        rounds += 1
    took = time.perf_counter() - start
    rate = (trainer.decisions - before) / took / 1e6
    row: dict[str, Any] = {"M decisions/s": round(rate, 3), "rounds": rounds, "ready s": round(ready, 1)}
    row |= {"M decisions a round": round((trainer.decisions - before) / rounds / 1e6, 3)}
    row |= {f"{name} s": round(value, 4) for name, value in trainer.split().items()}
    told = trainer.result[..., 2:4][trainer.result[..., 0] > 0].float()
    return row | {"mean score": round(float(told.mean()), 1) if len(told) else None}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--weights", type=Path, help="weights.npz of the rough script")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--games", default="16384,65536", help="of the rough script's network")
    parser.add_argument("--shipped", type=int, default=4096, help="games a map of the network we ship; 0: none")
    parser.add_argument("--fans", type=int, default=2, help="maps made up beside them")
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--batch", type=int, default=32768)
    args = parser.parse_args()
    rows = {}
    on_gpu = args.device != "cpu"
    for games in (int(text) for text in args.games.split(",") if text):
        Measured.light, Measured.weights = True, args.weights
        steps = max(1, args.steps * 16384 // max(games, 16384))  # as many decisions a round
        settings = Settings(
            games=games,
            steps=steps,
            batch=args.batch,
            epochs=2,
            pool_share=0,
            bot_share=0,
            compile=on_gpu,
            warm_up=1000,
        )
        row = measure(Measured([load_map("usa")], [2], settings, None, args.device), args.seconds)
        row["times the rough script"] = round(row["M decisions/s"] / FIRST_SCRIPT, 2)
        rows[f"rough script's network, {games} games"] = row
        print(games, json.dumps(row), flush=True)
        if on_gpu:
            torch.cuda.empty_cache()
    if args.shipped:
        Measured.light = False
        settings = Settings(
            games=args.shipped,
            steps=args.steps,
            batch=min(4096, args.batch),
            fans=args.fans,
            bot_share=0,
            compile=on_gpu,
        )
        maps = [load_map(name) for name in shipped_maps()]
        row = measure(Measured(maps, [2, 3, 4, 5], settings, load(SHIPPED), args.device), args.seconds)
        rows[f"the network we ship, {len(maps) + args.fans} boards of {args.shipped} games"] = row
        print("shipped", json.dumps(row), flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
