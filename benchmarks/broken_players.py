"""Players of a recording that each break one promise: what judges a replay has to find every one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_replicant.cassettes import Replay

_FOR_EVER = 1 << 30


class LastFrame(Replay):
    """Where nothing was recorded any more, the phone goes on showing the last screen."""

    def _beyond(self, track: Any, phone: int, method: str) -> Any:
        known = self._earlier(track, phone, method, (), -1)
        return super()._beyond(track, phone, method) if known is None else self._answer(track.entries[known], None)


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

    def _why_other(self, track: Any, place: int, args: Sequence[Any]) -> str:
        return ""


class NoOrder(Replay):
    """A call is found wherever it was recorded, before or after."""

    def _next_send(self, track: Any, phone: int, method: str, args: tuple[Any, ...]) -> int:
        for place, entry in enumerate(track.entries):
            if entry.is_send and self._is(track, place, phone, method, args):
                return place
        return super()._next_send(track, phone, method, args)

    def check_used(self) -> None:
        """No order, no rest."""


class EarlyEnd(Replay):
    """A test that sends less than it was recorded to is none the worse."""

    def check_used(self) -> None:
        """Whatever is left is left."""


class ClockOfItsOwn(Replay):
    """Time is what the session slept, and each answer is the next one of its kind."""

    def read_clock(self) -> float:
        self._since += 0.001
        return self._now()

    def _serve(self, track: Any, place: int, ended: Callable[[Any], object] | None) -> Any:
        time, base, since = self._time, self._base, self._since
        try:
            return super()._serve(track, place, ended)
        finally:
            self._time, self._base, self._since, self._read = time, base, since, _FOR_EVER

    def _later(self, track: Any, phone: int, method: str, args: tuple[Any, ...]) -> int | None:
        places = range(track.at + 1, track.limit())
        return next((at for at in places if self._is(track, at, phone, method, args)), None)


class OpenSecrets(Replay):
    """What was typed as a secret may be anything."""

    def _is_secret(self, args: tuple[Any, ...]) -> bool:
        return True


class OneSecret(Replay):
    """Every secret is the same one."""

    def secret(self, value: str) -> str:
        return super().secret(next(iter(self._secrets), value))


BROKEN: Mapping[str, type[Replay]] = {
    "the last screen is served for ever": LastFrame,
    "the first screen is served for ever": FirstFrame,
    "any tap is the recorded one": LooseArguments,
    "calls in any order": NoOrder,
    "a test may stop early": EarlyEnd,
    "a clock of its own": ClockOfItsOwn,
    "any text is a secret": OpenSecrets,
    "every secret is the same": OneSecret,
}
