"""From the notes of many games to figures about a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from branchline.bots.games import columns as n
from branchline.codec import ENDS
from branchline.lab.figures import (
    KindFigures,
    LeadFigures,
    LengthFigures,
    ScoreFigures,
    SeatFigures,
    Source,
    Study,
    TicketFigures,
    TrackFigures,
)
from branchline.lab.intervals import Estimate, mean, share
from branchline.lab.names import ticket_name, track_name
from branchline.lab.needs import count_pairs, count_routes
from branchline.lab.parts import PARTS
from branchline.lab.playing import Games
from branchline.maps.model import COLOURS, GRAY

Numbers = np.ndarray[Any, Any]

CLOSE = 10  # points by which a close game is won
BINS = 24
PARTS_OF_GAME = ("1/4", "1/2", "3/4")
KINDS = {
    "drawing cards": n.S_DRAWS,
    "claiming tracks": n.S_CLAIMS,
    "drawing tickets": n.S_TICKET_DRAWS,
    **dict(turn for part in PARTS for turn in part.turns),
    "passing": n.S_PASSES,
}


def count_games(games: Games) -> Study:
    """All the figures of a series."""
    wins = victories(games)
    return Study(
        map=games.map,
        players=games.players,
        bot=games.series.bots[0],
        games=games.n,
        seed=games.series.seed,
        seats=_seats(games, wins),
        scores=_scores(games),
        length=_length(games, wins),
        leads=tuple(_lead(games, wins, i) for i in range(n.QUARTERS)),
        lead_changes=float(games.game[:, n.G_LEAD_CHANGES].mean()),
        tracks=tuple(_track(games, wins, t) for t in range(len(games.map.tracks))),
        routes=count_routes(games),
        tickets=tuple(_ticket(games, wins, t) for t in range(len(games.map.tickets))),
        pairs=count_pairs(games),
        colours=_colours(games),
        lengths=_lengths(games),
        more={name: value for part in PARTS for name, value in part.count(games, wins).items()},
    )


def victories(games: Games) -> Numbers:
    """[game, seat]: 1 for the winner, 1/k for each of k who share the victory."""
    first = games.seat[:, :, n.S_PLACE] == 1
    won: Numbers = first / first.sum(axis=1, keepdims=True)
    return won


def _quantiles(values: Numbers, at: Sequence[int]) -> dict[str, float]:
    return {f"{q} %": float(x) for q, x in zip(at, np.percentile(values, at), strict=True)}


def _middle(values: Numbers) -> float | None:
    return float(np.median(values)) if len(values) else None


# ---------------------------------------------------------------- players


def _seats(games: Games, wins: Numbers) -> tuple[SeatFigures, ...]:
    scores = games.seat[:, :, n.S_SCORE]
    return tuple(
        SeatFigures(seat, share(float(wins[:, seat].sum()), games.n), mean(scores[:, seat]))
        for seat in range(games.players)
    )


def _scores(games: Games) -> ScoreFigures:
    scores = games.seat[:, :, n.S_SCORE].astype(int)
    ranked = np.sort(scores, axis=1)
    margins = ranked[:, -1] - ranked[:, -2]
    width = max(1, math.ceil((int(scores.max()) - int(scores.min()) + 1) / BINS))
    low = int(scores.min()) // width * width
    edges = np.arange(low, int(scores.max()) + width + 1, width)
    counts, _ = np.histogram(scores, edges)
    return ScoreFigures(
        mean=float(scores.mean()),
        sd=float(scores.std()),
        quantiles=_quantiles(scores, (1, 10, 25, 50, 75, 90, 99)),
        bins=tuple((int(edge), int(count)) for edge, count in zip(edges, counts, strict=False)),
        bin_width=width,
        winner_mean=float(ranked[:, -1].mean()),
        margin_median=float(np.median(margins)),
        failed_by_last=_failed_by_last(games, scores),
        close=share(int((margins <= CLOSE).sum()), games.n),
        sources=_sources(games),
    )


def _failed_by_last(games: Games, scores: Numbers) -> float:
    lost = _gained_by_tickets(games) - games.seat[:, :, n.S_TICKET_POINTS]
    return float(lost[scores <= np.percentile(scores, 10)].mean())


def _sources(games: Games) -> tuple[Source, ...]:
    """Points by what they were given for; the parts add up to the score."""
    seat = games.seat.astype(int)
    gained = _gained_by_tickets(games)
    parts = {
        "tracks": seat[:, :, n.S_TRACK_POINTS],
        "tickets completed": gained,
        "tickets failed": seat[:, :, n.S_TICKET_POINTS] - gained,
        **{name: seat[:, :, column] for part in PARTS for name, column in part.sources},
        "bonus cards": seat[:, :, n.S_BONUS],
    }
    first = seat[:, :, n.S_PLACE] == 1
    others = ~first
    return tuple(
        Source(
            name,
            float(points.mean()),
            float(points[first].mean()),
            float(points[others].mean()) if others.any() else math.nan,
        )
        for name, points in parts.items()
        if points.any()
    )


def _gained_by_tickets(games: Games) -> Numbers:
    """[game, seat]: the points of the tickets completed."""
    points = np.array([ticket.points for ticket in games.map.tickets])
    holder = games.ticket[:, :, n.D_HOLDER]
    done = games.ticket[:, :, n.D_DONE] > 0
    gained = [((holder == 1 + seat) & done) @ points for seat in range(games.players)]
    return np.stack(gained, axis=1)


# ---------------------------------------------------------------- the course of the game


def _length(games: Games, wins: Numbers) -> LengthFigures:
    turns = games.game[:, n.G_TURNS] / games.players
    ender = games.game[:, n.G_LAST_ROUND_BY].astype(int)
    ended = ender > 0
    kinds = {name: float(games.seat[:, :, column].sum()) for name, column in KINDS.items()}
    return LengthFigures(
        turns_mean=float(turns.mean()),
        turns_quantiles=_quantiles(turns, (5, 50, 95)),
        ends={name: int((games.game[:, n.G_END] == end).sum()) for end, name in ENDS.items()},
        ender_wins=share(float(wins[ended, ender[ended] - 1].sum()), int(ended.sum())),
        trains_left=float(games.seat[:, :, n.S_TRAINS].mean()),
        kinds={name: used / sum(kinds.values()) for name, used in kinds.items() if used},
    )


def _lead(games: Games, wins: Numbers, quarter: int) -> LeadFigures:
    return LeadFigures(
        PARTS_OF_GAME[quarter],
        _leader_wins(games.game[:, n.G_LEADERS + quarter], wins),
        _leader_wins(games.game[:, n.G_BOARD_LEADERS + quarter], wins),
    )


def _leader_wins(leaders: Numbers, wins: Numbers) -> Estimate:
    """How often a player who led alone has won; games without such a leader do not count."""
    won, led = 0.0, 0
    for seat in range(wins.shape[1]):
        alone = leaders == 1 << seat
        won += float(wins[alone, seat].sum())
        led += int(alone.sum())
    return share(won, led)


# ---------------------------------------------------------------- tracks


def _track(games: Games, wins: Numbers, t: int) -> TrackFigures:
    track = games.map.tracks[t]
    notes = games.track[:, t].astype(int)
    taken = np.flatnonzero(notes[:, n.T_TURN] > 0)
    turn = notes[taken, n.T_TURN]
    owner = notes[taken, n.T_OWNER] - 1
    return TrackFigures(
        id=track.id,
        name=track_name(games.map, track),
        length=track.length,
        colour=track.colour,
        reconstruction="reconstruction" in track.provenance,
        taken=share(len(taken), games.n),
        when=_middle(turn / games.game[taken, n.G_TURNS]),
        turn=_middle((turn - 1) // games.players + 1),
        wins=share(float(wins[taken, owner].sum()), len(taken)),
        more={name: value for part in PARTS for name, value in part.of_track(games, t).items()},
    )


def _colours(games: Games) -> tuple[KindFigures, ...]:
    order = [colour for colour in (*COLOURS, GRAY) if any(t.colour == colour for t in games.map.tracks)]
    return tuple(_kind(games, colour, [t.colour == colour for t in games.map.tracks]) for colour in order)


def _lengths(games: Games) -> tuple[KindFigures, ...]:
    order = sorted({t.length for t in games.map.tracks})
    return tuple(_kind(games, str(length), [t.length == length for t in games.map.tracks]) for length in order)


def _kind(games: Games, name: str, chosen: list[bool]) -> KindFigures:
    """Tracks that have something in common. Of a double route only one track may be open to all, so `taken` has a
    ceiling below 1 where there are such routes."""
    length = np.array([t.length for t in games.map.tracks])
    points = np.array(games.map.track_points)[length] * _worth(games)
    taken = (games.track[:, :, n.T_TURN] > 0).mean(axis=0)
    tracks = np.array(chosen)
    total = float((taken * points).sum())
    return KindFigures(
        name,
        int(tracks.sum()),
        int(length[tracks].sum()),
        float(taken[tracks].mean()),
        float((taken * points)[tracks].sum()) / total if total else 0.0,
    )


def _worth(games: Games) -> Numbers:
    """By how much the points of each track grow in a mean game."""
    factors = [worth for part in PARTS if (worth := part.worth(games)) is not None]
    grown: Numbers = np.prod([np.ones(len(games.map.tracks)), *factors], axis=0)
    return grown


# ---------------------------------------------------------------- tickets


def _ticket(games: Games, wins: Numbers, t: int) -> TicketFigures:
    ticket = games.map.tickets[t]
    notes = games.ticket[:, t].astype(int)
    scores = games.seat[:, :, n.S_SCORE].astype(int)
    field = float(scores.mean())
    kept = np.flatnonzero(notes[:, n.D_HOLDER] > 0)
    holder = notes[kept, n.D_HOLDER] - 1
    done = notes[kept, n.D_DONE] > 0
    dealt = np.flatnonzero(notes[:, n.D_DEALT] > 0)
    to = notes[dealt, n.D_DEALT] - 1
    done_in = notes[:, n.D_DONE_IN]
    finished = done_in > 0
    return TicketFigures(
        id=ticket.id,
        name=ticket_name(games.map, ticket),
        points=ticket.points,
        long=ticket.long,
        reconstruction="reconstruction" in ticket.provenance,
        kept=share(len(kept), int(notes[:, n.D_OFFERS].sum())),
        completed=share(int(done.sum()), len(kept)),
        worth=mean(np.where(done, ticket.points, -ticket.points)),
        score=mean(scores[kept, holder], field),
        wins=share(float(wins[kept, holder].sum()), len(kept)),
        dealt_score=mean(scores[dealt, to], field),
        dealt_wins=share(float(wins[dealt, to].sum()), len(dealt)),
        done_when=_middle(done_in[finished] / games.game[finished, n.G_TURNS]),
        more={name: value for part in PARTS for name, value in part.of_ticket(games, t).items()},
    )
