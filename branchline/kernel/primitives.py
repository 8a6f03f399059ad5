"""The few things the kernel needs from the machine, and the register of the kernel's functions.

The kernel is written once, as plain functions over flat positions. Interpreted, they run as they
stand. `backend.py` compiles the very same functions, with these primitives exchanged for machine
instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

KERNEL: dict[str, Callable[..., Any]] = {}


def kernel(function: F) -> F:
    """Register `function` as part of the kernel; its name must be unique, for the compiled twins are found by name."""
    name = function.__name__
    if name in KERNEL and KERNEL[name].__module__ != function.__module__:
        raise AssertionError(f"two kernel functions are called {name}")
    KERNEL[name] = function
    return function


def popcount(word: int) -> int:
    """How many bits of a non-negative word are set."""
    return word.bit_count()


def lowest(word: int) -> int:
    """The index of the lowest set bit; the word must not be 0."""
    return (word & -word).bit_length() - 1


def times(a: int, b: int) -> int:
    """The product of two words, modulo 2**63. The compilers take plain overflow for impossible, so this is its own."""
    return (a * b) & 0x7FFFFFFFFFFFFFFF
