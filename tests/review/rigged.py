"""Positions in which the best choice is proven: near the end, where all that follows can be gone through.

They come from games of quick bots, at a seat's last turn or the last but one of the game. The tickets of all are taken
away, and the seat is given others until one choice wins, whatever follows it, and no other does. The others hold no
ticket, and what they might pay with lies open; so nothing that decides is hidden from the seat.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from branchline.actions import Action, BuildStation, ClaimTrack, DrawDeck, DrawDisplay, KeepTickets
from branchline.bots.games.match import CONDUCTOR_BOT
from branchline.bots.players import engine
from branchline.codec import action_of, names_of
from branchline.fast import FastGame
from branchline.kernel.board import make_board
from branchline.kernel.claim import lay_trains
from branchline.kernel.paths import is_completed, join_places
from branchline.kernel.primitives import lowest
from branchline.kernel.scoring import score_game
from branchline.kernel.scratch import scratch
from branchline.kernel.turn import apply_action, fill_menu, write_menu
from branchline.maps.loader import load_map
from branchline.maps.model import MapData
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position
from branchline.notation import write_action
from branchline.review.alike import likeness
from branchline.review.moments import Moment
from branchline.view import View, imagine

MOST_ENDS = 400  # of one position: where there are more, it is left
TRIES = 400  # sets of tickets for one position
TRAINS = 3, 12  # what the seat has left
MORE = 8  # cards given to a seat, so that there are claims to choose from
WON, LEVEL = 1.0, 0.5
ANSWERED = ("a block that decides", "ahead of any answer")


@dataclass(frozen=True)
class Rigged:
    """A position, what its seat knows, and the one choice that wins."""

    kind: str
    view: View
    position: Position
    best: Action
    other: Action  # one that does not win

    def moment(self) -> Moment:
        """As if the other had been chosen."""
        view = self.view
        assert view.reader is not None
        code = {a: c for c, a in _choices(self.position, view.map, view.reader)}[self.other]
        line = write_action(self.other)
        return Moment(1, view.reader, self.other, line, code, view, False, self.position, self.position, ())


def rigged(name: str, players: int, seed: int) -> Iterator[Rigged]:
    """The positions of one game."""
    data, rng = load_map(name), Random(f"{name} {players} {seed}")
    for s in _late_positions(data, players, seed):
        for make in (_claim, _keep, _block):
            found = make(data, s.copy(), rng)
            if found is not None and not isinstance(found.best, DrawDeck) and _is_open(found):
                yield found


def _late_positions(data: MapData, players: int, seed: int) -> Iterator[Position]:
    """Turns near the end of a game, of whoever has some trains left."""
    game, n = FastGame(data, players, seed), 0
    while not game.is_over:
        s, seat = game.position, game.seat
        if s.phase == k.TURN and TRAINS[0] <= s.trains[seat] <= TRAINS[1]:
            yield s.copy()
        game.step(engine().choose(View.of(data, s, seat), CONDUCTOR_BOT, seat, n))
        n += 1


def _is_open(found: Rigged) -> bool:
    """Whether nothing is hidden from the seat that scores: in worlds it imagines everybody stands as they do."""
    board, w, rng = make_board(found.view.map), scratch(), Random(1)
    scores = []
    for s in (found.position, *(imagine(found.view, rng).position for _ in range(8))):
        score_game(s, board, w)
        scores.append(w.total[: s.players])
    return all(one == scores[0] for one in scores) and all(_still_wins(found, rng) for _ in range(4))


def _still_wins(found: Rigged, rng: Random) -> bool:
    """Whether the best choice wins in a world that the seat imagines."""
    data, seat, world = found.view.map, found.view.reader, imagine(found.view, rng).position
    assert seat is not None
    if world.turns_left > 1:
        return True
    code = {action: code for code, action in _choices(world, data, seat)}[found.best]
    return max(_share(end, data, seat, ()) for end in _ends(world, data, code)) == WON


# --- ends -----------------------------------------------------------------------------------------------------


def _choices(s: Position, data: MapData, seat: int) -> list[tuple[int, Action]]:
    board, w, names = make_board(data), scratch(), names_of(data)
    fill_menu(s, board, w, seat)
    return [(code, action_of(code, s, names, seat)) for code in w.codes[: write_menu(w)]]


def _unlike(s: Position, data: MapData, seat: int) -> list[tuple[int, Action]]:
    """One of each choices that are alike; all cards are one, for none of them scores any more."""
    view, found = View.of(data, s, seat), dict[Hashable, tuple[int, Action]]()
    for code, action in _choices(s, data, seat):
        if not isinstance(action, DrawDisplay):
            found.setdefault(likeness(action, view), (code, action))
    return list(found.values())


def _ends(s: Position, data: MapData, code: int) -> list[Position]:
    """Every way in which a turn can end after a code of the seat on turn; of cards drawn only one."""
    board, w, seat = make_board(data), scratch(), lowest(s.awaited)
    s = s.copy()
    apply_action(s, board, w, seat, code)
    if s.phase == k.OVER or not s.awaited >> seat & 1 or s.phase == k.TURN:
        return [s]
    then = [c for c, _ in _choices(s, data, seat)]
    if s.phase == k.DRAW_SECOND:
        then = then[:1]
    return [end for one in then for end in _ends(s, data, one)]


def _tried(s: Position, data: MapData, code: int, action: Action) -> tuple[list[Position], bool]:
    """The ends of a choice, and whether chance has no part in them; a tunnel is let succeed."""
    if isinstance(action, ClaimTrack):
        track = next(t for t in data.tracks if t.id == action.track)
        if track.tunnel:
            end = s.copy()
            lay_trains(end, make_board(data), lowest(s.awaited), names_of(data).track[action.track], 0)
            return [end], False
    return _ends(s, data, code), True


@dataclass
class _End:
    """An end without tickets: the totals, and the tickets that the seat would have completed."""

    position: Position
    totals: list[int]
    done: set[int]


def _end(s: Position, data: MapData, seat: int) -> _End:
    board, w = make_board(data), scratch()
    score_game(s, board, w)
    totals = w.total[: s.players]
    join_places(s, board, w, seat)
    return _End(s, totals, {t for t in range(board.n_tickets) if is_completed(board, w, t)})


def _share(end: Position, data: MapData, seat: int, tickets: Sequence[int]) -> float:
    """What the seat wins, by the rules, with these tickets."""
    s, w = end.copy(), scratch()
    for t in tickets:
        s.ticket_at[t] = k.HELD + seat
    score_game(s, make_board(data), w)
    places = w.place[: s.players]
    return (places[seat] == 1) / places.count(1)


def _without_tickets(s: Position) -> None:
    for t in range(len(s.ticket_at)):
        s.ticket_at[t] = 0
    for p in range(s.players):
        s.ticket_count[p] = 0
    s.ticket_n = 0


def _held(s: Position, seat: int, tickets: Sequence[int]) -> Position:
    s = s.copy()
    for t in tickets:
        s.ticket_at[t] = k.HELD + seat
    s.ticket_count[seat] = len(tickets)
    return s


# --- a claim on the last turn ---------------------------------------------------------------------------------


def _claim(data: MapData, s: Position, rng: Random) -> Rigged | None:
    """The last turn of the game: only what scores at once counts."""
    seat, s.turns_left = lowest(s.awaited), 1
    _without_tickets(s)
    _draw_more(s, seat)
    tried = {action: _tried(s, data, code, action) for code, action in _unlike(s, data, seat)}
    if sum(len(ends) for ends, _ in tried.values()) > MOST_ENDS or len(tried) < 3:
        return None
    ends = {action: [_end(end, data, seat) for end in found] for action, (found, _) in tried.items()}
    for tickets in _some_tickets(data, ends.values(), rng):
        best = _only_winner(ends, data, seat, tickets)
        if best is not None and tried[best][1]:
            return _rigged_claim(data, _held(s, seat, tickets), ends, best, tickets)
    return None


def _some_tickets(data: MapData, ends: Iterable[Sequence[_End]], rng: Random) -> Iterator[list[int]]:
    """Sets of tickets to try; first those that some choice completes and another does not."""
    done = [end.done for found in ends for end in found]
    decided = sorted(t for t in range(len(data.tickets)) if 0 < sum(t in one for one in done) < len(done))
    for n in range(TRIES):
        first = [rng.choice(decided)] if decided and n % 3 else []
        rest = [t for t in range(len(data.tickets)) if t not in first]
        yield first + rng.sample(rest, rng.randint(0, 6))


def _draw_more(s: Position, seat: int) -> None:
    """Let the seat have more to choose from: some cards of the deck."""
    for _ in range(min(MORE, s.deck_n)):
        card = s.deck[s.deck_n - 1]
        if card < k.CARDS:
            s.deck_n -= 1
            s.hand[seat * k.HAND + card] += 1


def _only_winner(ends: dict[Action, list[_End]], data: MapData, seat: int, tickets: Sequence[int]) -> Action | None:
    """The choice that wins in some way of its own, if no choice unlike it does more than share."""
    points = [ticket.points for ticket in data.tickets]
    likely: list[Action] = []
    for action, found in ends.items():
        lead = max(_lead(end, seat, tickets, points) for end in found)
        if lead >= 0:
            likely.append(action)
        if len({_like(one) for one in likely}) > 2:
            return None
    shares = {a: max(_share(end.position, data, seat, tickets) for end in ends[a]) for a in likely}
    won = [action for action, share in shares.items() if share == WON]
    if not won or len({_like(action) for action in won}) > 1:
        return None
    losers = [action for action in ends if _like(action) != _like(won[0])]
    if max((max(_share(e.position, data, seat, tickets) for e in ends[a]) for a in losers), default=1) > LEVEL:
        return None
    return won[0]


def _lead(end: _End, seat: int, tickets: Sequence[int], points: Sequence[int]) -> int:
    own = end.totals[seat] + sum(points[t] if t in end.done else -points[t] for t in tickets)
    return own - max(total for p, total in enumerate(end.totals) if p != seat)


def _like(action: Action) -> object:
    return (ClaimTrack, action.track) if isinstance(action, ClaimTrack) else action


def _rigged_claim(
    data: MapData, s: Position, ends: dict[Action, list[_End]], best: Action, tickets: Sequence[int]
) -> Rigged | None:
    seat = lowest(s.awaited)
    view = View.of(data, s, seat)
    losers = [action for action in ends if _like(action) != _like(best)]
    other = DrawDeck() if DrawDeck() in losers else losers[0]
    if likeness(best, view) in {likeness(a, view) for a in losers}:
        return None  # a parallel track that does not win: alike for a player, and no puzzle
    return Rigged(_kind(s, seat, best, ends, other, tickets), view, s, best, other)


def _kind(
    s: Position, seat: int, best: Action, ends: dict[Action, list[_End]], other: Action, tickets: Sequence[int]
) -> str:
    end, idle = ends[best][0], ends[other][0]
    joined = [t for t in tickets if t in end.done and t not in idle.done]
    others = [n for p, n in enumerate(end.totals) if p != seat]
    if isinstance(best, BuildStation):
        return "a station"
    if any(a < b for a, b in zip(others, [n for p, n in enumerate(idle.totals) if p != seat], strict=True)):
        return "the longest path taken away"
    if len(joined) > 1:
        return "two tickets at once"
    if joined:
        return "the only path"
    return "a winning claim"


# --- tickets on the last turn ---------------------------------------------------------------------------------


def _keep(data: MapData, s: Position, rng: Random) -> Rigged | None:
    """Tickets were drawn with the last turn: what is not completed never will be."""
    seat, s.turns_left = lowest(s.awaited), 1
    _without_tickets(s)
    end = _end(s, data, seat)
    points, missing = [t.points for t in data.tickets], [t for t in range(len(data.tickets)) if t not in end.done]
    for _ in range(TRIES):
        if len(end.done) < 1 or len(missing) < 2:
            return None
        done = rng.sample(sorted(end.done), min(len(end.done), rng.randint(0, 2)))
        offer = done + rng.sample(missing, 3 - len(done))
        held = rng.sample([t for t in range(len(points)) if t not in offer], rng.randint(0, 2))
        found = _offered(data, _held(s, seat, held), seat, offer, held)
        if found is not None:
            return found
    return None


def _offered(data: MapData, s: Position, seat: int, offer: Sequence[int], held: Sequence[int]) -> Rigged | None:
    shares = {}
    sets = [kept for n in range(1, len(offer) + 1) for kept in combinations(offer, n)]
    for kept in sets:
        shares[kept] = _share(s, data, seat, [*held, *kept])
    won = [kept for kept in sets if shares[kept] == WON]
    if len(won) != 1 or any(LEVEL < share < WON for share in shares.values()):
        return None
    s.phase, s.offer_n[seat], s.kept_n[seat], s.ordered_n[seat] = k.KEEP_TICKETS, len(offer), 0, 0
    for i, t in enumerate(offer):
        s.offer[seat * k.OFFER + i] = t
    names, view = names_of(data), View.of(data, s, seat)
    actions = [a for _, a in _choices(s, data, seat) if isinstance(a, KeepTickets)]
    best = _keeping(actions, {names.tickets[t] for t in won[0]})
    other = _keeping(actions, {names.tickets[t] for t in max(sets, key=len)})
    if best is None or other is None or best == other:
        return None
    kind = "keep what is completed" if len(won[0]) > 1 else "a ticket that cannot be done"
    return Rigged(kind, view, s, best, other)


def _keeping(actions: Sequence[KeepTickets], tickets: set[str]) -> KeepTickets | None:
    return next((action for action in actions if set(action.tickets) == tickets), None)


# --- a block --------------------------------------------------------------------------------------------------


def _block(data: MapData, s: Position, rng: Random) -> Rigged | None:
    """The last turn but one: another may still claim what would win for them, with cards that lie open."""
    seat, s.turns_left = lowest(s.awaited), 2
    after = (seat + 1) % s.players
    _without_tickets(s)
    _open_hand(s, data, after)
    tried = {action: _tried(s, data, code, action) for code, action in _unlike(s, data, seat)}
    if sum(len(ends) for ends, _ in tried.values()) > MOST_ENDS // 8 or len(tried) < 3:
        return None
    replies: dict[Action, list[list[_End]]] = {
        a: [_replies(end, data, seat, after) for end in ends] for a, (ends, sure) in tried.items() if sure
    }
    if len(replies) < len(tried):
        return None
    for tickets in _some_tickets(data, (way for ways in replies.values() for way in ways), rng):
        shares = {a: max(_worst(found, data, seat, tickets) for found in ways) for a, ways in replies.items()}
        won = [a for a, share in shares.items() if share == WON]
        if len({_like(a) for a in won}) == 1 and all(
            share <= LEVEL for a, share in shares.items() if _like(a) != _like(won[0])
        ):
            return _blocked(data, _held(s, seat, tickets), seat, won[0], replies, tickets)
    return None


def _open_hand(s: Position, data: MapData, seat: int) -> None:
    """All that a player holds is what everybody saw them take; the others have nothing more that could be told."""
    for card in range(k.CARDS):
        s.seen[seat * k.CARDS + card] = s.hand[seat * k.HAND + card]


def _replies(s: Position, data: MapData, seat: int, after: int) -> list[_End]:
    if s.phase == k.OVER:
        return [_end(s, data, seat)]
    codes = _unlike(s, data, after)
    return [_end(end, data, seat) for c, a in codes for end in _tried(s, data, c, a)[0]]


def _worst(found: Sequence[_End], data: MapData, seat: int, tickets: Sequence[int]) -> float:
    points = [ticket.points for ticket in data.tickets]
    leads = [(_lead(end, seat, tickets, points), n) for n, end in enumerate(found)]
    least, at = min(leads)
    if least > 0:
        return WON if _share(found[at].position, data, seat, tickets) == WON else LEVEL
    return LEVEL if least == 0 else 0.0


def _blocked(
    data: MapData,
    s: Position,
    seat: int,
    best: Action,
    replies: dict[Action, list[list[_End]]],
    tickets: Sequence[int],
) -> Rigged | None:
    view = View.of(data, s, seat)
    others = [a for a in replies if _like(a) != _like(best)]
    if likeness(best, view) in {likeness(a, view) for a in others} or DrawDeck() not in others:
        return None
    idle = max(_share(end.position, data, seat, tickets) for end in replies[DrawDeck()][0])
    kind = ANSWERED[idle < WON]
    return Rigged(kind, view, s, best, DrawDeck())
