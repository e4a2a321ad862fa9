"""Files that Android's packages come in, and which of them a phone takes."""

from __future__ import annotations

SEVERAL = (".aab", ".apks", ".xapk", ".apkm")
"""Endings of what holds several packages, or is made into several."""

ONE_INSTEAD = "holds several packages; give one APK, such as the universal one that bundletool makes"
