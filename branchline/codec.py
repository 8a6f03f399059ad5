"""Between the kernel's small numbers and the names at the edge: codes and actions, raw events and events."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from branchline import actions as a
from branchline import events as e
from branchline.kernel import state as k
from branchline.kernel.draft import pack_of
from branchline.kernel.state import Position, Work
from branchline.maps.model import CARDS, MapData

ENDS = {k.LAST_ROUND: "last round", k.ALL_PASSED: "all passed", k.NO_PROGRESS: "no progress"}


class Names:
    """The names of one map, by number and back."""

    def __init__(self, data: MapData) -> None:
        self.places = [p.id for p in data.places]
        self.tracks = [t.id for t in data.tracks]
        self.tickets = [t.id for t in data.tickets]
        self.groups = [g.id for g in data.festivals.groups] if data.festivals else []
        self.terrains = [t.id for t in data.terrain.types] if data.terrain else []
        self.place = {name: n for n, name in enumerate(self.places)}
        self.track = {name: n for n, name in enumerate(self.tracks)}
        self.ticket = {name: n for n, name in enumerate(self.tickets)}
        self.group = {name: n for n, name in enumerate(self.groups)}
        self.terrain = {name: n for n, name in enumerate(self.terrains)}
        self.card = {name: n for n, name in enumerate(CARDS)}
        self.ends = {t.id: (t.a, t.b) for t in data.tracks}
        self.fixed: dict[int, a.Action] = {}  # actions of codes that mean the same in every position


@lru_cache(maxsize=64)
def names_of(data: MapData) -> Names:
    return Names(data)


# ---------------------------------------------------------------- actions


def action_of(code: int, s: Position, names: Names, seat: int) -> a.Action:
    """The action a code of this seat's menu stands for."""
    word, bit = code >> 6, code & 63
    if word == k.MISC:
        return _misc_action(bit, s, names, seat)
    if word < k.KEEP:
        if code not in names.fixed:
            names.fixed[code] = _fixed_action(word, bit, names)
        return names.fixed[code]
    offer = _offer(s, seat)
    return a.KeepTickets(tuple(names.tickets[t] for i, t in enumerate(offer) if (bit + 1) >> i & 1))


def _fixed_action(word: int, bit: int, names: Names) -> a.Action:
    if word < k.STATION:
        track = ((word - k.CLAIM) & 1) * k.BITS + bit
        return a.ClaimTrack(names.tracks[track], CARDS[(word - k.CLAIM) >> 1])
    return a.BuildStation(names.places[bit], CARDS[word - k.STATION])


def _misc_action(bit: int, s: Position, names: Names, seat: int) -> a.Action:
    if bit < k.DRAW_DECK:
        return a.DrawDisplay(bit + 1)
    if k.TAKE_TERRAIN <= bit < k.TERRAIN_DECK:
        return a.TakeTerrain(bit - k.TAKE_TERRAIN + 1)
    if k.DOUBLED <= bit < k.LOCOS:
        return a.DoublePoints(bit - k.DOUBLED)
    if k.LOCOS <= bit < k.PICK:
        return a.PlayLocos(bit - k.LOCOS)
    if k.PICK <= bit < k.RETURN:
        return a.PickTicket(names.tickets[_pack(s, seat)[bit - k.PICK]])
    if bit >= k.RETURN:
        return a.ReturnTicket(names.tickets[_offer(s, seat)[bit - k.RETURN]])
    if bit in (k.FESTIVAL_A, k.FESTIVAL_B):
        ends = names.ends[names.tracks[s.claim_track]]
        return a.TakeFestivals(ends[bit - k.FESTIVAL_A])
    return _PLAIN[bit]


_PLAIN: dict[int, a.Action] = {
    k.DRAW_DECK: a.DrawDeck(),
    k.TERRAIN_DECK: a.DrawTerrain(),
    k.TICKETS: a.DrawTickets(),
    k.PASS: a.Pass(),
    k.DECLINE: a.Decline(),
    k.SINGLE: a.SinglePoints(),
}


def code_of(action: a.Action, s: Position, names: Names, seat: int) -> int:
    """The code of an action for this seat now, or -1 if there is none: a name that is nowhere in sight."""
    match action:
        case a.DrawDisplay(place):
            return k.DRAW_DISPLAY + place - 1 if 1 <= place <= k.DISPLAY else -1
        case a.DrawDeck():
            return k.DRAW_DECK
        case a.TakeTerrain(place):
            return k.TAKE_TERRAIN + place - 1 if 1 <= place <= k.TERRAIN_UP else -1
        case a.DrawTerrain():
            return k.TERRAIN_DECK
        case a.DrawTickets():
            return k.TICKETS
        case a.ClaimTrack(track, colour):
            return _claim_code(names.track.get(track, -1), names.card.get(colour, -1))
        case a.BuildStation(place, colour):
            p, c = names.place.get(place, -1), names.card.get(colour, -1)
            return 64 * (k.STATION + c) + p if p >= 0 and c >= 0 else -1
        case a.PlayLocos(count):
            return k.LOCOS + count if 0 <= count < k.PICK - k.LOCOS else -1
        case a.DoublePoints(locos):
            return k.DOUBLED + locos if 0 <= locos < k.LOCOS - k.DOUBLED else -1
        case a.SinglePoints():
            return k.SINGLE
        case a.TakeFestivals(place):
            return _festival_code(place, s, names)
        case a.Decline():
            return k.DECLINE
        case a.KeepTickets(tickets):
            return _keep_code(tickets, s, names, seat)
        case a.ReturnTicket(ticket):
            return _index_code(k.RETURN, ticket, _offer(s, seat), names, s.kept_n[seat] + s.ordered_n[seat])
        case a.PickTicket(ticket):
            return _index_code(k.PICK, ticket, _pack(s, seat), names, 0)
        case a.Pass():
            return k.PASS
        case _:
            assert_never(action)


def _claim_code(track: int, colour: int) -> int:
    if track < 0 or colour < 0:
        return -1
    return 64 * (k.CLAIM + 2 * colour + track // k.BITS) + track % k.BITS


def _festival_code(place: str, s: Position, names: Names) -> int:
    if s.claim_track < 0 or s.phase == k.PAY_STATION:
        return -1
    ends = names.ends[names.tracks[s.claim_track]]
    return k.FESTIVAL_A + ends.index(place) if place in ends else -1


def _keep_code(tickets: tuple[str, ...], s: Position, names: Names, seat: int) -> int:
    offer = [names.tickets[t] for t in _offer(s, seat) if t != k.HIDDEN]
    if not tickets or len(set(tickets)) != len(tickets) or not set(tickets) <= set(offer):
        return -1
    return 64 * k.KEEP + sum(1 << offer.index(t) for t in tickets) - 1


def _index_code(base: int, ticket: str, among: list[int], names: Names, first: int) -> int:
    number = names.ticket.get(ticket, -1)
    return base + among.index(number) if number in among[first:] else -1


def _offer(s: Position, seat: int) -> list[int]:
    return s.offer[seat * k.OFFER : seat * k.OFFER + s.offer_n[seat]]


def _pack(s: Position, seat: int) -> list[int]:
    if s.phase != k.DRAFT_PICK:
        return []
    at = pack_of(s, seat) * k.OFFER
    return s.pack[at : at + s.pack_n]


# ---------------------------------------------------------------- events


def events_of(w: Work, data: MapData, names: Names) -> list[e.Event]:
    """The events the kernel noted for the last move."""
    found: list[e.Event] = []
    turned: list[str] = []
    tickets: list[str] = []
    for i in range(w.event_n):
        kind, *args = w.event[i * k.EVENT : (i + 1) * k.EVENT]
        if kind == k.E_TURNED:
            turned.append(CARDS[args[0]])
        elif kind == k.E_DUE:
            found.append(e.TunnelCardsTurned(args[0], tuple(turned), args[1]))
        elif kind == k.E_TICKET:
            tickets.append(names.tickets[args[0]])
        elif kind == k.E_TICKETS:
            found.append(e.TicketsOffered(args[0], args[1], tuple(tickets)))
        elif kind == k.E_KEPT:
            found.append(e.TicketsKept(args[0], args[1], args[2], tuple(tickets)))
            tickets.clear()
        else:
            found.append(_event(kind, args, data, names))
    return found


def _event(kind: int, args: list[int], data: MapData, names: Names) -> e.Event:
    x, y, z, last = args
    match kind:
        case k.E_DREW:
            return e.DrewBlind(x, CARDS[z]) if y < 0 else e.DrewCard(x, y + 1, CARDS[z])
        case k.E_FILLED:
            return e.DisplayFilled(x + 1, CARDS[y])
        case k.E_SWEPT:
            return e.DisplaySwept()
        case k.E_RESHUFFLED:
            return e.DeckReshuffled(x)
        case k.E_FESTIVAL:
            return e.FestivalLaid(names.groups[x])
        case k.E_DRAFT_CARD:
            return e.SecondDraftCardUp()
        case k.E_TERRAIN:
            return e.DrewTerrain(x, y + 1 if y >= 0 else None, names.terrains[z])
        case k.E_TERRAIN_FILLED:
            return e.TerrainFilled(x + 1, names.terrains[y])
        case k.E_TERRAIN_RESHUFFLED:
            return e.TerrainReshuffled(x)
        case k.E_CLAIMED:
            points = data.track_points[data.tracks[y].length] * (1 + z % 2)
            return e.TrackClaimed(x, names.tracks[y], CARDS[z // 2], last // 64, last % 64, points, bool(z % 2))
        case k.E_TUNNEL:
            return e.TunnelTried(x, names.tracks[y], CARDS[z], data.tracks[y].length - last, last)
        case k.E_FAILED:
            return e.TunnelFailed(x, names.tracks[y])
        case k.E_STATION:
            return e.StationBuilt(x, names.places[y], CARDS[z], last // 64, last % 64)
        case k.E_FESTIVALS_TAKEN:
            return e.FestivalsTaken(x, names.groups[y], z)
        case k.E_TERRAIN_PLAYED:
            return e.TerrainPlayed(x, names.terrains[y], z, last)
        case k.E_PASSED:
            return e.Passed(x)
        case k.E_LAST_ROUND:
            return e.LastRoundBegan(x)
        case k.E_DRAFT:
            return e.DraftBegan(x, y)
        case k.E_PICKED:
            return e.TicketPicked(x, names.tickets[y])
        case k.E_PACKS:
            return e.PacksPassed(y)
        case k.E_TURN:
            return e.TurnBegan(x)
        case k.E_OVER:
            return e.GameEnded(ENDS[x])
        case _:
            raise AssertionError(f"the kernel reported an unknown event {kind}")
