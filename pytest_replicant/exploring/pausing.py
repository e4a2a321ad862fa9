"""A test that stands still: its session is open to a prompt, or to the commands of
``replicant``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..errors import ExpectationFailed, ReplicantError, UsageError
from ..session import DeviceSession
from . import answers
from .commands import OpenSession, Phone
from .explorer import Explorer
from .opening import described_phone
from .process.holding import serve_here
from .process.protocol import say
from .prompt import HELP, run_prompt, terminal
from .writing import Edits, Spot


class Stopped:
    """A session at a line of a test. ``said`` is why it stands. Steps that are saved go before a
    line that ``failed``, and after any other."""

    def __init__(
        self, session: DeviceSession, said: str, path: Path | None, line: int, *, edits: Edits,
        failed: BaseException | None = None,
    ) -> None:  # fmt: skip
        self._said = said
        self._phone = described_phone(session)
        app = session._context.newest_app or session._context.app
        self._where, spot, check = "", None, ""
        if isinstance(failed, ExpectationFailed) and failed.failure:
            check = failed.failure.kind
        if path:
            self._where = f"{path.name}:{line}"
            spot = Spot(path, line, failed is not None, edits, check) if line else None
        phone = Phone("paused", session._context.driver.uri, app, self._phone, "", spot=spot)
        self._session = OpenSession(
            Explorer(session, app, _no_fresh), phone, session._context.guard
        )

    def prompt(self) -> None:
        """In the terminal, until its reader goes on."""
        say(f"\n{self._said}\n  {self._where}, {self._phone}")
        try:
            say(answers.screen_text(self._session.explorer.look()))
        except ReplicantError as error:  # which may be why it failed
            say(f"the screen cannot be read: {error}")
        say(HELP)
        with terminal(self._session) as read:
            run_prompt(self._session, read, say)

    def serve(
        self, name: str, project: Path, idle_minutes: float, show: Callable[[str], object]
    ) -> None:
        """For commands of other processes, until one closes it or none comes for so long. ``name``
        becomes that of the session, ``project`` is the root that pytest found; ``show`` is given
        how to attach."""

        def announce(taken: str) -> None:
            self._session.phone = replace(self._session.phone, name=taken)
            show(
                f"PAUSED  {self._said}\n  {self._where}, {self._phone}\nAttach: replicant look -s "
                f"{taken}   (then do, expect, save; close -s {taken} goes on)\nIt goes on by "
                f"itself after {idle_minutes:g} minutes without a command."
            )

        wanted = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:30] or "paused"
        serve_here(
            self._session,
            wanted,
            str(project.resolve()),
            idle_minutes * 60,
            announce,
        )
        show(f"{self._session.phone.name} goes on")


def _no_fresh() -> DeviceSession:
    raise UsageError(
        "a paused test cannot start afresh: its own steps are not recorded here. Next: run it again"
    )
