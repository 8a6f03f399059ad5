"""What the laboratory counts of tunnels."""

from __future__ import annotations

from branchline.bots.games.columns import games, tracks

G_SURCHARGES = games.column()
T_FAILED = tracks.column()  # how often it was given up
