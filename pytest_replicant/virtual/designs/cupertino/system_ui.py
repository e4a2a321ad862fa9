"""What iOS draws around an app: status bar, home indicator, volume. All of it belongs to
SpringBoard and is in no app's hierarchy."""

from __future__ import annotations

from ....model import Rect
from ...app_kit.fields import EditText
from ...app_kit.metrics import Metrics, text_width
from ...app_kit.recorded import Field
from ...ui import UiNode, Window
from ..design import LOUDEST, SystemState
from ..system_nodes import Pressed, plain_node, system_window
from .measures import (
    BANNER_EDGE,
    BANNER_HEIGHT,
    KEYBOARD_EDGE,
    KEYBOARD_ROW,
    KEYBOARD_ROW_ACROSS,
    SPRINGBOARD,
    STATUS_BAR,
    across,
    insets,
    keyboard_frame,
)

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEY, BUTTON = "XCUIElementTypeKey", "XCUIElementTypeButton"


def keyboard(
    size: tuple[int, int], metrics: Metrics, package: str, field: EditText | None
) -> Window:
    """In the process of the app that is typed in, as its own hierarchy has it."""
    frame = keyboard_frame(size, metrics)
    root = plain_node("XCUIElementTypeKeyboard", package, frame, shape="keyboard")
    tray = plain_node("XCUIElementTypeOther", package, frame)
    root.children = [tray]
    height = metrics.px(KEYBOARD_ROW_ACROSS if across(size) else KEYBOARD_ROW)
    top = frame.top + metrics.px(KEYBOARD_EDGE)
    rows = [
        Rect(0, top + index * height, size[0], top + (index + 1) * height) for index in range(4)
    ]
    unit, enter = size[0] / 10, return_key(field)
    for letters, row in zip(LETTERS, rows, strict=False):
        left = (size[0] - unit * len(letters)) / 2
        tray.children += [
            _key(
                package,
                letter,
                letter,
                _part(row, left + unit * at, left + unit * (at + 1)),
                glyph=letter,
            )
            for at, letter in enumerate(letters)
        ]
    third, last, quarter, edge = rows[2], rows[3], size[0] / 4, unit * 1.4
    shift = _key(
        package, "shift", "shift", _part(third, 0, edge), key="SHIFT_LEFT", class_name=BUTTON
    )
    tray.children.insert(-len(LETTERS[2]), shift)
    tray.children += [
        _key(package, "delete", "delete", _part(third, size[0] - edge, size[0]), key="DEL"),
        _key(package, "more", "numbers", _part(last, 0, quarter)),
        _key(package, "space", "space", _part(last, quarter, 3 * quarter), glyph=" "),
        _key(
            package,
            enter,
            enter.lower(),
            _part(last, 3 * quarter, size[0]),
            key="ENTER",
            class_name=BUTTON,
        ),
    ]
    return system_window("keyboard", package, "Keyboard", root, accessible=True)


def return_key(field: EditText | None) -> str:
    """What it is called: "Return" where it only ends the line or the editing, another word where it
    does more."""
    if isinstance(field, Field) and field.enter:
        return field.enter
    if field is None or field.on_done is None or field.multiline:
        return "Return"
    return "Search" if field.shape == "field_search" else "Go"


def _key(
    package: str,
    name: str,
    label: str,
    frame: Rect,
    *,
    key: str = "",
    glyph: str = "",
    class_name: str = KEY,
) -> UiNode:
    node = plain_node(class_name, package, frame, description=label, shape="key")
    node.resource_id = name
    node.owner = Pressed(key=key, glyph=glyph)
    return node


def _part(row: Rect, left: float, right: float) -> Rect:
    return Rect(round(left), row.top, round(right), row.bottom)


OTHER = "XCUIElementTypeOther"


def system_windows(state: SystemState) -> list[Window]:
    """A toast is none of them: an app shows it by itself."""
    size, metrics = state.size, state.metrics
    windows = [keyboard(size, metrics, state.app.package, state.field)] if state.keyboard else []
    if state.volume is not None:
        windows.append(volume(size, metrics, state.volume))
    if not across(size):
        windows.append(status_bar(size, metrics, state.clock, island=state.toast is None))
    windows.append(home_indicator(size, metrics))
    if state.banner is not None:
        windows.append(banner(size, metrics, state.banner))
    return windows


def banner(size: tuple[int, int], metrics: Metrics, text: str) -> Window:
    """A notification at the top of the screen, as WebDriverAgent shows it (its pull request
    962)."""
    edge, bottom = metrics.px(BANNER_EDGE), metrics.px(BANNER_EDGE + BANNER_HEIGHT)
    frame = Rect(edge, edge, size[0] - edge, bottom)
    root = plain_node(OTHER, SPRINGBOARD, frame, description="Notification")
    look = plain_node(
        OTHER, SPRINGBOARD, frame, id="NotificationShortLookView", description=text, shape="box"
    )
    look.look.background, look.look.radius = "#d1d1d6", metrics.px(24)
    look.owner = Pressed("BANNER")
    words = plain_node(OTHER, SPRINGBOARD, frame, text=text, shape="text")
    words.look.text_size, words.look.align = metrics.px(15), "center"
    look.drawn, root.children = [words], [look]
    return system_window("banner", SPRINGBOARD, "Notification", root)


def status_bar(size: tuple[int, int], metrics: Metrics, clock: str, *, island: bool) -> Window:
    """Around the camera's island, unless what an app says just now is there."""
    frame = Rect(0, 0, size[0], metrics.px(STATUS_BAR))
    root = plain_node("XCUIElementTypeStatusBar", SPRINGBOARD, frame, shape="status_bar")
    shown, text_size = twelve_hours(clock), metrics.px(17)
    width = text_width(shown, text_size)
    middle = metrics.px(64)
    place = Rect(middle - width // 2, metrics.px(18), middle - width // 2 + width, metrics.px(42))
    time = plain_node("XCUIElementTypeStaticText", SPRINGBOARD, place, text=shown, shape="text")
    time.look.text_size, time.look.bold = text_size, True
    root.children = [time]
    if island:
        left, top = size[0] // 2 - metrics.px(63), metrics.px(11)
        camera = Rect(left, top, left + metrics.px(126), top + metrics.px(37))
        root.children.append(plain_node(OTHER, SPRINGBOARD, camera, shape="box"))
        root.children[-1].look.background, root.children[-1].look.radius = (
            "#000000",
            camera.height // 2,
        )
    return system_window("status_bar", SPRINGBOARD, "Status bar", root)


def home_indicator(size: tuple[int, int], metrics: Metrics) -> Window:
    frame = Rect(0, size[1] - insets(size, metrics).bottom, size[0], size[1])
    root = plain_node(OTHER, SPRINGBOARD, frame, shape="navigation_bar")
    return system_window("navigation_bar", SPRINGBOARD, "Home indicator", root)


def volume(size: tuple[int, int], metrics: Metrics, level: int) -> Window:
    """A pill at the left edge, as full as it is loud."""
    left, width, height = metrics.px(12), metrics.px(8), metrics.px(150)
    top = (size[1] - height) // 3
    frame = Rect(left, top, left + width, top + height)
    root = plain_node(OTHER, SPRINGBOARD, frame, shape="box")
    root.look.background, root.look.radius = "#8e8e93", width // 2
    filled = Rect(frame.left, frame.bottom - height * level // LOUDEST, frame.right, frame.bottom)
    if not filled.is_empty:
        bar = plain_node(OTHER, SPRINGBOARD, filled, shape="box")
        bar.look.background, bar.look.radius = "#ffffff", width // 2
        root.children = [bar]
    return system_window("volume_panel", SPRINGBOARD, "Volume", root)


def twelve_hours(clock: str) -> str:
    """ "9:41" for "09:41" and for "21:41"."""
    hours, _, minutes = clock.partition(":")
    return f"{int(hours) % 12 or 12}:{minutes}"
