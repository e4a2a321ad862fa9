"""Starting and ending apps, and bringing them to the front and out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..stabilize.reads import read_now
from ..step import StageFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..promises.in_front import InFront, Left
    from ..step import ActionContext, Dispatch


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
