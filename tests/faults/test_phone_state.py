"""The comparable state of a phone sees each kind of change, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import IPHONE, Latency, Profile, VirtualPhone

from .phone_state import differences, state_of

SHOP = "dev.replicant.shop"
CAMERA = "android.permission.CAMERA"


@pytest.fixture(params=["android", "ios"])
def phone(request: pytest.FixtureRequest) -> VirtualPhone:
    profile = IPHONE if request.param == "ios" else Profile()
    return VirtualPhone(
        demo_apps(()), profile=profile, latency=Latency.from_knobs({"latency": "0"})
    )


CHANGES: dict[str, tuple[Callable[[VirtualPhone], object], str]] = {
    "a public setting": (
        lambda phone: phone.settings.put("global", "stay_on_while_plugged_in", "7"),
        "setting global stay_on_while_plugged_in was 0, is 7",
    ),
    "a file": (
        lambda phone: phone.files.write("/sdcard/x", b"1"),
        "file /sdcard/x is new: 1 bytes 6b86b273",
    ),
    "the app in front": (
        lambda phone: phone.start_app(SHOP),
        f"app in front was *, is {SHOP}/{SHOP}.SignIn*",
    ),
    "a program": (
        lambda phone: phone.running_programs.update({"com.wetest.uia2.Main": bool}),
        "program com.wetest.uia2.Main is new",
    ),
    "a permission": (
        lambda phone: phone.packages.grant(SHOP, CAMERA),
        f"package {SHOP}: granted {CAMERA} is new",
    ),
    "an app gone": (
        lambda phone: phone.packages.uninstall(SHOP),
        f"package {SHOP}: label is gone; it was Shop",
    ),
    "a dialog": (
        lambda phone: phone.show_system_dialog("Battery low"),
        "window 0 over the app is new: *",
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_each_kind_of_change_is_seen(kind: str, phone: VirtualPhone) -> None:
    change, words = CHANGES[kind]
    before = state_of(phone)
    assert differences(before, state_of(phone)) == []
    change(phone)
    said = differences(before, state_of(phone))
    assert [each for each in said if fnmatchcase(each, words)], said


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
