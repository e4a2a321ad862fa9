"""Files that Android's packages come in, and which of them a phone takes."""

from __future__ import annotations

SEVERAL = (".aab", ".apks", ".xapk", ".apkm")
"""Endings of what holds several packages, or is made into several."""


def why_not(kind: str) -> str:
    """What to say of one of ``SEVERAL``."""
    return f"a {kind} holds several packages; give one APK, such as the universal one that bundletool makes"
