"""Values of ours out of JSON that may be anybody's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..model import FailureRecord, Selector

_LONGEST = 1_000
_MOST = 100  # entries of a list in one record
_DEEPEST = 9  # records within records
_LARGEST = 1 << 50
_PLAIN = (bool, int, float, str)
_FOR_TYPES_ALONE = {
    "Mapping": Mapping,
    "Selector": Selector,
    "FailureRecord": FailureRecord,
    "Element": str,  # stands by its ref
}


def read(kind: Any, value: object, *, strict: bool = True, depth: int = _DEEPEST) -> Any:
    """What ``plain`` made of a ``kind``, as that again: a dataclass, a tuple, a text. Raises ``ValueError``.

    Fields that a dataclass does not know are left out, absent ones have their default. What does not fit raises,
    or, where not ``strict``, counts as absent; long texts and lists are then cut.
    """
    origin, inner = _parts(kind)
    if origin is str and isinstance(value, str):
        return value if strict else value[:_LONGEST]
    if origin in (Union, UnionType):
        for one in inner:
            with suppress(ValueError):
                return read(one, value, strict=strict, depth=depth)
    elif origin is tuple and isinstance(value, list):
        if strict:
            kinds = inner[:1] * len(value) if inner[-1] is ... else inner
            return tuple(read(one, each, depth=depth) for one, each in zip(kinds, value, strict=True))
        found = [loosely(inner[0], one, depth) for one in value[:_MOST]]
        return tuple(one for one in found if one is not None)
    elif origin is Mapping and isinstance(value, dict):
        facts = [(str(name), one) for name, one in value.items() if one is None or isinstance(one, _PLAIN)]
        return {name[:_LONGEST]: one[:_LONGEST] if isinstance(one, str) else one for name, one in facts[:_MOST]}
    elif origin is re.Pattern and isinstance(value, dict):
        return read(str, value.get("pattern"), strict=strict)
    elif origin in (int, bool) and isinstance(value, int) and type(value) is origin:
        if abs(value) <= _LARGEST:
            return value
    elif (origin is Literal and value in inner) or (origin is NoneType and value is None):
        return value
    elif isinstance(value, dict) and is_dataclass(origin) and depth:
        return _record(origin, value, strict, depth - 1)
    raise ValueError(f"no {kind}")


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind) or kind, get_args(kind)


def loosely(kind: Any, value: object, depth: int = _DEEPEST) -> Any:
    """As ``read`` if not strict; None if it is no such value at all."""
    with suppress(ValueError):
        return read(kind, value, strict=False, depth=depth)
    return None


def _record(kind: Any, given: Mapping[str, Any], strict: bool, depth: int) -> Any:
    """A record of which nothing fits is none, nor is one without a field that has no default."""
    values: dict[str, Any] = {}
    for name, one in _types(kind).items():
        try:
            if name in given:
                values[name] = read(one, given[name], strict=strict, depth=depth)
        except ValueError:
            if strict:
                raise
    with suppress(TypeError):
        if values:
            return kind(**values)
    raise ValueError(f"no {kind.__name__}")


@cache
def _types(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, localns=_FOR_TYPES_ALONE)
