"""Terrain in game files: its deck as it came out."""

from __future__ import annotations

from collections.abc import Iterator

from branchline.base.record import DealtDeck, RecordPart, from_top, notes, number_of
from branchline.maps.model import MapData
from branchline.mechanics.composed import Position
from branchline.mechanics.terrain.state import E_TERRAIN_RESHUFFLED
from branchline.view import PlayerView, View


def _first(data: MapData, s: Position) -> list[int]:
    return from_top(s.terrain_deck, sum(t.cards for t in data.terrain.types) if data.terrain else 0)


def _shuffled(before: Position, s: Position) -> list[list[int]]:
    """One deck at the most: only the claim before it discards terrain."""
    if s.terrain_shuffles == before.terrain_shuffles:
        return []
    return [from_top(s.terrain_deck, next(note[1] for note in notes() if note[0] == E_TERRAIN_RESHUFFLED))]


def _table_words(view: View) -> Iterator[str]:
    if view.map.terrain:
        shown = ", ".join(card or "nothing" for card in view.terrain_display)
        yield f"Terrain: {shown}. Terrain deck: {number_of(view.terrain_deck_size, 'card')}."


def _player_words(player: PlayerView) -> Iterator[str]:
    return (f"{count} {terrain}" for terrain, count in player.terrain.items())


PART = RecordPart(
    decks={"terrain_deck": DealtDeck(_first, _shuffled, lambda names: names.terrains)},
    table_words=_table_words,
    player_words=_player_words,
    position=lambda view: {
        "terrain_display": list(view.terrain_display),
        "terrain_deck": view.terrain_deck_size,
        "terrain_discards": view.terrain_discards,
        "doubled": sorted(view.doubled),
    },
    player=lambda player: {"terrain": player.terrain},
)
