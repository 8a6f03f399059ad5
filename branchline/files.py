"""Files that people write: reading them safely, and saying what is wrong with one in words.

Maps and records are JSON written by hand as often as not. Whatever bytes a file holds, reading it gives a value or
a `BadFile` that names the file, the place and the reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Self

_LONGEST_SHOWN: Final = 40


class BadFile(ValueError):
    """A file that cannot be used: the `file`, where in it (`path`, "" for the whole), the `reason`."""

    def __init__(self, file: str, path: str, reason: str) -> None:
        super().__init__(f"{file} {path}: {reason}" if path else f"{file}: {reason}")
        self.file = file
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        return type(self), (self.file, self.path, self.reason)


class JsonObject(dict[str, Any]):
    """A JSON object that remembers which of its keys were written twice."""

    repeated: tuple[str, ...] = ()


class NoNumber:
    """A number JSON text can hold and a file of ours cannot: NaN, Infinity, or one with far too many digits."""

    def __init__(self, text: str) -> None:
        self.text = text


def read_bytes(path: Path, most: int, error: type[BadFile]) -> bytes:
    """The bytes of a file, one more than `most` at the most, so that the limit is noticed."""
    name = shown(path.name or str(path))
    try:
        is_file = not path.exists() or path.is_file()
        if is_file:
            with path.open("rb") as file:
                return file.read(most + 1)
    except (OSError, ValueError) as fault:
        reason = (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
        raise error(name, "", f"cannot be read: {reason}") from None
    raise error(name, "", "not a file")  # a pipe or a device might never end


def parse_json(text: str | bytes, source: str, *, most: int, digits: int, error: type[BadFile]) -> object:
    """The value of a JSON text; numbers of more than `digits` digits, NaN and Infinity become `NoNumber`."""
    if len(text) > most:
        raise error(source, "", f"too large: over {most} bytes")
    try:
        return json.loads(
            text.decode("utf-8-sig") if isinstance(text, bytes) else text,
            object_pairs_hook=_object,
            parse_constant=NoNumber,
            parse_int=lambda number: int(number) if len(number) <= digits else NoNumber(number),
        )
    except UnicodeDecodeError as fault:
        raise error(source, f"byte {fault.start}", "not UTF-8 text") from None
    except json.JSONDecodeError as fault:
        raise error(source, f"line {fault.lineno} column {fault.colno}", f"not JSON: {fault.msg}") from None
    except RecursionError:
        raise error(source, "", "nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    result = JsonObject(pairs)
    if len(result) < len(pairs):
        result.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return result


def told(value: object) -> str:
    """A JSON value in a few words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case int() | float():
            return str(value)
        case NoNumber():
            return shown(value.text)
        case list():
            return "a list"
        case _:
            return "an object"


def printable(text: str) -> str:
    """The text with a question mark for what cannot be printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def shown(text: str) -> str:
    """Somebody's text, short and printable."""
    return printable(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def quoted(text: str) -> str:
    return f'"{shown(text)}"'


def join_path(path: str, key: str) -> str:
    """The place of a key in a file."""
    return f"{path}.{shown(key)}" if path else shown(key)


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known name most like a word, if any is like it."""
    if len(word) > _LONGEST_SHOWN:  # comparing long texts takes long, and no name is like them
        return []
    from difflib import get_close_matches  # only a refusal needs it

    return get_close_matches(word.strip().lower().replace(" ", "_"), list(known), n=1)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest known name, or nothing."""
    near = nearest(word, known)
    return f' (did you mean "{near[0]}"?)' if near else ""
