"""Causes are sorted by facts: no message of ours takes part, and each fact that does can be
missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_replicant import DeviceSession, by
from pytest_replicant.kept_runs import ActionCause, kept_attempt
from pytest_replicant.model import Redactor, TraceFile, convert
from pytest_replicant.reporting import StoredParts, cause_of, group, trace_document
from pytest_replicant.testing import virtual_device

from ..made_rows import plain_row
from .test_cause import trace_of

SAID = "constant"
OURS = frozenset(
    {"ActionFailed", "ExpectationFailed", "TargetError", "DeviceOffline", "UsageError"}
)
MESSAGES = frozenset(
    {
        "title",
        "error",
        "expected",
        "observed",
        "selector",
        "reason",
        "summary",
        "lines",
        "source_text",
    }
)
"""Fields of a document that hold text of ours, where they hold text and not facts."""
NOTHING = {"code": "UNKNOWN"}
"""What says nothing, of fields of which not every text is one."""


Act = Callable[[DeviceSession], object]
FAULTS: dict[str, tuple[Act, ...]] = {
    "missing": (
        lambda mobile: mobile.tap(text="Log in"),
        lambda mobile: mobile.expect_visible(text="Log in"),
        lambda mobile: mobile.wait_for(text="Log in", timeout=0.2),
        lambda mobile: mobile.find(text="Log in"),
        lambda mobile: mobile.expect_count(1, text="Log in"),
        lambda mobile: mobile.expect_state(by(text="Log in"), enabled=True),
    ),
    "another state": (lambda mobile: mobile.expect_state(by(text="Remember me"), checked=True),)
    * 2,
    "another screen": (lambda mobile: mobile.expect_screen("Catalogue"),) * 2,
    "still there": (lambda mobile: mobile.expect_gone(text="Email"),) * 2,
    "several": (lambda mobile: mobile.tap(class_name="EditText"),) * 2,
    "the test's own": (lambda mobile: int("x"),) * 2,
}
"""Ways in which one fault shows itself."""


@pytest.fixture(scope="module")
def failures() -> list[tuple[str, dict[str, Any]]]:
    """The name of the fault and the document of each failure, from sessions on a virtual phone."""
    with virtual_device("dev.replicant.shop") as device:
        return [
            (name, trace_document(trace_of(device, act), StoredParts(), Redactor()))
            for name, acts in FAULTS.items()
            for act in acts
        ]


def groups_of(documents: Sequence[dict[str, Any]]) -> set[frozenset[int]]:
    """Which failures are put together, by their places."""
    causes = [cause_of(kept_attempt(convert(TraceFile, document))) for document in documents]
    rows = [plain_row(f"t{at}", cause) for at, cause in enumerate(causes)]
    usable = tuple({cause.look for cause in causes if isinstance(cause, ActionCause)})
    rows.append(plain_row("healthy", outcome="passed", looks=usable))
    return {frozenset(one.tests) for one in group(rows)}


def reworded(value: Any, field: str = "", *, ours: bool = True) -> Any:
    """The document with every message of ours replaced by a constant; that of a foreign exception
    is data."""
    if isinstance(value, dict):
        own = value.get("exception", "ActionFailed") in OURS
        texts = (
            {"text": SAID} if value.keys() >= {"signature", "text"} else {}
        )  # how an app died, for people
        return {name: reworded(one, name, ours=own) for name, one in value.items()} | texts
    if isinstance(value, list):
        return [reworded(one, field, ours=ours) for one in value]
    message = field in MESSAGES or (field == "message" and ours)
    return SAID if isinstance(value, str) and value and message else value


def without(value: Any, *fields: str) -> Any:
    """The document with these facts of a failure emptied."""
    if isinstance(value, dict):
        facts_of_failure = "screen_key" in value and "code" in value
        return {
            name: NOTHING.get(name, type(one)())
            if facts_of_failure and name in fields and one is not None
            else without(one, *fields)
            for name, one in value.items()
        }
    return [without(one, *fields) for one in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_no_message_of_ours_takes_part(failures: list[tuple[str, dict[str, Any]]]) -> None:
    documents = [document for _, document in failures]
    names = [name for name, _ in failures]
    faults = {frozenset(at for at, name in enumerate(names) if name == each) for each in names}
    assert groups_of(documents) == faults
    constant = [reworded(document) for document in documents]
    assert SAID in constant[0]["events"][-1]["error"], "messages are replaced"
    assert groups_of(constant) == faults


@pytest.mark.slow
@pytest.mark.parametrize("fact", ["code", "selector", "problem"])
def test_each_fact_can_be_missed(failures: list[tuple[str, dict[str, Any]]], fact: str) -> None:
    documents = [document for _, document in failures]
    assert groups_of([without(document, fact) for document in documents]) != groups_of(documents)
