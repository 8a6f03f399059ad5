"""The keys of a deal that every map has. Mechanics add theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

SEEDS = 1 << 63
RESHUFFLES = "reshuffles"  # a key with several decks ends so


class BadDeal(ValueError):
    """A deal that cannot be: says which deck, which card and what would be right."""


def check_seed(seed: int) -> None:
    """Refuse what is not a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEEDS:
        raise BadDeal(f"seed: {seed!r} is not a whole number from 0 to {SEEDS - 1}")


@dataclass(frozen=True)
class Deal:
    seed: int = 0
    train_deck: Sequence[str] = ()
    tickets: Sequence[str] = ()
    long_tickets: Sequence[str] = ()
    reshuffles: Sequence[Sequence[str]] = ()
    ticket_reshuffles: Sequence[Sequence[str]] = ()

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name in self.deck_keys():
            value = getattr(self, name)
            decks = tuple(map(_cards, value)) if name.endswith(RESHUFFLES) else _cards(value)
            object.__setattr__(self, name, decks)

    @classmethod
    def deck_keys(cls) -> list[str]:
        """All but the seed."""
        return [field.name for field in fields(cls) if field.name != "seed"]

    @property
    def is_seed_only(self) -> bool:
        return not any(getattr(self, name) for name in self.deck_keys())

    @property
    def has_reshuffles(self) -> bool:
        return any(getattr(self, name) for name in self.deck_keys() if name.endswith(RESHUFFLES))


def _cards(value: Sequence[str]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)
