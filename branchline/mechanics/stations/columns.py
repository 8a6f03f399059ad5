"""What the laboratory counts of stations."""

from __future__ import annotations

from branchline.bots.games.columns import seats
from branchline.mechanics.stations.state import STATIONS

S_STATION_POINTS = seats.column()
S_BUILDS = seats.column()  # turns in which one was built
S_STATIONS = seats.column(STATIONS)  # 1 + place of each, or 0
S_LENT = seats.column(STATIONS)  # 1 + the track each lends, or 0
