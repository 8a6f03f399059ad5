"""What the laboratory counts of drafts."""

from __future__ import annotations

from branchline.bots.games.columns import tickets

D_PICK = tickets.column()  # the step of the first draft in which it was picked
