"""The network as a player: it taught itself, and looks at a position once."""

from branchline.bots.net.player import NetBot

__all__ = ["NetBot"]
