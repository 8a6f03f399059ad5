"""Mail in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline import actions as a
from branchline.events import BagSeen
from branchline.maps.model import MapData
from branchline.mechanics.mail.view import Bag
from branchline.scores import PlayerScore
from branchline.terminal.finding import FILLERS
from branchline.terminal.labels import ScreenLabels, counted, listed
from branchline.terminal.places import Ended, Part, Tie, Typed
from branchline.terminal.plan import Ask, Do, Reading, numbered
from branchline.terminal.words import Word
from branchline.view import PlayerView, View

LEAVE = frozenset(("leave", "none", "no", "nothing", "pass"))
OWN_WORDS = frozenset(("take", "bag", "mail"))


class Mail(Part):
    clauses = "CAR"
    verbs = (
        ("take bag", Word("take bag BRASOV [for 2]", "take a mail bag along, and lay the second of yours down for it")),
        ("leave bags", Word("leave bags", "take none of the mail bags", ("leave",))),
    )
    column = "Mail"
    revealing = ((BagSeen, "you have looked at a mail bag"),)
    ties = (("mail", Tie("mail bags delivered, most first:", lambda score: -len(score.mail))),)

    def in_play(self, data: MapData) -> bool:
        return data.mail is not None

    # ------------------------------------------------------------ shown

    def player(self, player: PlayerView, labels: ScreenLabels) -> str:
        return f"{counted(len(player.carried), 'mail bag')} carried, {len(player.delivered)} delivered"

    def player_lines(self, player: PlayerView, labels: ScreenLabels) -> Iterator[str]:
        if player.carried:
            yield f"carries {listed([_carried(bag, labels) for bag in player.carried])}."
        if player.delivered:
            yield f"delivered to {listed([labels.place(p) for p in player.delivered])}."
        if player.stamps:
            yield f"{counted(player.stamps, 'stamp')}, a point each."

    def lying(self, view: View, labels: ScreenLabels) -> Iterator[str]:
        known = [f"{labels.place(bag.place)} (for {labels.place(bag.label)})" for bag in view.bags if bag.label]
        others = [labels.place(bag.place) for bag in view.bags if not bag.label]
        yield f"Mail bags lie in {listed(known + others)}." if view.bags else "No mail bags lie in the cities."

    def tables(self, data: MapData) -> Iterator[str]:
        values = sorted({place.mail for place in data.places if place.mail})
        for value in values:
            yield f"Mail bags worth {value}: {listed([p.name for p in data.places if p.mail == value])}."

    def standing(self, sheet: PlayerScore, labels: ScreenLabels) -> Iterator[str]:
        yield f"mail {sheet.mail_points:+d}."

    def final(self, score: PlayerScore, ended: Ended) -> Iterator[tuple[int | None, str]]:
        for bag in score.mail:
            yield bag.points, f"for the mail bag delivered to {ended.labels.place(bag.label)}."
        if score.stamps:
            yield score.stamps, "for stamps."

    # ------------------------------------------------------------ drawn

    def lying_row(self, view: View, labels: ScreenLabels) -> tuple[str, str]:
        bags = [labels.place(b.place) + (f" → {labels.place(b.label)}" if b.label else "") for b in view.bags]
        return "Mail", " · ".join(bags) or "none lying in the cities"

    def cell(self, player: PlayerView, labels: ScreenLabels) -> str:
        return f"{len(player.carried)} carried, {len(player.delivered)} delivered"

    # ------------------------------------------------------------ chosen

    def question(self, view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> str:
        return "Which mail bag do you take along?" if view.phase == "mail" else ""

    def option(self, view: View, action: a.Action, labels: ScreenLabels) -> str:
        match action:
            case a.LeaveBags():
                return "leave the mail bags"
            case a.TakeBag(place):
                return f"take the mail bag in {labels.place(place)}, {_goes_to(view, place, labels)}"
            case a.SwapBag(place, laid):
                down = _carried(view.me.carried[laid - 1], labels)
                return f"take the one in {labels.place(place)}, {_goes_to(view, place, labels)}; lay down {down}"
            case _:
                return ""

    # ------------------------------------------------------------ typed

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterator[tuple[str, ...]]:
        match action:
            case a.LeaveBags():
                yield ("leave bags",)
            case a.TakeBag(place):
                yield ("take bag", labels.place(place))
            case a.SwapBag(place, laid):
                yield ("take bag", labels.place(place), f"for {laid}")
            case _:
                pass

    def choice(self, text: str, typed: Typed) -> Reading | None:
        """A city will do, with the number of the bag that is laid down."""
        if typed.view.phase != "mail":
            return None
        words = [w for w in text.split() if w not in FILLERS and w not in OWN_WORDS]
        if words and words[0] in LEAVE:
            return Do((a.LeaveBags(),))
        laid = next((int(w) for w in words if w.isascii() and w.isdigit()), None)
        names = tuple(w for w in words if not w.isdigit() and w != "for")
        takes = [x for x in typed.actions if isinstance(x, a.TakeBag | a.SwapBag)]
        fitting = [x for x in takes if names and x.place in typed.finder.ranks(names)]
        if laid is not None:
            fitting = [x for x in fitting if isinstance(x, a.SwapBag) and x.laid == laid]
        if len(fitting) == 1:
            return Do((fitting[0],))
        ways: list[tuple[str, Reading]] = [(self.option(typed.view, x, typed.labels), Do((x,))) for x in fitting]
        return Ask("Which one do you lay down?", numbered(ways)) if len({x.place for x in fitting}) == 1 else None


PART = Mail()


def _carried(bag: Bag, labels: ScreenLabels) -> str:
    goes = f" for {labels.place(bag.label)}" if bag.label else ""
    return f"the bag{goes} from {labels.place(bag.place)}"


def _goes_to(view: View, place: str, labels: ScreenLabels) -> str:
    label = next(bag.label for bag in view.bags if bag.place == place) or place
    points = next(p.mail for p in view.map.places if p.id == label)
    return f"for {labels.place(label)}, {counted(points, 'point')}"
