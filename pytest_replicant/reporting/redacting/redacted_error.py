"""Secrets out of exceptions themselves, as other plugins read those and not the report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ...model import Secret
from ..attempts.outcomes import parts_of

if TYPE_CHECKING:
    from types import TracebackType

    from ...model import Redactor

LONGEST = 10_000
"""Characters of a variable that are looked through for what patterns match."""

_SLOTS = ("strerror", "filename", "filename2", "msg", "text", "reason")
"""Where built-in exceptions keep what they print, if not in ``args``."""


def learn_secrets(error: BaseException, redactor: Redactor) -> None:
    """Adds every ``Secret`` at hand where the error passed by, typed yet or not."""
    for one in _all(error):
        learn_from_frames(one.__traceback__, redactor)


def learn_from_frames(traceback: TracebackType | None, redactor: Redactor) -> None:
    """Adds each ``Secret`` among the local and global variables of the frames."""
    seen: set[int] = set()
    while traceback is not None:
        frame = traceback.tb_frame
        learn_values(dict(frame.f_locals), redactor)  # a passing view of them, from Python 3.13 on
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            learn_values(frame.f_globals, redactor)
        traceback = traceback.tb_next


def learn_values(values: object, redactor: Redactor) -> None:
    """Adds ``values`` if it is a ``Secret``, or those that a dict, list or tuple holds; and what patterns match in
    strings among them, of which a message may show a part."""
    if type(values) is dict:
        values = list(values.values())  # a frame may change while it is looked at
    held = values if type(values) in (list, tuple) else [values]
    assert isinstance(held, (list, tuple))
    for value in held:
        if issubclass(type(value), Secret):  # isinstance would ask a lazy stand-in what it stands for
            redactor.add(value.value)
        elif type(value) is str and len(value) <= LONGEST:
            redactor.learn(value)


def redact_error(error: BaseException, redactor: Redactor) -> None:
    """Changes what the error, its causes and its parts print; a message out of reach stays as it is."""
    for one in _all(error):
        for name in {"args", *vars(one), *_SLOTS}:
            with suppress(Exception):  # a field that cannot be set, or read, or that holds itself
                before = getattr(one, name, None)
                after = _cleaned(before, redactor)
                if after is not before:
                    setattr(one, name, after)


def _cleaned(value: object, redactor: Redactor) -> object:
    """The value without secrets in text and plain containers; the very same where there is none."""
    if type(value) is str:
        text = redactor.text(value)
        return value if text == value else text
    if type(value) in (list, tuple):
        assert isinstance(value, (list, tuple))
        items = [_cleaned(item, redactor) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    if type(value) is dict:
        pairs = {key: _cleaned(item, redactor) for key, item in value.items()}
        return value if all(pairs[key] is item for key, item in value.items()) else pairs
    return value


def _all(error: BaseException) -> Iterator[BaseException]:
    """The error, what it came from, and what it is a group of, each once."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__, *parts_of(one)]
