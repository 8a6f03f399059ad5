"""Views, events, offers and score sheets in the form in which they cross the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from branchline.codec import action_of, names_of
from branchline.events import Event, Reader
from branchline.game import Game
from branchline.kernel import state as k
from branchline.kernel.board import make_board
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import fill_menu, write_menu
from branchline.maps.model import MapData
from branchline.notation import write_action
from branchline.server import wire
from branchline.view import PlayerView, View

PHASE: dict[str, wire.Phase] = {
    "over": "over",
    "first tickets": "first_tickets",
    "draft": "draft",
    "keep drafted tickets": "keep_drafted",
    "turn": "turn",
    "draw a card": "draw_first",
    "draw a second card": "draw_second",
    "keep tickets": "keep_tickets",
    "choose locomotives for the track": "pay",
    "double the track": "double",
    "choose a festival city": "festival",
    "pay for the tunnel": "tunnel",
    "choose locomotives for the station": "pay_station",
}


def view_wire(view: View) -> wire.ViewWire:
    """A view as a message holds it: a function of the view alone (I-05)."""
    phase = PHASE[view.phase]
    tunnel = None
    if phase == "tunnel" and view.pending_track is not None:
        tunnel = wire.TunnelWire(view.pending_track, list(view.tunnel_cards), view.tunnel_extra)
    return wire.ViewWire(
        reader=view.reader,
        phase=phase,
        to_act=list(view.to_act),
        on_turn=view.seat_on_turn,
        turns_left=view.turns_left,
        display=list(view.display),
        deck=view.deck_size,
        discards=view.discards,
        ticket_deck=view.ticket_deck_size,
        terrain_display=list(view.terrain_display),
        terrain_deck=view.terrain_deck_size,
        festivals=view.festivals,
        tunnel=tunnel,
        pending=view.pending_station or view.pending_track,
        owners=view.owners,
        doubled=sorted(view.doubled),
        closed=list(view.closed_tracks),
        offered=list(view.offered_tickets),
        pack=list(view.pack),
        players=[_player(view, player) for player in view.players],
        end=view.end_reason,
    )


def _player(view: View, player: PlayerView) -> wire.PlayerWire:
    return wire.PlayerWire(
        seat=player.seat,
        trains=player.trains,
        score=player.score,
        cards=player.card_count,
        hand=player.hand,
        tickets=list(player.tickets),
        ticket_count=player.ticket_count,
        completed=list(view.completed_tickets(player.seat)) if player.tickets else [],
        stations=list(player.stations),
        stations_left=player.stations_left,
        terrain=player.terrain,
        festivals=player.festivals,
        festival_count=player.festival_count,
    )


# ---------------------------------------------------------------- offers

_LINES: dict[str, dict[int, str]] = {}  # by map: the lines of codes that mean the same in every position


def offers_of(view: View) -> list[str]:
    """The legal lines of the view's reader, in the order of their codes; a long menu is a look-up for each line."""
    if view.reader not in view.to_act:
        return []
    s, data, seat, w = view.position, view.map, view.reader, scratch()
    fill_menu(s, make_board(data), w, seat)
    names, fixed = names_of(data), _LINES.setdefault(data.hash, {})
    lines = []
    for code in w.codes[: write_menu(w)]:
        line = fixed.get(code)
        if line is None:
            line = write_action(action_of(code, s, names, seat))
            if code >> 6 < k.KEEP and code >> 6 != k.MISC:
                fixed[code] = line
        lines.append(line)
    return lines


# ---------------------------------------------------------------- events


def event_wire(event: Event) -> wire.EventWire:
    """An event with the fields it has."""
    fields: dict[str, Any] = {}
    for name in type(event).__dataclass_fields__:
        value = getattr(event, name)
        fields[name] = list(value) if isinstance(value, tuple) else value
    return wire.EventWire(kind=type(event).__name__, **fields)


def events_for(events: Iterable[Event], reader: Reader) -> list[wire.EventWire]:
    """What a reader may know of the events."""
    seen = (event.seen_by(reader) for event in events)
    return [event_wire(event) for event in seen if event is not None]


# ---------------------------------------------------------------- the end


def score_wire(game: Game) -> list[wire.ScoreWire]:
    """The score sheets, each ticket with the tracks that join its ends."""
    owners = game.view(None).owners
    sheets = []
    for score in game.scores():
        own = {track for track, seat in owners.items() if seat == score.seat}
        lent = {loan.track for loan in score.loans if loan.track}
        sheets.append(
            wire.ScoreWire(
                seat=score.seat,
                place=score.place,
                total=score.total,
                tracks=score.tracks,
                tickets=[_ticket_line(game.map, t.ticket, t.points, t.completed, own, lent) for t in score.tickets],
                completed=score.completed,
                stations=score.stations,
                loans=[wire.LoanWire(loan.place, loan.track) for loan in score.loans],
                festivals=[wire.FestivalLine(f.group, f.cards, f.points) for f in score.festivals],
                longest_path=score.longest_path,
                longest_path_tracks=list(score.longest_path_tracks),
                longest_path_bonus=score.longest_path_bonus,
                globetrotter_bonus=score.globetrotter_bonus,
            )
        )
    return sheets


def _ticket_line(
    data: MapData, ticket_id: str, points: int, completed: bool, own: set[str], lent: set[str]
) -> wire.TicketLine:
    ticket = next(t for t in data.tickets if t.id == ticket_id)
    path = _path(data, ticket.a, ticket.b, own) or _path(data, ticket.a, ticket.b, own | lent) if completed else []
    return wire.TicketLine(ticket_id, points, completed, path, [track for track in path if track not in own])


def _path(data: MapData, starts: tuple[str, ...], goals: tuple[str, ...], tracks: set[str]) -> list[str]:
    """The fewest tracks of these that join one of the starts to one of the goals."""
    came: dict[str, tuple[str, str] | None] = dict.fromkeys(starts)
    edges = [t for t in data.tracks if t.id in tracks]
    ends = {p.id for p in data.places if p.dead_end}
    border = list(starts)
    while border:
        found = next((place for place in border if place in goals), None)
        if found is not None:
            return _trail(came, found)
        reached = []
        for place in border:
            if place in ends and came[place] is not None:
                continue  # a dead end is reached, not passed (AFR-18)
            for track in edges:
                other = track.b if track.a == place else track.a if track.b == place else None
                if other is not None and other not in came:
                    came[other] = (place, track.id)
                    reached.append(other)
        border = reached
    return []


def _trail(came: dict[str, tuple[str, str] | None], at: str) -> list[str]:
    trail: list[str] = []
    step = came[at]
    while step is not None:
        at, track = step
        trail.append(track)
        step = came[at]
    return trail[::-1]
