"""What to look at first: the most telling figures of a study in plain words, and what a map maker could do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from branchline.lab.figures import RouteFigures, Study, TicketFigures
from branchline.lab.parts import PARTS
from branchline.lab.pieces import Finding
from branchline.lab.words import listed, mean_words, number, percent, plural, share_words

MOST = 10

DEAD = 0.05  # a route taken in fewer games than this is dead
UNWANTED = 0.25  # a ticket kept less often when it could be
RISKY = 0.75  # a ticket completed less often when kept
PRIZE = 0.1  # of all track points
NAMED = 4  # names in one sentence


def find(study: Study) -> tuple[Finding, ...]:
    """The findings of a study, the most telling first."""
    looks = (*_LOOKS, *(part.find for part in PARTS))
    found = [finding for look in looks for finding in look(study)]
    found.sort(key=lambda finding: -finding.weight)
    return tuple(found[:MOST])


# ---------------------------------------------------------------- players


def _seats(study: Study) -> Iterator[Finding]:
    fair = 1 / study.players
    best = max(study.seats, key=lambda seat: seat.wins.value)
    worst = min(study.seats, key=lambda seat: seat.wins.value)
    off = max(best.wins.value - fair, fair - worst.wins.value)
    words = (
        f"{_seat(best.seat).capitalize()} wins {share_words(best.wins)} of the games, {_seat(worst.seat)} "
        f"{share_words(worst.wins)}; a fair share is {percent(fair, 1)}."
    )
    if not (best.wins.above(fair) or worst.wins.below(fair)):
        yield Finding("No seat is certainly better than another", words, "Nothing to do.", 12)
        return
    title = "It pays to start" if best.seat == 0 else f"{_seat(best.seat).capitalize()} is the best"
    advice = (
        "That is a lot: let later seats begin with a card more, or give them the first choice of tickets."
        if off > fair / 8
        else "That is little: nothing to do, unless much is played for."
    )
    yield Finding(title, words, advice, 25 + 350 * off / fair)


def _seat(seat: int) -> str:
    return "the player who starts" if seat == 0 else f"seat {1 + seat}"


def _leads(study: Study) -> Iterator[Finding]:
    half, late = study.leads[1].wins, study.leads[2].wins
    if not half.known or not late.known:
        return
    fair = 1 / study.players
    held = (half.value - fair) / (1 - fair)
    words = (
        f"Whoever has most points in hand after half of the turns wins {share_words(half)}, after three quarters "
        f"{share_words(late)}; chance would give {percent(fair, 1)}. In a mean game the lead changes "
        f"{number(study.lead_changes)} times."
    )
    if held > 0.4:
        advice = "The game is decided early: points that come late (longer tickets, bonus cards) would keep it open."
        yield Finding("Leaders run away", words, advice, 55 + 60 * held)
    elif half.below(fair):
        advice = "Points in hand early are cards spent early. Nothing to do, unless early tracks should pay more."
        yield Finding("An early lead is no good sign", words, advice, 30)
    elif held < 0.12:
        advice = "Early points say little here. If players feel helpless, show more of the score before the end."
        yield Finding("An early lead says little", words, advice, 30)
    else:
        yield Finding("The game stays open", words, "Nothing to do.", 18)


def _margins(study: Study) -> Iterator[Finding]:
    scores = study.scores
    words = (
        f"Half of the games are won by {number(scores.margin_median, 0)} points or more, {share_words(scores.close)} "
        f"by ten points or fewer. Scores: mean {number(scores.mean)}, 80 of 100 between "
        f"{number(scores.quantiles['10 %'], 0)} and {number(scores.quantiles['90 %'], 0)}."
    )
    if scores.failed_by_last > 0.25 * scores.sd:
        words += f" The lowest tenth of all scores lost {number(scores.failed_by_last)} points by failed tickets."
        advice = "More ways round, or tickets nearer to each other, would help those who fall behind."
        yield Finding("Failed tickets decide who falls behind", words, advice, 15 + 0.5 * scores.failed_by_last)
    else:
        yield Finding("How far apart the players end", words, "Nothing stands out.", 10)


def _ender(study: Study) -> Iterator[Finding]:
    wins = study.length.ender_wins
    fair = 1 / study.players
    if not wins.above(fair * 1.2):
        return
    words = (
        f"Whoever begins the last round wins {share_words(wins)} of the games. A game takes "
        f"{number(study.length.turns_mean)} turns a player (90 of 100 games {_range(study)}); "
        f"{number(study.length.trains_left)} trains are left over on the average."
    )
    advice = "Speed wins. If it should win less, begin the last round with fewer trains left, or pay tickets better."
    yield Finding("Who ends the game wins it", words, advice, 28 + 25 * (wins.value - fair) / (1 - fair))


def _range(study: Study) -> str:
    turns = study.length.turns_quantiles
    return f"{number(turns['5 %'], 0)} to {number(turns['95 %'], 0)}"


def _odd_ends(study: Study) -> Iterator[Finding]:
    odd = {name: games for name, games in study.length.ends.items() if games and name != "last round"}
    if not odd:
        return
    part = sum(odd.values()) / study.games
    parts = [f"{plural(games, 'game')} because {_WHY[name]}" for name, games in odd.items()]
    words = f"Of {study.games:,} games ended {listed(parts)}."
    advice = "Look at the cards and trains: players have run out of something they need to go on."
    yield Finding("Games that do not end by trains", words, advice, 60 + 400 * part)


_WHY = {"all passed": "everybody had to pass", "no progress": "nobody got on any more"}


# ---------------------------------------------------------------- tracks


def _dead(study: Study) -> Iterator[Finding]:
    dead = sorted((r for r in study.routes if r.taken.value < DEAD), key=lambda r: r.taken.value)
    if not dead:
        least = min(study.routes, key=lambda r: r.taken.value)
        words = f"The route taken least is {least.name}, in {share_words(least.taken)} of the games."
        yield Finding("No dead tracks", words, "Nothing to do.", 14)
        return
    names = listed(f"{r.name} ({percent(r.taken.value, 1)})" for r in dead[:NAMED])
    more = f", among them {names}" if len(dead) > NAMED else f": {names}"
    words = f"{plural(len(dead), 'route')} of {len(study.routes)} taken in fewer than 5 % of the games{more}."
    advice = "Put a ticket across, make the track gray or a space shorter, or drop it."
    yield Finding("Dead tracks", words, advice, 35 + 120 * len(dead) / len(study.routes))


def _chokes(study: Study) -> Iterator[Finding]:
    chokes = [route for route in study.routes if route.cost_per_game > 0][:3]
    if not chokes:
        return
    names = listed(route.name for route in chokes)
    worst = chokes[0]
    words = (
        f"{names} cost most. {worst.name} is needed in {share_words(worst.needed)} of the games, by two players or "
        f"more in {share_words(worst.contested)}; of those who need it {share_words(worst.shut_out)} find it shut and "
        f"end {mean_words(worst.cost)} points lower. {_tickets_there(worst)}"
    )
    advice = (
        "Where that is more than you want, make the route double, or give it a second way round of about its length."
    )
    yield Finding("Choke points", words, advice, 30 + 12 * worst.cost_per_game)


def _tickets_there(route: RouteFigures) -> str:
    if not (route.done_if_shut.known and route.done_if_not.known):
        return ""
    return (
        f"Of the tickets that usually run there {percent(route.done_if_shut.value)} are completed when it is shut, "
        f"{percent(route.done_if_not.value)} when it is not."
    )


def _lengths(study: Study) -> Iterator[Finding]:
    all_tracks = sum(kind.tracks for kind in study.lengths)
    mean = sum(kind.taken * kind.tracks for kind in study.lengths) / all_tracks
    best = max(study.lengths, key=lambda kind: kind.points * (kind.taken > 1.3 * mean))
    if best.taken < 1.3 * mean or best.points < PRIZE:
        return
    words = (
        f"Tracks of {best.name} spaces are {best.tracks} of {all_tracks} and bring {percent(best.points)} of all track "
        f"points; {percent(best.taken)} of them are taken in a mean game, {percent(mean)} of all tracks."
    )
    advice = "Fewer points for this length, or fewer such tracks, would make tickets weigh more."
    yield Finding(f"Tracks of {best.name} spaces are the prize", words, advice, 20 + 70 * best.points)


def _colours(study: Study) -> Iterator[Finding]:
    colours = [kind for kind in study.colours if kind.name != "gray"]
    if len(colours) < 2:
        return
    most, least = max(colours, key=lambda kind: kind.taken), min(colours, key=lambda kind: kind.taken)
    if least.taken == 0 or most.taken / least.taken < 1.2:
        return
    words = (
        f"{percent(most.taken)} of the {most.name} tracks are taken in a mean game, {percent(least.taken)} of the "
        f"{least.name} ones, though the deck holds as many cards of each."
    )
    advice = f"Exchange the colours of a busy {most.name} and a quiet {least.name} track of the same length."
    yield Finding("Colours are not equally in demand", words, advice, 10 + 15 * (most.taken / least.taken - 1))


# ---------------------------------------------------------------- tickets


def _luck(study: Study) -> Iterator[Finding]:
    dealt = [ticket for ticket in study.tickets if ticket.dealt_score.n >= 30]
    if not dealt:
        return
    best = max(dealt, key=lambda t: t.dealt_score.value)
    worst = min(dealt, key=lambda t: t.dealt_score.value)
    if not (best.dealt_score.above(0) and worst.dealt_score.below(0)):
        return
    spread = best.dealt_score.value - worst.dealt_score.value
    words = (
        f"Whoever is dealt {_named(best)} at the start, kept or not, scores {mean_words(best.dealt_score)} points more "
        f"than the mean and wins {share_words(best.dealt_wins)}; with {_named(worst)} it is "
        f"{mean_words(worst.dealt_score)} points less and {share_words(worst.dealt_wins)}. Chance alone deals, so this "
        "is the ticket's doing."
    )
    advice = (
        f"Between the luckiest and the unluckiest ticket lie {number(spread)} points: change their values by a few."
    )
    yield Finding("Lucky and unlucky tickets", words, advice, 25 + 2 * spread)


def _named(ticket: TicketFigures) -> str:
    mark = ", reconstructed" if ticket.reconstruction else ""
    return f"{ticket.name} ({ticket.points}{mark})"


def _unwanted(study: Study) -> Iterator[Finding]:
    unwanted = sorted((t for t in study.tickets if t.kept.below(UNWANTED)), key=lambda t: t.kept.value)
    if not unwanted:
        return
    names = listed(f"{_named(t)} {percent(t.kept.value)}" for t in unwanted[:NAMED])
    count = f"{plural(len(unwanted), 'ticket')} of {len(study.tickets)}"
    words = f"{count} kept less than once in four offers: {names}{_and_more(unwanted)}."
    advice = "Raise their points, or choose ends that lie on the way of other tickets."
    yield Finding("Tickets nobody wants", words, advice, 22 + 80 * len(unwanted) / len(study.tickets))


def _and_more(tickets: list[TicketFigures]) -> str:
    return " and others" if len(tickets) > NAMED else ""


def _risky(study: Study) -> Iterator[Finding]:
    risky = sorted((t for t in study.tickets if t.completed.below(RISKY)), key=lambda t: t.completed.value)
    if not risky:
        return
    names = listed(f"{_named(t)} {percent(t.completed.value)}" for t in risky[:NAMED])
    count = f"{plural(len(risky), 'ticket')} of {len(study.tickets)}"
    words = f"{count} completed in fewer than 75 % of the hands that keep them: {names}{_and_more(risky)}."
    advice = "Their ends are easily cut off, or too far apart for the trains: add a way, or bring the ends nearer."
    yield Finding("Tickets that fail", words, advice, 24 + 60 * len(risky) / len(study.tickets))


def _together(study: Study) -> Iterator[Finding]:
    if not study.pairs or study.pairs[0].synergy.value <= 0:
        return
    pair = study.pairs[0]
    words = (
        f"{pair.a} and {pair.b} in one hand are worth {mean_words(pair.synergy)} points more than apart; "
        f"both are completed in {share_words(pair.both_completed)} of {pair.synergy.n:,} such hands."
    )
    advice = "Pairs like this reward players who know the tickets; ends that differ by a city or two would part them."
    yield Finding("Tickets that go together", words, advice, 8 + 1.2 * pair.synergy.value)


_LOOKS: tuple[Callable[[Study], Iterator[Finding]], ...] = (
    _odd_ends,
    _seats,
    _leads,
    _ender,
    _margins,
    _dead,
    _chokes,
    _lengths,
    _colours,
    _luck,
    _unwanted,
    _risky,
    _together,
)
