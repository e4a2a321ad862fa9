"""Actions of the keyboard and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Secret
from ..aiming.targets import as_target, describe
from ..execute import text
from ..promises.read_back import read_back
from .doing import ActionBase

if TYPE_CHECKING:
    from ...drivers import Key
    from ..expectation import Expectation
    from ..step import Target


class TextActions(ActionBase):
    """Typing into fields, and pressing keys. A field is awaited as the target of a tap is."""

    def fill(
        self,
        target: Target | None = None,
        /,
        value: str | Secret | None = None,
        *,
        append: bool = False,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Types into a field, replacing what is there unless ``append``.

        It succeeded when the field shows exactly that once the screen is still; a masked field is compared by its
        length, and one that shows neither is ``read_back: unavailable`` in the result's ``details``. Fails as
        ACTION_REJECTED where the field does not take the focus, or shows something else; where the app formats
        what is typed, ``silent=True`` leaves that to a check. A ``Secret`` appears in no trace. Raises
        ``UsageError`` for text that could not arrive exactly; nothing is typed then.
        """
        if not isinstance(value, (str, Secret)):
            raise UsageError(
                f"fill(value={value!r}): the value is a string or a Secret; clear_text() empties a field"
            )
        wanted = as_target("fill", target, by)
        typed = value.value if isinstance(value, Secret) else value
        if isinstance(value, Secret):
            self._context.recorder.redactor.add(typed)
        title = f"fill {describe(wanted)} with {value if isinstance(value, Secret) else repr(typed)}"
        filling = text.Fill(typed, append=append, secret=isinstance(value, Secret))
        check = read_back(
            typed, secret=isinstance(value, Secret), append=append, may_retry=lambda: filling.modes_left
        )
        return self._do(
            "type_text",
            title,
            filling.send,
            targets=(wanted,),
            timeout=timeout,
            silent=silent,
            postcondition=None if silent else check,
            idempotent=not append,
        )

    def clear_text(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Empties a field. It succeeded when the field shows nothing but its hint."""
        wanted = as_target("clear_text", target, by)
        check = None if silent else read_back("", secret=False, append=False)
        return self._do(
            "clear_text",
            f"clear_text {describe(wanted)}",
            text.Fill("", append=False).send,
            targets=(wanted,),
            timeout=timeout,
            silent=silent,
            postcondition=check,
            idempotent=True,
        )

    def press_key(self, key: Key, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Presses a key of the phone: "back", "home", "enter", "tab", "delete", "escape", "search", "volume_up",
        "volume_down", "power" or "menu". Success means that the phone took it, and no more. Any other name is a
        ``UsageError``."""
        return self._do("press_key", f"press_key {key}", text.press_key(key), timeout=timeout, silent=silent)

    def back(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Presses the back key, which hides a keyboard that is up before it does anything else; on iOS, which has
        none, taps the back button of the navigation bar. Success means that the phone took it: an app may stay
        where it is."""
        return self._do("press_back", "back", text.press_key("back"), timeout=timeout, silent=silent)

    def hide_keyboard(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Hides the on-screen keyboard; does nothing where none is up, so that it never leaves the screen."""
        return self._do(
            "hide_keyboard",
            "hide_keyboard",
            text.hide_keyboard,
            timeout=timeout,
            silent=silent,
            idempotent=True,
        )
