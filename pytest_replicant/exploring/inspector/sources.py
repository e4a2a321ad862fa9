"""What the page asks: the session of a phone that is open, or a trace that was kept, which may be
anybody's."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ...errors import ReplicantError, SnapshotError, UsageError
from ...kept_runs import RecordedAttempt, attempts_of, newest_at
from ...model.printable import few, printable
from ..given import Values, checked, words_of
from ..process.protocol import Refusal
from ..table import BY_NAME
from ..writing import PLACE, Place
from .screens import PAGE, Picture, Seen, Shown

_MOST_NAMED = 8
_SIDES = 4  # of a rectangle


class Ended(ReplicantError):
    """The session is open no more."""


class LiveSource:
    """``ask`` sends one command to the session, with the secrets that it may name. ``cwd`` is the
    folder that tests are saved in, or below."""

    def __init__(self, ask: Callable[..., Mapping[str, Any]], cwd: Path) -> None:
        self._ask, self._cwd = ask, cwd.resolve()

    def begin(self) -> None:
        """Reads the first screen."""
        self._said("begin")

    def read(self, what: str, *words: str) -> Shown | Picture | None:
        """As the page of the session has it. Only ``poll`` asks the phone. Raises ``UsageError``
        for a screen or an element that is not there."""
        said = self._said(what, *words)
        if said.get("picture"):
            return Picture(base64.b64decode(said["picture"]))
        return self._shown(said) if said["out"] else None

    def command(self, name: str, values: Values, secrets: Mapping[str, str]) -> Shown:
        """What the session answers to a command that the page has, and the state after it.
        ``secrets`` are values by the names that a fill mentions. The page writes tests below the
        folder that it was started in, and no other file. Raises ``UsageError`` for anything
        else."""
        if name not in BY_NAME or not BY_NAME[name].page:
            raise UsageError(f"{name!r} is no command of this page")
        asked = checked(name, values)
        if name == "evidence" and asked["output"]:
            raise UsageError(
                "the page keeps no evidence in files. Next: replicant evidence ... --output"
            )
        if name == "save":
            if not asked["place"]:
                raise UsageError(f"save takes a file and a test. Next: {PLACE}")
            path = Place.of(asked["place"], str(self._cwd)).path.resolve()
            if not path.is_relative_to(self._cwd):
                raise UsageError(
                    f"{asked['place']} is outside of {self._cwd}. Next: name a file below it, or "
                    "start replicant inspect in the folder of the tests"
                )
        given = {key: one for key, one in secrets.items() if one}
        return self._shown(self._said("do", *words_of(name, asked), secrets=given))

    def farewell(self) -> str:
        """What to say once the phone is free."""
        return str(self._said("farewell")["out"])

    @staticmethod
    def _shown(said: Mapping[str, Any]) -> Shown:
        shown: Shown = json.loads(said["out"])
        return shown

    def _said(self, *words: str, **given: Any) -> Mapping[str, Any]:
        try:
            said = self._ask((PAGE, *words), cwd=str(self._cwd), **given)
        except Refusal as refusal:
            raise Ended(f"{refusal.args[0]}. Next: replicant inspect APP") from None
        if said["code"]:
            raise UsageError(said["err"].strip().removeprefix("replicant: "))
        return said


@dataclass
class KeptTrace:
    """One attempt of one test, and its screens that were shown."""

    attempt: RecordedAttempt
    _seen: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def open(cls, given: str) -> KeptTrace:
        """``REPORT`` or ``REPORT::test``. Raises ``UsageError`` if that is not one test with a
        trace."""
        report, _, test = given.partition("::")
        every = list(attempts_of(newest_at(report), []))
        latest = {  # the last
            one.nodeid: one for one in every if not test or f"::{one.nodeid}".endswith(f"::{test}")
        }
        if len(latest) == 1:
            return cls(next(iter(latest.values())))
        what = f"{len(latest)} tests" if latest else f"no test {test!r}"
        names = [*latest] or [one.nodeid for one in every]
        listed = "\n".join(
            f"  {printable(name, 160)}" for name in few(sorted(set(names)), _MOST_NAMED)
        )
        example = printable(next(iter(names), "test_order").rpartition("::")[2], 100)
        raise UsageError(f"{report} has {what}.\n{listed}\nNext: --trace {report}::{example}")

    @cached_property
    def steps(self) -> list[Shown]:
        """What was done and checked, ready for JSON; each screen by its name, or ""."""
        return [
            {
                "title": one.title,
                "kind": one.kind,
                "failed": bool(one.error or one.failure),
                "error": one.error,
                "source": one.source,
                "before": one.before.id,
                "after": one.after.id,
                "target": list(one.box) if len(one.box) == _SIDES else None,
            }
            for one in self.attempt.steps
            if one.kind in ("action", "check")
        ]

    def state(self, name: str = "") -> Shown:
        """Everything that the page shows; ``name`` is the screen. Raises ``UsageError`` for one
        that is none."""
        after = (one["after"] for one in self.steps if one["after"])
        name = name or next(after, next(iter(self.attempt.screens), ""))
        screen: Shown | None = None
        trouble = "" if name else "This trace has no screen."
        try:
            screen = self._screen(name).to_dict() if name else None
        except SnapshotError as error:
            trouble = printable(str(error), 328)
        return {
            "mode": "trace",
            "name": self.attempt.nodeid,
            "outcome": self.attempt.outcome,
            "facts": ["kept trace", printable(self.attempt.device or "phone", 80)],
            "trouble": trouble,
            "screen": screen,
            "steps": self.steps,
        }

    def read(self, what: str, *words: str) -> Shown | Picture | None:
        """As ``Source`` has it; a recording never changes. Locators are tried on the other screens
        of the trace that were shown. Raises ``UsageError`` and ``SnapshotError``."""
        if what == "poll":
            return {"same": True}
        if what in ("picture", "marked"):
            return self.picture(words[0], marks=what == "marked")
        if what == "element":
            name, ref = words
            seen = self._screen(name)
            return seen.element(ref, [one.snapshot for one in list(self._seen.values())])
        return self.state(*words)

    def picture(self, id: str, marks: bool = False) -> Picture | None:
        try:
            seen = self._screen(id)
            return seen.marked if marks else seen.picture
        except (UsageError, SnapshotError):
            return None

    def command(self, name: str, values: Values, secrets: Mapping[str, str]) -> Shown:
        raise UsageError(
            "a kept trace is only looked at: there is no phone. Next: replicant inspect APP"
        )

    def _screen(self, name: str) -> Seen:
        """Raises ``UsageError`` for a name that none has, ``SnapshotError`` for bad bytes."""
        record = self.attempt.screens.get(name)
        if not record:
            raise UsageError(f"{name!r} is no screen of this trace")
        if name not in self._seen:
            picture = None
            try:
                data = self.attempt.picture(record)
                if data is not None:
                    picture = Picture(data, f"image/{record.picture.rpartition('.')[2]}")
                self._seen[name] = Seen(name, self.attempt.parsed(record.blob, name), picture)
            except (OSError, ValueError, SnapshotError) as error:
                raise SnapshotError(f"This screen cannot be read: {error}") from None
        return self._seen[name]
