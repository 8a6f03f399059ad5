"""The searching bot, the fifth level: it plays its candidates out in imagined worlds, as long as it is given."""

from branchline.bots.search.thinking import Candidate, SearchBot, Thoughts, think

__all__ = ["Candidate", "SearchBot", "Thoughts", "think"]
