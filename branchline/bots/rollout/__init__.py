"""The bot that plays its candidates out, in imagined worlds and by fast bots to the end of the game."""

from branchline.bots.rollout.thinking import Candidate, RolloutBot, Thoughts, think

__all__ = ["Candidate", "RolloutBot", "Thoughts", "think"]
