"""Many random games in a row, and a digest of where they ended: for `bench`, for its signature and for the GPU."""

from __future__ import annotations

from branchline.kernel.chance import GOLDEN, mix, stream_key
from branchline.kernel.primitives import kernel, times
from branchline.kernel.rollout import play_random
from branchline.kernel.setup import set_up
from branchline.kernel.state import POLICY_STREAM, Board, Position, Work


@kernel
def fold(digest: int, word: int) -> int:
    """Take one more word into a digest."""
    return mix(times(digest + 1, GOLDEN) ^ (word & 0x7FFFFFFFFFFFFFFF))


@kernel
def digest_words(digest: int, words: list[int], n: int) -> int:
    for i in range(n):
        digest = fold(digest, words[i])
    return digest


@kernel
def random_game(s: Position, b: Board, w: Work, players: int, seed: int, defaults: int) -> int:
    """Deal and play one random game in a blank position; the number of decisions."""
    set_up(s, b, w, players, seed)
    return play_random(s, b, w, stream_key(seed, POLICY_STREAM, 0), defaults)
