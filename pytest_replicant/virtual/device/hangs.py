"""``Hangs``: apps whose main thread is blocked, the input that waits for them, and the dialog about
it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..app_kit.running import RunningApp
from ..app_kit.timers import Timer, Timers
from ..designs.design import Design
from ..designs.system_dialog import SystemDialog
from .system_dialogs import SystemDialogs


class Reports(Protocol):
    """What a hang leads to beyond the dialog."""

    def unresponsive(self, app: RunningApp[Any], waited_ms: int) -> None:
        """Logs that an app did not take its input in time."""
        ...

    def kill(self, app: RunningApp[Any]) -> None:
        """The user asked for the app to be closed."""
        ...

    def changed(self) -> None:
        """Marks the screen as out of date."""
        ...


@dataclass(frozen=True)
class _Waiting:
    """An input or a timer that the blocked thread has still to deal with."""

    act: Callable[[], object]
    is_input: bool


@dataclass
class _Hang:
    end: Timer
    waiting: list[_Waiting] = field(default_factory=list)
    patience: Timer | None = None  # runs from the first unanswered input
    dialog: SystemDialog | None = None


class Hangs:
    """By app."""

    def __init__(
        self, design: Design, timers: Timers, dialogs: SystemDialogs, reports: Reports
    ) -> None:
        self._design = design
        self._timers = timers
        self._dialogs = dialogs
        self._reports = reports
        self._hangs: dict[RunningApp[Any], _Hang] = {}

    def __contains__(self, app: RunningApp[Any]) -> bool:
        return app in self._hangs

    def begin(self, app: RunningApp[Any], ms: int) -> None:
        """Blocks an app; one that is blocked stays so until the later of the two moments."""
        end = self._timers.after(ms, lambda: self._recover(app))
        old = self._hangs.setdefault(app, _Hang(end))
        if old.end is not end:
            earlier, old.end = sorted((old.end, end))
            earlier.cancel()

    def put_off(
        self, app: RunningApp[Any], act: Callable[[], object], *, is_input: bool = True
    ) -> bool:
        """Keeps ``act`` for when the app is back; False if it does not hang. Input makes the system
        impatient, a timer does not."""
        hang = self._hangs.get(app)
        if hang is None:
            return False
        hang.waiting.append(_Waiting(act, is_input))
        if is_input and hang.patience is None:
            self._wait(app, hang)
        return True

    def forget(self, app: RunningApp[Any]) -> None:
        """The process has ended."""
        hang = self._hangs.pop(app, None)
        if hang is not None:
            hang.end.cancel()
            if hang.patience is not None:
                hang.patience.cancel()

    def _wait(self, app: RunningApp[Any], hang: _Hang) -> None:
        patience = app.app.anr_ms
        hang.patience = self._timers.after(patience, lambda: self._complain(app, hang, patience))

    def _complain(self, app: RunningApp[Any], hang: _Hang, waited_ms: int) -> None:
        def close_app() -> None:
            self._reports.kill(app)

        def go_on_waiting() -> None:
            self._dialogs.close(hang.dialog)
            self._wait(app, hang)

        hang.dialog = self._design.not_responding(app, close_app, go_on_waiting)
        if hang.dialog is not None:
            self._reports.unresponsive(app, waited_ms)
            self._dialogs.show(hang.dialog)

    def _recover(self, app: RunningApp[Any]) -> None:
        """The dialog goes by itself, and the app deals with what has come meanwhile, in order."""
        hang = self._hangs[app]
        self.forget(app)
        self._dialogs.close(hang.dialog)
        self._reports.changed()
        for each in hang.waiting:
            if not self.put_off(
                app, each.act, is_input=each.is_input
            ):  # it may hang again over the first
                each.act()
