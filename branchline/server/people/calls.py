"""What somebody wants to be told while they do not look at a table, and in which hours nothing at all."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from branchline.server import wire
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence

KINDS: Final[tuple[wire.CallKind, ...]] = get_args(wire.CallKind)
NONE: Final = wire.CallSettings()
_HOUR: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]{1,30}(/[A-Za-z0-9_+-]{1,30}){0,2}")
_DECODER: Final = msgspec.json.Decoder(wire.CallSettings)


def read_calls(text: str | None) -> wire.CallSettings:
    """Settings as they are kept; nothing is wanted by who has said nothing, or what cannot be read any more."""
    if text is None:
        return NONE
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return NONE


def write_calls(settings: wire.CallSettings) -> str:
    return msgspec.json.encode(settings).decode()


def checked_calls(settings: wire.CallSettings) -> wire.CallSettings:
    """The settings, each kind once; raises `BadRequest`."""
    if settings.quiet is not None:
        check_quiet(settings.quiet)
    return wire.CallSettings(_once(settings.push), _once(settings.mail), settings.quiet)


def _once(kinds: list[wire.CallKind]) -> list[wire.CallKind]:
    return [kind for kind in KINDS if kind in kinds]


def check_quiet(quiet: wire.QuietHours) -> None:
    if not _HOUR.fullmatch(quiet.start) or not _HOUR.fullmatch(quiet.end):
        raise BadRequest(Sentence("hour_written", "an hour is written HH:MM, from 00:00 to 23:59").about("quiet"))
    if _zone(quiet.zone) is None:
        raise BadRequest(Sentence("no_zone", "there is no such time zone").about("quiet"))


def wanted(settings: wire.CallSettings) -> frozenset[str]:
    """The kinds that somebody wants to be told of, in whichever way."""
    return frozenset(settings.push) | frozenset(settings.mail)


def quiet_until(quiet: wire.QuietHours | None, now: float) -> float | None:
    """When the quiet hours end, if it is quiet now. From an hour until the same one is never."""
    zone = _zone(quiet.zone) if quiet is not None else None
    if quiet is None or zone is None:
        return None
    here = datetime.fromtimestamp(now, zone)
    minute, start, end = here.hour * 60 + here.minute, _minutes(quiet.start), _minutes(quiet.end)
    is_quiet = start <= minute < end if start <= end else minute >= start or minute < end
    if not is_quiet:
        return None
    day = here.date() if minute < end else here.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone).timestamp()


def _minutes(hour: str) -> int:
    return int(hour[:2]) * 60 + int(hour[3:])


def _zone(name: str) -> ZoneInfo | None:
    if not _ZONE.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
