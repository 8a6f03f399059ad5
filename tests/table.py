"""A table for rule tests: a game in the middle, with just the cards a test speaks of.

`table("usa", display="red blue blue green white", deck="loco", hands=["red red", ""])` is a game in which seat 0 is to
move. Cards that are not named lie under the named cards of the deck, in a fixed order, so that none is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import pytest

from branchline import Game, IllegalAction, load_map, write_action
from branchline.codec import names_of
from branchline.kernel.board import make_board
from branchline.kernel.claim import lay_trains
from branchline.maps.model import CARDS, MapData
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position

Cards = str | Sequence[str]
Rest = Literal["deck", "discards", "last hand"]


def words(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards)


def table(
    map: str | MapData = "usa",
    players: int = 2,
    *,
    display: Cards = "red blue green white black",
    deck: Cards = "",
    hands: Sequence[Cards] = (),
    discards: Cards = "",
    rest: Rest = "deck",
    trains: Sequence[int] = (),
    tracks: Mapping[int, Iterable[str]] | None = None,
    doubled: Iterable[str] = (),
    tickets: Sequence[Cards] = (),
    ticket_deck: Cards | None = None,
    stations: Mapping[int, Sequence[str]] | None = None,
    terrain: Sequence[Cards] = (),
    terrain_display: Cards | None = None,
    terrain_deck: Cards | None = None,
    terrain_discards: Cards = "",
    festivals: Mapping[str, int] | None = None,
    piles: Sequence[Mapping[str, int]] = (),
    drafts_done: int | None = None,
    bags: Mapping[str, str] | None = None,
    carried: Sequence[Mapping[str, str]] = (),
    delivered: Sequence[Cards] = (),
    seat: int = 0,
) -> Game:
    """A game in which `seat` is to move.

    hands, tickets, terrain, piles, trains: one entry a seat. `display` may name "-" for an empty place. `deck` names
    the top cards in the order in which they come out ("festival:sevilla" and "second-draft" too). `rest` says where the
    train cards go that are named nowhere: under the deck, to the discards, or into the last seat's hand. `tracks` are
    claimed already, with the trains taken off and the points scored, unless `trains` says otherwise. `tickets` are
    held; `ticket_deck` is the deck from the top (default: all tickets not held). `terrain_deck` is the whole terrain
    deck from the top (default: the cards not named). `drafts_done`: 1 or 2 (Iberia, default 1). `bags`: the mail bags
    that lie, from city to label (default: none); `carried`: the same for each seat, from the city where each was taken,
    seen by its carrier alone; `delivered`: labels.
    """
    data = load_map(map) if isinstance(map, str) else map
    s = _blank(data, players, seat)
    _put_tracks(s, data, tracks or {}, set(doubled))
    for p, n in enumerate(trains):
        s.trains[p] = n
    _put_cards(s, data, words(display), words(deck), [words(h) for h in hands], words(discards), rest)
    _put_tickets(s, data, [words(t) for t in tickets], ticket_deck)
    _put_stations(s, data, stations or {})
    if data.terrain:
        _put_terrain(s, data, [words(t) for t in terrain], terrain_display, terrain_deck, words(terrain_discards))
    _put_festivals(s, data, festivals or {}, piles)
    if make_board(data).draft_cards:
        s.draft = 1 if drafts_done is None else drafts_done
    _put_mail(s, data, bags or {}, carried, [words(labels) for labels in delivered])
    return Game.at(data, s)


def _blank(data: MapData, players: int, seat: int) -> Position:
    s = Position()
    s.players, s.seat, s.phase, s.awaited, s.claim_track = players, seat, k.TURN, 1 << seat, -1
    s.seed = 20
    for p in range(players):
        s.trains[p] = data.trains
    return s


def _put_tracks(s: Position, data: MapData, tracks: Mapping[int, Iterable[str]], doubled: set[str]) -> None:
    names, board = names_of(data), make_board(data)
    for p, owned in tracks.items():
        for track in owned:
            t = names.track[track]
            lay_trains(s, board, p, t, int(track in doubled))
            if track in doubled:
                s.doubled[t // k.BITS] |= 1 << (t % k.BITS)


def _put_cards(
    s: Position,
    data: MapData,
    display: list[str],
    deck: list[str],
    hands: list[list[str]],
    discards: list[str],
    rest: Rest,
) -> None:
    names = names_of(data)
    left = Counter(dict.fromkeys(CARDS[:-1], data.cards_per_colour) | {"loco": data.locomotives})
    for cards in (display, deck, discards, *hands):
        left.subtract(c for c in cards if c in left)
    assert min(left.values()) >= 0, f"more cards named than there are: {left}"
    spare = [c for c in CARDS for _ in range(left[c])]
    spare = spare[::7] + [c for i, c in enumerate(spare) if i % 7]  # not sorted by colour
    s.display[:] = [k.NO_CARD] * k.DISPLAY
    for i, card in enumerate(display):
        s.display[i] = k.NO_CARD if card == "-" else names.card[card]
    for p, hand in enumerate(hands):
        for card in hand:
            s.hand[p * k.HAND + names.card[card]] += 1
    for card in discards:
        s.discard[names.card[card]] += 1
    out = [_card_number(c, data) for c in deck]
    if rest == "deck":
        out += [names.card[c] for c in spare]
    for card in spare if rest != "deck" else ():
        if rest == "discards":
            s.discard[names.card[card]] += 1
        else:
            s.hand[(s.players - 1) * k.HAND + names.card[card]] += 1
    s.deck_n = len(out)
    s.deck[: len(out)] = out[::-1]


def _card_number(card: str, data: MapData) -> int:
    names = names_of(data)
    if card == "second-draft":
        return k.DRAFT_CARD
    if card.startswith("festival:"):
        return k.FESTIVAL + names.group[card.removeprefix("festival:")]
    return names.card[card]


def _put_tickets(s: Position, data: MapData, tickets: list[list[str]], deck: Cards | None) -> None:
    names = names_of(data)
    for p, held in enumerate(tickets):
        for ticket in held:
            s.ticket_at[names.ticket[ticket]] = k.HELD + p
            s.ticket_count[p] += 1
    held_all = {t for held in tickets for t in held}
    board = make_board(data)
    if deck is None:
        deck = [t.id for t in data.tickets if t.id not in held_all and not (t.long and board.deal_long)]
    for i, ticket in enumerate(words(deck)):
        s.ticket_deck[i] = names.ticket[ticket]
    s.ticket_n = len(words(deck))


def _put_stations(s: Position, data: MapData, stations: Mapping[int, Sequence[str]]) -> None:
    names = names_of(data)
    for p, places in stations.items():
        for i, place in enumerate(places):
            s.stations[p * k.STATIONS + i] = names.place[place] + 1
            s.station_places |= 1 << names.place[place]


def _put_terrain(
    s: Position, data: MapData, before: list[list[str]], display: Cards | None, deck: Cards | None, discards: list[str]
) -> None:
    assert data.terrain
    names = names_of(data)
    shown = words(display) if display is not None else [t.id for t in data.terrain.types[:2]]
    left = Counter({t.id: t.cards for t in data.terrain.types})
    for cards in (shown, discards, *before):
        left.subtract(c for c in cards if c in left)
    for p, cards in enumerate(before):
        for card in cards:
            s.terrain[p * k.TERRAINS + names.terrain[card]] += 1
    s.terrain_up[:] = [k.NO_CARD] * k.TERRAIN_UP
    for i, card in enumerate(shown):
        s.terrain_up[i] = k.NO_CARD if card == "-" else names.terrain[card]
    for card in discards:
        s.terrain_discard[names.terrain[card]] += 1
    out = words(deck) if deck is not None else [c for c in left for _ in range(left[c])]
    s.terrain_n = len(out)
    s.terrain_deck[: len(out)] = [names.terrain[c] for c in out[::-1]]


def _put_festivals(
    s: Position, data: MapData, festivals: Mapping[str, int], piles: Sequence[Mapping[str, int]]
) -> None:
    names = names_of(data)
    for group, n in festivals.items():
        s.pool[names.group[group]] = n
    for p, pile in enumerate(piles):
        for group, n in pile.items():
            s.pile[p * k.GROUPS + names.group[group]] = n
            s.pile_n[p] += n


def _put_mail(
    s: Position,
    data: MapData,
    bags: Mapping[str, str],
    carried: Sequence[Mapping[str, str]],
    delivered: Sequence[Sequence[str]],
) -> None:
    number = names_of(data).place
    for place, label in bags.items():
        s.bag[number[place]] = 1 + number[label]
    for p, taken in enumerate(carried):
        for i, (origin, label) in enumerate(taken.items()):
            slot = p * k.CARRIED + i
            s.carried[slot], s.carried_from[slot], s.carried_seen[slot] = 1 + number[label], 1 + number[origin], 1 << p
    for p, labels in enumerate(delivered):
        s.delivered[p] = sum(1 << number[label] for label in labels)


def hand(game: Game, seat: int) -> Counter[str]:
    """The train cards a seat holds."""
    s = game.position
    return Counter({c: n for c, n in zip(CARDS, s.hand[seat * k.HAND :], strict=False) if n})


def discarded(game: Game) -> Counter[str]:
    return Counter({c: n for c, n in zip(CARDS, game.position.discard, strict=True) if n})


def train_cards(game: Game) -> Counter[str]:
    """Every train card of the game, wherever it is."""
    s = game.position
    cards: Counter[str] = Counter()
    for seat in range(s.players):
        cards += hand(game, seat)
    shown = [c for c in s.display if c != k.NO_CARD] + s.deck[: s.deck_n] + s.turned[: s.turned_n]
    return cards + discarded(game) + Counter(CARDS[c] for c in shown if c < k.CARDS)


def count(cards: str) -> Counter[str]:
    return Counter(cards.split())


def lines(game: Game, begin: str = "", seat: int | None = None) -> list[str]:
    """What a seat may choose, as lines that begin like this."""
    return [line for line in map(write_action, game.legal_actions(seat)) if line.startswith(begin)]


def refused(game: Game, line: str, clause: str, seat: int | None = None) -> None:
    """The line is refused, the clause is named, and nothing has happened."""
    before = game.copy()
    with pytest.raises(IllegalAction) as refusal:
        game.play(line, seat)
    assert refusal.value.clause == clause
    assert game == before
