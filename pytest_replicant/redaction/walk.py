"""The one walk over a value whose texts are redacted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


def walked(value: Value, change: Callable[[str], str]) -> Value:
    """The same value with each text in it changed, keys of mappings too."""
    found: Any = value
    if isinstance(value, str):
        found = change(value)
    elif isinstance(value, Mapping):
        found = {walked(name, change): walked(one, change) for name, one in value.items()}
    elif isinstance(value, tuple) and hasattr(value, "_make"):
        found = value._make(walked(one, change) for one in value)
    elif isinstance(value, (tuple, list)):
        found = type(value)(walked(one, change) for one in value)
    elif is_dataclass(value) and not isinstance(value, type):
        found = replace(value, **{one.name: walked(getattr(value, one.name), change) for one in fields(value)})
    return cast("Value", found)
