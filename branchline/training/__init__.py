"""A player that teaches itself: what a seat sees as numbers, the network, self-play on a GPU, and the network as a bot.

`python -m branchline.training` trains (docs/training.md). Importing this package asks for neither torch nor a GPU.
"""
