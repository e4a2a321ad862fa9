"""Which way up the screen is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from ...errors import ProtocolError, UsageError
from ..base import Orientation
from .role import Role

ROTATE_SECONDS = 3.0  # an app builds its screen anew while the phone turns
_LOOK_EVERY = 0.05
# Quarter turns by orientation, of what is upright at none, and of a tablet that is wide at none.
_UPRIGHT: Mapping[Orientation, int] = {
    "portrait": 0,
    "landscape": 1,
    "reverse_portrait": 2,
    "reverse_landscape": 3,
}
_WIDE: Mapping[Orientation, int] = {
    "landscape": 0,
    "reverse_portrait": 1,
    "reverse_landscape": 2,
    "portrait": 3,
}
_KEYS = ("user_rotation", "accelerometer_rotation")  # the sensor last: what it says counts once it is on again


class AndroidDisplay(Role):
    def rotate(self, orientation: Orientation) -> None:
        """Through the settings for rotation, which ``restore_settings`` puts back."""
        if orientation not in _UPRIGHT:
            known = ", ".join(_UPRIGHT)
            raise UsageError(
                f"rotate({orientation!r}): no such orientation. There are: {known}. Nothing was done."
            )
        turns = self._turns_by_name()[orientation]
        before = self._link.run("; ".join(f"settings get system {key}" for key in _KEYS)).text.split()
        if len(before) != len(_KEYS):
            raise self._odd_answer(f"rotate {orientation}", " ".join(before))
        self._changes.remember("rotation", partial(self._put_rotation, before))
        self._put_rotation([str(turns), "0"])
        if not self._turned_to(turns):
            self._put_rotation(before)
            raise UsageError(
                f"rotate {orientation} on {self._link.serial}: the screen stayed {self.orientation()} for "
                f"{ROTATE_SECONDS:g} s: the app in front keeps its own orientation. The setting was put back."
            )

    def orientation(self) -> Orientation:
        screen = self._device_info()
        turns = int(screen["displayRotation"])
        return next(name for name, value in _names(screen).items() if value == turns % 4)

    def wake(self) -> None:
        self._link.send("wakeUp")

    def _turns_by_name(self) -> Mapping[Orientation, int]:
        return _names(self._device_info())

    def _turned_to(self, turns: int) -> bool:
        deadline = time.monotonic() + ROTATE_SECONDS
        while int(self._device_info()["displayRotation"]) != turns:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_EVERY)
        return True

    def _put_rotation(self, values: list[str]) -> None:
        """The values of ``_KEYS``; "null" is how the phone calls one that is not set."""
        commands = [
            f"settings delete system {key}" if value == "null" else f"settings put system {key} {int(value)}"
            for key, value in zip(_KEYS, values, strict=True)
        ]
        ended = self._link.run(" && ".join(commands))
        if ended.exit_code != 0 or "xception" in ended.words:
            raise self._odd_answer("rotate", ended.words)

    def _device_info(self) -> dict[str, Any]:
        said = self._link.read("deviceInfo")
        if not isinstance(said, dict) or not {"displayRotation", "displayWidth", "displayHeight"} <= set(said):
            raise self._odd_answer("orientation", str(said))
        return said

    def _odd_answer(self, doing: str, said: str) -> ProtocolError:
        return ProtocolError(
            f"{doing} on {self._link.serial}: the phone would not say or take it: {said[:300] or 'nothing'}. Some "
            "makers ask for 'USB debugging (Security settings)' to be on.",
            exchange=said[:2000],
            device=self._link.serial,
        )


def _names(screen: Mapping[str, Any]) -> Mapping[Orientation, int]:
    """Of this screen. A quarter turn swaps its sides, so that they tell how it was made."""
    wide_now = int(screen["displayWidth"]) > int(screen["displayHeight"])
    sideways = int(screen["displayRotation"]) % 2 == 1
    return _WIDE if wide_now != sideways else _UPRIGHT
