"""A file in, the facts of the app in it out."""

from __future__ import annotations

from pathlib import Path

from ...drivers import ONE_INSTEAD, SEVERAL
from ...errors import UsageError
from .android import read_apk
from .digest import sha256_of
from .ios import read_ios
from .package import AppPackage


def read_package(path: Path) -> AppPackage:
    """Raises ``UsageError`` for what is no package, saying what it is instead."""
    kind = path.suffix.lower()
    if kind in SEVERAL:
        raise UsageError(f"{path}: a {kind} {ONE_INSTEAD}")
    if kind == ".apk":
        return read_apk(path, sha256_of(path))
    if kind in (".ipa", ".app"):
        return read_ios(path, sha256_of(path))
    raise UsageError(f"{path}: the app under test is an .apk, an .ipa, or the .app folder of a simulator's app")
