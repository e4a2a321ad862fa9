"""``DeviceSession``: what a test holds. Its actions are in ``actions``, its checks in ``expectation``."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import UsageError, is_told
from ..logs.logcat import parse_threadtime
from ..model.selector import Selector
from ..model.trace import Attachment
from .actions import Actions
from .expectation import Checks
from .observe import Observer
from .redaction import blank
from .resolve import resolve
from .settings import SessionSettings
from .stabilize import AGREEING_READS, agree, settle
from .step import Parts, StageFailed
from .targets import as_target, checked_seconds, checked_target, selector_of
from .waiting import await_any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..drivers.base import AppInFront, DeviceInfo, Driver, Platform, ShellOutput
    from ..logs.logcat import LogLine
    from ..model.element import Element
    from ..snapshots.showing.diff import SnapshotDiff
    from ..snapshots.snapshot import Snapshot
    from .clock import Clock
    from .step import Target
    from .trace import Recorder

__tracebackhide__ = is_told


class DeviceSession(Actions, Checks):
    """One phone in one test.

    Actions return an ``Expectation``; each takes ``timeout`` (seconds until its target must be actionable) and
    ``silent`` (no read afterwards). Checks on the session itself look at the current screen. Lengths are device
    pixels. Raises ``ActionFailed`` for an action that could not be done, ``UsageError`` for a wrong call, and
    ``DeviceError`` where the phone is in trouble.
    """

    def __init__(
        self,
        driver: Driver,
        *,
        recorder: Recorder,
        clock: Clock,
        settings: SessionSettings | None = None,
        app: str | None = None,
    ) -> None:
        settings = settings or SessionSettings()
        observer = Observer(driver, clock, settings, recorder.keep_snapshot)
        self._parts = Parts(driver, observer, clock, settings, recorder)
        self._app = app
        self.launched: list[str] = []  # apps that this session started, in order

    # --- reads ------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The screen now, once two reads agree or the window is over."""
        recent = self._parts.observer.recent()
        if len(recent) == AGREEING_READS and agree(recent[0].snapshot, recent[1].snapshot):
            settled = recent[1].snapshot
        else:
            settled = settle(self._parts, None).snapshot
        self._parts.recorder.keep_screenshot(settled)
        return settled

    def changes(self, *, since: str, mask_volatile: bool = False) -> SnapshotDiff:
        """What differs between an earlier snapshot of this session and now; against nothing, and marked
        ``complete``, where that one is no longer kept. With ``mask_volatile``, clocks, ages and percentages
        that tick are no change."""
        earlier = self._parts.observer.kept(since)
        return self.snapshot().diff(earlier, mask_volatile=mask_volatile)

    def find(self, target: Target | None = None, /, **by: Any) -> Element:
        """The one element that matches now. Raises ``TargetError``."""
        wanted = as_target("find", target, by)
        snapshot = self.snapshot()
        if isinstance(wanted, Selector):
            return snapshot.one(wanted)
        try:
            return resolve(self._parts.observer, snapshot, wanted)
        except StageFailed as failed:
            raise failed.as_target_error() from None

    def find_all(self, **by: Any) -> list[Element]:
        """Every element that matches now, in reading order; a label that is printed with its row stands for the
        row where no element carries it itself, as for ``find``."""
        return self.snapshot().every(selector_of("find_all", by))

    def wait_for(self, target: Target | None = None, /, *, timeout: float | None = None, **by: Any) -> Element:
        """The element, once it is there. Waiting synchronises; it verifies nothing. Raises ``TargetError``."""
        wanted = as_target("wait_for", target, by)
        seconds = checked_seconds("wait_for", timeout, self._parts.settings.action_timeout)
        _, element = await_any(self._parts, {"": wanted}, seconds)
        return element

    def wait_for_any(self, *, timeout: float | None = None, **branches: Selector) -> str:
        """The name of the first branch whose selector matches: ``wait_for_any(home=by(...), error=by(...))``."""
        if not branches:
            raise UsageError("wait_for_any() needs branches: wait_for_any(home=by(text=...), error=by(text=...))")
        for name, item in branches.items():
            if not isinstance(item, Selector):
                raise UsageError(f"wait_for_any({name}={item!r}): a branch is a selector: {name}=by(text=...)")
        wanted = {name: checked_target("wait_for_any", item) for name, item in branches.items()}
        seconds = checked_seconds("wait_for_any", timeout, self._parts.settings.action_timeout)
        name, _ = await_any(self._parts, wanted, seconds)
        return name

    def screenshot(self) -> bytes:
        """The screen as PNG, secrets blanked."""
        snapshot = self._parts.observer.fresh().snapshot
        return blank(self._parts.driver.screenshot(), snapshot, self._parts.recorder.redactor)

    def logs(self) -> list[LogLine]:
        """The device log, oldest first."""
        return parse_threadtime(self._parts.driver.logs())

    def shell(self, command: str | Sequence[str], *, timeout: float = 30.0) -> ShellOutput:
        """Runs a command on the phone; a list is quoted word by word."""
        if not isinstance(command, str) and not (
            isinstance(command, (list, tuple)) and all(isinstance(word, str) for word in command)
        ):
            raise UsageError(f"shell({command!r}): the command is a string, or a list of words")
        output = self._parts.driver.shell(command, timeout)
        self._parts.observer.note_gesture()  # a command may have changed the screen
        return output

    @property
    def current_app(self) -> AppInFront:
        """The app in front, and its activity where the platform has one."""
        return self._parts.driver.app_in_front()

    @property
    def platform(self) -> Platform:
        return self._parts.driver.info.platform

    @property
    def info(self) -> DeviceInfo:
        return self._parts.driver.info

    # --- scopes -----------------------------------------------------------------------------------------------

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Names a group of actions in every report."""
        self._parts.recorder.groups.append(title)
        try:
            yield
        finally:
            self._parts.recorder.groups.pop()

    def attach(self, name: str, data: bytes | str, media_type: str = "text/plain") -> None:
        """Puts a piece of evidence into every report."""
        if not isinstance(name, str) or not name:
            raise UsageError(f"attach({name!r}): the name is a string")
        if not isinstance(data, (bytes, str)):
            raise UsageError(f"attach({name!r}): the data is bytes or a string, not {type(data).__name__}")
        if not isinstance(media_type, str) or "/" not in media_type:
            raise UsageError(f'attach({name!r}): {media_type!r} is no media type such as "text/plain"')
        body = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        self._parts.recorder.attachments.append(Attachment(name, media_type, body))

    @property
    def soft(self) -> DeviceSession:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._is_soft = True
        return twin

    def __repr__(self) -> str:
        return f"<DeviceSession {self._parts.driver.uri}>"

    def expect_changed(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here that could have changed something."""
        raise UsageError("expect_changed() needs the outcome of an action: mobile.tap(...).expect_changed()")

    def expect_unchanged(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here to compare around."""
        raise UsageError("expect_unchanged() needs the outcome of an action: mobile.tap(...).expect_unchanged()")

    # --- what the checks need -----------------------------------------------------------------------------------

    def _check_usable(self, claim: object) -> None:
        """The screen now can always be asked."""

    def _action_id(self) -> str:
        return next(reversed(self._parts.recorder.actions), "")

    def _baseline(self) -> tuple[Snapshot | None, Element | None]:
        return None, None
