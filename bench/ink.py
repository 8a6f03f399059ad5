"""How the drawings of the documents look, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

INK = {"usa": "#1f5f8b", "europe": "#9c2f2f", "iberia": "#2e7d4f", "africa": "#b07a14"}
MARK = {"usa": "o", "europe": "s", "iberia": "^", "africa": "D"}

plt.rcParams.update({"font.family": "serif", "axes.spines.top": False, "axes.spines.right": False, "font.size": 9})


def keep(figure: Figure, path: Path) -> None:
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
