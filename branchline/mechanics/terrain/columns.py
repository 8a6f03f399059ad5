"""What the laboratory counts of terrain."""

from __future__ import annotations

from branchline.bots.games.columns import tracks

T_DOUBLED = tracks.column()  # 1 if its points were doubled
