"""Simulation: series of games between bots on the compiled kernel, on all cores.

series = Series(load_map("europe"), ("path", "path", "random"), games=1000, seed=1)
outcome = play(series)
print(outcome.seats[0].mean_score)
"""

from branchline.simulation.at_tables import BotFailed
from branchline.simulation.outcome import Outcome, SeatOutcome
from branchline.simulation.series import Series, play
from branchline.simulation.writing import recorded_game, write_records

__all__ = ["BotFailed", "Outcome", "SeatOutcome", "Series", "play", "recorded_game", "write_records"]
