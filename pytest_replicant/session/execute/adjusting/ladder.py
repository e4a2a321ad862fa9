"""``adjust``: the control's kind decides how it is set; where one mode fails, a recovery goes on with the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..choosing import choose_option
from ..segments import choose_segment
from .control import Control
from .failing import never_reacted, no_number, not_there
from .kinds import kind_of, modes_of
from .switching import switch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...step import ActionContext, Dispatch, StageFailed, Target
    from .kinds import Kind, Mode
    from .search import Stop


def adjust(target: Target, to: float | str | bool, tolerance: float, timeout: float) -> Dispatch:
    """Sets the control to a number give or take ``tolerance``, to the option of that label, or on and off."""
    ladder = _Ladder()

    def send(action: ActionContext) -> Mapping[str, Any]:
        control = Control(action, target, raw=action.params.get("semantics") == "raw")
        kind = kind_of(control, to)
        if isinstance(to, bool):
            return switch(action, to, timeout, tapped=control.raw)
        if isinstance(to, str):
            return _choose(action, kind, to, timeout)
        if control.start is None:
            raise no_number(control)
        return ladder.climb(control, kind, float(to), tolerance)

    return send


def _choose(action: ActionContext, kind: Kind, label: str, timeout: float) -> Mapping[str, Any]:
    if kind == "segments":
        return choose_segment(action, label, timeout)
    if action.target.element.value == label:
        return {"mode": "none needed", "touches": 0, "option": label}
    return choose_option(action, label, timeout)


class _Ladder:
    """The modes of one call, of which each attempt uses one."""

    def __init__(self) -> None:
        self._used: dict[str, str] = {}  # by key, how messages call them
        self._told: _Attempt | None = None  # the first attempt that moved it, which says most

    def climb(self, control: Control, kind: Kind, to: float, tolerance: float) -> Mapping[str, Any]:
        """Raises ``StageFailed`` where this mode does not get there."""
        modes = modes_of(control, kind)
        if control.raw or control.action.params.get("mode") == "next":
            modes = [mode for mode in modes if mode.key not in self._used]
        if not modes:
            raise self._failed(control, to, tolerance)
        mode, *later = modes
        stop = mode.run(control, to, tolerance)
        self._used[mode.key] = mode.name
        if stop is None:
            return {
                "mode": mode.key,
                "touches": control.touches,
                "readings": [[reading.gesture, reading.value] for reading in control.series],
                "value": control.value,
            }
        attempt = _Attempt(control, stop, mode)
        if self._told is None and (control.reacted or stop == "end"):
            self._told = attempt
        if later and stop not in mode.proves:
            raise not_there(control, to, tolerance, stop, mode.name, later[0].name)
        if control.reacted or stop == "end":
            self._told = attempt
        raise self._failed(control, to, tolerance)

    def _failed(self, control: Control, to: float, tolerance: float) -> StageFailed:
        """No mode is left."""
        if self._told is None:
            return never_reacted(control, to, list(self._used.values()))
        told = self._told.control
        told.element, told.snapshot = control.element, control.snapshot
        return not_there(told, to, tolerance, self._told.stop, self._told.mode.name, "")


@dataclass(frozen=True)
class _Attempt:
    control: Control
    stop: Stop
    mode: Mode
