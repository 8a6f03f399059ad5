"""Draws the pictures of the documents: a game in the terminal as an SVG, and the page in real games as WebP.

python tools/pictures.py            the pictures of the documents
python tools/pictures.py FOLDER     and every screen of the page, light and dark, wide and narrow, into FOLDER
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402

from branchline import Game  # noqa: E402
from branchline.bots import make_bot  # noqa: E402
from branchline.terminal.labels import ScreenLabels  # noqa: E402
from branchline.terminal.menu import make_menu  # noqa: E402
from branchline.terminal.rich_screen import RichScreen  # noqa: E402
from branchline.terminal.table import Chair, Table  # noqa: E402

MOVES = 90


def main(args: list[str]) -> int:
    """All pictures, or say which failed."""
    draw_terminal()
    return draw_page(args[0] if args else "")


def draw_page(folder: str) -> int:
    """The page as a browser shows it; needs what `make setup` made, and Chromium."""
    environment = os.environ | ({"ALL": str(Path(folder).resolve())} if folder else {})
    command = ["npx", "playwright", "test", "--config", "tools/pictures.config.ts"]
    return subprocess.run(command, cwd=ROOT / "web", env=environment, check=False).returncode


def draw_terminal() -> None:
    """Let bots play into the middle of a game, then show it to seat 0."""
    game = Game.new("usa", players=3, seed=12)
    bots = [make_bot("conductor", seed) for seed in range(3)]
    console = Console(record=True, width=104, height=60, file=io.StringIO(), highlight=False, markup=False, emoji=False)
    table = Table(game, [Chair("You"), Chair("Ioana"), Chair("Duarte")], RichScreen(console))
    while len(game.history) < MOVES or game.to_act != (0,) or game.phase != "turn":
        seat = game.to_act[0]
        table.log += game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
    view = game.view(0)
    menu = make_menu(view, view.legal_actions(), ScreenLabels(game.map, plain=False))
    table.screen.situation(table._report(0), menu, ())
    out = ROOT / "docs" / "img" / "terminal.svg"
    out.parent.mkdir(exist_ok=True)
    out.write_text(console.export_svg(title="branchline play"), encoding="utf-8")
    print(out.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
