"""Actions that set a control to a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError, is_told
from ...model.selector import Selector
from ..execute import adjust, choosing
from ..read_back import chosen
from ..targets import as_target, checked_seconds, describe
from .doing import Doing

if TYPE_CHECKING:
    from ..expectation import Expectation
    from ..step import Target

__tracebackhide__ = is_told


class ControlActions(Doing):
    """Sliders and lists of choices."""

    def adjust(
        self,
        target: Target | None = None,
        /,
        to: float = 0,
        *,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Sets a slider to a value of its own unit, touching nothing outside it; read back after each touch."""
        wanted = as_target("adjust", target, by)
        for name, number in (("to", to), ("tolerance", tolerance)):
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise UsageError(f"adjust({name}={number!r}): a number in the unit that the control shows")
        title = f"adjust {describe(wanted)} to {to:g}"
        send = adjust.adjust(float(to), abs(float(tolerance)))
        return self._do("adjust", title, send, targets=(wanted,), timeout=timeout, silent=silent, sweeps=True)

    def select(
        self,
        target: Target | None = None,
        /,
        option: str = "",
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Opens a drop-down list and chooses the option with that label."""
        wanted = as_target("select", target, by)
        if not isinstance(option, str) or not option:
            raise UsageError(f"select(option={option!r}): the option is the label to choose")
        seconds = checked_seconds("select", timeout, self._parts.settings.action_timeout)
        title = f'select "{option}" in {describe(wanted)}'
        send = choosing.select(Selector(text=option), seconds)
        check = None if silent else chosen(option)
        return self._do(
            "select", title, send, targets=(wanted,), timeout=timeout, silent=silent, postcondition=check
        )
