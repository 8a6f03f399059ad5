"""What the laboratory counts of the mail."""

from __future__ import annotations

from branchline.bots.games.columns import seats

S_MAIL_POINTS = seats.column()
S_DELIVERED = seats.column()  # bags
