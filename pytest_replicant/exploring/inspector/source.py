"""A phone that is open: what the page asks goes to the process that holds its session."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...errors import ReplicantError, UsageError
from ..given import Values, checked, words_of
from ..process.protocol import Refusal
from ..table import BY_NAME
from ..writing import PLACE, Place
from .screens import PAGE, Picture, Shown

_SECRET_CHARS = 1_000


class Ended(ReplicantError):
    """The session is open no more."""


class LiveSource:
    """``ask`` sends one command to the session, with the secrets that it may name. ``cwd`` is the folder that
    tests are saved in, or below."""

    def __init__(self, ask: Callable[..., Mapping[str, Any]], cwd: Path) -> None:
        self._ask, self._cwd = ask, cwd.resolve()

    def begin(self) -> None:
        """Reads the first screen."""
        self._said("begin")

    def read(self, what: str, *words: str) -> Shown | Picture | None:
        """As the page of the session has it. Only ``poll`` asks the phone. Raises ``UsageError`` for a screen or
        an element that is not there."""
        said = self._said(what, *words)
        if "picture" in said:
            return Picture(base64.b64decode(said["picture"]))
        return self._shown(said) if said["out"] else None

    def command(self, name: str, values: Values, secrets: Values) -> Shown:
        """What the session answers to a command that the page has, and the state after it. ``secrets`` are values
        by the names that a fill mentions. Raises ``UsageError`` for anything else."""
        if name not in BY_NAME or not BY_NAME[name].page:
            raise UsageError(f"{name!r} is no command of this page")
        asked = checked(name, values)
        self._check(name, asked)
        if not all(isinstance(one, str) and len(one) <= _SECRET_CHARS for one in secrets.values()):
            raise UsageError(f"a secret is a text of at most {_SECRET_CHARS:,} characters")
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
