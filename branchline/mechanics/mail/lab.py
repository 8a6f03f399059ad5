"""Mail in the laboratory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from branchline.lab.figures import Study
from branchline.lab.pieces import Finding
from branchline.lab.places import Numbers, Part
from branchline.lab.playing import Games
from branchline.lab.words import number, percent
from branchline.maps.model import MapData
from branchline.mechanics.mail.columns import S_DELIVERED, S_MAIL_POINTS


@dataclass(frozen=True, slots=True)
class MailFigures:
    delivered: float  # bags a player
    points: float  # a player, stamps among them
    some: float  # share of the players who deliver a bag
    winner_points: float


class Mail(Part):
    sources = (("mail", S_MAIL_POINTS),)

    def count(self, games: Games, wins: Numbers) -> Mapping[str, MailFigures | None]:
        return {"mail": _count(games, wins)}

    def in_hand(self, data: MapData) -> str:
        return "mail" if data.mail else ""

    def find(self, study: Study) -> Iterator[Finding]:
        mail: MailFigures | None = study.more["mail"]
        if mail is None:
            return
        part = mail.points / max(1.0, study.scores.mean)
        words = (
            f"A player delivers {number(mail.delivered)} mail bags; with the stamps the mail brings "
            f"{number(mail.points)} points, {percent(part)} of the score, and a winner {number(mail.winner_points)}. "
            f"{percent(mail.some)} of the players deliver at least one."
        )
        advice = "The values of the bags, and how many may be carried, set this."
        yield Finding("Mail", words, advice, 21 + 30 * part)


PART = Mail()


def _count(games: Games, wins: Numbers) -> MailFigures | None:
    if games.map.mail is None:
        return None
    points = games.seat[:, :, S_MAIL_POINTS].astype(int)
    delivered = games.seat[:, :, S_DELIVERED].astype(int)
    return MailFigures(
        float(delivered.mean()),
        float(points.mean()),
        float((delivered > 0).mean()),
        float((points * wins).sum() / wins.sum()),
    )
