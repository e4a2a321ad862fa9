"""What is done to the phone rather than to an app's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...drivers import Capability
from ...model import Failure
from ..settling.restless import agree
from ..settling.stabilize import AGREEING_READS, Reads
from ..step import StageFailed
from ..told_screen import told_screen
from .touch import told_point, touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...drivers import Orientation, PermissionAnswer
    from ...model import Element
    from ...snapshots import Snapshot
    from ..step import Dispatch, Hands, Parts, Postcondition


def rotate(orientation: Orientation) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.rotate(orientation)
        return {"orientation": hands.look.orientation()}

    return send


def set_permission(app: str, permission: str, granted: bool) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        if not granted:
            hands.parts.stopped.add(app)  # the platform may end it
        hands.driver.set_permission(app, permission, granted)
        return {"app": app, "permission": permission, "granted": granted}

    return send


def install(path: Path) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.install(path)
        return {"path": path.name, "bytes": path.stat().st_size}

    return send


def uninstall(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.parts.stopped.add(app)
        hands.driver.uninstall(app)
        return {"app": app}

    return send


def push_file(local: Path | bytes, remote: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.push_file(local, remote)
        size = len(local) if isinstance(local, bytes) else local.stat().st_size
        return {"remote": remote, "bytes": size}

    return send


def pull_file(remote: str, into: bytearray) -> Dispatch:
    """Leaves the content in ``into``."""

    def send(hands: Hands) -> Mapping[str, Any]:
        into[:] = hands.look.pull_file(remote)
        return {"remote": remote, "bytes": len(into)}

    return send


class Prompt:
    """A permission prompt of the system's: its button for one answer, awaited and tapped."""

    def __init__(self, answer: PermissionAnswer, timeout: float) -> None:
        self._answer = answer
        self._timeout = timeout
        self._asked: Snapshot | None = None

    def send(self, hands: Hands) -> Mapping[str, Any]:
        """Waits until two reads in a row show the same button in the same place."""
        self._asked = None
        reads = Reads(hands.parts, self._timeout)
        before: Element | None = None
        while True:
            reading = reads.next()
            button = self._button(hands.parts, reading.snapshot) if reading is not None else None
            if reading is not None and button is not None and before is not None and _same(before, button):
                self._asked = reading.snapshot
                touch_at(hands, button.center)
                return {**told_point(button.center), "answer": self._answer, "button": button.describe()}
            before = button
            if reads.out_of_time and before is None and (reading is None or reads.good >= AGREEING_READS):
                reads.raise_if_blind()
                raise self._missing(hands, reads)

    def judge(self, snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        """The prompt that was answered is gone; the next one, for another permission, is another screen."""
        if self._asked is None or not agree(self._asked, snapshot):
            return None, "answered"
        message = (
            f"ACTION_REJECTED  answer_permission {self._answer}: the prompt took no tap, it is still up.\n"
            f"{told_screen(snapshot)}"
        )
        return Failure("ACTION_REJECTED", message), "still up"

    def _button(self, parts: Parts, snapshot: Snapshot) -> Element | None:
        buttons = parts.driver.system_dialogs.permission_buttons
        if snapshot.platform == "ios" and not any(map(snapshot.match, buttons.get("deny", ()))):
            return None  # some other message, whose OK is no answer
        for selector in buttons.get(self._answer, ()):
            found = snapshot.match(selector)
            if len(found) == 1:
                return found[0]
        return None

    def _missing(self, hands: Hands, reads: Reads) -> StageFailed:
        snapshot = hands.parts.observer.latest
        assert snapshot is not None
        dialogs = hands.look.system_dialogs
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
                f"{_how_to_forget(hands.look.capabilities)}"
            )
        message = (
            f"ELEMENT_NOT_FOUND  answer_permission {self._answer} on {hands.look.uri} ({reads.told()}): {what}.\n"
            f"{told_screen(snapshot)}"
        )
        return StageFailed(Failure("ELEMENT_NOT_FOUND", message), snapshot)


def _how_to_forget(can: Capability) -> str:
    """How a test makes an app ask once more."""
    ways = {Capability.CLEAR_DATA: "launch(fresh=True)", Capability.PERMISSIONS: "set_permission()"}
    there_are = [way for capability, way in ways.items() if capability in can]
    return f": {' or '.join(there_are)} comes first" if there_are else ", until its answers are reset on the phone"


def turned(parts: Parts, orientation: Orientation) -> Postcondition:
    """The promise of ``rotate``: the screen is that way up."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        now = parts.driver.orientation()
        if now == orientation:
            return None, now
        message = f"ACTION_REJECTED  rotate {orientation} on {parts.driver.uri}: the screen is {now}"
        return Failure("ACTION_REJECTED", f"{message}.\n{told_screen(snapshot)}"), now

    return judge


def _same(one: Element, other: Element) -> bool:
    return one.identity == other.identity and one.bounds == other.bounds
