"""The figures of a study as tables of words, the same for the page and for the Markdown report."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.lab.figures import KindFigures, Study, TicketFigures, TrackFigures
from branchline.lab.parts import PARTS
from branchline.lab.pieces import MARK, Column, Table
from branchline.lab.words import NONE, mean_cell, number, percent, share_cell

ROUTES = 20  # of those whose loss costs most


def tables_of(study: Study) -> tuple[Table, ...]:
    """All tables of a study that have something in them, the most asked for first."""
    found = (
        _seats(study),
        _leads(study),
        _sources(study),
        _tickets(study),
        _ticket_luck(study),
        _pairs(study),
        _routes(study),
        _tracks(study),
        _kinds("Tracks by length", "length", study.lengths),
        _kinds("Tracks by colour", "colour", study.colours),
        _turns(study),
        *(table for part in PARTS for table in part.tables(study)),
    )
    return tuple(table for table in found if table.rows)


# ---------------------------------------------------------------- players


def _seats(study: Study) -> Table:
    rows = (
        (str(1 + s.seat) + (" (starts)" if s.seat == 0 else ""), share_cell(s.wins), number(s.score.value))
        for s in study.seats
    )
    note = "A victory shared by k players counts as 1/k for each."
    return Table("Seats", note, ("seat", "wins %", "mean score"), tuple(rows))


def _leads(study: Study) -> Table:
    rows = ((lead.part, share_cell(lead.wins), share_cell(lead.board_wins)) for lead in study.leads)
    in_hand = ", ".join(["tracks", *filter(None, (part.in_hand(study.map) for part in PARTS))])
    note = (
        f"Points in hand: {in_hand}, and tickets joined by the player's own tracks; tickets still "
        "open do not count. Points on the board are what everybody sees. Games without a sole leader are left "
        f"out. The lead in hand changes {number(study.lead_changes)} times in a mean game."
    )
    head = ("of the turns", "leader by points in hand wins %", "leader on the board wins %")
    return Table("How often the leader wins", note, head, tuple(rows))


def _sources(study: Study) -> Table:
    rows: list[tuple[str, ...]] = [
        (s.name, number(s.all), number(s.winners), number(s.others)) for s in study.scores.sources
    ]
    total = [sum(x) for x in zip(*((s.all, s.winners, s.others) for s in study.scores.sources), strict=True)]
    rows.append(("in all", *(number(x) for x in total)))
    return Table("Where points come from", "Means a player.", ("points for", "all", "winners", "others"), tuple(rows))


# ---------------------------------------------------------------- tickets


def ticket_label(ticket: TicketFigures) -> str:
    return ticket.name + (f" {MARK}" if ticket.reconstruction else "")


def _tickets(study: Study) -> Table:
    rows = []
    for t in sorted(study.tickets, key=lambda t: -t.points):
        when = percent(t.done_when) if t.done_when is not None else NONE
        cells = [ticket_label(t), f"{t.points}{' long' if t.long else ''}", share_cell(t.kept), share_cell(t.completed)]
        rows.append((*cells, when, mean_cell(t.worth), mean_cell(t.score), share_cell(t.wins)))
    head = (
        "ticket",
        "points",
        "kept when offered %",
        "completed when kept %",
        "done after",
        "points it brings",
        "holder's score",
        "holder wins %",
    )
    note = (
        "Done after: the middle part of the game's turns at which the holder's own tracks joined it. The "
        "holder's score is given less the mean of all players."
    )
    return Table("Tickets", note, head, tuple(rows))


def _ticket_luck(study: Study) -> Table:
    ranked = sorted((t for t in study.tickets if t.dealt_score.known), key=lambda t: -t.dealt_score.value)
    more = [column for part in PARTS for column in part.luck_columns(study)]
    rows = []
    for t in ranked:
        dealt = f"{t.dealt_score.n:,}"
        rows.append(
            (
                ticket_label(t),
                str(t.points),
                dealt,
                mean_cell(t.dealt_score),
                share_cell(t.dealt_wins),
                *_cells(more, t),
            )
        )
    head = ("dealt at the start", "points", "times", "score", "wins %", *(column.head for column in more))
    note = (
        "Chance alone decides who is dealt a ticket, so these differences are the ticket's own doing. The score "
        "is given less the mean of all players. The first and last of so many rows lie a little further out than "
        "they truly are."
    )
    return Table("The luck of the deal", note, head, tuple(rows), folded=True)


def _pairs(study: Study) -> Table:
    rows = ((p.a, p.b, f"{p.synergy.n:,}", share_cell(p.both_completed), mean_cell(p.synergy)) for p in study.pairs)
    note = (
        "Points: what the one ticket adds to the score of a hand with the other, less what it adds to a hand "
        "without it. Intervals of three standard errors, since very many pairs are tried; only pairs whose effect is "
        "certain are shown."
    )
    head = ("ticket", "with", "hands", "both completed %", "points")
    return Table("Tickets that go together, and that do not", note, head, tuple(rows), words=2, folded=True)


# ---------------------------------------------------------------- tracks


def _routes(study: Study) -> Table:
    costly = [route for route in study.routes if route.cost_per_game > 0][:ROUTES]
    rows = (
        (
            r.name,
            share_cell(r.taken),
            share_cell(r.needed),
            share_cell(r.contested),
            share_cell(r.shut_out),
            share_cell(r.done_if_shut),
            share_cell(r.done_if_not),
            mean_cell(r.cost).removeprefix("+"),
            number(r.cost_per_game, 2),
        )
        for r in costly
    )
    head = (
        "route",
        "taken %",
        "needed %",
        "by two or more %",
        "shut out %",
        "tickets done if shut %",
        "if not %",
        "points lost",
        "a game",
    )
    note = (
        "A player needs a route if it holds a ticket that usually runs there: a third or more of those who "
        "complete it own a track of the route, and clearly more than other players do. Shut out: of those who "
        "need it, who find it taken by others. Points lost: final points of those who need it and are not shut "
        "out, less of those who are."
    )
    return Table("Choke points", note, head, tuple(rows))


def track_label(track: TrackFigures) -> str:
    return track.name + (f" {MARK}" if track.reconstruction else "")


def track_kind(track: TrackFigures) -> str:
    """Length, colour, and what is special about it."""
    special = filter(None, (part.track_kind(track) for part in PARTS))
    return ", ".join([f"{track.length} {track.colour}", *special])


def _tracks(study: Study) -> Table:
    more = [column for part in PARTS for column in part.track_columns(study)]
    rows = []
    for t in sorted(study.tracks, key=lambda t: -t.taken.value):
        when = (percent(t.when), number(t.turn, 0)) if t.when is not None else (NONE, NONE)
        rows.append((track_label(t), track_kind(t), share_cell(t.taken), *when, share_cell(t.wins), *_cells(more, t)))
    head = ("track", "kind", "taken %", "after", "turn", "taker wins %", *(column.head for column in more))
    note = (
        "After: the middle part of the game's turns at which it is taken; turn: of its taker. Of two equal "
        "tracks side by side bots take the first."
    )
    return Table("All tracks", note, head, tuple(rows), words=2, folded=True)


def _cells(columns: Sequence[Column], of: TrackFigures | TicketFigures) -> list[str]:
    return [column.cell(of) for column in columns]


def _kinds(title: str, name: str, kinds: tuple[KindFigures, ...]) -> Table:
    rows = ((k.name, str(k.tracks), str(k.spaces), f"{100 * k.taken:.1f}", f"{100 * k.points:.1f}") for k in kinds)
    note = "Taken: of these tracks, in a mean game."
    return Table(title, note, (name, "tracks", "spaces", "taken %", "of all track points %"), tuple(rows))


# ---------------------------------------------------------------- the course


def _turns(study: Study) -> Table:
    rows = tuple((name, f"{100 * part:.1f}") for name, part in study.length.kinds.items())
    turns = study.length.turns_quantiles
    ends = ", ".join(f"{name} {games:,}" for name, games in study.length.ends.items() if games)
    note = (
        f"A game takes {number(study.length.turns_mean)} turns a player; 90 of 100 take {number(turns['5 %'], 0)} "
        f"to {number(turns['95 %'], 0)}. Ends: {ends}. Trains left over: {number(study.length.trains_left)} a "
        "player."
    )
    return Table("What turns are used for", note, ("turns used for", "%"), rows)
