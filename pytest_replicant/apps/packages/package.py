"""A package of the app under test, and the facts that it states about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...drivers import Platform


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


def plain_line(text: object, limit: int = 100) -> str:
    """What somebody wrote into a package, on one line, as it may be printed."""
    words = "".join(letter if letter.isprintable() else " " for letter in str(text or "")[: limit * 4])
    return " ".join(words.split())[:limit]


def number(text: object) -> int:
    """The number that it begins with, 0 for none."""
    digits = str(text or "").strip().partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else 0
