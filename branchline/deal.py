"""The deal of a game: a seed, or decks written by hand, card by card.

A deck written by hand lists the cards in the order in which they come out. It may stop early: the rest follows
from the seed. So a test or a puzzle names only the cards that matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from branchline.codec import Names, names_of
from branchline.files import did_you_mean, quoted
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.state import Board
from branchline.maps.model import MAX_DECK, MAX_TERRAIN_CARDS, MAX_TICKETS, MapData

SEEDS = 1 << 63
SECOND_DRAFT = "second-draft"
FESTIVAL_PREFIX = "festival:"


class BadDeal(ValueError):
    """A deal that cannot be: says which deck, which card and what would be right."""


def check_seed(seed: int) -> None:
    """Refuse what is not a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEEDS:
        raise BadDeal(f"seed: {seed!r} is not a whole number from 0 to {SEEDS - 1}")


def check_players(data: MapData, players: int) -> None:
    """Refuse a number of players the map is not made for (C-01)."""
    if isinstance(players, bool) or not isinstance(players, int) or not data.min_players <= players <= data.max_players:
        raise ValueError(f"{data.name} is for {data.min_players} to {data.max_players} players, not {players!r}")


def _cards(value: Sequence[str]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True, slots=True)
class Deal:
    """How chance falls. Each deck is a string of names or a sequence of names; an empty one follows from the seed.

    `train_deck`: colours, "loco", and after the cards of the first deal "festival:<city>" on a map with festivals and
    "second-draft" on a map with drafts. `reshuffles`: the new decks made of the discards (C-18), in order.
    `ticket_reshuffles`: the ticket deck after the first draft (IBE-05), then the tickets put back after the
    second (IBE-09). `terrain_reshuffles` likewise (AFR-07).
    """

    seed: int = 0
    train_deck: Sequence[str] = ()
    tickets: Sequence[str] = ()
    long_tickets: Sequence[str] = ()
    terrain_deck: Sequence[str] = ()
    reshuffles: Sequence[Sequence[str]] = ()
    ticket_reshuffles: Sequence[Sequence[str]] = ()
    terrain_reshuffles: Sequence[Sequence[str]] = ()

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name in ("train_deck", "tickets", "long_tickets", "terrain_deck"):
            object.__setattr__(self, name, _cards(getattr(self, name)))
        for name in ("reshuffles", "ticket_reshuffles", "terrain_reshuffles"):
            object.__setattr__(self, name, tuple(_cards(deck) for deck in getattr(self, name)))

    @property
    def is_seed_only(self) -> bool:
        return not (
            self.train_deck
            or self.tickets
            or self.long_tickets
            or self.terrain_deck
            or self.reshuffles
            or self.ticket_reshuffles
            or self.terrain_reshuffles
        )


def dealt_board(data: MapData, deal: Deal) -> Board:
    """The map's tables, with the decks of the deal written into a copy of them."""
    board = make_board(data)
    if deal.is_seed_only:
        return board
    board = board.copy()
    names = names_of(data)
    cards = train_deck_cards(data)
    normal, long = _ticket_numbers(data, names)
    terrain: dict[str, int] = dict(names.terrain)
    trains = (deal.train_deck, *deal.reshuffles)
    _write_rigs("train_deck", trains, cards, board.train_rig, board.train_rig_n, MAX_DECK)
    _write_rigs(
        "tickets", (deal.tickets, *deal.ticket_reshuffles), normal, board.ticket_rig, board.ticket_rig_n, MAX_TICKETS
    )
    terrains = (deal.terrain_deck, *deal.terrain_reshuffles)
    _write_rigs("terrain_deck", terrains, terrain, board.terrain_rig, board.terrain_rig_n, MAX_TERRAIN_CARDS)
    count = [0]
    _write_rigs("long_tickets", (deal.long_tickets,), long, board.long_rig, count, MAX_TICKETS)
    board.long_rig_n = count[0]
    return board


def train_deck_cards(data: MapData) -> dict[str, int]:
    """The names that may stand in a train deck of this map, and the kernel's numbers for them."""
    names = names_of(data)
    festivals = {FESTIVAL_PREFIX + group: k.FESTIVAL + g for group, g in names.group.items()}
    return {**names.card, **festivals, **({SECOND_DRAFT: k.DRAFT_CARD} if make_board(data).draft_cards else {})}


def _ticket_numbers(data: MapData, names: Names) -> tuple[dict[str, int], dict[str, int]]:
    long = {t.id: names.ticket[t.id] for t in data.tickets if t.long}
    return {name: n for name, n in names.ticket.items() if name not in long}, long


def _write_rigs(
    what: str,
    decks: Sequence[Sequence[str]],
    numbers: dict[str, int],
    rig: list[int],
    counts: list[int],
    width: int,
) -> None:
    if len(decks) > len(counts):
        raise BadDeal(f"{what}: {len(decks) - 1} reshuffles are written by hand, {len(counts) - 1} at the most can be")
    for row, deck in enumerate(decks):
        if len(deck) > width:
            raise BadDeal(f"{what}: {len(deck)} cards, {width} at the most")
        counts[row] = len(deck)
        place = f"reshuffle {row} of {what}" if row else what
        for i, name in enumerate(deck):
            rig[row * width + i] = _number(place, i, name, numbers)


def _number(what: str, i: int, name: str, numbers: dict[str, int]) -> int:
    if name in numbers:
        return numbers[name]
    raise BadDeal(f"{what}[{i}]: no such card {quoted(str(name))}{did_you_mean(str(name), numbers)}")
