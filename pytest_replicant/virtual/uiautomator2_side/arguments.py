"""Arguments as the Java server would take them: checked, converted, and matched to overloads by type."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from ...model import Point
from .failures import parameters_invalid
from .selector import parse_selector

Kind = Literal["int", "long", "float", "boolean", "text", "object", "selector", "point", "ints", "settings"]
"""``object`` is a selector, or the name that an earlier call gave to an object."""


def accepts(kind: Kind, value: object) -> bool:
    """Whether this value may stand for a parameter of this kind; overloads are chosen by it."""
    return _ACCEPTS[kind](value)


def convert(kinds: Sequence[Kind], values: Sequence[object]) -> list[object]:
    """What the method is called with; raises ``RpcError`` for a value that is of no use after all."""
    return [_CONVERT[kind](value) for kind, value in zip(kinds, values, strict=True)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str) or _is_number(value)


def _is_point(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"x", "y"} and all(map(_is_number, value.values()))


def _integer(bits: int) -> Callable[[object], int]:
    def convert_number(value: object) -> int:
        assert isinstance(value, int | float)
        number = int(value)  # Java too drops what follows the point
        if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            raise parameters_invalid(f"{number} is out of range")
        return number

    return convert_number


def _to_text(value: object) -> object:
    return None if value is None else str(value)


def _to_selector(value: object) -> object:
    return parse_selector(value) if isinstance(value, dict) else value


def _to_point(value: object) -> object:
    assert isinstance(value, dict)
    return Point(_integer(32)(value["x"]), _integer(32)(value["y"]))


def _to_integers(value: object) -> object:
    assert isinstance(value, list)
    return [_integer(32)(each) for each in value]


def _to_float(value: object) -> object:
    assert isinstance(value, int | float)
    return float(value)


_ACCEPTS: dict[Kind, Callable[[object], bool]] = {
    "int": _is_number,
    "long": _is_number,
    "float": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "text": _is_text,
    "object": lambda value: isinstance(value, str | dict),
    "selector": lambda value: isinstance(value, dict),
    "point": _is_point,
    "ints": lambda value: isinstance(value, list) and all(map(_is_number, value)),
    "settings": lambda value: isinstance(value, dict),
}
_CONVERT: dict[Kind, Callable[[object], object]] = {
    "int": _integer(32),
    "long": _integer(64),
    "float": _to_float,
    "boolean": lambda value: value,
    "text": _to_text,
    "object": _to_selector,
    "selector": _to_selector,
    "point": _to_point,
    "ints": _to_integers,
    "settings": lambda value: value,
}
