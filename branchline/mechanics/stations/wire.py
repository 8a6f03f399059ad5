"""Stations on the wire."""

from __future__ import annotations

from branchline.base.wire import Fields, LoanWire, Wire, WirePart
from branchline.maps.model import MapData
from branchline.mechanics.stations.face import BuildStation
from branchline.mechanics.stations.score import StationLoan
from branchline.mechanics.stations.view import Lending
from branchline.scores import PlayerScore
from branchline.view import PlayerView, View


class StationWish(Wire, frozen=True, tag_field="do", tag="station"):
    """Build a station with cards of a colour, as few locomotives as can be."""

    place: str
    colour: str
    locos: int = 0


class MapFacts(Wire, frozen=True):
    stations_each: int
    station_points: int


class PlayerWire(Wire, frozen=True):
    borrowed: list[str]  # the reader's own: tickets that loans of stations would complete if the game ended now
    loans: list[LoanWire]  # the reader's own: what each station would then lend
    stations: list[str]
    stations_left: int
    station_price: int  # the cards that the next one costs; 0 if none is left


class ScoreWire(Wire, frozen=True):
    stations: int
    loans: list[LoanWire]


def _map(data: MapData) -> Fields:
    rule = data.stations
    return {"stations_each": rule.each if rule else 0, "station_points": rule.unused_points if rule else 0}


def _player(view: View, player: PlayerView) -> Fields:
    lending = view.lending() if player.seat == view.reader else Lending()
    return {
        "borrowed": list(lending.tickets),
        "loans": _loans(lending.loans),
        "stations": list(player.stations),
        "stations_left": player.stations_left,
        "station_price": player.station_price,
    }


def _score(score: PlayerScore) -> Fields:
    return {"stations": score.stations, "loans": _loans(score.loans)}


def _loans(loans: tuple[StationLoan, ...]) -> list[LoanWire]:
    return [LoanWire(loan.place, loan.track) for loan in loans]


PART = WirePart(map=_map, player=_player, score=_score, purchase=BuildStation)
