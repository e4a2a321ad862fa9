"""What an iPhone's app says of itself: its ``Info.plist``, out of an .ipa or an .app folder."""

from __future__ import annotations

import plistlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from ...errors import UsageError
from .archive import member, opened
from .package import AppPackage, number, plain_line

LARGEST_PLIST = 4 << 20
_PLIST = re.compile(r"Payload/[^/]+\.app/Info\.plist")
_BUNDLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*", re.ASCII)
_DAMAGE = (ValueError, LookupError, TypeError, OverflowError, RecursionError, ExpatError, AttributeError)


def read_ios(path: Path, sha256: str) -> AppPackage:
    """Raises ``UsageError`` for what is no app."""
    facts = _facts(path, _from_folder(path) if path.is_dir() else _from_ipa(path))
    bundle = str(facts.get("CFBundleIdentifier", ""))
    if not _BUNDLE_ID.fullmatch(bundle):
        raise UsageError(f"{path}: its Info.plist gives it the id {plain_line(bundle)!r}, which no app can have")
    return AppPackage(
        path=path,
        platform="ios",
        id=bundle,
        label=plain_line(facts.get("CFBundleDisplayName") or facts.get("CFBundleName")),
        version_name=plain_line(facts.get("CFBundleShortVersionString")),
        version_code=plain_line(facts.get("CFBundleVersion")),
        min_api=number(facts.get("MinimumOSVersion")),
        target_api=number(facts.get("DTPlatformVersion")),
        permissions=tuple(sorted(key for key in map(plain_line, facts) if key.endswith("UsageDescription"))),
        sha256=sha256,
    )


def _facts(path: Path, content: bytes) -> Mapping[str, Any]:
    try:
        facts = plistlib.loads(content)
    except _DAMAGE as error:
        raise UsageError(f"{path}: its Info.plist cannot be read: {plain_line(error)}") from None
    if not isinstance(facts, dict):
        raise UsageError(f"{path}: its Info.plist cannot be read: it holds no names and values")
    return facts


def _from_ipa(path: Path) -> bytes:
    with opened(path, "an .ipa") as archive:
        found = [name for name in archive.namelist() if _PLIST.fullmatch(name)]
        if len(found) != 1:
            raise UsageError(f"{path}: it is no app: it holds Payload/*.app/Info.plist {len(found)} times")
        return member(archive, found[0], LARGEST_PLIST)


def _from_folder(path: Path) -> bytes:
    plist = path / "Info.plist"
    try:
        with plist.open("rb") as file:
            content = file.read(LARGEST_PLIST + 1)
    except FileNotFoundError:
        raise UsageError(f"{path}: it is no app: no Info.plist is in it") from None
    except OSError as error:
        raise UsageError(f"{plist} cannot be read: {error.strerror or error}") from None
    if len(content) > LARGEST_PLIST:
        raise UsageError(f"{plist} is larger than {LARGEST_PLIST >> 20} MB: no real one is")
    return content
