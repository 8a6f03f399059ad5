"""The decks of a game as they came out: any game can be written with a deal that can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from branchline.base.record import DealtDeck, from_top, notes
from branchline.codec import names_of
from branchline.deal import DECKS, Deal, cards_of
from branchline.game import Game
from branchline.kernel import state as k
from branchline.maps.model import CARDS, LOCO, MAX_TICKETS, MapData, TicketDeal
from branchline.mechanics.composed import Position
from branchline.mechanics.composed_record import PARTS

# The decks of the mechanics, by key, and the notes of theirs that take a card from the train deck.
MORE: dict[str, DealtDeck] = {key: deck for part in PARTS for key, deck in part.decks.items()}
FROM_DECK = {kind: card for part in PARTS for kind, card in part.from_deck.items()}


def explicit_deal(game: Game) -> Deal:
    """The deal of a game with every deck and reshuffle written out card by card, as they have come out so far.

    The seed stays in it, for what is still to come and for reshuffles beyond those a deal can name.
    """
    if not game.first_events:
        raise ValueError("a game that did not begin with the deal has none")
    again = Game.new(game.map, game.players, deal=game.deal)
    s = again.position
    if s.shuffles or s.ticket_shuffles:  # a tiny map that had to shuffle before anybody moved: the seed says it
        return game.deal
    decks = _Decks(game.map, s)
    for seat, action in game.history:
        before = again.position
        again.play(action, seat)
        decks.note_move(before, again.position)
    return decks.written(game.deal)


class _Decks:
    """What has come out of the decks of one game: each list begins with the first deck; the reshuffles follow."""

    def __init__(self, data: MapData, s: Position) -> None:
        """`s` has just been set up, and the kernel's notes are still those of the set-up."""
        self.data = data
        dealt = [*_hands(data, s), *_came_up()]
        self.train = [dealt + from_top(s.deck, s.deck_n)]
        self.tickets = [s.ticket_deck[: sum(not ticket.long for ticket in data.tickets)]]
        self.more = {key: [deck.first(data, s)] for key, deck in MORE.items()}
        first = data.first_tickets
        each = first.long if isinstance(first, TicketDeal) else 0
        self.long = [s.offer[seat * k.OFFER + i] for seat in range(s.players) for i in range(each)]

    def note_move(self, before: Position, s: Position) -> None:
        """Add the decks the last move shuffled."""
        if s.shuffles > before.shuffles:
            self.train += _shuffled(s)
        for key, deck in MORE.items():
            self.more[key] += deck.shuffled(before, s)
        if s.ticket_shuffles > before.ticket_shuffles:
            ring = [s.ticket_deck[(s.ticket_top + i) % MAX_TICKETS] for i in range(s.ticket_n)]
            self.tickets.append(ring if s.ticket_shuffles == 1 else ring[before.ticket_n :])

    def written(self, deal: Deal) -> Deal:
        names = names_of(self.data)
        tickets = [tuple(names.tickets[t] for t in deck) for deck in self.tickets]
        return replace(
            deal,
            train_deck=self._first_deck(),
            reshuffles=tuple(tuple(CARDS[c] for c in deck) for deck in self.train[1 : k.RIGS]),
            tickets=tickets[0],
            ticket_reshuffles=tuple(tickets[1:]),
            long_tickets=tuple(names.tickets[t] for t in self.long),
            **dict(self._written_more()),
        )

    def _written_more(self) -> Iterator[tuple[str, Any]]:
        for deck in (deck for deck in DECKS if deck.key in MORE):
            cards = MORE[deck.key].card(names_of(self.data))
            first, *again = [tuple(cards[card] for card in one) for one in self.more[deck.key]]
            yield deck.key, first
            if deck.reshuffles:
                yield deck.reshuffles, tuple(again[: k.RIGS - 1])

    def _first_deck(self) -> tuple[str, ...]:
        names = {number: name for name, number in cards_of(DECKS[0], self.data).items()}
        return tuple(names[card] for card in self.train[0])


def _hands(data: MapData, s: Position) -> Iterator[int]:
    """The cards of the first hands, seat by seat; in the order of the deal as far as the deck still shows it.

    Within a hand the order means nothing to the game, but it stays in the deck's used-up part.
    """
    total = data.cards_per_colour * CARDS.index(LOCO) + data.locomotives
    for seat in range(s.players):
        slots = [total - 1 - seat * data.first_hand - i for i in range(data.first_hand)]
        shown = [s.deck[slot] for slot in slots if slot >= s.deck_n]
        hand = s.hand[seat * k.HAND : seat * k.HAND + k.CARDS]
        yield from shown
        for card, n in enumerate(hand):
            yield from [card] * (n - shown.count(card))


# --- the kernel's notes of the last move --------------------------------------------------------------------


def _came_up() -> Iterator[int]:
    """The train cards that came from the deck, in order."""
    for note in notes():
        card = _card_from_deck(note)
        if card is not None:
            yield card


def _card_from_deck(note: list[int]) -> int | None:
    kind, _, b, c, _ = note
    if kind == k.E_FILLED:
        return b
    if kind == k.E_DREW and b < 0:
        return c
    return FROM_DECK[kind](note) if kind in FROM_DECK else None


def _shuffled(s: Position) -> list[list[int]]:
    """The decks made of the discards during the last move; what is left of the last one lies in the deck."""
    decks: list[list[int]] = []
    for note in notes():
        card = _card_from_deck(note)
        if note[0] == k.E_RESHUFFLED:
            decks.append([])
        elif card is not None and decks:  # before the first reshuffle the cards came from the deck that was there
            decks[-1].append(card)
    decks[-1] += from_top(s.deck, s.deck_n)
    return decks
