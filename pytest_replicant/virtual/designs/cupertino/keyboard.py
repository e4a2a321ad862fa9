"""The keyboard of iOS: letters alone; every key is a node, so that a finger can type on it."""

from __future__ import annotations

from ....model import Rect
from ...app_kit.fields import EditText
from ...app_kit.metrics import Metrics
from ...app_kit.recorded import Field
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
    unit, enter = size[0] / 10, return_key(field)
    for letters, row in zip(LETTERS, rows, strict=False):
        left = (size[0] - unit * len(letters)) / 2
        tray.children += [
            _key(package, letter, letter, _part(row, left + unit * at, left + unit * (at + 1)), glyph=letter)
            for at, letter in enumerate(letters)
        ]
    third, last, quarter, edge = rows[2], rows[3], size[0] / 4, unit * 1.4
    shift = _key(package, "shift", "shift", _part(third, 0, edge), key="SHIFT_LEFT", class_name=BUTTON)
    tray.children.insert(-len(LETTERS[2]), shift)
    tray.children += [
        _key(package, "delete", "delete", _part(third, size[0] - edge, size[0]), key="DEL"),
        _key(package, "more", "numbers", _part(last, 0, quarter)),
        _key(package, "space", "space", _part(last, quarter, 3 * quarter), glyph=" "),
        _key(package, enter, enter.lower(), _part(last, 3 * quarter, size[0]), key="ENTER", class_name=BUTTON),
    ]
    return system_window("keyboard", package, "Keyboard", root, accessible=True)


def return_key(field: EditText | None) -> str:
    """What it is called: "Return" where it only ends the line or the editing, another word where it does more."""
    if isinstance(field, Field) and field.enter:
        return field.enter
    if field is None or field.on_done is None or field.multiline:
        return "Return"
    return "Search" if field.shape == "field_search" else "Go"


def _key(
    package: str, name: str, label: str, frame: Rect, *, key: str = "", glyph: str = "", class_name: str = KEY
) -> UiNode:
    node = plain_node(class_name, package, frame, description=label, shape="key")
    node.resource_id = name
    node.owner = Pressed(key=key, glyph=glyph)
    return node


def _part(row: Rect, left: float, right: float) -> Rect:
    return Rect(round(left), row.top, round(right), row.bottom)
