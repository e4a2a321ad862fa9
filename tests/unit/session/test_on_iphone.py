"""What a session does on an iPhone because of what iOS is, and what it says that iOS lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from pytest_replicant.drivers import INSTEAD, Capability
from pytest_replicant.errors import (
    ActionFailed,
    DeviceError,
    ExpectationFailed,
    ProtocolError,
    Unsupported,
    UsageError,
)
from pytest_replicant.model import Screen, by
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, RecoveryContext, unexplained_crash
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import profile_of
from tests.lab.exhibits_shown import refused

from .on_phone import LAB, QUICK, lab_on, lab_phone


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with lab_phone("ios") as opened:
        yield opened


# --- alerts of the system -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allow", "deny"),
    [
        ("Allow", "Ask App Not to Track"),
        ("Allow Paste", "Don’t Allow Paste"),
        ("Change to Always Allow", "Keep Only While Using"),
    ],
)
def test_every_question_of_apple_s_is_answered(allow: str, deny: str, phone: VirtualDevice) -> None:
    with lab_on(phone, "counter") as mobile:
        for answer in ("allow", "deny"):
            phone.phone.show_system_dialog("May it?", buttons=(allow, deny))
            mobile.answer_permission(answer).expect_visible(text="Tap")


def test_no_answer_is_given_to_a_message_that_asks_no_permission(phone: VirtualDevice) -> None:
    with lab_on(phone, "system-notice?delay=1", allow=frozenset()) as mobile:
        mobile.wait_for(text="Battery low")
        with pytest.raises(
            ActionFailed, match=r"no permission prompt is up.*own settings forget the answer"
        ):
            mobile.answer_permission("allow", timeout=0.1)


def test_what_the_system_hides_is_not_said_to_be_gone(phone: VirtualDevice) -> None:
    with lab_on(phone, "system-notice?delay=1") as mobile:
        mobile.wait_for(text="Battery low")
        with pytest.raises(
            ExpectationFailed, match='covered, not gone: Dialog "Battery low" of the system hides'
        ):
            mobile.expect_gone(text="Tap", timeout=0.1)
        mobile.tap(text="OK").expect_gone(text="Battery low")
        mobile.expect_visible(text="Tap")


def test_a_message_of_the_system_is_said_to_cover_the_app(phone: VirtualDevice) -> None:
    with lab_on(phone, "permission-question", permission_prompts="leave") as mobile:
        mobile.tap(text="Where am I?")
        with pytest.raises(ActionFailed) as failed:
            mobile.tap(text="Where am I?", timeout=0.1)
        assert 'covered by Dialog "Allow “Lab” to use your location?"' in str(failed.value)
        assert 'Next: answer_permission("allow").' in str(failed.value)
        with pytest.raises(
            ExpectationFailed, match=r"A system alert covers the app: .*\n.*\nNext: answer_perm"
        ):
            mobile.expect_visible(text="You are in the lab", timeout=0.1)
        mobile.answer_permission("deny").expect_visible(text="We may not know")


def test_an_app_behind_a_question_has_come_to_the_front(phone: VirtualDevice) -> None:
    with lab_on(phone, "permission-question", permission_prompts="leave") as mobile:
        mobile.tap(text="Where am I?")
        mobile.activate(LAB)
        assert mobile.current_app.app == "com.apple.springboard"
        mobile.answer_permission("deny")
        mobile.home()
        mobile.expect_app("background", LAB)


# --- what iOS lacks -------------------------------------------------------------------------------

LACKS: dict[str, tuple[Callable[[DeviceSession], object], Capability]] = {
    "shell": (lambda mobile: mobile.shell("ls"), Capability.SHELL),
    "logs": (lambda mobile: mobile.logs(), Capability.LOGS),
    "crashes": (lambda mobile: mobile.crashes(), Capability.CRASHES),
    "expect_log": (lambda mobile: mobile.expect_log("hello"), Capability.LOGS),
    "expect_no_crash": (lambda mobile: mobile.expect_no_crash(), Capability.CRASHES),
    "clear_data": (lambda mobile: mobile.clear_data(LAB), Capability.CLEAR_DATA),
    "fresh": (lambda mobile: mobile.launch(LAB, fresh=True), Capability.CLEAR_DATA),
    "activity": (lambda mobile: mobile.launch(LAB, activity=".Other"), Capability.CURRENT_ACTIVITY),
    "set_permission": (
        lambda mobile: mobile.set_permission("camera", True, LAB),
        Capability.PERMISSIONS,
    ),
    "uninstall": (lambda mobile: mobile.uninstall(LAB), Capability.INSTALL),
    "pull_file": (lambda mobile: mobile.pull_file("/tmp/a.txt"), Capability.FILES),
}


@pytest.mark.parametrize("name", LACKS)
def test_what_ios_lacks_is_named_with_what_to_do_instead(phone: VirtualDevice, name: str) -> None:
    call, capability = LACKS[name]
    with lab_on(phone, "counter") as mobile:
        with pytest.raises(Unsupported) as refused:
            call(mobile)
        assert refused.value.capability.lower() == str(capability.name).lower()
        assert str(refused.value).endswith(f"Next: {INSTEAD[capability]}")
        mobile.expect_visible(text="Tap")  # nothing was done


def test_every_capability_that_a_verb_needs_has_a_way_around() -> None:
    assert {each for each in Capability if each} - set(INSTEAD) == {
        Capability.TOASTS
    }  # which no verb needs


def test_back_says_where_there_is_no_way_back(phone: VirtualDevice) -> None:
    with lab_on(phone) as mobile, pytest.raises(UsageError, match="no back key"):
        mobile.back()


# --- an app that is gone --------------------------------------------------------------------------

GONE = f"{LAB} is not running any more; this platform does not report why"


def test_an_app_that_died_is_told_where_something_failed_by_it(phone: VirtualDevice) -> None:
    with lab_on(phone, "crash") as mobile:
        outcome = mobile.tap(text="Weigh")
        with pytest.raises(ExpectationFailed) as failed:
            outcome.expect_visible(text="Weighed", timeout=0.1)
        assert str(failed.value).splitlines()[1] == GONE
        assert outcome.classify().outcome == "ui_failure"
        with pytest.raises(ActionFailed) as missed:
            mobile.tap(text="Weigh", timeout=0.1)
        assert str(missed.value).splitlines()[1] == GONE
        assert RecoveryContext(mobile._context).died_unexpectedly(LAB)


def test_an_app_that_the_test_stopped_did_not_die(phone: VirtualDevice) -> None:
    with lab_on(phone, "counter") as mobile:
        mobile.stop(LAB)
        with pytest.raises(ActionFailed) as missed:
            mobile.tap(text="Tap", timeout=0.1)
        assert "not running" not in str(missed.value)
        assert not RecoveryContext(mobile._context).died_unexpectedly(LAB)
        mobile.launch(LAB)
        assert mobile.app_status() == "foreground"


def test_an_app_that_died_is_started_again_where_the_test_allows_it(phone: VirtualDevice) -> None:
    with lab_on(phone, "crash", allow=frozenset({"relaunch"})) as mobile:
        mobile.tap(text="Weigh")
        with pytest.raises(
            ActionFailed, match=r"Recovery: tried step_back \(app_crash: .* does not report why"
        ):
            mobile.tap(text="Weigh", timeout=0.1)
        assert mobile.app_status(LAB) == "foreground"


# --- states and controls --------------------------------------------------------------------------


def test_one_of_several_is_checked_as_it_is_selected(phone: VirtualDevice) -> None:
    with lab_on(phone, "segments") as mobile:
        mobile.expect_state(by(text="Week"), checked=True).expect_state(
            by(text="Day"), checked=False
        )
        mobile.adjust(text="Month", to=True).expect_state(checked=True)
        mobile.adjust(text="Span", to="Day").expect_visible(text="By the day")
        with pytest.raises(ExpectationFailed, match=r"checked=False \(by the trait Selected\)"):
            mobile.expect_state(by(text="Week"), checked=True, timeout=0.1)
        with pytest.raises(ExpectationFailed, match="checked=not reported by this phone"):
            mobile.expect_state(by(text="By the day"), checked=False, timeout=0.1)


def test_a_lone_button_is_no_switch(phone: VirtualDevice) -> None:
    with lab_on(phone, "counter") as mobile:
        with pytest.raises(ActionFailed, match="it is a button"):
            mobile.adjust(text="Tap", to=True)
        with pytest.raises(
            ExpectationFailed, match="checked=not reported by this phone; it is not selected, which"
        ):
            mobile.expect_state(by(text="Tap"), checked=False, timeout=0.1)
        mobile.expect_state(by(text="Tap"), selected=False)


def test_the_focus_is_asked_for(phone: VirtualDevice) -> None:
    with lab_on(phone, "autocorrect-field") as mobile:
        mobile.tap(text="Note").expect_state(focused=True)
        mobile.expect_state(by(text="Signed"), focused=False)
        with pytest.raises(ExpectationFailed, match="focused=False"):
            mobile.expect_state(by(text="Signed"), focused=True, timeout=0.1)
        with pytest.raises(ExpectationFailed, match="focused=not reported"):
            mobile.expect_state(by(text="Nothing yet"), focused=False, timeout=0.1)


def test_a_field_that_has_the_focus_is_not_tapped_again(phone: VirtualDevice) -> None:
    with lab_on(phone, "autocorrect-field") as mobile:
        assert "touch" in _touches(mobile.fill(text="Note", value="one"))
        assert _touches(mobile.fill(text="Note", value="two")) == ""
        mobile.expect_state(by(text="Note"), text="two")


def _touches(outcome: Any) -> str:
    event = outcome._context.recorder.event_of(outcome.result.action_id)
    return "touch" if event.touch else ""


def test_a_menu_is_opened_and_read(phone: VirtualDevice) -> None:
    with lab_on(phone, "dropdown") as mobile:
        size = by(text="Size", role="button")
        with pytest.raises(ActionFailed, match='new on the screen: "Small"   "Medium"   "Large"'):
            mobile.select(size, option="Huge", timeout=0.1)
        mobile.tap(text="dismiss popup").expect_gone(text="Extra large")
        mobile.select(size, option="Large").expect_state(value="Large")
        mobile.adjust(size, to="Small").expect_visible(text="A small one")


def test_a_class_of_android_is_answered_with_the_role(phone: VirtualDevice) -> None:
    with lab_on(phone, "vertical-slider") as mobile:
        with pytest.raises(
            ActionFailed, match='role="slider" in place of class_name= says the same'
        ):
            mobile.adjust(class_name="SeekBar", to=75, timeout=0.1)
        mobile.adjust(role="slider", to=75).expect_state(value=75)


# --- an app that dies between a look and a touch --------------------------------------------------


def test_a_touch_that_comes_too_late_is_the_apps_death_and_no_trouble_of_the_phone(
    phone: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lab_on(phone, "counter") as mobile:
        touch = phone.driver.tap

        def too_late(point: Any) -> None:
            phone.phone.stop_app(LAB)
            touch(point)

        monkeypatch.setattr(phone.driver, "tap", too_late)
        with refused("ACTION_REJECTED", "the app had died before it was touched") as failed:
            mobile.tap(text="Tap")
        assert f"{LAB} is not running any more; this platform does not report why" in str(
            failed.value
        )
        assert failed.value.snapshot is not None, "what is in front instead"
        death = unexplained_crash(mobile)
        assert death is not None
        assert death.record.app == LAB


def test_a_refusal_that_the_phone_does_not_confirm_is_trouble(
    phone: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lab_on(phone, "counter") as mobile:

        def refuse(point: Any) -> None:
            error = ProtocolError("the application is not running, possibly crashed")
            error.app_died = True
            raise error

        monkeypatch.setattr(phone.driver, "tap", refuse)
        with pytest.raises(ProtocolError, match="possibly crashed"):
            mobile.tap(text="Tap")


# --- notifications and sheets of the system -------------------------------------------------------


SHOP = "dev.replicant.shop"


@pytest.mark.parametrize("wda", ["9.0", "16.7"])
def test_what_lies_under_a_notification_is_not_gone(wda: str) -> None:
    profile = profile_of("ios", {"wda": wda})
    with (
        virtual_device(SHOP, platform="ios", profile=profile) as device,
        device.session(**QUICK) as mobile,
    ):
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value="wrong")
        tapped = mobile.tap(text="Sign in")
        device.phone.show_banner(seconds=3600)
        with pytest.raises(ExpectationFailed, match="Forgot password"):
            tapped.expect_gone(text="Forgot password?")
        with pytest.raises(ExpectationFailed):
            mobile.expect_count(0, text="Forgot password?")
        with pytest.raises(ExpectationFailed):
            mobile.expect_screen(Screen("Sign in", lacks=[by(text="Forgot password?")]))
        mobile.expect_screen("Sign in").expect_visible(text="Forgot password?")


def test_a_notification_that_stays_reddens_no_step_that_it_does_not_lie_over() -> None:
    with virtual_device(SHOP, platform="ios") as device, device.session(**QUICK) as mobile:
        device.phone.show_banner(seconds=3600)
        mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
        mobile.tap(text="Forgot password?").expect_screen("Reset password")
        mobile.tap(text="Email").expect_visible(text="Email")
        with pytest.raises(DeviceError, match="Turn on Do Not Disturb"):
            mobile.back()


class Sheet:
    """What the driver of a session reads from now on: a sheet of the system's own, over an app or
    by itself."""

    def __init__(self, over: str) -> None:
        mark = f'over="{over}" ' if over else ""
        self.source = (
            f'<?xml version="1.0" encoding="UTF-8"?><?replicant {mark}levels="62"?>'
            '<XCUIElementTypeApplication name=" " bundleId="com.apple.springboard" x="0" y="0" '
            'width="393" '
            'height="852"><XCUIElementTypeButton label="Pay" visible="true" x="9" y="70" '
            'width="36" height="50"/>'
            "</XCUIElementTypeApplication>"
        ).encode()

    def dump_hierarchy(self) -> bytes:
        return self.source


def test_absence_under_a_sheet_of_the_system_cannot_be_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with virtual_device(SHOP, platform="ios") as device, device.session(**QUICK) as mobile:
        swiped = mobile.swipe("up")
        monkeypatch.setattr(device.driver, "dump_hierarchy", Sheet(SHOP).dump_hierarchy)
        checks: list[Callable[[], object]] = [
            lambda: mobile.expect_gone(text="Forgot password?", timeout=0.2),
            lambda: mobile.expect_count(0, text="Forgot password?", timeout=0.2),
            lambda: mobile.expect_count(1, text="Pay", timeout=0.2),
            lambda: mobile.expect_screen(
                Screen("Sheet", has=[by(text="Pay")], lacks=[by(text="x")]), timeout=0.2
            ),
            lambda: mobile.expect_visible(text="Forgot password?", timeout=0.2),
            lambda: swiped.expect_unchanged(timeout=0.2),
        ]
        for check in checks:
            with pytest.raises(
                ExpectationFailed,
                match=f"cannot be decided: a window of the system lies over {SHOP}",
            ):
                check()
        mobile.expect_visible(text="Pay")
        monkeypatch.setattr(device.driver, "dump_hierarchy", Sheet("").dump_hierarchy)
        mobile.expect_gone(text="Forgot password?").expect_count(1, text="Pay")


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("app", [None, SHOP])
@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("start", [False, True], ids=["home", "app in front"])
def test_a_link_is_opened_though_the_system_asks_first(
    app: str | None, silent: bool, start: bool
) -> None:
    with (
        virtual_device(SHOP, LAB, platform="ios", start=start) as device,
        device.session(**QUICK) as mobile,
    ):
        mobile.open_url("replicant-shop://catalogue", app, silent=silent)
        mobile.expect_screen("Catalogue")
        mobile.open_url("replicant-shop://cart", app).expect_screen("Cart")


@pytest.mark.parametrize("app", [None, SHOP])
def test_a_link_that_is_not_opened_for_a_question_is_no_success(
    app: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: dict[str, Any] = {**QUICK, "recover": builtin}
    with virtual_device(SHOP, LAB, platform="ios") as device, device.session(**settings) as mobile:
        mobile.launch(SHOP).expect_screen("Sign in")
        asks = partial(device.phone.show_system_dialog, "Opna i Shop?", buttons=("Opna", "Cancel"))
        monkeypatch.setattr(device.driver, "open_url", lambda url, app: asks())
        with pytest.raises(
            ActionFailed, match='and the system asks "Opna i Shop\\?": the link is opened once'
        ) as raised:
            mobile.open_url("replicant-shop://catalogue", app)
        assert raised.value.result.failure_code == "NAVIGATION_NO_CHANGE"
        assert mobile.snapshot().dialog == "Opna i Shop?", "no policy has pressed Cancel"


def test_a_link_that_leaves_the_home_screen_in_front_is_not_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with virtual_device(SHOP, platform="ios") as device, device.session(**QUICK) as mobile:
        mobile.launch(SHOP)
        monkeypatch.setattr(
            device.driver, "open_url", lambda url, app: device.phone.press_key("HOME")
        )
        with pytest.raises(
            ActionFailed, match=r"NAVIGATION_NO_CHANGE .* com\.apple\.springboard in front"
        ):
            mobile.open_url("replicant-shop://catalogue")
