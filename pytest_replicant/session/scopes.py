"""Scopes of a part of a test: groups, interruptions, and views of a part of the screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from ..errors import DeviceError, SnapshotError, UsageError
from ..model import Attachment, SelectorKeywords, screen_text
from ..snapshots import Snapshot
from .actionability import is_on
from .arguments import Target, TargetLike, checked_target, checked_whole, describe
from .recording.trace import line_in_test
from .stabilize.reads import Reads, settle
from .step import SessionContext, SessionView

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Value = TypeVar("Value")


class Scopes(SessionView):
    """Scopes of a part of a test, and attachments to its trace."""

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Names a group of actions in every report; groups may hold groups."""
        if not isinstance(title, str) or not title:
            raise UsageError(f'step({title!r}): the title is a string, as in step("Pay")')
        self._context.refuse_when_ended()
        with self._context.recorder.group(title):
            yield

    def attach(self, name: str, data: bytes | str, media_type: str = "text/plain") -> None:
        """Puts a piece of evidence into every report, under that name; a string is written as UTF-8."""
        if not isinstance(name, str) or not name:
            raise UsageError(f"attach({name!r}): the name is a string")
        if not isinstance(data, (bytes, str)):
            raise UsageError(f"attach({name!r}): the data is bytes or a string, not {type(data).__name__}")
        if not isinstance(media_type, str) or "/" not in media_type:
            raise UsageError(f'attach({name!r}): {media_type!r} is no media type such as "text/plain"')
        self._context.refuse_when_ended()
        body = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        self._context.recorder.attachments.append(Attachment(name, media_type, body))

    def recorded(self, name: str, make: Callable[[], Value]) -> Value:
        """The value of ``make()``, which a replay of this test gets in place of a new one: a uuid, today, a user
        made over HTTP. It is data: texts, numbers, dates, UUIDs, and lists, tuples, sets and dicts of them."""
        if not isinstance(name, str) or not name:
            raise UsageError(f'recorded({name!r}, ...): the name is a string, as in recorded("user", make_user)')
        if not callable(make):
            raise UsageError(f"recorded({name!r}, {make!r}): give the function that makes it, not its value")
        self._context.refuse_when_ended()
        value: Value = self._context.tape.value(name, make)
        return value

    @contextmanager
    def on_interrupt(
        self, target: TargetLike, do: Callable[[Self], object], times: int = 1
    ) -> Iterator[Interruption]:
        """For what may come up at any moment, such as a request to rate the app. Whenever an action or check that
        waits for the screen sees ``target``, ``do(mobile)`` is called to close it, at most ``times`` times. The
        waiting goes on as if it had not been there. Yields an object with a ``count``."""
        wanted = checked_target("on_interrupt", target)
        if not callable(do):
            advice = 'on_interrupt(by(text="Rate us"), lambda mobile: mobile.tap(text="Later"))'
            raise UsageError(f"on_interrupt(do={do!r}): a function of the session that closes it", advice=advice)
        checked_whole("on_interrupt", "times", times, 1)
        context = self._context
        whole = self._view(scope=None, soft=self._is_soft)  # an interruption of a part lies over the whole screen
        announced = Interruption(context, wanted, lambda: do(whole), times)
        context.observer.invalidate()  # what was read before was not looked at for it
        context.interrupts.append(announced)
        try:
            yield announced
        finally:
            context.interrupts.remove(announced)

    def within(self, target: TargetLike | None = None, /, **by: Unpack[SelectorKeywords]) -> Self:
        """A view of one part of the screen: the same actions, reads and checks, with every selector meant inside
        ``target``. Refs, elements and locators, whole snapshots, and what an action returns are not confined."""
        return self._view(scope=self._target("within", target, by), soft=self._is_soft)

    def pause(self) -> None:
        """Stops the test here, for looking and acting by hand. In a terminal there is a prompt. Without one the
        command to attach by is printed, and it goes on if none comes for ten minutes. Under CI it raises
        ``UsageError``, as no one would come. Outside a test it shows the screen and waits for Enter."""
        if self._context.pause is not None:
            self._context.refuse_while_asking("pause")
            self._context.pause(line_in_test()[0])
            self._context.observer.invalidate()
            return
        why = _no_terminal()
        if why:
            raise UsageError(
                f"pause(): {why}. Run this test alone and with the terminal left alone: pytest -s -n 0 path::test"
            )
        outline = settle(self._context, None).snapshot.outline()
        input(f"{self._context.recorder.redactor.text(outline)}\n{self!r} is paused; Enter goes on. ")
        self._context.observer.invalidate()  # somebody may have used the phone meanwhile


def _no_terminal() -> str:
    """The reason why no one can press Enter; "" if someone can."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        return "this is a worker of pytest-xdist, which has no terminal"
    if os.environ.get("CI"):
        return "this is a CI run (CI is set), where no one is watching"
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return "no terminal is attached; pytest captures input and output by default"
    return ""


class Interruption:
    """One ``on_interrupt``. ``count`` is how often it was met."""

    def __init__(self, context: SessionContext, target: Target, do: Callable[[], object], times: int) -> None:
        self._context = context
        self._target = target
        self._do = do
        self._times = times
        self.title = f"interrupt: {describe(target)}"
        self.count = 0
        self._is_dealt_with = False  # and was not seen to be gone yet

    def shows(self, snapshot: Snapshot) -> bool:
        """Whether it has come up, as long as there is anything to be done about it."""
        is_on = self._is_on(snapshot)
        self._is_dealt_with &= is_on is not False
        return is_on is True and (self._is_dealt_with or self.count < self._times)

    def meet(self, snapshot: Snapshot) -> None:
        """Does what the test wants done, once for each time that it comes up. Raises ``UsageError`` if that did
        not make it go away. An error of the phone's ends the test: what was done by then may not be done twice."""
        with _isolated(self._context, self.title, snapshot):
            if not self._is_dealt_with:
                self._is_dealt_with = True
                self.count += 1
                try:
                    self._do()
                except (DeviceError, SnapshotError) as error:
                    error.give_up()
                    raise
            self._await_gone()

    def _is_on(self, snapshot: Snapshot) -> bool | None:
        return is_on(self._context.observer, snapshot, self._target)

    def _await_gone(self) -> None:
        """A read that fails proves nothing: if the screen cannot be read, the wait finds out."""
        context = self._context
        seconds = context.settings.action_timeout
        reads = Reads(context, seconds)
        while True:
            reading = reads.next()
            if reading is not None and self._is_on(reading.snapshot) is False:
                self._is_dealt_with = False
                return
            if reads.out_of_time:
                break
        if reading is not None:
            raise UsageError(
                f"on_interrupt({describe(self._target)}) on {context.phone}: it is still on the screen "
                f"{seconds:g} s after what was to be done about it. Does that close it?\n"
                f"{screen_text(reading.snapshot)}"
            )


@contextmanager
def _isolated(context: SessionContext, title: str, snapshot: Snapshot) -> Iterator[None]:
    """Runs the handler without affecting the interrupted action or check: its trace, its reads, its log window.
    Nothing interrupts the handler in turn."""
    observer = context.observer
    with suppress(DeviceError):
        observer.poll_toast()  # the next action clears it
    with context.interrupted(snapshot), context.recorder.apart(title), context.log.apart():
        try:
            with observer.apart(snapshot):
                yield
                with suppress(DeviceError):
                    observer.poll_toast()  # of the handler's last action
        finally:
            observer.invalidate()
            with suppress(DeviceError):
                observer.clear_toast()
