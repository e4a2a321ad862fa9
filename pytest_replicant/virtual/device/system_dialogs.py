"""``SystemDialogs``: the dialogs that the system, not an app, puts over the screen in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..app_kit.running import RunningApp
from ..designs.system_dialog import SystemDialog


class SystemDialogs:
    """Those that are open, the one in front last. ``changed`` is called for each that comes or
    goes."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._open: list[SystemDialog] = []

    def over(self, app: RunningApp[Any]) -> list[SystemDialog]:
        """Those that are on the screen while ``app`` is in front, from the bottom up."""
        return [dialog for dialog in self._open if not dialog.follows or dialog.owner is app]

    def show(self, dialog: SystemDialog) -> None:
        self._open.append(dialog)
        self._changed()

    def close(self, dialog: SystemDialog | None) -> None:
        """Nothing where it is closed already."""
        if dialog is not None and dialog in self._open:
            self._open.remove(dialog)
            self._changed()

    def forget(self, app: RunningApp[Any]) -> None:
        """The app's process has ended, and with it what was about it."""
        for dialog in [each for each in self._open if each.owner is app]:
            self.close(dialog)

    def stopped(self, package: str) -> None:
        """A package was stopped on purpose: questions about it end."""
        for dialog in [each for each in self._open if each.about == package]:
            self.close(dialog)
