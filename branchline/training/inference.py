"""The network by NumPy: what it thinks of a position, one pass; no torch.

`Engine` holds a checkpoint ready for use. It writes the observation by the compiled kernel and looks at one position a
call; `think` tells the probabilities of the legal codes, the win probability by seat and the expected margin.
`think_many` looks at many positions of one map at once, which takes a third of the time for each, and tells of each
only the likeliest code. `judge` does the same for who has the observations already.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from branchline.kernel.board import make_board
from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import MapData
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from branchline.training import network as net
from branchline.training import record as o
from branchline.training.boards import board_facts
from branchline.training.checkpoint import Checkpoint, load
from branchline.training.facts import ERRANDS

Array = np.ndarray
SHIPPED = Path(__file__).with_name("checkpoints") / "net.npz"
SEEN = o.Observation.dtype()
BITS = np.arange(k.BITS)
BATCH = 16  # positions to look at in one pass: much more of them leave the processor's cache and take longer each
NO_WORD = -1  # in the place of a code: the network has no word for anything that is open
_COLOURS = np.arange(k.CARDS)


class Thought(NamedTuple):
    """What the network says of one position to the seat that chooses."""

    codes: Array  # legal codes, ascending
    chances: Array  # the probability with which it would choose each
    wins: Array  # win probability by seat, in turn order from the one that chooses
    margin: float  # expected points above the mean of the others at the end


class Judged(NamedTuple):
    """What the network says of many positions, each to the seat that chooses there."""

    codes: Array  # the code it thinks best: the best of what is open, then the best colour to pay for it; or NO_WORD
    wins: Array  # [positions, SEATS]: win probability in turn order from the one that chooses; 0 where nobody sits
    margins: Array  # expected points above the mean of the others at the end


class Engine:
    """A network ready to play. Not for two threads at once."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        from branchline.training.compiled import load_see

        self._see = load_see()
        self._own = checkpoint.maps
        self._token = checkpoint.shape.token
        scales = {name: np.array(row, np.float32) for name, row in net.all_scales().items()}
        self._weights = net.prepare(_joined, net.whole(checkpoint.weights, checkpoint.shape), scales)
        self._boards: dict[str, _Board] = {}
        self._make_room()

    def _make_room(self) -> None:
        """Scratch to work in."""
        self._position = np.zeros(Position.SIZE, np.uint8)
        self._work = np.zeros(Work.SIZE, np.uint8)
        self._paths = np.zeros(o.Paths.SIZE, np.uint8)
        self._seen = np.zeros(1, SEEN)

    def twin(self) -> Engine:
        """The same network for another thread: it shares the weights and the boards."""
        other = copy.copy(self)
        other._make_room()
        return other

    def observe(self, data: MapData, position: bytes, seat: int) -> Any:
        """What a seat sees, as a record; the next call writes over it."""
        board = self._board(data)
        self._position[:] = np.frombuffer(position, np.uint8)
        rooms = (self._position, board.table, self._work, self._seen, self._paths)
        self._see(*(room.ctypes.data for room in rooms), seat)
        return self._seen[0]

    def think(self, data: MapData, position: bytes, seat: int) -> Thought:
        """What the network says of a position, true or as the seat sees it."""
        seen = self.observe(data, position, seat)
        board = self._board(data)
        choices = net.evaluate(net.NumPy, self._weights, self._inputs(seen, board), board.facts)
        codes, chances = self._policy(seen, choices, board)
        players = int(seen["players"])
        wins = _softmax(choices.wins[0][:players])
        points = seen["points"][:players].astype(np.float64)
        now = points[0] - points[1:].mean()
        return Thought(codes, chances, wins, float(now + 100 * choices.margin[0]))

    def think_many(self, data: MapData, positions: Sequence[bytes], seats: Sequence[int]) -> Judged:
        """What the network says of many positions of one map."""
        seen = np.zeros(len(positions), SEEN)
        for i, (position, seat) in enumerate(zip(positions, seats, strict=True)):
            seen[i] = self.observe(data, position, seat)
        return self.judge(data, seen)

    def judge(self, data: MapData, seen: Array) -> Judged:
        """What the network says to the seats that see this."""
        parts = [self._judge(seen[at : at + BATCH], self._board(data)) for at in range(0, len(seen), BATCH)]
        return Judged(*(np.concatenate(rows) for rows in zip(*parts, strict=True)))

    def knows(self, data: MapData) -> bool:
        """Whether the network was trained on a map."""
        return (_known_as(data) or "") in self._own

    def choose(self, data: MapData, position: bytes, seat: int) -> int | None:
        """The code it thinks best: the best of what is open, then the best colour to pay for it. None if it has no
        word for anything that is open."""
        seen = self.observe(data, position, seat)
        board = self._board(data)
        choices = net.evaluate(net.NumPy, self._weights, self._inputs(seen, board), board.facts)
        at, logits = self._open(seen, choices, board)
        if not len(at):
            return None
        codes = self._codes(seen, choices, board, int(at[logits.argmax()]))
        return max(codes, key=lambda pair: pair[1])[0]

    def believe(self, data: MapData, position: bytes, seat: int) -> Array | None:
        """How likely each of the others, in turn order, holds each ticket: [others, tickets]; None if never taught."""
        if "belief.out" not in self._weights:
            return None
        seen = self.observe(data, position, seat)
        board = self._board(data)
        choices = net.evaluate(net.NumPy, self._weights, self._inputs(seen, board), board.facts)
        mine = np.zeros((len(board.ticket_ends), 1, 1), np.float32)
        mine[seen["slots"]] = 1
        logits = net.believe(net.NumPy, self._weights, choices, board.facts, mine)[1:, 0]
        return 0.5 + 0.5 * np.tanh(0.5 * logits.T[: int(seen["players"]) - 1])  # type: ignore[no-any-return]

    def _board(self, data: MapData) -> _Board:
        if data.hash not in self._boards:
            self._boards[data.hash] = _Board(data, self._own.get(_known_as(data) or "", {}), self._token)
        return self._boards[data.hash]

    @staticmethod
    def _inputs(seen: Any, board: _Board) -> dict[str, Array]:
        def tokens(name: str, count: int) -> Array:
            return seen[name].reshape(-1, net.WIDTHS[name])[:count, None].astype(np.float32)  # type: ignore[no-any-return]

        slots = seen["slots"]
        facts = np.concatenate([seen["table"], seen["seats"]]).astype(np.float32)
        more = {}
        if seen["errands"].any():
            ends = board.place_rows[seen["errand_from"]] + board.place_rows[seen["errand_to"]]
            more = {"errands": tokens("errands", ERRANDS), "errand ends": ends[None]}
        return more | {
            "tracks": tokens("tracks", board.n_tracks),
            "places": tokens("places", board.n_places),
            "tickets": tokens("tickets", o.SLOTS),
            "cards": tokens("cards", k.CARDS),
            "terrain": tokens("terrain", k.TERRAIN_UP),
            "facts": facts[None],
            "display": np.maximum(seen["display"].astype(np.int64) - 1, 0)[None],
            "ticket ends": board.ticket_ends[slots][None],
            "own tickets": board.own_tickets[slots][:, None],
        }

    @staticmethod
    def _open(seen: Any, choices: net.Choices, board: _Board) -> tuple[Array, Array]:
        """What is open, counted through MISC, tracks, places and sets of tickets, and its logits."""
        logits = np.concatenate([choices.misc[0], choices.tracks[0], choices.places[0], choices.sets[0]])
        bits = (seen["open"][:, None] >> BITS) & 1
        tracks = bits[o.OPEN_TRACKS : o.OPEN_PLACES].reshape(-1)[: board.n_tracks]
        places = bits[o.OPEN_PLACES, : board.n_places]
        at = np.flatnonzero(np.concatenate([bits[o.OPEN_MISC], tracks, places, bits[o.OPEN_SETS]]))
        return at, logits[at]

    def _policy(self, seen: Any, choices: net.Choices, board: _Board) -> tuple[Array, Array]:
        """Legal codes and their probabilities: of what is open, then of the colours that pay for it."""
        at, logits = self._open(seen, choices, board)
        codes: list[int] = []
        chances: list[float] = []
        if not len(at):
            return np.array(codes, np.int64), np.array(chances)
        for choice, chance in zip(at.tolist(), _softmax(logits).tolist(), strict=True):
            for code, part in self._codes(seen, choices, board, choice):
                codes.append(code)
                chances.append(chance * part)
        order = np.argsort(codes)
        return np.array(codes)[order], np.array(chances)[order]

    def _codes(self, seen: Any, choices: net.Choices, board: _Board, choice: int) -> list[tuple[int, float]]:
        """The codes of a choice, one a colour that can pay, with the probability of each."""
        track, place = choice - k.BITS, choice - k.BITS - board.n_tracks
        kept = place - board.n_places
        if track < 0:
            return [(choice, 1.0)]
        if kept >= 0:
            return [(k.WORD * k.KEEP + kept, 1.0)]
        menu, colours = seen["menu"], range(k.CARDS)
        if place < 0:
            words = [k.CLAIM + k.TRACK_WORDS * c + track // k.BITS for c in colours]
            bit, length = track % k.BITS, board.length[track]
        else:
            words, bit, length = [k.STATION + c for c in colours], place, 1
        able = [c for c in colours if int(menu[words[c]]) >> bit & 1]
        if len(able) == 1:
            return [(k.WORD * words[able[0]] + bit, 1.0)]
        hand = seen["cards"].reshape(-1, o.CARD_N)[:, :1].astype(np.float32)
        logits = net.pay(net.NumPy, self._weights, choices, hand, np.array([length], np.float32))[0]
        shares = _softmax(logits[able])
        return [(k.WORD * words[c] + bit, float(share)) for c, share in zip(able, shares, strict=True)]

    def _judge(self, seen: Array, board: _Board) -> Judged:
        """One pass over so many positions as fit."""
        choices = net.evaluate(net.NumPy, self._weights, _many_inputs(seen, board), board.facts)
        seats = np.arange(k.SEATS) < seen["players"][:, None]
        wins = np.exp(np.where(seats, choices.wins - choices.wins.max(-1, keepdims=True), -np.inf).astype(np.float64))
        points = seen["points"].astype(np.float64)
        others = np.where(seats, points, 0)[:, 1:].sum(1) / (seen["players"] - 1)
        margins = points[:, 0] - others + 100 * choices.margin
        return Judged(self._best(seen, choices, board), wins / wins.sum(1, keepdims=True), margins)

    def _best(self, seen: Array, choices: net.Choices, board: _Board) -> Array:
        """The likeliest code of each position."""
        logits = np.concatenate([choices.misc, choices.tracks, choices.places, choices.sets], -1)
        logits = np.where(_many_open(seen, board), logits, -np.inf)
        choice = logits.argmax(-1)
        codes = np.where(logits.max(-1) > -np.inf, choice, NO_WORD)
        kept = choice - k.BITS - board.n_tracks - board.n_places
        codes = np.where(kept >= 0, 64 * k.KEEP + kept, codes)
        paid = np.flatnonzero((choice >= k.BITS) & (kept < 0))
        if len(paid):
            codes[paid] = self._paid(seen, choices, board, choice - k.BITS)[paid]
        return codes

    def _paid(self, seen: Array, choices: net.Choices, board: _Board, chosen: Array) -> Array:
        """The codes of claims and stations, paid with the likeliest of the colours that can; for the others nothing."""
        place = chosen - board.n_tracks
        station = place >= 0
        track = np.clip(chosen, 0, board.n_tracks - 1)
        claim = k.CLAIM + k.TRACK_WORDS * _COLOURS + (track // k.BITS)[:, None]
        words = np.where(station[:, None], k.STATION + _COLOURS, claim)
        bit = np.where(station, np.clip(place, 0, board.n_places - 1), track % k.BITS)
        able = np.take_along_axis(seen["menu"], words, 1) >> bit[:, None] & 1
        hand = seen["cards"].reshape(len(seen), -1, o.CARD_N)[:, :, 0].T.astype(np.float32)
        length = np.where(station, 1, board.lengths[track]).astype(np.float32)
        logits = net.pay(net.NumPy, self._weights, choices, hand, length)
        colour = np.where(able, logits, -np.inf).argmax(-1)
        return 64 * words[np.arange(len(seen)), colour] + bit  # type: ignore[no-any-return]


def _many_inputs(seen: Array, board: _Board) -> dict[str, Array]:
    """The facts of many positions, tokens first."""
    n = len(seen)

    def tokens(name: str, count: int) -> Array:
        rows = seen[name].reshape(n, -1, net.WIDTHS[name])[:, :count]
        return rows.transpose(1, 0, 2).astype(np.float32, order="C")

    slots = seen["slots"]
    more = {}
    if seen["errands"].any():
        ends = board.place_rows[seen["errand_from"]] + board.place_rows[seen["errand_to"]]
        more = {"errands": tokens("errands", ERRANDS), "errand ends": ends}
    return more | {
        "tracks": tokens("tracks", board.n_tracks),
        "places": tokens("places", board.n_places),
        "tickets": tokens("tickets", o.SLOTS),
        "cards": tokens("cards", k.CARDS),
        "terrain": tokens("terrain", k.TERRAIN_UP),
        "facts": np.concatenate([seen["table"], seen["seats"]], 1).astype(np.float32),
        "display": np.maximum(seen["display"].astype(np.int64) - 1, 0),
        "ticket ends": board.ticket_ends[slots],
        "own tickets": board.own_tickets[slots.T],
    }


def _many_open(seen: Array, board: _Board) -> Array:
    """What is open in each position, counted through MISC, tracks, places and sets of tickets."""
    n = len(seen)
    bits = (seen["open"][:, :, None] >> BITS & 1).astype(bool)
    tracks = bits[:, o.OPEN_TRACKS : o.OPEN_PLACES].reshape(n, -1)[:, : board.n_tracks]
    places, sets = bits[:, o.OPEN_PLACES, : board.n_places], bits[:, o.OPEN_SETS, : net.SETS]
    return np.concatenate([bits[:, o.OPEN_MISC], tracks, places, sets], -1)


class _Board:
    """A map's tables, and what the network learned of it."""

    def __init__(self, data: MapData, own: dict[str, Array], token: int) -> None:
        facts = board_facts(data)
        self.n_tracks, self.n_places = facts.n_tracks, facts.n_places
        self.table = np.frombuffer(bytearray(make_board(data).to_bytes()), np.uint8)
        self.length = facts.length.tolist()
        self.lengths = facts.length
        self.ticket_ends = facts.ticket_ends
        self.place_rows = np.eye(1 + facts.n_places, dtype=np.float32)[:, 1:]  # of 1 + place; of none a row of zeros
        nothing = net.map_shapes(net.Shape(token), facts.n_tracks, facts.n_places, facts.n_tickets)
        mine = {part: own.get(part, np.zeros(size, np.float32)) for part, size in nothing.items()}
        self.own_tickets = mine["tickets"]
        sets, pairs, sizes = net.set_tables()
        self.facts: dict[str, Any] = {
            "tracks": facts.tracks,
            "places": facts.places,
            "ends": facts.ends,
            "ends back": np.ascontiguousarray(facts.ends.T),
            "here": facts.here[:, None],
            "place here": facts.place_here[:, None],
            "ticket ends": facts.ticket_ends,
            "ticket facts": facts.tickets,
            "own tickets": mine["tickets"],
            "own tracks": mine["tracks"],
            "own places": mine["places"],
            "sets": np.ascontiguousarray(sets.T),
            "pairs": np.ascontiguousarray(pairs.T),
            "sizes": np.ascontiguousarray(sizes.T),
            "misc from": np.array(net.MISC_FROM),
        }


def _known_as(data: MapData) -> str | None:
    """The name of the shipped map that has these very facts, whatever it is called."""
    for name in shipped_maps():
        if load_map(name).hash == data.hash:
            return name
    return None


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts, -1)


def _softmax(x: Array) -> Array:
    parts = np.exp(x.astype(np.float64) - x.max())
    return parts / parts.sum()  # type: ignore[no-any-return]


@lru_cache(maxsize=4)
def checkpoint_at(path: Path) -> Checkpoint:
    return load(path)


def engine(path: Path = SHIPPED) -> Engine:
    """A network ready to play; BadCheckpoint if the file is missing or damaged."""
    return Engine(checkpoint_at(path))
