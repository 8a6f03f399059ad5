"""The situation in words, one fact a line: what plain mode reads out, and what the screen draws as tables."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.actions import DrawDisplay
from branchline.maps.model import COLOURS, LOCO, MapData, Track
from branchline.record.words import YOU
from branchline.terminal.facts import (
    ClaimOffer,
    Leg,
    TicketState,
    own_sheet,
    price_in_words,
    special_kinds,
    ticket_states,
)
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import (
    ScreenLabels,
    card_word,
    cards_in_words,
    counted,
    listed,
    numbers_table,
    reconstruction_note,
)
from branchline.terminal.menu import Menu
from branchline.terminal.parts import parts_of
from branchline.terminal.plan import Do
from branchline.view import PlayerView, View


class Report:
    """What one reader may know, told in lines. `names` has "You" at the reader's seat."""

    def __init__(self, view: View, labels: ScreenLabels, names: Sequence[str], round: int) -> None:
        self.view, self.labels, self.names, self.round = view, labels, names, round
        self.parts = parts_of(view.map)

    @property
    def data(self) -> MapData:
        return self.view.map

    # ------------------------------------------------------------ the table

    def heading(self) -> str:
        due = self.labels.words.counted(f"due.{self.view.phase}", 1)
        parts = [self.labels.map, f"round {self.round}" if self.round else due]
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
        lines = [self.heading(), *self.display(menu), *self.piles(), *self.lying()]
        lines += [self.player(p) for p in self.view.players]
        return lines + ([*self.hand(), *self.tickets(), *self.own()] if self.view.reader is not None else [])

    def status(self) -> list[str]:
        """The situation in a few words."""
        shown = listed([card_word(c) for c in self.view.display if c]) or "empty"
        lines = [self.heading(), f"Display: {shown}."]
        if self.view.reader is not None:
            me = self.view.me
            done = sum(state.done for state in ticket_states(self.view, me.tickets))
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
        return lines + [line for part in self.parts for line in part.face_up(self.view, self.labels, offers)]

    def piles(self) -> list[str]:
        v = self.view
        lines = [
            f"Deck: {counted(v.deck_size, 'card')}.",
            f"Discards: {cards_in_words(v.discards)}.",
            f"Ticket deck: {counted(v.ticket_deck_size, 'ticket')}.",
        ]
        return lines + [line for part in self.parts for line in part.piles(v, self.labels)]

    def lying(self) -> list[str]:
        """What lies on the board beside trains."""
        return [line for part in self.parts for line in part.lying(self.view, self.labels)]

    def player(self, player: PlayerView) -> str:
        """One player in one line."""
        parts = [counted(player.score, "point"), counted(player.trains, "train"), counted(player.card_count, "card")]
        parts.append(counted(player.ticket_count, "ticket"))
        parts += filter(None, (part.player(player, self.labels) for part in self.parts))
        return f"{self.names[player.seat]}: {', '.join(parts)}."

    def players(self) -> list[str]:
        """All that is public about each player."""
        lines = []
        for player in self.view.players:
            lines.append(self.player(player))
            if player.seat != self.view.reader and player.hand:
                lines.append(
                    f"  of the cards of {self.names[player.seat]} everybody saw: {cards_in_words(player.hand)}."
                )
            lines += [f"  {line}" for part in self.parts for line in part.player_lines(player, self.labels)]
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

    def own(self) -> list[str]:
        """What else the reader has, beside cards and tickets."""
        return [line for part in self.parts for line in part.own(self.view, self.labels)]

    def ticket(self, state: TicketState) -> str:
        """A ticket, its value, and whether it is done or what it needs."""
        note = self.labels.ticket_note(state.ticket)
        worth = counted(state.ticket.points, "point") + (f", {note}" if note else "")
        return f"{self.labels.ticket(state.ticket.id)}, {worth}: {self.need(state)}."

    def need(self, state: TicketState) -> str:
        """ "done", or the cheapest way that is left."""
        if state.joined:
            return "done"
        if state.helped:
            return state.helped.text
        if state.missing is None:
            helps = filter(None, (part.could_help(self.view) for part in self.parts))
            return ", ".join(["to do, by own tracks impossible", *helps])
        way = ", ".join(f"{self.leg(leg)} {leg.track.colour}" for leg in state.missing)
        short = f", more than your {self.view.me.trains}" if state.trains > self.view.me.trains else ""
        return f"to do, {counted(state.trains, 'train')} missing{short}: {way}"

    def short_need(self, state: TicketState) -> str:
        """The same for a narrow column: how many trains, and the places on the way."""
        if state.joined or state.helped:
            return "done" if state.joined or not state.helped else state.helped.short
        if state.missing is None:
            return "to do: no way left"
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
            lines += [f"  {line}" for part in self.parts for line in part.built(player, self.labels)]
        free = len(self.data.tracks) - len(self.view.owners)
        lines.append(f"Not claimed: {counted(free, 'track')}; tracks lists them.")
        return [*lines, *self.lying(), *self.tables()]

    def tables(self) -> list[str]:
        """The tables printed on the board and the cards, and which of them are not the printed ones."""
        lengths = {track.length for track in self.data.tracks}
        points = [n if spaces in lengths else 0 for spaces, n in enumerate(self.data.track_points)]
        lines = [f"Points by spaces: {numbers_table(points)}."]
        lines += [line for part in self.parts for line in part.tables(self.data)]
        note = reconstruction_note(self.data)
        return lines + ([note] if note else [])

    def _owned(self, track: str) -> str:
        states = filter(None, (part.track_state(track, self.view) for part in self.parts))
        return ", ".join([f"{self.labels.track(track)}: {self.track_kind(self.labels.tracks[track])}", *states])

    def track_kind(self, track: Track) -> str:
        """ "4 purple", and what is special about the track."""
        return ", ".join([f"{track.length} {track.colour}", *special_kinds(track)])

    def track_state(self, track: Track) -> str:
        """ "free", its owner, or why it is closed."""
        owner = self.view.owners.get(track.id)
        if owner is not None:
            states = filter(None, (part.track_state(track.id, self.view) for part in self.parts))
            return ", ".join([self.names[owner], *states])
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
        return f"{self.labels.track(track.id)}: {self.track_kind(track)}, {worth}, {self.track_state(track)}."

    # ------------------------------------------------------------ the menu

    def again(self, menu: Menu) -> list[str]:
        """What has changed with a first card or ticket and is needed for the next choice."""
        drawing = any(option.text.startswith("draw ") for option in menu.options)
        return [*(self.display(menu) if drawing else []), *self.own()]

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
        kind, worth = self.track_kind(t), counted(offer.points, "point")
        return f"claim {self.labels.pair(t.a, t.b)}, {kind}, {worth}: costs {price_in_words(offer)}{helps}."

    # ------------------------------------------------------------ points so far

    def score(self) -> list[str]:
        """Everybody's running score, and the reader's own sheet if the game ended now."""
        lines = [f"{self.names[p.seat]}: {counted(p.score, 'point')} for tracks." for p in self.view.players]
        if self.view.reader is None:
            return lines
        sheet = own_sheet(self.view)
        total = sheet.total - sheet.globetrotter_bonus
        lines.append("If the game ended now, as far as you can know:")
        lines.append(f"  tracks {sheet.tracks:+d}.")
        for ticket in sheet.tickets:
            done = "done" if ticket.completed else "not done"
            lines.append(f"  ticket {self.labels.ticket(ticket.ticket)}, {done}: {ticket.points:+d}.")
        lines += [f"  {line}" for part in self.parts for line in part.standing(sheet, self.labels)]
        if self.data.longest_path:
            lines.append(f"  longest path, {counted(sheet.longest_path, 'train')}: {sheet.longest_path_bonus:+d}.")
        if self.data.globetrotter:
            lines.append("  globetrotter: decided at the end, by everybody's tickets.")
        note = reconstruction_note(self.data)
        return [*lines, f"  together {total}."] + ([note] if note else [])
