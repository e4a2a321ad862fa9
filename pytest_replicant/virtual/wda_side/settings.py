"""The settings of WebDriverAgent: what they are at first, and what may be put in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .failures import invalid_argument
from .versions import lacking

DEFAULTS: dict[str, Any] = {
    "acceptAlertButtonSelector": "",
    "activeAppDetectionPoint": "64.00,64.00",
    "animationCoolOffTimeout": 2,
    "autoClickAlertSelector": "",
    "boundElementsByIndex": False,
    "customSnapshotTimeout": 15,
    "defaultActiveApplication": "auto",
    "defaultAlertAction": "",
    "dismissAlertButtonSelector": "",
    "elementResponseAttributes": "type,label",
    "enforceCustomSnapshots": False,
    "includeHittableInPageSource": False,
    "includeMinMaxValueInPageSource": False,
    "includeNativeFrameInPageSource": False,
    "includeNonModalElements": False,
    "keyboardAutocorrection": 0,
    "keyboardPrediction": 0,
    "limitXPathContextScope": True,
    "maxTypingFrequency": 60,
    "reduceMotion": False,
    "respectSystemAlerts": False,
    "screenshotOrientation": "auto",
    "screenshotQuality": 3,
    "shouldUseCompactResponses": True,
    "snapshotMaxChildren": 2147483647,
    "snapshotMaxDepth": 50,
    "useFirstMatch": False,
    "waitForIdleTimeout": 10,
}
"""Those that a phone made of Python obeys: defaultActiveApplication, respectSystemAlerts,
snapshotMaxDepth, animationCoolOffTimeout, defaultAlertAction, the two selectors of alert buttons,
shouldUseCompactResponses, elementResponseAttributes. The others are kept and reported."""


def defaults(version: str) -> dict[str, Any]:
    """The settings that the WebDriverAgent of this version has, as they are at first."""
    unknown = lacking(version, "setting")
    return {name: value for name, value in DEFAULTS.items() if name not in unknown}


DEEPEST_SNAPSHOT = 62
"""Levels of elements that the accessibility service gives; asked for more of a tree that has more,
it fails."""

ALERT_ACTIONS = ("", "accept", "dismiss")


def changed(settings: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with those given in their places; unknown ones are passed over, as
    WebDriverAgent does. Raises ``WdaError`` for a value of another kind than the setting's."""
    return {
        **settings,
        **{name: _checked(name, value) for name, value in given.items() if name in settings},
    }


def _checked(name: str, value: Any) -> Any:
    kind = type(DEFAULTS[name])
    if kind is str and isinstance(value, str):
        if name == "defaultAlertAction" and value.lower() not in ALERT_ACTIONS:
            raise invalid_argument(f"defaultAlertAction: '{value}' is neither accept nor dismiss")
        return value
    if kind is bool and isinstance(value, bool | int):
        return bool(value)
    if (
        kind is int
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and value >= 0
    ):
        return value
    raise invalid_argument(f"{name}: {value!r} is not of the kind of {DEFAULTS[name]!r}")
