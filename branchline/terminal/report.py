"""The situation in words, one fact a line: what plain mode reads out, and what the screen draws as tables."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.actions import DrawDisplay, TakeTerrain
from branchline.maps.model import COLOURS, LOCO, MapData, Track
from branchline.record.words import YOU
from branchline.terminal.facts import (
    ClaimOffer,
    Leg,
    TicketState,
    own_sheet,
    price_in_words,
    ticket_states,
)
from branchline.terminal.labels import Labels, card_word, cards_in_words, counted, listed, reconstruction_note
from branchline.terminal.menu import Menu
from branchline.terminal.places import PlaceFinder
from branchline.terminal.plan import Do
from branchline.view import PlayerView, View


class Report:
    """What one reader may know, told in lines. `names` has "You" at the reader's seat."""

    def __init__(self, view: View, labels: Labels, names: Sequence[str], round: int) -> None:
        self.view, self.labels, self.names, self.round = view, labels, names, round

    @property
    def data(self) -> MapData:
        return self.view.map

    # ------------------------------------------------------------ the table

    def heading(self) -> str:
        parts = [self.data.name, f"round {self.round}" if self.round else self.view.phase]
        if self.view.last_round:
            parts.append(f"last round, {counted(self.view.turns_left or 0, 'turn')} left")
        return f"{', '.join(parts)}. {self.whose_turn()}"

    def whose_turn(self) -> str:
        awaited = [self.names[seat] for seat in self.view.to_act]
        if not awaited:
            return "The game is over."
        if awaited == [YOU]:
            return "Your turn."
        return f"To choose: {listed(awaited)}." if len(awaited) > 1 else f"{awaited[0]} is to move."

    def situation(self, menu: Menu | None) -> list[str]:
        """Everything on the table and in the reader's hand; of the display only what the menu does not name."""
        lines = [self.heading(), *self.display(menu), *self.piles(), *self.festivals()]
        lines += [self.player(p) for p in self.view.players]
        return lines + ([*self.hand(), *self.tickets(), *self.taken()] if self.view.reader is not None else [])

    def status(self) -> list[str]:
        """The situation in a few words."""
        shown = listed([card_word(c) for c in self.view.display if c]) or "empty"
        lines = [self.heading(), f"Display: {shown}."]
        if self.view.reader is not None:
            me = self.view.me
            done = sum(state.done or state.borrowed for state in ticket_states(self.view, me.tickets))
            lines.append(f"You: {counted(me.score, 'point')}, {counted(me.trains, 'train')}.")
            lines += [*self.hand(), f"Tickets: {me.ticket_count}, {done} of them done."]
        return lines

    def display(self, menu: Menu | None = None) -> list[str]:
        """What lies face up, without what can be taken by a number of the menu."""
        offers = [option.reading.steps[0] for option in menu.all if isinstance(option.reading, Do)] if menu else []
        lines = [
            f"Display place {place}: {card_word(card) if card else 'empty'}."
            for place, card in enumerate(self.view.display, 1)
            if DrawDisplay(place) not in offers
        ]
        for place, kind in enumerate(self.view.terrain_display, 1):
            if TakeTerrain(place) not in offers:
                lines.append(f"Terrain place {place}: {self.labels.terrain(kind) if kind else 'empty'}.")
        return lines

    def piles(self) -> list[str]:
        v = self.view
        lines = [
            f"Deck: {counted(v.deck_size, 'card')}.",
            f"Discards: {cards_in_words(v.discards)}.",
            f"Ticket deck: {counted(v.ticket_deck_size, 'ticket')}.",
        ]
        if self.data.terrain:
            gone = listed([f"{n} {self.labels.terrain(t)}" for t, n in v.terrain_discards.items()]) or "no cards"
            lines += [f"Terrain deck: {counted(v.terrain_deck_size, 'card')}.", f"Terrain discards: {gone}."]
        return lines

    def festivals(self) -> list[str]:
        """The festival cards at the cities; none are worth a line of their own on other maps."""
        lying = [f"{self.labels.group(g)} {n}" for g, n in self.view.festivals.items()]
        return [f"Festival cards lying at the cities: {', '.join(lying) or 'none'}."] if self.data.festivals else []

    def player(self, player: PlayerView) -> str:
        """One player in one line."""
        parts = [counted(player.score, "point"), counted(player.trains, "train"), counted(player.card_count, "card")]
        parts.append(counted(player.ticket_count, "ticket"))
        if self.data.stations:
            parts.append(f"{counted(player.stations_left, 'station')} left")
        if self.data.terrain:
            parts.append(self.terrain_of(player))
        if self.data.festivals:
            parts.append(counted(player.festival_count, "festival card"))
        return f"{self.names[player.seat]}: {', '.join(parts)}."

    def terrain_of(self, player: PlayerView) -> str:
        held = [f"{n} {self.labels.terrain(t)}" for t, n in player.terrain.items()]
        return listed(held) or "no terrain"

    def players(self) -> list[str]:
        """All that is public about each player."""
        lines = []
        for player in self.view.players:
            lines.append(self.player(player))
            if player.seat != self.view.reader and player.hand:
                lines.append(
                    f"  of the cards of {self.names[player.seat]} everybody saw: {cards_in_words(player.hand)}."
                )
            if player.stations:
                lines.append(f"  stations in {listed([self.labels.place(p) for p in player.stations])}.")
            if player.festivals:
                piles = listed([f"{n} {self.labels.group(g)}" for g, n in player.festivals.items()])
                lines.append(f"  festival cards: {piles}.")
        return lines

    # ------------------------------------------------------------ the reader's own

    def hand(self) -> list[str]:
        hand = self.view.me.hand
        order = {card: hand[card] for card in (*COLOURS, LOCO) if card in hand}
        return [
            f"Hand: {counted(self.view.me.card_count, 'card')}: {cards_in_words(order)}." if hand else "Hand: no cards."
        ]

    def tickets(self) -> list[str]:
        states = ticket_states(self.view, self.view.me.tickets)
        return [f"Ticket: {self.ticket(state)}" for state in states] or ["Tickets: none yet."]

    def taken(self) -> list[str]:
        """What the reader has taken so far in a draft."""
        taken = [f"{self.labels.ticket(t)} {self.labels.tickets[t].points}" for t in self.view.offered_tickets]
        return [f"Taken so far: {', '.join(taken)}."] if taken and self.view.phase == "draft" else []

    def ticket(self, state: TicketState) -> str:
        """A ticket, its value, and whether it is done or what it needs."""
        note = self.labels.ticket_note(state.ticket)
        worth = counted(state.ticket.points, "point") + (f", {note}" if note else "")
        return f"{self.labels.ticket(state.ticket.id)}, {worth}: {self.need(state)}."

    def need(self, state: TicketState) -> str:
        """ "done", or the cheapest way that is left."""
        if state.done:
            return "done"
        if state.borrowed:
            return "done as it stands, with a track a station lends"
        if state.missing is None:
            stations = self.data.stations and self.view.me.stations_left
            return "to do, by own tracks impossible" + (", a station could help" if stations else "")
        way = ", ".join(f"{self.leg(leg)} {leg.track.colour}" for leg in state.missing)
        short = f", more than your {self.view.me.trains}" if state.trains > self.view.me.trains else ""
        return f"to do, {counted(state.trains, 'train')} missing{short}: {way}"

    def short_need(self, state: TicketState) -> str:
        """The same for a narrow column: how many trains, and the places on the way."""
        if state.done or state.borrowed or state.missing is None:
            return {True: "done"}.get(state.done, "done with a station" if state.borrowed else "to do: no way left")
        return f"to do: {counted(state.trains, 'train')}"

    def way(self, state: TicketState) -> str:
        """The tracks still missing, as a chain: "Denver –4– Omaha –2– Duluth"; a gap is one's own tracks."""
        text, at = "", ""
        for leg in state.missing or ():
            if leg.start != at:
                text += ("; " if text else "") + self.labels.place(leg.start)
            text += f" –{leg.track.length}– {self.labels.place(leg.end)}"
            at = leg.end
        return text

    def leg(self, leg: Leg) -> str:
        return f"{self.labels.pair(leg.start, leg.end)} {leg.track.length}"

    # ------------------------------------------------------------ the board

    def board(self) -> list[str]:
        """Who owns what, what lies at the cities, how much is free."""
        lines = []
        for player in self.view.players:
            owned = [self._owned(track) for track in player.tracks]
            lines.append(f"{self.names[player.seat]}: {counted(len(owned), 'track')}.")
            lines += [f"  {text}" for text in owned]
            if player.stations:
                lines.append(f"  stations: {listed([self.labels.place(p) for p in player.stations])}.")
        free = len(self.data.tracks) - len(self.view.owners)
        lines.append(f"Not claimed: {counted(free, 'track')}; tracks lists them.")
        return [*lines, *self.festivals(), *self.tables()]

    def tables(self) -> list[str]:
        """The tables printed on the board and the cards, and which of them are not the printed ones."""
        lengths = {track.length for track in self.data.tracks}
        points = [n if spaces in lengths else 0 for spaces, n in enumerate(self.data.track_points)]
        lines = [f"Points by spaces: {_table(points)}."]
        if self.data.festivals:
            lines.append(f"Points by festival cards of one city: {_table(self.data.festivals.score_table)}.")
        for kind in self.data.terrain.types if self.data.terrain else ():
            lines.append(f"{kind.name} belongs to {listed(kind.colours)} tracks.")
        if self.data.terrain:
            lines.append(f"Terrain cards to double, by spaces: {_table(self.data.terrain.cards_to_double)}.")
        note = reconstruction_note(self.data)
        return lines + ([note] if note else [])

    def _owned(self, track: str) -> str:
        doubled = ", doubled" if track in self.view.doubled else ""
        return f"{self.labels.track(track)}: {self.labels.track_kind(track)}{doubled}"

    def track_state(self, track: Track) -> str:
        """ "free", its owner, or why it is closed."""
        owner = self.view.owners.get(track.id)
        if owner is not None:
            return self.names[owner] + (", doubled" if track.id in self.view.doubled else "")
        twins = [u.id for u in self.labels.parallel(track) if u.id in self.view.owners]
        if twins and self.view.player_count < self.data.both_tracks_from:
            return "closed"
        mine = self.view.reader is not None and any(self.view.owners[t] == self.view.reader for t in twins)
        return "closed to you" if mine else "free"

    def tracks(self, which: str, finder: PlaceFinder) -> tuple[str, list[Track]]:
        """A heading and the tracks asked for: all, free, mine, or at a place."""
        every = list(self.data.tracks)
        if not which:
            return "All tracks", every
        if which in ("free", "open"):
            return "Free tracks", [t for t in every if self.track_state(t) == "free"]
        if which in ("mine", "my", "own"):
            return "Your tracks", [t for t in every if self.view.owners.get(t.id, -1) == self.view.reader]
        places = finder.best(tuple(which.split()))
        if not places:
            near = finder.nearest(tuple(which.split()))
            return f'There is no place "{which}"{f" (did you mean {near}?)" if near else ""}.', []
        heading = f"Tracks at {listed([self.labels.place(p) for p in places])}"
        return heading, [t for t in every if t.a in places or t.b in places]

    def track_line(self, track: Track) -> str:
        worth = counted(self.data.track_points[track.length], "point")
        return f"{self.labels.track(track.id)}: {self.labels.track_kind(track.id)}, {worth}, {self.track_state(track)}."

    # ------------------------------------------------------------ the menu

    def again(self, menu: Menu) -> list[str]:
        """What has changed with a first card or ticket and is needed for the next choice."""
        drawing = any(option.text.startswith("draw ") for option in menu.options)
        return [*(self.display(menu) if drawing else []), *self.taken()]

    def choices(self, menu: Menu, marks: Sequence[str], most_claims: int | None) -> list[str]:
        """The numbered choices; claims only up to a number, the others are told of."""
        lines: list[str] = []
        if menu.tickets:
            for option, state in zip(menu.options, menu.tickets, strict=True):
                marked = "marked, " if state.ticket.id in marks else ""
                lines.append(f"{option.key}: {marked}{self.ticket(state)}")
            return lines
        lines += [f"{option.key}: {option.text}." for option in menu.options]
        shown = menu.claims if most_claims is None else menu.claims[:most_claims]
        lines += [f"{option.key}: {self.claim(offer)}" for option, offer in shown]
        more = len(menu.claims) - len(shown)
        return lines + ([f"And {counted(more, 'more track')} you can claim: type claims."] if more else [])

    def claim(self, offer: ClaimOffer) -> str:
        t = offer.track
        helps = f"; helps {listed([self.labels.ticket(h.id) for h in offer.helps])}" if offer.helps else ""
        kind, worth = self.labels.track_kind(t.id), counted(offer.points, "point")
        return f"claim {self.labels.pair(t.a, t.b)}, {kind}, {worth}: costs {price_in_words(offer)}{helps}."

    # ------------------------------------------------------------ points so far

    def score(self) -> list[str]:
        """Everybody's running score, and the reader's own sheet if the game ended now."""
        lines = [f"{self.names[p.seat]}: {counted(p.score, 'point')} for tracks." for p in self.view.players]
        if self.view.reader is None:
            return lines
        sheet = own_sheet(self.view)
        total = sheet.tracks + sheet.ticket_points + sheet.stations + sheet.festival_points + sheet.longest_path_bonus
        lines.append("If the game ended now, as far as you can know:")
        lines.append(f"  tracks {sheet.tracks:+d}.")
        for ticket in sheet.tickets:
            done = "done" if ticket.completed else "not done"
            lines.append(f"  ticket {self.labels.ticket(ticket.ticket)}, {done}: {ticket.points:+d}.")
        if self.data.stations:
            lines.append(f"  stations not built {sheet.stations:+d}.")
        for f in sheet.festivals:
            lines.append(f"  {counted(f.cards, 'festival card')} of {self.labels.group(f.group)}: {f.points:+d}.")
        if self.data.longest_path:
            lines.append(f"  longest path, {counted(sheet.longest_path, 'train')}: {sheet.longest_path_bonus:+d}.")
        if self.data.globetrotter:
            lines.append("  globetrotter: decided at the end, by everybody's tickets.")
        note = reconstruction_note(self.data)
        return [*lines, f"  together {total}."] + ([note] if note else [])


def _table(numbers: Sequence[int]) -> str:
    """ "1: 1, 2: 2, 3: 4", without what is worth nothing."""
    return ", ".join(f"{n}: {worth}" for n, worth in enumerate(numbers) if worth)
