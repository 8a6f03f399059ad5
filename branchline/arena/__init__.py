"""The arena: which bot is stronger, and how sure one may be of it.

contest = match_of(load_map("usa"), ("path", "random"), seed=1)
results = play(contest, deals=200)
print(Summary(results).bots[0].win_rate.interval)
"""

from branchline.arena.contest import Contest, Entrant, match_of, pool_of
from branchline.arena.results import BadResults, Header, Ledger, Results, merge, read_results, write_results
from branchline.arena.running import run
from branchline.arena.statistics import Sprt
from branchline.arena.summary import Summary

__all__ = [
    "BadResults",
    "Contest",
    "Entrant",
    "Header",
    "Ledger",
    "Results",
    "Sprt",
    "Summary",
    "match_of",
    "merge",
    "play",
    "pool_of",
    "read_results",
    "run",
    "write_results",
]


def play(contest: Contest, deals: int, *, processes: int | None = None) -> Results:
    """Play a contest from its first deal on, and give what came of it; `run` with a `Ledger` keeps it in a file too."""
    ledger = Ledger(Header.of(contest))
    run(contest, ledger, deals, processes=processes)
    return ledger.results()
