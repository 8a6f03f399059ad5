"""Terrain in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline import events as e
from branchline.kernel.board import make_board
from branchline.maps.model import MapData, Track
from branchline.mechanics.terrain.face import NoTerrain, OthersHaveMore, TooFewTerrain
from branchline.mechanics.terrain.labels import terrain_name
from branchline.mechanics.terrain.rules import double_menu
from branchline.mechanics.terrain.state import DOUBLED
from branchline.terminal.finding import PlaceFinder
from branchline.terminal.labels import ScreenLabels, counted, folded, listed, numbers_table
from branchline.terminal.payment import Wish
from branchline.terminal.places import Part, Typed
from branchline.terminal.plan import Do, Reading, Refuse, Say
from branchline.terminal.spelling import DECK_WORDS, LOCO_WORDS, NO, YES
from branchline.terminal.words import Word
from branchline.view import PlayerView, View


@dataclass(frozen=True, slots=True)
class Double(Wish):
    """Double the points, with so many locomotives if that is said, or leave them."""

    doubled: bool
    locos: int | None
    by_locos = True

    def steps(self, view: View, track: Track, locos: int) -> tuple[a.Action, ...] | Refuse:
        ways = double_options(view, track.id, locos)
        if not self.doubled:
            return (a.SinglePoints(),) if ways else ()
        wish = self.locos if self.locos is not None else min(ways, default=0)
        return (a.DoublePoints(wish),) if ways else _cannot_double(view, track)


class Terrain(Part):
    clauses = "AFR"
    verbs = (
        ("terrain", Word("terrain desert, terrain 1, terrain deck", "take a terrain card")),
        ("double", Word("double [1]", "double a track's points, with so many locomotives as terrain")),
        ("single", Word("single", "claim without doubling")),
    )
    card = "terrain"
    column = "Terrain"
    seen_anyway = (e.TerrainFilled,)
    revealing = ((e.DrewTerrain, "a card was drawn and another one turned up"),)

    def in_play(self, data: MapData) -> bool:
        return data.terrain is not None

    # ------------------------------------------------------------ shown

    def player(self, player: PlayerView, labels: ScreenLabels) -> str:
        return _cards(player.terrain, labels) or "no terrain"

    def face_up(self, view: View, labels: ScreenLabels, offers: Sequence[object]) -> Iterator[str]:
        for place, kind in enumerate(view.terrain_display, 1):
            if a.TakeTerrain(place) not in offers:
                yield f"Terrain place {place}: {terrain_name(labels, kind) if kind else 'empty'}."

    def piles(self, view: View, labels: ScreenLabels) -> Iterator[str]:
        yield f"Terrain deck: {counted(view.terrain_deck_size, 'card')}."
        yield f"Terrain discards: {_cards(view.terrain_discards, labels) or 'no cards'}."

    def tables(self, data: MapData) -> Iterator[str]:
        assert data.terrain
        for kind in data.terrain.types:
            yield f"{kind.name} belongs to {listed(kind.colours)} tracks."
        yield f"Terrain cards to double, by spaces: {numbers_table(data.terrain.cards_to_double)}."

    def track_state(self, track: str, view: View) -> str:
        return "doubled" if track in view.doubled else ""

    # ------------------------------------------------------------ drawn

    def face_up_row(self, view: View, labels: ScreenLabels) -> tuple[str, str]:
        shown = enumerate(view.terrain_display, 1)
        return "Terrain", "   ".join(f"{n} {terrain_name(labels, t) if t else 'empty'}" for n, t in shown)

    def pile(self, view: View) -> str:
        return f"terrain deck {view.terrain_deck_size}"

    def cell(self, player: PlayerView, labels: ScreenLabels) -> str:
        return self.player(player, labels)

    # ------------------------------------------------------------ chosen

    def question(self, view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> str:
        asked = any(isinstance(action, a.SinglePoints) for action in actions)
        return f"Double the points of {labels.track(view.pending_track or '')}?" if asked else ""

    def option(self, view: View, action: a.Action, labels: ScreenLabels) -> str:
        match action:
            case a.TakeTerrain(place):
                return f"take terrain: {terrain_name(labels, view.terrain_display[place - 1] or '')}"
            case a.DrawTerrain():
                return f"take terrain from the deck ({counted(view.terrain_deck_size, 'card')})"
            case a.SinglePoints():
                return "single points"
            case a.DoublePoints(locos):
                return _double_text(view, locos, labels)
            case _:
                return ""

    # ------------------------------------------------------------ typed

    def sentences(self, action: a.Action, view: View, labels: ScreenLabels) -> Iterator[tuple[str, ...]]:
        match action:
            case a.TakeTerrain(place):
                yield ("terrain", terrain_name(labels, view.terrain_display[place - 1] or ""))
            case a.DrawTerrain():
                yield ("terrain", "deck")
            case a.DoublePoints(locos):
                yield ("double", str(locos))
            case a.SinglePoints():
                yield ("single",)
            case _:
                pass

    def choice(self, text: str, typed: Typed) -> Reading | None:
        if a.SinglePoints() not in typed.actions:
            return None
        if text in NO or text == "single":
            return Do((a.SinglePoints(),))
        if text in YES or text == "double":
            ways = [x for x in typed.actions if isinstance(x, a.DoublePoints)]
            return Do((ways[0],)) if len(ways) == 1 else Say("With how many locomotives? Choose by number, see menu.")
        return None

    def wish(self, word: str, rest: list[str], finder: PlaceFinder) -> Wish | None:
        if word not in ("double", "doubled", "single"):
            return None
        locos = int(rest.pop(0)[:3]) if rest and rest[0].isdigit() else None
        if locos is not None and rest and rest[0] in LOCO_WORDS:
            rest.pop(0)
        return Double(word != "single", locos)

    def card_names(self, labels: ScreenLabels) -> tuple[str, ...]:
        return tuple(_kinds(labels))

    def draw(self, word: str, typed: Typed) -> a.Action | Say:
        if word in DECK_WORDS:
            return a.DrawTerrain()
        if word.isdigit():
            return a.TakeTerrain(int(word[:3]))
        kind = _kinds(typed.labels).get(word)
        face_up = typed.view.terrain_display
        if kind in face_up:
            return a.TakeTerrain(face_up.index(kind) + 1)
        if not typed.view.map.terrain:
            return a.DrawTerrain()  # refused by the engine, with its clause
        shown = listed([terrain_name(typed.labels, t) for t in face_up if t]) or "nothing"
        return Say(f"Face up lies {shown}. Write terrain 1, terrain 2 or terrain deck.")


PART = Terrain()


def double_options(view: View, track: str, locos: int) -> list[int]:
    """With how many locomotives as terrain this claim could be doubled, if `locos` pay for the track (AFR-12)."""
    assert view.reader is not None
    s = view.position
    s.claim_track = next(i for i, t in enumerate(view.map.tracks) if t.id == track)
    s.claim_locos = locos
    bits = double_menu(s, make_board(view.map), view.reader) >> DOUBLED
    return [n for n in range(16) if bits >> n & 1]


def _cannot_double(view: View, track: Track) -> Refuse:
    """The engine is not asked to double what cannot be doubled at all, so that it does not say why not."""
    if not view.map.terrain:
        return Refuse("AFR-05", NoTerrain())
    kind = next(t for t in view.map.terrain.types if track.colour in t.colours)
    others = max(p.terrain.get(kind.id, 0) for p in view.players if p.seat != view.reader)
    mine = view.me.terrain.get(kind.id, 0)
    if mine < others:
        return Refuse("AFR-11", OthersHaveMore(kind.id, others, mine))
    return Refuse("AFR-10", TooFewTerrain(kind.id, view.map.terrain.cards_to_double[track.length], mine))


def _double_text(view: View, locos: int, labels: ScreenLabels) -> str:
    track = labels.tracks[view.pending_track or ""]
    terrain = view.map.terrain
    assert terrain
    due = terrain.cards_to_double[track.length]
    kind = next(t for t in terrain.types if track.colour in t.colours)
    cards = max(0, due - locos)
    paid = [f"{cards} {terrain_name(labels, kind.id)}"] if cards else []
    paid += [counted(locos, "locomotive")] if locos else []
    return f"double points, {2 * view.map.track_points[track.length]}, for {' and '.join(paid)}"


def _cards(held: dict[str, int], labels: ScreenLabels) -> str:
    return listed([f"{n} {terrain_name(labels, t)}" for t, n in held.items()])


def _kinds(labels: ScreenLabels) -> dict[str, str]:
    """The kinds of terrain by the word that is typed."""
    terrain = labels.data.terrain
    return {folded(kind.name).split()[0]: kind.id for kind in terrain.types} if terrain else {}
