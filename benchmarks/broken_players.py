"""Players of a recording that each break one promise: what judges a replay has to find every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_replicant.cassettes import Replay

from .taped_flows import hides


class LastFrame(Replay):
    """Where nothing was recorded any more, the phone goes on showing the last screen."""

    def _beyond(self, asked: Any) -> Any:
        known = self._earlier(asked._replace(args=()), -1)
        return super()._beyond(asked) if known is None else self._answer(self._track.entries[known], None)


class FirstFrame(Replay):
    """The phone goes on showing the first screen after each gesture."""

    def _answer(self, entry: Any, ended: Any) -> Any:
        if entry.method != "dump_hierarchy":
            return super()._answer(entry, ended)
        track = self._track
        since = track.episode()
        own = (one for one in track.entries[since:] if one.method == entry.method and one.phone == entry.phone)
        return super()._answer(next(own, entry), ended)


class LooseArguments(Replay):
    """Any tap is the recorded one, and any text."""

    def _has_args(self, place: int, args: tuple[Any, ...]) -> bool:
        return True


class NoOrder(Replay):
    """A call is found wherever it was recorded, before or after."""

    def _next_send(self, asked: Any) -> int:
        for place, entry in enumerate(self._track.entries):
            if entry.is_send and self._is(place, asked):
                return place
        return super()._next_send(asked)

    def check_used(self, over: str) -> None:
        """No order, no rest."""


class EarlyEnd(Replay):
    """A test that sends less than it was recorded to is none the worse."""

    def check_used(self, over: str) -> None:
        """Whatever is left is left."""


class ClockOfItsOwn(Replay):
    """Time is what the session slept, and each answer is the next one of its kind."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._own_time = 0.0

    def now(self) -> float:
        self._own_time += 0.001
        return 1_000 + self._own_time

    def sleep(self, seconds: float) -> None:
        self._own_time += max(seconds, 0.0)

    def _now(self) -> float:
        return 0.0  # nothing that was recorded is over


class OpenSecrets(Replay):
    """What was typed as a secret may be anything."""

    def _has_args(self, place: int, args: tuple[Any, ...]) -> bool:
        return hides(self._track.entries[place]) or super()._has_args(place, args)


BROKEN: Mapping[str, type[Replay]] = {
    "the last screen is served for ever": LastFrame,
    "the first screen is served for ever": FirstFrame,
    "any tap is the recorded one": LooseArguments,
    "calls in any order": NoOrder,
    "a test may stop early": EarlyEnd,
    "a clock of its own": ClockOfItsOwn,
    "any text is a secret": OpenSecrets,
}
