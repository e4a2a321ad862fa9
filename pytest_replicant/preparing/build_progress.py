"""How far a build is: one line that changes on a terminal, and now and then a line elsewhere."""

from __future__ import annotations

import pytest

from ..model import one_line, shortened

EVERY = 10.0
"""Seconds from one line to the next where there is no terminal."""

_LIVE = 0.2
_LONGEST_TASK = 60


class BuildProgress:
    """Says nothing under ``-q``, nor where pytest has no terminal reporter."""

    def __init__(self, config: pytest.Config, command: str) -> None:
        reporter = config.pluginmanager.getplugin("terminalreporter")
        self._terminal: pytest.TerminalReporter | None = reporter if config.option.verbose >= 0 else None
        self._live = self._terminal is not None and self._terminal.isatty
        self._told_at = 0.0
        self._begun = False
        if not self._live:
            self._line(f"building: {one_line(command)}")

    def tell(self, elapsed: float, task: str) -> None:
        if elapsed - self._told_at < (_LIVE if self._live else EVERY):
            return
        self._told_at = elapsed
        text = f"building {clock_face(elapsed)} {one_line(task, _LONGEST_TASK)}".rstrip()
        if self._live and self._terminal is not None:
            self._begun = True
            self._terminal.rewrite(shortened(text, max(self._terminal._tw.fullwidth - 2, 20)), erase=True)
            self._terminal.flush()
        else:
            self._line(text)

    def end(self, text: str = "") -> None:
        """The line that stays; without ``text`` nothing does."""
        if self._begun and self._terminal is not None:
            self._terminal.rewrite("", erase=True)
            self._terminal.rewrite("")
            self._begun = False
        if text:
            self._line(text)

    def _line(self, text: str) -> None:
        if self._terminal is not None:
            self._terminal.write_line(text)
            self._terminal.flush()


def clock_face(seconds: float) -> str:
    """``"0:42"``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def duration(seconds: float) -> str:
    """``"42 s"``, ``"1 min 15 s"``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
