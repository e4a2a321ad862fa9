"""WebDriverAgent's settings, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEPTH = "snapshotMaxDepth"
DEEPEST = 62  # levels; iOS itself refuses more (kAXErrorIllegalArgument)
SHALLOWER = 50  # WebDriverAgent's own default

SETTINGS: Mapping[str, Any] = {
    # The screen is what is on the screen: with SpringBoard's alerts, which belong to no app.
    "respectSystemAlerts": True,
    # By default 50 levels are shown, and what lies deeper is left out without a word.
    DEPTH: DEEPEST,
    # When a screen stands still is judged by the session. These would wait for it before each call, up to 10 s
    # where something on the screen always moves, and 2 s behind each touch.
    "waitForIdleTimeout": 0,
    "animationCoolOffTimeout": 0,
    # An element comes with what is asked about it next, which saves a request for each.
    "shouldUseCompactResponses": False,
    "elementResponseAttributes": "type,label,rect,attribute/name,attribute/value,attribute/placeholderValue",
    # What is typed is what arrives.
    "keyboardAutocorrection": 0,
    "keyboardPrediction": 0,
}
