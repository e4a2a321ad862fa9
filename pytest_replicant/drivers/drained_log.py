"""``log_of``: a phone's log by the contract, also where each line is given once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .base import Driver, LogMark


@dataclass
class DrainedLog:
    """The log of a driver with the trait ``log_drains``: all that it gave since this was made."""

    driver: Driver
    _lines: list[str] = field(default_factory=list)

    def log_mark(self) -> LogMark:
        self._lines += self.driver.logs()
        return LogMark(f"line {len(self._lines)}", last=self._lines[-1] if self._lines else "")

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        self._lines += self.driver.logs(buffers=buffers)
        first = since.moment.removeprefix("line ") if since is not None else "0"
        return self._lines[int(first) :]


def log_of(driver: Driver) -> Driver | DrainedLog:
    """What gives the log and its marks, for one who reads it over and over."""
    return DrainedLog(driver) if driver.traits.log_drains else driver
