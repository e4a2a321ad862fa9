"""Traces built by hand: one that reads like a day at work, one that attacks whoever shows it."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image, ImageDraw

from pytest_replicant.model import (
    ActionResult,
    ActionTarget,
    ActionTrace,
    Attachment,
    CheckRecord,
    DeathRecord,
    DiffRecord,
    Element,
    LogRecord,
    Node,
    RaisedError,
    Read,
    RecoveryRecord,
    RecoveryState,
    Rect,
    Redactor,
    Screenshot,
    ShownElement,
    SnapshotRecord,
    States,
    TestFacts,
    TestTrace,
    TraceEvent,
    TraceStep,
    decode,
)
from pytest_replicant.reporting import TraceFiles, run_row, write_trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_replicant.kept_runs import RunRow
    from pytest_replicant.model import FailureCode, Stage, StepResult, TestOutcome

SIZE = (1080, 2400)
BUTTON = Rect(90, 2090, 990, 2240)
EPOCH_MS = 1_795_000_000_000
DEVICE = {
    "serial": "virtual-1",
    "platform": "android",
    "model": "Pixel 7",
    "os_version": "14",
    "size": [1080, 2400],
    "density": 2.625,
}

HOSTILE = {
    "markup": "</script><img src=x onerror=document.title='owned'><!--<script>alert(1)</script>-->",
    "quotes": 'a ]]> b & c &lt;b&gt; "it\'s" `${alert(1)}` {{7*7}} %s {0}',
    "unseen": "a\u202egpj.exe\u2066x\u2069 \x00\x07\x1b[31md one\u2028two\u2029three",
    "half a pair": "broken \ud800 surrogate",
    "long": "x" * 100_000,
}


def element(
    label: str, bounds: Rect, *, ref: str = "k427", class_name: str = "Button", row: str = ""
) -> Element:
    node = Node(
        index=4,
        parent=0,
        children=(),
        class_name=class_name,
        package="dev.replicant.shop",
        resource_id="",
        text=label,
        description="",
        hint="",
        bounds=bounds,
        states=States(enabled=True),
        clickable=True,
        long_clickable=False,
        checkable=False,
        visible=True,
        window=0,
    )
    return Element(
        ref=ref, identity=427, fragile=False, label=label, node=node, snapshot_id="s1", context=row
    )


@dataclass(frozen=True)
class Recorded:
    """What ``factory.json`` has: the events of a tiny trace, but for the envelope of its action,
    and of another one the rest of them, with what was recovered and what died."""

    tiny: tuple[TraceEvent, ...]
    recovered: tuple[TraceEvent, ...]
    recoveries: tuple[RecoveryRecord, ...]
    deaths: tuple[DeathRecord, ...]


RECORDED = decode(Recorded, Path(__file__).with_suffix(".json").read_bytes())


def action(
    name: str,
    kind: str,
    selector: str,
    begin: int,
    target: Element | None = None,
    state: Literal["pending_verification", "verified", "failed"] = "verified",
    code: FailureCode | None = None,
    recovery: RecoveryState | None = None,
) -> ActionResult:
    stages: tuple[tuple[Stage, int, int], ...] = (
        ("resolve", 0, 41),
        ("execute", 41, 93),
        ("stabilize", 134, 388),
    )
    steps = [
        TraceStep(stage, EPOCH_MS + begin + at, "success", {"reads": 2}, duration_ms=took)
        for stage, at, took in stages
    ]
    return ActionResult(
        action_id=name,
        timestamp="2026-11-20T19:18:52.120Z",
        action_type=kind,
        lifecycle_state=state,
        source_module="pytest_replicant.session",
        target=ActionTarget(selector, target),
        success=state != "failed",
        ui_fingerprint_before="fp-before",
        ui_fingerprint_after="fp-after",
        trace=ActionTrace(name, tuple(steps)),
        device=DEVICE,
        failure_code=code,
        retryable=None if code is None else False,
        recovery=recovery,
        details={"point": [540, 1220], "keyboard_hidden": True},
    )


@functools.cache
def screen_png(title: str, rows: tuple[str, ...], button: str, shade: str = "#3b5bdb") -> bytes:
    """A picture that a person would take for an app."""
    image = Image.new("RGB", SIZE, "#fafafa")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 1080, 90), fill="#e9e9ee")
    draw.text((60, 24), "19:18", fill="#222", font_size=38)
    draw.rectangle((0, 90, 1080, 270), fill=shade)
    draw.text((60, 145), title, fill="white", font_size=62)
    for index, row in enumerate(rows):
        top = 330 + index * 190
        draw.rounded_rectangle(
            (50, top, 1030, top + 160), 22, fill="white", outline="#dcdce4", width=3
        )
        draw.text((90, top + 52), row, fill="#222", font_size=46)
    draw.rounded_rectangle((90, 2090, 990, 2240), 70, fill=shade)
    draw.text((400, 2130), button, fill="white", font_size=54)
    packed = io.BytesIO()
    image.save(packed, "PNG")
    return packed.getvalue()


def snapshot(name: str, screen: str, outline: str, at: int) -> SnapshotRecord:
    source = f'<?xml version="1.0"?><hierarchy rotation="0"><node text="{screen}" /></hierarchy>'
    return SnapshotRecord(name, screen, f"fp-{name}", outline, source.encode(), EPOCH_MS + at, SIZE)


def facts(outcome: TestOutcome = "passed", nodeid: str = "", attempt: int = 0) -> TestFacts:
    return TestFacts(
        nodeid=nodeid or "tests/test_checkout.py::test_two_mugs_can_be_ordered",
        attempt=attempt,
        outcome=outcome,
        started_at="2026-11-20T19:18:52.004Z",
        duration_ms=6840,
        location="tests/test_checkout.py:11",
    )


def tiny_trace(outcome: TestOutcome = "passed", nodeid: str = "", attempt: int = 0) -> TestTrace:
    """One verified action and one check, no pictures: enough for most rules, and cheap."""
    acted, checked = RECORDED.tiny
    tapped = action("a1", "tap", 'text="Sign in"', 0, element("Sign in", BUTTON))
    return TestTrace(
        test=facts(outcome, nodeid, attempt),
        device=DEVICE,
        events=(replace(acted, result=tapped), checked),
        snapshots={
            "s1": snapshot("s1", "Sign in", 'Screen "Sign in"\n  [k427] Button "Sign in"', 0),
            "s2": snapshot(
                "s2", "Catalogue", 'Screen "Catalogue"\n  [c081] Button "Cart, 0 items"', 400
            ),
        },
        attachments=(Attachment("request log", "text/plain", b"GET /cart 200"),),
    )


def written(trace: TestTrace, folder: Path) -> TraceFiles:
    """What was written of it, in a run below that folder."""
    return write_trace(trace, folder, "run", Redactor())


def row_of(trace: TestTrace) -> RunRow:
    """Its row in a run that keeps no traces."""
    return run_row(trace, Redactor())


def with_parts(
    trace: TestTrace,
    results: Sequence[ActionResult] | None = None,
    checks: Sequence[CheckRecord] | None = None,
) -> TestTrace:
    """The trace with these actions and checks in place of its own, in order; more are added, others
    left out."""
    acted = next(event for event in trace.events if event.result is not None)
    events = [event for event in trace.events if event.kind == "wait"]
    results, checks = (
        trace.actions if results is None else results,
        trace.checks if checks is None else checks,
    )
    own = [event for event in trace.events if event.result is not None]
    events += [
        replace(own[at] if at < len(own) else acted, id=one.action_id, result=one)
        for at, one in enumerate(results)
    ]
    tested = [event for event in trace.events if event.check is not None]
    events += [
        replace(tested[min(at, len(tested) - 1)], id=f"check-{at}", check=one)
        for at, one in enumerate(checks)
    ]
    return replace(trace, events=tuple(sorted(events, key=lambda event: event.start_ms)))


def hostile_trace(text: str) -> TestTrace:
    """``text`` wherever an app, a test or a file name can put it."""
    trace = tiny_trace("failed", nodeid=f"tests/test_x.py::test_y[{text}]")
    bad_element = element(text, Rect(0, 0, 10, 10), row=text)
    tapped = recovered_tap(text)
    acted, checked = (
        replace(event, title=text, group=(text,), error=text) for event in trace.events
    )
    return replace(
        trace,
        test=replace(trace.test, location=text),
        device={**DEVICE, "model": text},
        events=(
            replace(
                acted,
                result=replace(
                    tapped, target=ActionTarget(text, bad_element), details={text: text}
                ),
                diff=DiffRecord(text, (f"+ {text}", f"~ {text}")),
            ),
            replace(
                checked,
                check=replace(
                    trace.checks[0], expected=text, observed=text, reads=(Read(0.0, text, False),)
                ),
            ),
        ),
        snapshots={
            name: replace(
                record,
                screen=text,
                outline=text,
                fingerprint=text,
                elements=(ShownElement("k427", text, text, Rect(0, 0, 10, 10)),),
            )
            for name, record in trace.snapshots.items()
        },
        attachments=(Attachment(text, text, text.encode("utf-8", "surrogatepass")),),
        failures=(RaisedError(text, text, text),),
        logs=(LogRecord(0, "E", text, text, 1),),
        recoveries=(
            RecoveryRecord(
                "a1",
                "tap",
                "ELEMENT_NOT_FOUND",
                "state_refresh",
                text,
                text,
                (text,),
                recovered=True,
            ),
            RecoveryRecord(
                "a1",
                "expect_visible",
                "ELEMENT_NOT_FOUND",
                "state_refresh",
                text,
                text,
                (text,),
                done=False,
            ),
        ),
        deaths=(DeathRecord(f"{text} (a1, {text})", text, text, "a1"),),
    )


def recovered_tap(reason: str) -> ActionResult:
    """A tap that succeeded at its second attempt; a third answer came and was refused."""
    state = RecoveryState(
        "TargetResolutionFailure", "ELEMENT_NOT_FOUND", "state_refresh", recovery_attempts=1
    )
    carried_out: dict[str, object] = {
        "strategy": "state_refresh",
        "evidence": reason,
        "before": [f"tap {reason}"],
    }
    refused: dict[str, object] = {
        **carried_out,
        "strategy": "step_back",
        "reason": f"refused: {reason}",
    }
    stages: tuple[tuple[Stage, StepResult, dict[str, object], int, str | None, str | None], ...] = (
        ("resolve", "failure", {"reason": reason}, 0, None, None),
        ("recover", "success", carried_out, 1, "a1.r1", reason[:80]),
        ("recover", "failure", refused, 1, "a1.r1", "careless"),
        (
            "resolve",
            "success",
            {"waited_for": f"disabled 1.5 s {reason}", "waited_ms": 1500},
            1,
            "a1.r1",
            None,
        ),
        (
            "stabilize",
            "success",
            {"masked": f"ProgressBar {reason}", "failed_reads": 2},
            1,
            "a1.r1",
            None,
        ),
    )
    steps = tuple(
        TraceStep(stage, EPOCH_MS + at * 100, result, notes, attempt, 90, cycle, policy)
        for at, (stage, result, notes, attempt, cycle, policy) in enumerate(stages)
    )
    tapped = action("a1", "tap", 'text="Sign in"', 0, element("Sign in", BUTTON), recovery=state)
    return replace(tapped, trace=ActionTrace("a1", steps, "success", 2))


def recovered_trace(outcome: TestOutcome = "recovered") -> TestTrace:
    """A recovered action; a check that failed, with reads that were none; a wait in vain; a
    death."""
    trace = tiny_trace(outcome)
    acted = replace(trace.events[0], result=recovered_tap("a notice was in the way"))
    return replace(
        trace,
        events=(acted, *RECORDED.recovered),
        recoveries=RECORDED.recoveries,
        deaths=RECORDED.deaths,
        attachments=(
            Attachment("crash of dev.replicant.shop", "text/plain", b"java.lang.Error: no cart"),
        ),
    )


def screenshots(pictures: Mapping[str, bytes]) -> dict[str, Screenshot]:
    return {name: Screenshot(png, *SIZE) for name, png in pictures.items()}
