"""Animations of an Android phone: off while it is used, and afterwards as they were.

How they were is kept on the phone itself, from before they are turned off until they are back: a process that is
killed in between leaves it to whoever uses the phone next, on whatever computer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..pool import ANIMATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..drivers import Driver

KEPT = "/data/local/tmp/replicant-animations"
SECONDS = 20.0
BACK_SECONDS = 5.0
"""For a phone that may not answer any more."""

_VALUE = re.compile(r"\d{1,3}(\.\d{1,6})?", re.ASCII)
_READ = "; ".join(f"settings get global {name}" for name in ANIMATIONS)
_OFF = "; ".join(f"settings put global {name} 0" for name in ANIMATIONS)
_KEEP = f"{{ {_READ}; }} > {KEPT}.new && mv {KEPT}.new {KEPT}"
_WHOLE = f'[ "$(grep -c "" {KEPT} 2>/dev/null)" = {len(ANIMATIONS)} ]'
TURN_OFF = f"{_WHOLE} || {{ {_KEEP}; }}; cat {KEPT} && {_WHOLE} && {{ {_OFF}; }}"
"""In one command: what is there already is of a run that was killed, and tells how they really were. With a line
too few or too many nobody could tell which is whose: it is written anew, and where that is no better, they stay
on."""


def turn_off(driver: Driver) -> tuple[str, ...]:
    """How they were; empty where the phone does not let anybody keep that, and so nothing was changed."""
    said = driver.shell(TURN_OFF, SECONDS).stdout.splitlines()
    return tuple(line.strip() for line in said) if len(said) == len(ANIMATIONS) else ()


def put_back(driver: Driver, before: Sequence[str]) -> None:
    """What was not set, or cannot be read, is the phone's own default again."""
    driver.shell(" && ".join([*map(_put, ANIMATIONS, before), f"rm -f {KEPT}"]), BACK_SECONDS)


def _put(name: str, value: str) -> str:
    return f"settings put global {name} {value}" if _VALUE.fullmatch(value) else f"settings delete global {name}"
