"""Base of every group of actions: builds one step and performs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..arguments import checked_seconds, describe, need
from ..expectation import Expectation
from ..perform import perform
from ..step import SessionView, Step

if TYPE_CHECKING:
    from ...drivers import Capability
    from ..arguments import Target
    from ..step import Dispatch, Postcondition


class ActionBase(SessionView):
    """Builds one step and lets ``perform`` do it."""

    def _do(
        self,
        kind: str,
        title: str,
        send: Dispatch,
        *,
        targets: tuple[Target, ...] = (),
        timeout: float | None,
        silent: bool,
        sweeps: bool = False,
        postcondition: Postcondition | None = None,
        idempotent: bool = False,
    ) -> Expectation:
        seconds = checked_seconds(kind, timeout, self._context.settings.action_timeout)
        step = Step(kind, title, send, targets, seconds, silent, sweeps, postcondition, idempotent)
        return Expectation(self._context, perform(self._context, step))

    def _touch(
        self,
        kind: str,
        target: Target | None,
        by: dict[str, Any],
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        wanted = self._target(kind, target, by)
        return self._do(
            kind, f"{kind} {describe(wanted)}", send, targets=(wanted,), timeout=timeout, silent=silent
        )

    def _need(self, verb: str, capability: Capability) -> None:
        """Raises ``Unsupported``, before anything is sent, where the phone does not have it."""
        need(self._context.driver, verb, capability)

    def _known_app(self, verb: str, app: str | None) -> str:
        """The app that is meant: given, set for the session, or launched last."""
        name = app or self._context.app or self._context.newest_app
        if not name or not isinstance(name, str):
            raise UsageError(f'{verb}({app!r}): name the app, as in {verb}("dev.replicant.shop")')
        return name
