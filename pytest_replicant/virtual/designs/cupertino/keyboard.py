"""The keyboard of iOS: letters alone; every key is a node, so that a finger can type on it."""

from __future__ import annotations

from ....model.geometry import Rect
from ...app_kit.fields import EditText
from ...app_kit.metrics import Metrics
from ...ui import UiNode, Window
from ..system_nodes import Pressed, plain_node, system_window
from .measures import KEYBOARD_EDGE, KEYBOARD_ROW, KEYBOARD_ROW_ACROSS, across, keyboard_frame

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEY, BUTTON = "XCUIElementTypeKey", "XCUIElementTypeButton"


def keyboard(size: tuple[int, int], metrics: Metrics, package: str, field: EditText | None) -> Window:
    """In the process of the app that is typed in, as its own hierarchy has it."""
    frame = keyboard_frame(size, metrics)
    root = plain_node("XCUIElementTypeKeyboard", package, frame, shape="keyboard")
    tray = plain_node("XCUIElementTypeOther", package, frame)
    root.children = [tray]
    height = metrics.px(KEYBOARD_ROW_ACROSS if across(size) else KEYBOARD_ROW)
    top = frame.top + metrics.px(KEYBOARD_EDGE)
    rows = [Rect(0, top + index * height, size[0], top + (index + 1) * height) for index in range(4)]
    unit = size[0] / 10
    for letters, row in zip(LETTERS, rows, strict=False):
        left = (size[0] - unit * len(letters)) / 2
        tray.children += [
            _key(package, letter, letter, _part(row, left + unit * at, left + unit * (at + 1)), glyph=letter)
            for at, letter in enumerate(letters)
        ]
    tray.children += _named_keys(package, rows[2], rows[3], unit, return_key(field))
    return system_window("keyboard", package, "Keyboard", root, accessible=True)


def return_key(field: EditText | None) -> str:
    """What it is called: "Return" where it only ends the line or the editing, another word where it does more."""
    if field is None or field.on_done is None or field.multiline:
        return "Return"
    return "Search" if field.shape == "field_search" else "Go"


def _named_keys(package: str, third: Rect, last: Rect, unit: float, enter: str) -> list[UiNode]:
    """Those beside and below the letters."""
    wide = last.width / 4
    return [
        _key(package, "shift", "shift", _part(third, 0, unit * 1.4), key="SHIFT_LEFT", class_name=BUTTON),
        _key(package, "delete", "delete", _part(third, third.right - unit * 1.4, third.right), key="DEL"),
        _key(package, "more", "numbers", _part(last, 0, wide)),
        _key(package, "space", "space", _part(last, wide, 3 * wide), glyph=" "),
        _key(package, enter, enter.lower(), _part(last, 3 * wide, last.right), key="ENTER", class_name=BUTTON),
    ]


def _key(
    package: str, name: str, label: str, frame: Rect, *, key: str = "", glyph: str = "", class_name: str = KEY
) -> UiNode:
    node = plain_node(class_name, package, frame, description=label, shape="key")
    node.resource_id = name
    node.owner = Pressed(key=key, glyph=glyph)
    return node


def _part(row: Rect, left: float, right: float) -> Rect:
    return Rect(round(left), row.top, round(right), row.bottom)
