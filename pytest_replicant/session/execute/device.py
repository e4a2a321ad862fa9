"""Apps, permissions, files and the orientation of the phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...drivers import Capability
from ...model import Failure
from ..screen_text import format_screen
from ..stabilize.observer import agree
from ..stabilize.reads import AGREEING_READS, Reads, read_now
from ..step import StageFailed
from .touch import point_details, touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...drivers import Orientation, PermissionAnswer
    from ...model import Element
    from ...snapshots import Snapshot
    from ..postconditions import InFront, Left
    from ..step import ActionContext, Dispatch, Postcondition, SessionContext


def rotate(orientation: Orientation) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.driver.rotate(orientation)
        return {"orientation": action.query.orientation()}

    return send


def set_permission(app: str, permission: str, granted: bool) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        if not granted:
            action.context.stopped.add(app)  # the platform may end it
        action.driver.set_permission(app, permission, granted)
        return {"app": app, "permission": permission, "granted": granted}

    return send


def install(path: Path) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.driver.install(path)
        return {"path": path.name, "bytes": path.stat().st_size}

    return send


def uninstall(app: str) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.context.stopped.add(app)
        action.driver.uninstall(app)
        return {"app": app}

    return send


def push_file(local: Path | bytes, remote: str) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.driver.push_file(local, remote)
        size = len(local) if isinstance(local, bytes) else local.stat().st_size
        return {"remote": remote, "bytes": size}

    return send


def pull_file(remote: str, into: bytearray) -> Dispatch:
    """Leaves the content in ``into``."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        into[:] = action.query.pull_file(remote)
        return {"remote": remote, "bytes": len(into)}

    return send


class Prompt:
    """A permission prompt of the system's: its button for one answer, awaited and tapped."""

    def __init__(self, answer: PermissionAnswer, timeout: float) -> None:
        self._answer = answer
        self._timeout = timeout
        self._asked: Snapshot | None = None

    def send(self, action: ActionContext) -> Mapping[str, Any]:
        """Waits until two reads in a row show the same button in the same place."""
        self._asked = None
        reads = Reads(action.context, self._timeout)
        before: Element | None = None
        while True:
            reading = reads.next()
            button = self._button(action.context, reading.snapshot) if reading is not None else None
            if reading is not None and button is not None and before is not None and _same(before, button):
                self._asked = reading.snapshot
                touch_at(action, button.center)
                return {**point_details(button.center), "answer": self._answer, "button": button.describe()}
            before = button
            if reads.out_of_time and before is None and (reading is None or reads.good >= AGREEING_READS):
                reads.raise_if_no_read()
                raise self._missing(action, reads)

    def judge(self, snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        """The prompt that was answered is gone; the next one, for another permission, is another screen."""
        if self._asked is None or not agree(self._asked, snapshot):
            return None, "answered"
        message = (
            f"ACTION_REJECTED  answer_permission {self._answer}: the prompt took no tap, it is still up.\n"
            f"{format_screen(snapshot)}"
        )
        return Failure("ACTION_REJECTED", message), "still up"

    def _button(self, context: SessionContext, snapshot: Snapshot) -> Element | None:
        dialogs = context.driver.system_dialogs
        buttons = dialogs.permission_buttons
        if dialogs.from_home_screen and not any(map(snapshot.match, buttons.get("deny", ()))):
            return None  # some other message, whose OK is no answer
        for selector in buttons.get(self._answer, ()):
            found = snapshot.match(selector)
            if len(found) == 1:
                return found[0]
        return None

    def _missing(self, action: ActionContext, reads: Reads) -> StageFailed:
        snapshot = action.context.observer.latest
        assert snapshot is not None
        dialogs = action.query.system_dialogs
        offered = [
            answer
            for answer, selectors in dialogs.permission_buttons.items()
            if any(snapshot.match(selector) for selector in selectors)
        ]
        if offered:
            what = f"the prompt that is up offers no such answer, only {', '.join(offered)}"
        else:
            what = (
                "no permission prompt is up. Had it been answered before? Then the app does not ask again"
                f"{_how_to_forget(action.query.capabilities)}"
            )
        message = (
            f"ELEMENT_NOT_FOUND  answer_permission {self._answer} on {action.uri} ({reads.describe()}): {what}.\n"
            f"{format_screen(snapshot)}"
        )
        return StageFailed(Failure("ELEMENT_NOT_FOUND", message), snapshot)


def _how_to_forget(can: Capability) -> str:
    """How a test makes an app ask once more."""
    ways = {Capability.CLEAR_DATA: "launch(fresh=True)", Capability.PERMISSIONS: "set_permission()"}
    there_are = [way for capability, way in ways.items() if capability in can]
    return f": {' or '.join(there_are)} comes first" if there_are else ", until its answers are reset on the phone"


def turned(context: SessionContext, orientation: Orientation) -> Postcondition:
    """The promise of ``rotate``: the screen is that way up."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        now = context.driver.orientation()
        if now == orientation:
            return None, now
        message = f"ACTION_REJECTED  rotate {orientation} on {context.driver.uri}: the screen is {now}"
        return Failure("ACTION_REJECTED", f"{message}.\n{format_screen(snapshot)}"), now

    return judge


def _same(one: Element, other: Element) -> bool:
    return one.identity == other.identity and one.bounds == other.bounds


def launch(
    app: str, *, fresh: bool, activity: str | None, args: tuple[str, ...], promise: InFront | None
) -> Dispatch:
    """A cold start: whatever runs of the app is stopped first."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        _look(promise)
        if fresh:
            action.driver.clear_data(app)
        else:
            action.driver.stop(app)
        _start(action, app, activity, args)
        _wait(promise)
        return {"app": app, "fresh": fresh}

    return send


def activate(app: str, promise: InFront | None) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        _look(promise)
        _start(action, app)
        _wait(promise)
        return {"app": app}

    return send


def stop(app: str) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.context.stopped.add(app)
        action.driver.stop(app)
        return {"app": app}

    return send


def clear_data(app: str) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.context.stopped.add(app)
        action.driver.clear_data(app)
        return {"app": app}

    return send


def open_url(url: str, app: str | None, promise: InFront | None) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        _look(promise)
        action.driver.open_url(url, app)
        action.context.observer.invalidate()
        _wait(promise)
        return {"url": url}

    return send


def home(promise: InFront | None) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        _look(promise)
        action.driver.press_key("home")
        _wait(promise)
        return {"key": "home"}

    return send


def background(seconds: float, left: Left, back: InFront) -> Dispatch:
    """Goes home, waits, and brings back the app that was in front, in one action. An app that did not leave was
    not in the background: that is a failure before anything is waited for."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        left.look()
        action.driver.press_key("home")
        action.context.observer.invalidate()
        left.wait()
        snapshot = read_now(action.context).snapshot
        failure, _ = left.judge(snapshot, None)
        if failure is not None:
            raise StageFailed(failure, snapshot)
        action.context.clock.sleep(seconds)
        action.driver.launch(back.app, None, ())
        back.wait()
        return {"app": back.app, "seconds": seconds}

    return send


def _start(action: ActionContext, app: str, activity: str | None = None, args: tuple[str, ...] = ()) -> None:
    action.driver.launch(app, activity, args)
    action.context.stopped.discard(app)


def _look(promise: InFront | None) -> None:
    if promise is not None:
        promise.look()


def _wait(promise: InFront | None) -> None:
    if promise is not None:
        promise.wait()
