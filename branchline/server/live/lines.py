"""A table in a list: the lobby, or "my games"."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from branchline.server import wire
from branchline.server.store.contract import LineRow
from branchline.server.tables.colours import coloured
from branchline.server.tables.state import Options

_OPTIONS = msgspec.json.Decoder(Options)


def line_of(row: LineRow, user: str | None) -> wire.TableLine:
    """A line for one reader; it needs neither the map nor the log, so that a broken game is listed too."""
    mine = [seat for seat, (who, *_) in enumerate(row.chairs) if who is not None and who == user]
    sheets = _read(row.result or "null", None)
    return wire.TableLine(
        id=row.id,
        map=row.map,
        state=_state(row.state),
        names=[name for _, _, name, _ in row.chairs],
        colours=coloured([colour for *_, colour in row.chairs]),
        seats=len(row.chairs),
        free=sum(who is None and bot is None for who, bot, *_ in row.chairs),
        listed=row.listed,
        clock=_clock(row.options),
        your_turn=row.state == "playing" and not row.broken and any(_awaits(row.to_act, seat) for seat in mine),
        you=mine[0] if len(mine) == 1 else None,
        here=len(mine) > 1,
        updated=row.updated,
        places=[sheet["place"] for sheet in sheets] if sheets else None,
        totals=[sheet["total"] for sheet in sheets] if sheets else None,
        aside=row.broken or "",
    )


def _clock(options: str) -> wire.ClockOption:
    try:
        return _OPTIONS.decode(options).clock
    except msgspec.DecodeError:
        return wire.ClockOption()


def _read(text: str, otherwise: Any) -> Any:
    """What a cell says, or something else where it is nonsense: one bad row must not spoil a whole list."""
    try:
        return json.loads(text)
    except ValueError:
        return otherwise


def _state(text: str) -> wire.TableState:
    state: wire.TableState = msgspec.convert(text, wire.TableState)
    return state


def _awaits(to_act: str, seat: int) -> bool:
    acting = _read(to_act, [seat])
    return seat in acting or not acting  # rows of version 0.1: before the first move all have to choose
