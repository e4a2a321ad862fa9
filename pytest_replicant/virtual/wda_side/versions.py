"""What each WebDriverAgent has: the release that a thing came with, or went with.

Source: the tags and CHANGELOG.md of appium/WebDriverAgent; the number next to each thing is its
pull request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal["source", "attribute", "setting", "path"]
"""Attributes in the page source, attributes of one element, settings, and paths of commands."""

SINCE: Mapping[Kind, Mapping[str, tuple[int, int]]] = {
    "source": {
        "placeholderValue": (9, 7),  # 1016
        "traits": (9, 12),  # 1028
        "bundleId": (10, 1),  # 1055, of the Application alone
        "processId": (10, 1),  # 1055
    },
    "attribute": {
        "placeholderValue": (9, 1),  # 987
        "traits": (9, 10),  # 1020
    },
    "setting": {
        "limitXPathContextScope": (9, 3),  # 988, by this name since 995
        "autoClickAlertSelector": (9, 5),  # 1002
        "customSnapshotTimeout": (9, 6),  # 1008; gone with 9.0 (970) until then
        "includeHittableInPageSource": (9, 11),  # 1026
        "includeNativeFrameInPageSource": (9, 13),  # 1029
        "includeMinMaxValueInPageSource": (9, 14),  # 1031
        "enforceCustomSnapshots": (10, 5),  # 1087
        "snapshotMaxChildren": (11, 4),  # 1117
    },
    "path": {
        "/window/rect": (9, 3),  # 991
    },
}
UNTIL: Mapping[Kind, Mapping[str, tuple[int, int]]] = {
    "setting": {"includeNonModalElements": (12, 0)},  # 1124
}


def lacking(version: str, kind: Kind) -> frozenset[str]:
    """Names that the WebDriverAgent of this version ("9.7") does not know. Pure."""
    major, _, minor = version.partition(".")
    this = (int(major), int(minor or 0))
    later = {name for name, since in SINCE.get(kind, {}).items() if this < since}
    gone = {name for name, until in UNTIL.get(kind, {}).items() if this >= until}
    return frozenset(later | gone)
