"""`python -m branchline.training`: train a network by self-play on a GPU; docs/training.md tells how."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from branchline import extras
from branchline.maps.loader import load_map, shipped_maps


def main(arguments: list[str] | None = None) -> int:
    try:
        extras.check("training")
        return _train(arguments)
    except ModuleNotFoundError as error:
        missing = extras.advice(error.name, "training")
        if missing is None:
            raise
        print(f"python -m branchline.training: {missing}", file=sys.stderr)
        return 2


def _train(arguments: list[str] | None) -> int:
    from branchline.training.checkpoint import BadCheckpoint, load
    from branchline.training.network import Shape
    from branchline.training.trainer import Settings, Trainer

    parser = argparse.ArgumentParser(prog="python -m branchline.training", description=__doc__)
    parser.add_argument("--map", default=",".join(shipped_maps()), help="maps, by comma (default: all)")
    parser.add_argument("--players", default="2,4", help="numbers of players, by comma")
    parser.add_argument("--checkpoint", type=Path, help="go on from this file, if it is there")
    parser.add_argument("--out", type=Path, help="write checkpoints here (default: to --checkpoint)")
    parser.add_argument("--log", type=Path, help="write the curve here, a JSON line each ten seconds")
    parser.add_argument("--past", type=Path, nargs="*", default=[], help="older checkpoints to play against as well")
    parser.add_argument(
        "--compiled", type=Path, help="keep what --compile made in this file, and use it if it is there"
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--shape", default="64,96,32,512,2", help="of a new network: token, pool, score, trunk, blocks")
    for option in fields(Settings):
        name = f"--{option.name.replace('_', '-')}"
        if option.name == "compile":
            parser.add_argument(name, action="store_true", help="let torch compile the network first")
        else:
            parser.add_argument(name, type=type(option.default), default=option.default)
    args = parser.parse_args(arguments)
    start = None
    try:
        if args.checkpoint and args.checkpoint.exists():
            start = load(args.checkpoint)
        past = [load(path) for path in args.past]
    except BadCheckpoint as error:
        print(error, file=sys.stderr)
        return 2
    settings = Settings(**{option.name: getattr(args, option.name) for option in fields(Settings)})
    maps = [load_map(name) for name in args.map.split(",")]
    players = [int(n) for n in args.players.split(",")]
    shape = Shape(*(int(n) for n in args.shape.split(",")))
    trainer = Trainer(maps, players, settings, start, args.device, shape)
    trainer.compiled = args.compiled
    for older in past:
        trainer.remember(older)
    trainer.run(args.out or args.checkpoint, args.log, lambda line: print(line, flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
