"""What a check proves where something else than the app made it true, and where nothing could make
it false."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, Recovery, UsageError, by
from pytest_replicant import Screen as ScreenOf
from pytest_replicant.model import Remedy
from pytest_replicant.recovery import builtin
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Row,
    RunningApp,
    Screen,
    Text,
    Widget,
)

from ..findings import vacuous
from ..on_phone import PACKAGE, QUICK, trial

Shop = RunningApp[dict[str, Any]]


class Home(Screen[dict[str, Any]]):
    activity = ".HomeActivity"
    title = "Welcome"

    def build(self, app: Shop) -> Widget:
        state = app.state
        rows = [row for row in ("Milk", "Bread", "Eggs") if row not in state.get("sold", ())]

        def sell(*, for_good: bool) -> None:
            state["sold"] = ("Milk",)
            if not for_good:
                app.after(600, lambda: state.pop("sold"))

        def ask() -> None:
            app.show(Dialog("Survey", "How do you like it?", (DialogButton("No"),)))

        return Column(
            [
                Text(f"{state.get('ticks', 0)} ticks", id="ticks"),
                Text("A basket" if state.get("ticks") else "No basket"),
                Button("Tick", on_click=lambda: state.update(ticks=state.get("ticks", 0) + 1)),
                Button("Dead", on_click=lambda: None),
                Button("Sell", on_click=lambda: sell(for_good=True)),
                Button("Try to sell", on_click=lambda: sell(for_good=False)),
                Button("Warn", on_click=lambda: app.system_dialog("Battery low", "20 %")),
                Button("Survey", on_click=ask),
                EditText("Name", id="name", on_change=lambda text: None),
                EditText("Code", id="code", input="password", on_change=lambda text: None),
                *(Row([Text(row, id="row")], on_click=lambda: None) for row in rows),
            ]
        )


def on_phone(platform: str = "android", **settings: Any) -> Any:
    return virtual_session(trial(Home), platform=platform, **{**QUICK, "read_on": 0, **settings})  # type: ignore[arg-type]


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with on_phone(request.param) as session:
        session.snapshot()
        yield session


def foreign(mobile: DeviceSession, on_android: str, on_iphone: str) -> str:
    return on_android if mobile.platform == "android" else on_iphone


FALSE: dict[str, Callable[[DeviceSession], object]] = {
    "a class of the other platform": lambda m: m.expect_gone(
        class_name="Cell" if m.platform == "android" else "SeekBar"
    ),
    "one in lacks": lambda m: m.expect_screen(
        ScreenOf("Welcome", lacks=[by(class_name=foreign(m, "StaticText", "RecyclerView"))])
    ),
    "one of a library": lambda m: m.expect_count(0, class_name=foreign(m, "TabBar", "UIButton")),
    "nothing for this platform": lambda m: m.expect_gone(
        by(ios=by(text="Milk")) if m.platform == "android" else by(android=by(text="Milk"))
    ),
    "a class within": lambda m: m.expect_gone(
        text="Milk",
        within=by(class_name=foreign(m, "XCUIElementTypeTable", "android.widget.ListView")),
    ),
    "all of it": lambda m: m.find_all(class_name=foreign(m, "SecureTextField", "EditText")),
    "an app that is none": lambda m: m.expect_app("stopped", "dev.replicant.tryal"),
    "the state of one": lambda m: m.app_status("dev.replicant.tryal"),
}


@pytest.mark.parametrize("claim", FALSE.values(), ids=FALSE)
def test_what_can_match_nothing_proves_nothing(
    mobile: DeviceSession, claim: Callable[[DeviceSession], object]
) -> None:
    with pytest.raises(UsageError):
        claim(mobile)


def test_a_role_that_no_control_of_a_platform_has() -> None:
    with on_phone() as mobile, pytest.raises(UsageError, match="can match nothing on android"):
        mobile.expect_gone(role="cell")
    with on_phone("ios") as mobile:
        mobile.expect_gone(role="cell", text="Cheese")


def test_what_is_inside_of_what_is_misspelt_is_not_gone(mobile: DeviceSession) -> None:
    with pytest.raises(ExpectationFailed, match="cannot be decided"):
        mobile.expect_gone(
            role="button", has=by(text="Milk", within=by(text="Besket")), timeout=0.2
        )


def test_a_deleted_row_is_gone_by_its_element_and_one_that_was_renamed_is_not(
    mobile: DeviceSession,
) -> None:
    milk = mobile.find(text="Milk")
    mobile.tap(text="Sell").expect_gone(milk).expect_gone(milk.ref).expect_gone(text="Milk")
    ticks = mobile.find(text="0 ticks")
    mobile.tap(text="Tick").expect_visible(text="1 ticks")
    for check in (mobile.expect_gone, mobile.expect_visible):
        with pytest.raises(ExpectationFailed, match="renamed"):
            check(ticks, timeout=0.2)


def test_what_is_not_reported_is_not_gone() -> None:
    with on_phone("ios") as mobile:
        mobile.tap(resource_id="name")
        with pytest.raises(ExpectationFailed, match="no one reports whether it is focused"):
            mobile.expect_gone(resource_id="name", focused=True, timeout=0.2)
    with on_phone() as mobile:
        mobile.tap(resource_id="name").expect_gone(resource_id="code", focused=True)


def test_a_container_that_has_another_name_now_took_nothing_along(mobile: DeviceSession) -> None:
    basket = mobile.find(text="No basket")
    mobile.tap(text="Tick").expect_visible(text="A basket")
    for scope in (by(text="Dead", near=basket), by(text="Dead", near=basket.ref)):
        with pytest.raises(ExpectationFailed):
            mobile.expect_gone(scope, timeout=0.2)


# --- of which action ------------------------------------------------------------------------------


def state_of(outcome: Any) -> str:
    return str(outcome.result.lifecycle_state)


@pytest.mark.parametrize("name", ["HomeActivity", re.compile("^Hom")])
def test_an_activity_that_was_in_front_already_verifies_nothing(name: Any) -> None:
    for button in ("Dead", "Tick"):
        with on_phone() as mobile:
            outcome = mobile.tap(text=button)
            mobile.expect_screen(name)
            assert state_of(outcome) == "pending_verification"
            assert mobile.tap(text=button).expect_screen(name)
            assert len(vacuous(mobile)) == 1


@pytest.mark.parametrize("act", ["tap_at", "press_key", "swipe"])
def test_a_silent_gesture_is_not_verified_by_what_was_there(
    mobile: DeviceSession, act: str
) -> None:
    gestures: dict[str, Callable[[], Any]] = {
        "tap_at": lambda: mobile.tap_at(700, 150, silent=True),
        "press_key": lambda: mobile.press_key("volume_up", silent=True),
        "swipe": lambda: mobile.swipe("up", silent=True),
    }
    outcome = gestures[act]()
    mobile.expect_visible(text="Welcome").expect_visible(text="Milk")
    assert state_of(outcome) == "pending_verification"


def test_what_went_and_came_back_is_named(mobile: DeviceSession) -> None:
    checks: list[Callable[[Any], object]] = [
        lambda on: on.expect_gone(text="Milk"),
        lambda on: on.expect_count(0, text="Milk"),
    ]
    for check in checks:
        check(mobile.tap(text="Try to sell"))
        mobile._context.clock.sleep(1)
        mobile.expect_visible(text="Milk")
    notes = vacuous(mobile)
    assert len([note for note in notes if "was undone" in note]) == 2, notes


def test_what_the_test_itself_undoes_is_not() -> None:
    with on_phone() as mobile:
        mobile.tap(text="Sell").expect_gone(text="Milk")
        mobile.shell(f"am force-stop {PACKAGE}; am start -n {PACKAGE}/.HomeActivity")
        mobile.expect_visible(text="Milk")
        assert vacuous(mobile) == ()


# --- and not by a recovery ------------------------------------------------------------------------


def no_thanks(session: Any, failure: Any, state: Any) -> Recovery | None:
    """As a user may write one, for whatever fails."""
    if failure.snapshot is not None and failure.snapshot.match(by(text="No")):
        return Recovery(
            "state_refresh", before=(Remedy.tap(by(text="No")),), reason="the survey came up"
        )
    return None


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_no_policy_takes_the_evidence_away(platform: str) -> None:
    claims: list[Callable[[DeviceSession], object]] = [
        lambda m: m.expect_gone(text="How do you like it?", timeout=0.2),
        lambda m: m.expect_count(0, text="No", timeout=0.2),
        lambda m: m.expect_screen(
            ScreenOf("Welcome", has=[by(text="No")], lacks=[by(text="No")]), timeout=0.2
        ),
        lambda m: m.expect_outline('...\n[a000] Button "Dead"\n...', timeout=0.2),
    ]
    with on_phone(platform, recover=no_thanks) as mobile:
        mobile.tap(text="Survey").expect_visible(text="How do you like it?")
        for claim in claims:
            with pytest.raises(ExpectationFailed):
                claim(mobile)
            mobile.expect_visible(text="No")
        mobile.expect_visible(text="Dead")  # which it stands in the way of


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_message_that_a_policy_closes_is_no_change_by_the_action(platform: str) -> None:
    with on_phone(platform, recover=builtin) as mobile:
        mobile.tap(text="Warn").expect_visible(text="Battery low")
        outcome = mobile.press_key("volume_up")
        mobile._context.clock.sleep(5)  # its own panel is gone
        with pytest.raises(ExpectationFailed):
            outcome.expect_changed(timeout=0.3)
        mobile.expect_visible(text="Battery low")


# --- expressions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("(Order placed){e}", "Order failed", False),
        ("Hello,{s}", "Hello,World", False),
        ("Hello,{s}", "Hello,{s}", True),
        ("a{i<=3}", "ab", False),
        (r"^\d{2,}$", "123", True),
        ("b[:alpha:]x", "bax", True),
    ],
)
def test_an_expression_means_what_python_says(pattern: str, text: str, found: bool) -> None:
    from pytest_replicant.snapshots import searches

    assert searches(pattern, text) is found is (re.search(pattern, text) is not None)
