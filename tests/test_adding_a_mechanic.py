"""docs/mechanics.md followed to the letter in a copy of the package, with a mechanic invented here: lamps.

A place is lit by the first track that ends there, and every lamp scores. The mechanic has a clause, a key in the map
file, a field of a position, a line of the score and a part of the bots; the page says which files that changes.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from branchline.mechanics import MECHANICS
from branchline.mechanics.wholes import PACKAGE, WHOLES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "mechanics.md"
MAP = ROOT / "tests" / "data" / "maps" / "c_line.json"
LEFT_OUT = ("__pycache__", "page", "training", "envs")

CLAUSE = """
## LAM. Lamps

- **LAM-01** Who first lays a track to a place lights its lamp. Each lamp scores the points the map says.
"""


FILES = {
    "__init__.py": '"""Lamps."""\n',
    "map.py": """
from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.parts import Keys, MapPart, Row
from branchline.maps.shapes import Field, Whole


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    lamps: int


class Lamps(MapPart[MapData]):
    rules: ClassVar[Keys] = {"lamps": Field(Whole(0, 9), "Points of a lamp (LAM-01); 0: there are none.", 0)}

    def is_used(self, data: MapData) -> bool:
        return data.lamps > 0

    def values(self, tidy: Row) -> Row:
        return {"lamps": tidy["rules"]["lamps"]}

    def facts(self, data: MapData) -> Row:
        return {"lamps": data.lamps} if data.lamps else {}


PART = Lamps()
""",
    "state.py": """
from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8, I64

IN_PLAY = "b.lamps > 0"


class Position(state.Position, part=True):
    lamps_lit: Annotated[list[int], I64, state.SEATS]  # places, as bits


class Board(state.Board, part=True):
    lamps: Annotated[int, I8]  # points of each
""",
    "rules.py": '''
from branchline.kernel import hooks
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.primitives import kernel, popcount
from branchline.kernel.state import Work
from branchline.mechanics.lamps.map import MapData
from branchline.mechanics.lamps.state import Board, Position


@at(hooks.make_tables, ALWAYS)
def lamp_tables(b: Board, data: MapData) -> None:
    b.lamps = data.lamps


@kernel
def dark_ends(s: Position, b: Board, track: int) -> int:
    """The ends of a track where no lamp is lit, as bits."""
    dark = (1 << b.track_a[track]) | (1 << b.track_b[track])
    for seat in range(s.players):
        dark &= ~s.lamps_lit[seat]
    return dark


@at(hooks.after_claim)
@kernel
def light_lamps(s: Position, b: Board, seat: int) -> None:
    s.lamps_lit[seat] |= dark_ends(s, b, s.claim_track)


@at(hooks.score_lines)
@kernel
def score_lamps(s: Position, b: Board, w: Work, seat: int) -> int:
    return b.lamps * popcount(s.lamps_lit[seat])
''',
    "score.py": """
from dataclasses import dataclass
from typing import Any

from branchline.mechanics.composed import Board, Position, Work


@dataclass(frozen=True)
class PlayerScore:
    lamp_points: int


def score(seat: int, s: Position, b: Board, w: Work, names: Any) -> PlayerScore:
    return PlayerScore(b.lamps * s.lamps_lit[seat].bit_count())
""",
    "bots.py": """
from typing import Annotated

from branchline.bots import hooks
from branchline.bots.blocks import plan as blocks
from branchline.bots.games.rows import seat_row
from branchline.bots.kernel import I8, Board, Position, kernel, popcount
from branchline.bots.planner.tuning import tuned
from branchline.kernel.hooks import at
from branchline.mechanics.lamps.columns import S_LAMPS
from branchline.mechanics.lamps.rules import dark_ends
from branchline.mechanics.lamps.tuning import P_LAMP


class Plan(blocks.Plan, part=True):
    lamps_seen: Annotated[int, I8]


@at(hooks.claim_brings)
@kernel
def with_lamps(s: Position, b: Board, t: int, n: int) -> int:
    return n + b.lamps * popcount(dark_ends(s, b, t))


@at(hooks.look_closer)
@kernel
def count_lamps(s: Position, plan: Plan, seat: int) -> None:
    plan.lamps_seen = tuned(plan, P_LAMP) * popcount(s.lamps_lit[seat])


@at(hooks.note_more_lines)
@kernel
def note_lamps(s: Position, notes: list[int], seat: int) -> None:
    notes[seat_row(seat) + S_LAMPS] = popcount(s.lamps_lit[seat])
""",
    "tuning.py": """
from branchline.bots.planner.tuning import number

P_LAMP = number(1)
""",
    "columns.py": """
from branchline.bots.games.columns import seats

S_LAMPS = seats.column()
""",
}

# What is played in the copy: planners, interpreted, until the game is over; what each lamp brought stands in the sheet.
GAME = """
import json, sys
folder, map_file = sys.argv[1:]
sys.path.insert(0, folder)
import branchline
assert branchline.__file__.startswith(folder)
from branchline import Game, load_map
from branchline.bots import make_bot, players
from branchline.bots.composed import Plan
from branchline.bots.games import lab_notes, rows
from branchline.bots.games.request import request
from branchline.bots.planner import numbers
from branchline.codec import code_of, names_of
from branchline.kernel.board import make_board
from branchline.mechanics.composed import Position, Work
from branchline.mechanics.lamps.columns import S_LAMPS
from branchline.record import read_game, record_of, verify, write_game
players.never_wait()
game = Game.new(load_map(map_file), 2, seed=3)
bots = [make_bot("planner", seat) for seat in range(2)]
codes = []
while not game.is_over:
    seat = game.to_act[0]
    view = game.view(seat)
    action = bots[seat].choose(view, view.legal_actions())
    codes.append(code_of(action, game.position, names_of(game.map), seat))
    game.play(action, seat)
assert verify(read_game(write_game(record_of(game)), map=game.map)) is None
notes = [0] * rows.LAB_ROOM
asked = request(players=2, seed=3, log_n=len(codes))
lab_notes.note_game([Position()], make_board(game.map), Work(), asked, codes, notes)
sheets = game.scores()
assert all(sheet.total == sheet.tracks + sheet.ticket_points + sheet.longest_path_bonus + sheet.globetrotter_bonus
           + sheet.lamp_points for sheet in sheets)
assert numbers.NAMES["P_LAMP"] == numbers.TUNING - 1 and hasattr(Plan(), "lamps_seen")
print(json.dumps({"lamps": [sheet.lamp_points for sheet in sheets],
                  "noted": [notes[rows.seat_row(seat) + S_LAMPS] for seat in range(2)]}))
"""


def listed(heading: str) -> set[str]:
    """The files the page names under a heading, from the folder of the package."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    return {name.removeprefix("branchline/") for name in re.findall(r"`(branchline/[\w/.]+)`", text)}


def files(folder: Path) -> dict[str, bytes]:
    there = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in there}


def test_a_new_mechanic_changes_the_files_the_page_says_and_is_played(tmp_path: Path) -> None:
    package = tmp_path / "branchline"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
    before = files(package)
    with (package / "rules.md").open("a", encoding="utf-8") as rules:
        rules.write(CLAUSE)
    for name, text in FILES.items():
        path = package / "mechanics" / "lamps" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text if name == "__init__.py" else f"from __future__ import annotations\n{text}")
    listing = package / "mechanics" / "__init__.py"
    last = f'"{MECHANICS[-1]}")'
    listing.write_text(listing.read_text(encoding="utf-8").replace(last, f'{last[:-1]}, "lamps")'))
    subprocess.run([sys.executable, package / "mechanics" / "__main__.py"], check=True)

    after = files(package)
    assert set(after) - set(before) == {f"mechanics/lamps/{name}" for name in FILES} and not set(before) - set(after)
    changed = {name for name in before if before[name] != after[name]}
    by_hand, written = listed("By hand"), listed("By the generator")
    assert {path.relative_to(PACKAGE).as_posix() for path in WHOLES} | {"mechanics/numbers.json"} == written
    assert changed - written == by_hand

    small = json.loads(MAP.read_text(encoding="utf-8"))
    small["rules"]["lamps"] = 2
    (tmp_path / "lamps.json").write_text(json.dumps(small), encoding="utf-8")
    command = [sys.executable, "-c", GAME, str(tmp_path), str(tmp_path / "lamps.json")]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert sum(found["lamps"]) > 0 and found["lamps"] == [2 * lamps for lamps in found["noted"]]
