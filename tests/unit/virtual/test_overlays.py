"""Windows that are not modal, the bars, and the order of a dump of all windows."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from pytest_replicant.errors import UsageError
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import Profile, profile_of

SHOP = "dev.replicant.shop"
ALL = ("taskbar", "edge", "bubble", "toolbar", "autofill", "pip")
PACKAGES = {
    "taskbar": "com.google.android.apps.nexuslauncher",
    "edge": "com.samsung.android.app.cocktailbarservice",
    "bubble": "com.facebook.orca",
    "toolbar": SHOP,
    "autofill": "android",
    "pip": "com.google.android.youtube",
}


def roots(device: VirtualDevice) -> list[etree._Element]:
    return list(etree.fromstring(device.driver.dump_hierarchy()))


def ticked(device: VirtualDevice) -> bool:
    return any(node.checked for window in device.phone.windows() for node in window.root.walk())


@pytest.mark.parametrize("name", ALL)
def test_each_is_a_window_with_something_to_touch_beside_the_app(name: str) -> None:
    with (
        virtual_device(SHOP, profile=Profile(windows=(name,))) as device,
        device.session() as mobile,
    ):
        mobile.tap(text="Email")
        (over,) = [w for w in device.phone.windows() if w.kind == "overlay"]
        assert over.package == PACKAGES[name]
        assert any(node.clickable for node in over.root.walk())
        listed = [(root.get("package"), root.get("display-id")) for root in roots(device)]
        assert (over.package, "0") in listed
        assert (SHOP, "0") in listed
        mobile.hide_keyboard()
        box = mobile.find(text="Remember me")
        assert not over.root.bounds.contains(box.center)
        device.phone.tap(*over.root.bounds.center)
        if name != "taskbar":  # an icon of which leads elsewhere
            assert not ticked(device)
            device.phone.tap(*box.center)
            assert ticked(device)


def test_a_text_toolbar_pastes_and_autofill_fills() -> None:
    windows = Profile(windows=("toolbar", "autofill"))
    with virtual_device(SHOP, profile=windows) as device, device.session() as mobile:
        device.phone.clipboard = "x@y"
        mobile.tap(text="Email")
        mobile.tap(text="Paste")
        assert mobile.find(text="Email").value == "x@y"
        mobile.clear_text(text="Email")
        mobile.tap(text="Account of Ada")
        assert mobile.find(text="Email").value == "ada@example.com"


def test_the_bars_are_in_dumps_and_not_on_the_screen() -> None:
    with virtual_device(SHOP) as device, device.session() as mobile:
        texts = [
            node.get("text") or node.get("content-desc")
            for root in roots(device)
            for node in root.iter()
        ]
        assert {"10:00", "Battery 100 percent.", "Wifi signal full.", "Home"} <= set(texts)
        before = mobile.snapshot()
        assert "10:00" not in before.outline()
        device.clock.sleep(90)
        device.phone.set_rotation(1)  # so that the bar is drawn again
        device.phone.set_rotation(0)
        after = mobile.snapshot()
        assert any(node.get("text") == "10:01" for root in roots(device) for node in root.iter())
        assert (after.fingerprint, after.screen_key, after.title) == (
            before.fingerprint,
            before.screen_key,
            before.title,
        )
        assert after.diff(before).empty


def test_uiautomator_dumps_the_window_in_front_alone() -> None:
    with virtual_device(SHOP, profile=Profile(windows=ALL)) as device, device.session() as mobile:
        mobile.shell("uiautomator dump /sdcard/a.xml")
        tree = etree.fromstring(mobile.shell("cat /sdcard/a.xml").stdout.encode())
        assert [root.get("package") for root in tree] == [SHOP]


@pytest.mark.parametrize("given", ["dock", "taskbar,dock", "Taskbar"])
def test_a_window_that_there_is_not_is_refused(given: str) -> None:
    with pytest.raises(
        UsageError, match=re.escape("give some of taskbar,edge,bubble,toolbar,autofill,pip")
    ):
        profile_of("android", {"windows": given})


def test_the_order_of_windows_is_no_rule_and_stays() -> None:
    def order(serial: str) -> list[str | None]:
        profile = Profile(serial=serial, windows=("taskbar", "edge", "bubble", "pip"))
        with virtual_device(SHOP, profile=profile) as device:
            first, second = ([root.get("package") for root in roots(device)] for _ in range(2))
            assert first == second
            return first

    assert len({tuple(order(f"virtual-{number}")) for number in range(4)}) > 1
