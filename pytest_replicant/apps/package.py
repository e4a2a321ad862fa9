"""A package of the app under test, and the facts that it states about itself."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, is_told

if TYPE_CHECKING:
    from ..drivers.base import Platform

__tracebackhide__ = is_told

SEVERAL = (".aab", ".apks", ".xapk", ".apkm")
"""Endings of what holds several packages, or is made into several."""

_MOST_FILES = 100_000  # of a folder; what was meant by a larger one is no app
_CHUNK = 1 << 20


@dataclass(frozen=True)
class AppPackage:
    """``path`` is the file, or the folder of an app for the simulator. ``version_name`` is what people see,
    ``version_code`` what counts up: Android's ``versionCode``, an iPhone's ``CFBundleVersion``. ``min_api`` and
    ``target_api`` are Android's API levels, on iOS the first number of the version; 0 where it does not say.

    ``abis`` are the processors that its native code is for, none where it has none. ``permissions`` are by the
    platform's names. ``sha256`` is of the file; of a folder, of all that is in it.
    """

    path: Path
    platform: Platform
    id: str
    label: str = ""
    version_name: str = ""
    version_code: str = ""
    min_api: int = 0
    target_api: int = 0
    abis: tuple[str, ...] = ()
    main_activity: str = ""
    permissions: tuple[str, ...] = ()
    sha256: str = ""

    @property
    def version(self) -> str:
        """Such as ``1.4 (37)``."""
        return " ".join(filter(None, (self.version_name, f"({self.version_code})" if self.version_code else "")))

    @property
    def told(self) -> dict[str, str]:
        """What reports say of it: no path, which is of one computer."""
        return {
            "app": self.id,
            "app version": self.version,
            "app package": f"{self.path.name}, sha256 {self.sha256[:12]}",
        }

    def to_dict(self) -> dict[str, Any]:
        """Out of strings, numbers and lists, to cross to another process."""
        return {**asdict(self), "path": str(self.path), "abis": [*self.abis], "permissions": [*self.permissions]}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> AppPackage:
        known = {item.name: given[item.name] for item in fields(cls)}
        return cls(
            **{
                **known,
                "path": Path(given["path"]),
                "abis": tuple(given["abis"]),
                "permissions": tuple(given["permissions"]),
            }
        )


def read_package(path: Path) -> AppPackage:
    """Raises ``UsageError`` for what is no package, saying what it is instead."""
    kind = path.suffix.lower()
    if kind in SEVERAL:
        raise UsageError(
            f"{path}: {an(kind)} holds several packages, of which a phone takes some. Next: give one APK, such "
            "as the universal one that bundletool makes, or what `./gradlew assembleDebug` builds"
        )
    if kind == ".apk":
        from .android import read_apk

        return read_apk(path, sha256_of(path))
    if kind in (".ipa", ".app"):
        from .ios import read_ios

        return read_ios(path, sha256_of(path))
    raise UsageError(f"{path}: the app under test is an .apk, an .ipa, or the .app folder of a simulator's app")


def an(kind: str) -> str:
    return f"an {kind}" if kind[1:2] in "aeiox" else f"a {kind}"


def sha256_of(path: Path) -> str:
    """Raises ``UsageError`` for what cannot be read."""
    digest = hashlib.sha256()
    try:
        if not path.is_dir():
            _add_file(digest, path)
            return digest.hexdigest()
        for inside in _files(path):
            digest.update(os.fsencode(f"{inside.relative_to(path).as_posix()}\0"))
            if inside.is_symlink():
                digest.update(os.fsencode(os.readlink(inside)))
            else:
                _add_file(digest, inside)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """In order; links are not followed."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in sorted([*names, *links]):
            seen += 1
            if seen > _MOST_FILES:
                raise UsageError(f"{folder} holds more than {_MOST_FILES} files: it is no app")
            yield Path(place, name)


def _add_file(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)


def plain_line(text: object, limit: int = 100) -> str:
    """What somebody wrote into a package, on one line, as it may be printed."""
    words = "".join(letter if letter.isprintable() else " " for letter in str(text or "")[: limit * 4])
    return " ".join(words.split())[:limit]


def number(text: object) -> int:
    """The number that it begins with, 0 for none."""
    digits = str(text or "").strip().partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else 0
