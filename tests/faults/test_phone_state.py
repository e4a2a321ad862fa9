"""The comparable state of a phone sees each kind of change, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest

from pytest_replicant.clock import SystemClock
from pytest_replicant.pool import demo_apps
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import IPHONE, Latency, Profile, VirtualPhone

from .phone_state import differences, state_of

SETTINGS = "com.android.settings"
SHOP = "dev.replicant.shop"
CAMERA = "android.permission.CAMERA"


@pytest.fixture(params=["android", "ios"])
def phone(request: pytest.FixtureRequest) -> VirtualPhone:
    profile = IPHONE if request.param == "ios" else Profile()
    return VirtualPhone(demo_apps(()), profile=profile, latency=Latency.from_knobs({"latency": "0"}))


def install_again(phone: VirtualPhone) -> None:
    package = phone.packages.get(SHOP)
    assert package is not None
    phone.packages.add(replace(package, version_code=2))


def flip_a_switch(phone: VirtualPhone) -> None:
    """One of a page of the phone's own settings, left as it was found but for that."""
    here = phone.foreground()[0]
    phone.start_app(SETTINGS, ".Settings$DisplaySettingsActivity")
    nodes = [node for window in phone.windows() for node in window.root.walk() if node.checkable]
    phone.tap(*nodes[0].bounds.center)
    phone.press_key("BACK")
    assert phone.foreground()[0] == here


def panel(phone: VirtualPhone) -> None:
    phone.start_app(SETTINGS, ".panel.SettingsPanelActivity")


CHANGES: dict[str, tuple[Callable[[VirtualPhone], object], str]] = {
    "a public setting": (
        lambda phone: phone.settings.put("global", "stay_on_while_plugged_in", "7"),
        "setting global stay_on_while_plugged_in was 0, is 7",
    ),
    "a private setting": (
        lambda phone: phone.settings.put("whitelist", "a.b", ""),
        "setting whitelist a.b is new",
    ),
    "a setting gone": (
        lambda phone: phone.settings.delete("secure", "android_id"),
        "setting secure android_id is gone; it was 7265706c6963616e",
    ),
    "a file": (
        lambda phone: phone.files.write("/sdcard/x", b"1"),
        "file /sdcard/x is new: 1 bytes 6b86b273",
    ),
    "a volume": (lambda phone: phone.press_key("VOLUME_UP"), "volume was 5, is 6"),
    "an orientation": (
        lambda phone: phone.set_rotation(1),
        "orientation was 0 quarter turns, is 1 quarter turns",
    ),
    "a radio": (lambda phone: phone.set_radio("wifi", False), "radio wifi was on, is off"),
    "the screen": (lambda phone: phone.press_key("POWER"), "screen was on, is off"),
    "the app in front": (lambda phone: phone.start_app(SHOP), f"app in front was *, is {SHOP}/{SHOP}.SignIn*"),
    "a clip": (lambda phone: phone.set_clip("secret"), "clipboard was empty, is secret"),
    "a program": (
        lambda phone: phone.running_programs.update({"com.wetest.uia2.Main": bool}),
        "program com.wetest.uia2.Main is new",
    ),
    "a port": (lambda phone: phone.ports.bind("tcp:9008", lambda _: None), "port tcp:9008 is new"),  # type: ignore[arg-type,return-value]
    "a permission": (
        lambda phone: phone.packages.grant(SHOP, CAMERA),
        f"package {SHOP}: granted {CAMERA} is new",
    ),
    "a permission refused": (
        lambda phone: phone.packages.refuse(SHOP, CAMERA, for_good=True),
        f"package {SHOP}: user_fixed {CAMERA} is new",
    ),
    "another version": (install_again, f"package {SHOP}: version_code was 1, is 2"),
    "an app gone": (lambda phone: phone.packages.uninstall(SHOP), f"package {SHOP}: label is gone; it was Shop"),
    "a dialog": (
        lambda phone: phone.show_system_dialog("Battery low"),
        "window 0 over the app is new: *",
    ),
}
ON_ANDROID = {
    "a switch of an app": (flip_a_switch, f"data of {SETTINGS}: adaptive_brightness is new: True"),
    "a panel": (panel, "app in front was *, is com.android.settings/*SettingsPanelActivity"),
}


@pytest.mark.parametrize("kind", [*CHANGES, *ON_ANDROID])
def test_each_kind_of_change_is_seen(kind: str, phone: VirtualPhone) -> None:
    if kind in ON_ANDROID and phone.profile.platform == "ios":
        pytest.skip("on Android alone")
    change, words = (CHANGES | ON_ANDROID)[kind]
    before = state_of(phone)
    assert differences(before, state_of(phone)) == []
    change(phone)
    said = differences(before, state_of(phone))
    assert [each for each in said if fnmatchcase(each, words)], said


def test_a_job_of_a_shell_that_goes_on() -> None:
    with virtual_device("dev.replicant.shop", clock=SystemClock()) as device:  # by which it really goes on
        before = state_of(device.phone)
        device.driver.shell("nohup sleep 100 >/dev/null 2>&1 &", 5)
        (said,) = [each for each in differences(before, state_of(device.phone)) if each.startswith("job")]
        assert "sleep 100" in said


def test_a_look_around_in_settings_changes_nothing() -> None:
    with virtual_device("dev.replicant.shop") as device, device.session() as mobile:
        before = state_of(device.phone)
        mobile.shell("am start -a android.settings.SETTINGS")
        mobile.scroll("down")
        mobile.shell("am start -a android.settings.panel.action.VOLUME")
        assert differences(before, state_of(device.phone)) != []
        mobile.back()
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        assert differences(before, state_of(device.phone)) == []


def test_the_pushed_program_is_no_change(phone: VirtualPhone) -> None:
    before = state_of(phone)
    phone.files.write("/data/local/tmp/u2.jar", b"dex")
    assert differences(before, state_of(phone)) == []
