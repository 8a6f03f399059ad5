"""The facts of a map as the page needs them: what is printed, with what we reconstructed marked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from branchline.base.wire import is_ours
from branchline.maps.loader import load_map
from branchline.maps.model import MapData, Ticket, TicketDeal, Track
from branchline.mechanics.composed_wire import PARTS
from branchline.server import wire
from branchline.words.labels import Labels, labels_of


def map_of(name: str) -> MapData:
    """A map of this service, shipped or its operator's own."""
    return load_map(name)


@lru_cache(maxsize=64)
def facts_of(data: MapData) -> wire.MapFacts:
    """Everything of a map that does not change during a game."""
    labels = labels_of(data)
    return wire.MapFacts(
        id=data.id,
        name=data.name,
        hash=data.hash,
        min_players=data.min_players,
        max_players=data.max_players,
        trains=data.trains,
        cards_per_colour=data.cards_per_colour,
        locomotives=data.locomotives,
        display=data.display,
        last_round_at=data.last_round_at,
        both_tracks_from=data.both_tracks_from,
        track_points=list(data.track_points),
        ticket_draw=data.ticket_draw.draw,
        ticket_keep=data.ticket_draw.keep_at_least,
        longest_path=data.longest_path,
        globetrotter=data.globetrotter,
        places=[
            wire.PlaceFact(p.id, p.name, p.kind, p.country, p.dead_end, p.lat, p.lon, labels.place(p.id))
            for p in data.places
        ],
        tracks=[_track(track) for track in data.tracks],
        tickets=[_ticket(t, labels) for t in data.tickets],
        mechanics=list(data.mechanics),
        drawn_as=data.drawn_as,
        names={names.language: wire.NamesFact(names.map or None, dict(names.places)) for names in data.names},
        outline=[[list(point) for point in line] for line in data.outline],
        reconstructed=list(data.reconstructed),
        sources=list(data.sources),
        **_first_tickets(data),
        **{key: value for part in PARTS for key, value in part.map(data).items()},
    )


def _track(track: Track) -> wire.TrackFact:
    return wire.TrackFact(
        id=track.id,
        a=track.a,
        b=track.b,
        length=track.length,
        colour=track.colour,
        reconstructed=is_ours(track.provenance),
        **{key: value for part in PARTS for key, value in part.track(track).items()},
    )


def _first_tickets(data: MapData) -> dict[str, Any]:
    """How the first tickets are dealt; else a mechanic says it."""
    first = data.first_tickets
    if not isinstance(first, TicketDeal):
        return {}
    dealt = {"normal": first.normal, "long": first.long, "keep_at_least": first.keep_at_least}
    return {"first_tickets": dealt}


def _ticket(ticket: Ticket, labels: Labels) -> wire.TicketFact:
    return wire.TicketFact(
        id=ticket.id,
        a=list(ticket.a),
        b=list(ticket.b),
        from_=labels.end(ticket.a),
        to=labels.end(ticket.b),
        points=ticket.points,
        long=ticket.long,
        reconstructed=is_ours(ticket.provenance),
    )
