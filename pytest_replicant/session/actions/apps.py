"""Actions on whole apps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ActionFailed, DeviceError, UsageError, is_told
from ..execute import apps
from .doing import Doing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..expectation import Expectation

__tracebackhide__ = is_told


class AppActions(Doing):
    """Starting, stopping, opening links."""

    def launch(
        self,
        app: str | None = None,
        *,
        fresh: bool = False,
        args: Sequence[str] = (),
        activity: str | None = None,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Starts the app cold: a running one is stopped first; ``fresh`` forgets its data as well."""
        name = self._known_app("launch", app)
        send = apps.launch(name, fresh=fresh, activity=activity, args=tuple(args))
        try:
            outcome = self._do("launch", f"launch {name}", send, timeout=timeout, silent=silent)
        except (ActionFailed, DeviceError):
            self._launched(name)  # it may have been started all the same
            raise
        self._launched(name)
        return outcome

    def activate(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Brings the app to the front as it is, starting it where it does not run."""
        name = self._known_app("activate", app)
        return self._do("activate", f"activate {name}", apps.activate(name), timeout=timeout, silent=silent)

    def stop(self, app: str | None = None, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        name = self._known_app("stop", app)
        return self._do("stop", f"stop {name}", apps.stop(name), timeout=timeout, silent=silent)

    def clear_data(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Stops the app and forgets everything that it stored."""
        name = self._known_app("clear_data", app)
        return self._do("clear_data", f"clear_data {name}", apps.clear_data(name), timeout=timeout, silent=silent)

    def open_url(
        self, url: str, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Opens a link, in the given app where there is a choice."""
        if not isinstance(url, str) or not url or not isinstance(app, (str, type(None))):
            raise UsageError(f"open_url({url!r}, {app!r}): a link, and the name of an app where there is a choice")
        return self._do("open_url", f"open_url {url}", apps.open_url(url, app), timeout=timeout, silent=silent)

    def _launched(self, app: str) -> None:
        if app in self.launched:
            self.launched.remove(app)
        self.launched.append(app)
