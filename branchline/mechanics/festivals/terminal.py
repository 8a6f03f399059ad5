"""Festivals in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.kernel.board import make_board
from branchline.maps.model import MapData, Track
from branchline.mechanics.festivals.face import NotThatFestival
from branchline.mechanics.festivals.labels import group_name
from branchline.mechanics.festivals.rules import waiting_group
from branchline.scores import PlayerScore
from branchline.terminal.finding import FILLERS, PlaceFinder
from branchline.terminal.labels import ScreenLabels, counted, listed, numbers_table
from branchline.terminal.payment import NotUnderstood, Wish
from branchline.terminal.places import Ended, Part, Typed
from branchline.terminal.plan import Do, Reading, Refuse
from branchline.terminal.words import Word
from branchline.view import PlayerView, View


@dataclass(frozen=True, slots=True)
class End(Wish):
    """Take the festival cards at this end of the track."""

    place: str

    def steps(self, view: View, track: Track, locos: int) -> tuple[a.Action, ...] | Refuse:
        if not festival_ends(view, track):
            return ()
        if self.place not in (track.a, track.b):
            return Refuse("IBE-14", NotThatFestival(self.place))
        return (a.TakeFestivals(self.place),)


class Festivals(Part):
    clauses = "IBE"
    verbs = (("festival", Word("festival SEVILLA", "which end's festival cards you take")),)
    column = "Festivals"
    column_of_numbers = True

    def in_play(self, data: MapData) -> bool:
        return data.festivals is not None

    # ------------------------------------------------------------ shown

    def player(self, player: PlayerView, labels: ScreenLabels) -> str:
        return counted(player.festival_count, "festival card")

    def player_lines(self, player: PlayerView, labels: ScreenLabels) -> Iterator[str]:
        if player.festivals:
            piles = listed([f"{n} {group_name(labels, g)}" for g, n in player.festivals.items()])
            yield f"festival cards: {piles}."

    def lying(self, view: View, labels: ScreenLabels) -> Iterator[str]:
        yield f"Festival cards lying at the cities: {', '.join(_lying(view, labels)) or 'none'}."

    def tables(self, data: MapData) -> Iterator[str]:
        assert data.festivals
        yield f"Points by festival cards of one city: {numbers_table(data.festivals.score_table)}."

    def standing(self, sheet: PlayerScore, labels: ScreenLabels) -> Iterator[str]:
        for f in sheet.festivals:
            yield f"{counted(f.cards, 'festival card')} of {group_name(labels, f.group)}: {f.points:+d}."

    def final(self, score: PlayerScore, ended: Ended) -> Iterator[tuple[int | None, str]]:
        for f in score.festivals:
            yield f.points, f"for {counted(f.cards, 'festival card')} of {group_name(ended.labels, f.group)}."

    # ------------------------------------------------------------ drawn

    def lying_row(self, view: View, labels: ScreenLabels) -> tuple[str, str]:
        return "Festivals", " · ".join(_lying(view, labels)) or "none lying at the cities"

    def cell(self, player: PlayerView, labels: ScreenLabels) -> str:
        return str(player.festival_count)

    # ------------------------------------------------------------ chosen

    def question(self, view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> str:
        if view.phase == "draw_first":
            return "Draw a card: only festival cards came."
        asked = any(isinstance(action, a.TakeFestivals) for action in actions)
        return "Whose festival cards do you take?" if asked else ""

    def option(self, view: View, action: a.Action, labels: ScreenLabels) -> str:
        if not isinstance(action, a.TakeFestivals):
            return ""
        assert view.map.festivals
        group = next(g.id for g in view.map.festivals.groups if action.place in g.places)
        return f"the festival cards of {labels.place(action.place)}: {view.festivals.get(group, 0)}"

    # ------------------------------------------------------------ typed

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterator[tuple[str, ...]]:
        if isinstance(action, a.TakeFestivals):
            yield ("festival", labels.place(action.place))

    def choice(self, text: str, typed: Typed) -> Reading | None:
        words = tuple(w for w in text.split() if w not in FILLERS and w != "festival")
        ends = [x.place for x in typed.actions if isinstance(x, a.TakeFestivals)]
        fitting = [p for p in ends if p in typed.finder.ranks(words)] if words else []
        return Do((a.TakeFestivals(fitting[0]),)) if len(fitting) == 1 else None

    def wish(self, word: str, rest: list[str], finder: PlaceFinder) -> Wish | None:
        if word not in ("festival", "festivals", "at"):
            return None
        places = finder.best(tuple(rest))
        if len(places) != 1:
            raise NotUnderstood(" ".join(rest))
        rest.clear()
        return End(places[0])


PART = Festivals()


def festival_ends(view: View, track: Track) -> list[str]:
    """The ends between whose festival cards the claimer has to choose; none where there is no choice (IBE-14)."""
    s, board = view.position, make_board(view.map)
    t = next(i for i, u in enumerate(view.map.tracks) if u.id == track.id)
    groups = [waiting_group(s, board, end) for end in (board.track_a[t], board.track_b[t])]
    return [track.a, track.b] if min(groups) >= 0 and groups[0] != groups[1] else []


def _lying(view: View, labels: ScreenLabels) -> list[str]:
    return [f"{group_name(labels, g)} {n}" for g, n in view.festivals.items()]
