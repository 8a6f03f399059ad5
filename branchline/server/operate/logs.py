"""Logs: one line an event on stderr, JSON for machines, plain in a terminal. No secret and no hand is in them.

Who has a table's id has the link to it, so of ids only the beginning is written: enough to find lines that belong
together. That holds for the lines of libraries and for the messages of errors, too.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Final, TextIO

import structlog
from structlog.typing import Processor

HIDDEN: Final = "…"
_SECRET: Final = frozenset({"authorization", "cookie", "password", "secret", "set-cookie", "token"})
_SEEDS: Final = frozenset({"browser_seed", "deal", "fair", "seed", "seed_hex", "server_seed"})
_CARDS: Final = frozenset({"deck", "events", "hand", "line", "lines", "offers", "pack", "record", "snapshot", "view"})
_NEVER: Final = _SECRET | _SEEDS | _CARDS | {"position", "tickets"}
_SHOWN: Final = 6  # characters of an id
_ID, _PROOF = 22, 43  # characters of base64 that 128 and 256 bits take
_LONG_WORD: Final = re.compile(r"[A-Za-z0-9_-]{22,}+")
_PLAIN_WORD: Final = re.compile(r"[a-z_]+|[A-Z_]+")


def configure(level: str = "info", *, stream: TextIO | None = None, plain: bool | None = None) -> None:
    """Send all logs of the process, those of libraries too, as lines to `stream`; plain in a terminal, else JSON."""
    out = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_secrets,
    ]
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=_ends(out, plain)))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    _tame_uvicorn()
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def log(name: str = "branchline") -> structlog.stdlib.BoundLogger:
    """A logger: `log().info("table.started", table=id, players=3)`."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def _ends(out: TextIO, plain: bool | None) -> list[Processor]:
    """How a line is written at last; a traceback never shows the variables, which hold hands and decks."""
    first: Processor = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if out.isatty() if plain is None else plain:
        formatter = structlog.dev.plain_traceback
        renderer = structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=formatter)
        return [first, renderer, _shorten]
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    exceptions = structlog.processors.ExceptionRenderer(tracebacks)
    return [first, exceptions, _shorten, structlog.processors.JSONRenderer(), _shorten]


def _tame_uvicorn() -> None:
    """Its lines go the way of all; its own list of requests would hold whole addresses, and we have ours."""
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False


def hide_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Nothing whose name says that it is secret, or hidden from some player, is written."""
    return {key: _safe(key, value) for key, value in event.items()}


def _safe(key: str, value: Any) -> Any:
    if key.lower() in _NEVER:
        return HIDDEN
    if isinstance(value, Mapping):
        return {str(k): _safe(str(k), v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_safe("", each) for each in value]
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    return shortened(value) if isinstance(value, str) else value


def shortened(text: str) -> str:
    """The text with only the beginning of every id in it, and nothing of a proof."""
    return _LONG_WORD.sub(_shortened, text)


def _shortened(found: re.Match[str]) -> str:
    word, before = found[0], found.string[found.start() - 1 : found.start()]
    if before == "\\" and word[0] in "nrt":  # the end of a line, written as two letters
        return word[0] + _beginning(word[1:])
    return _beginning(word)


def _beginning(word: str) -> str:
    if len(word) not in (_ID, _PROOF) or _PLAIN_WORD.fullmatch(word):  # a name in a traceback
        return word
    return word[:_SHOWN] + HIDDEN if len(word) == _ID else HIDDEN


def _shorten(logger: Any, method: str, told: Any) -> Any:
    """Once more, at last: what an error says comes in only then."""
    if isinstance(told, str):
        return shortened(told)
    if isinstance(told, Mapping):
        return {key: _shorten(logger, method, value) for key, value in told.items()}
    return [_shorten(logger, method, value) for value in told] if isinstance(told, list | tuple) else told
