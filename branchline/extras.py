"""What is optional. The core needs no package; everything else says in a sentence which extra to install.

`pip install 'branchline[speed]'` and so on: pyproject.toml lists the packages of each extra.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

# The packages that are imported here, by the extra that brings them: one that stands in several is asked for by the
# first, unless a command has an extra of its own.
PACKAGES: dict[str, tuple[str, ...]] = {
    "speed": ("llvmlite", "numba", "numpy"),
    "terminal": ("prompt_toolkit", "rich"),
    "arena": ("llvmlite", "numba", "numpy", "openskill", "rich"),
    "service": (
        "cryptography",
        "fastapi",
        "llvmlite",
        "msgspec",
        "numba",
        "numpy",
        "prometheus_client",
        "segno",
        "starlette",
        "structlog",
        "uvicorn",
    ),
    "cluster": ("psycopg",),
    "ray": ("ray",),
    "envs": ("gymnasium", "llvmlite", "numba", "numpy", "pettingzoo", "pyspiel"),
    "training": ("llvmlite", "numba", "numpy", "torch"),
}
# The commands that do nothing without their extra.
OF_COMMAND = {
    "serve": "service",
    "admin": "service",
    "simulate": "arena",
    "arena": "arena",
    "lab": "arena",
    "bench": "speed",
    "review": "speed",
    "puzzles": "speed",
    "training": "training",
}


# How many threads a library of sums uses: with more of them it adds in another order, and the last digit of what the
# network says would depend on the machine.
THREADS_OF_SUMS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread_for_sums() -> None:
    """From here on, here and in processes begun here, unless somebody chose otherwise; before NumPy is loaded."""
    for name in THREADS_OF_SUMS:
        os.environ.setdefault(name, "1")


@cache
def missing(extra: str) -> tuple[str, ...]:
    """The packages of an extra that are not there; none is loaded to find out."""
    return tuple(package for package in PACKAGES[extra] if find_spec(package) is None)


def is_installed(extra: str) -> bool:
    return not missing(extra)


def advice(package: str | None, command: str = "") -> str | None:
    """The sentence for a package (or a module of one) that is missing; None for one that is nobody's extra."""
    name = (package or "").partition(".")[0]
    extras = [extra for extra in (OF_COMMAND.get(command, ""), *PACKAGES) if name in PACKAGES.get(extra, ())]
    return f"{name} is not installed: pip install 'branchline[{extras[0]}]'" if extras else None


def check(command: str) -> None:
    """Raise ModuleNotFoundError now if a command lacks a package: not after an hour, when its result is printed."""
    for package in missing(OF_COMMAND[command]) if command in OF_COMMAND else ():
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
