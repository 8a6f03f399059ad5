"""Why an action is refused: the clause, and a sentence a player understands.

The kernel alone decides what is legal; this is asked only after it has said no.
"""

from __future__ import annotations

from branchline import actions as a
from branchline.codec import names_of
from branchline.kernel import state as k
from branchline.kernel.claim import least_locos, most_locos
from branchline.kernel.draw import draw_menu
from branchline.kernel.state import Board, Position
from branchline.kernel.stations import stations_built
from branchline.kernel.terrain import most_of_others
from branchline.maps.model import CARDS, LOCO, MapData, Track


class IllegalAction(ValueError):
    """An action the rules do not allow here: `clause` is the id of the rule, `reason` says it in words."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause = clause
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[str, str]]:
        return IllegalAction, (self.clause, self.reason)


_TURN_ACTIONS = (
    a.DrawDisplay,
    a.DrawDeck,
    a.TakeTerrain,
    a.DrawTerrain,
    a.DrawTickets,
    a.ClaimTrack,
    a.BuildStation,
    a.Pass,
)
_DRAWS = (a.DrawDisplay, a.DrawDeck, a.TakeTerrain, a.DrawTerrain)


def refusal(data: MapData, b: Board, s: Position, seat: int, action: a.Action) -> IllegalAction:
    """The reason why this action is not legal for this seat in this position."""
    return IllegalAction(*_Case(data, b, s, seat).why(action))


class _Case:
    """One refused action's circumstances."""

    def __init__(self, data: MapData, b: Board, s: Position, seat: int) -> None:
        self.data, self.b, self.s, self.seat = data, b, s, seat
        self.names = names_of(data)
        self.hand = dict(zip(CARDS, s.hand[seat * k.HAND : seat * k.HAND + k.CARDS], strict=True))

    def why(self, action: a.Action) -> tuple[str, str]:
        if not self.s.awaited >> self.seat & 1:
            return self._not_awaited()
        if isinstance(action, _TURN_ACTIONS) and not self._may_begin(action):
            return "C-41", f"an action once begun is finished: now {self._what_is_due()}"
        match action:
            case a.DrawDisplay(place):
                return self._display(place)
            case a.DrawDeck():
                return self._deck()
            case a.TakeTerrain() | a.DrawTerrain():
                return self._terrain()
            case a.DrawTickets():
                return self._tickets()
            case a.ClaimTrack(track, colour):
                return self._claim(track, colour)
            case a.BuildStation(place, colour):
                return self._station(place, colour)
            case a.Pass():
                return "C-34", "nobody may pass who can do something, and you can"
            case _:
                return self._choice(action)

    def _not_awaited(self) -> tuple[str, str]:
        if self.s.phase in (k.FIRST_TICKETS, k.DRAFT_PICK, k.DRAFT_KEEP):
            clause = "C-07" if self.s.phase == k.FIRST_TICKETS else "IBE-19"
            return clause, f"seat {self.seat} has chosen already and waits for the others"
        return "C-01", f"it is not the turn of seat {self.seat}: seat {self.s.seat} is to move"

    def _may_begin(self, action: a.Action) -> bool:
        if self.s.phase == k.TURN:
            return True
        return self.s.phase in (k.DRAW_FIRST, k.DRAW_SECOND) and isinstance(action, _DRAWS)

    def _what_is_due(self) -> str:
        return {
            k.FIRST_TICKETS: "the first tickets are chosen",
            k.DRAFT_PICK: "a ticket is taken from the pack",
            k.DRAFT_KEEP: "the drafted tickets to keep are chosen",
            k.DRAW_FIRST: "a card is drawn",
            k.DRAW_SECOND: "the second card is drawn",
            k.KEEP_TICKETS: "the tickets to keep are chosen",
            k.PAY: "the locomotives that pay for the track are chosen",
            k.DOUBLE: "it is chosen whether the track is doubled",
            k.FESTIVAL_CHOICE: "the festival city is chosen",
            k.TUNNEL: "the tunnel's extra cards are paid or declined",
            k.PAY_STATION: "the locomotives that pay for the station are chosen",
        }[self.s.phase]

    # ------------------------------------------------------------ drawing

    def _display(self, place: int) -> tuple[str, str]:
        if not 1 <= place <= self.b.display:
            return "C-04", f"the places of the display are 1 to {self.b.display}, there is no place {place}"
        if self.s.display[place - 1] == k.NO_CARD:
            return "C-19", f"place {place} of the display is empty"
        if self.data.terrain:
            return "AFR-06", "the second card may not be a locomotive from the display, nor one after a terrain card"
        return "C-13", "the second card may not be a locomotive from the display"

    def _deck(self) -> tuple[str, str]:
        if draw_menu(self.s, self.b, int(self.s.phase == k.DRAW_SECOND)):
            return "C-19", "the deck and the discards are empty: take a card that lies face up"
        return "C-20", "no card can be drawn: the deck and the discards are empty and nothing lies face up"

    def _terrain(self) -> tuple[str, str]:
        if not self.data.terrain:
            return "AFR-05", "this map has no terrain cards"
        return "AFR-07", "there is no terrain card there to take"

    def _tickets(self) -> tuple[str, str]:
        if self.b.draft_cards and self.s.draft < 2:
            return "IBE-10", "before the second draft is over nobody may draw tickets"
        return "C-31", "the ticket deck is empty"

    # ------------------------------------------------------------ claiming

    def _claim(self, name: str, colour: str) -> tuple[str, str]:
        if name not in self.names.track:
            return "C-25", f"this map has no track {name}"
        t = self.names.track[name]
        track = self.data.tracks[t]
        return self._closed(t) or self._too_long(track) or self._unpayable(track, colour)

    def _closed(self, t: int) -> tuple[str, str] | None:
        word, bit = t // k.BITS, t % k.BITS
        if not self.s.shut[k.TRACK_WORDS * self.seat + word] >> bit & 1:
            return None
        for p in range(self.s.players):
            if self.s.owned[k.TRACK_WORDS * p + word] >> bit & 1:
                return "C-25", f"{self.names.tracks[t]} is claimed already, by seat {p}"
        mine = any(
            self.b.twins[k.TRACK_WORDS * t + w] & self.s.owned[k.TRACK_WORDS * self.seat + w]
            for w in range(k.TRACK_WORDS)
        )
        if mine:
            return "C-26", "no player may own two tracks of a double route, and you own the other"
        return "C-27", f"with {self.s.players} players only one track of a double route can be claimed"

    def _too_long(self, track: Track) -> tuple[str, str] | None:
        trains = self.s.trains[self.seat]
        if trains >= track.length:
            return None
        return "C-23", f"{track.id} takes {track.length} trains and you have {trains}"

    def _unpayable(self, track: Track, colour: str) -> tuple[str, str]:
        locos = self.hand[LOCO]
        if colour not in self.hand:
            return "C-02", f"there are no train cards of colour {colour}"
        if track.colour == "gray":
            if colour == "loco":
                return "C-22", f"{track.id} takes {track.length} locomotives alone and you have {locos}"
            if self.hand[colour] == 0:
                return "C-22", f"you have no {colour} card; a gray track takes cards of one colour"
        elif colour != track.colour:
            return "C-21", f"{track.id} takes {track.colour} cards and locomotives, not {colour}"
        if track.ferry > locos or (colour != "loco" and track.ferry == track.length and track.colour == "gray"):
            return "EUR-11", f"the ferry {track.id} takes at least {track.ferry} locomotives and you have {locos}"
        clause = "C-22" if track.colour == "gray" else "C-21"
        have = f"{self.hand[colour]} {colour} and {locos} locomotives"
        return clause, f"{track.id} takes {track.length} cards and you have {have}"

    def _station(self, place: str, colour: str) -> tuple[str, str]:
        if not self.b.stations_each:
            return "EUR-04", "this map has no stations"
        built = stations_built(self.s, self.seat)
        if built >= self.b.stations_each:
            return "EUR-05", f"you have built all your {self.b.stations_each} stations"
        p = self.names.place.get(place, -1)
        if p < 0 or not self.b.station_sites >> p & 1:
            return "EUR-05", f"there is no city {place} to build a station in"
        if self.s.station_places >> p & 1:
            return "EUR-05", f"{place} has a station already"
        have = self.hand.get(colour, 0)
        return "EUR-06", f"your next station costs {built + 1} cards of one colour; you have {have} {colour}"

    # ------------------------------------------------------------ choices

    def _choice(self, action: a.Action) -> tuple[str, str]:
        match action:
            case a.PlayLocos(count):
                return self._locos(count)
            case a.DoublePoints() | a.SinglePoints():
                return self._double(action)
            case a.TakeFestivals(place):
                return "IBE-14", f"the festival cards of {place} are not yours to choose now"
            case a.Decline():
                return "EUR-13", "there is no tunnel to decline"
            case a.KeepTickets(tickets):
                return self._keep(tickets)
            case a.ReturnTicket(ticket):
                return "C-28", f"{ticket} is not one of the tickets you have to put back"
            case _:
                return "IBE-04", "that ticket is not in the pack before you"

    def _locos(self, count: int) -> tuple[str, str]:
        if self.s.phase == k.TUNNEL:
            clause = "EUR-15" if self.s.claim_colour == k.LOCO else "EUR-12"
            return clause, f"{self.s.due} extra cards are due and cannot be paid with {count} locomotives of your hand"
        if self.s.phase == k.PAY_STATION:
            return "EUR-06", f"the station cannot be paid with {count} locomotives of your hand"
        if self.s.phase == k.PAY:
            least, most = least_locos(self.s, self.b, self.seat), most_locos(self.s, self.b, self.seat)
            clause = "EUR-11" if count < self.b.ferry[self.s.claim_track] else "C-21"
            return clause, f"this claim takes {least} to {most} locomotives of your hand, not {count}"
        return "C-21", "there is nothing to pay for now"

    def _double(self, action: a.Action) -> tuple[str, str]:
        if self.s.phase != k.DOUBLE or isinstance(action, a.SinglePoints):
            return "AFR-09", "there is no claim to double now"
        assert isinstance(action, a.DoublePoints)
        kind = self.b.terrain_of[self.b.colour[self.s.claim_track]]
        due = self.b.to_double[self.b.length[self.s.claim_track]]
        mine = self.s.terrain[self.seat * k.TERRAINS + kind]
        others = most_of_others(self.s, self.seat, kind)
        if action.locos > self.hand[LOCO] - self.s.claim_locos:
            return "AFR-12", f"you have not {action.locos} locomotives beside those that pay for the track"
        if mine + action.locos < others:
            return (
                "AFR-11",
                f"another player has {others} {self.names.terrains[kind]} cards, you would have {mine + action.locos}",
            )
        if action.locos > max(due, others - mine):
            return "AFR-13", f"{action.locos} locomotives are more than are due or needed for the comparison"
        return "AFR-10", f"{due} {self.names.terrains[kind]} cards are due and you have {mine}"

    def _keep(self, tickets: tuple[str, ...]) -> tuple[str, str]:
        s, b, data = self.s, self.b, self.data
        if s.phase == k.DRAFT_KEEP:
            return "IBE-05", f"exactly {b.draft_keep} of the tickets you took are kept"
        if s.phase == k.FIRST_TICKETS:
            clause = "AFR-02" if data.terrain else "EUR-01" if b.deal_long else "C-06"
            return (
                clause,
                f"keep at least {b.keep_first} of the {s.offer_n[self.seat]} tickets you were dealt, each once",
            )
        if s.phase == k.KEEP_TICKETS:
            clause = "AFR-02" if data.terrain else "C-28"
            return clause, f"keep at least {b.ticket_keep} of the tickets you drew, each once"
        return "C-29", "there are no tickets to choose from now"
