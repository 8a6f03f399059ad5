"""The searching bot, the fifth level: the network proposes, and judges what comes of it in imagined worlds."""

from branchline.bots.search.thinking import Candidate, SearchBot, Thoughts, think

__all__ = ["Candidate", "SearchBot", "Thoughts", "think"]
