"""A reader's board as a net: what each ticket still takes, and what a claim or one more loan would do for it.

Advice, no rule. Own tracks are free, open ones cost their spaces, those of others cannot be used unless they are lent.
What is lent now, if the game ended, stays lent, for all tickets alike; who lends nothing yet may lend anything. All
comes from a view, so it tells nothing that its reader may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from branchline.graph.search import NONE, Net, Step
from branchline.kernel.board import make_board
from branchline.kernel.hooks import lending_places, lending_sites, loan_at, locos_asked, more_joins, tracks_to_lend
from branchline.kernel.paths import join_places
from branchline.kernel.scoring import score_tickets
from branchline.kernel.scratch import scratch
from branchline.maps.model import GRAY, LOCO, MapData, Ticket
from branchline.mechanics.composed import BITS, TRACK_WORDS, Board, Position
from branchline.view import View

Weigh: TypeAlias = Callable[[int, int], int]  # trains, and cards that are not in hand: what a track costs
Lenders: TypeAlias = Mapping[int, int | None]  # by place: the track lent there, or None while any could be

LOAN = 1  # of two ways for the same the one that borrows less
CARD = 100
TRAIN = 1000 * CARD  # a train weighs far more than a card: trains first, then cards


def by_cards(trains: int, short: int) -> int:
    """The fewest trains, then the fewest cards that are not in hand."""
    return TRAIN * trains + CARD * short


def by_tracks(trains: int, short: int) -> int:
    """The fewest trains, then the fewest tracks, own ones included."""
    return TRAIN * trains + 1


@dataclass(frozen=True, slots=True)
class Loan:
    """A track of another player, lent at a place."""

    place: str
    track: str


@dataclass(frozen=True, slots=True)
class Path:
    """The tracks from end to end, own and borrowed ones among them, and what they still take."""

    tracks: tuple[str, ...]
    loans: tuple[Loan, ...]
    trains: int
    cards: dict[str, int]  # not in hand; `gray` is any one colour, `loco` what a track asks for by name


@dataclass(frozen=True, slots=True)
class Help:
    """What something new does for a ticket: the trains to lay without it (None: no way was left) and with it."""

    ticket: str
    before: int | None
    after: int


@dataclass(frozen=True, slots=True)
class LoanHelp:
    """What one more loan at a place would be good for: the track to borrow, and the tickets that helps."""

    place: str
    track: str
    helps: tuple[Help, ...]


class Network:
    """The board as the reader may use it. Made once for many questions about one position.

    `weigh` says what an open track costs; without `borrows` nothing is lent.
    """

    def __init__(self, view: View, weigh: Weigh = by_cards, *, borrows: bool = True) -> None:
        if view.reader is None:
            raise ValueError("a spectator has no tracks")
        self.map: MapData = view.map
        self.hand: dict[str, int] = view.me.hand
        self._s: Position = view.position
        self._b: Board = make_board(view.map)
        self._seat = view.reader
        self._weigh = weigh
        self._place = {place.id: p for p, place in enumerate(view.map.places)}
        self._tickets = {ticket.id: ticket for ticket in view.map.tickets}
        own = self._bits(self._s.owned)
        shut = self._bits(self._s.shut)
        tracks = range(len(view.map.tracks))
        self.own = frozenset(t for t in tracks if own >> t & 1)
        self.open = tuple(t for t in tracks if not shut >> t & 1)
        self._paths: dict[str, tuple[Step, ...] | None] = {}
        self._near: dict[tuple[str, ...], dict[int, int]] = {}
        self._lend(self._lenders() if borrows else {})

    # ------------------------------------------------------------ the board

    def _bits(self, words: Sequence[int]) -> int:
        """The reader's set of tracks, of those of all seats, as one number."""
        at = TRACK_WORDS * self._seat
        return sum((word & (1 << BITS) - 1) << BITS * i for i, word in enumerate(words[at : at + TRACK_WORDS]))

    def _lenders(self) -> Lenders:
        """Who lends to the reader, and what, if the game ended now."""
        s, b, w, seat = self._s, self._b, scratch(), self._seat
        places = lending_places(s, b, seat)
        if not places:
            return {}
        join_places(s, b, w, seat)
        score_tickets(s, b, w, seat)
        more_joins(s, b, w, seat)
        found = {p: loan_at(s, b, w, seat, p) for p in range(b.n_places) if places >> p & 1}
        return {p: track - 1 if track else None for p, track in found.items()}

    @property
    def sites(self) -> list[int]:
        """The places where one more track could be lent."""
        places = lending_sites(self._s, self._b, self._seat)
        return [p for p in range(self._b.n_places) if places >> p & 1]

    def lendable(self, place: int) -> list[int]:
        """The tracks that could be lent at a place."""
        words = [tracks_to_lend(self._s, self._b, self._seat, 1 << place, word) for word in range(TRACK_WORDS)]
        return [t for t in range(len(self.map.tracks)) if words[t // BITS] >> t % BITS & 1]

    def _lend(self, lenders: Lenders) -> None:
        """Make the net, with these loans."""
        self.lenders = lenders
        self._promised = {track: place for place, track in lenders.items() if track is not None}
        self._undecided = [place for place, track in lenders.items() if track is None]
        b = self._b
        self._net = Net(b.n_places, frozenset(p for p in range(b.n_places) if b.dead_ends >> p & 1))
        for t in (*sorted(self.own), *self.open):
            self._add(t, self._weigh(0, 0) if t in self.own else self._weigh(b.length[t], self._short(t)))
        for t in self._promised:
            self._add(t, LOAN)
        lent: dict[int, tuple[int, ...]] = {}
        for lender, place in enumerate(self._undecided):
            for t in self.lendable(place):
                lent[t] = (*lent.get(t, ()), lender)
        for t, by in lent.items():
            if t not in self._promised:
                self._net.add(b.track_a[t], b.track_b[t], t, LOAN, by)

    def _add(self, t: int, price: int) -> None:
        self._net.add(self._b.track_a[t], self._b.track_b[t], t, price)

    def _short(self, t: int) -> int:
        """Cards the hand lacks for this track alone: decides between ways of the same length."""
        return sum(self.missing_cards([t]).values())

    def _with(self, lenders: Lenders) -> Network:
        """The same board with other loans."""
        twin = object.__new__(Network)
        twin.__dict__.update(self.__dict__, _paths={}, _near={})
        twin._lend(lenders)
        return twin

    # ------------------------------------------------------------ paths

    def steps(self, ticket: str, free: Collection[int] = NONE) -> tuple[Step, ...] | None:
        """The cheapest way between the ends of a ticket, or None if they cannot be joined any more."""
        if free:
            return self._steps(ticket, free)
        if ticket not in self._paths:
            self._paths[ticket] = self._steps(ticket, free)
        return self._paths[ticket]

    def _steps(self, ticket: str, free: Collection[int]) -> tuple[Step, ...] | None:
        a, b = self._ends(self._tickets[ticket])
        return self._net.cheapest(a, b, free)

    def _ends(self, ticket: Ticket) -> tuple[list[int], list[int]]:
        return [self._place[p] for p in ticket.a], [self._place[p] for p in ticket.b]

    def path(self, ticket: str) -> Path | None:
        """The cheapest path of a ticket, with what it takes."""
        steps = self.steps(ticket)
        return None if steps is None else self._path([step.track for step in steps], self._loans(steps))

    def _loans(self, steps: Iterable[Step]) -> dict[int, int]:
        """By place the tracks that are lent on a way."""
        loans = {}
        for step in steps:
            if step.lender >= 0:
                loans[self._undecided[step.lender]] = step.track
            elif step.track in self._promised:
                loans[self._promised[step.track]] = step.track
        return loans

    def _path(self, tracks: Sequence[int], loans: Mapping[int, int]) -> Path:
        names, places = self.map.tracks, self.map.places
        missing = [t for t in tracks if t not in self.own and t not in loans.values()]
        return Path(
            tuple(names[t].id for t in tracks),
            tuple(Loan(places[p].id, names[t].id) for p, t in loans.items()),
            self._trains(missing),
            self.missing_cards(missing),
        )

    def _trains(self, tracks: Iterable[int]) -> int:
        return sum(self._b.length[t] for t in tracks)

    def trains(self, ticket: str, free: Collection[int] = NONE) -> int | None:
        """The trains that a ticket still takes, or None if its ends cannot be joined any more."""
        steps = self.steps(ticket, free)
        if steps is None:
            return None
        return self._trains(step.track for step in steps if step.price >= TRAIN)

    def together(self, tickets: Iterable[str]) -> Path | None:
        """One plan for tickets that share their tracks and loans, the cheapest first; None if one cannot be had."""
        net, left, tracks = self, list(tickets), dict[int, None]()
        loans: dict[int, int] = {}
        while left:
            trains = [net.trains(ticket, tracks) for ticket in left]
            if None in trains:
                return None
            steps = net.steps(left.pop(trains.index(min(n for n in trains if n is not None))), tracks)
            assert steps is not None
            new = net._loans(step for step in steps if step.track not in tracks)
            tracks |= dict.fromkeys(step.track for step in steps)
            if new:
                loans |= new
                net = net._with({**net.lenders, **new})
        return self._path(list(tracks), loans)

    def best_to_keep(self, sets: Iterable[Sequence[str]], trains: int) -> Sequence[str] | None:
        """Of sets of tickets the one with most points for each train it takes; None if the trains suffice for none."""
        best, most = None, -1.0
        for tickets in sets:
            path = self.together(tickets)
            if path is not None and path.trains <= trains:
                worth = sum(self._tickets[t].points for t in tickets) / max(1, path.trains)
                if worth > most:
                    best, most = tickets, worth
        return best

    # ------------------------------------------------------------ what helps

    def helps(self, track: int, tickets: Iterable[str]) -> tuple[Help, ...]:
        """What a track would do for tickets if it were the reader's: those it completes or brings nearer."""
        near = [ticket for ticket in tickets if self._may_help(track, ticket)]
        return self._ranked((ticket, self.trains(ticket, {track})) for ticket in near)

    def one_more_loan(self, place: int, tickets: Sequence[str]) -> LoanHelp | None:
        """What one more loan at a place would do: the track that completes most, then saves most; None if none does."""
        best, most = None, 0
        for track in self.lendable(place):
            near = [ticket for ticket in tickets if self._may_help(track, ticket)]
            if near:
                net = self._with({**self.lenders, place: track})
                helps = self._ranked((ticket, net.trains(ticket)) for ticket in near)
                worth = sum(self._worth(one) for one in helps)
                if worth > most:
                    most = worth
                    best = LoanHelp(self.map.places[place].id, self.map.tracks[track].id, helps)
        return best

    def _worth(self, help: Help) -> int:
        saved = (1000 if help.before is None else help.before) - help.after
        return saved if help.after else saved + 1000 * self._tickets[help.ticket].points

    def _ranked(self, after: Iterable[tuple[str, int | None]]) -> tuple[Help, ...]:
        """Those that are helped: completed ones first, then by points."""
        helps = []
        for ticket, trains in after:
            before = self.trains(ticket)
            if trains is not None and (before is None or trains < before):
                helps.append(Help(ticket, before, trains))
        return tuple(sorted(helps, key=lambda help: (help.after > 0, -self._tickets[help.ticket].points)))

    def _may_help(self, track: int, ticket: str) -> bool:
        """Could a track for nothing bring the ends nearer? A bound from the distances to both: no if it says no."""
        before = self.trains(ticket)
        if before == 0:
            return False
        a, b = self._distances(self._tickets[ticket].a), self._distances(self._tickets[ticket].b)
        one, other = self._b.track_a[track], self._b.track_b[track]
        least = [a[p] + b[q] for p, q in ((one, other), (other, one)) if p in a and q in b]
        return bool(least) and (before is None or min(least) // TRAIN < before)

    def _distances(self, places: tuple[str, ...]) -> dict[int, int]:
        if places not in self._near:
            self._near[places] = self._net.distances([self._place[p] for p in places])
        return self._near[places]

    # ------------------------------------------------------------ cards

    def missing_cards(self, tracks: Iterable[int]) -> dict[str, int]:
        """The cards the hand lacks for tracks: locomotives asked for, then colours, then gray ones from the rest."""
        facts = [(self.map.tracks[t], self._asked[t]) for t in tracks]
        left = dict(self.hand)
        missing: dict[str, int] = {}
        for _, locos in facts:
            _lack(missing, LOCO, _take(left, LOCO, locos))
        for track, locos in facts:
            if track.colour != GRAY:
                _lack(missing, track.colour, _take(left, track.colour, track.length - locos))
        gray = [(track, locos) for track, locos in facts if track.colour == GRAY]
        for track, locos in sorted(gray, key=lambda fact: -fact[0].length):
            _lack(missing, GRAY, _take(left, _most(left), track.length - locos))
        for card in sorted((card for card in missing if card != LOCO), key=lambda card: -missing[card]):
            missing[card] = _take(left, LOCO, missing[card])
        return {card: n for card, n in missing.items() if n}

    @cached_property
    def _asked(self) -> list[int]:
        """The locomotives that each track asks for."""
        return [locos_asked(self._b, t) for t in range(len(self.map.tracks))]


def _take(left: dict[str, int], card: str, n: int) -> int:
    """Take cards of a kind; how many are lacking."""
    taken = min(left.get(card, 0), n)
    left[card] = left.get(card, 0) - taken
    return n - taken


def _lack(missing: dict[str, int], card: str, n: int) -> None:
    if n > 0:
        missing[card] = missing.get(card, 0) + n


def _most(left: Mapping[str, int]) -> str:
    """The colour of which most is left."""
    return max((card for card in left if card != LOCO), key=left.__getitem__, default=GRAY)


# ---------------------------------------------------------------- without a view


def chain_of(data: MapData, ticket: Ticket, tracks: Collection[str]) -> tuple[str, ...]:
    """The fewest of these tracks that join the ends of a ticket; none where they do not."""
    place = {p.id: i for i, p in enumerate(data.places)}
    net = Net(len(place), frozenset(place[p.id] for p in data.places if p.dead_end))
    for t, track in enumerate(data.tracks):
        if track.id in tracks:
            net.add(place[track.a], place[track.b], t, 1)
    steps = net.cheapest([place[p] for p in ticket.a], [place[p] for p in ticket.b])
    return tuple(data.tracks[step.track].id for step in steps or ())
