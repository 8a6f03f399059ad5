"""The deal of a game: a seed, or decks written by hand, card by card.

A deck written by hand lists the cards in the order in which they come out. It may stop early: the rest follows
from the seed. So a test or a puzzle names only the cards that matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from branchline.base.deal import SEEDS, BadDeal, check_seed
from branchline.codec import names_of
from branchline.faces import Deck
from branchline.files import did_you_mean, quoted
from branchline.kernel.board import make_board
from branchline.maps.model import MapData
from branchline.mechanics.composed import Board
from branchline.mechanics.composed_face import FACES, Deal

__all__ = ["DECKS", "SEEDS", "BadDeal", "Deal", "cards_of", "check_players", "check_seed", "dealt_board"]

DECKS: tuple[Deck, ...] = tuple(deck for face in FACES for deck in face.decks)


def check_players(data: MapData, players: int) -> None:
    """Refuse a number of players the map is not made for (C-01)."""
    if isinstance(players, bool) or not isinstance(players, int) or not data.min_players <= players <= data.max_players:
        raise ValueError(f"{data.name} is for {data.min_players} to {data.max_players} players, not {players!r}")


def dealt_board(data: MapData, deal: Deal) -> Board:
    """The map's tables, with the decks of the deal written into a copy of them."""
    board = make_board(data)
    if deal.is_seed_only:
        return board
    board = board.copy()
    for deck in DECKS:
        again = getattr(deal, deck.reshuffles) if deck.reshuffles else ()
        _write_rigs(board, deck, (getattr(deal, deck.key), *again), cards_of(deck, data))
    return board


def cards_of(deck: Deck, data: MapData) -> dict[str, int]:
    """The names that may stand in a deck of this map, and the kernel's numbers for them."""
    names = names_of(data)
    cards = dict(deck.numbers(data, names))
    if deck.key == "train_deck":
        for face in FACES:
            cards |= face.train_cards(data, names)
    return cards


def _write_rigs(board: Board, deck: Deck, decks: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> None:
    rig: list[int] = getattr(board, deck.rig)
    count: int | list[int] = getattr(board, f"{deck.rig}_n")
    counts = [count] if isinstance(count, int) else count
    if len(decks) > len(counts):
        most = len(counts) - 1
        raise BadDeal(f"{deck.key}: {len(decks) - 1} reshuffles are written by hand, {most} at the most can be")
    for row, cards in enumerate(decks):
        if len(cards) > deck.most:
            raise BadDeal(f"{deck.key}: {len(cards)} cards, {deck.most} at the most")
        counts[row] = len(cards)
        place = f"reshuffle {row} of {deck.key}" if row else deck.key
        for i, name in enumerate(cards):
            rig[row * deck.most + i] = _number(place, i, name, numbers)
    if isinstance(count, int):
        setattr(board, f"{deck.rig}_n", counts[0])


def _number(what: str, i: int, name: str, numbers: Mapping[str, int]) -> int:
    if name in numbers:
        return numbers[name]
    raise BadDeal(f"{what}[{i}]: no such card {quoted(str(name))}{did_you_mean(str(name), numbers)}")
