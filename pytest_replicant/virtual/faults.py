"""What goes wrong on the virtual phone on purpose: for tests of tests, and of what recovers."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from ..errors import UsageError
from .app_kit.screen import ScreenDump
from .profile import milliseconds

Fault = Literal[
    "fail_dump",
    "truncate_dump",
    "stale_dump",
    "slow_dump",
    "kill_dump",
    "lose_tap",
    "drop_connection",
    "banners",
]
DUMP_FAULTS: tuple[Fault, ...] = (
    "fail_dump",
    "truncate_dump",
    "stale_dump",
    "slow_dump",
    "kill_dump",
)
NAMES: tuple[Fault, ...] = (*DUMP_FAULTS, "lose_tap", "drop_connection", "banners")
ALWAYS: dict[str, Fault] = {
    "slow": "slow_dump",
    "stale": "stale_dump",
    "truncated": "truncate_dump",
}
"""The values of ``Screen.dump`` as faults of every dump of one screen; "none", no window at all, is
separate."""

GREATEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Faults:
    """How probable each fault is, from 0 to 1, each time that it could happen.

    ``fail_dump``: a hierarchy dump fails with an error; ``truncate_dump``: its XML is cut off;
    ``stale_dump``: it shows the screen as it was at the dump before; ``slow_dump``: it takes
    ``slow_dump_ms`` longer; ``kill_dump``: the program that makes it is killed meanwhile;
    ``lose_tap``: a tap is injected and no app ever hears of it; ``drop_connection``: a call to the
    uiautomator2 server or to WebDriverAgent is cut off unanswered, every other time after it took
    effect; ``banners``: after a touch or the start of an app, a notification comes down over the
    top of an iPhone's screen for some seconds. The same ``seed`` gives the same faults in the same
    order, each kind by itself; without one it is another each time.
    """

    fail_dump: float = 0.0
    truncate_dump: float = 0.0
    stale_dump: float = 0.0
    slow_dump: float = 0.0
    kill_dump: float = 0.0
    lose_tap: float = 0.0
    drop_connection: float = 0.0
    banners: float = 0.0
    slow_dump_ms: int = 3000
    seed: int = field(default_factory=lambda: random.SystemRandom().randrange(1_000_000))

    def __post_init__(self) -> None:
        for name in NAMES:
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(
                    f"virtual phone: {name}={getattr(self, name)} is no probability from 0 to 1"
                )

    @classmethod
    def from_knobs(cls, knobs: dict[str, str]) -> Faults:
        """``fail_dump=0.1``, ``slow_dump_ms=500``, ``seed=7`` … Takes what it reads out of
        ``knobs``; raises ``UsageError`` for a value that is none."""
        given: dict[str, Any] = {
            item.name: _value(item.name, knobs.pop(item.name))
            for item in fields(cls)
            if item.name in knobs
        }
        return cls(**given)


def _value(name: str, text: str) -> float | int:
    if name == "slow_dump_ms":
        return milliseconds(name, text)
    if name == "seed":
        if not (text.isascii() and text.isdecimal()) or int(text[:20]) > GREATEST_SEED:
            raise UsageError(
                f"virtual phone: seed={text} is not a number from 0 to {GREATEST_SEED}"
            )
        return int(text)
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:  # nor NaN
        raise UsageError(
            f"virtual phone: {name}={text} is no probability from 0 to 1, such as {name}=0.1"
        )
    return share


@dataclass(frozen=True)
class DumpFault:
    """The faults of one dump: it ``fails``, is ``killed`` with the program that makes it, finds
    ``no_window`` or is ``stale``; what it takes longer; and the share of its text that comes
    through."""

    fails: bool = False
    killed: bool = False
    no_window: bool = False
    stale: bool = False
    extra_ms: int = 0
    keep: float = 1.0

    def cut(self, text: bytes) -> bytes:
        """The dump as far as it comes through, whole glyphs only."""
        if self.keep >= 1:
            return text
        return text[: int(len(text) * self.keep)].decode("utf-8", "ignore").encode()


FAULTLESS = DumpFault()


class FaultSource:
    """Draws the faults of one phone. ``injected`` counts those that happened, by name.
    Thread-safe."""

    def __init__(self, faults: Faults) -> None:
        self.declared = faults
        self.injected: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._draws = {name: random.Random(f"{faults.seed} {name}") for name in NAMES}
        self._shares: dict[Fault, float] = {name: float(getattr(faults, name)) for name in NAMES}
        self._drops = 0

    @property
    def seed(self) -> int:
        return self.declared.seed

    @property
    def repeated_by(self) -> str:
        """The knobs that make the same faults happen again; "" if there are none."""
        asked = [f"{name}={share:g}" for name, share in self._shares.items() if share]
        return "&".join([*asked, f"seed={self.seed}"]) if asked else ""

    def strikes(self, name: Fault) -> bool:
        """Whether a fault happens now; it counts as injected."""
        if not self._shares[name]:
            return False
        with self._lock:
            strikes = self._draw(name)
            self.injected[name] += strikes
        return strikes

    def drop(self) -> Literal["", "before", "after"]:
        """Whether a call is cut off, and whether before it takes effect or after."""
        if not self.strikes("drop_connection"):
            return ""
        with self._lock:
            self._drops += 1
            return "before" if self._drops % 2 else "after"

    def of_dump(self, screen: ScreenDump, screen_ms: int, *, has_former: bool) -> DumpFault:
        """Returns the faults of the next dump, by the declared faults and by the screen in front;
        it can only be stale where there was a former one."""
        if not screen and not any(self._shares[name] for name in DUMP_FAULTS):
            return FAULTLESS
        with self._lock:
            struck = {name for name in DUMP_FAULTS if self._draw(name)}
            if "kill_dump" in struck:
                struck = {"kill_dump"}
            elif "fail_dump" in struck:
                struck = {"fail_dump"}
            elif screen in ALWAYS:
                struck.add(ALWAYS[screen])
            if not has_former:
                struck.discard("stale_dump")
            self.injected.update(struck)
            truncated = "truncate_dump" in struck
            keep = 0.1 + 0.8 * self._draws["truncate_dump"].random() if truncated else 1.0
        if "kill_dump" in struck:
            return DumpFault(killed=True)
        if "fail_dump" in struck:
            return DumpFault(fails=True)
        slow_ms = self.declared.slow_dump_ms if "slow_dump" in struck else 0
        return DumpFault(
            no_window=screen == "none",
            stale="stale_dump" in struck,
            keep=keep,
            extra_ms=screen_ms if screen == "slow" else slow_ms,
        )

    def _draw(self, name: Fault) -> bool:
        return bool(self._shares[name]) and self._draws[name].random() < self._shares[name]
