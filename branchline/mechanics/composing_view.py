"""Writing the wholes of what a reader may know, and of the score sheet: composed_view.py and composed_score.py."""

from __future__ import annotations

from branchline.mechanics.composing_face import defines, head, parts_with


def classes_with(layer: str, name: str) -> list[str]:
    """The mechanics that have a part of a class."""
    return [mechanic for mechanic, module in parts_with(layer, name).items() if defines(module, name)]


def imports_of(layer: str, *names: str) -> list[str]:
    """The modules of a layer that have a part of any of these."""
    having = {mechanic for name in names for mechanic in classes_with(layer, name)}
    return [f"from branchline.mechanics.{name} import {layer} as {name}" for name in sorted(having)]


def composed_view_text() -> list[str]:
    """The whole of composed_view.py."""
    views, players = classes_with("view", "View"), classes_with("view", "PlayerView")
    return [
        *head("What a reader may know: the facts of the base game and of the mechanics together."),
        "from branchline.base import view as base",
        *imports_of("view", "View", "PlayerView"),
        f"class PlayerView({', '.join(f'{name}.PlayerView' for name in [*players, 'base'])}):",
        '    """One player as the reader sees them. `hand` is what is known of it, `unknown_cards` how many more there',
        '    are."""',
        "",
        "    __slots__ = ()",
        f"class View({', '.join(f'{name}.View' for name in [*views, 'base'])}):",
        '    """What one reader, a seat or a spectator (None), may know of a game."""',
        "",
        "    __slots__ = ()",
        "",
        "    def player(self, seat: int) -> PlayerView:",
        "        return PlayerView(self, seat)",
    ]


def composed_score_text() -> list[str]:
    """The whole of composed_score.py. A dataclass takes its fields from the last base first."""
    parts = ["base", *classes_with("score", "PlayerScore")]
    return [
        *head("The score sheet: the lines of the base game and of the mechanics together."),
        "from dataclasses import dataclass",
        "from branchline.base import score as base",
        "from branchline.mechanics.composed import Board, Position, Work",
        "from branchline.mechanics.composed_face import Names",
        *imports_of("score", "PlayerScore"),
        "@dataclass(frozen=True)",
        f"class PlayerScore({', '.join(f'{name}.PlayerScore' for name in reversed(parts))}):",
        '    """One player\'s sheet. `place` is 1 for the winner, or for all who share the victory."""',
        "def player_score(seat: int, s: Position, b: Board, w: Work, names: Names) -> PlayerScore:",
        '    """The sheet of a player, where the kernel has just scored the game."""',
        "    return PlayerScore(",
        *(f"        **vars({name}.score(seat, s, b, w, names))," for name in parts),
        "    )",
    ]
