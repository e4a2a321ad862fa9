"""Actions that set a control to a value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..aiming.targets import as_target, checked_seconds, describe
from ..execute import choosing
from ..execute.adjusting import ladder
from ..promises.read_back import chosen, stays
from .doing import ActionBase

if TYPE_CHECKING:
    from ..expectation import Expectation
    from ..step import Target


class ControlActions(ActionBase):
    """Sets a control and reads back what it shows. How, and where that ends: [Setting controls](adjusting.md)."""

    def adjust(
        self,
        target: Target | None = None,
        /,
        to: float | str | bool | None = None,
        *,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Sets a control: a slider or stepper to a number of its own unit, give or take ``tolerance`` (from 0),
        touching nothing outside it; a list, tabs or radio buttons to a label; a switch to True or False. It
        succeeded when the control shows that once the screen is still. Fails as CONTROL_CONVERGENCE_FAILED with
        the values that it came near, as SEMANTIC_MISMATCH where it is no such control."""
        wanted = as_target("adjust", target, by)
        value = _checked_value(to)
        margin = _checked_tolerance(tolerance, value)
        seconds = checked_seconds("adjust", timeout, self._context.settings.action_timeout)
        told = f"{value:g}" if isinstance(value, float) else f'"{value}"' if isinstance(value, str) else f"{value}"
        return self._do(
            "adjust",
            f"adjust {describe(wanted)} to {told}",
            ladder.adjust(wanted, value, margin, seconds),
            targets=(wanted,),
            timeout=timeout,
            silent=silent,
            sweeps=True,
            postcondition=None if silent else stays(value, margin),
            idempotent=True,
        )

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
        """Opens a drop-down list, scrolls it where that is needed, and chooses the option with that label. It
        succeeded when the control shows the option, as far as it shows any."""
        wanted = as_target("select", target, by)
        if not isinstance(option, str) or not option:
            raise UsageError(f"select(option={option!r}): the option is the label to choose")
        seconds = checked_seconds("select", timeout, self._context.settings.action_timeout)
        title = f'select "{option}" in {describe(wanted)}'
        send = choosing.select(option, seconds)
        check = None if silent else chosen(option)
        return self._do(
            "select",
            title,
            send,
            targets=(wanted,),
            timeout=timeout,
            silent=silent,
            postcondition=check,
            idempotent=True,
        )


def _checked_value(to: object) -> float | str | bool:
    """Raises ``UsageError`` for what no control can be set to."""
    if isinstance(to, bool) or (isinstance(to, str) and to):
        return to
    if isinstance(to, (int, float)) and math.isfinite(to):
        return float(to)
    raise UsageError(
        f"adjust(to={to!r}): a number in the unit that the control shows, the label to choose, or True or False"
    )


def _checked_tolerance(tolerance: object, value: float | str | bool) -> float:
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 <= tolerance < math.inf:
        raise UsageError(f"adjust(tolerance={tolerance!r}): a number from 0, in the unit that the control shows")
    if tolerance and not isinstance(value, float):
        raise UsageError(f"adjust(tolerance={tolerance!r}) goes with a number, not with to={value!r}")
    return float(tolerance)
