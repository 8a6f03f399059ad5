"""What a batch is told when it is made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from branchline.envs.rewards import Reward

Arrays: TypeAlias = Literal["torch", "jax", "dlpack"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the games of a batch are played, wherever that is."""

    games: int
    reward: Reward
    observe: bool
    settle_details: bool
    again: bool


@dataclass(frozen=True, slots=True)
class Gpu:
    """Where a batch is played if not on the CPU: `Batch(…, device=Gpu(arrays="jax"))`."""

    number: int = 0
    """Which GPU; `device="cuda:1"` says the same."""
    arrays: Arrays | None = None
    """Whose arrays a batch has: torch's, JAX's, or bare ones that any library takes by DLPack. As a rule torch's where
    torch is installed, else JAX's."""
    check: bool = True
    """Whether each step waits to hear if all choices were allowed. If not, a refusal is told by `Batch.check`, and no
    step plays anything before that."""


def gpu_of(device: str | Gpu) -> Gpu | None:
    """What is said by a device; None for the CPU."""
    if isinstance(device, Gpu):
        return device
    found = re.fullmatch(r"cpu|cuda(?::(\d+))?", device)
    if found is None:
        raise ValueError(f"device {device!r}: there are 'cpu', 'cuda', 'cuda:1' …, and Gpu(…)")
    return None if device == "cpu" else Gpu(int(found[1] or 0))
