"""Postconditions of actions: the app in front after navigation, the value of a control after it was
set."""

from __future__ import annotations

from ..drivers import AppInFront
from ..errors import ProtocolError, SnapshotError, UndecidableText
from ..model import MASK, Element, Failure, Selector, Strings, quoted
from ..snapshots import Snapshot, code_points, same_text
from .element_state import checked_of, true_text_of, truly
from .execute.choosing import is_chosen, members_of
from .execute.control import is_near, number_of
from .execute.touch import Fill
from .prompts import permission_prompt
from .stabilize.observer import agree
from .step import ActionContext, Postcondition, SessionContext, Verdict, failure_on


def app_in_front(context: SessionContext) -> AppInFront:
    """The app in front. An app behind a system permission dialog still counts as foreground: iOS
    reports the home screen in that case."""
    front = context.driver.app_in_front()
    if context.driver.system_dialogs.asks(front.app):
        for app in reversed(context.apps.launched):
            if context.driver.app_status(app) == "foreground":
                return AppInFront(app)
    return front


class InFront:
    """Postcondition: ``app`` comes to the front. A permission prompt over it, or another app that
    it handed over to while it goes on running, is no failure."""

    def __init__(self, context: SessionContext, app: str = "") -> None:
        self.app = app
        self.arrived = ""  # the app that came to the front, no window of the system's
        self._context = context
        self._driver = context.driver
        self._before = (
            ""  # the app in front before anything was sent; "" where the phone does not say
        )

    def look(self) -> None:
        """Notes the app in front before anything is sent."""
        self.note_before(self._front())

    def note_before(self, front: AppInFront | None) -> None:
        """The same, where the phone has just said which that is."""
        self._before = front.app if front else ""

    def wait(self, timeout: float, front: AppInFront | None = None) -> None:
        """Waits until the postcondition holds or the time is over; judges nothing. ``front`` is the
        app in front now, if it is known."""
        clock = self._context.clock
        deadline = clock.now() + timeout
        while not self._kept(front or self._front(), self._screen()) and clock.now() < deadline:
            clock.sleep(self._context.settings.pause)
            front = None

    def judge(self, action: ActionContext, snapshot: Snapshot) -> Verdict:
        """The postcondition of the action."""
        front = self._front()
        seen = f"{front.app} in front" if front else "nothing known to be in front"
        if not self._kept(front, snapshot):
            return failure_on(snapshot, "NAVIGATION_NO_CHANGE", f"{seen}, {self._wanted()}."), seen
        if (
            front
            and front.app != self._before
            and front.app not in self._driver.system_dialogs.packages
        ):
            self.arrived = front.app
        return None, seen

    def _front(self) -> AppInFront | None:
        try:
            return app_in_front(self._context)
        except ProtocolError:  # between two apps a phone names none
            return None

    def _screen(self) -> Snapshot | None:
        """The screen, where it matters and can be read."""
        return None

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None) -> bool:
        if not front or front.app == self.app:
            return front is not None
        status, dialogs = self._driver.app_status(self.app), self._driver.system_dialogs
        if dialogs.asks(front.app):
            return status == "foreground" or (
                status == "background" and not dialogs.from_home_screen
            )
        return front.app != self._before and status == "background"

    def _wanted(self) -> str:
        if self._driver.app_status(self.app) != "stopped":
            return f"not {self.app}"
        return f"not {self.app}; it does not run: did it crash?"


ANSWERS = 2  # to the question whether a link may be opened


class LinkOpened(InFront):
    """Postcondition: a link was opened, by ``app``, or if none is named by an app that was not in
    front, or by the one that was, on another screen."""

    def look(self) -> None:
        self._screen_before = self._context.observer.latest
        super().look()

    def _screen(self) -> Snapshot | None:
        try:
            return None if self.app else self._context.observer.read().snapshot
        except (ProtocolError, SnapshotError):
            return None

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None) -> bool:
        if self._is_held_up(snapshot):
            return False
        if self.app:
            return super()._kept(front, snapshot)
        if front and front.app != self._before:
            return True
        before = self._screen_before
        return before is not None and snapshot is not None and not agree(before, snapshot)

    def _is_held_up(self, snapshot: Snapshot | None) -> bool:
        """Whether the home screen is in front, or the system asks in its name, and not for a
        permission, what has two answers: whether the link may be opened. A message over the app
        that opened it is no obstacle."""
        dialogs = self._driver.system_dialogs
        if not snapshot or not dialogs.from_home_screen or snapshot.app not in dialogs.packages:
            return False
        buttons = [element for element in snapshot.elements if element.node.clickable]
        asks = len(buttons) == ANSWERS and not permission_prompt(dialogs, snapshot, ())
        return snapshot.dialog is None or asks

    def _wanted(self) -> str:
        latest = self._context.observer.latest
        if latest and latest.dialog is not None and self._is_held_up(latest):
            return (
                f"and the system asks {quoted(latest.dialog)}: the link is opened once that is "
                "answered"
            )
        if self.app:
            return super()._wanted()
        if not self._screen_before:
            why = (
                "what was on its screen before could not be read, so that it is unknown whether "
                "the link was opened. Name the app that opens it"
            )
        else:
            why = "the screen is the same. Was it open already? Then name the app that opens it"
        return f"as before, and {why}: open_url(url, app)"


class Left(InFront):
    """Postcondition: the app in front has left. An app that the test did not start may be the home
    screen, which stays: ``own`` are the apps that must leave."""

    def __init__(self, context: SessionContext, own: Strings | None) -> None:
        super().__init__(context)
        self._own = own

    def _kept(self, front: AppInFront | None, snapshot: Snapshot | None) -> bool:
        if self._own is not None and self._before not in self._own:
            return True
        return front is not None and front.app != self._before

    def _wanted(self) -> str:
        return "as before: the phone did not go home"


def read_back(filling: Fill) -> Postcondition:
    """Judges the field by its content; a masked one by its length; ``unavailable`` if it shows
    neither.

    Returns the failure, if any, and how it was read: ``exact``, ``length`` or ``unavailable``.
    """

    def judge_field(action: ActionContext, snapshot: Snapshot) -> Verdict:
        field = action.acted_on(snapshot)
        if not field or not field.states.editable:
            return None, "unavailable"
        try:
            shown, wanted = true_text_of(snapshot, field), filling.before + filling.text
        except UndecidableText:
            return None, "unavailable"
        how = "exact"
        if field.states.password:
            how = "length"
            if (wanted and not shown) or set(shown) - {"•", "*", "●"}:
                # bullets show how many there are, where the phone prints them at all
                return None, "unavailable"
            if len(shown) == len(wanted):
                return None, how
            wrong = (
                f"{field.describe()} holds {len(shown)} characters where {len(wanted)} are meant "
                "to be"
            )
        elif same_text(shown, wanted):
            return None, how
        elif not shown and any(same_text(wanted, each) for each in (field.text, field.hint)):
            # an empty field prints its hint, and so looks like one that holds it
            return None, "unavailable"
        else:
            texts = ("another text", MASK) if filling.secret else (repr(shown), repr(wanted))
            unseen = "" if filling.secret else code_points(wanted, shown)
            alike = f" ({unseen})" if unseen else ""
            wrong = (
                f"{field.describe()} shows {texts[0]} after {texts[1]} was typed{alike}. Does the "
                "app correct, format or limit it? Then fill(silent=True) types without reading "
                "back, and expect_state(text=...) says what it should show."
            )
        return failure_on(
            snapshot, "ACTION_REJECTED", wrong, (field,), other_way=filling.other_way()
        ), how

    def judge(action: ActionContext, snapshot: Snapshot) -> Verdict:
        failure, how = judge_field(action, snapshot)
        if not failure and how != "unavailable":
            return None, how
        return filling.elsewhere(action, snapshot) or failure, how

    return judge


def _shows_option(snapshot: Snapshot, control: Element, option: str) -> bool:
    """By its value or its label. Raises ``UndecidableText``."""
    shown = [truly(snapshot, control, name) for name in (control.value, control.label)]
    return any(
        same_text(option, each)
        for one in shown
        for each in (str(one.value), one.label, *one.folded)
    )


def chosen(option: str) -> Postcondition:
    """The postcondition of ``select``: the control shows the option, or is out of sight and the
    list that offered it is closed or marks it; ``unavailable`` if it shows no value."""

    def judge(action: ActionContext, snapshot: Snapshot) -> Verdict:
        control = action.acted_on(snapshot)
        if not control and snapshot.beneath:
            control = action.acted_on(snapshot.beneath)  # under a list that is still open
        if not control:
            return _still_offered(snapshot, option), "unavailable"
        if control.value is None:
            return None, "unavailable"
        try:
            if _shows_option(snapshot, control, option):
                return None, "exact"
        except UndecidableText:
            return None, "unavailable"
        unseen = code_points(option, str(control.value))
        alike = f" ({unseen})" if unseen else ""
        wrong = f"{control.describe()} shows {control.value!r} after {option!r} was chosen{alike}"
        if _still_offered(snapshot, option) is not None:
            wrong += f", and {_OPEN}"
        return failure_on(snapshot, "ACTION_REJECTED", wrong, (control,)), "exact"

    return judge


def keyboard_hidden(action: ActionContext, snapshot: Snapshot) -> Verdict:
    """What ``hide_keyboard`` is for."""
    if not action.query.keyboard_shown():
        return None, "hidden"
    return failure_on(snapshot, "ACTION_REJECTED", "the keyboard is still up."), "up"


_OPEN = "the list is still open: the tap may have been lost"


def _still_offered(snapshot: Snapshot, option: str) -> Failure | None:
    try:
        offered = snapshot.match(Selector(text=option))
    except UndecidableText:
        return None
    if not offered or any(is_chosen(one) for one in offered):
        return None
    wrong = f"{offered[0].describe()} was tapped, and {_OPEN}"
    return failure_on(snapshot, "ACTION_REJECTED", wrong, offered)


def stays(to: float | str | bool, tolerance: float) -> Postcondition:
    """The postcondition of ``adjust``: the control keeps its value; ``unavailable`` if it reports
    none."""

    def judge(action: ActionContext, snapshot: Snapshot) -> Verdict:
        control = action.acted_on(snapshot)
        if not control:
            return None, "unavailable"
        shown: object
        if isinstance(to, bool):
            shown = checked_of(snapshot, control)
            kept = shown is to
        elif isinstance(to, str):
            if control.semantic_role == "dropdown" or (
                control.semantic_role == "button" and control.value
            ):
                return chosen(to)(action, snapshot)
            picked = [one for one in members_of(snapshot, control) if is_chosen(one)]
            wanted = {one.identity for one in snapshot.match(Selector(text=to))}
            shown = "   ".join(one.label for one in picked) or None
            kept = any(one.identity in wanted for one in picked)
        else:
            shown = value = number_of(control)
            kept = value is not None and is_near(value, to, tolerance)
        if kept or shown is None:
            return None, "unavailable" if shown is None else "exact"
        wrong = f"{control.describe()} was set, but shows {shown!r} now: the app changed it back."
        return failure_on(snapshot, "ACTION_REJECTED", wrong, (control,)), "exact"

    return judge
