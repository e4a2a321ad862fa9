"""The page of a session, in the process that holds it: its screen, and what it shows of answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...errors import DeviceError, ReplicantError, SnapshotError, UsageError
from ...reporting.printable import counted
from ...session.recording.secret_fields import blank
from .. import answers
from ..commands import OpenSession, Said, code_of
from ..given import values_of
from ..process.turns import Answer, Request
from ..steps import StepResult
from ..writing import PLACE, Place, body_of
from .screens import PAGE, Picture, Seen, Shown

_MOST_KEPT = 8  # screens whose pictures and elements the page may still ask for


class LivePage:
    """A session, and its page: a request of ``PAGE`` has the name of a question, and its words."""

    def __init__(self, session: OpenSession) -> None:
        self._session = session
        self._kept: dict[str, Seen] = {}
        self._seen: Seen | None = None  # the present screen
        self._picture = ""  # digest of the phone's own picture
        self._trouble = ""
        self._number = 0
        self._code: Shown = {}
        self.facts, self.close = session.facts, session.close

    def peek(self, request: Request, busy: bool) -> Answer | None:
        """What does not ask the phone; a look at it waits for no one. Raises ``UsageError`` for an
        element that is not there."""
        if request.verb != PAGE:
            return self._session.peek(request, busy)
        what, *words = request.argv[1:]
        if what == "poll" and busy:
            return self._answer({"busy": True})
        if what == "state":
            return self._answer(self._state())
        if what == "element":
            return self._answer(self._element(*words))
        if what in ("picture", "marked"):
            seen = self._kept.get(words[0])
            picture = getattr(seen, what, None)
            return Answer(picture=picture.data if picture is not None else b"")
        return Answer(self._farewell()) if what == "farewell" else None

    def handle(self, request: Request) -> Answer:
        """``begin`` reads the first screen, ``poll`` one that looks different by now, ``do`` is a
        command."""
        if request.verb != PAGE:
            return self._session.handle(request)
        what, *words = request.argv[1:]
        if what == "poll":
            changed = self._look()
            present = self._seen.id if self._seen is not None else ""
            return self._answer(self._state() if changed or words != [present] else {"same": True})
        shown = self._said(words, request) if what == "do" else {}
        self._read()
        self._write(request.cwd)
        return self._answer({**shown, "state": self._state()})

    def _answer(self, shown: Shown) -> Answer:
        return Answer(json.dumps(self._session.hidden_in(shown)))

    def _state(self) -> Shown:
        """Everything that the page shows."""
        phone, guard, seen = self._session.phone, self._session.guard, self._seen
        return {
            "mode": "live",
            "name": phone.app,
            "facts": [
                phone.described,
                phone.how,
                *([f"guard: {guard.describe()}"] if guard else []),
            ],
            "trouble": self._trouble,
            "screen": seen.to_dict() if seen is not None else None,
            **self._code,
        }

    def _element(self, id: str, ref: str) -> Shown:
        seen = self._kept.get(id)
        if seen is None:
            raise UsageError("that screen has gone. Next: choose an element of the present one")
        return seen.element(ref, self._session.explorer.screens, live=True)

    def _farewell(self) -> str:
        """That the phone is free by then, and the steps that no file has."""
        steps, phone = self._session.explorer.steps, self._session.phone
        head = f"Ended, {phone.described} is free."
        if not self._session.unsaved():
            return head
        body = "\n".join(
            f"  {line}" for line in body_of(steps, phone.app, fresh=phone.fresh_in_test)
        )
        return f"{head} {counted(len(steps), 'step')} not saved:\n{body}"

    # --- on the phone's thread --------------------------------------------------------------------

    def _said(self, argv: Sequence[str], request: Request) -> Shown:
        try:
            values = values_of(argv)
            said = self._session.answer(argv[0], values, replace(request, argv=tuple(argv)))
        except ReplicantError as error:
            return {"text": str(error), "code": code_of(error), "next": "", "advice": ""}
        return _answered(argv[0], said, values.get("allow", ()))

    def _look(self) -> bool:
        """Whether the phone looks different than it was read last; then it is read."""
        try:
            png = self._session.explorer.session._context.driver.screenshot()
        except DeviceError as error:
            had, self._trouble = self._trouble, str(error)
            return had != self._trouble
        if _digest(png) == self._picture and not self._trouble:
            return False
        self._read(png)
        return True

    def _read(self, png: bytes | None = None) -> None:
        explorer = self._session.explorer
        try:
            snapshot = explorer.look()
            if png is None:
                with suppress(DeviceError):  # a window that lets no one take its picture
                    png = explorer.session._context.driver.screenshot()
        except (DeviceError, SnapshotError) as error:
            self._trouble = str(error)
            return
        self._trouble = ""
        picture = None
        if png is not None:
            self._picture = _digest(png)
            picture = Picture(blank(png, snapshot, explorer.session._context.recorder.redactor))
        self._number += 1
        self._seen = Seen(str(self._number), snapshot, picture)
        self._kept = {
            **dict(list(self._kept.items())[-_MOST_KEPT + 1 :]),
            self._seen.id: self._seen,
        }

    def _write(self, cwd: str) -> None:
        """The test as ``save`` would write it, and what its checks are worth."""
        explorer = self._session.explorer
        text, said = (
            self._session.draft(Place.of(PLACE, cwd), cwd, None) if explorer.steps else ("", "")
        )
        newest = explorer.steps[-1] if explorer.steps else None
        recorded = {one.id for one in newest.checks} if newest is not None else set()
        self._code = {
            "code": text,
            "said": said,
            "place": PLACE,
            "count": len(explorer.steps),
            "title": explorer.title,
            "proposed": [
                {"id": id, "code": one.code()}
                for id, one in explorer.proposed.items()
                if id not in recorded
            ],
        }


def _answered(name: str, said: Said, allowed: Sequence[str]) -> Shown:
    """An answer as the page shows it: for steps not the screen, which the page has itself.
    ``allow`` are the words with which the guard would let the step pass, after those that were
    ``allowed``."""
    results, text = _without_steps(said.results), said.text
    failed = next((one for one in said.results if one.failure is not None), None)
    if name == "do":
        summaries = [one.summary for one in results if one.summary]
        text = "\n".join([*answers.steps_of(results), *(summaries[-1:] if failed is None else [])])
    elif name == "expect":
        text = answers.checks_text(results)
    shown: dict[str, Any] = {"text": text, "code": said.code, "next": "", "advice": ""}
    if failed is None or failed.failure is None:
        return shown
    failure = failed.failure
    if failure.step:
        shown |= {"next": failure.step, "advice": failure.advice}
    if failure.allow:
        shown |= {"advice": failure.step, "allow": [*allowed, failure.allow], "step": failed.given}
    return shown


def _without_steps(results: Sequence[StepResult]) -> list[StepResult]:
    """The results without advice that is a step, which the page has a button for."""
    return [
        replace(one, failure=replace(one.failure, advice=""))
        if one.failure and one.failure.step
        else one
        for one in results
    ]


def _digest(png: bytes) -> str:
    return hashlib.sha256(png).hexdigest()
