"""A run in which a test passed, and one in which it did not find its element, written as runs write
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_replicant.model import (
    CheckRecord,
    FailureRecord,
    RaisedError,
    Redactor,
    Selector,
    SnapshotRecord,
    TestFacts,
    TestTrace,
    TraceEvent,
    by,
)
from pytest_replicant.reporting import write_trace

from ...reporting.factory import DEVICE, EPOCH_MS, SIZE, action
from ...snapshots.screens import button, node, parse, screen, text

PASSED, FAILED = "20261120-101010-aaaaaa", "20261121-101010-bbbbbb"
LOG_IN = by(text="Log in")


def welcome(
    label: str = "Log in",
    *more: str,
    resource_id: str = "dev.shop:id/login",
    title: str = "Welcome",
) -> str:
    """A screen with two fields, one button that is meant, and another."""
    fields = (
        node("EditText", at=(0, 150 * at, 900, 150 * at + 100), hint=hint)
        for at, hint in ((1, "Email"), (2, "Code"))
    )
    shown = [button(label, at=(0, 600, 900, 700), resource_id=resource_id)] if label else []
    return screen(
        *fields, *shown, button("Help", at=(0, 900, 900, 1000)),
        text("Imprint", at=(0, 1100, 900, 1150)), *more, title=title,
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A call on a screen. ``fails`` are fields of the ``FailureRecord`` that raised, None of one
    that passed."""

    screen: str
    line: int = 2
    text: str = 'mobile.tap(text="Log in")'
    call: str = "tap"
    selector: Selector = LOG_IN
    fails: dict[str, Any] | None = None
    file: str = "test_it.py"


def missed(shown: str, **facts: Any) -> Step:
    given = {
        name: facts.pop(name)
        for name in ("line", "text", "call", "selector", "file")
        if name in facts
    }
    return Step(shown, fails=facts, **given)


def passed(folder: Path, *steps: Step, test: str = "test_it", **facts: Any) -> Path:
    return write(folder / PASSED, steps, test, "2026-11-20T10:10:10Z", **facts)


def failed(folder: Path, *steps: Step, test: str = "test_it", **facts: Any) -> Path:
    return write(folder / FAILED, steps, test, "2026-11-21T10:10:10Z", **facts)


def write(run: Path, steps: Sequence[Step], test: str, began: str, **facts: Any) -> Path:
    """The folder of the run."""
    snapshots: dict[str, SnapshotRecord] = {}
    names: dict[str, str] = {}
    for step in steps:
        if step.screen not in names:
            names[step.screen] = f"s{len(names) + 1}"
            snapshots[names[step.screen]] = _record(names[step.screen], step.screen)
    events = [_event(step, number, names[step.screen]) for number, step in enumerate(steps)]
    raised = [
        RaisedError("not found", "ActionFailed", step=one.id)
        for one in events
        if one.failure is not None
    ]
    test_facts = TestFacts(f"test_it.py::{test}", 0, "failed" if raised else "passed", began, 1000)
    trace = TestTrace(
        test_facts,
        device=DEVICE,
        events=tuple(events),
        snapshots=snapshots,
        failures=tuple(raised),
        **facts,
    )
    write_trace(trace, run.parent, run.name, Redactor())
    return run


def _record(name: str, source: str) -> SnapshotRecord:
    read = parse(source)
    return SnapshotRecord(
        name, read.screen, read.fingerprint, "", source.encode(), EPOCH_MS, SIZE, read.screen_key,
        read.app, dialog=read.dialog,
    )  # fmt: skip


def _event(step: Step, number: int, shown: str) -> TraceEvent:
    about = str(step.selector)
    source = f"{step.file}:{step.line}"
    event = TraceEvent(
        "action", f"{step.call} {about}", number, 1, id=f"a{number}", source=source,
        source_text=step.text, before=shown, after=shown,
    )  # fmt: skip
    if step.fails is not None:
        given = {
            "code": "ELEMENT_NOT_FOUND",
            "selector": step.selector,
            "snapshot": shown,
            **step.fails,
        }
        event = replace(
            event, before=None, error="not found", failure=FailureRecord(step.call, **given)
        )
    if step.call.startswith("expect_"):
        check = CheckRecord(
            "", step.call, about, "", "failed" if step.fails is not None else "passed"
        )
        return replace(event, kind="check", check=check)
    done = action(
        f"a{number}", step.call, about, 0, state="verified" if step.fails is None else "failed"
    )
    return replace(event, result=done)
