"""``RecoveryContext``, the session as recovery policies see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..drivers import Capability
from ..errors import UsageError
from .device_log.crashes import died_unexpectedly
from .queries import Queries
from .step import only_answers

if TYPE_CHECKING:
    from ..drivers import SystemDialogs
    from ..model import Element, Selector
    from .settings import SessionSettings


class RecoveryContext(Queries):
    """The session that ``pytest_replicant_recover`` is given: it reads the phone and the test so far, and changes
    neither. An action or check on it is a ``UsageError``."""

    @property
    def settings(self) -> SessionSettings:
        """The settings of the session: ``settings.allow`` names what recovery may do in this test."""
        return self._context.settings

    @property
    def launched(self) -> list[str]:
        """The apps that this session started, the newest last."""
        return list(self._context.launched)

    @property
    def system_dialogs(self) -> SystemDialogs:
        """Packages and buttons of the system's own dialogs on this platform."""
        return self._context.driver.system_dialogs

    def last_resolved(self, selector: Selector) -> Element | None:
        """The element that an action's selector was last resolved to in this test; None where it never was."""
        return self._context.last_resolved.get(selector)

    def died_unexpectedly(self, app: str) -> bool:
        """Whether the test started this app and did not stop it, and it no longer runs, on a phone that reports no
        crashes."""
        context = self._context
        return Capability.CRASHES not in context.driver.capabilities and app in died_unexpectedly(context)

    if not TYPE_CHECKING:  # a checker knows which names there are

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(name)
            raise UsageError(only_answers(name))
