"""The network: weights shared by all tracks, places, tickets and cards, so that one serves every map.

It is written once over an array library: torch trains it, NumPy plays it. Tokens lie token by token, rows [tokens,
batch, width] behind any leading axes; what belongs to a whole position lies as [batch, width]. So a sum over the tracks
that end at a place is one product of matrices for the whole batch.

A map it was trained on adds what it learned of that map's own tracks, places and tickets (`known`); without that it
plays any map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from branchline.mechanics import composed as k
from branchline.training import facts
from branchline.training import record as o
from branchline.training.boards import STATIC_PLACE_FACTS, STATIC_TICKET_FACTS, STATIC_TRACK_FACTS

# Choices that no token speaks of, by name; each has an output of its own.
PLAIN: dict[str, int] = {
    "draw deck": k.DRAW_DECK,
    "draw terrain deck": k.TERRAIN_DECK,
    "draw tickets": k.TICKETS,
    "pass": k.PASS,
    "decline": k.DECLINE,
    "festivals at first end": k.FESTIVAL_A,
    "festivals at second end": k.FESTIVAL_B,
    "single": k.SINGLE,
    **{f"double with {n} locomotives": k.DOUBLED + n for n in range(k.LOCOS - k.DOUBLED)},
    **{f"pay {n} locomotives": k.LOCOS + n for n in range(k.PICK - k.LOCOS)},
    **facts.PLAIN,
}
ERRAND_WEIGHTS = ("errands.", "trunk.errands", "take.", "lay.")  # they came later than the others
# Last layers over the trunk, and layers that score tokens for it: each kind is one product of matrices.
HEADS = ("plain", "wins", "margin", "sizes")
SCORES = ("claim", "station", "draw", "pick", "keep", "pay", "terrain", "take", "lay")
SETS = 63  # of up to six tickets on offer
PAY_FACTS = ("left over", "locomotives taken")

WIDTHS = {
    "tracks": o.TRACK_N,
    "places": o.PLACE_N,
    "tickets": o.TICKET_N,
    "cards": o.CARD_N,
    "terrain": o.TERRAIN_N,
    "table": o.TABLE_N,
    "errands": o.ERRAND_N,
}


@dataclass(frozen=True)
class Shape:
    """The widths of a network."""

    token: int = 64
    pool: int = 96
    score: int = 32
    trunk: int = 512
    blocks: int = 2


class Choices(NamedTuple):
    """Logits by what a choice speaks of, and what the pay head needs; [.., batch, n] each."""

    misc: Any  # by bit of the MISC word
    tracks: Any
    places: Any
    sets: Any
    wins: Any  # by seat in turn order, this one first
    margin: Any  # points above the mean of the others still to come, in hundreds
    cards: Any  # tokens of the cards
    asked: Any  # what the trunk tells those that score tokens
    ends: Any  # tokens of the places
    trunk: Any


def weight_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """The weights that every map shares, by name."""
    d, h, z = shape.token, shape.trunk, shape.score
    seats = k.SEATS * o.SEAT_N
    linear: dict[str, tuple[int, int]] = {
        "cards.in": (o.CARD_N, d),
        "table.in": (o.TABLE_N + seats, d),
        "tracks.in": (o.TRACK_N + len(STATIC_TRACK_FACTS), d),
        "places.in": (o.PLACE_N + len(STATIC_PLACE_FACTS), d),
        "places.tracks": (d, d),
        "tickets.in": (o.TICKET_N, d),
        "tickets.places": (d, d),
        "tracks.again": (d, d),
        "tracks.places": (d, d),
        "tracks.table": (d, d),
        "tracks.pool": (d, shape.pool),
        "tickets.pool": (d, shape.pool),
        "places.pool": (d, d),
        "trunk.facts": (o.TABLE_N + seats, h),
        "trunk.in": (2 * shape.pool + 3 * d, h),
        "plain.out": (h, len(PLAIN)),
        "sizes.out": (h, k.OFFER),
        "wins.out": (h, k.SEATS),
        "margin.out": (h, 1),
        "pairs.in": (d, 16),
        "terrain.in": (o.TERRAIN_N, 16),
        "errands.in": (o.ERRAND_N, d),
        "errands.places": (d, d),
        "trunk.errands": (d, h),
    }
    for n in range(shape.blocks):
        linear[f"trunk.{n}"] = (h, h)
    for name in SCORES:
        width = 16 if name == "terrain" else d
        linear[f"{name}.token"] = (width, z)
        linear[f"{name}.trunk"] = (h, z)
        linear[f"{name}.out"] = (z, 1)  # no bias: what is open is compared
    linear["pay.facts"] = (len(PAY_FACTS), z)
    linear["belief.places"] = (d, z)
    linear["belief.ticket"] = (1 + len(STATIC_TICKET_FACTS), z)
    linear["belief.own"] = (d, z)
    linear["belief.trunk"] = (h, z)
    linear["belief.out"] = (z, k.SEATS - 1)
    found: dict[str, tuple[int, ...]] = {}
    for name, (rows, columns) in linear.items():
        found[name] = (rows, columns)
        if name not in WITHOUT_BIAS:
            found[f"{name}.bias"] = (columns,)
    return found


# Sums of several products need one bias.
WITHOUT_BIAS = {
    "places.tracks",
    "tickets.places",
    "tracks.places",
    "tracks.table",
    "tracks.pool",  # rows of padding must stay 0
    "places.pool",
    "errands.places",
    "trunk.errands",
    "pay.facts",
    "trunk.facts",
    "belief.places",
    "belief.ticket",
    "belief.own",
    *(f"{name}.{part}" for name in SCORES for part in ("trunk", "out")),
}
MAP_PARTS = ("tracks", "places", "tickets")


def map_shapes(shape: Shape, tracks: int, places: int, tickets: int) -> dict[str, tuple[int, ...]]:
    """The weights of one map's own, by part; of tickets the row 0 stands for none."""
    return {"tracks": (tracks, shape.token), "places": (places, shape.token), "tickets": (1 + tickets, shape.token)}


class NumPy:
    """The few operations the network needs, by NumPy; torch has its own twin in trainer.py."""

    @staticmethod
    def relu(x: Any) -> Any:
        return np.maximum(x, 0)

    @staticmethod
    def cat(parts: list[Any], axis: int = -1) -> Any:
        return np.concatenate(parts, axis)

    @staticmethod
    def dot(x: Any, w: Any) -> Any:
        """Rows times a weight, as one product: NumPy would make one for each token."""
        return (x.reshape(-1, x.shape[-1]) @ w).reshape(*x.shape[:-1], w.shape[-1])

    @staticmethod
    def stack(parts: list[Any]) -> Any:
        return np.stack(parts, -1)

    @staticmethod
    def norm(x: Any) -> Any:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)

    @staticmethod
    def swap(x: Any, a: int, b: int) -> Any:
        return np.swapaxes(x, a, b)

    @staticmethod
    def columns(x: Any, index: Any) -> Any:
        return x[..., index]

    @staticmethod
    def wide(w: Any) -> Any:
        """A weight with columns added where the machine is faster so."""
        return w

    @staticmethod
    def take(x: Any, index: Any) -> Any:
        """Of each row of x the columns that the row of `index` names."""
        return np.take_along_axis(x, index, -1)


def linear(xp: Any, w: Mapping[str, Any], name: str, x: Any) -> Any:
    bias = w.get(f"{name}.bias")
    product = xp.dot(x, w[name])
    return product if bias is None else product + bias


def mix(table: Any, x: Any) -> Any:
    """Sum tokens by a table [to, from]: x is [.., from, batch, width]."""
    flat = x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])
    return (table @ flat).reshape(*table.shape[:-1], *x.shape[-2:])


def score(xp: Any, w: Mapping[str, Any], name: str, tokens: Any, asked: Any, more: Any = None) -> Any:
    """A logit for each token [.., batch, tokens], by a small layer over the token and the whole position."""
    width = w[f"{name}.token"].shape[-1]
    at = SCORES.index(name) * width
    known = (asked[..., at : at + width] + w[f"{name}.token.bias"])[..., None, :, :]
    if more is not None:
        known = known + more
    hidden = xp.relu(xp.dot(tokens, w[f"{name}.token"]) + known)
    out = xp.dot(hidden, xp.wide(w[f"{name}.out"]))[..., 0]
    return xp.swap(out, -1, -2)


def prepare(cat: Any, w: Mapping[str, Any], scales: Mapping[str, Any]) -> dict[str, Any]:
    """The weights with the scales of the facts taken into the first layers, and with the last layers joined."""
    ready = dict(w)
    for name, scale in scales.items():
        ready[f"{name}.in"] = w[f"{name}.in"] * scale[:, None]
    ready["trunk.facts"] = w["trunk.facts"] * scales["table"][:, None]
    ready["heads"] = cat([w[f"{name}.out"] for name in HEADS])
    ready["heads.bias"] = cat([w[f"{name}.out.bias"] for name in HEADS])
    ready["asked"] = cat([w[f"{name}.trunk"] for name in SCORES])
    return ready


def whole(w: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """The weights with zeros where a checkpoint has none yet of those that came later and are not asked for by name."""
    sizes = weight_shapes(shape)
    later = {name: np.zeros(size, np.float32) for name, size in sizes.items() if name.startswith(ERRAND_WEIGHTS)}
    return later | dict(w)


def all_scales() -> dict[str, list[float]]:
    """The scales by first layer; what a board says of itself is of the size of 1 already."""
    found = {name: list(row) for name, row in facts.SCALES.items() if name != "seats"}
    found["tracks"] += [1.0] * len(STATIC_TRACK_FACTS)
    found["places"] += [1.0] * len(STATIC_PLACE_FACTS)
    found["table"] += facts.SCALES["seats"] * k.SEATS
    return found


def evaluate(xp: Any, w: Mapping[str, Any], seen: Mapping[str, Any], board: Mapping[str, Any]) -> Choices:
    """One pass over prepared weights. `seen`: the facts, tokens first; `board`: the map's tables and, where known, its
    own weights. Tokens that pad a map to the size of another stay 0."""
    told = seen["facts"]
    cards = xp.relu(linear(xp, w, "cards.in", seen["cards"]))
    table = xp.relu(linear(xp, w, "table.in", told))
    said = board["tracks"] @ w["tracks.in"][o.TRACK_N :] + w["tracks.in.bias"] * board["here"] + board["own tracks"]
    tracks = xp.relu(xp.dot(seen["tracks"], w["tracks.in"][: o.TRACK_N]) + said[..., None, :])
    said = board["places"] @ w["places.in"][o.PLACE_N :] + w["places.in.bias"] * board["place here"]
    places = xp.relu(
        xp.dot(seen["places"], w["places.in"][: o.PLACE_N])
        + (said + board["own places"])[..., None, :]
        + xp.dot(mix(board["ends"], tracks), w["places.tracks"])
    )
    tickets = _tickets(xp, w, seen, places)
    errands = _errands(xp, w, seen, places)
    # What all tracks hear comes by their two ends, half by each.
    heard = (table @ w["tracks.table"] + w["tracks.again.bias"])[..., None, :, :] * 0.5
    back = mix(board["ends back"], xp.dot(places, w["tracks.places"]) + heard)
    tracks = xp.relu(xp.dot(tracks, w["tracks.again"]) + back)
    pooled = [
        xp.relu(linear(xp, w, "tracks.pool", tracks)).sum(-3) * 0.05,
        xp.relu(linear(xp, w, "tickets.pool", tickets)).sum(-3) * 0.2,
        xp.relu(linear(xp, w, "places.pool", places)).sum(-3) * 0.05,
        cards.sum(-3) * 0.2,
        cards[..., k.LOCO, :, :],
    ]
    trunk = told @ w["trunk.facts"] + linear(xp, w, "trunk.in", xp.cat(pooled))
    if errands is not None:
        trunk = trunk + errands.sum(-3) @ w["trunk.errands"]
    trunk = xp.relu(trunk)
    n = 0
    while f"trunk.{n}" in w:
        trunk = trunk + xp.relu(linear(xp, w, f"trunk.{n}", xp.norm(trunk)))
        n += 1
    trunk = xp.norm(trunk)
    asked = trunk @ w["asked"]
    said = linear(xp, w, "heads", trunk)
    plain, wins, margin, sizes = (said[..., at : at + width] for at, width in _heads())
    return Choices(
        _misc(xp, w, seen, plain, asked, Tokens(cards, tickets, errands), board),
        score(xp, w, "claim", tracks, asked),
        score(xp, w, "station", places, asked),
        _sets(xp, w, asked, sizes, tickets, board),
        wins,
        margin[..., 0],
        cards,
        asked,
        places,
        trunk,
    )


def _heads() -> list[tuple[int, int]]:
    """Where each of HEADS stands among the joined outputs, and its width."""
    widths = {"plain": len(PLAIN), "wins": k.SEATS, "margin": 1, "sizes": k.OFFER}
    found, at = [], 0
    for name in HEADS:
        found.append((at, widths[name]))
        at += widths[name]
    return found


def _tickets(xp: Any, w: Mapping[str, Any], seen: Mapping[str, Any], places: Any) -> Any:
    """Tokens of the tickets in the slots: their facts, and the places at their ends."""
    ends = seen["ticket ends"] @ xp.swap(places, -3, -2)  # [.., batch, slots, width]
    told = linear(xp, w, "tickets.in", seen["tickets"]) + seen["own tickets"]
    return xp.relu(told + xp.swap(xp.dot(ends, w["tickets.places"]), -3, -2)) * seen["tickets"][..., :1]


def _errands(xp: Any, w: Mapping[str, Any], seen: Mapping[str, Any], places: Any) -> Any:
    """Tokens of the pairs of places that a mechanic wants joined, as those of tickets; None where there are none."""
    if "errands" not in seen:
        return None
    ends = seen["errand ends"] @ xp.swap(places, -3, -2)  # [.., batch, errands, width]
    told = linear(xp, w, "errands.in", seen["errands"])
    return xp.relu(told + xp.swap(xp.dot(ends, w["errands.places"]), -3, -2)) * seen["errands"][..., :1]


class Tokens(NamedTuple):
    """What choices of the MISC word speak of."""

    cards: Any
    tickets: Any
    errands: Any


def _misc(
    xp: Any, w: Mapping[str, Any], seen: Mapping[str, Any], plain: Any, asked: Any, of: Tokens, board: Mapping[str, Any]
) -> Any:
    """Logits by bit of the MISC word."""
    shown = xp.take(score(xp, w, "draw", of.cards, asked), seen["display"])
    terrain = score(xp, w, "terrain", xp.relu(linear(xp, w, "terrain.in", seen["terrain"])), asked)
    picks = score(xp, w, "pick", of.tickets[..., : k.OFFER, :, :], asked)
    parts = xp.cat([shown, terrain, picks, plain, plain[..., :1] * 0, *_taking(xp, w, plain, asked, of.errands)])
    return xp.columns(parts, board["misc from"])


def _taking(xp: Any, w: Mapping[str, Any], plain: Any, asked: Any, errands: Any) -> list[Any]:
    """Logits of taking an errand on offer, and of taking it for one of those held."""
    if errands is None:
        return [plain[..., : facts.ERRANDS_OFFERED * (1 + facts.ERRANDS_HELD)] * 0]
    take = score(xp, w, "take", errands[..., facts.ERRANDS_HELD :, :, :], asked)
    lay = score(xp, w, "lay", errands[..., : facts.ERRANDS_HELD, :, :], asked)
    return [take, *(take[..., i : i + 1] + lay for i in range(facts.ERRANDS_OFFERED))]


def _misc_from() -> list[int]:
    """Where the logit of each bit of the MISC word stands among the parts that `_misc` joins."""
    terrain_at, picks_at = k.DISPLAY, k.DISPLAY + k.TERRAIN_UP
    plain_at = picks_at + k.OFFER
    places = {k.DRAW_DISPLAY + i: i for i in range(k.DISPLAY)}
    places |= {k.TAKE_TERRAIN + i: terrain_at + i for i in range(k.TERRAIN_UP)}
    places |= {k.PICK + i: picks_at + i for i in range(k.OFFER)}
    places |= {bit: plain_at + i for i, bit in enumerate(PLAIN.values())}
    takes_at = plain_at + len(PLAIN) + 1
    places |= {bit: takes_at + i for bit, i in facts.TAKES.items()}
    swaps_at = takes_at + facts.ERRANDS_OFFERED
    places |= {bit: swaps_at + facts.ERRANDS_HELD * i + n for bit, (i, n) in facts.SWAPS.items()}
    nothing = plain_at + len(PLAIN)  # orders of returned tickets are details, settled as they come
    return [places.get(bit, nothing) for bit in range(k.BITS)]


MISC_FROM = _misc_from()


def set_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every set of tickets on offer: its tickets, its pairs, its size; as rows of 0 and 1."""
    sets = np.array([[(n >> i) & 1 for i in range(k.OFFER)] for n in range(1, SETS + 1)], np.float32)
    pairs = np.stack([sets[:, i] * sets[:, j] * (j < i) for i in range(k.OFFER) for j in range(k.OFFER)], 1)
    sizes = np.eye(k.OFFER, dtype=np.float32)[sets.sum(1).astype(int) - 1]
    return sets, pairs, sizes


def _sets(xp: Any, w: Mapping[str, Any], asked: Any, sizes: Any, tickets: Any, board: Mapping[str, Any]) -> Any:
    """Logits of the sets of tickets to keep: of each ticket, of each pair, of the size."""
    offered = tickets[..., : k.OFFER, :, :]
    single = score(xp, w, "keep", offered, asked)
    near = xp.swap(linear(xp, w, "pairs.in", offered), -3, -2)  # [.., batch, offered, width]
    pairs = near @ xp.swap(near, -1, -2)
    both = pairs.reshape(*pairs.shape[:-2], k.OFFER * k.OFFER)
    return single @ board["sets"] + both @ board["pairs"] + sizes @ board["sizes"]


def pay(xp: Any, w: Mapping[str, Any], choices: Choices, hand: Any, length: Any) -> Any:
    """Logits [.., batch, cards] of the colours that could pay for something of a length; `hand` by card and batch."""
    need = length[..., None, :]
    facts = xp.stack([xp.relu(hand - need) * 0.3, xp.relu(need - hand) * 0.5])
    return score(xp, w, "pay", choices.cards, choices.asked, xp.dot(facts, w["pay.facts"]))


def believe(xp: Any, w: Mapping[str, Any], choices: Choices, board: Mapping[str, Any], mine: Any) -> Any:
    """Logits [.., 1 + tickets, batch, others] that each of the others, in turn order, holds a ticket of the map.

    `mine` [.., 1 + tickets, batch, 1] is 1 for a ticket that the seat itself holds or is offered.
    """
    here = board["ticket facts"] @ w["belief.ticket"][1:] + board["own tickets"] @ w["belief.own"]
    told = here[..., None, :] + linear(xp, w, "belief.trunk", choices.trunk)[..., None, :, :]
    found = mix(board["ticket ends"], xp.dot(choices.ends, w["belief.places"])) + mine * w["belief.ticket"][0]
    return linear(xp, w, "belief.out", xp.relu(found + told))
