"""The fair deal: a host shows that it did not choose the cards, nor who sits where.

Before anybody sits down the host draws a secret seed and shows its `commitment`. Then every browser adds a seed of its
own. The deal and the order of the seats follow from all of them together; after the game the host shows its seed and
anybody can `check` that it is the one committed to. What this proves and what not: docs/records.md.

    fair = fair_deal(server_seed, "table-7", ["9f…", None])     # None: nobody's browser gave one, a bot sits there
    game = Game.new("usa", 2, seed=fair.seed)
    assert check(fair, game.deal.seed) == ""
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

VERSION: Final = 1
SERVER_SEED_BYTES: Final = 32
LEAST_SEED_DIGITS: Final = 32  # of a seat's seed: 128 bits
MOST_SEED_DIGITS: Final = 128
MAX_TABLE: Final = 60
MAX_SEATS: Final = 10

Giver: TypeAlias = Literal["browser", "server"]

_TAG: Final = b"branchline fair deal 1: "
_WORD: Final = 1 << 32


class SeatSeed(NamedTuple):
    """One seat's part of the deal, and who gave it."""

    seed: str
    by: Giver


@dataclass(frozen=True, slots=True)
class FairDeal:
    """All that is needed to check a deal. It holds the server's seed: keep it secret until the game is over.

    `seat_seeds` stand in the order of sitting down, `order` says on which seat each of them plays; `drawn` is False
    where the table had agreed to play in the order of sitting down.
    """

    commitment: str
    server_seed: str
    table: str
    seat_seeds: tuple[SeatSeed, ...]
    order: tuple[int, ...]
    drawn: bool = True
    version: int = VERSION

    def __post_init__(self) -> None:
        faults = [
            ("commitment", digest_fault(self.commitment)),
            ("server_seed", digest_fault(self.server_seed)),
            ("table", table_fault(self.table)),
            *((f"seat_seeds[{i}]", seed_fault(given.seed)) for i, given in enumerate(self.seat_seeds)),
            ("order", order_fault(self.order, len(self.seat_seeds))),
        ]
        for what, reason in faults:
            if reason:
                raise ValueError(f"{what}: {reason}")

    @property
    def seed(self) -> int:
        """The seed of the game that follows from all this."""
        return deal_seed(bytes.fromhex(self.server_seed), self.table, self._seeds)

    @property
    def _seeds(self) -> tuple[str, ...]:
        return tuple(given.seed for given in self.seat_seeds)


def fair_deal(server_seed: bytes, table: str, seat_seeds: Sequence[str | None], *, drawn: bool = True) -> FairDeal:
    """The deal of a table whose seats are taken; `seat_seeds` in the order of sitting down, None where none was given.

    A seed that nobody gave follows from the server's, which is already committed to: so it cannot be picked to suit.
    """
    given = tuple(
        SeatSeed(seed, "browser") if seed is not None else SeatSeed(server_seat_seed(server_seed, table, i), "server")
        for i, seed in enumerate(seat_seeds)
    )
    seeds = [seed for seed, _ in given]
    order = seat_order(server_seed, table, seeds, len(seeds)) if drawn else list(range(len(seeds)))
    return FairDeal(commitment(server_seed), server_seed.hex(), table, given, tuple(order), drawn)


def check(fair: FairDeal, seed: int) -> str:
    """What is wrong with a deal whose game was played with `seed`, or "" if it is the one committed to."""
    if fair.version != VERSION:
        return f"version {fair.version} is not one this program checks; it checks {VERSION}"
    server_seed, seeds = bytes.fromhex(fair.server_seed), fair._seeds
    if commitment(server_seed) != fair.commitment:
        return "the server's seed is not the one it committed to"
    for i, (given, by) in enumerate(fair.seat_seeds):
        if by == "server" and given != server_seat_seed(server_seed, fair.table, i):
            return f"seed {i + 1} is said to be the server's, and does not follow from the seed it committed to"
    if fair.seed != seed:
        return f"the seeds lead to the deal {fair.seed}, and {seed} was played"
    expected = seat_order(server_seed, fair.table, seeds, len(seeds)) if fair.drawn else list(range(len(seeds)))
    if list(fair.order) != expected:
        how = "the seeds lead to" if fair.drawn else "the order of sitting down is"
        return f"{how} the seats {expected}, and {list(fair.order)} were taken"
    return ""


# --- what follows from the seeds ----------------------------------------------------------------------------


def commitment(server_seed: bytes) -> str:
    """What the host shows of its seed before anybody sits down."""
    _check_server_seed(server_seed)
    return hashlib.sha256(_packed("commitment", server_seed)).hexdigest()


def deal_seed(server_seed: bytes, table: str, seat_seeds: Sequence[str]) -> int:
    """The seed of the game, 63 bits."""
    return int.from_bytes(_mixed(server_seed, "deal", table, seat_seeds)[:8], "big") >> 1


def seat_order(server_seed: bytes, table: str, seat_seeds: Sequence[str], count: int) -> list[int]:
    """On which of `count` seats each plays, in the order of sitting down: a shuffle with every order equally likely."""
    words = _words(server_seed, table, seat_seeds)
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = _below(i + 1, words)
        order[i], order[j] = order[j], order[i]
    return order


def server_seat_seed(server_seed: bytes, table: str, place: int) -> str:
    """The seed of a seat whose browser gave none, `place` counted in the order of sitting down."""
    return _mixed(server_seed, "seat", table, [str(place)]).hex()


def bot_seed(server_seed: bytes, table: str, seat: int, moves: int) -> int:
    """Chance for a bot that needs some: it follows from the server's seed, and tells nobody anything of that."""
    return int.from_bytes(_mixed(server_seed, "bot", table, [str(seat), str(moves)])[:8], "big") >> 1


def _packed(purpose: str, *parts: bytes) -> bytes:
    """The parts with their lengths before them, so that nothing can be shifted from one into the next."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in (_TAG + purpose.encode(), *parts))


def _mixed(server_seed: bytes, purpose: str, table: str, seeds: Sequence[str]) -> bytes:
    _check_server_seed(server_seed)
    message = _packed(purpose, table.encode(), *(seed.encode() for seed in seeds))
    return hmac.digest(server_seed, message, "sha256")


def _words(server_seed: bytes, table: str, seeds: Sequence[str]) -> Iterator[int]:
    """Numbers of 32 bits without end, eight from each block."""
    block = 0
    while True:
        mixed = _mixed(server_seed, f"order {block}", table, seeds)
        yield from (int.from_bytes(mixed[at : at + 4], "big") for at in range(0, len(mixed), 4))
        block += 1


def _below(n: int, words: Iterator[int]) -> int:
    """A number from 0 to n - 1; words from the uneven rest at the top are thrown away."""
    return next(word for word in words if word < _WORD - _WORD % n) % n


# --- what the parts look like -------------------------------------------------------------------------------


def _check_server_seed(server_seed: bytes) -> None:
    if len(server_seed) != SERVER_SEED_BYTES:
        raise ValueError(f"a server's seed has {SERVER_SEED_BYTES} bytes, not {len(server_seed)}")


def seed_fault(text: str) -> str:
    """Why this cannot be a seat's seed, or ""."""
    if not LEAST_SEED_DIGITS <= len(text) <= MOST_SEED_DIGITS:
        return f"{len(text)} characters; a seed has {LEAST_SEED_DIGITS} to {MOST_SEED_DIGITS} hexadecimal digits"
    return "" if re.fullmatch(r"[0-9a-f]+", text) else "must be hexadecimal digits, small letters"


def digest_fault(text: str) -> str:
    """Why this cannot be a commitment or a server's seed in hexadecimal, or ""."""
    return "" if re.fullmatch(r"[0-9a-f]{64}", text) else "must be 64 hexadecimal digits, small letters"


def table_fault(text: str) -> str:
    """Why this cannot name a table, or ""."""
    short = 0 < len(text) <= MAX_TABLE and text.isascii() and text.isprintable()
    return "" if short else f"must be 1 to {MAX_TABLE} printable ASCII characters"


def order_fault(order: Sequence[int], count: int) -> str:
    """Why this cannot be the seats of so many, or ""."""
    if not 0 < count <= MAX_SEATS:
        return f"{count} seeds, 1 to {MAX_SEATS} can be"
    return "" if sorted(order) == list(range(count)) else f"must name each seat from 0 to {count - 1} once"
