"""A review in words: what the terminal prints, review.md and review.html are made of the same lines."""

from __future__ import annotations

from collections.abc import Iterator

from branchline.maps.model import MapData
from branchline.review.model import PLAYED_OUT, Player, Review, Reviewed, cause_of
from branchline.review.reasons import Reason
from branchline.review.tickets import TicketTold
from branchline.words import Language, words_of
from branchline.words.labels import labels_of
from branchline.words.telling import Telling

TERMS = ("start", "own_luck", "own_skill", "others_luck", "others_skill", "remainder")
EVERY = 10  # moves between two points of the curve's text

Table = list[list[str]]  # the first row is its head


class Told:
    """What a review says, in one language."""

    def __init__(self, review: Review, data: MapData, language: Language) -> None:
        self.review, self.language = review, language
        self._words = words_of(language)
        self._labels = labels_of(data, self._words)
        self.names = [player.name for player in review.players]
        self._telling = Telling(self._words, self._labels, self.names)

    def word(self, key: str, **params: str) -> str:
        return self._words.counted(f"review.{key}", 1, **params)

    @property
    def title(self) -> str:
        return self.word("title", map=self._labels.map)

    @property
    def judge(self) -> str:
        setting = self.word(f"setting.{self.review.setting}")
        if self.review.note == PLAYED_OUT:
            return self.word("by.playing", setting=setting)
        return self.word("by.network", weights=self.review.weights, setting=setting)

    def players(self) -> Table:
        head = [self.word(key) for key in ("player", "points", "accuracy", "skill", "luck", "result")]
        return [head, *(self._player(player) for player in self.review.players)]

    def _player(self, player: Player) -> list[str]:
        numbers = [percent(player.skill), percent(player.luck), share(player.result)]
        return [player.name, str(player.total), f"{player.accuracy:.0f}", *numbers]

    def verdicts(self) -> Table:
        kinds = list(self.review.players[0].verdicts)
        head = [self.word("player"), *(self.word(f"verdict.{kind}") for kind in kinds)]
        return [head, *([p.name, *(str(p.verdicts[kind]) for kind in kinds)] for p in self.review.players)]

    def ledger(self) -> Table:
        """A row for each term, and under the own luck one for each kind of it."""
        rows = [[self.word("ledger"), *self.names]]
        for term in TERMS:
            tell = share if term == "start" else percent
            values = [getattr(player.ledger, term) for player in self.review.players]
            rows.append([self.word(f"ledger.{term}"), *map(tell, values)])
            rows += self._kinds() if term == "own_luck" else []
        return [*rows, [self.word("ledger.result"), *(share(player.result) for player in self.review.players)]]

    def _kinds(self) -> Table:
        kinds = sorted({kind for player in self.review.players for kind in player.ledger.kinds})
        return [
            [f"– {self.word(f'kind.{kind}')}", *(percent(p.ledger.kinds.get(kind, 0.0)) for p in self.review.players)]
            for kind in kinds
        ]

    def curve(self) -> Table:
        """The curve as text: every tenth move, and the end."""
        points = self.review.curve
        shown = [point for point in points if point.move % EVERY == 0 or point is points[-1]]
        head = [self.word("move"), *self.names]
        rows = [[str(p.move), *(f"{share(w)}, {n:.0f}" for w, n in zip(p.own, p.points, strict=True))] for p in shown]
        return [head, *rows]

    def costliest(self, seat: int) -> list[str]:
        found = [self._cost(self.review.moves[number - 1]) for number in self.review.costliest[seat]]
        return found or [self.word("costliest.none")]

    def _cost(self, move: Reviewed) -> str:
        one = move.decided
        assert one is not None
        told = {"number": str(move.number), "line": move.line, "best": one.best, "loss": f"{100 * one.loss:.1f}"}
        cost = self.word("cost", verdict=self.word(f"verdict.{one.verdict}"), **told)
        return f"{cost} {self.reason(move.reason)}" if move.reason else cost

    def reason(self, reason: Reason) -> str:
        """Why it cost something."""
        return self._telling.sentence(f"review.reason.{reason.kind}", reason.params)

    def turning(self) -> list[str]:
        return [self._turn(self.review.moves[number - 1]) for number in self.review.turning]

    def _turn(self, move: Reviewed) -> str:
        told = {"number": str(move.number), "name": self.names[move.seat], "line": move.line}
        return self.word("turn", cause=self.word(cause_of(move)).lower(), swing=percent(move.swing[move.seat]), **told)

    def tickets(self) -> Table:
        """What became of every ticket that was offered."""
        head = [self.word(key) for key in ("player", "tickets.ticket", "tickets.fate", "tickets.worth")]
        return [head, *(self._ticket(one) for one in self.review.tickets)]

    def _ticket(self, one: TicketTold) -> list[str]:
        worth = "" if one.worth is None else percent(one.worth)
        return [self.names[one.seat], self._labels.valued_ticket(one.ticket), self._fate(one), worth]

    def _fate(self, one: TicketTold) -> str:
        if not one.kept:
            return self.word("tickets.returned")
        if one.completed:
            return self._at("completed", one.won_at) if one.won_at else self.word("tickets.borrowed")
        return self._at("lost", one.lost_at) if one.lost_at else self.word("tickets.failed")

    def _at(self, fate: str, move: int) -> str:
        return self.word(f"tickets.{fate}", number=str(move))

    def open(self) -> Table:
        """The chances of winning for who had seen all cards; nothing where nobody judged."""
        rows = [[str(point.move), *map(share, point.win)] for point in self.review.open]
        return [[self.word("move"), *self.names], *rows] if rows else []

    def moves(self) -> Table:
        """All that was decided."""
        keys = ("move", "player", "played", "best", "loss", "verdict", "luck")
        return [[self.word(key) for key in keys], *self._decisions()]

    def _decisions(self) -> Iterator[list[str]]:
        for move in self.review.moves:
            one, luck = move.decided, move.luck
            if one is None and luck is None:
                continue
            chance = percent(luck.by_seat[luck.seat]) if luck else ""
            verdict = self._verdict(move)
            told = [one.best, share(one.loss)] if one else ["", ""]
            yield [str(move.number), self.names[move.seat], move.line, *told, verdict, chance]

    def _verdict(self, move: Reviewed) -> str:
        if move.decided is None:
            return ""
        verdict = self.word(f"verdict.{move.decided.verdict}")
        return f"{verdict} ({self.word('close')})" if move.decided.close else verdict


def percent(value: float) -> str:
    """With its sign: what was won or lost."""
    return f"{100 * value:+.1f} %".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")


def share(value: float) -> str:
    return f"{100 * value:.1f} %"
