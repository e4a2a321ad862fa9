"""Secrets out of all that is reported: pytest's reports and parameter ids, and the traces that
hooks are given.

Exceptions are left alone: they belong to the test, and other code may hold or compare them.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from dataclasses import fields, is_dataclass, replace
from traceback import walk_tb
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import pytest
from pluggy import HookimplMarker

from ..model import MASK, Redactor
from ..pytest_private import ReportWrapper, add_section, innermost
from ..running import SECRETS
from .attempts.attempt import parts_of

if TYPE_CHECKING:
    from ..model import TestTrace

LONGEST = 10_000
"""Characters of a variable that are searched for matches of patterns."""

_ASCII_MASK = "***"
"""Mask in a parameter id, of which pytest would write the usual one as escapes."""


class ReportRedaction:
    """The innermost hook around a report, which is clean before another plugin reads it."""

    def __init__(self, config: pytest.Config) -> None:
        self._redactor = config.stash[SECRETS]
        self._modules: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_parametrize_id(self, val: object) -> Generator[None, str | None, str | None]:
        """Masks all known when tests are collected: matches of patterns, secrets in URIs."""
        name = yield
        shown = name if name is not None else val
        if not isinstance(shown, str):
            return name
        cleaned = self._redactor.text(shown)
        return name if cleaned == shown else cleaned.replace(MASK, _ASCII_MASK)

    @innermost
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        learn_values(getattr(item, "funcargs", None), self._redactor)
        module = getattr(item, "module", None)  # doctests have none
        if module is not None and (
            call.excinfo is not None or module.__name__ not in self._modules
        ):
            self._modules.add(module.__name__)
            learn_values(dict(vars(module)), self._redactor)
        if call.excinfo is not None:
            for one in _chain(call.excinfo.value):
                learn_from_traceback(one.__traceback__, self._redactor)
        report = yield
        redact_report(report, self._redactor)
        if call.excinfo is not None and MASK in report.longreprtext:
            add_section(report, "replicant", f"{MASK} hides a Secret, in lines of source too")
        return report


def learn_from_traceback(traceback: TracebackType | None, redactor: Redactor) -> None:
    """Adds every ``Secret`` among the variables that the report of an error may show, whether it
    was typed or not."""
    for frame, _ in walk_tb(traceback):
        learn_values(dict(frame.f_locals), redactor)  # a passing view of them, from Python 3.13 on


def learn_values(values: object, redactor: Redactor) -> None:
    """Adds ``values`` if it is a ``Secret``, or those that a dict, list or tuple holds; and what
    patterns match in strings among them, of which a message may show a part."""
    if type(values) is dict:
        values = list(values.values())
    held = values if type(values) in (list, tuple) else [values]
    # Without it there are none yet.
    made_in = sys.modules.get("pytest_replicant.model.descriptions")
    secret: Any = getattr(made_in, "Secret", ())
    for value in cast("list[object]", held):
        if issubclass(
            type(value), secret
        ):  # isinstance would ask a lazy stand-in what it stands for
            redactor.add(cast("Any", value).value)
        elif type(value) is str and len(value) <= LONGEST:
            redactor.learn(value)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, its causes, and the parts of groups, each once."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__, *parts_of(one)]


def redact_report(report: pytest.TestReport, redactor: Redactor) -> None:
    """Changes the report in place: its traceback, sections, properties and reasons."""
    clean = redactor.text
    report.sections = [(title, clean(text)) for title, text in report.sections]
    if report.longrepr is not None:
        report.longrepr = _cleaned(report.longrepr, redactor, set())  # type: ignore[assignment]  # the same type
    report.user_properties = [
        (name, clean(value) if isinstance(value, str) else value)
        for name, value in report.user_properties
    ]
    if isinstance(getattr(report, "wasxfail", None), str):
        report.wasxfail = clean(report.wasxfail)


def _cleaned(value: object, redactor: Redactor, seen: set[int], *, source: bool = False) -> object:
    """The cleaned value. Lists and dataclasses, of which a traceback is a tree, are changed in
    place. ``source``: of its lines, those that are indented or pointed at are code."""
    if isinstance(value, str):
        return redactor.text(value, code=source and value[:1] in (" ", ">"))
    if isinstance(value, tuple):
        if len(value) == 2 and all(
            isinstance(item, str) for item in value
        ):  # an argument and its value
            from ..redaction import masked_value  # of failures alone

            return next(iter(masked_value(dict([value]), redactor).items()))
        return tuple(_cleaned(item, redactor, seen) for item in value)
    if id(value) in seen:
        return value
    seen.add(id(value))
    if isinstance(value, list):
        value[:] = [_cleaned(item, redactor, seen, source=source) for item in value]
    elif is_dataclass(value):
        for item in fields(value):
            before = getattr(value, item.name)
            after = _cleaned(before, redactor, seen, source=hasattr(value, "reprfuncargs"))
            if after is not before:
                object.__setattr__(value, item.name, after)
    return value


_ALLURE_TEXTS = ("name", "description", "descriptionHtml", "message", "trace", "value")
_ALLURE_PARTS = (
    "befores",
    "afters",
    "steps",
    "statusDetails",
    "attachments",
    "parameters",
    "errors",
)
_allure_hook = HookimplMarker("allure")


class AllureRedaction:
    """A plugin of Allure's, which reads errors before pytest reports them: each result is clean
    before it is written."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    @_allure_hook(tryfirst=True)
    def stop_step(self, exc_tb: Any) -> None:
        learn_from_traceback(exc_tb, self._redactor)

    stop_fixture = stop_step

    @_allure_hook(tryfirst=True)
    def report_result(self, result: Any) -> None:
        redact_allure_item(result, self._redactor)

    @_allure_hook(tryfirst=True)
    def report_container(self, container: Any) -> None:
        redact_allure_item(container, self._redactor)

    @_allure_hook(tryfirst=True)
    def report_globals(self, globals_item: Any) -> None:
        redact_allure_item(globals_item, self._redactor)


def redact_allure_item(item: Any, redactor: Redactor) -> None:
    """Cleans a result, a container or a part of one in place; ids, paths and labels stay, as Allure
    joins by them."""
    for name in _ALLURE_TEXTS:
        text = getattr(item, name, None)
        if isinstance(text, str):
            # Allure writes UTF-8, and a run ends where half a surrogate pair is among the
            # parameters of a test.
            clean = redactor.text(text).encode("utf-8", errors="backslashreplace")
            setattr(item, name, clean.decode("utf-8"))
    for name in _ALLURE_PARTS:
        part = getattr(item, name, None)
        for one in part if isinstance(part, list) else [part]:
            if one is not None:
                redact_allure_item(one, redactor)


def redacted_trace(trace: TestTrace, redactor: Redactor) -> TestTrace:
    """The trace as a report hook is given it. Two tests whose ids differ in a secret alone keep
    different ids."""
    from ..redaction import (
        masked_attachment,
        masked_record,
        masked_source,
    )  # of no use before a phone was used
    from .artifacts.storage import shown_id

    snapshots = {
        name: replace(record, source=masked_source(record.source, redactor))
        for name, record in trace.snapshots.items()
    }
    attachments = tuple(
        replace(one, data=masked_attachment(one.data, one.media_type, redactor))
        for one in trace.attachments
    )
    clean = masked_record(replace(trace, snapshots=snapshots, attachments=attachments), redactor)
    return replace(clean, test=replace(clean.test, nodeid=shown_id(trace.test.nodeid, redactor)))
