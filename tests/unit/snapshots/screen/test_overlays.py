"""Windows that are not modal lie over an app without hiding it: each takes the touches in its own
bounds.

Written as the server that uiautomator2 starts dumps them (AccessibilityNodeInfoDumper.java): all
windows that can be touched, in the order of a hash set, with ``display-id``.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_replicant.session.reachability import gesture_point
from pytest_replicant.session.step import StageFailed
from pytest_replicant.snapshots import Memory, Snapshot

from ..screens import SIZE, button, hierarchy, labels_of, node, text

Box = tuple[int, int, int, int]

SIGN_IN = node(
    "FrameLayout",
    node("Toolbar", text("Sign in", at=(40, 80, 500, 170)), at=(0, 63, 1080, 190)),
    node(
        "EditText", at=(40, 300, 1040, 420), text="", hint="Email", clickable="true", focused="true"
    ),
    node(
        "EditText",
        at=(40, 460, 1040, 580),
        text="",
        hint="Password",
        clickable="true",
        password="true",
    ),
    node(
        "CheckBox",
        at=(40, 620, 600, 720),
        text="Stay signed in",
        clickable="true",
        checkable="true",
    ),
    button("Sign in", at=(40, 2240, 1040, 2360)),
    button("Help", at=(900, 760, 1080, 1000)),
)


def over(package: str, at: Box, *inside: str, **attributes: str) -> str:
    whole = node("FrameLayout", *inside, at=at, package=package, **attributes)
    return whole.replace(' package="dev.shop"', f' package="{package}"')


LAUNCHER, EDGE = (
    "com.google.android.apps.nexuslauncher",
    "com.samsung.android.app.cocktailbarservice",
)
ICON = {"clickable": "true", "long_clickable": "true"}
TASKBAR = over(
    LAUNCHER,
    (0, 2280, 1080, 2400),
    node("TextView", at=(200, 2290, 300, 2390), content_desc="Email", **ICON),
    node("TextView", at=(320, 2290, 420, 2390), content_desc="Settings", **ICON),
    resource_id=f"{LAUNCHER}:id/taskbar_container",
)
HANDLE = over(
    EDGE,
    (1060, 438, 1080, 780),
    node("ImageView", at=(1060, 438, 1080, 780), content_desc="Edge panels", clickable="true"),
    resource_id=f"{EDGE}:id/trigger_layout_container",
)
CHAT_HEAD = over(
    "com.facebook.orca",
    (912, 700, 1080, 868),
    node(
        "ImageView", at=(912, 700, 1080, 868), content_desc="Ada, 1 new message", clickable="true"
    ),
)
PASTE = {"clickable": "true", "resource_id": "android:id/floating_toolbar_menu_item_text"}
TOOLBAR = over(
    "dev.shop",
    (60, 200, 560, 320),
    node("TextView", at=(60, 200, 260, 320), text="Paste", **PASTE),
    node("TextView", at=(260, 200, 560, 320), text="Select all", **PASTE),
)
ADA = "ada@example.com"
AUTOFILL = over(
    "android",
    (40, 420, 1040, 560),
    node(
        "ListView",
        node("LinearLayout", text(ADA, at=(60, 440, 700, 540)), at=(40, 420, 1040, 560),
             clickable="true"),
        at=(40, 420, 1040, 560), resource_id="android:id/autofill_dataset_list",
    ),
    resource_id="android:id/autofill_dataset_picker",
)  # fmt: skip
PICTURE = over(
    "com.google.android.youtube",
    (520, 1500, 1060, 1804),
    node("FrameLayout", at=(520, 1500, 1060, 1804), content_desc="Video player", clickable="true"),
)
STATUS_BAR = over(
    "com.android.systemui",
    (0, 0, 1080, 63),
    text("10:00", at=(42, 0, 142, 63), resource_id="com.android.systemui:id/clock"),
    node("ImageView", at=(980, 10, 1010, 50), content_desc="Battery 100 percent."),
)
OVERLAYS = {
    "taskbar": TASKBAR,
    "edge handle": HANDLE,
    "chat head": CHAT_HEAD,
    "text toolbar": TOOLBAR,
    "autofill": AUTOFILL,
    "picture in picture": PICTURE,
}


def dumped(*windows: str) -> Snapshot:
    """As a session reads it, which knows how large the phone is."""
    source = hierarchy(*windows).replace("<node ", '<node display-id="0" ')
    return Snapshot.parse(source, id="s1", memory=Memory(upright=SIZE))


@pytest.mark.parametrize("order", list(permutations(range(len(OVERLAYS) + 1)))[::401])
def test_no_tap_goes_to_what_lies_over_the_app(order: tuple[int, ...]) -> None:
    """All at once: Password is half under the list of autofill, and Help under chat head and
    handle."""
    windows = (SIGN_IN, *OVERLAYS.values())
    snapshot = dumped(*(windows[place] for place in order))
    for label in ("Email", "Password", "Stay signed in", "Sign in", "Help", "Paste", ADA):
        found = [e for e in snapshot.elements if e.label == label]
        assert len(found) == 1
        point = gesture_point(snapshot, found[0])
        above = [
            w
            for w in windows[1:]
            if f'"{label}"' not in w
            and Snapshot.parse(hierarchy(w)).nodes[0].bounds.contains(point)
        ]
        assert found[0].bounds.contains(point)
        assert above == []


def test_what_is_wholly_under_one_is_refused_by_name() -> None:
    snapshot = dumped(CHAT_HEAD.replace("[912,700][1080,868]", "[880,740][1080,1020]"), SIGN_IN)
    with pytest.raises(
        StageFailed, match=r"Button \"Help\": covered by a window of com\.facebook\.orca"
    ):
        gesture_point(snapshot, snapshot.find(text="Help"))


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_windows_alike_none_is_taken_for_the_upper_one(first: int) -> None:
    """Nothing tells which of the two has the touches that both have a part for."""
    below = node("FrameLayout", button("Buy"), button("Here", at=(600, 300, 800, 400)))
    other = over(
        "dev.other", (0, 0, 1080, 2400), button("Pay"), button("There", at=(600, 900, 800, 1000))
    )
    snapshot = dumped(*((below, other), (other, below))[first])
    assert sorted(e.label for e in snapshot.elements) == ["Buy", "Here", "Pay", "There"]
    for free in ("Here", "There"):
        assert gesture_point(snapshot, snapshot.find(text=free)) == snapshot.find(text=free).center
    for label in ("Buy", "Pay"):
        with pytest.raises(StageFailed, match="covered by a window of"):
            gesture_point(snapshot, snapshot.find(text=label))


LIST = over(
    "dev.shop",
    (40, 700, 500, 900),
    text("Norway", at=(40, 700, 500, 800)),
    button("OK", at=(40, 800, 500, 900)),
)


def test_a_small_list_of_the_app_that_was_there_goes_before_a_larger_picture() -> None:
    memory = Memory(upright=SIZE)
    memory.learn(Snapshot.parse(hierarchy(SIGN_IN, PICTURE), memory=memory))
    snapshot = Snapshot.parse(hierarchy(LIST, PICTURE, STATUS_BAR), memory=memory)
    assert (snapshot.app, labels_of(snapshot.elements)) == ("dev.shop", ["Norway", "OK"])


def test_a_wide_window_is_a_dialog_where_its_app_had_more_of_the_screen_before() -> None:
    memory = Memory(upright=SIZE)
    memory.learn(Snapshot.parse(hierarchy(SIGN_IN, STATUS_BAR), memory=memory))
    wide = over("dev.shop", (0, 700, 1080, 1500), button("OK", at=(300, 800, 500, 900)))
    for _ in range(2):  # it stays one, however often it is read
        snapshot = Snapshot.parse(hierarchy(wide, STATUS_BAR), memory=memory)
        assert (snapshot.dialog, snapshot.alone) == ("", True)
        memory.learn(snapshot)


KEYS = node("Keyboard", button("q"), at=(0, 1600, 1080, 2400)).replace(
    "dev.shop", "com.android.inputmethod.latin"
)


@pytest.mark.parametrize("bottom", [1600, 1900])
@pytest.mark.parametrize(
    "keyboard", [KEYS, ""], ids=["a keyboard", "a keyboard that is in no dump"]
)
def test_a_window_that_moves_up_for_a_keyboard_is_no_dialog(bottom: int, keyboard: str) -> None:
    memory = Memory(upright=SIZE)
    memory.learn(Snapshot.parse(hierarchy(SIGN_IN, STATUS_BAR), memory=memory))
    field = node("EditText", at=(40, bottom - 120, 1040, bottom - 20), hint="Notes", focused="true")
    snapshot = Snapshot.parse(
        hierarchy(over("dev.shop", (0, 0, 1080, bottom), field), keyboard), memory=memory
    )
    assert (snapshot.dialog, snapshot.alone) == (None, False)
    low = over(
        "dev.shop",
        (0, 0, 1080, 1000),
        field.replace(f"{bottom - 120}", "60").replace(f"{bottom - 20}", "160"),
    )
    memory.learn(Snapshot.parse(hierarchy(SIGN_IN, STATUS_BAR), memory=memory))
    assert Snapshot.parse(hierarchy(low, keyboard), memory=memory).alone, (
        "it leaves more free than a keyboard takes"
    )
