"""Device requirements of a test: platform, API level, abilities. Pure; no phone is asked."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_args

from ..drivers import Capability, DeviceInfo, Driver, Platform
from ..errors import UsageError, did_you_mean
from .uri import PHONES

ABILITIES = tuple(str(ability.name).lower() for ability in Capability if ability.value)
"""The words that ``needs`` takes."""

_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class NoMatchingDevice(UsageError):
    """No phone of the run matches a test, free or not: it asks for another kind than the run was
    given. ``reason`` is the mismatch of each, in one line."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Facts:
    """Facts of a phone that requirements are compared with."""

    platform: str
    api: int | None = None
    abilities: tuple[str, ...] = ()

    @classmethod
    def of(cls, info: DeviceInfo, capabilities: Capability) -> Facts:
        has = (name for name in ABILITIES if Capability[name.upper()] in capabilities)
        return cls(info.platform, info.api, tuple(has))


@dataclass(frozen=True)
class DeviceRequirements:
    """Requirements of a test: a ``platform``, an Android ``api`` level such as ``">=29,<34"``,
    abilities that it ``needs``. "" and none: any. Raises ``UsageError`` for unknown words."""

    platform: str = ""
    api: str = ""
    needs: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        known = get_args(Platform)
        if self.platform and self.platform not in known:
            meant = did_you_mean(self.platform, known)
            raise UsageError(
                f"platform={self.platform!r} is none.{meant} There are: {', '.join(known)}"
            )
        self._comparisons()
        unknown = sorted(self.needs - {*ABILITIES})
        if unknown:
            meant = did_you_mean(unknown[0], ABILITIES)
            raise UsageError(
                f"needs={', '.join(unknown)}: no such ability.{meant} There are: "
                f"{', '.join(sorted(ABILITIES))}"
            )

    def _comparisons(self) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for part in self.api.split(",") if self.api else ():
            each = re.fullmatch(r"(>=|<=|==|!=|>|<|)\s*(\d{1,4})", part.strip())
            if each is None:
                raise UsageError(
                    f'api={self.api!r} compares no API level. Write ">=34", ">=29,<34" or "34"; '
                    f"there are {', '.join(filter(None, _COMPARE))}, and several are joined by "
                    "commas."
                )
            found.append((each[1], int(each[2])))
        return found

    def why_not(self, phone: Driver) -> str:
        """The mismatch of a phone, "" if it will do."""
        if self == DeviceRequirements(self.platform):
            return self.not_on(phone.info.platform)
        return self.why_not_with(Facts.of(phone.info, phone.capabilities))

    def not_on(self, platform: str | None) -> str:
        """Why no phone of that platform will do; "" if one may, and where the platform is not
        known."""
        if platform is None:
            return ""
        if self.platform and platform != self.platform:
            return f"{PHONES.get(platform, platform)}, not {PHONES[self.platform]}"
        return "an iPhone has no API level" if self.api and platform == "ios" else ""

    def why_not_with(self, facts: Facts) -> str:
        if other := self.not_on(facts.platform):
            return other
        if self.api and facts.api is None:
            return "does not say which API level it has"
        level = facts.api or 0
        if not all(_COMPARE[sign](level, number) for sign, number in self._comparisons()):
            return f"has API level {level}, not {self.api}"
        missing = sorted(self.needs.difference(facts.abilities))
        return f"cannot do {', '.join(missing)}" if missing else ""

    @property
    def described(self) -> str:
        """The requirements in words of the marker; "" for any phone."""
        said = (
            ("platform", self.platform),
            ("api", self.api),
            ("needs", ", ".join(sorted(self.needs))),
        )
        return ", ".join(f'{name}="{word}"' for name, word in said if word)
