"""Which lines of a log are wanted: an app's, those of a tag, those that are grave enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from ...errors import UsageError
from ...logs import GRAVITY, Level, LogLine

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True)
class WantedLines:
    """``level`` is the least grave that counts; None stands for any."""

    level: Level | None = None
    tag: str | None = None
    app: str | None = None

    def is_from(self, line: LogLine, pids: Collection[int]) -> bool:
        """``pids`` are the processes of the app."""
        grave = self.level is None or GRAVITY.index(line.level) >= GRAVITY.index(self.level)
        return grave and self.tag in (None, line.tag) and (self.app is None or line.pid in pids)


def check_wanted(verb: str, level: object, tag: object, app: object) -> None:
    """Raises ``UsageError`` for what can be none of these."""
    if level is not None and level not in get_args(Level):
        raise UsageError(f"{verb}(level={level!r}): a level is one of {', '.join(get_args(Level))}")
    for name, value in (("tag", tag), ("app", app)):
        if value is not None and (not isinstance(value, str) or not value):
            raise UsageError(f"{verb}({name}={value!r}): {name} is a string that says something")
