"""What holds for a part of a test."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import UsageError
from ...model import Attachment
from ..aiming.targets import as_target, checked_target
from ..stabilize.reads import settle
from .interruption import Interruption
from .within import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..step import SessionContext, Target


S = TypeVar("S", bound="Scopes")


class Scopes:
    """What holds for a part of a test, and what is put beside its trace."""

    _context: SessionContext

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Names a group of actions in every report; groups may hold groups."""
        if not isinstance(title, str) or not title:
            raise UsageError(f'step({title!r}): the title is a string, as in step("Pay")')
        self._context.recorder.groups.append(title)
        try:
            yield
        finally:
            self._context.recorder.groups.pop()

    def attach(self, name: str, data: bytes | str, media_type: str = "text/plain") -> None:
        """Puts a piece of evidence into every report, under that name; a string is written as UTF-8."""
        if not isinstance(name, str) or not name:
            raise UsageError(f"attach({name!r}): the name is a string")
        if not isinstance(data, (bytes, str)):
            raise UsageError(f"attach({name!r}): the data is bytes or a string, not {type(data).__name__}")
        if not isinstance(media_type, str) or "/" not in media_type:
            raise UsageError(f'attach({name!r}): {media_type!r} is no media type such as "text/plain"')
        body = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        self._context.recorder.attachments.append(Attachment(name, media_type, body))

    @contextmanager
    def on_interrupt(self: S, target: Target, do: Callable[[S], object], times: int = 1) -> Iterator[Interruption]:
        """For what may come up at any moment, such as a request to rate the app: whenever an action or check that
        waits for the screen sees ``target``, ``do(mobile)`` is called to close it, at most ``times`` times, and
        the waiting goes on as if it had not been there. Yields what has a ``count``."""
        wanted = checked_target("on_interrupt", target)
        if not callable(do):
            raise UsageError(f"on_interrupt(do={do!r}): a function of the session that closes it")
        if isinstance(times, bool) or not isinstance(times, int) or times < 1:
            raise UsageError(f"on_interrupt(times={times!r}): a whole number from 1")
        context = self._context
        whole: S = getattr(self, "_whole", self)  # what interrupts a part of the screen lies over all of it
        announced = Interruption(context, wanted, lambda: do(whole), times)
        context.observer.invalidate()  # what was read before was not looked at for it
        context.interrupts.append(announced)
        try:
            yield announced
        finally:
            context.interrupts.remove(announced)

    def within(self: S, target: Target | None = None, /, **by: Any) -> S:
        """A view of one part of the screen, for page objects: the same actions, reads and checks, with every
        selector meant inside ``target``. Refs and elements, whole snapshots, and what an action returns are not
        confined to it."""
        return view_of(self, as_target("within", target, by))

    def pause(self) -> None:
        """Shows the screen as an outline and waits for Enter, for looking around by hand. Raises ``UsageError``
        where no terminal is attached: nobody would ever press it."""
        why = _no_terminal()
        if why:
            raise UsageError(
                f"pause(): {why}. Run this test alone and with the terminal left alone: pytest -s -n 0 path::test"
            )
        outline = settle(self._context, None).snapshot.outline()
        input(f"{self._context.recorder.redactor.text(outline)}\n{self!r} is paused; Enter goes on. ")
        self._context.observer.invalidate()  # somebody may have used the phone meanwhile


def _no_terminal() -> str:
    """Why nobody could answer; "" where somebody can."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        return "this is a worker of pytest-xdist, which has no terminal"
    if os.environ.get("CI"):
        return "this is a CI run (CI is set), where nobody looks on"
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return "no terminal is attached; pytest captures input and output unless told not to"
    return ""
