"""All that a short loan of a machine with a GPU should give, in one go and within a number of seconds.

    python bench/training_session.py FOLDER --seconds 1600 --start net.npz [--options "--fans 2"] [--beside COMMAND]

In this order: how fast the games step (the GPU to itself); training; beside it on the CPU whether GPU and CPU agree
byte for byte, the contests of the network it starts from, and COMMAND; when training has ended, the contests of the new
network, and on the GPU its calibration and an exploiter that learns to beat it, as long as there is time. Every part
writes a log into FOLDER, and what it found beside it. A part that fails leaves the others alone.
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
COMPILE = """
from branchline.bots.warm import warm
from branchline.kernel import compiled
from branchline.training.compiled import load_see, load_step
warm(), load_see(), load_step()
"""
BENCH = 60  # seconds of the rates and of starting, at most
CONTESTS = 200  # seconds that the contests of the new network get


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
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--start", type=Path, required=True, help="the checkpoint to go on from")
    parser.add_argument("--options", default="", help="for the training")
    parser.add_argument("--beside", default="", help="a command on the CPU beside the training")
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    args = parser.parse_args()
    s = Session(args.folder.resolve(), args.seconds)
    new, start = s.folder / "net.npz", str(args.start.resolve())
    s.start("compile", python("-c", COMPILE))
    s.start("rates", python("bench/training_gpu.py", "--check", "0"))
    s.wait("rates", BENCH)
    s.start("random_games", python("bench/gpu.py", "--check", "0", "--games", "500000"))
    s.wait("random_games", BENCH)
    train(s, args, new, start)
    s.wait("compile")
    beside(s, args, start)
    s.wait("train")
    after(s, args, new)
    return 0


def train(s: Session, args: argparse.Namespace, new: Path, start: str) -> None:
    minutes = (s.left - CONTESTS) / 60
    files = ["--checkpoint", start, "--out", str(new), "--log", str(s.folder / "curve.jsonl")]
    s.start("train", python("-m branchline.training", *files, "--minutes", f"{minutes:.2f}", *args.options.split()))


def beside(s: Session, args: argparse.Namespace, start: str) -> None:
    """What the CPU does while the GPU trains."""
    s.start("identical_games", python("bench/gpu.py", "--games", "0", "--check", "2000"))
    s.start("identical_steps", python("bench/training_gpu.py", "--games", "", "--check", "32", "--steps", "400"))
    if args.beside:
        s.start("beside", ["bash", "-c", args.beside], nice=10)
    s.wait("identical_games", 200)
    s.wait("identical_steps", 200)
    s.start("contests_before", contests(s, args, start, "before"), nice=5)


def contests(s: Session, args: argparse.Namespace, checkpoint: str, name: str) -> list[str]:
    out = str(s.folder / f"contests_{name}.jsonl")
    return python("bench/training_arena.py", checkpoint, "--out", out, "--processes", str(args.processes))


def after(s: Session, args: argparse.Namespace, new: Path) -> None:
    """What is measured of the new network."""
    s.start("contests_after", contests(s, args, str(new), "after"))
    calibration = ["--players", "2,4", "--json", str(s.folder / "calibration.json")]
    s.start("calibration", python("bench/training_calibration.py", str(new), *calibration))
    s.wait("calibration", s.left - 70)
    alone = ["--pool-share", "1", "--pool-seconds", "100000", "--rate", "3e-4", "--last-rate", "3e-4"]
    files = ["--checkpoint", str(new), "--out", str(s.folder / "exploiter.npz")]
    files += ["--log", str(s.folder / "exploiter.jsonl"), "--minutes", f"{(s.left - 15) / 60:.2f}"]
    s.start("exploiter", python("-m branchline.training", *files, "--players", "2,4", *alone, "--compile"))
    for name in ("exploiter", "contests_after", "contests_before", "beside"):
        if name in s.parts:
            s.wait(name)


if __name__ == "__main__":
    sys.exit(main())
