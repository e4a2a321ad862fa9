"""Apps, permissions, files and the orientation of the phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...drivers import AppInFront, Capability, Driver, Orientation, PermissionAnswer
from ...model import Element, Strings
from ...snapshots import Snapshot
from ..postconditions import InFront, Left
from ..prompts import permission_prompt
from ..stabilize.observer import agree
from ..stabilize.reads import AGREEING_READS, Reads, read_now
from ..step import (
    ActionContext,
    Details,
    Dispatch,
    Postcondition,
    SessionContext,
    StageFailed,
    Verdict,
    failure_on,
)
from .touch import point_details


def command(send: Callable[[Driver], object], *, ends: str = "", **facts: Any) -> Dispatch:
    """One command to the phone; ``ends`` is an app that it may end, ``facts`` are details for the
    trace."""

    def dispatch(action: ActionContext) -> Details:
        if ends:
            action.context.note_app(ends, stopped=True)
        send(action.driver)
        return facts

    return dispatch


def rotate(orientation: Orientation) -> Dispatch:
    def send(action: ActionContext) -> Details:
        action.driver.rotate(orientation)
        return {"orientation": action.query.orientation()}

    return send


def pull_file(remote: str, into: bytearray) -> Dispatch:
    """Leaves the content in ``into``."""

    def send(action: ActionContext) -> Details:
        into[:] = action.query.pull_file(remote)
        return {"remote": remote, "bytes": len(into)}

    return send


@dataclass
class Prompt:
    """A permission prompt of the system's: its button for one answer, awaited and tapped."""

    answer: PermissionAnswer
    _asked: Snapshot | None = None

    def send(self, action: ActionContext) -> Details:
        """Waits until two reads in a row show the same button in the same place."""
        self._asked = None
        reads = Reads(action.context, action.step.timeout)
        before: object = None
        while True:
            reading, place = reads.next(), None
            found = _answers(action.context, reading.snapshot, self.answer) if reading else []
            if reading is not None and len(found) == 1:
                (button,) = found
                place = button.identity, button.bounds
                if place == before:
                    self._asked = reading.snapshot
                    action.driver.tap(button.center)
                    facts = {"answer": self.answer, "button": button.describe()}
                    return {**point_details(button.center), **facts}
            before = place
            known = reading is None or reads.good >= AGREEING_READS
            if reads.out_of_time and known and before is None:
                reads.raise_if_no_read()
                raise self._missing(action, reads)

    def judge(self, action: ActionContext, snapshot: Snapshot) -> Verdict:
        """The prompt that was answered is gone; the next one, for another permission, is another
        screen."""
        if self._asked is None or not agree(self._asked, snapshot):
            return None, "answered"
        return failure_on(
            snapshot, "ACTION_REJECTED", "the prompt took no tap, it is still up."
        ), "still up"

    def _missing(self, action: ActionContext, reads: Reads) -> StageFailed:
        snapshot = action.observer.latest
        assert snapshot is not None
        every = action.query.system_dialogs.permission_buttons
        offered = [answer for answer in every if _answers(action.context, snapshot, answer)]
        what = f"the prompt that is up offers no such answer, only {', '.join(offered)}"
        if not offered:
            what = (
                "no permission prompt is up. Had it been answered before? Then the app does not "
                "ask again, until launch(fresh=True), set_permission() or the phone's own "
                "settings forget the answer"
            )
        return StageFailed.on(
            snapshot,
            "ELEMENT_NOT_FOUND",
            f"{what}.",
            asked=f"{action.step.title} on {action.phone} ({reads.describe()})",
        )


def _answers(
    context: SessionContext, snapshot: Snapshot, answer: PermissionAnswer
) -> list[Element]:
    """The buttons that give it, of the prompt that is up: what the first selector finds that finds
    any."""
    dialogs = context.driver.system_dialogs
    prompt = permission_prompt(dialogs, snapshot, {*context.apps.launched, context.app})
    for each in dialogs.permission_buttons.get(answer, ()):
        found = [one for one in snapshot.match(each) if one in prompt] if prompt else []
        if found:
            return found
    return []


def turned(orientation: Orientation) -> Postcondition:
    """The promise of ``rotate``: the screen is that way up."""

    def judge(action: ActionContext, snapshot: Snapshot) -> Verdict:
        now = action.query.orientation()
        if now == orientation:
            return None, now
        return failure_on(snapshot, "ACTION_REJECTED", f"the screen is {now}."), now

    return judge


def _navigation(
    promise: InFront, send: Callable[[ActionContext], object], **facts: Any
) -> Dispatch:
    """Sends what may keep the promise, and waits until it is kept; a silent action waits for
    nothing."""

    def dispatch(action: ActionContext) -> Details:
        if action.step.silent:
            send(action)
            return facts
        if not action.sent:  # else what it has done so far belongs to its effect
            promise.look()
        send(action)
        action.observer.invalidate()
        promise.wait(action.step.timeout)
        return facts

    return dispatch


def launch(promise: InFront, *, fresh: bool, activity: str | None, args: Strings) -> Dispatch:
    """A cold start: what runs of the app is stopped first."""
    app = promise.app
    noted: list[AppInFront | None] = []  # in front before anything was sent, in whichever attempt
    facts = {"app": app, "fresh": fresh, "started": app}

    def end(action: ActionContext) -> None:
        action.context.starting = app
        # it is ended first: that it does not run until it is started is no death
        action.context.note_app(app, stopped=True)

    def send(action: ActionContext) -> None:
        end(action)
        if fresh:
            action.driver.clear_data(app)
        else:
            action.driver.stop(app)
        _start(action, app, activity, args)

    by_parts = _navigation(promise, send, **facts)

    def dispatch(action: ActionContext) -> Details:
        if Capability.COLD_START not in action.query.capabilities:
            return by_parts(action)
        end(action)
        front = action.driver.cold_start(app, activity, args, fresh=fresh, ended=noted.append)
        action.context.note_app(app, stopped=False)
        promise.note_before(noted[0])
        action.observer.invalidate()
        if not action.step.silent:
            promise.wait(action.step.timeout, front)
        return facts

    return dispatch


def activate(promise: InFront) -> Dispatch:
    def send(action: ActionContext) -> None:
        _start(action, promise.app)
        action.context.note_app(
            promise.app, touched=True
        )  # it may have run before, and its data are not this test's

    return _navigation(promise, send, app=promise.app)


def open_url(url: str, app: str | None, promise: InFront) -> Dispatch:
    return _navigation(promise, lambda action: action.driver.open_url(url, app), url=url)


def home(promise: InFront) -> Dispatch:
    return _navigation(promise, lambda action: action.driver.press_key("home"), key="home")


def background(seconds: float, left: Left, back: InFront) -> Dispatch:
    """Goes home, waits, and brings back the app that was in front, in one action. An app that did
    not leave was not in the background: that is a failure before anything is waited for."""

    def send(action: ActionContext) -> Details:
        if not action.sent:
            left.look()
        action.driver.press_key("home")
        action.observer.invalidate()
        left.wait(action.step.timeout)
        snapshot = read_now(action.context).snapshot
        failure, _ = left.judge(action, snapshot)
        if failure is not None:
            raise StageFailed(failure)
        action.context.clock.sleep(seconds)
        action.driver.launch(back.app, None, ())
        back.wait(action.step.timeout)
        return {"app": back.app, "seconds": seconds}

    return send


def _start(
    action: ActionContext, app: str, activity: str | None = None, args: Strings = ()
) -> None:
    action.driver.launch(app, activity, args)
    action.context.note_app(app, stopped=False)
