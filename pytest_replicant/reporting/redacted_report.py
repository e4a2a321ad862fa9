"""Secrets out of what pytest itself reports of a failure: source lines, messages, arguments, captured output."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from ..model.secret import MASK

if TYPE_CHECKING:
    import pytest

    from ..model.secret import Redactor

Cleaner = Callable[[str], str]

_LITERAL = re.compile(r"""(\bSecret\(\s*(?:value\s*=\s*)?[rbuRBU]?)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")
"""A secret written into the test's source, whether it has been typed yet or not."""


def redact_report(report: pytest.TestReport, redactor: Redactor) -> None:
    """Changes the report in place. A traceback is a tree of small dataclasses, of which the strings matter."""

    def clean(text: str) -> str:
        return redactor.text(_LITERAL.sub(rf"\1'{MASK}'", text))

    report.sections = [(title, clean(text)) for title, text in report.sections]
    if isinstance(report.longrepr, str):
        report.longrepr = clean(report.longrepr)
    else:
        _clean(report.longrepr, clean, set())


def _clean(value: object, clean: Cleaner, seen: set[int]) -> object:
    """The cleaned value; containers and traceback parts are changed in place and come back as they are."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple):
        return tuple(_clean(item, clean, seen) for item in value)
    if id(value) in seen:
        return value
    seen.add(id(value))
    if isinstance(value, list):
        value[:] = [_clean(item, clean, seen) for item in value]
    elif is_dataclass(value):
        for item in fields(value):
            before = getattr(value, item.name)
            after = _clean(before, clean, seen)
            if after is not before:
                object.__setattr__(value, item.name, after)
    return value
