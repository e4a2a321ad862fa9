"""A keyboard is known by what the phone calls its input method, and by its name where no phone is
asked."""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.screens import button, hierarchy, node, text

SHOP = node(
    "FrameLayout",
    node("EditText", at=(40, 300, 1040, 420), text="Ada", focused="true", clickable="true"),
    button("Sign in", at=(40, 500, 1040, 620)),
    button("Help", at=(40, 1700, 1040, 1820)),
    package="dev.shop",
)
BAR = node(
    "FrameLayout",
    text("9:41", at=(20, 0, 200, 60)),
    at=(0, 0, 1080, 66),
    package="com.android.systemui",
)
# Each node as AccessibilityNodeInfoHelper.getVisibleBoundsInScreen of uiautomator2's server trims
# it: to the keys.
KEYS = (0, 1517, 1080, 2400)


def keyboard(package: str, root: str, holder: str) -> str:
    keys = [
        node("android.inputmethodservice.Keyboard$Key", at=(108 * n, 1700, 108 * n + 108, 1850),
             content_desc=key,
             clickable="true", package=package)
        for n, key in enumerate("qwertyuiop")
    ]  # fmt: skip
    inner = node("FrameLayout", *keys, at=KEYS, package=package, resource_id=holder)
    return node("FrameLayout", inner, at=KEYS, package=package, resource_id=root)


GBOARD = "com.google.android.inputmethod.latin"
SAMSUNG = "com.samsung.android.honeyboard"
BAIDU = "com.baidu.input_mi"  # of Xiaomi's Chinese ROMs
KEYBOARDS = {
    GBOARD: keyboard(GBOARD, "android:id/parentPanel", f"{GBOARD}:id/keyboard_holder"),
    SAMSUNG: keyboard(SAMSUNG, "android:id/inputArea", f"{SAMSUNG}:id/keyboard_view"),
    BAIDU: keyboard(BAIDU, "android:id/inputArea", ""),
}


@pytest.mark.parametrize("package", KEYBOARDS)
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_app_is_listed_over_any_keyboard(package: str, order: tuple[int, ...]) -> None:
    windows = (SHOP, BAR, KEYBOARDS[package])
    seen = Snapshot.parse(hierarchy(*(windows[place] for place in order)), keyboard=package)
    assert (seen.app, seen.dialog, seen.keyboard_visible) == ("dev.shop", None, True)
    assert seen.keyboard is not None
    assert tuple(seen.keyboard) == KEYS
    outline = seen.outline()
    assert "Ada" in outline
    assert "Sign in" in outline
    assert "Keyboard$Key" not in outline


def test_a_stored_file_goes_by_the_name() -> None:
    for package in (GBOARD, SAMSUNG):
        assert Snapshot.parse(hierarchy(SHOP, KEYBOARDS[package])).keyboard_visible
    assert not Snapshot.parse(hierarchy(SHOP, KEYBOARDS[BAIDU])).keyboard_visible


def test_an_app_that_is_itself_a_keyboard_is_listed() -> None:
    settings = node("FrameLayout", button("Layouts", at=(40, 300, 1040, 420)), package=BAIDU)
    seen = Snapshot.parse(hierarchy(settings, KEYBOARDS[BAIDU], BAR), keyboard=BAIDU)
    assert seen.app == BAIDU
    assert seen.find(text="Layouts")


def test_a_covered_button_is_no_key() -> None:
    """What is said of an element that cannot be seen is about the app alone."""
    seen = Snapshot.parse(hierarchy(SHOP, KEYBOARDS[BAIDU]), keyboard=BAIDU)
    with pytest.raises(Exception, match='text="q"') as raised:
        seen.find(text="q")
    assert "in the dump, but covered" not in str(raised.value)
