"""Postconditions of actions: the app in front after navigation, the value of a control after it was set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drivers import AppInFront, Capability
from ..errors import DeviceError, ProtocolError, SnapshotError
from ..model import MASK, Failure, Selector
from .element_state import checked_of, text_of
from .execute.choosing import is_chosen, members_of
from .execute.control import is_near, number_of
from .screen_text import format_screen
from .stabilize.observer import agree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..model import Element
    from ..snapshots import Snapshot
    from .step import Postcondition, SessionContext


def app_in_front(context: SessionContext) -> AppInFront:
    """The app in front. An app behind a system permission dialog still counts as foreground: iOS reports the home
    screen in that case."""
    front = context.driver.app_in_front()
    if front.app in context.driver.system_dialogs.permission_packages:
        for app in reversed(context.launched):
            if context.driver.app_status(app) == "foreground":
                return AppInFront(app)
    return front


class InFront:
    """Postcondition: ``app`` comes to the front. A permission prompt over it, or another app that it handed over
    to while it goes on running, is no failure."""

    def __init__(self, context: SessionContext, title: str, app: str, timeout: float) -> None:
        self.context = context
        self.timeout = timeout
        self._title = title
        self.app = app
        self.arrived = ""  # the app that came to the front, no window of the system's
        self._before = ""

    def look(self) -> str:
        """Notes the app in front before anything is sent; "" where the phone does not say."""
        front = self._front()
        self._before = front.app if front else ""
        return self._before

    def newly_foreground(self, excluding: Sequence[str]) -> str:
        """The app that is newly in front; "" where that is not known, or where the app before was one of
        ``excluding``: the one behind it may be the home screen, which the test did not start."""
        try:
            front = self._front()
        except DeviceError:
            return ""
        if front is None or front.app in self.context.driver.system_dialogs.packages:
            return ""
        return front.app if self._before not in ("", front.app, *excluding) else ""

    def wait(self) -> None:
        """Waits until the postcondition holds or the time is over; judges nothing."""
        clock = self.context.clock
        deadline = clock.now() + self.timeout
        while not self._kept(self._front()) and clock.now() < deadline:
            clock.sleep(self.context.settings.interval)

    def judge(self, snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        """The postcondition of the action."""
        front = self._front()
        seen = f"{front.app} in front" if front else "nothing known to be in front"
        if self._kept(front, snapshot):
            if (
                front
                and front.app != self._before
                and front.app not in self.context.driver.system_dialogs.packages
            ):
                self.arrived = front.app
            return None, seen
        message = (
            f"NAVIGATION_NO_CHANGE  {self._title} on {self.context.driver.uri}: {seen}, {self._wanted()}.\n"
            f"{format_screen(snapshot)}"
        )
        return Failure("NAVIGATION_NO_CHANGE", message), seen

    def _front(self) -> AppInFront | None:
        try:
            return app_in_front(self.context)
        except ProtocolError:  # between two apps a phone names none
            return None

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None = None) -> bool:
        if front is None or front.app == self.app:
            return front is not None
        driver = self.context.driver
        status = driver.app_status(self.app)
        dialogs = driver.system_dialogs
        if front.app in dialogs.permission_packages:
            return status == "foreground" or (status == "background" and not dialogs.from_home_screen)
        return front.app != self._before and status == "background"

    def _wanted(self) -> str:
        if self.context.driver.app_status(self.app) != "stopped":
            return f"not {self.app}"
        logs = Capability.LOGS in self.context.driver.capabilities
        hint = " The device log may say (mobile.logs())" if logs else ""
        return f"not {self.app}; it does not run: did it crash?{hint}"


class LinkOpened(InFront):
    """Postcondition: a link was opened, by ``app``, or where none is named by an app that was not in front, or by
    the one that was, on another screen."""

    def look(self) -> str:
        latest = self.context.observer.latest
        self._screen_before = latest
        return super().look()

    def wait(self) -> None:
        if self.app:
            return super().wait()
        clock = self.context.clock
        deadline = clock.now() + self.timeout
        while not self._kept(self._front(), self._screen()) and clock.now() < deadline:
            clock.sleep(self.context.settings.interval)
        return None

    def _screen(self) -> Snapshot | None:
        try:
            return self.context.observer.read().snapshot
        except (ProtocolError, SnapshotError):
            return None

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None = None) -> bool:
        if self.app:
            return super()._kept(front, snapshot)
        if front is not None and front.app != self._before:
            return True
        before = self._screen_before
        return before is not None and snapshot is not None and not agree(before, snapshot)

    def _wanted(self) -> str:
        if self.app:
            return super()._wanted()
        if self._screen_before is None:
            return (
                "as before, and what was on its screen before could not be read, so that it is unknown whether "
                "the link was opened. Name the app that opens it: open_url(url, app)"
            )
        return (
            "as before, and the screen is the same. Was it open already? Then name the app that opens it: "
            "open_url(url, app)"
        )


class Left(InFront):
    """Postcondition: the app in front has left. An app that the test did not start may be the home screen, which
    stays: ``own`` are the apps that must leave."""

    def __init__(self, context: SessionContext, title: str, own: tuple[str, ...] | None, timeout: float) -> None:
        super().__init__(context, title, "", timeout)
        self._own = own

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None = None) -> bool:
        if self._own is not None and self._before not in self._own:
            return True
        return front is not None and front.app != self._before

    def _wanted(self) -> str:
        return "as before: the phone did not go home"


def read_back(
    text: str, *, secret: bool, append: bool, may_retry: Callable[[], bool] = lambda: False
) -> Postcondition:
    """Judges the field by its content; a masked one by its length; ``unavailable`` where it shows neither.
    ``may_retry`` says whether there is another way of typing that might fare better.

    Returns the failure, if any, and how it was read: ``exact``, ``length`` or ``unavailable``.
    """

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        field = snapshot.locate(acted).element if acted is not None else None
        if acted is None or field is None or not field.states.editable:
            return None, "unavailable"
        wanted = text_of(acted) + text if append else text
        if field.states.password:
            return _by_length(field, len(text_of(acted)) + len(text) if append else len(text), may_retry())
        shown = text_of(field)
        if shown == wanted:
            return None, "exact"
        if not shown and wanted in (field.text, field.hint):
            return None, "unavailable"  # an empty field prints its hint, and so looks like one that holds it
        texts = ("another text", MASK) if secret else (repr(shown), repr(wanted))
        message = (
            f"ACTION_REJECTED  {field.describe()} shows {texts[0]} after {texts[1]} was typed. Does the app "
            f"correct, format or limit what is typed? Then fill(silent=True) types without reading back, and "
            f"expect_state(text=...) says what it should show.\n{format_screen(snapshot)}"
        )
        return Failure("ACTION_REJECTED", message, (field,), may_retry=may_retry()), "exact"

    return judge


def _by_length(field: Element, wanted: int, may_retry: bool) -> tuple[Failure | None, str]:
    """Bullets show the number of characters, where the phone prints them at all."""
    shown = text_of(field)
    if (wanted and not shown) or set(shown) - {"•", "*", "●"}:
        return None, "unavailable"
    if len(shown) == wanted:
        return None, "length"
    message = f"ACTION_REJECTED  {field.describe()} holds {len(shown)} characters where {wanted} are meant to be"
    return Failure("ACTION_REJECTED", message, (field,), may_retry=may_retry), "length"


def chosen(option: str) -> Postcondition:
    """The postcondition of ``select``: the control shows the option; ``unavailable`` where it shows no value."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        control = snapshot.locate(acted).element if acted is not None else None
        if control is None and acted is not None and snapshot.beneath is not None:
            control = snapshot.beneath.locate(acted).element  # under a list that is still open
        if control is None or control.value is None:
            return None, "unavailable"
        if option in (str(control.value), control.label, *control.folded):
            return None, "exact"
        message = f"ACTION_REJECTED  {control.describe()} shows {control.value!r} after {option!r} was chosen"
        return Failure("ACTION_REJECTED", f"{message}\n{format_screen(snapshot)}", (control,)), "exact"

    return judge


def stays(to: float | str | bool, tolerance: float) -> Postcondition:
    """The postcondition of ``adjust``: the control keeps its value; ``unavailable`` where it reports none."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        control = snapshot.locate(acted).element if acted is not None else None
        if control is None:
            return None, "unavailable"
        if isinstance(to, bool):
            now = checked_of(snapshot, control)
            return _kept(snapshot, control, now, now is to)
        if isinstance(to, str):
            if control.semantic_role == "dropdown" or (control.semantic_role == "button" and control.value):
                return chosen(to)(snapshot, acted)
            picked = [one for one in members_of(snapshot, control) if is_chosen(one)]
            wanted = {one.identity for one in snapshot.match(Selector(text=to))}
            shown = "   ".join(one.label for one in picked) or None
            return _kept(snapshot, control, shown, any(one.identity in wanted for one in picked))
        value = number_of(control)
        return _kept(snapshot, control, value, value is not None and is_near(value, to, tolerance))

    return judge


def _kept(snapshot: Snapshot, control: Element, shown: object, as_wanted: bool) -> tuple[Failure | None, str]:
    if as_wanted or shown is None:
        return None, "unavailable" if shown is None else "exact"
    message = (
        f"ACTION_REJECTED  {control.describe()} was set, but shows {shown!r} now: the app changed it back.\n"
        f"{format_screen(snapshot)}"
    )
    return Failure("ACTION_REJECTED", message, (control,)), "exact"
