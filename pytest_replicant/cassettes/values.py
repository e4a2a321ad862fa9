"""Data that a test made, such as a user over HTTP, a uuid or today, as a recording keeps them."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from ..errors import UsageError
from ..model import AnyDict, Secret

_KIND = "~"
_RAISED = "raised"
_MODULE = "recorded"
_DEEPEST = 5
_LARGEST = 2**53
_TYPES: Mapping[type, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    bytes: (lambda value: base64.b64encode(value).decode("ascii"), base64.b64decode),
    datetime: (datetime.isoformat, datetime.fromisoformat),
    date: (date.isoformat, date.fromisoformat),
    time: (time.isoformat, time.fromisoformat),
    timedelta: (timedelta.total_seconds, lambda value: timedelta(seconds=value)),
    Decimal: (str, Decimal),
    UUID: (str, UUID),
    Secret: (
        lambda secret: len(secret.value),
        lambda length: Secret("\ue8ff" * min(int(length), 10_000)),
    ),
}
"""By type: to JSON, and back. Of a secret no more is kept than its length."""
_ROWS: Mapping[str, type] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_BACK: Mapping[str, Callable[[Any], Any]] = {
    "int": int,
    **{kind.__name__: back for kind, (_, back) in _TYPES.items()},
}
KINDS = (
    "None, True and False, numbers, texts, bytes, dates and times, UUID, Decimal, Secret, and "
    "lists, tuples, sets and dicts of these"
)


def as_data(name: str, value: Any, depth: int = _DEEPEST) -> Any:
    """The value as JSON. Raises ``UsageError`` for one that a recording cannot give back."""
    kind = type(value)
    if kind is int and abs(value) > _LARGEST:  # more than JSON carries everywhere
        return {_KIND: "int", "of": str(value)}
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind in _TYPES:
        return {_KIND: kind.__name__, "of": _TYPES[kind][0](value)}
    if depth and kind is list:
        return [as_data(name, one, depth - 1) for one in value]
    if depth and kind in _ROWS.values():
        rows = value if kind is tuple else sorted(value, key=repr)
        return {_KIND: kind.__name__, "of": [as_data(name, one, depth - 1) for one in rows]}
    if depth and kind is dict and all(type(key) is str and key != _KIND for key in value):
        return {key: as_data(name, one, depth - 1) for key, one in value.items()}
    raise UsageError(
        f"recorded {name!r}: a {kind.__module__}.{kind.__qualname__} is nothing that a recording "
        f"can give back. Next: return data ({KINDS}), and make the object of them in a fixture "
        "that is not recorded"
    )


def made_and_kept(values: AnyDict, key: str, shown: str, make: Callable[[], Any]) -> Any:
    """What ``make`` returns, kept in ``values`` by its key, or what it raises; a key that was used
    before counts on. ``shown`` is its name in messages. Raises ``UsageError`` for any value that is
    no data."""
    names = (key if number == 1 else f"{key} {number}" for number in range(1, len(values) + 2))
    key = next(one for one in names if one not in values)
    try:
        made = make()
        values[key] = as_data(shown, made)
    except Exception as error:
        values[key] = as_failure(error)
        raise
    return made


def as_failure(error: BaseException) -> Any:
    """In place of a value: the error that came of making it."""
    return {_KIND: _RAISED, "of": [type(error).__name__, str(error).partition("\n")[0]]}


def failure_of(data: Any) -> Exception | None:
    """That error again, as one of a class of the same name; None for a value."""
    if not isinstance(data, dict) or data.get(_KIND) != _RAISED:
        return None
    match data.get("of"):
        case [str(name), str(message)] if name.isidentifier():
            kind: type[Exception] = type(name, (Exception,), {"__module__": _MODULE})
            return kind(message)
    raise ValueError("no recorded error")


def is_recorded(error: BaseException) -> bool:
    """Whether it is such an error, which no line of the test has raised."""
    return type(error).__module__ == _MODULE


def of_data(data: Any) -> Any:
    """The value again. Raises ``ValueError`` for anything else."""
    if isinstance(data, list):
        return [of_data(one) for one in data]
    if not isinstance(data, dict):
        return data
    if _KIND not in data:
        return {key: of_data(one) for key, one in data.items()}
    kind: Any = data[_KIND]
    held: Any = data.get("of")
    try:
        if kind in _ROWS:
            return _ROWS[kind](map(of_data, held))
        return _BACK[kind](held)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"no recorded value of the kind {kind!r}: {error}") from None
