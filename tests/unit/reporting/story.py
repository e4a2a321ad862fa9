"""A longer hand-made trace, a failing test with pictures: what the page is looked at with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_replicant.model import (
    ActionResult,
    Attachment,
    CheckRecord,
    DiffRecord,
    LogRecord,
    Point,
    RaisedError,
    Read,
    RecoveryState,
    Rect,
    ShownElement,
    SnapshotRecord,
    TestTrace,
    TraceEvent,
    TraceStep,
)

from .factory import DEVICE, action, element, facts, screen_png, screenshots, snapshot, steps_of

BUTTON = Rect(90, 2090, 990, 2240)
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


MARKS = (
    ShownElement("e210", "EditText", "Email", Rect(90, 400, 990, 540)),
    ShownElement("k427", "Button", "Sign in", BUTTON),
    ShownElement("z999", "Button", "Beyond the edge", Rect(90, 2600, 990, 2700)),
)
LOGS = (
    LogRecord(10, "I", "ActivityTaskManager", "START u0 {cmp=dev.replicant.shop/.SignInActivity}", 1402),
    LogRecord(1400, "I", "Auth", "200 for ada", 4058),
    LogRecord(4600, "W", "Cart", "price list is 3 days old", 4058),
    LogRecord(5000, "E", "Cart", "total: expected 19.80, have 9.90", 4058),
)


def _snapshots() -> dict[str, SnapshotRecord]:
    return {
        "s1": replace(snapshot("s1", "Sign in", SIGN_IN, 0), elements=MARKS),
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


def _checks() -> tuple[CheckRecord, ...]:
    passed, _ = steps_of("a2", 1400, (("verify", 310, "success"),))
    failed, _ = steps_of("a5", 4500, (("verify", 2300, "failure"),))
    misses = tuple(Read(at, 'text="£9.90"', False) for at in (0.0, 0.31, 0.64, 1.1, 1.6, 2.3))
    return (
        CheckRecord(
            "a2",
            "expect_screen",
            '"Catalogue"',
            '"Catalogue"',
            "passed",
            (Read(0.0, '"Sign in"', False), Read(0.15, '"Catalogue"', True), Read(0.31, '"Catalogue"', True)),
            trace=passed,
        ),
        CheckRecord("a2", "expect_visible", 'text="Welcome, Ada"', "visible", "passed", trace=passed),
        CheckRecord(
            "a3", "expect_visible", 'text="Search"', "visible", "passed", (Read(0.0, "visible", True),), True
        ),
        CheckRecord("a4", "expect_screen", '"Cart"', '"Cart"', "passed", trace=passed, soft=True),
        CheckRecord(
            "a5", "expect_state", 'text="Total £19.80"', 'text="Total £9.90"', "failed", misses, trace=failed
        ),
    )


FAILURE = """ExpectationFailed  expect_state text="Total £19.80": was "Total £9.90" in 6 reads, 2.3 s
It was "Total £9.90" before the tap too.

Screen "Cart"
  Row "Blue mug £9.90"
    [m001] ImageButton "Fewer"
    Text "1"
    [m002] ImageButton "More"
  Text "Total £9.90"
  [o777] Button "Check out\""""


DIFFS = {
    "a2": DiffRecord(
        "Sign in → Catalogue: 12 added, 5 removed",
        (
            '- [e210] EditText "Email" value="ada@example.com"',
            '- [p031] EditText "Password" value="•••"',
            '- [k427] Button "Sign in"',
            '+ [s555] EditText "Search"',
            '+ [a101] Button "Add" in row "Blue mug £9.90"',
            '+ [c081] Button "Cart, 0 items"',
            "… 9 more",
        ),
    ),
    "a3": DiffRecord("Catalogue: 1 changed", ('~ [c081] Button "Cart, 0 items": label → "Cart, 1 items"',)),
    "a4": DiffRecord("Catalogue → Cart: 4 added, 9 removed", ('+ [o777] Button "Check out"',)),
    "a5": DiffRecord("nothing changed"),
}


def _results() -> dict[str, ActionResult]:
    state = RecoveryState(
        "TargetResolutionFailure", "STALE_REFERENCE", "re_resolve", recovery_attempts=1, retry_allowed=True
    )
    sign_in = element("Sign in", BUTTON)
    add = element("Add", ROW, ref="a101", row="Blue mug £9.90")
    tapped = action("a3", "tap", 'text="Add", row_with="Blue mug"', 2300, add, recovery=state)
    recovered = replace(
        tapped,
        trace=replace(
            tapped.trace,
            attempts=2,
            steps=(
                TraceStep("resolve", 1_795_000_002_300, "failure", {"verdict": "moved"}, duration_ms=40),
                TraceStep(
                    "recover", 1_795_000_002_340, "retry", {"reason": "same row"}, 0, 60, "c1", "re_resolve"
                ),
                *(replace(step, attempt_index=1) for step in tapped.trace.steps),
            ),
        ),
    )
    results = (
        action("a0", "launch", "", 0, state="pending_verification"),
        action("a1", "type_text", 'text="Password"', 860, element("Password", ROW), "pending_verification"),
        action("a2", "tap", 'text="Sign in"', 1290, sign_in),
        recovered,
        action("a4", "tap", 'text_contains="Cart"', 3000, element("Cart, 1 items", BUTTON, ref="c081")),
        action("a5", "swipe", 'text="Blue mug £9.90"', 4130, state="pending_verification"),
    )
    return {result.action_id: result for result in results}


def _events() -> tuple[TraceEvent, ...]:
    source = "tests/test_checkout.py"
    cart = ("Order two mugs", "Cart")
    results, checks = _results(), _checks()

    def done(name: str, title: str, start: int, took: int, **more: Any) -> TraceEvent:
        return TraceEvent(
            "action", title, start, took, id=name, result=results[name], diff=DIFFS.get(name), **more
        )

    def checked(number: int, title: str, start: int, took: int, **more: Any) -> TraceEvent:
        return TraceEvent("check", title, start, took, id=f"check-{number}", check=checks[number], **more)

    return (
        done(
            "a0",
            'launch "dev.replicant.shop"',
            0,
            840,
            after="s1",
            source=f"{source}:12",
        ),
        done(
            "a1",
            'fill text="Password" value=•••',
            860,
            410,
            before="s1",
            after="s1",
            target=Rect(50, 520, 1030, 680),
            touch=(Point(540, 600),),
            source=f"{source}:13",
            source_text='mobile.fill(text="Password", value=PASSWORD)',
        ),
        done(
            "a2",
            'tap text="Sign in"',
            1290,
            522,
            before="s1",
            after="s2",
            target=BUTTON,
            touch=(Point(540, 2165),),
            source=f"{source}:14",
            source_text='mobile.tap(text="Sign in").expect_screen("Catalogue")',
        ),
        checked(0, 'expect_screen "Catalogue"', 1820, 310, before="s1", after="s2"),
        checked(
            1,
            'expect_visible text="Welcome, Ada"',
            2140,
            120,
            before="s1",
            after="s2",
        ),
        done(
            "a3",
            'tap text="Add" row_with="Blue mug"',
            2300,
            530,
            group=("Order two mugs",),
            before="s2",
            after="s3",
            target=ROW,
            touch=(Point(880, 600),),
            source=f"{source}:17",
            source_text='mobile.tap(text="Add", row_with="Blue mug").expect_visible(text="Search")',
        ),
        checked(
            2,
            'expect_visible text="Search"',
            2850,
            90,
            group=("Order two mugs",),
            before="s2",
            after="s3",
        ),
        done(
            "a4",
            'tap text_contains="Cart"',
            3000,
            900,
            group=cart,
            before="s3",
            after="s4",
            target=BUTTON,
            touch=(Point(540, 2165),),
            source=f"{source}:19",
        ),
        checked(
            3,
            'expect_screen "Cart"',
            3910,
            200,
            group=cart,
            before="s3",
            after="s4",
        ),
        done(
            "a5",
            'swipe on text="Blue mug £9.90"',
            4130,
            360,
            group=cart,
            before="s4",
            after="s4",
            target=Rect(50, 330, 1030, 490),
            touch=(Point(920, 410), Point(180, 410)),
            source=f"{source}:20",
            source_text='mobile.swipe(text="Blue mug £9.90").expect_state(text="Total £19.80")',
        ),
        checked(
            4,
            'expect_state text="Total £19.80"',
            4500,
            2300,
            group=cart,
            before="s4",
            after="s4",
            target=Rect(50, 520, 1030, 680),
            source=f"{source}:20",
            error=FAILURE,
        ),
    )


def failing_story() -> TestTrace:
    """Five actions, five checks, one recovery, one vacuous check, one failure."""
    return TestTrace(
        test=facts("failed", attempt=1),
        device=DEVICE,
        events=_events(),
        snapshots=_snapshots(),
        screenshots=screenshots(_pictures()),
        attachments=(Attachment("request log", "text/plain", b"GET /cart 200\nPOST /cart 200\n"),),
        failures=(RaisedError(FAILURE, "ExpectationFailed", "tests/test_shop.py:24"),),
        logs=LOGS,
    )
