"""Stations in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from branchline import actions as a
from branchline.maps.model import CARDS, LOCO, MapData
from branchline.mechanics.stations.rules import least_station_locos, most_station_locos, station_price
from branchline.record.words import YOU
from branchline.scores import PlayerScore
from branchline.terminal.finding import LONGEST
from branchline.terminal.labels import ScreenLabels, counted, listed
from branchline.terminal.payment import Mixed, NotUnderstood, Payment, payment_in_words, payments
from branchline.terminal.places import Due, Ended, Helped, Part, Tie, Typed
from branchline.terminal.plan import Ask, Do, Reading, Refuse, Say, numbered
from branchline.terminal.words import Word
from branchline.view import PlayerView, View

LENT = Helped("done as it stands, with a track a station lends", "done with a station")
WHERE = "Where? Write station, the city and the colour you pay with, for example station paris red."


class Stations(Part):
    clauses = "EUR"
    verbs = (("station", Word("station PARIS [COLOUR] [1 loco]", "build a station", ("build station",))),)
    column = "Stations"
    ties = (("stations", Tie("stations built, fewest first:", lambda score: len(score.loans))),)

    def in_play(self, data: MapData) -> bool:
        return data.stations is not None

    # ------------------------------------------------------------ shown

    def player(self, player: PlayerView, labels: ScreenLabels) -> str:
        return f"{counted(player.stations_left, 'station')} left"

    def player_lines(self, player: PlayerView, labels: ScreenLabels) -> Iterator[str]:
        if player.stations:
            yield f"stations in {_cities(player, labels)}."

    def built(self, player: PlayerView, labels: ScreenLabels) -> Iterator[str]:
        if player.stations:
            yield f"stations: {_cities(player, labels)}."

    def cell(self, player: PlayerView, labels: ScreenLabels) -> str:
        built = ", ".join(labels.place(p) for p in player.stations)
        return f"{player.stations_left} left" + (f": {built}" if built else "")

    def helped(self, view: View) -> Mapping[str, Helped]:
        return dict.fromkeys(view.lending().tickets, LENT)

    def could_help(self, view: View) -> str:
        return "a station could help" if view.me.stations_left else ""

    def standing(self, sheet: PlayerScore, labels: ScreenLabels) -> Iterator[str]:
        yield f"stations not built {sheet.stations:+d}."

    def final(self, score: PlayerScore, ended: Ended) -> Iterator[tuple[int | None, str]]:
        rules = ended.labels.data.stations
        assert rules
        yield score.stations, f"for {counted(rules.each - len(score.loans), 'station')} not built."
        for loan in score.loans:
            yield None, f"the station in {ended.labels.place(loan.place)} {_lent(loan.track, ended)}."

    # ------------------------------------------------------------ chosen

    def due(self, view: View, labels: ScreenLabels) -> Due | None:
        return Due(_price(view), "the station") if view.phase == "pay_station" else None

    def turn_words(self, kinds: set[type]) -> str:
        return "build a station" if a.BuildStation in kinds else ""

    def options(self, view: View, actions: Sequence[a.Action]) -> Iterator[tuple[str, Reading]]:
        if any(isinstance(action, a.BuildStation) for action in actions):
            yield f"build a station ({counted(_price(view), 'card')}): write station CITY COLOUR", Say(WHERE)

    # ------------------------------------------------------------ typed

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterator[tuple[str, ...]]:
        if isinstance(action, a.BuildStation):
            for payment in payments(action.colour, *_loco_range(view, action)):
                yield ("station", labels.place(action.place), *payment)

    def verb(self, words: list[str], typed: Typed) -> Reading | None:
        if words[0] == "build" and words[1:2] == ["station"]:
            words = words[1:]
        return _read(words[1:], typed) if words[0] == "station" else None


PART = Stations()


def _cities(player: PlayerView, labels: ScreenLabels) -> str:
    return listed([labels.place(p) for p in player.stations])


def _lent(track: str | None, ended: Ended) -> str:
    if track is None:
        return "lent no track"
    owner = ended.names[ended.owners[track]]
    return f"lent {ended.labels.track(track)} ({'yours' if owner == YOU else owner})"


def _price(view: View) -> int:
    """Of the reader's next station, in cards."""
    assert view.reader is not None
    return station_price(view.position, view.reader)


def _loco_range(view: View, action: a.BuildStation) -> tuple[int, int]:
    """How many locomotives at least and at most pay for it, by the reader's hand."""
    assert view.reader is not None
    s = view.position
    s.claim_colour = CARDS.index(action.colour)
    return least_station_locos(s, view.reader), most_station_locos(s, view.reader)


def _read(words: list[str], typed: Typed) -> Reading:
    if not typed.view.map.stations:
        return Do((a.BuildStation(typed.view.map.places[0].id, LOCO),))  # refused by the engine, with its clause
    for i in range(min(LONGEST, len(words)), 0, -1):
        places = typed.finder.best(tuple(words[:i]))
        if not places:
            continue
        try:
            payment = typed.payment(words[i:])
        except Mixed as mixed:
            return Refuse("EUR-06", mixed.colours)
        except NotUnderstood:
            continue
        return _somewhere(places, payment, typed)
    if words:
        return typed.unknown(" ".join(words))
    return Say("Where? Write station and the city, for example station paris red.")


def _somewhere(places: Sequence[str], payment: Payment, typed: Typed) -> Reading:
    readings = [_at(place, payment, typed) for place in places]
    if len(readings) == 1:
        return readings[0]
    return Ask("Where?", numbered([(typed.labels.place(p), r) for p, r in zip(places, readings, strict=True)]))


def _at(place: str, payment: Payment, typed: Typed) -> Reading:
    options = list(_ways(place, payment, typed))
    if not options:
        return Do((a.BuildStation(place, payment.colour or typed.best_colour()),))
    return options[0][1] if len(options) == 1 else Ask("How do you pay?", numbered(options))


def _ways(place: str, payment: Payment, typed: Typed) -> Iterator[tuple[str, Reading]]:
    """The ways to pay for a station here as wished."""
    price = _price(typed.view)
    for action in typed.actions:
        if isinstance(action, a.BuildStation) and action.place == place and payment.colour in (None, action.colour):
            least, most = _loco_range(typed.view, action)
            locos = payment.wished_locos(price)
            if locos is None or least <= locos <= most:
                steps = (action, a.PlayLocos(locos)) if locos is not None and least < most else (action,)
                said = payment_in_words(price, action.colour, least if locos is None else locos)
                yield f"a station in {typed.labels.place(place)} for {said}", Do(steps)
