"""``Permissions``: what an app may do, and the questions that the user is asked about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..app_kit.running import RunningApp
from ..designs.design import Answer, Design
from ..system.packages import Packages
from .system_dialogs import SystemDialogs


class Permissions:
    """``guard`` runs an app's own code; ``later`` makes a change once the screen change is over."""

    def __init__(
        self,
        design: Design,
        packages: Packages,
        dialogs: SystemDialogs,
        guard: Callable[..., object],
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self._design = design
        self._packages = packages
        self._dialogs = dialogs
        self._guard = guard
        self._later = later
        self._asking: dict[
            str, RunningApp[Any]
        ] = {}  # by package: an app asks one question at a time

    def is_granted(self, package: str, permission: str) -> bool:
        found = self._packages.get(package)
        if found is None:
            return False
        return permission in found.granted or (
            permission in found.requested and not self._design.asks_for(permission)
        )

    def request(
        self, app: RunningApp[Any], permission: str, on_result: Callable[[bool], object]
    ) -> None:
        """Answers at once if no question is needed: permissions that are granted, what the user
        refused for good, what the app never declared, and a second question while the first one
        stands."""
        package = self._packages.get(app.package)
        if self.is_granted(app.package, permission):
            on_result(True)
        elif (
            package is None
            or permission not in package.requested
            or permission in (package.user_set if self._design.asks_once else package.user_fixed)
            or self._asking.get(app.package) is app
        ):
            on_result(False)
        else:
            self._asking[app.package] = app
            self._later(lambda: self._ask(app, permission, on_result))

    def forget(self, app: RunningApp[Any]) -> None:
        """The process has ended; what was allowed for this time only ends with it."""
        if self._asking.get(app.package) is app:
            del self._asking[app.package]
        self._packages.end_one_time(app.package)

    def _ask(
        self, app: RunningApp[Any], permission: str, on_result: Callable[[bool], object]
    ) -> None:
        if self._asking.get(app.package) is not app:
            return
        package = self._packages.get(app.package)
        again = package is not None and permission in package.user_set

        def answer(given: Answer | None) -> None:
            self._dialogs.close(dialog)
            del self._asking[app.package]
            granted = self._store(app.package, permission, given)
            self._guard(app, on_result, granted)

        dialog = self._design.permission_question(app, permission, again, answer)
        self._dialogs.show(dialog)

    def _store(self, package: str, permission: str, given: Answer | None) -> bool:
        """Whether it is granted now. Going back is no answer: it is not granted, and may be asked
        again."""
        if given in ("allow", "foreground_only", "one_time"):
            self._packages.grant(package, permission, one_time=given == "one_time")
        elif given is not None:
            self._packages.refuse(package, permission, for_good=given == "deny_and_dont_ask_again")
        return self.is_granted(package, permission)
