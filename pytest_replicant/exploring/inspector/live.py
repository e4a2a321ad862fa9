"""The page of a session, in the process that holds it: its screen, and what it shows of answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ...errors import DeviceError, ReplicantError, SnapshotError, UsageError
from ...model.printable import counted
from ...session.recording.secret_fields import blank
from .. import answers
from ..commands import OpenSession, code_of
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
        self._png = b""  # the phone's own picture
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
            picture = getattr(self._kept.get(words[0]), what, None)
            return Answer(picture=picture.data if picture else b"")
        return self._farewell() if what == "farewell" else None

    def _farewell(self) -> Answer:
        """That the phone is free by then, and the steps that no file has."""
        steps, phone = self._session.explorer.steps, self._session.phone
        lines = [f"Ended, {phone.described} is free."]
        if self._session.unsaved():
            lines[0] += f" {counted(len(steps), 'step')} not saved:"
            body = body_of(steps, phone.app, fresh=phone.fresh_in_test)
            lines += [f"  {line}" for line in body]
        return Answer("\n".join(lines))

    def handle(self, request: Request) -> Answer:
        """``begin`` reads the first screen, ``poll`` one that looks different by now, ``do`` is a
        command."""
        if request.verb != PAGE:
            return self._session.handle(request)
        what, *words = request.argv[1:]
        if what == "poll":
            changed = self._look()
            present = self._seen.id if self._seen else ""
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
        facts = [phone.described, phone.how]
        if guard:
            facts.append(f"guard: {guard.describe()}")
        return {
            "mode": "live",
            "name": phone.app,
            "facts": facts,
            "trouble": self._trouble,
            "screen": seen.to_dict() if seen else None,
            **self._code,
        }

    def _element(self, id: str, ref: str) -> Shown:
        seen = self._kept.get(id)
        if not seen:
            raise UsageError("that screen has gone. Next: choose an element of the present one")
        return seen.element(ref, self._session.explorer.screens, live=True)

    # --- on the phone's thread --------------------------------------------------------------------

    def _said(self, argv: Sequence[str], request: Request) -> Shown:
        """An answer as the page shows it: for steps not the screen, which the page has itself, and
        without advice that is a step, which it has a button for. ``allow`` are the words with which
        the guard would let the step pass."""
        shown: Shown = {"next": "", "advice": ""}
        try:
            values = values_of(argv)
            said = self._session.answer(argv[0], values, replace(request, argv=tuple(argv)))
        except ReplicantError as error:
            return {**shown, "text": str(error), "code": code_of(error)}
        shown |= {"text": said.text, "code": said.code}
        results: list[StepResult] = []
        summary = ""
        for one in said.results:
            summary, failure = one.summary or summary, one.failure
            if failure:
                summary = ""
                if failure.step:
                    shown |= {"next": failure.step, "advice": failure.advice}
                    one = replace(one, failure=replace(failure, advice=""))
                if failure.allow:
                    allow = [*values.get("allow", ()), failure.allow]
                    shown |= {"advice": failure.step, "allow": allow, "step": one.given}
            results.append(one)
        if argv[0] == "do":
            shown["text"] = "\n".join(filter(None, [*answers.steps_of(results), summary]))
        elif argv[0] == "expect":
            shown["text"] = answers.checks_text(results)
        return shown

    def _look(self) -> bool:
        """Whether the phone looks different than it was read last; then it is read."""
        try:
            png = self._session.explorer.session._context.driver.screenshot()
        except DeviceError as error:
            had, self._trouble = self._trouble, str(error)
            return had != self._trouble
        if png == self._png and not self._trouble:
            return False
        self._read(png)
        return True

    def _read(self, png: bytes = b"") -> None:
        explorer = self._session.explorer
        context = explorer.session._context
        try:
            snapshot = explorer.look()
            if not png:
                with suppress(DeviceError):  # a window that lets no one take its picture
                    png = context.driver.screenshot()
        except (DeviceError, SnapshotError) as error:
            self._trouble = str(error)
            return
        self._trouble = ""
        picture = None
        if png:
            self._png = png
            picture = Picture(blank(png, snapshot, context.recorder.redactor))
        self._number += 1
        self._seen = Seen(str(self._number), snapshot, picture)
        self._kept[self._seen.id] = self._seen
        self._kept.pop(str(self._number - _MOST_KEPT), None)

    def _write(self, cwd: str) -> None:
        """The test as ``save`` would write it, and what its checks are worth."""
        explorer = self._session.explorer
        text, said, recorded = "", "", list[str]()
        if explorer.steps:
            text, said = self._session.draft(Place.of(PLACE, cwd), cwd, None)
            recorded = [one.id for one in explorer.steps[-1].checks]
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
