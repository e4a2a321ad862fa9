"""Base of every group of actions: builds one step and performs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...drivers import Capability
from ..arguments import Target, TargetLike, checked_seconds, describe, need
from ..by_picture import source_of
from ..drawn import Source
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
        source: Source = "hierarchy",
    ) -> Expectation:
        """``about`` is what an action without ``targets`` looks for. ``check`` is its postcondition, which a
        silent action has not. ``proof`` shows that it was done where its answer was lost; where none is given,
        that is the same."""
        seconds = checked_seconds(kind.name, timeout, self._context.settings.action_timeout)
        postcondition = None if silent else check
        step = Step(kind, title, send, targets, seconds, silent, postcondition, proof or check, about, source)
        return Expectation(self._context, perform(self._context, step))

    def _touch(
        self,
        kind: ActionKind,
        target: TargetLike | None,
        by: Mapping[str, object],
        send: Dispatch,
        timeout: float | None,
        silent: bool,
        source: Source | None = None,
    ) -> Expectation:
        wanted = self._target(kind.name, target, by)
        seen_in = source_of(kind.name, wanted, source, self._context)
        how = " (picture)" if seen_in == "picture" else ""
        title = f"{kind.name} {describe(wanted)}{how}"
        return self._do(kind, title, send, timeout, silent, targets=(wanted,), source=seen_in)

    def _need(self, verb: str, capability: Capability) -> None:
        """Raises ``Unsupported``, before anything is sent, where the phone does not have it."""
        need(self._context.driver, verb, capability)

    def _ask_guard(self, ask: Callable[[Guard], None]) -> None:
        """Before anything is sent. Raises ``UsageError`` for whatever is left alone."""
        if self._context.guard is not None:
            ask(self._context.guard)
