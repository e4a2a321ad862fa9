"""A longer hand-made trace, a failing test with pictures: what the page is looked at with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pytest_replicant.model import (
    ActionResult,
    Attachment,
    LogRecord,
    RaisedError,
    RecoveryState,
    Rect,
    ShownElement,
    SnapshotRecord,
    TestTrace,
    TraceEvent,
    TraceStep,
    decode,
)

from .factory import BUTTON, DEVICE, action, element, facts, screen_png, screenshots, snapshot

ROW = Rect(50, 520, 1030, 680)

SIGN_IN = """Screen "Sign in"
  [e210] EditText "Email" value="ada@example.com"
  [p031] EditText "Password" value="•••" password
  [r118] CheckBox "Remember me" unchecked
  [k427] Button "Sign in"
  [f903] Button "Forgot password?\""""

CATALOGUE = """Screen "Catalogue"
  Text "Welcome, Ada"
  [s555] EditText "Search"
  [l001] RecyclerView scrollable
    Row "Blue mug £9.90"
      [a101] Button "Add"
    Row "Red mug £8.00"
      [a102] Button "Add"
    Row "Tray £12.00"
      [a103] Button "Add"
  [c081] Button "Cart, {items} items"
  ... 37 more below"""

CART = """Screen "Cart"
  Row "Blue mug £9.90"
    [m001] ImageButton "Fewer"
    Text "1"
    [m002] ImageButton "More"
  Text "Total £9.90"
  [o777] Button "Check out\""""


@dataclass(frozen=True)
class Timeline:
    """What the test did, as ``story.json`` has it, but for the envelopes of its actions."""

    events: tuple[TraceEvent, ...]
    logs: tuple[LogRecord, ...]
    elements: tuple[ShownElement, ...]


TIMELINE = decode(Timeline, Path(__file__).with_suffix(".json").read_bytes())


def _snapshots() -> dict[str, SnapshotRecord]:
    return {
        "s1": replace(snapshot("s1", "Sign in", SIGN_IN, 0), elements=TIMELINE.elements),
        "s2": snapshot("s2", "Catalogue", CATALOGUE.format(items=0), 900),
        "s3": snapshot("s3", "Catalogue", CATALOGUE.format(items=1), 2400),
        "s4": snapshot("s4", "Cart", CART, 3900),
    }


def _pictures() -> dict[str, bytes]:
    shelf = ("Blue mug £9.90", "Red mug £8.00", "Tray £12.00", "Bowl £7.50", "Spoon £2.00")
    return {
        "s1": screen_png("Sign in", ("ada@example.com", "•••••••••••••", "Remember me"), "Sign in"),
        "s2": screen_png("Catalogue", shelf, "Cart, 0 items"),
        "s3": screen_png("Catalogue", shelf, "Cart, 1 items"),
        "s4": screen_png("Cart", ("Blue mug £9.90   1", "Total £9.90"), "Check out", "#2b8a3e"),
    }


FAILURE = """ExpectationFailed  expect_state text="Total £19.80": was "Total £9.90" in 6 reads, 2.3 s
It was "Total £9.90" before the tap too.

Screen "Cart"
  Row "Blue mug £9.90"
    [m001] ImageButton "Fewer"
    Text "1"
    [m002] ImageButton "More"
  Text "Total £9.90"
  [o777] Button "Check out\""""


def _results() -> dict[str, ActionResult]:
    state = RecoveryState(
        "TargetResolutionFailure",
        "STALE_REFERENCE",
        "re_resolve",
        recovery_attempts=1,
        retry_allowed=True,
    )
    sign_in = element("Sign in", BUTTON)
    add = element("Add", ROW, ref="a101", row="Blue mug £9.90")
    tapped = action("a3", "tap", 'text="Add", row_with="Blue mug"', 2300, add, recovery=state)
    moved = TraceStep("resolve", 1_795_000_002_300, "failure", {"verdict": "moved"}, duration_ms=40)
    again = TraceStep(
        "recover", 1_795_000_002_340, "retry", {"reason": "same row"}, 0, 60, "c1", "re_resolve"
    )
    steps = (moved, again, *(replace(step, attempt_index=1) for step in tapped.trace.steps))
    recovered = replace(tapped, trace=replace(tapped.trace, attempts=2, steps=steps))
    results = (
        action("a0", "launch", "", 0, state="pending_verification"),
        action(
            "a1",
            "type_text",
            'text="Password"',
            860,
            element("Password", ROW),
            "pending_verification",
        ),
        action("a2", "tap", 'text="Sign in"', 1290, sign_in),
        recovered,
        action(
            "a4", "tap", 'text_contains="Cart"', 3000, element("Cart, 1 items", BUTTON, ref="c081")
        ),
        action("a5", "swipe", 'text="Blue mug £9.90"', 4130, state="pending_verification"),
    )
    return {result.action_id: result for result in results}


def failing_story() -> TestTrace:
    """Five actions, five checks, one recovery, one vacuous check, one failure."""
    results = _results()
    *events, last = (replace(event, result=results.get(event.id)) for event in TIMELINE.events)
    return TestTrace(
        test=facts("failed", attempt=1),
        device=DEVICE,
        events=(*events, replace(last, error=FAILURE)),
        snapshots=_snapshots(),
        screenshots=screenshots(_pictures()),
        attachments=(Attachment("request log", "text/plain", b"GET /cart 200\nPOST /cart 200\n"),),
        failures=(RaisedError(FAILURE, "ExpectationFailed", "tests/test_shop.py:24"),),
        logs=TIMELINE.logs,
    )
