"""All that a short loan of a machine with a GPU should give, in one go and within a number of seconds.

    python bench/training_session.py FOLDER --seconds 1450 --start net.npz [--options "--fans 2"] [--first COMMAND]

In this order: what must be compiled for the CPU, and meanwhile how fast random games and steps go (the GPU to itself);
whether GPU and CPU agree byte for byte, on every map; each COMMAND that wants the GPU to itself; how fast training
goes, with the network of our first rough script and with ours; training, against bots that think on the CPU's cores;
when it has ended, the contests of the new network on the CPU, and on the GPU its calibration and an exploiter that
learns to beat it, as long as there is time. Every part writes a log into FOLDER, and what it found beside it, so what
is there is whole whenever the machine is lost. A part that fails leaves the others alone.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
KERNEL = "from branchline.kernel import compiled; from branchline.training.compiled import load_step; load_step()"
BOTS = "from branchline.bots.warm import warm; from branchline.training.compiled import load_see; load_see(), warm()"
RATES = 60  # seconds of the rates of games, at most
IDENTITY = 150  # and of comparing with the CPU
TRAINING_RATE = 150
CALIBRATION = 75


class Session:
    """Parts that run at the same time, each with its log."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.end = folder, time.monotonic() + seconds
        self.begun = time.monotonic()
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def left(self) -> float:
        return self.end - time.monotonic()

    def say(self, text: str) -> None:
        with (self.folder / "session.log").open("a") as file:
            file.write(f"{time.monotonic() - self.begun:7.1f}  {text}\n")

    def start(self, name: str, command: list[str], nice: int = 0) -> None:
        """Begin a part."""
        self.say(f"{name}: {shlex.join(command)}")
        log = (self.folder / f"{name}.log").open("wb")
        self.parts[name] = subprocess.Popen(
            ["nice", "-n", str(nice), *command], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
        )

    def wait(self, name: str, seconds: float | None = None) -> None:
        """Wait for a part, or end it when its time is over."""
        part = self.parts[name]
        try:
            part.wait(max(1.0, self.left if seconds is None else min(seconds, self.left)))
        except subprocess.TimeoutExpired:
            part.terminate()
            self.say(f"{name}: ended, its time was over")
        else:
            self.say(f"{name}: done, {part.returncode}")


def python(script: str, *arguments: str) -> list[str]:
    return [sys.executable, *script.split(), *arguments]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, required=True, help="of it all")
    parser.add_argument("--start", type=Path, required=True, help="the checkpoint to go on from")
    parser.add_argument("--options", default="", help="for the training")
    parser.add_argument("--first", action="append", default=[], help="a command that wants the GPU to itself")
    parser.add_argument("--first-seconds", type=float, default=90, help="for each of them")
    parser.add_argument("--after", type=float, default=360, help="seconds for what comes after the training")
    parser.add_argument("--weights", type=Path, help="weights of the first rough script, for its rate")
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    args = parser.parse_args()
    s = Session(args.folder.resolve(), args.seconds)
    new = s.folder / "net.npz"
    s.start("compile_kernel", python("-c", KERNEL))
    s.start("compile_bots", python("-c", BOTS))
    alone(s, "steps", RATES, python("bench/training_gpu.py", "--check", "0"))
    alone(s, "random_games", RATES, python("bench/gpu.py", "--check", "0", "--games", "500000"))
    s.wait("compile_kernel", IDENTITY)
    s.start("identical_games", python("bench/gpu.py", "--games", "0", "--check", "2000"))
    s.start("identical_steps", python("bench/training_gpu.py", "--games", "", "--check", "32", "--steps", "400"))
    for name in ("identical_games", "identical_steps"):
        s.wait(name, IDENTITY)
    for n, command in enumerate(args.first):
        alone(s, f"first_{n}", args.first_seconds, ["bash", "-c", command])
    weights = ["--weights", str(args.weights.resolve())] if args.weights else []
    told = ["--json", str(s.folder / "training_rate.json")]
    alone(s, "training_rate", TRAINING_RATE, python("bench/training_rate.py", *weights, *told))
    s.wait("compile_bots")
    train(s, args, new)
    after(s, args, new)
    return 0


def alone(s: Session, name: str, seconds: float, command: list[str]) -> None:
    s.start(name, command)
    s.wait(name, seconds)


def train(s: Session, args: argparse.Namespace, new: Path) -> None:
    minutes = (s.left - args.after - 30) / 60  # it takes a while to start, and to write what it learned
    files = ["--checkpoint", str(args.start.resolve()), "--out", str(new), "--log", str(s.folder / "curve.jsonl")]
    options = ["--minutes", f"{minutes:.2f}", *shlex.split(args.options)]
    alone(s, "train", s.left - args.after, python("-m branchline.training", *files, *options))


def after(s: Session, args: argparse.Namespace, new: Path) -> None:
    """What is measured of the new network: contests on the CPU, on the GPU calibration, then an exploiter."""
    arena = [str(new), "--out", str(s.folder / "contests.jsonl"), "--processes", str(args.processes)]
    s.start("contests", python("bench/training_arena.py", *arena, "--kinds", "planner", "--tables", "2,4"))
    calibration = ["--players", "2,4", "--games", "20000", "--json", str(s.folder / "calibration.json")]
    seconds = min(CALIBRATION, s.left / 3)
    alone(s, "calibration", seconds, python("bench/training_calibration.py", str(new), *calibration))
    against = ["--pool-share", "1", "--pool-seconds", "100000", "--bot-share", "0"]
    against += ["--rate", "3e-4", "--last-rate", "1e-4", "--fans", "2"]  # as many boards as before: compiled already
    files = ["--checkpoint", str(new), "--out", str(s.folder / "exploiter.npz")]
    files += ["--log", str(s.folder / "exploiter.jsonl"), "--minutes", f"{max(0.1, (s.left - 30) / 60):.2f}"]
    s.start("exploiter", python("-m branchline.training", *files, "--players", "2,4", *against, "--compile"))
    s.wait("contests")
    if s.left > 60:
        rest = ["--kinds", "planner,unseen", "--share", "0.5"]
        s.start("more_contests", python("bench/training_arena.py", *arena, *rest))
        s.wait("more_contests")
    s.wait("exploiter")


if __name__ == "__main__":
    sys.exit(main())
