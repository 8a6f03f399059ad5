"""Environments: the game for those who teach machines to play it (docs/envs.md).

    envs.Batch("usa", players=2, games=4096)           many games at once over arrays
    envs.aec("usa", players=2)                         PettingZoo: agents choose one after the other
    envs.gym("europe", opponents=["planner"])          Gymnasium: one learner against bots
    envs.spiel("iberia", players=3)                    OpenSpiel

All of them number choices and observations alike: `Layout` says what stands where. Each library is loaded when its
environment is asked for; `pip install 'branchline[envs]'` brings them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from branchline.envs.against_bots import gym
    from branchline.envs.batch import Batch
    from branchline.envs.layout import Layout
    from branchline.envs.open_spiel import spiel
    from branchline.envs.petting_zoo import aec
    from branchline.envs.settings import Gpu

__all__ = ["Batch", "Gpu", "Layout", "aec", "gym", "spiel"]

_HOMES = {
    "Batch": "batch",
    "Gpu": "settings",
    "Layout": "layout",
    "aec": "petting_zoo",
    "gym": "against_bots",
    "spiel": "open_spiel",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
