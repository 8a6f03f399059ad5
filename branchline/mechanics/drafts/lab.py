"""Drafts in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from branchline.bots.games.columns import D_DEALT
from branchline.lab.figures import Study
from branchline.lab.pieces import Column
from branchline.lab.places import Part
from branchline.lab.playing import Games
from branchline.lab.words import number
from branchline.maps.model import TicketDraft
from branchline.mechanics.drafts.columns import D_PICK


class Drafts(Part):
    def of_ticket(self, games: Games, ticket: int) -> Mapping[str, float | None]:
        return {"pick": _mean_pick(games, ticket)}

    def luck_columns(self, study: Study) -> Iterator[Column]:
        if any(ticket.more["pick"] is not None for ticket in study.tickets):
            yield Column("picked at step", lambda ticket: number(ticket.more["pick"]))


PART = Drafts()


def _mean_pick(games: Games, ticket: int) -> float | None:
    """The mean step at which a ticket of the first packs is picked; the last of a pack comes by itself."""
    if not isinstance(games.map.first_tickets, TicketDraft):
        return None
    notes = games.ticket[:, ticket].astype(int)
    picks = notes[notes[:, D_DEALT] > 0, D_PICK]
    return float(np.where(picks > 0, picks, games.map.first_tickets.cards).mean()) if len(picks) else None
