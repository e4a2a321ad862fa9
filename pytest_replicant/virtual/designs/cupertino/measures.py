"""How much room things take on an iPhone, in points, and the colours that are the system's own."""

from __future__ import annotations

from ....model import Rect
from ...app_kit.metrics import Metrics
from ..design import Insets

SPRINGBOARD = "com.apple.springboard"

STATUS_BAR = 59
BANNER_EDGE = 8
BANNER_HEIGHT = 77
HOME_INDICATOR = 34
HOME_INDICATOR_ACROSS = 21
NAVIGATION_BAR = 44
ALERT_WIDTH = 270
ALERT_BUTTON = 44
MENU_WIDTH = 250
MENU_GAP = 8
KEYBOARD = 291
KEYBOARD_ROW = 54
KEYBOARD_EDGE = 4  # above its first row
KEYBOARD_ROW_ACROSS = 40

TINT = "#007aff"


def across(size: tuple[int, int]) -> bool:
    """Whether the phone is held so that its screen is wider than high: it has no status bar
    then."""
    return size[0] > size[1]


def insets(size: tuple[int, int], metrics: Metrics) -> Insets:
    if across(size):
        return Insets(0, metrics.px(HOME_INDICATOR_ACROSS))
    return Insets(metrics.px(STATUS_BAR), metrics.px(HOME_INDICATOR))


def keyboard_frame(size: tuple[int, int], metrics: Metrics) -> Rect:
    """Down to the lower edge: the home indicator lies on it."""
    if across(size):
        height = metrics.px(KEYBOARD_EDGE + 4 * KEYBOARD_ROW_ACROSS + HOME_INDICATOR_ACROSS)
    else:
        height = metrics.px(KEYBOARD)
    return Rect(0, size[1] - min(height, size[1] * 60 // 100), size[0], size[1])
