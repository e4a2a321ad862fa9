"""The one walk over a value whose texts are redacted. A policy says what becomes of a text, by the path to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

Place = tuple[str, ...]
"""Names of fields and keys; ``ITEM`` for an entry of a list, and last ``KEY`` for a text that is a key itself."""
Policy = Callable[[str, Place], str]
KEY, ITEM = "", "[]"
Value = TypeVar("Value")


def walked(value: Value, policy: Policy, path: Place = ()) -> Value:
    """The value with other texts. A dataclass in which nothing is another is the very same."""
    found: Any = value
    if isinstance(value, str):
        found = policy(value, path)
    elif isinstance(value, Mapping):
        pairs = value.items()
        found = {
            walked(name, policy, (*path, KEY)): walked(one, policy, (*path, str(name))) for name, one in pairs
        }
    elif hasattr(value, "_make"):
        named = zip(value._fields, cast("Any", value), strict=True)  # type: ignore[attr-defined]
        found = value._make(walked(one, policy, (*path, name)) for name, one in named)
    elif type(value) in (tuple, list, frozenset):
        found = type(value)(walked(one, policy, (*path, ITEM)) for one in cast("Any", value))  # type: ignore[call-arg]
    elif is_dataclass(value) and not isinstance(value, type):
        found = _record(value, policy, path)
    return cast("Value", found)


def _record(value: Any, policy: Policy, path: Place) -> Any:
    from ..model import Element  # heavy, and of no use before a phone was used

    if isinstance(value, Element) and value.family is not None:  # which is the whole screen it was on
        value = replace(value, family=None)
    changed: dict[str, Any] = {}
    for one in fields(value):
        before = getattr(value, one.name)
        after = walked(before, policy, (*path, one.name))
        if one.init and after is not before:
            changed[one.name] = after
    return replace(value, **changed) if changed else value


def every_text(change: Callable[[str], str]) -> Policy:
    """Keys too."""
    return lambda text, _: change(text)


def every_value(change: Callable[[str], str]) -> Policy:
    """Keys stand."""
    return lambda text, path: text if path[-1:] == (KEY,) else change(text)


def texts_in(value: object) -> list[str]:
    """All of them, keys too."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    walked(value, every_text(note))
    return found
