"""Base of every group of actions: builds one step and performs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...drivers import Capability
from ..arguments import Target, TargetLike, checked_seconds, describe, need
from ..expectation import Expectation
from ..guard import Guard
from ..perform import perform
from ..step import ActionKind, Dispatch, Postcondition, SessionView, Step


class ActionBase(SessionView):
    """Builds one step and lets ``perform`` do it."""

    def _do(
        self,
        kind: ActionKind,
        title: str,
        send: Dispatch,
        timeout: float | None,
        silent: bool,
        *,
        targets: tuple[Target, ...] = (),
        check: Postcondition | None = None,
        proof: Postcondition | None = None,
        about: Target | None = None,
    ) -> Expectation:
        """``about`` is what an action without ``targets`` looks for. ``check`` is its postcondition, which a
        silent action has not. ``proof`` shows that it was done where its answer was lost; where none is given,
        that is the same."""
        seconds = checked_seconds(kind.name, timeout, self._context.settings.action_timeout)
        step = Step(kind, title, send, targets, seconds, silent, None if silent else check, proof or check, about)
        return Expectation(self._context, perform(self._context, step))

    def _touch(
        self,
        kind: ActionKind,
        target: TargetLike | None,
        by: Mapping[str, object],
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        wanted = self._target(kind.name, target, by)
        return self._do(kind, f"{kind.name} {describe(wanted)}", send, timeout, silent, targets=(wanted,))

    def _need(self, verb: str, capability: Capability) -> None:
        """Raises ``Unsupported``, before anything is sent, where the phone does not have it."""
        need(self._context.driver, verb, capability)

    def _ask_guard(self, ask: Callable[[Guard], None]) -> None:
        """Before anything is sent. Raises ``UsageError`` for whatever is left alone."""
        if self._context.guard is not None:
            ask(self._context.guard)
