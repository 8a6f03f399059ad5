"""Games in words: one friendly English sentence for each event, and a score sheet that explains itself.

`names` are the players' names by seat. A player called "You" is spoken to: "You take a red card".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, assert_never

from branchline import events as e
from branchline.maps.model import LOCO, MapData, Place, Stations, Ticket, Track
from branchline.scores import PlayerScore
from branchline.view import View

YOU: Final = "You"

_ORDINALS: Final = {1: "first", 2: "second"}
_PLACES: Final = {1: "1st", 2: "2nd", 3: "3rd"}


# ---------------------------------------------------------------- events


def describe(event: e.Event, data: MapData, names: Sequence[str]) -> str:
    """An event as one sentence; what the reader of the event may not know is not in it."""
    match event:
        case e.DrewCard() | e.DrewBlind() | e.DrewTerrain():
            return _drew(event, data, names)
        case e.DisplayFilled(place, card):
            return f"{_a(_card(card)).capitalize()} is turned up at place {place} of the display."
        case e.DisplaySwept():
            return "There are three locomotives in the display: all of it is discarded."
        case e.DeckReshuffled(cards):
            return f"The deck is empty: {_n(cards, 'discarded card')} {_is(cards)} shuffled into a new one."
        case e.FestivalLaid(group):
            return f"A festival card comes up and is laid at {group_name(data, group)}."
        case e.SecondDraftCardUp():
            return "The second-draft card comes up: after this turn tickets are drafted again."
        case e.TerrainFilled(place, terrain):
            return f"{_a(_terrain(data, terrain)).capitalize()} is turned up at terrain place {place}."
        case e.TerrainReshuffled(cards):
            return f"The terrain deck is empty: {_n(cards, 'discarded card')} {_is(cards)} shuffled into a new one."
        case e.TicketsOffered() | e.TicketsKept() | e.TicketPicked():
            return _tickets(event, data, names)
        case e.TrackClaimed() | e.TunnelTried() | e.TunnelCardsTurned() | e.TunnelFailed():
            return _track_event(event, data, names)
        case e.StationBuilt(seat, place, _, _, _):
            return f"{_does(names[seat], 'build')} a station in {place_name(data, place)} for {_payment(event)}."
        case e.FestivalsTaken(seat, group, count):
            return f"{_does(names[seat], 'take')} {_n(count, 'festival card')} of {group_name(data, group)}."
        case e.TerrainPlayed(seat, terrain, cards, locos):
            played = _joined([_some(cards, _terrain(data, terrain)), _some(locos, "locomotive")])
            return f"{_does(names[seat], 'play')} {played} to double the points."
        case _:
            return _course(event, names)


def _drew(event: e.DrewCard | e.DrewBlind | e.DrewTerrain, data: MapData, names: Sequence[str]) -> str:
    takes = _does(names[event.seat], "take")
    match event:
        case e.DrewCard(_, place, card):
            return f"{takes} {_a(_card(card))} from place {place} of the display."
        case e.DrewBlind(_, card):
            return f"{takes} {_a('card' if card is None else _card(card))} from the deck."
        case e.DrewTerrain(_, None, terrain):
            return f"{takes} {_a(_terrain(data, terrain))} from the terrain deck."
        case e.DrewTerrain(_, place, terrain):
            return f"{takes} {_a(_terrain(data, terrain))} from terrain place {place}."
        case _:
            assert_never(event)


def _tickets(event: e.TicketsOffered | e.TicketsKept | e.TicketPicked, data: MapData, names: Sequence[str]) -> str:
    name = names[event.seat]
    match event:
        case e.TicketsOffered(_, count, tickets):
            return f"{_does(name, 'draw')} {_n(count, 'ticket')}{_ticket_list(data, tickets)}."
        case e.TicketsKept(_, kept, offered, tickets):
            return f"{_does(name, 'keep')} {kept} of {_n(offered, 'ticket')}{_ticket_list(data, tickets)}."
        case e.TicketPicked(_, ticket):
            which = "a ticket" if ticket is None else f"the ticket {ticket_name(data, ticket)}"
            return f"{_does(name, 'take')} {which} from the pack."
        case _:
            assert_never(event)


def _track_event(
    event: e.TrackClaimed | e.TunnelTried | e.TunnelCardsTurned | e.TunnelFailed, data: MapData, names: Sequence[str]
) -> str:
    name = names[event.seat]
    match event:
        case e.TrackClaimed(_, track, _, _, _, points, doubled):
            scored = f"{_n(points, 'point')}{', doubled' if doubled else ''}"
            return f"{_does(name, 'claim')} {track_name(data, track)} for {_payment(event)}: {scored}."
        case e.TunnelTried(_, track, _, _, _):
            return f"{_does(name, 'try')} the tunnel {track_name(data, track)} with {_payment(event)}."
        case e.TunnelCardsTurned(_, (), _):
            return "There is no card to turn up: nothing more is due."
        case e.TunnelCardsTurned(_, cards, extra):
            due = f"{_n(extra, 'more card')} {_is(extra)} due" if extra else "nothing more is due"
            return f"Turned up: {_joined([card_word(card) for card in cards])}; {due}."
        case e.TunnelFailed(_, track):
            gives_up = f"{_does(name, 'give')} up the tunnel {track_name(data, track)}"
            return f"{gives_up} and {_verb(name, 'take')} the cards back."
        case _:
            assert_never(event)


def _course(
    event: e.ChoiceMade | e.Passed | e.LastRoundBegan | e.DraftBegan | e.PacksPassed | e.TurnBegan | e.GameEnded,
    names: Sequence[str],
) -> str:
    """The course of the game."""
    match event:
        case e.ChoiceMade(seat):
            return f"{_does(names[seat], 'have')} chosen."
        case e.Passed(seat):
            return f"{_does(names[seat], 'have')} nothing to do and {_verb(names[seat], 'pass')}."
        case e.LastRoundBegan(seat):
            few = f"{_does(names[seat], 'have')} hardly any trains left"
            return f"{few}: the last round begins, one more turn for everybody."
        case e.DraftBegan(number, cards):
            return f"The {_ORDINALS.get(number, 'next')} draft of tickets begins, with packs of {cards}."
        case e.PacksPassed(step):
            return f"All packs are passed on; now ticket {step} is taken."
        case e.TurnBegan(seat):
            return "It is your turn." if names[seat] == YOU else f"It is the turn of {names[seat]}."
        case e.GameEnded(reason):
            return f"The game is over: {END_WORDS[reason]}."
        case _:
            assert_never(event)


END_WORDS: Final = {
    "last round": "the last round has been played",
    "all passed": "all players have passed, one after the other",
    "no progress": "for ten rounds nothing but passes and failed tunnels came",
}


def _payment(event: e.TrackClaimed | e.TunnelTried | e.StationBuilt) -> str:
    """The cards that were played: `cards` of the colour, `locos` locomotives."""
    plain = _some(event.cards, _card(event.colour)) if event.colour != LOCO else ""
    return _joined([plain, _some(event.locos, "locomotive")]) or "no cards"


# ---------------------------------------------------------------- scores


def explain_scores(scores: Sequence[PlayerScore], data: MapData, names: Sequence[str]) -> list[str]:
    """The score sheets in words, the winner's first."""
    lines: list[str] = []
    for score in sorted(scores, key=lambda score: (score.place, score.seat)):
        place = _PLACES.get(score.place, f"{score.place}th")
        lines.append(f"{place}: {names[score.seat]}, {_n(score.total, 'point')}")
        for points, words in _sheet(score, data):
            lines.append(f"  {'' if points is None else format(points, '+d'):>5}  {words}")
    return lines


def _sheet(score: PlayerScore, data: MapData) -> Iterator[tuple[int | None, str]]:
    """What adds up to the score, with the points; and what explains it, without."""
    yield score.tracks, "for tracks"
    for ticket in score.tickets:
        told = "completed" if ticket.completed else "not completed"
        yield ticket.points, f"for the ticket {_ends(data, ticket.ticket)}, {told}"
    for festival in score.festivals:
        yield festival.points, f"for {_n(festival.cards, 'festival card')} of {group_name(data, festival.group)}"
    if data.stations:
        yield from _station_lines(score, data, data.stations)
    if data.longest_path:
        bonus, path = score.longest_path_bonus, f"a path of {_n(score.longest_path, 'train')}"
        yield (bonus, f"for the longest path, {path}") if bonus else (None, f"{path} was not the longest")
    if data.globetrotter:
        bonus, done = score.globetrotter_bonus, _n(score.completed, "completed ticket")
        yield (bonus, f"as globetrotter, with {done}") if bonus else (None, f"{done} did not make a globetrotter")


def _station_lines(score: PlayerScore, data: MapData, rule: Stations) -> Iterator[tuple[int | None, str]]:
    left = rule.each - len(score.loans)
    if left:
        yield score.stations, f"for {_n(left, 'station')} not built"
    for loan in score.loans:
        lent = f"lent {track_name(data, loan.track)}" if loan.track else "lent no track"
        yield None, f"the station in {place_name(data, loan.place)} {lent}"


# ---------------------------------------------------------------- the table


def table_lines(view: View, names: Sequence[str]) -> list[str]:
    """What lies on the table, as all may see it: one line for the cards, one for each player."""
    lines = [f"Display: {_shown(view.display)}. Deck: {_n(view.deck_size, 'card')}. Tickets: {view.ticket_deck_size}."]
    if view.map.terrain:
        shown = _shown(view.terrain_display)
        lines.append(f"Terrain: {shown}. Terrain deck: {_n(view.terrain_deck_size, 'card')}.")
    if view.festivals:
        lines.append(f"Festival cards: {_counted(view.festivals, view.map)}.")
    for player in view.players:
        parts = [
            _n(player.score, "point"),
            _n(player.trains, "train"),
            _n(player.card_count, "card"),
            _n(player.ticket_count, "ticket"),
        ]
        if view.map.stations:
            parts.append(f"{_n(player.stations_left, 'station')} left")
        parts += [f"{count} {terrain}" for terrain, count in player.terrain.items()]
        if view.map.festivals:
            parts.append(_n(player.festival_count, "festival card"))
        lines.append(f"{names[player.seat]}: {', '.join(parts)}.")
    return lines


def _shown(cards: Sequence[str | None]) -> str:
    return ", ".join("nothing" if card is None else card_word(card) for card in cards)


def _counted(festivals: Mapping[str, int], data: MapData) -> str:
    return ", ".join(f"{count} at {group_name(data, group)}" for group, count in festivals.items())


# ---------------------------------------------------------------- the names of things


@lru_cache(maxsize=64)
def _things(data: MapData) -> tuple[dict[str, Place], dict[str, Track], dict[str, Ticket]]:
    return (
        {place.id: place for place in data.places},
        {track.id: track for track in data.tracks},
        {ticket.id: ticket for ticket in data.tickets},
    )


def place_name(data: MapData, place: str) -> str:
    """What a player calls a place."""
    return _things(data)[0][place].name.removeprefix("unnamed ")


def track_name(data: MapData, track: str) -> str:
    """What a player calls a track."""
    found = _things(data)[1][track]
    return f"{place_name(data, found.a)}–{place_name(data, found.b)}"


def ticket_name(data: MapData, ticket: str) -> str:
    """A ticket with its value."""
    return f"{_ends(data, ticket)} ({_things(data)[2][ticket].points})"


def group_name(data: MapData, group: str) -> str:
    """The city, or cities, of a group of festival cards."""
    found = next(g for g in data.festivals.groups if g.id == group) if data.festivals else None
    return _joined([place_name(data, place) for place in found.places]) if found else group


def card_word(card: str) -> str:
    """A train or terrain card in one word."""
    return "locomotive" if card == LOCO else card


def _ends(data: MapData, ticket: str) -> str:
    found = _things(data)[2][ticket]
    return f"{place_name(data, found.a[0])}–{place_name(data, found.b[0])}"


def _ticket_list(data: MapData, tickets: Sequence[str] | None) -> str:
    """Which tickets, for a reader who may know."""
    return f": {_joined([ticket_name(data, ticket) for ticket in tickets])}" if tickets else ""


def _card(card: str) -> str:
    return "locomotive" if card == LOCO else f"{card} card"


def _terrain(data: MapData, terrain: str) -> str:
    named = next((t.name for t in data.terrain.types if t.id == terrain), terrain) if data.terrain else terrain
    return f"{named.lower()} card"


# ---------------------------------------------------------------- grammar

_THIRD: Final = {"have": "has", "try": "tries", "pass": "passes"}


def _verb(name: str, verb: str) -> str:
    return verb if name == YOU else _THIRD.get(verb, verb + "s")


def _does(name: str, verb: str) -> str:
    return f"{name} {_verb(name, verb)}"


def _n(count: int, thing: str) -> str:
    return f"{count} {thing}" if abs(count) == 1 else f"{count} {thing}s"


def _some(count: int, thing: str) -> str:
    return _n(count, thing) if count else ""


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _a(thing: str) -> str:
    return f"an {thing}" if thing[0] in "aeiou" else f"a {thing}"


def _joined(things: Sequence[str]) -> str:
    """All of them that are not empty, with an "and" before the last."""
    told = [thing for thing in things if thing]
    return f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else "".join(told)
