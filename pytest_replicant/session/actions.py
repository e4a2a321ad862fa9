"""What a test can do to an app. Every method builds one step and lets ``perform`` do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ActionFailed, DeviceError, UsageError, is_told
from ..model.secret import Secret
from ..model.selector import Selector
from . import adjust, execute
from .expectation import Expectation, Scrolled
from .perform import perform
from .read_back import chosen, read_back
from .resolve import container_of
from .step import Parts, Step
from .targets import as_target, checked_seconds, checked_target, describe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..drivers.base import Key
    from ..model.element import Element
    from ..snapshots.snapshot import Snapshot
    from .execute import Direction
    from .step import Dispatch, Postcondition, Target

__tracebackhide__ = is_told


class Actions:
    """The actions of a ``DeviceSession``; each returns an ``Expectation``."""

    _parts: Parts
    _app: str | None
    launched: list[str]

    def snapshot(self) -> Snapshot:
        raise NotImplementedError

    # --- apps -------------------------------------------------------------------------------------------------

    def launch(
        self,
        app: str | None = None,
        *,
        fresh: bool = False,
        args: Sequence[str] = (),
        activity: str | None = None,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Starts the app cold: a running one is stopped first; ``fresh`` forgets its data as well."""
        name = self._known_app("launch", app)
        send = execute.launch(name, fresh=fresh, activity=activity, args=tuple(args))
        try:
            outcome = self._do("launch", f"launch {name}", send, timeout=timeout, silent=silent)
        except (ActionFailed, DeviceError):
            self._launched(name)  # it may have been started all the same
            raise
        self._launched(name)
        return outcome

    def activate(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Brings the app to the front as it is, starting it where it does not run."""
        name = self._known_app("activate", app)
        return self._do("activate", f"activate {name}", execute.activate(name), timeout=timeout, silent=silent)

    def stop(self, app: str | None = None, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        name = self._known_app("stop", app)
        return self._do("stop", f"stop {name}", execute.stop(name), timeout=timeout, silent=silent)

    def clear_data(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Stops the app and forgets everything that it stored."""
        name = self._known_app("clear_data", app)
        return self._do(
            "clear_data", f"clear_data {name}", execute.clear_data(name), timeout=timeout, silent=silent
        )

    def open_url(
        self, url: str, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Opens a link, in the given app where there is a choice."""
        if not isinstance(url, str) or not url or not isinstance(app, (str, type(None))):
            raise UsageError(f"open_url({url!r}, {app!r}): a link, and the name of an app where there is a choice")
        return self._do("open_url", f"open_url {url}", execute.open_url(url, app), timeout=timeout, silent=silent)

    # --- touch ------------------------------------------------------------------------------------------------

    def tap(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        return self._touch("tap", target, by, execute.tap, timeout, silent)

    def double_tap(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        return self._touch("double_tap", target, by, execute.double_tap, timeout, silent)

    def long_press(
        self,
        target: Target | None = None,
        /,
        *,
        seconds: float = 0.8,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Touches and holds for that many seconds."""
        held = checked_seconds("long_press", seconds, 0.8)
        return self._touch("long_press", target, by, execute.long_press(held), timeout, silent)

    def drag(
        self, source: Target, target: Target, /, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Picks up one element and drops it on another."""
        targets = (checked_target("drag", source), checked_target("drag", target))
        title = f"drag {describe(targets[0])} → {describe(targets[1])}"
        return self._do("drag", title, execute.drag, targets=targets, timeout=timeout, silent=silent)

    def swipe(
        self,
        direction: Direction,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Moves a finger that way, across the target or the whole screen."""
        return self._sweep(
            "swipe", direction, target, execute.swipe(_direction("swipe", direction)), timeout, silent
        )

    def scroll(
        self,
        direction: Direction,
        container: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Scrolled:
        """Shows what lies in that direction: "down" moves the finger up. The largest scrollable element where no
        container is given. The outcome has ``new_elements`` and ``reached_end``."""
        send = execute.scroll(_direction("scroll", direction))
        wanted = container if container is not None else self._scrollable()
        return Scrolled(self._parts, self._sweep("scroll", direction, wanted, send, timeout, silent)._performed)

    def scroll_to(
        self,
        target: Target | None = None,
        /,
        *,
        container: Target | None = None,
        direction: Direction = "down",
        max_swipes: int = 20,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Scrolls until the target is on the screen; fails at the end of the list or after ``max_swipes``."""
        wanted = as_target("scroll_to", target, by)
        if isinstance(max_swipes, bool) or not isinstance(max_swipes, int) or max_swipes < 0:
            raise UsageError(f"scroll_to(max_swipes={max_swipes!r}): a whole number from 0")
        place = checked_target("scroll_to", container) if container is not None else None
        send = execute.scroll_to(wanted, place, _direction("scroll_to", direction), max_swipes)
        title = f"scroll_to {describe(wanted)}"
        return self._do("scroll_to", title, send, timeout=timeout, silent=silent)

    # --- text and keys ----------------------------------------------------------------------------------------

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
        """Types into a field, replacing what is there unless ``append``; read back afterwards.

        A ``Secret`` appears in no trace. Raises ``UsageError`` for text that could not arrive exactly; nothing
        is typed then.
        """
        if not isinstance(value, (str, Secret)):
            raise UsageError(
                f"fill(value={value!r}): the value is a string or a Secret; clear_text() empties a field"
            )
        wanted = as_target("fill", target, by)
        text = value.value if isinstance(value, Secret) else value
        if isinstance(value, Secret):
            self._parts.recorder.redactor.add(text)
        title = f"fill {describe(wanted)} with {value if isinstance(value, Secret) else repr(text)}"
        return self._do(
            "type_text",
            title,
            execute.fill(text, append=append),
            targets=(wanted,),
            timeout=timeout,
            silent=silent,
            postcondition=None if silent else read_back(text, secret=isinstance(value, Secret), append=append),
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
        """Empties a field."""
        wanted = as_target("clear_text", target, by)
        check = None if silent else read_back("", secret=False, append=False)
        send = execute.fill("", append=False)
        title = f"clear_text {describe(wanted)}"
        return self._do(
            "clear_text", title, send, targets=(wanted,), timeout=timeout, silent=silent, postcondition=check
        )

    def press_key(self, key: Key, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        return self._do("press_key", f"press_key {key}", execute.press_key(key), timeout=timeout, silent=silent)

    def back(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        return self._do("press_back", "back", execute.press_key("back"), timeout=timeout, silent=silent)

    def home(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        return self._do("press_home", "home", execute.press_key("home"), timeout=timeout, silent=silent)

    def hide_keyboard(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        return self._do("hide_keyboard", "hide_keyboard", execute.hide_keyboard, timeout=timeout, silent=silent)

    # --- controls ---------------------------------------------------------------------------------------------

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
        send = execute.select(Selector(text=option), seconds)
        check = None if silent else chosen(option)
        return self._do(
            "select", title, send, targets=(wanted,), timeout=timeout, silent=silent, postcondition=check
        )

    # --- inside -----------------------------------------------------------------------------------------------

    def _do(
        self,
        kind: str,
        title: str,
        send: Dispatch,
        *,
        targets: tuple[Target, ...] = (),
        timeout: float | None,
        silent: bool,
        sweeps: bool = False,
        postcondition: Postcondition | None = None,
    ) -> Expectation:
        seconds = checked_seconds(kind, timeout, self._parts.settings.action_timeout)
        step = Step(kind, title, send, targets, seconds, silent, sweeps, postcondition)
        return Expectation(self._parts, perform(self._parts, step))

    def _touch(
        self,
        kind: str,
        target: Target | None,
        by: dict[str, Any],
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        wanted = as_target(kind, target, by)
        return self._do(
            kind, f"{kind} {describe(wanted)}", send, targets=(wanted,), timeout=timeout, silent=silent
        )

    def _sweep(
        self,
        kind: str,
        direction: str,
        target: Target | None,
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        targets = (checked_target(kind, target),) if target is not None else ()
        title = " in ".join([f"{kind} {direction}", *map(describe, targets)])
        return self._do(kind, title, send, targets=targets, timeout=timeout, silent=silent, sweeps=True)

    def _scrollable(self) -> Element:
        return container_of(self.snapshot(), None)

    def _launched(self, app: str) -> None:
        if app in self.launched:
            self.launched.remove(app)
        self.launched.append(app)

    def _known_app(self, verb: str, app: str | None) -> str:
        """The app that is meant: given, set for the session, or launched last."""
        name = app or self._app or (self.launched[-1] if self.launched else None)
        if not name or not isinstance(name, str):
            raise UsageError(f'{verb}({app!r}): name the app, as in {verb}("dev.replicant.shop")')
        return name


def _direction(verb: str, direction: str) -> Direction:
    if direction not in ("up", "down", "left", "right"):
        raise UsageError(f'{verb}({direction!r}): the direction is "up", "down", "left" or "right"')
    return direction  # type: ignore[return-value]  # narrowed by the line above
