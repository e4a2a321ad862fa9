"""The test that a session's steps become, and what to say of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from ..errors import ReplicantError, UsageError
from ..model import Selector
from ..model.printable import counted
from ..test_code import (
    Call,
    Fit,
    NewTest,
    SourceFile,
    fits,
    inserted,
    patch_of,
    read_source,
    source_of,
    with_check,
    write_source,
)
from .steps import RecordedStep

PLACE = "tests/test_inspected.py::test_inspected"
"""Where the page of an inspector puts its test, unless it is asked for another place."""
_NAMES = ("Screen", "Secret", "by")


@dataclass(frozen=True)
class Place:
    """Where a test goes: ``tests/test_order.py::test_order``."""

    path: Path
    name: str

    @classmethod
    def of(cls, text: str, folder: str) -> Place:
        """Raises ``UsageError`` for anything but FILE.py::test_name."""
        file, _, name = text.partition("::")
        path = Path(folder, file)
        if path.suffix != ".py" or not name.isidentifier():
            raise UsageError(f"{text!r} names no test. Next: save tests/test_order.py::test_order")
        if not name.startswith("test"):
            raise UsageError(f"{name!r}: pytest finds tests whose names begin with test")
        return cls(path, name)


class _Row(NamedTuple):
    """One statement of the test, under the title of its ``mobile.step``."""

    title: str
    code: str


def body_of(steps: Sequence[RecordedStep], app: str = "", fresh: bool = False) -> list[str]:
    """The lines of the steps, behind the launch of an app if one is named."""
    return _lines(_rows(steps, app, fresh))


def new_test(
    place: Place,
    steps: Sequence[RecordedStep],
    app: str,
    fresh: bool,
    root: str,
    source: str | None,
    state: str,
) -> tuple[NewTest, list[str]]:
    """The test with its imports, and what of the project stands in it in place of steps: fixtures,
    page objects and functions that do the same. ``source`` is the file as it is, ``state`` the
    fixture that the steps began from, "" for the launch of the app."""
    rows = _rows(steps, "" if state else app, fresh)
    arguments = ["mobile", *filter(None, [state])]
    imports: list[str] = []
    said: list[str] = []
    for fit in sorted(_fits_of(rows, fresh, root, place), key=lambda one: -one.first):
        covered = rows[fit.first : fit.last + 1]
        titles = {row.title for row in covered}
        if (len(titles) > 1) if fit.code else state:
            continue
        what = ", ".join(fit.arguments)
        if fit.code:
            what = fit.code.rpartition("(")[0]
            rows.insert(fit.last + 1, _Row(titles.pop(), fit.code))
        del rows[fit.first : fit.last + 1]
        arguments += fit.arguments
        imports += fit.imports
        said.insert(0, f"{what} of {fit.source} in place of {counted(len(covered), 'step')}.")
    body = _lines(rows)
    if source is None or re.search(r"def test_\w+\([^)]*\) -> None:", source):
        arguments[0] = "mobile: Mobile"
        imports.append("from pytest_replicant import Mobile")
    imports += imports_for(body)
    return NewTest(place.name, tuple(dict.fromkeys(arguments)), tuple(body), tuple(imports)), said


def _fits_of(rows: Sequence[_Row], fresh: bool, root: str, place: Place) -> list[Fit]:
    """What of the project does the same. A fixture that clears the data, as the session did, comes
    first; one that does not is what the project has agreed on."""

    def found(old: str, new: str) -> list[Fit]:
        return fits([row.code.replace(old, new) for row in rows], Path(root), place.path)

    clears = found(_FRESH, "fresh=True")
    if fresh and all(fit.first for fit in clears):
        plain = found(f", {_FRESH}", "")
        if not all(fit.first for fit in plain):
            return plain
    return clears


def imports_for(body: Sequence[str]) -> list[str]:
    """The imports that these lines need."""
    text = "\n".join(body)
    imports = [f"import {name}" for name in ("os", "re") if re.search(rf"\b{name}\.[a-z]", text)]
    if names := [name for name in _NAMES if re.search(rf"\b{name}\(", text)]:
        imports.insert(0, f"from pytest_replicant import {', '.join(names)}")
    return imports


def _rows(steps: Sequence[RecordedStep], app: str, fresh: bool) -> list[_Row]:
    rows = []
    if app and not (steps and steps[0].durable.verb == "launch"):
        rows.append(_Row("", f"mobile.launch({source_of(app)}{', ' + _FRESH if fresh else ''})"))
    for step in steps:
        code = step.durable.code("mobile.")
        if step.durable.verb.startswith("wait_for") and step.checks:
            rows.append(_Row(step.title, code))
            code = "mobile"  # what it returns has no checks
        checks = "".join(f".{check.call.code()}" for check in step.checks)
        rows.append(_Row(step.title, f"{code}{checks}"))
    return rows


_FRESH = 'fresh=mobile.platform == "android"'
"""An iPhone cannot clear the data of an app, and refuses to be asked."""


def _lines(rows: Sequence[_Row]) -> list[str]:
    lines: list[str] = []
    for title, group in groupby(rows, key=lambda row: row.title):
        indent = ""
        if title:
            lines.append(f"with mobile.step({source_of(title)}):")
            indent = "    "
        lines += [f"{indent}{row.code}" for row in group]
    return lines


def said_of(steps: Sequence[RecordedStep]) -> str:
    """What a reviewer asks first: what no check verifies, what proves nothing, what may not
    last."""
    checks = [check for step in steps for check in step.checks]
    bare = [str(step.number) for step in steps if all(one.vacuous for one in step.checks)]
    empty = [check.id for check in checks if check.vacuous]
    narrow = [f"step {step.number}: {warning}" for step in steps for warning in step.warnings]
    own = sum(check.own for check in checks)
    calls = [*(step.durable for step in steps), *(check.call for check in checks)]
    needed = sorted({f"${name}" for call in calls for name in call.secrets()})
    hasty = [
        f"Hasty: step {step.number} finds a target before step {before.number} too, so check step "
        f"{before.number}."
        for before, step in pairwise(steps)
        if _is_hasty(before, step)
    ]
    lists = (
        ("Unverified", ", ".join(bare)),
        ("Vacuous, true before as well", ", ".join(empty)),
        ("Narrow", "; ".join(narrow)),
    )
    parts = [f"{what}: {those}." for what, those in lists if those]
    parts += hasty
    parts.append(f"Checks: {len(checks) - own} proposed, {own} your own.")
    if needed:
        parts.append(f"Needs: {', '.join(needed)}.")
    return " ".join(parts)


def _is_hasty(before: RecordedStep, step: RecordedStep) -> bool:
    """Whether a step would be done where the one before it has no effect yet, on another element
    there."""
    screen = before.before
    if not screen or not step.acted or not all(one.vacuous for one in before.checks):
        return False
    here = screen.locate(step.acted).element
    for target in step.durable.targets():
        with suppress(ReplicantError):
            found = screen.match(target) if isinstance(target, Selector) else []
            if found and here not in found:
                return True
    return False


class Edits:
    """What this run has written into test files that it has loaded: their code keeps the lines that
    it had. A file that anybody else has changed since ``began`` (seconds since the epoch) is left
    alone."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._shifts = defaultdict[Path, list[tuple[int, int]]](list)
        self._stamps: dict[Path, int] = {}

    def line_now(self, path: Path, line: int) -> int:
        """Where a line of the loaded code is now. Raises ``UsageError`` if that is not known."""
        stamp = path.stat().st_mtime_ns if path.exists() else 0
        known = self._stamps.get(path)
        if stamp != known if known is not None else not 0 < stamp / 1e9 < self._began:
            raise UsageError(
                f"{path.name} was changed since this run has loaded it, and line {line} may be "
                "another one now. Next: last prints the lines, to be put there by hand"
            )
        for at, added in self._shifts[path]:
            if at <= line:
                line += added
        return line

    def write(self, path: Path, source: SourceFile, after: str) -> int:
        """Writes lines that were added to a file or changed; the result is where the last new ones
        begin."""
        before, now = source.text.splitlines(), after.splitlines()
        changes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        write_source(path, after, source.encoding)
        self._stamps[path] = path.stat().st_mtime_ns
        for _, first, end, since, last in reversed(changes):  # the lowest, as others move it
            self._shifts[path].append((end + 1, (last - since) - (end - first)))
        return max((since + 1 for tag, _, _, since, _ in changes if tag == "insert"), default=0)


@dataclass
class Spot:
    """The line of a test that stands still, as its code was loaded: steps go before it, or after
    it. ``failed`` is the check there that failed, such as ``expect_visible``, "" if none did."""

    path: Path
    line: int
    before: bool
    edits: Edits
    failed: str = ""
    behind: int = 0  # lines that were written behind it already

    def write(
        self, steps: Sequence[RecordedStep], instead: Call | None, only_patch: bool
    ) -> tuple[str, str]:
        """Puts the steps there, and ``instead`` in place of the check that failed, unless
        ``only_patch``. Returns the patch, and where they are, FILE:LINE. Raises ``UsageError``."""
        at = earlier = self.edits.line_now(self.path, self.line) + self.behind
        body, source = body_of(steps), read_source(self.path)
        text = source.text
        if body:
            text = inserted(text, at, body, imports_for(body), before=self.before, path=self.path)
        added = len(text.splitlines()) - len(source.text.splitlines())
        after = text
        if instead:  # which stands at a line that all of these went before
            code = instead.code()
            imports = imports_for([code])
            after = with_check(text, at + added, self.failed, code, imports, self.path)
        if not only_patch:
            if body:
                at = self.edits.write(self.path, source, text)
            if not self.before:
                now = self.edits.line_now(self.path, self.line)
                self.behind += added - (now + self.behind - earlier)
            if instead:
                self.edits.write(self.path, source._replace(text=text), after)
                self.failed = ""
        return patch_of(self.path.name, source.text, after), f"{self.path.name}:{at}"
