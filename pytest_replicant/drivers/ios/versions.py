"""What the WebDriverAgent at hand has, by the version that its status reports: no one else asks which one it is.

Source: CHANGELOG.md and the tags of appium/WebDriverAgent. What an answer shows by itself is not asked of the
version, such as the bundle id that the page source has since 10.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# Of January 2025, the oldest whose replies were checked; respectSystemAlerts knows banners since 8.12.
OLDEST = (9, 0)
PLACEHOLDER = "placeholderValue"
_PLACEHOLDER_SINCE = (9, 1)  # pull request 987; asked for earlier it is an error
_PRINTED_SINCE = (9, 7)  # pull request 1016: the placeholder in the page source
_RESPONSE = ("type", "label", "rect", "attribute/name", "attribute/value")


@dataclass(frozen=True)
class Release:
    """``reported`` is the version as its status has it, "" for none. One that cannot be read, as of a build of
    someone's own, is taken for the oldest."""

    reported: str = ""

    @classmethod
    def of(cls, status: Mapping[str, object]) -> Release:
        build = status.get("build")
        version = build.get("version") if isinstance(build, Mapping) else None
        return cls(str(version or ""))

    @property
    def refusal(self) -> str:
        """Why it cannot be driven, and what helps; "" if it can."""
        if self._number >= OLDEST:
            return ""
        oldest = ".".join(map(str, OLDEST))
        return (
            f"it is version {self.reported}, and the oldest that can be driven is {oldest}. Install a newer one: "
            "build and start the latest release of Appium's WebDriverAgent; docs/how-to/iphone.md has the steps."
        )

    @property
    def prints_placeholders(self) -> bool:
        """Whether the page source has them; an empty field's value is its placeholder all the same."""
        return self._number >= _PRINTED_SINCE

    @property
    def response_attributes(self) -> str:
        """What an element is to come with, which saves a request for each."""
        names = (*_RESPONSE, f"attribute/{PLACEHOLDER}") if self._number >= _PLACEHOLDER_SINCE else _RESPONSE
        return ",".join(names)

    @property
    def _number(self) -> tuple[int, int]:
        found = re.match(r"(\d+)\.(\d+)(\.|$|-)", self.reported)
        return (int(found[1]), int(found[2])) if found else OLDEST
