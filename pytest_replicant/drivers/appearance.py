"""How a phone is set to look: its language and region, dark or light, and how large a point is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LANGUAGES = ("persist.sys.locale", "ro.product.locale")
APPEARANCE_QUESTION = "; ".join(
    [
        "cmd uimode night",
        *(f"echo locale $(getprop {name})" for name in _LANGUAGES[:1]),
        "echo locale $(settings get system system_locales)",
        *(f"echo locale $(getprop {name})" for name in _LANGUAGES[1:]),
        "wm density",
        "dumpsys uimode | grep -o 'mComputedNightMode=[a-z]*'",  # of a phone that goes by the time of day
    ]
)
"""What an Android phone is asked, in one command. The locale that its user chose comes first; a phone on which no
one has chosen has that of its maker alone."""


@dataclass(frozen=True)
class Appearance:
    """``locale`` is a BCP 47 tag such as "en-GB", "" if the phone does not say. ``dark`` is None there.
    ``dots`` are the dots per inch that a user may have set, 0 if the platform has none such."""

    locale: str = ""
    dark: bool | None = None
    dots: int = 0


def android_appearance(said: str) -> Appearance:
    """Out of the answer to ``APPEARANCE_QUESTION``: of several densities the last one, an override."""
    night, dots = (
        re.search(r"Night mode: (yes|no)\b|mComputedNightMode=(true|false)", said),
        re.findall(r"density: (\d{2,4})\s*$", said, re.MULTILINE),
    )
    words = (line.partition(" ")[2].split(",")[0] for line in said.splitlines() if line.startswith("locale "))
    locale = next((tag for word in words if (tag := _tag(word)) and word != "null"), "")
    dark = None if night is None else (night[1] or night[2]) in ("yes", "true")
    return Appearance(locale, dark, int(dots[-1]) if dots else 0)


def ios_appearance(device: Mapping[str, Any]) -> Appearance:
    """Out of the answer to ``GET /wda/device/info``."""
    styles = {"light": False, "dark": True}
    return Appearance(
        _tag(str(device.get("currentLocale") or "")), styles.get(str(device.get("userInterfaceStyle")))
    )


def _tag(word: str) -> str:
    """As in "en_GB@calendar=gregorian": the tag alone."""
    found = re.match(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", word.strip())
    return found[0].replace("_", "-") if found else ""
