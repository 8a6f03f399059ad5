"""Plays the golden games and writes them: `python -m tests.golden.regenerate`.

Run it only when the rules have changed on purpose; the difference of the files then shows what the change did.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from branchline import (
    Action,
    BuildStation,
    ClaimTrack,
    DoublePoints,
    DrawDeck,
    DrawDisplay,
    DrawTerrain,
    DrawTickets,
    Game,
    KeepTickets,
    LeaveBags,
    PickTicket,
    PlayLocos,
    TakeFestivals,
    TakeTerrain,
    View,
    load_map,
    shipped_maps,
)
from branchline.maps.model import LOCO, Ticket, Track
from branchline.record import Player, Record, explicit_deal, record_of, replay, write_game
from branchline.record.summary import event_json

FOLDER = Path(__file__).parent
NAMES = ("Ada", "Bogdan", "Carmo", "Dele", "Ema")
FAR = 10**6
MANY_CARDS = 12

Style = Callable[[View, random.Random], Action]


def golden_games() -> list[tuple[str, int, str]]:
    """Every map with every number of players, played in every style."""
    return [
        (name, players, style)
        for name in shipped_maps()
        for players in range(load_map(name).min_players, load_map(name).max_players + 1)
        for style in STYLES
    ]


def file_name(name: str, players: int, style: str) -> str:
    return f"{name}-{players}-{style}.json"


def golden_game(name: str, players: int, style: str) -> Record:
    """Play one; a planned game is written with its decks card by card, a random one with its seed."""
    rng = random.Random(f"{name} {players} {style}")
    game = Game.new(name, players, seed=rng.getrandbits(31))
    while not game.is_over:
        seat = rng.choice(game.to_act)
        game.play(STYLES[style](game.view(seat), rng), seat)
    record = record_of(game, [Player(who, style) for who in NAMES[:players]])
    if style == "planned":
        record = replace(record, deal=explicit_deal(game))
    return replace(record, meta={"events": events_digest(record)})


def events_digest(record: Record) -> str:
    """A short digest of everything that happened, to the last card turned up."""
    digest = hashlib.sha256()
    for step in replay(record):
        for event in step.events:
            digest.update(json.dumps(event_json(event)).encode() + b"\n")
    return digest.hexdigest()[:16]


# --- playing ------------------------------------------------------------------------------------------------


def play_randomly(view: View, rng: random.Random) -> Action:
    return rng.choice(view.legal_actions())


def play_to_plan(view: View, rng: random.Random) -> Action:
    """A simple player that goes after its tickets, so that everything a map has comes up."""
    legal = view.legal_actions()
    if rng.random() < 0.04:
        return rng.choice(legal)
    match legal[0]:
        case KeepTickets():
            return min((a for a in legal if isinstance(a, KeepTickets)), key=lambda a: _cost_of(view, a.tickets))
        case PickTicket():
            return min((a for a in legal if isinstance(a, PickTicket)), key=lambda a: _cost_of(view, [a.ticket]))
        case LeaveBags():
            return legal[1]
        case TakeFestivals():
            return max(legal, key=lambda a: _festivals_at(view, a))
        case _:
            pass
    paying = [a for a in legal if isinstance(a, PlayLocos | DoublePoints)]
    if paying:
        return paying[0]
    return _turn(view, rng, legal) if view.phase == "turn" else _draw(view, rng, legal, _wanted(view))


def _turn(view: View, rng: random.Random, legal: tuple[Action, ...]) -> Action:
    wanted = _wanted(view)
    lengths = {track.id: track.length for track in view.map.tracks}
    claims = [a for a in legal if isinstance(a, ClaimTrack)]
    planned = [a for a in claims if a.track in wanted]
    if planned:
        return max(planned, key=lambda a: (lengths[a.track], a.colour != LOCO))
    stations = [a for a in legal if isinstance(a, BuildStation)]
    blocked = {place for ticket in _open_tickets(view) if _cost(view, ticket) >= FAR for place in ticket.a + ticket.b}
    useful = [a for a in stations if a.place in blocked]
    if useful:
        return rng.choice(useful)
    if not wanted and DrawTickets() in legal and rng.random() < 0.3 and view.me.trains > 10:
        return DrawTickets()
    if claims and (not wanted or view.me.card_count > MANY_CARDS):
        return max(claims, key=lambda a: lengths[a.track])
    return _draw(view, rng, legal, wanted)


def _draw(view: View, rng: random.Random, legal: tuple[Action, ...], wanted: set[str]) -> Action:
    terrain = [a for a in legal if isinstance(a, TakeTerrain | DrawTerrain)]
    if terrain and rng.random() < 0.3:
        return rng.choice(terrain)
    needed = Counter(
        {track.colour: track.length for track in view.map.tracks if track.id in wanted and track.colour != "gray"}
    )
    for action in legal:
        card = view.display[action.place - 1] or "" if isinstance(action, DrawDisplay) else ""
        if card == LOCO or (card in needed and view.me.hand.get(card, 0) < needed[card]):
            return action
    return DrawDeck() if DrawDeck() in legal else rng.choice(legal)


def _wanted(view: View) -> set[str]:
    """The tracks of the cheapest ways to complete the open tickets."""
    wanted: set[str] = set()
    for ticket in _open_tickets(view):
        wanted |= set(_way(view, ticket)[1])
    return wanted - set(view.owners)


def _open_tickets(view: View) -> list[Ticket]:
    held = set(view.me.tickets)
    return [ticket for ticket in view.map.tickets if ticket.id in held and _cost(view, ticket) > 0]


def _cost_of(view: View, tickets: Iterable[str]) -> int:
    wanted = set(tickets)
    return sum(_cost(view, ticket) for ticket in view.map.tickets if ticket.id in wanted)


def _cost(view: View, ticket: Ticket) -> int:
    return _way(view, ticket)[0]


def _way(view: View, ticket: Ticket) -> tuple[int, list[str]]:
    """The fewest spaces still to claim to complete a ticket, and the tracks; own tracks cost nothing."""
    prices, dead_ends = _prices(view), {place.id for place in view.map.places if place.dead_end}
    waiting: list[tuple[int, str, list[str]]] = [(0, place, []) for place in ticket.a]
    done: set[str] = set()
    while waiting:
        cost, here, way = heapq.heappop(waiting)
        if here in ticket.b:
            return cost, way
        if here in done or (here in dead_ends and here not in ticket.a):
            continue
        done.add(here)
        for track in view.map.tracks:
            if here in (track.a, track.b) and track.id in prices:
                there = track.b if here == track.a else track.a
                heapq.heappush(waiting, (cost + prices[track.id], there, [*way, track.id]))
    return FAR, []


def _prices(view: View) -> dict[str, int]:
    """What each track costs that is the reader's or can still be: its spaces, or nothing."""
    prices: dict[str, int] = {}
    owners = view.owners
    taken = {_route(track) for track in view.map.tracks if track.id in owners}
    mine = {_route(track) for track in view.map.tracks if owners.get(track.id) == view.reader}
    closed = taken if view.player_count < view.map.both_tracks_from else mine
    for track in view.map.tracks:
        if owners.get(track.id) == view.reader:
            prices[track.id] = 0
        elif track.id not in owners and _route(track) not in closed:
            prices[track.id] = track.length
    return prices


def _route(track: Track) -> frozenset[str]:
    return frozenset((track.a, track.b))


def _festivals_at(view: View, action: Action) -> int:
    assert isinstance(action, TakeFestivals)
    assert view.map.festivals
    groups = [group.id for group in view.map.festivals.groups if action.place in group.places]
    return sum(view.festivals.get(group, 0) for group in groups)


STYLES: dict[str, Style] = {"random": play_randomly, "planned": play_to_plan}


def main() -> None:
    for name, players, style in golden_games():
        record = golden_game(name, players, style)
        (FOLDER / file_name(name, players, style)).write_text(write_game(record), encoding="utf-8")
        print(file_name(name, players, style), len(record.moves), record.result and record.result.scores)


if __name__ == "__main__":
    main()
