"""Views, events, offers and score sheets in the form in which they cross the wire."""

from __future__ import annotations

from collections.abc import Iterable

from branchline.codec import action_of, is_fixed, names_of
from branchline.events import Event, Reader
from branchline.game import Game
from branchline.graph.advice import chain_of
from branchline.kernel.board import make_board
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import fill_menu, write_menu
from branchline.maps.model import MapData
from branchline.mechanics.composed_wire import PARTS
from branchline.notation import write_action
from branchline.server import wire
from branchline.server.wire.derived import event_wire
from branchline.view import PlayerView, View


def view_wire(view: View) -> wire.ViewWire:
    """A view as a message holds it: a function of the view alone (I-05)."""
    return wire.ViewWire(
        reader=view.reader,
        phase=view.phase,
        to_act=list(view.to_act),
        on_turn=view.seat_on_turn,
        turns_left=view.turns_left,
        display=list(view.display),
        deck=view.deck_size,
        discards=view.discards,
        ticket_deck=view.ticket_deck_size,
        pending=view.pending,
        owners=view.owners,
        closed=list(view.closed_tracks),
        offered=list(view.offered_tickets),
        players=[_player(view, player) for player in view.players],
        end=view.end_reason,
        **{key: value for part in PARTS for key, value in part.view(view).items()},
    )


def _player(view: View, player: PlayerView) -> wire.PlayerWire:
    tickets = list(player.tickets)
    return wire.PlayerWire(
        seat=player.seat,
        trains=player.trains,
        score=player.score,
        cards=player.card_count,
        hand=player.hand,
        tickets=tickets,
        ticket_count=player.ticket_count,
        completed=list(view.completed_tickets(player.seat)) if tickets else [],
        **{key: value for part in PARTS for key, value in part.player(view, player).items()},
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
            if is_fixed(code):
                fixed[code] = line
        lines.append(line)
    return lines


# ---------------------------------------------------------------- events


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
        lent = set(score.lent_tracks)
        sheets.append(
            wire.ScoreWire(
                seat=score.seat,
                place=score.place,
                total=score.total,
                tracks=score.tracks,
                tickets=[_ticket_line(game.map, t.ticket, t.points, t.completed, own, lent) for t in score.tickets],
                completed=score.completed,
                longest_path=score.longest_path,
                longest_path_tracks=list(score.longest_path_tracks),
                longest_path_bonus=score.longest_path_bonus,
                globetrotter_bonus=score.globetrotter_bonus,
                **{key: value for part in PARTS for key, value in part.score(score).items()},
            )
        )
    return sheets


def _ticket_line(
    data: MapData, ticket_id: str, points: int, completed: bool, own: set[str], lent: set[str]
) -> wire.TicketLine:
    ticket = next(t for t in data.tickets if t.id == ticket_id)
    path = chain_of(data, ticket, own) or chain_of(data, ticket, own | lent) if completed else ()
    return wire.TicketLine(ticket_id, points, completed, list(path), [track for track in path if track not in own])
