"""What a reader may know of a draft: the own pack."""

from __future__ import annotations

from branchline.base import view as base
from branchline.mechanics.drafts.face import PickTicket
from branchline.mechanics.drafts.state import DRAFT_PICK


class View(base.View):
    __slots__ = ()

    @property
    def pack(self) -> tuple[str, ...]:
        """The pack of tickets before the reader in a draft (IBE-04)."""
        if self.reader is None or self._position.phase != DRAFT_PICK:
            return ()
        return tuple(a.ticket for a in self.legal_actions() if isinstance(a, PickTicket))
