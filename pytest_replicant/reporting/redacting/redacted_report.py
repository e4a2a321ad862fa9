"""Secrets out of what pytest itself reports of a failure: source lines, messages, arguments, captured output."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import pytest

from ...stash import SECRETS
from ..attempts.attempt import attempt_of
from ..attempts.outcomes import raised
from ..attempts.soft_checks import add_section
from .redacted_error import learn_secrets, learn_values, redact_error

if TYPE_CHECKING:
    from ...model import Redactor

Cleaner = Callable[[str], str]


class ReportRedaction:
    """The innermost hook around a report: the error and the report are clean before another plugin reads them."""

    def __init__(self, config: pytest.Config) -> None:
        self._redactor = config.stash[SECRETS]

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        learn_values(getattr(item, "funcargs", None), self._redactor)
        if call.excinfo is not None:
            learn_secrets(call.excinfo.value, self._redactor)
            redact_error(call.excinfo.value, self._redactor)
        report = yield
        attempt = attempt_of(item)
        if not attempt.calling:
            soft = attempt.untold() if call.excinfo is not None else []
            attempt.beside = tuple(raised(failure, report.when) for failure in soft)
            if soft:
                add_section(report, soft)
        redact_report(report, self._redactor)
        return report


def redact_report(report: pytest.TestReport, redactor: Redactor) -> None:
    """Changes the report in place. A traceback is a tree of small dataclasses, of which the strings matter."""
    clean = redactor.text
    report.sections = [(title, clean(text)) for title, text in report.sections]
    report.longrepr = _clean(report.longrepr, clean, set())  # type: ignore[assignment]  # the same type again
    report.user_properties = [
        (name, clean(value) if isinstance(value, str) else value) for name, value in report.user_properties
    ]
    if isinstance(getattr(report, "wasxfail", None), str):
        report.wasxfail = clean(report.wasxfail)


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
