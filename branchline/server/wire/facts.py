"""The facts of a map as the page needs them: what is printed, with what we reconstructed marked."""

from __future__ import annotations

from functools import lru_cache

from branchline.maps.loader import load_map
from branchline.maps.model import MapData, Ticket, TicketDeal
from branchline.server import wire
from branchline.terminal.labels import Labels


@lru_cache(maxsize=16)
def map_of(name: str) -> MapData:
    """A shipped map, loaded once."""
    return load_map(name)


@lru_cache(maxsize=16)
def labels_of(data: MapData) -> Labels:
    return Labels(data, plain=False)


@lru_cache(maxsize=16)
def facts_of(data: MapData) -> wire.MapFacts:
    """Everything of a map that does not change during a game."""
    labels, terrain, festivals = labels_of(data), data.terrain, data.festivals
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
        first_tickets=_first_tickets(data),
        ticket_draw=data.ticket_draw.draw,
        ticket_keep=data.ticket_draw.keep_at_least,
        longest_path=data.longest_path,
        globetrotter=data.globetrotter,
        tunnel_cards=data.tunnel_cards,
        stations_each=data.stations.each if data.stations else 0,
        station_points=data.stations.unused_points if data.stations else 0,
        festival_points=list(festivals.score_table) if festivals else [],
        cards_to_double=list(terrain.cards_to_double) if terrain else [],
        terrain_face_up=terrain.face_up if terrain else 0,
        festivals=[wire.FestivalFact(g.id, list(g.places), g.cards, _ours(g.provenance)) for g in festivals.groups]
        if festivals
        else [],
        terrain=[wire.TerrainFact(t.id, t.name, list(t.colours), t.cards) for t in terrain.types] if terrain else [],
        places=[
            wire.PlaceFact(p.id, p.name, p.kind, p.country, p.dead_end, p.lat, p.lon, labels.place(p.id))
            for p in data.places
        ],
        tracks=[
            wire.TrackFact(t.id, t.a, t.b, t.length, t.colour, t.ferry, t.tunnel, _ours(t.provenance))
            for t in data.tracks
        ],
        tickets=[_ticket(t, labels) for t in data.tickets],
        reconstructed=list(data.reconstructed),
        sources=list(data.sources),
    )


def _first_tickets(data: MapData) -> dict[str, int]:
    first = data.first_tickets
    if isinstance(first, TicketDeal):
        return {"normal": first.normal, "long": first.long, "keep_at_least": first.keep_at_least}
    return {"draft": first.cards, "keep_exactly": first.keep_exactly}


def _ticket(ticket: Ticket, labels: Labels) -> wire.TicketFact:
    return wire.TicketFact(
        id=ticket.id,
        a=list(ticket.a),
        b=list(ticket.b),
        from_=labels.end(ticket.a),
        to=labels.end(ticket.b),
        points=ticket.points,
        long=ticket.long,
        reconstructed=_ours(ticket.provenance),
    )


def _ours(provenance: str) -> bool:
    return "reconstruction" in provenance
