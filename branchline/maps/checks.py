"""The map as a whole: C-42, and what the kernel relies on. Every name in it resolves and every number is in range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from branchline.graph.search import Net
from branchline.maps.core import MAX_DECK, MAX_OFFER, MAX_OWN_TRACKS, MAX_TRAIN_CARDS, Ticket, TicketDeal
from branchline.maps.model import PARTS, MapData, Place, Track
from branchline.maps.parts import Found, too_few_tickets


def _check_players(data: MapData) -> Found:
    if data.min_players > data.max_players:
        yield "players.min", f"{data.min_players} is more than players.max, {data.max_players}"


def _check_train_cards(data: MapData) -> Found:
    total = data.train_cards
    if total > MAX_TRAIN_CARDS:
        yield "cards", f"{total} train cards: at most {MAX_TRAIN_CARDS} are allowed (MAX_TRAIN_CARDS)"
    due = data.first_hand * data.max_players + data.display
    if due > total:
        yield "cards.first_hand", f"first hands and display take {due} cards, there are {total}"
    if data.last_round_at >= data.trains:
        yield "rules.last_round_at", f"{data.last_round_at} is not below the {data.trains} trains"


def _check_deck(data: MapData) -> Found:
    """Whatever lies among the train cards has to find room in the deck."""
    mixed = {name: PARTS[name].cards_mixed_in(data) for name in data.mechanics}
    mixed = {name: (count, called) for name, (count, called) in mixed.items() if count}
    deck = data.train_cards + sum(count for count, _ in mixed.values())
    if deck > MAX_DECK:
        *called, last = ("train cards", *(called for _, called in mixed.values()))
        told = f"{', '.join(called)} and {last} make {deck}"
        yield f"rules.{next(iter(mixed))}", f"{told}: at most {MAX_DECK} are allowed (MAX_DECK)"


def _check_places(data: MapData) -> Found:
    reached = {end for track in data.tracks for end in (track.a, track.b)}
    for i, place in enumerate(data.places):
        if place.id not in reached:
            yield f"places[{i}]", f'no track ends at "{place.id}"'
        if place.kind == "country" and not place.country:
            yield f"places[{i}].country", "missing: a place of kind country says of which country it is"
        if place.kind != "country" and place.country:
            yield f"places[{i}].country", "only a place of kind country has it"
        if place.kind != "country" and place.dead_end:
            yield f"places[{i}].dead_end", "only a place of kind country can be a dead end (AFR-18)"


def _check_countries(data: MapData) -> Found:
    """A ticket end must mean one thing: a country's id is no place's id, but for a country of one place."""
    ids = {place.id for place in data.places}
    for i, place in enumerate(data.places):
        if place.country in ids and ticket_end(place.country or "", data.places) != (place.country,):
            yield f"places[{i}].country", f'"{place.country}" is also the id of a place'


def ticket_end(name: str, places: tuple[Place, ...]) -> tuple[str, ...]:
    """The places that complete a ticket to `name`: a place, or those of a country."""
    of_country = tuple(place.id for place in places if place.country == name)
    return of_country or (name,)


def _check_tracks(data: MapData) -> Found:
    most_of_a_colour = data.cards_per_colour + data.locomotives
    for i, track in enumerate(data.tracks):
        path = f"tracks[{i}]"
        if not data.track_points[track.length]:
            yield f"{path}.length", f"rules.track_points has no points for length {track.length}"
        if track.length > data.trains:
            yield f"{path}.length", f"{track.length} spaces, and a player has {data.trains} trains"
        if track.length > most_of_a_colour:
            yield f"{path}.length", f"{track.length} spaces: no colour has so many cards with the locomotives"


def _check_parallel_tracks(data: MapData) -> Found:
    first: dict[frozenset[str], Track] = {}
    for i, track in enumerate(data.tracks):
        other = first.setdefault(frozenset((track.a, track.b)), track)
        if other.length != track.length:
            told = f'{track.length} spaces, and the parallel track "{other.id}" has {other.length}'
            yield f"tracks[{i}].length", f"{told} (C-42)"


def _check_own_tracks(data: MapData) -> Found:
    """Nobody may come to own so many tracks that finding the longest path takes for ever."""
    lengths = {frozenset((track.a, track.b)): track.length for track in data.tracks}
    left, most = data.trains, 0
    for length in sorted(lengths.values()):
        left -= length
        most += left >= 0
    if most > MAX_OWN_TRACKS:
        limit = f"at most {MAX_OWN_TRACKS} are allowed (MAX_OWN_TRACKS)"
        yield "trains", f"{data.trains} trains lay up to {most} tracks of this map: {limit}"


def _check_ticket_ends(data: MapData) -> Found:
    way_stations = {place.id for place in data.places if place.kind == "way_station"}
    net = _net(data)
    for i, ticket in enumerate(data.tickets):
        for end, names in (("a", ticket.a), ("b", ticket.b)):
            if way_stations.intersection(names):
                yield f"tickets[{i}].{end}", f'"{names[0]}" is a way station: no ticket names one (AFR-22)'
        if set(ticket.a) & set(ticket.b):
            yield f"tickets[{i}].b", f'both ends are reached at "{(set(ticket.a) & set(ticket.b)).pop()}"'
        else:
            yield from _check_joined(f"tickets[{i}]", ticket, data, net)


def _check_joined(path: str, ticket: Ticket, data: MapData, net: Net) -> Found:
    least = _fewest_spaces(ticket, data, net)
    if least is None:
        yield path, f'no chain of tracks joins "{ticket.a[0]}" and "{ticket.b[0]}"'
    elif least > data.trains and not any(PARTS[name].lends_tracks for name in data.mechanics):
        yield path, f"its shortest chain has {least} spaces, and a player has {data.trains} trains"


def _net(data: MapData) -> Net:
    """The places and tracks, by their numbers; a track costs its spaces."""
    place = {p.id: i for i, p in enumerate(data.places)}
    net = Net(len(place), frozenset(i for i, p in enumerate(data.places) if p.dead_end))
    for t, track in enumerate(data.tracks):
        net.add(place[track.a], place[track.b], t, track.length)
    return net


def _fewest_spaces(ticket: Ticket, data: MapData, net: Net) -> int | None:
    """Spaces of the shortest chain between the ends; None if there is none."""
    a, b = ([i for i, p in enumerate(data.places) if p.id in end] for end in (ticket.a, ticket.b))
    steps = net.cheapest(a, b)
    return None if steps is None else sum(step.price for step in steps)


def _check_first_tickets(data: MapData) -> Found:
    if isinstance(data.first_tickets, TicketDeal):
        yield from _check_deal(data.first_tickets, data, sum(ticket.long for ticket in data.tickets))


def _check_deal(deal: TicketDeal, data: MapData, long: int) -> Found:
    path = "rules.first_tickets.deal"
    if deal.normal + deal.long > MAX_OFFER:
        yield path, f"{deal.normal + deal.long} tickets a player: at most {MAX_OFFER} are allowed (MAX_OFFER)"
    if deal.keep_at_least > deal.normal + deal.long:
        yield f"{path}.keep_at_least", f"{deal.keep_at_least} of {deal.normal + deal.long} tickets dealt"
    yield from too_few_tickets(f"{path}.normal", "normal", deal.normal, len(data.tickets) - long, data)
    yield from too_few_tickets(f"{path}.long", "long", deal.long, long, data)
    if long and not deal.long:
        yield f"{path}.long", f"{long} long tickets, and none is dealt"
    if deal.long and deal.unkept != "removed":
        yield f"{path}.unkept", 'must be "removed" where long tickets are dealt (EUR-02)'


def _check_ticket_draw(data: MapData) -> Found:
    rule = data.ticket_draw
    if rule.keep_at_least > rule.draw:
        yield "rules.ticket_draw.keep_at_least", f"{rule.keep_at_least} of {rule.draw} tickets drawn"


def _check_joined_rules(data: MapData) -> Found:
    for may_fail in (name for name in data.mechanics if PARTS[name].claims_may_fail):
        for other in (name for name in data.mechanics if PARTS[name].needs_sure_claims):
            told = f"{may_fail} cannot be joined with {other}: there is no ruling for it (C-42)"
            yield f"rules.{may_fail}", told
    for name, part in PARTS.items():
        for tie in set(part.ties).intersection(data.ties) if name not in data.mechanics else ():
            yield "rules.ties", f'tie break "{tie}", and the map has no rule {name}'


def _check_mechanics(data: MapData) -> Found:
    for part in PARTS.values():
        yield from part.faults(data)


WHOLE_MAP_CHECKS: Final[tuple[Callable[[MapData], Found], ...]] = (
    _check_players,
    _check_train_cards,
    _check_deck,
    _check_places,
    _check_countries,
    _check_tracks,
    _check_parallel_tracks,
    _check_own_tracks,
    _check_ticket_ends,
    _check_first_tickets,
    _check_ticket_draw,
    _check_joined_rules,
    _check_mechanics,
)
