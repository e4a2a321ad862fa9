"""A phone that is open: its screen, and the commands of its session, for the page."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ...errors import DeviceError, ReplicantError, SnapshotError, UsageError
from ...session.recording.secret_fields import blank
from ...test_code import secrets_in, written
from .. import answers
from ..commands import TROUBLE, USAGE, OpenSession, Said
from ..given import Values, checked
from ..process.handler import Request
from ..steps import StepResult
from ..table import BY_NAME
from ..writing import Place, new_test, said_of
from .screens import Picture, Seen, Shown
from .turns import Busy, Turns

PLACE = "tests/test_inspected.py::test_inspected"
_MOST_KEPT = 8  # screens whose pictures and elements the page may still ask for
_SECRET_CHARS = 1_000


class LiveSource:
    """``cwd`` is the folder that tests are saved in, or below."""

    def __init__(self, session: OpenSession, turns: Turns, cwd: Path) -> None:
        self._session, self._turns, self._cwd = session, turns, cwd.resolve()
        self._kept: dict[str, Seen] = {}
        self._seen: Seen | None = None  # the present screen
        self._picture = ""  # digest of the phone's own picture
        self._trouble = ""
        self._number = 0
        self._code: Shown = {}

    def begin(self) -> None:
        """Reads the first screen. On the phone's thread, before the page is served."""
        self._read()
        self._write()

    # --- what the page asks ----------------------------------------------------------------------------------

    def state(self, name: str = "") -> Shown:
        """Everything that the page shows. Never asks the phone."""
        phone = self._session.phone
        guard = self._session.guard
        seen = self._seen
        return self._clean(
            {
                "mode": "live",
                "name": phone.app,
                "facts": [phone.described, phone.how, *([f"guard: {guard.describe()}"] if guard else [])],
                "trouble": self._trouble,
                "screen": seen.to_dict() if seen is not None else None,
                **self._code,
            }
        )

    def poll(self, seen: str) -> Shown:
        """The state, where the phone looks different by now; ``same`` or ``busy`` else."""
        try:
            changed = self._turns.ask(self._look, counts=False, waits=False)
        except Busy:
            return {"busy": True}
        present = self._seen.id if self._seen is not None else ""
        return self.state() if changed or seen != present else {"same": True}

    def picture(self, id: str, *, marks: bool = False) -> Picture | None:
        seen = self._kept.get(id)
        return (seen.marked if marks else seen.picture) if seen is not None else None

    def element(self, id: str, ref: str) -> Shown:
        """Raises ``UsageError`` for a screen or an element that is not there."""
        seen = self._kept.get(id)
        if seen is None:
            raise UsageError("that screen has gone. Next: choose an element of the present one")
        self._turns.touch()
        return self._clean(seen.element(ref, self._session.explorer.screens, live=True))

    def command(self, name: str, values: Values, secrets: Values) -> Shown:
        """What the session answers to a command that the page has, and the state after it. ``secrets`` are values
        by the names that a fill mentions. Raises ``UsageError`` for whatever is no such request."""
        if name not in BY_NAME or not BY_NAME[name].page:
            raise UsageError(f"{name!r} is no command of this page")
        asked = checked(name, values)
        self._check(name, asked)
        request = Request((name,), str(self._cwd), None, self._env(asked, secrets))
        return self._turns.ask(lambda: self._answer(name, asked, request))

    # --- on the phone's thread -------------------------------------------------------------------------------

    def _answer(self, name: str, values: Values, request: Request) -> Shown:
        try:
            said = self._session.answer(name, values, request)
            answer = _answered(name, said, self._session, values.get("allow", ()))
        except ReplicantError as error:
            answer = _refused(error)
        self._read()
        self._write()
        return {**self._clean(answer), "state": self.state()}

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
        self._kept = {**dict(list(self._kept.items())[-_MOST_KEPT + 1 :]), self._seen.id: self._seen}

    def _write(self) -> None:
        """The test as ``save`` would write it, and what its checks are worth."""
        explorer, phone = self._session.explorer, self._session.phone
        steps = [explorer.proven(one) for one in explorer.steps]
        place = Place.of(PLACE, str(self._cwd))
        text, said = "", said_of(steps) if steps else ""
        if steps:
            new, in_place = new_test(
                place, steps, phone.app, fresh=phone.fresh_in_test, root=str(self._cwd), source=None
            )
            text, said = written(None, new), " ".join([*(f"{one}." for one in in_place), said])
        newest = explorer.steps[-1] if explorer.steps else None
        recorded = {one.id for one in newest.checks} if newest is not None else set()
        self._code = {
            "code": text,
            "said": said,
            "place": PLACE,
            "count": len(steps),
            "title": explorer.title,
            "proposed": [
                {"id": id, "code": one.call.code()}
                for id, one in explorer.proposed.items()
                if newest is not None and one.number == newest.number and id not in recorded
            ],
        }

    # --- whatever is asked ---------------------------------------------------------------------------------------

    def _check(self, name: str, values: Values) -> None:
        """The page writes tests below the folder that it was started in, and no other file."""
        if name == "evidence" and values["output"]:
            raise UsageError("the page keeps no evidence in files. Next: replicant evidence ... --output")
        if name == "save":
            if not values["place"]:
                raise UsageError(f"save takes a file and a test. Next: {PLACE}")
            path = Place.of(values["place"], str(self._cwd)).path.resolve()
            if not path.is_relative_to(self._cwd):
                raise UsageError(
                    f"{values['place']} is outside of {self._cwd}. Next: name a file below it, or start "
                    "replicant inspect in the folder of the tests"
                )

    def _env(self, values: Values, secrets: Values) -> dict[str, str]:
        """The secrets that the steps mention: those that were given, else of the environment."""
        if not all(isinstance(one, str) and len(one) <= _SECRET_CHARS for one in secrets.values()):
            raise UsageError(f"a secret is a text of at most {_SECRET_CHARS:,} characters")
        found = {name: secrets.get(name) or os.environ.get(name, "") for name in secrets_in(values)}
        return {name: value for name, value in found.items() if value}

    def _clean(self, value: Shown) -> Shown:
        """Without the texts of secrets, at any depth."""
        return {name: self._session.hidden_in(one) for name, one in value.items()}


def _answered(name: str, said: Said, session: OpenSession, allowed: Sequence[str]) -> Shown:
    """Whatever is shown of an answer: for steps not the screen, which the page has itself. ``allow`` are the
    words with which the guard would let the step pass, after those that were ``allowed``."""
    results: Sequence[StepResult] = said.results
    text = said.text
    if name == "do" and (batch := session.explorer.batch(said.data["id"])) is not None:
        results = batch.results
        summaries = [one.summary for one in results if one.summary]
        bare = answers.batch_text(replace(batch, proposed={}, results=_without_steps(results)))
        text = "\n".join([bare, *summaries[-1:]]) if batch.failed is None else bare
    elif name == "expect":
        text = answers.checks_text(_without_steps(results))
    failed = next((one for one in results if one.failure is not None), None)
    if failed is None or failed.failure is None:
        return {"text": text, "code": said.code, "next": "", "advice": ""}
    failure = failed.failure
    shown: Shown = {"text": text, "code": said.code, "next": failure.step, "advice": failure.advice}
    if not failure.step:
        shown["advice"] = ""
    if failure.allow:
        shown |= {"advice": failure.step, "allow": [*allowed, failure.allow], "step": failed.given}
    return shown


def _without_steps(results: Sequence[StepResult]) -> list[StepResult]:
    """The results without advice that is a step, which the page has a button for."""
    return [
        replace(one, failure=replace(one.failure, advice="")) if one.failure and one.failure.step else one
        for one in results
    ]


def _refused(error: ReplicantError) -> Shown:
    code = TROUBLE if isinstance(error, DeviceError) else USAGE
    return {"text": str(error), "code": code, "next": "", "advice": ""}


def _digest(png: bytes) -> str:
    return hashlib.sha256(png).hexdigest()
