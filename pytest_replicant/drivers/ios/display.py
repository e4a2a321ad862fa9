"""Which way up the screen is, and whether it is on."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from ...errors import UsageError
from ..base import Orientation
from .answers import Refused
from .role import Role

ROTATE_SECONDS = 3.0  # an app builds its screen anew while the phone turns
_LOOK_EVERY = 0.05
_NAMES: Mapping[Orientation, str] = {
    "portrait": "PORTRAIT",
    "landscape": "LANDSCAPE",
    "reverse_portrait": "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN",
    "reverse_landscape": "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT",
}
_READ: Mapping[str, Orientation] = {
    **{name: orientation for orientation, name in _NAMES.items()},
    "UIA_DEVICE_ORIENTATION_PORTRAIT": "portrait",
    "UIA_DEVICE_ORIENTATION_LANDSCAPELEFT": "landscape",
}


class IosDisplay(Role):
    def rotate(self, orientation: Orientation) -> None:
        """As the phone is held; ``restore_settings`` turns it back."""
        if orientation not in _NAMES:
            known = ", ".join(_NAMES)
            raise UsageError(
                f"rotate({orientation!r}): no such orientation. There are: {known}. Nothing was done."
            )
        before = self.orientation()
        self._changes.remember("rotation", partial(self._turn, before))
        if not self._turned(orientation):
            self._turned(before)
            raise UsageError(
                f"rotate {orientation} on {self._link.name}: the screen stayed {self.orientation()} for "
                f"{ROTATE_SECONDS:g} s: the app in front keeps its own orientation. The phone was turned back."
            )

    def orientation(self) -> Orientation:
        said = self._link.get("orientation")
        found = _READ.get(said) if isinstance(said, str) else None
        if found is None:
            raise self._link.odd("orientation", said)
        return found

    def wake(self) -> None:
        """Unlocks it where it is locked; WebDriverAgent cannot tell a passcode."""
        if self._link.ask("wda/locked") is True:
            self._link.tell("wda/unlock")

    def _turned(self, orientation: Orientation) -> bool:
        """WebDriverAgent itself may say that it cannot; or the app may not follow."""
        try:
            self._turn(orientation)
        except Refused as refused:
            if refused.is_unknown_call or "otat" not in refused.said:
                raise
            return False
        deadline = time.monotonic() + ROTATE_SECONDS
        while self.orientation() != orientation:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_EVERY)
        self._look_how_large()
        return True

    def _turn(self, orientation: Orientation) -> None:
        self._link.post("orientation", {"orientation": _NAMES[orientation]})
