"""The lock screen: over every app, with the time and how to open it."""

from __future__ import annotations

from ....model import Rect
from ...app_kit.metrics import Metrics, text_width
from ...ui import UiNode, Window
from ..system_nodes import plain_node
from .system_ui import SYSTEM_UI

LAYER = 38  # above apps, dialogs and toasts, below the status bar
_HINT = "Swipe up to open"


def lock_screen(size: tuple[int, int], metrics: Metrics, clock: str) -> Window:
    root = plain_node(
        "android.widget.FrameLayout",
        SYSTEM_UI,
        Rect(0, 0, *size),
        id="keyguard_root_view",
        shape="box",
    )
    root.look.background = "#202124"
    root.children = [
        _line(size, metrics, clock, 64, size[1] // 4, "lockscreen_clock_view"),
        _line(size, metrics, _HINT, 16, size[1] * 7 // 8, "keyguard_indication_text"),
    ]
    return Window("system_dialog", SYSTEM_UI, "NotificationShade", LAYER, root, focused=True)


def _line(size: tuple[int, int], metrics: Metrics, text: str, dp: int, top: int, id: str) -> UiNode:
    height = metrics.px(dp)
    width = min(text_width(text, height), size[0])
    left = (size[0] - width) // 2
    place = Rect(left, top, left + width, top + metrics.line(height))
    node = plain_node("android.widget.TextView", SYSTEM_UI, place, id=id, text=text, shape="text")
    node.look.text_size, node.look.foreground = height, "#ffffff"
    return node
