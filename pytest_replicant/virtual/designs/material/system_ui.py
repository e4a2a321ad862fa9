"""What the system itself draws: status bar, navigation bar, keyboard, toast."""

from __future__ import annotations

from ....model import Rect
from ...app_kit.metrics import Metrics, text_width
from ...ui import Look, UiNode, Window
from ..design import LOUDEST, Insets, SystemState
from ..system_nodes import Pressed, plain_node, system_window

STATUS_BAR_DP = 24
NAVIGATION_BAR_DP = 48
KEYBOARD_DP = 260
SYSTEM_UI = "com.android.systemui"

STATUS_ICONS = (
    ("battery", "Battery 100 percent."),
    ("mobile_combo", "Phone signal full."),
    ("wifi_signal", "Wifi signal full."),
)
"""From the right: ids and descriptions as SystemUI of Android 14 has them."""

KEY_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "\u21e7zxcvbnm\u232b", ", .\u21b5")
NAMED_KEYS = {"\u21e7": "Shift", "\u232b": "Delete", "\u21b5": "Enter", " ": "Space"}


def status_bar_dp(size: tuple[int, int], cutout: int) -> int:
    """Of a screen that is upright it is as high as the camera in it."""
    return max(STATUS_BAR_DP, cutout) if size[0] < size[1] else STATUS_BAR_DP


def insets(size: tuple[int, int], metrics: Metrics, cutout: int) -> Insets:
    top = metrics.px(status_bar_dp(size, cutout))
    side = metrics.px(cutout) if size[0] > size[1] else 0
    return Insets(top, metrics.px(NAVIGATION_BAR_DP), side)


def system_windows(state: SystemState, top: int) -> list[Window]:
    """``top`` is the height of the status bar in pixels."""
    size, metrics, app = state.size, state.metrics, state.app
    shown = stylus_page if state.stylus_page else keyboard
    windows = [shown(size, metrics, state.input_method)] if state.keyboard else []
    if state.toast is not None:
        windows.append(toast(size, metrics, state.toast.package, state.toast.text))
    if state.volume is not None:
        windows.append(volume_panel(size, metrics, state.volume))
    if state.clip is not None:
        windows.append(clipboard_overlay(size, metrics, state.clip))
    background = app.theme.primary if not app.app.system else "#000000"
    windows.append(status_bar(size, metrics, state.clock, background, top))
    windows.append(navigation_bar(size, metrics))
    return windows


def status_bar(
    size: tuple[int, int], metrics: Metrics, clock: str, background: str, height: int
) -> Window:
    frame = Rect(0, 0, size[0], height)
    root = plain_node(
        "android.widget.FrameLayout", SYSTEM_UI, frame, id="status_bar", shape="status_bar"
    )
    root.look.background = background
    size_px = metrics.px(14)
    left = metrics.px(16)
    place = Rect(left, 0, left + text_width(clock, size_px), height)
    time = plain_node(
        "android.widget.TextView", SYSTEM_UI, place, id="clock", text=clock, shape="text"
    )
    time.look.text_size = size_px
    time.look.foreground = "#ffffff"
    icons = []
    for number, (id, label) in enumerate(STATUS_ICONS):
        right = size[0] - left - metrics.px(20) * number
        box = Rect(right - metrics.px(16), metrics.px(4), right, height - metrics.px(4))
        icons.append(
            plain_node(
                "android.widget.ImageView", SYSTEM_UI, box, id=id, description=label, shape="none"
            )
        )
    root.children = [time, *icons]
    return system_window("status_bar", SYSTEM_UI, "StatusBar", root)


def navigation_bar(size: tuple[int, int], metrics: Metrics) -> Window:
    frame = Rect(0, size[1] - metrics.px(NAVIGATION_BAR_DP), size[0], size[1])
    root = plain_node(
        "android.widget.FrameLayout",
        SYSTEM_UI,
        frame,
        id="navigation_bar_frame",
        shape="navigation_bar",
    )
    root.look.background = "#000000"
    third = frame.width // 3
    for index, (key, id, label, icon) in enumerate(
        (
            ("BACK", "back", "Back", "back_button"),
            ("HOME", "home", "Home", "home_button"),
            ("APP_SWITCH", "recent_apps", "Overview", "recents"),
        )
    ):
        place = Rect(index * third, frame.top, (index + 1) * third, frame.bottom)
        button = plain_node("android.widget.ImageView", SYSTEM_UI, place, id=id, description=label)
        button.look = Look(shape=f"icon:{icon}", foreground="#ffffff")
        button.clickable = True
        button.owner = Pressed(key=key)
        root.children.append(button)
    return system_window("navigation_bar", SYSTEM_UI, "NavigationBar0", root)


def keyboard_frame(size: tuple[int, int], metrics: Metrics) -> Rect:
    bottom = size[1] - metrics.px(NAVIGATION_BAR_DP)
    height = min(metrics.px(KEYBOARD_DP), size[1] * 45 // 100)
    return Rect(0, bottom - height, size[0], bottom)


def keyboard(size: tuple[int, int], metrics: Metrics, package: str) -> Window:
    """In the views of an input method; every key is a node, so that a finger can type on it."""
    frame = keyboard_frame(size, metrics)
    root = plain_node("android.widget.FrameLayout", package, frame, shape="keyboard")
    parent = plain_node("android.widget.LinearLayout", package, frame)
    parent.resource_id = "android:id/parentPanel"
    area = plain_node("android.widget.FrameLayout", package, frame)
    area.resource_id = "android:id/inputArea"
    holder = plain_node("android.widget.FrameLayout", package, frame, id="keyboard_holder")
    root.children, parent.children, area.children = [parent], [area], [holder]
    row_height = frame.height // len(KEY_ROWS)
    for number, row in enumerate(KEY_ROWS):
        top = frame.top + number * row_height
        holder.children += _key_row(row, Rect(0, top, frame.width, top + row_height), package)
    return system_window("keyboard", package, "InputMethod", root, accessible=True)


def stylus_page(size: tuple[int, int], metrics: Metrics, package: str) -> Window:
    """In the keyboard's window, over the lower half of the screen; both buttons and the back key
    close it."""
    frame = Rect(0, size[1] // 2, size[0], size[1] - metrics.px(NAVIGATION_BAR_DP))
    root = plain_node("android.widget.FrameLayout", package, frame, shape="keyboard")
    row = frame.height // 6
    for number, text in enumerate(("Try out your stylus", "Write in text fields")):
        place = Rect(
            frame.left, frame.top + number * row, frame.right, frame.top + (number + 1) * row
        )
        root.children.append(
            plain_node("android.widget.TextView", package, place, text=text, shape="text")
        )
    for number, text in enumerate(("Cancel", "Write")):
        left = frame.left + number * frame.width // 2
        place = Rect(left, frame.bottom - row, left + frame.width // 2, frame.bottom)
        button = plain_node("android.widget.Button", package, place, text=text, shape="key")
        button.clickable, button.owner = True, Pressed(key="BACK")
        root.children.append(button)
    return system_window("keyboard", package, "InputMethod", root, accessible=True)


def _key_row(row: str, place: Rect, package: str) -> list[UiNode]:
    """Keys of one tenth of the width, in the middle; the space bar takes the rest."""
    unit = place.width // 10
    widths = [unit * (11 - len(row)) if glyph == " " else unit for glyph in row]
    left = (place.width - sum(widths)) // 2
    nodes = []
    for glyph, width in zip(row, widths, strict=True):
        name = NAMED_KEYS.get(glyph, "")
        text = "" if name else glyph
        frame = Rect(left, place.top, left + width, place.bottom)
        node = plain_node(
            "android.widget.TextView", package, frame, text=text, description=name, shape="key"
        )
        node.owner = KEY_PRESSES.get(glyph, Pressed(glyph=glyph))
        nodes.append(node)
        left += width
    return nodes


KEY_PRESSES = {
    "\u21e7": Pressed(key="SHIFT_LEFT"),
    "\u232b": Pressed(key="DEL"),
    "\u21b5": Pressed(key="ENTER"),
}


def toast(size: tuple[int, int], metrics: Metrics, package: str, text: str) -> Window:
    size_px = metrics.px(14)
    width = min(text_width(text, size_px) + metrics.px(48), size[0] - metrics.px(48))
    height = metrics.line(size_px) + metrics.px(28)
    left = (size[0] - width) // 2
    bottom = size[1] - metrics.px(NAVIGATION_BAR_DP + 64)
    frame = Rect(left, bottom - height, left + width, bottom)
    root = plain_node("android.widget.FrameLayout", package, frame, shape="toast")
    message = plain_node("android.widget.TextView", package, frame, text=text)
    message.resource_id = "android:id/message"
    root.children = [message]
    return system_window("toast", package, "Toast", root)


def clipboard_overlay(size: tuple[int, int], metrics: Metrics, text: str) -> Window:
    """What was copied, at the lower left (AOSP's clipboard_overlay.xml)."""
    side, bottom = metrics.px(16), size[1] - metrics.px(NAVIGATION_BAR_DP + 16)
    frame = Rect(side, bottom - metrics.px(104), side + metrics.px(160), bottom)
    root = plain_node(
        "android.widget.FrameLayout", SYSTEM_UI, frame, id="clipboard_ui", shape="card"
    )
    root.look.background, root.look.radius = "#3c4043", metrics.px(16)
    preview = plain_node(
        "android.widget.TextView",
        SYSTEM_UI,
        frame.inset(metrics.px(12)),
        id="text_preview",
        text=text,
        shape="text",
    )
    preview.look.text_size, preview.look.foreground = metrics.px(14), "#ffffff"
    root.children = [preview]
    return system_window("clipboard", SYSTEM_UI, "ClipboardOverlay", root, accessible=True)


def volume_panel(size: tuple[int, int], metrics: Metrics, level: int) -> Window:
    """At the right edge, over the content: a slider as high as the volume is."""
    width, height = metrics.px(64), metrics.px(220)
    left, top = size[0] - width - metrics.px(8), (size[1] - height) // 2
    frame = Rect(left, top, left + width, top + height)
    root = plain_node(
        "android.widget.FrameLayout", SYSTEM_UI, frame, id="volume_dialog", shape="card"
    )
    root.look.background, root.look.radius = "#3c4043", metrics.px(24)
    inset = metrics.px(16)
    track = Rect(frame.left + inset, frame.top + inset, frame.right - inset, frame.bottom - inset)
    slider = plain_node(
        "android.widget.SeekBar",
        SYSTEM_UI,
        track,
        id="volume_row_slider",
        text=f"{float(level)}",
        description="Media",
        shape="box",
    )
    slider.look.background, slider.look.radius = "#5f6368", metrics.px(12)
    slider.focusable = True
    filled = Rect(
        track.left, track.bottom - track.height * level // LOUDEST, track.right, track.bottom
    )
    if not filled.is_empty:
        bar = plain_node("android.view.View", SYSTEM_UI, filled, shape="box")
        bar.look.background, bar.look.radius = "#8ab4f8", metrics.px(12)
        slider.children = [bar]
    root.children = [slider]
    return system_window("volume_panel", SYSTEM_UI, "VolumeDialogImpl", root, accessible=True)
