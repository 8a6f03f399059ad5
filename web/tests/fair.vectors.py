"""Write fair.vectors.json, by which the page's fair deal is tested against the library's.

Run from the root of the repository: python web/tests/fair.vectors.py
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from branchline.fair import FairDeal, fair_deal


def _bytes(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _vector(number: int) -> dict[str, Any]:
    chairs = 1 + number % 5
    given = [_bytes(f"chair {number} {i}").hex()[: 32 + 8 * i] if (number + i) % 3 else None for i in range(chairs)]
    return _written(fair_deal(_bytes(f"server {number}"), f"table-{number}", given, drawn=number % 7 != 6))


def _written(fair: FairDeal) -> dict[str, Any]:
    return {
        "commitment": fair.commitment,
        "server_seed": fair.server_seed,
        "table": fair.table,
        "seeds": [seed for seed, _ in fair.seat_seeds],
        "by": [by for _, by in fair.seat_seeds],
        "order": fair.order,
        "drawn": fair.drawn,
        "seed": str(fair.seed),
    }


if __name__ == "__main__":
    vectors = [_vector(number) for number in range(30)]
    Path(__file__).with_name("fair.vectors.json").write_text(json.dumps(vectors, indent=1) + "\n")
