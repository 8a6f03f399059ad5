"""`branchline replay FILE`: step through a recorded game in words, verify it, or turn it into JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from branchline.events import GameEnded, TurnBegan
from branchline.maps import BadMap, MapData, load_map
from branchline.record import (
    BadRecord,
    Fault,
    Record,
    Step,
    describe,
    explain_scores,
    load_game,
    read_game,
    replay,
    verify,
)
from branchline.record.model import MAX_FILE_BYTES
from branchline.record.summary import fair_json, score_json, step_json
from branchline.record.words import table_lines
from branchline.words import LANGUAGES, Language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a game file, or - for the standard input")
    parser.add_argument(
        "--verify", action="store_true", help="check the deal's proof, every move and the result, and print one line"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a move, and the scores")
    parser.add_argument("--map", metavar="MAPFILE", help="the map file, if the game's map is not a shipped one")
    parser.add_argument("--step", type=_number, metavar="N", help="show move N alone, and the table after it")
    parser.add_argument("--from", dest="first", type=_number, metavar="N", help="begin with move N (0 is the deal)")
    parser.add_argument("--to", dest="last", type=_number, metavar="N", help="stop after move N")
    parser.add_argument("--plain", action="store_true", help="do not wait for Enter between turns")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language in which events are told")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a move")
    return int(text)


def run(args: argparse.Namespace) -> int:
    try:
        record = _read(args.file, load_map(args.map) if args.map else None)
        if args.verify:
            return _verify(record, args)
        wrong = _wrong_range(record, args)
        if wrong:
            print(f"{args.file}: {wrong}", file=sys.stderr)
            return 2
        return _print_json(record, args) if args.json else _print_words(record, args)
    except (BadRecord, BadMap) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    except Fault as fault:
        print(f"{args.file}: {fault}", file=sys.stderr)
    return 1


def _read(file: str, data: MapData | None) -> Record:
    if file == "-":
        return read_game(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), map=data, source="standard input")
    return load_game(file, map=data)


def _range(args: argparse.Namespace) -> tuple[int, int | None]:
    """The first and the last move to show; None for the end."""
    return (args.step, args.step) if args.step is not None else (args.first or 0, args.last)


def _wrong_range(record: Record, args: argparse.Namespace) -> str:
    first, last = _range(args)
    if args.step is not None and (args.first is not None or args.last is not None):
        return "give --step, or --from and --to"
    if first > len(record.moves):
        return f"there is no move {first}, the record has {len(record.moves)}"
    return f"nothing lies from move {first} to move {last}" if last is not None and last < first else ""


def _chosen(record: Record, args: argparse.Namespace) -> Iterator[Step]:
    """The steps that are asked for; those before them are played, those after them are not."""
    first, last = _range(args)
    for step in replay(record):
        if step.number >= first:
            yield step
        if last is not None and step.number >= last:
            return


# --- verify -------------------------------------------------------------------------------------------------


def _verify(record: Record, args: argparse.Namespace) -> int:
    fault = verify(record)
    if args.json:
        print(json.dumps(_verdict(record, fault), ensure_ascii=False))
    elif fault is None:
        over = f"the result is {_scores_told(record)}" if record.result else "no result is recorded"
        told = f"{record.map.name}, {len(record.moves)} moves, all legal; {over}; {_proof_told(record)}"
        print(f"{args.file}: right: {told}")
    else:
        print(f"{args.file}: {fault}", file=sys.stderr)
    return 0 if fault is None else 1


def _scores_told(record: Record) -> str:
    assert record.result
    return ", ".join(f"{name} {score}" for name, score in zip(record.names, record.result.scores, strict=True))


def _proof_told(record: Record) -> str:
    """What is known of where the deal comes from, once the record has been found right."""
    if record.fair is None:
        return "the deal carries no proof"
    shown = record.fair.commitment
    return f"the deal is the one committed to before the game, if the commitment you were shown is {shown}"


def _verdict(record: Record, fault: Fault | None) -> dict[str, object]:
    if fault is None:
        return {"right": True, "moves": len(record.moves), "fair": True if record.fair else None}
    return {
        "right": False,
        "place": fault.place,
        "move": fault.move or None,
        "seat": fault.seat,
        "line": fault.line or None,
        "clause": fault.clause,
        "reason": fault.reason,
    }


# --- JSON ---------------------------------------------------------------------------------------------------


def _print_json(record: Record, args: argparse.Namespace) -> int:
    for step in _chosen(record, args):
        print(json.dumps(step_json(step), ensure_ascii=False))
        game, number = step.game, step.number
    if number == len(record.moves):
        sheets = [score_json(score) for score in game.scores()]
        fair = {"fair": fair_json(record.fair)} if record.fair else {}
        end = {"over": game.is_over, "end_reason": game.end_reason, "scores": sheets} | fair
        print(json.dumps(end, ensure_ascii=False))
    return 0


# --- words --------------------------------------------------------------------------------------------------


def _print_words(record: Record, args: argparse.Namespace) -> int:
    waits = not args.plain and sys.stdin.isatty() and sys.stdout.isatty()
    end = min(len(record.moves), _range(args)[1] or len(record.moves))
    for line in _head(record):
        print(line)
    for step in _chosen(record, args):
        for line in _told(step, record, args.lang):
            print(line)
        game, number = step.game, step.number
        if waits and _turn_is_over(step) and number < end and not _goes_on():
            return 0
    if args.step is not None:
        print("\n".join(["", *table_lines(game.view(None), record.names)]))
    elif number == len(record.moves):
        title = "Final scores" if game.is_over else "The game is not over. If it ended here"
        print("\n".join(["", f"{title}:", *explain_scores(game.scores(), record.map, record.names)]))
    return 0


def _head(record: Record) -> Iterator[str]:
    players = ", ".join(f"{p.name} ({p.bot})" if p.bot else p.name for p in record.players)
    yield f"{record.map.name}: {players}"
    for key, value in record.meta.items():
        yield f"{key}: {value}"
    yield ""


def _told(step: Step, record: Record, language: Language) -> Iterator[str]:
    if step.seat is None:
        yield "The deal"
    else:
        yield f"{step.number:4d}. {record.names[step.seat]}: {step.line}"
    for event in step.events:
        words = describe(event, record.map, record.names, language=language)
        yield f"\n{words}" if isinstance(event, TurnBegan | GameEnded) else f"      {words}"


def _turn_is_over(step: Step) -> bool:
    return any(isinstance(event, TurnBegan | GameEnded) for event in step.events)


def _goes_on() -> bool:
    """Wait for Enter; False if the reader has had enough."""
    try:
        return input("[Enter: go on, q: quit] ").strip().lower() not in ("q", "quit")
    except EOFError:
        return False
