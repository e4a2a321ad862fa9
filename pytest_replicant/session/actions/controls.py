"""Actions on fields and controls: typing, keys, and setting a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ...drivers import Key
from ...errors import UsageError
from ...model import Secret, SelectorKeywords, quoted
from ..arguments import TargetLike, checked_name, describe, is_number
from ..execute import touch
from ..execute.adjust import Adjusting, Setting
from ..execute.choosing import select
from ..execute.device import command
from ..expectation import Expectation
from ..postconditions import chosen, keyboard_hidden, read_back, stays
from .base import ActionBase

if TYPE_CHECKING:
    from typing_extensions import Unpack


class ControlActions(ActionBase):
    """Typing into fields, keys, and setting controls. A field or control is awaited as the target
    of a tap is; the value that it shows afterwards is read back. [Setting controls](adjusting.md)
    says how, and where that ends."""

    @overload
    def fill(
        self,
        target: TargetLike,
        /,
        value: str | Secret,
        *,
        append: bool = False,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation: ...
    @overload
    def fill(
        self,
        *,
        value: str | Secret,
        append: bool = False,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation: ...
    def fill(  # type: ignore[misc]  # mypy compares no unpacked keywords
        self,
        target: TargetLike | None = None,
        /,
        value: str | Secret | None = None,
        *,
        append: bool = False,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Types into a field, replacing its text unless ``append``.

        It succeeded when the field shows exactly that once the screen is still. A masked field is
        compared by its length, and one that shows neither is ``read_back: unavailable`` in the
        result's ``details``. Fails as ACTION_REJECTED if the field does not take the focus or shows
        something else, or the text went into another one. If the app formats the text,
        ``silent=True`` leaves that to a check. A ``Secret`` appears in no trace. Raises
        ``UsageError`` for text that could not arrive exactly; nothing is typed then.
        """
        if value is None and isinstance(target, str) and by:
            given = ", ".join(f"{name}={one!r}" for name, one in by.items())
            raise UsageError(
                f"fill({quoted(target)}, {given}): the target is named twice. The value has a "
                f"name: fill({given}, value={quoted(target)})"
            )
        wanted = self._target("fill", target, by)
        if not isinstance(value, (str, Secret)):
            raise UsageError(
                f"fill(value={value!r}): the value is a string or a Secret; clear_text() empties a "
                "field",
                advice='fill(text="Email", value="ada")',
            )
        if isinstance(value, Secret):
            typed, shown = self._context.known_secret(value).value, f"{value}"
        else:
            typed = self._context.tape.typed(value)
            shown = repr(typed)
        title = f"{describe(wanted)} with {shown}"
        filling = touch.Fill(typed, append=append, secret=isinstance(value, Secret))
        send, check, again = filling.send, read_back(filling), not append
        return self._do("fill", title, send, timeout, silent, (wanted,), check, again=again)

    def clear_text(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Empties a field. It succeeded when the field shows nothing but its hint."""
        wanted = self._target("clear_text", target, by)
        title, emptying = describe(wanted), touch.Fill("", append=False)
        check = read_back(emptying)
        return self._do("clear_text", title, emptying.send, timeout, silent, (wanted,), check)

    def press_key(
        self, key: Key, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Presses a key of the phone: "back", "home", "enter", "tab", "delete", "escape", "search",
        "volume_up", "volume_down", "power" or "menu". Success means that the phone took it, and no
        more. Any other name is a ``UsageError``."""
        self._ask_guard(lambda guard: guard.presses(str(key)))
        send = command(lambda phone: phone.press_key(key), key=key)
        return self._do("press_key", key, send, timeout, silent)

    def back(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Presses the back key, which hides a keyboard that is up before it does anything else; on
        iOS, which has none, taps the back button of the navigation bar. Success means that the
        phone took it: an app may stay if it is."""
        send = command(lambda phone: phone.press_key("back"), key="back")
        return self._do("back", "", send, timeout, silent)

    def hide_keyboard(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Hides the on-screen keyboard; does nothing if none is up, so that it never leaves the
        screen."""
        send = command(lambda phone: phone.hide_keyboard())
        return self._do("hide_keyboard", "", send, timeout, silent, proof=keyboard_hidden)

    @overload
    def adjust(
        self,
        target: TargetLike,
        /,
        to: Setting,
        *,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation: ...
    @overload
    def adjust(
        self,
        *,
        to: Setting,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation: ...
    def adjust(  # type: ignore[misc]  # mypy compares no unpacked keywords
        self,
        target: TargetLike | None = None,
        /,
        to: Setting | None = None,
        *,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Sets a control, touching nothing outside it. A slider or stepper goes to a number of its
        own unit, give or take ``tolerance`` (from 0). A list, tabs or radio buttons go to a label,
        a switch to True or False. Of several that fit, a text that only names the control is passed
        over. It succeeded when the control shows that once the screen is still. Fails as
        CONTROL_CONVERGENCE_FAILED with the values that it came near, as SEMANTIC_MISMATCH if it is
        no such control."""
        wanted = self._target("adjust", target, by)
        if is_number(to):
            value: Setting = float(to)
            goal = f"{value:g}"
        elif isinstance(to, bool) or (isinstance(to, str) and to):
            value, goal = to, f'"{to}"' if isinstance(to, str) else f"{to}"
        else:
            raise UsageError(
                f"adjust(to={to!r}): a number in the unit that the control shows, the label to "
                "choose, or True or False",
                advice='adjust(text="Sound", to=True)',
            )
        if not is_number(tolerance) or tolerance < 0:
            raise UsageError(
                f"adjust(tolerance={tolerance!r}): a number from 0, in the unit that the control "
                "shows"
            )
        if tolerance and not is_number(to):
            raise UsageError(
                f"adjust(tolerance={tolerance!r}) goes with a number, not with to={value!r}"
            )
        title, margin = f"{describe(wanted)} to {goal}", float(tolerance)
        adjusting, check = Adjusting(wanted, value, margin), stays(value, margin)
        return self._do("adjust", title, adjusting.send, timeout, silent, (wanted,), check)

    @overload
    def select(
        self,
        target: TargetLike,
        /,
        option: str,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation: ...
    @overload
    def select(
        self,
        *,
        option: str,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation: ...
    def select(  # type: ignore[misc]  # mypy compares no unpacked keywords
        self,
        target: TargetLike | None = None,
        /,
        option: str = "",
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Opens a drop-down list, scrolls it where that is needed, and chooses the option with that
        label. Of several that fit, a text that only names the control is passed over. It succeeded
        when the control shows the option, as far as it shows any."""
        wanted = self._target("select", target, by)
        checked_name(option, f"select(option={option!r}): the option is the label to choose")
        self._ask_guard(lambda guard: guard.says("select", option))
        title = f'"{option}" in {describe(wanted)}'
        return self._do(
            "select",
            title,
            select(option),
            timeout,
            silent,
            (wanted,),
            check=chosen(option),
        )
