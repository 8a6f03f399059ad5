"""Mail in a map file: which places have a bag addressed to them, how many bags a player may carry, and the stamps with
which later seats begin (CAR-03, CAR-07, CAR-12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from branchline.maps import core
from branchline.maps.core import MAX_PLAYERS
from branchline.maps.parts import Found, Keys, MapPart, Row
from branchline.maps.shapes import MIN_PLAYERS, Field, ListOf, Record, Table, Whole

MAX_CARRIED = 3
MAX_BAG = 50  # points
MAX_STAMPS = 50


@dataclass(frozen=True, kw_only=True)
class Place(core.Place):
    mail: int  # the value of the bag addressed to it; 0: there is none


@dataclass(frozen=True, slots=True)
class Mail:
    carry: int
    stamps: tuple[tuple[int, tuple[int, ...]], ...]  # (number of players, stamps by seat), ascending


@dataclass(frozen=True, kw_only=True)
class MapData(core.MapData):
    mail: Mail | None
    places: tuple[Place, ...]


MAIL = Record(
    {
        "carry": Field(Whole(1, MAX_CARRIED, "MAX_CARRIED"), "Mail bags that a player may carry (CAR-07).", 3),
        "stamps": Field(
            Table(MIN_PLAYERS, MAX_PLAYERS, ListOf(Whole(0, MAX_STAMPS), MIN_PLAYERS, MAX_PLAYERS, "stamps")),
            "By number of players: the points each seat begins with (CAR-12); left out, there are none.",
            {},
        ),
    }
)


class MailPart(MapPart[MapData]):
    rules: ClassVar[Keys] = {"mail": Field(MAIL, "Mail bags lie in the cities (CAR-03).", None)}
    place: ClassVar[Keys] = {
        "mail": Field(Whole(0, MAX_BAG), "Points of the mail bag addressed to it (CAR-03); 0: there is none.", 0)
    }
    ties = ("mail",)

    def is_used(self, data: MapData) -> bool:
        return data.mail is not None

    def values(self, tidy: Row) -> Row:
        rule = tidy["rules"]["mail"]
        return {"mail": _mail(rule) if rule else None}

    def faults(self, data: MapData) -> Found:
        valued = [i for i, place in enumerate(data.places) if place.mail]
        if not data.mail:
            yield from ((f"places[{i}].mail", "the map has no rule mail") for i in valued)
            return
        if not valued:
            yield "rules.mail", "no place has a bag addressed to it: give places a value mail"
        for players, stamps in data.mail.stamps:
            if len(stamps) != players:
                yield f"rules.mail.stamps.{players}", f"{len(stamps)} numbers for {players} players"

    def facts(self, data: MapData) -> Row:
        if not data.mail:
            return {}
        return {"mail": [data.mail.carry, data.mail.stamps, [place.mail for place in data.places]]}


def _mail(rule: Row) -> Mail:
    return Mail(rule["carry"], tuple((players, tuple(stamps)) for players, stamps in sorted(rule["stamps"].items())))


PART = MailPart()
