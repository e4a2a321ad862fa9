"""What Allure filters, groups and shows a test by: labels, tags, parameters, and a message that says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..findings import recovered, unverified
from ..printable import device_name
from ..triage.cause import cause_of
from .plain_text import one_line, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model import Redactor, TestTrace

OUTCOME = "replicant_outcome"
"""Label of what Allure has no status for: recovered, infra, error, xfailed, xpassed."""

CLASS = "failure_class"
CODE = "failure_code"
SCREEN = "screen"

_STATUSES = frozenset({"passed", "failed", "skipped"})
_GREEN = frozenset({"passed", "recovered"})


def label(result: Any, traces: list[TestTrace], redactor: Redactor) -> None:
    """Labels one attempt of a test, of which there is a trace for each phone, into Allure's ``result``."""
    from allure_commons.model2 import Label, Parameter, StatusDetails

    present = {(one.name, one.value) for one in result.labels}
    for name, value in _labels(traces):
        shown = one_line(redactor.text(value))
        if shown and (name, shown) not in present:
            present.add((name, shown))
            result.labels.append(Label(name=name, value=shown))
    taken = {one.name for one in result.parameters}
    for name, value in _devices(traces):
        if name not in taken:  # which phone it was is no part of which test it was: history goes on
            shown = one_line(redactor.text(value))
            result.parameters.append(Parameter(name=name, value=shown, excluded=True))
    details = result.statusDetails or StatusDetails()
    news = "\n".join(_news(traces[0]))
    if news and not details.message:
        details.message = plain_text(redactor.text(news))
    if _is_flaky(traces[0]):
        details.flaky = True
    told = signature(traces[0], redactor)
    if told and details.message:
        details.trace = f"{details.trace or ''}\n\n{told}".lstrip("\n")
    if details.message or details.flaky:
        result.statusDetails = details


def signature(trace: TestTrace, redactor: Redactor) -> str:
    """The cause in one line below the traceback: what categories of Allure 2 match, as they see no labels."""
    cause = cause_of(trace)
    if cause is None:
        return ""
    facts = ((CLASS, cause.failure_class), (CODE, cause.failure_code), (SCREEN, cause.screen))
    return ", ".join(f"{name}: {one_line(redactor.text(value))}" for name, value in facts if value)


def _labels(traces: list[TestTrace]) -> Iterator[tuple[str, str]]:
    trace = traces[0]
    outcome = trace.test.outcome
    if outcome not in _STATUSES:
        yield OUTCOME, outcome
    if outcome in ("recovered", "infra"):
        yield "tag", outcome
    if _is_flaky(trace):
        yield "tag", "flaky"
    if trace.test.lost or (trace.test.requeues and trace.test.outcome in _GREEN and not _is_flaky(trace)):
        yield "tag", "requeued" if not trace.test.lost else "lost phone"
    if any(map(unverified, traces)):
        yield "tag", "unverified"
    cause = cause_of(trace)
    if cause is not None:
        yield CLASS, cause.failure_class
        yield CODE, cause.failure_code
        yield SCREEN, cause.screen


def _is_flaky(trace: TestTrace) -> bool:
    """It passed, but only when it was run again, and not for want of a phone."""
    return trace.test.attempt > trace.test.requeues and trace.test.outcome in _GREEN


def _devices(traces: list[TestTrace]) -> Iterator[tuple[str, str]]:
    for number, trace in enumerate(traces, start=1):
        mark = f" {number}" if number > 1 else ""
        name = device_name({**trace.device, "serial": ""})
        if name:
            yield f"device{mark}", name
        if trace.device.get("serial"):
            yield f"serial{mark}", str(trace.device["serial"])


def _news(trace: TestTrace) -> Iterator[str]:
    """Why a test that passed deserves a look."""
    yield from (f"recovered: {line}" for line in recovered(trace) if trace.test.outcome == "recovered")
    why = unverified(trace)
    if why:
        yield f"passed without proof: {why}"
