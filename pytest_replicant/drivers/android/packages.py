"""Names of apps: what can be one, and what to say about one that is not installed. Pure."""

from __future__ import annotations

import difflib
import re

from ...errors import UsageError

_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+|android", re.ASCII)
_NEAR = 0.6  # difflib's ratio from which two names look alike
_SHOWN = 5


def checked_name(app: str) -> str:
    """Raises ``UsageError`` for what Android allows no package to be called."""
    if not _NAME.fullmatch(app):
        raise UsageError(f"{app!r} is no Android package name; one looks like com.example.shop. Nothing was done.")
    return app


def not_installed(app: str, serial: str, listed: str) -> UsageError:
    """``listed`` is what ``pm list packages`` printed."""
    names = sorted(line[len("package:") :].strip() for line in listed.splitlines() if line.startswith("package:"))
    near = near_names(app, names)
    found = f"Near names on it: {', '.join(near)}." if near else f"None of its {len(names)} packages is near."
    return UsageError(
        f"{app} is not installed on {serial}. {found} Install it first, or correct the name; "
        "`adb shell pm list packages` shows all."
    )


def near_names(app: str, names: list[str]) -> list[str]:
    """At most five: those that look alike, then those that share the last part of the name."""
    alike = difflib.get_close_matches(app, names, _SHOWN, _NEAR)
    last = app.rpartition(".")[2].lower()
    sharing = [name for name in names if last in name.lower().split(".")]
    return list(dict.fromkeys([*alike, *sharing]))[:_SHOWN]
