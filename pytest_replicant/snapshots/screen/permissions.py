"""Whose windows ask whether an app may do something, by the package's name."""

from __future__ import annotations

PERMISSION_SUFFIXES = (".permissioncontroller", ".packageinstaller")
"""Of AOSP's own controller, of Google's, and of makers' that renamed it (``com.samsung.android.…``)."""

PERMISSION_PACKAGES = frozenset(
    {
        "com.android.permissioncontroller",
        "com.android.packageinstaller",  # Android 6 to 9
        "com.google.android.permissioncontroller",
        "com.google.android.packageinstaller",
        "com.samsung.android.permissioncontroller",
        "com.lbe.security.miui",  # MIUI and HyperOS; gkd-kit's recorded hierarchies of it
        "com.coloros.securitypermission",  # Oppo, OnePlus, Realme
        "com.oplus.securitypermission",
        "com.vivo.permissionmanager",
        "com.huawei.systemmanager",
        "com.hihonor.systemmanager",
        "com.meizu.safe",
    }
)
"""Those that are known, by maker."""


def asks_permission(package: str) -> bool:
    """Whether such a package's windows are the system's question whether an app may do something."""
    return package in PERMISSION_PACKAGES or package.endswith(PERMISSION_SUFFIXES)
