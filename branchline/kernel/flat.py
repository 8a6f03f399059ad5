"""Flat records: one table of fields makes the plain-Python twin, the NumPy layout, the copy and the bytes.

A subclass of `Flat` lists its fields as `name: Annotated[int, I8]` for one number or
`name: Annotated[list[int], I8, 5]` for several. Wide fields come first, so that no padding is needed.

A part (`class Position(Flat, part=True)`) only says which fields there are: a record that is put together from parts
names all of them again, in the order in which they lie. A part has no layout, and nobody can make one.
"""

from __future__ import annotations

import inspect
import struct
import typing
from typing import Any, ClassVar, Self

I64, I32, I16, I8 = "q", "i", "h", "b"
WIDTH = {I64: 8, I32: 4, I16: 2, I8: 1}
_NUMPY = {I64: "<i8", I32: "<i4", I16: "<i2", I8: "|i1"}


class Field(typing.NamedTuple):
    name: str
    code: str
    length: int  # 0 for a single number
    offset: int


def code_and_length(hint: Any) -> tuple[str, int]:
    """The code and the length of a field, from its annotation; 0 for a single number."""
    return hint.__metadata__[0], hint.__metadata__[1] if len(hint.__metadata__) > 1 else 0


class Flat:
    """A record of ints and lists of ints with a fixed layout in memory."""

    FIELDS: ClassVar[tuple[Field, ...]] = ()
    SIZE: ClassVar[int] = 0
    _packer: ClassVar[struct.Struct] = struct.Struct("<")

    def __init_subclass__(cls, *, part: bool = False) -> None:
        if part:
            return
        hints = typing.get_type_hints(cls, include_extras=True)
        fields, offset, format = [], 0, "<"
        for name in inspect.get_annotations(cls):
            if not hasattr(hints[name], "__metadata__"):
                continue
            code, count = code_and_length(hints[name])
            if offset % WIDTH[code]:
                raise AssertionError(f"{cls.__name__}.{name}: put wider fields first")
            fields.append(Field(name, code, count, offset))
            format += f"{count or 1}{code}"
            offset += WIDTH[code] * (count or 1)
        padding = -offset % 8
        cls.FIELDS = tuple(fields)
        cls.SIZE = offset + padding
        cls._packer = struct.Struct(format + f"{padding}x")

    def __init__(self) -> None:
        if not self.FIELDS:
            raise TypeError(f"{self.__class__.__module__}.{self.__class__.__name__} is a part of a record")
        for field in self.FIELDS:
            setattr(self, field.name, [0] * field.length if field.length else 0)

    def copy(self) -> Self:
        twin = self.__class__.__new__(self.__class__)
        values = twin.__dict__
        for name, value in self.__dict__.items():
            values[name] = value[:] if value.__class__ is list else value
        return twin

    def to_bytes(self) -> bytes:
        values: list[int] = []
        for field in self.FIELDS:
            value = getattr(self, field.name)
            if field.length:
                values += value
            else:
                values.append(value)
        return self._packer.pack(*values)

    def read_bytes(self, data: bytes) -> None:
        values = self._packer.unpack(data)
        at = 0
        for field in self.FIELDS:
            if field.length:
                setattr(self, field.name, list(values[at : at + field.length]))
            else:
                setattr(self, field.name, values[at])
            at += field.length or 1

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        flat = cls.__new__(cls)
        flat.read_bytes(data)
        return flat

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    @classmethod
    def dtype(cls) -> Any:
        """The same layout as a NumPy structured type."""
        import numpy

        return numpy.dtype(
            {
                "names": [f.name for f in cls.FIELDS],
                "formats": [(_NUMPY[f.code], (f.length,)) if f.length else _NUMPY[f.code] for f in cls.FIELDS],
                "offsets": [f.offset for f in cls.FIELDS],
                "itemsize": cls.SIZE,
            }
        )
