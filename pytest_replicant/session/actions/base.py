"""Base of every group of actions: builds one step and performs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...drivers import Capability
from ...model import VERBS
from ..arguments import Target, TargetLike, checked_seconds, describe, need
from ..drawn import Source
from ..expectation import Expectation
from ..guard import Guard
from ..perform import perform
from ..photos import source_of
from ..step import Dispatch, Postcondition, SessionView, Step


class ActionBase(SessionView):
    """Builds one step and lets ``perform`` do it."""

    def _do(
        self,
        verb: str,
        rest: str,
        send: Dispatch,
        timeout: float | None,
        silent: bool,
        targets: tuple[Target, ...] = (),
        check: Postcondition | None = None,
        *,
        proof: Postcondition | None = None,
        about: Target | None = None,
        source: Source = "hierarchy",
        again: bool | None = None,
    ) -> Expectation:
        """``rest`` is the title behind the verb. ``about`` is what an action without ``targets``
        looks for. ``check`` is its postcondition, which a silent action has not. ``proof`` shows
        that it was done although its answer was lost; if none is given, that is the same.
        ``again``: whether giving it twice does no more than once, if that goes by how it is
        given."""
        kind = VERBS[verb] if again is None else replace(VERBS[verb], idempotent=again)
        title = f"{verb} {rest}".rstrip()
        seconds = checked_seconds(verb, timeout, self._context.settings.action_timeout)
        postcondition = None if silent else check
        step = Step(
            kind,
            title,
            send,
            targets,
            seconds,
            silent,
            postcondition,
            proof or check,
            about,
            source,
        )
        return Expectation(perform(self._context, step))

    def _touch(
        self,
        verb: str,
        target: TargetLike | None,
        by: Mapping[str, object],
        send: Dispatch,
        timeout: float | None,
        silent: bool,
        source: Source | None = None,
    ) -> Expectation:
        wanted = self._target(verb, target, by)
        seen_in = source_of(verb, wanted, source, self._context)
        how = " (picture)" if seen_in == "picture" else ""
        rest = f"{describe(wanted)}{how}"
        return self._do(verb, rest, send, timeout, silent, (wanted,), source=seen_in)

    def _need(self, verb: str, capability: Capability) -> None:
        """Raises ``Unsupported``, before anything is sent, if the phone does not have it."""
        need(self._context.driver, verb, capability)

    def _ask_guard(self, ask: Callable[[Guard], None]) -> None:
        """Before anything is sent. Raises ``UsageError`` for anything to be left alone."""
        if self._context.guard:
            ask(self._context.guard)
