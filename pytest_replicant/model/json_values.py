"""Our values out of what JSON has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Flag
from math import isfinite
from typing import Any

from .aliases import AnyDict
from .element import Element
from .selector import Selector

OPTIONAL: Mapping[str, bool] = {"optional": True}
"""Metadata of a field that is left out if there is nothing in it."""


def plain(value: object, rest: Callable[[object], Any] = str) -> Any:
    """Dataclasses as dicts of the fields that take part in ``repr``, selectors as their keywords,
    other values as ``rest`` makes them; NaN and infinities, which JSON lacks, by their names."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Selector):
        return {
            name: one.ref if isinstance(one, Element) else plain(one, rest)
            for name, one in value.given()
        }
    if isinstance(value, re.Pattern):
        return {"pattern": value.pattern, "flags": value.flags}
    if isinstance(value, Flag):
        return [one.name for one in type(value) if one in value and one.value]
    if isinstance(value, Mapping):
        return {str(name): plain(one, rest) for name, one in value.items()}
    if isinstance(value, Set):
        return sorted((plain(one, rest) for one in value), key=str)
    if isinstance(value, (list, tuple)):
        return [plain(one, rest) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return _row(value, rest)
    return rest(value)


def _row(value: Any, rest: Callable[[object], Any]) -> AnyDict:
    row = {}
    for one in fields(value):
        found, stored = getattr(value, one.name), one.metadata.get("stored")
        if not one.repr or ("optional" in one.metadata and found in (None, {})):
            continue
        if stored is not None and found is not None:
            found = stored.of(found)
        row[one.name] = plain(found, rest)
    return row
