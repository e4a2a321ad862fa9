"""The numbers a session works by. Durations are seconds; the defaults are RFC 010's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import UsageError
from ..model import Allowance, PermissionPrompts, RecoveryMode, Strings
from .arguments import is_number
from .drawn import Source

PAUSES = (0.05, 0.1, 0.15)
"""Seconds from one read's request to the next, if none was set: the last is the usual one, the
shorter ones are for a control that has taken its state."""
GESTURE_FRESH_FOR = 0.15
"""Seconds: as old as the last read before a gesture may be. Where it is older, one more is made."""
_ONE_OF = {
    "recovery": get_args(RecoveryMode),
    "permission_prompts": get_args(PermissionPrompts),
    "source": get_args(Source),
    "missing_look": ("fail", "warn"),
}


@dataclass
class SecondsLeft:
    """Seconds that several sessions share, and how many of them are left."""

    seconds: float = 10.0

    def spend(self, seconds: float) -> None:
        self.seconds = max(self.seconds - seconds, 0.0)


@dataclass(frozen=True)
class SessionSettings:
    """How long to wait, and for what.

    ``window`` bounds how long two reads may take to agree. ``interval`` is the time from one read's
    request to the next, None for ``PAUSES``. ``fresh_for`` is how old a read may be and still
    count. ``quiet`` is how long after a gesture an unchanged screen is watched before it counts as
    still. ``read_on`` is how long the screen is watched after a check has failed, for the report.
    ``reconnect_timeout`` is how long a lost phone is waited for. ``allow`` names what recovery may
    do in this test beyond what it always may. ``permission_prompts`` is how it answers one that is
    in the way. ``source`` is what calls look at that do not say so by themselves. ``missing_look``
    is what becomes of a picture with nothing to compare it with, ``looks`` are patterns of the
    looks that are compared, none for all. Raises ``UsageError`` for a value that means nothing."""

    action_timeout: float = 5.0
    expect_timeout: float = 5.0
    window: float = 1.0
    interval: float | None = None
    fresh_for: float = 0.5
    quiet: float = 0.3
    read_on: float = 3.0
    reconnect_timeout: float = 30.0
    kept_snapshots: int = 64
    screenshots: bool = True
    trace: bool = True
    recovery: RecoveryMode = "allow"
    allow: frozenset[Allowance] = frozenset()
    permission_prompts: PermissionPrompts = "deny"
    source: Source = "hierarchy"
    missing_look: Literal["fail", "warn"] = "fail"
    looks: Strings = ()

    def __post_init__(self) -> None:
        for name, kind in self.__annotations__.items():
            given = getattr(self, name)
            if "float" not in kind or given is None:
                continue
            if not is_number(given) or given < 0:
                raise UsageError(f"{name}={given!r}: a number of seconds from 0")
        for name, known in _ONE_OF.items():
            if getattr(self, name) not in known:
                raise UsageError(f"{name}={getattr(self, name)!r}: give one of {', '.join(known)}")
        allowed = get_args(Allowance)
        if isinstance(self.allow, str) or not set(allowed).issuperset(self.allow):
            raise UsageError(f"allow={self.allow!r}: give a list of {', '.join(allowed)}")

    @property
    def pauses(self) -> tuple[float, ...]:
        """Seconds from one read's request to the next, for one read after the other."""
        return PAUSES if self.interval is None else (self.interval,)

    @property
    def pause(self) -> float:
        """The usual one of them, which is the longest."""
        return self.pauses[-1]
