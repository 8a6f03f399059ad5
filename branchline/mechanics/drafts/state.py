"""The numbers of drafts, and what a position and a board know of them."""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import state
from branchline.kernel.flat import I8
from branchline.kernel.numbers import card, choice, event, imagined, phase, stream

IN_PLAY = "b.draft_cards > 0"

DRAFT_CARD = card("second draft")
DRAFT_PICK = phase("draft pick")
DRAFT_KEEP = phase("draft keep")
PICK = choice("pick", state.OFFER)  # + index in the pack
E_DRAFT_CARD, E_DRAFT, E_PICKED, E_PACKS = event("draft card"), event("draft"), event("picked"), event("packs")
DEPTH_STREAM = stream("depth")
IMAGINED_PACKS = imagined("packs")


class Position(state.Position, part=True):
    draft: Annotated[int, I8]  # how many drafts have been begun
    draft_due: Annotated[int, I8]
    draft_step: Annotated[int, I8]
    pack_n: Annotated[int, I8]  # cards dealt into each pack
    pack: Annotated[list[int], I8, state.SEATS * state.OFFER]
    taken: Annotated[list[int], I8, state.SEATS * state.OFFER]  # the step at which it was taken from its pack, or 0


class Board(state.Board, part=True):
    draft_cards: Annotated[int, I8]
    draft_keep: Annotated[int, I8]
    depth_num: Annotated[list[int], I8, state.SEATS + 1]  # by number of players
    depth_den: Annotated[list[int], I8, state.SEATS + 1]
    depth_jitter: Annotated[int, I8]
