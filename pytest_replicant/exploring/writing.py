"""The test that a session's steps become, and what to say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from pathlib import Path

from ..errors import ReplicantError, UsageError
from ..model import FailureRecord, Selector
from ..reporting.printable import counted
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


@dataclass(frozen=True)
class _Row:
    """One statement of the test, under the title of its ``mobile.step``."""

    title: str
    code: str


def body_of(steps: Sequence[RecordedStep], app: str = "", *, fresh: bool = False) -> list[str]:
    """The lines of the steps, behind the launch of an app if one is named."""
    return _lines(_rows(steps, app, fresh))


def new_test(
    place: Place,
    steps: Sequence[RecordedStep],
    app: str,
    *,
    fresh: bool,
    root: str,
    source: str | None,
    state: str = "",
) -> tuple[NewTest, list[str]]:
    """The test with its imports, and what of the project stands in it in place of steps: fixtures,
    page objects and functions that do the same. ``source`` is the file as it is, ``state`` the
    fixture that the steps began from, "" for the launch of the app."""
    rows = _rows(steps, "" if state else app, fresh)
    arguments: list[str] = ["mobile", *filter(None, [state])]
    imports: list[str] = []
    said: list[str] = []
    for fit in sorted(_fits_of(rows, fresh, root, place), key=lambda one: -one.first):
        covered = rows[fit.first : fit.last + 1]
        titles = {row.title for row in covered}
        if (len(titles) > 1) if fit.code else state:
            continue
        rows[fit.first : fit.last + 1] = [_Row(titles.pop(), fit.code)] if fit.code else []
        arguments += fit.arguments
        imports += fit.imports
        what = fit.code.rpartition("(")[0] if fit.code else ", ".join(fit.arguments)
        said.insert(0, f"{what} of {fit.source} in place of {counted(len(covered), 'step')}")
    body = _lines(rows)
    if source is None or re.search(r"def test_\w+\([^)]*\) -> None:", source):
        arguments[0] = "mobile: Mobile"
        imports.append("from pytest_replicant import Mobile")
    return NewTest(
        place.name, tuple(dict.fromkeys(arguments)), tuple(body), (*imports, *imports_for(body))
    ), said


def _fits_of(rows: Sequence[_Row], fresh: bool, root: str, place: Place) -> list[Fit]:
    """What of the project does the same. A fixture that clears the data, as the session did, comes
    first; one that does not is what the project has agreed on."""
    codes = [row.code for row in rows]
    found = fits([code.replace(_FRESH, "fresh=True") for code in codes], Path(root), place.path)
    if fresh and not any(fit.first == 0 for fit in found):
        plain = fits([code.replace(f", {_FRESH}", "") for code in codes], Path(root), place.path)
        found = plain if any(fit.first == 0 for fit in plain) else found
    return found


def imports_for(body: Sequence[str]) -> list[str]:
    """The imports that these lines need."""
    text = "\n".join(body)
    names = [name for name in _NAMES if re.search(rf"\b{name}\(", text)]
    imports = [f"from pytest_replicant import {', '.join(names)}"] if names else []
    return [
        *imports,
        *(f"import {module}" for module in ("os", "re") if re.search(rf"\b{module}\.[a-z]", text)),
    ]


def _rows(steps: Sequence[RecordedStep], app: str, fresh: bool) -> list[_Row]:
    rows = [row for step in steps for row in _row(step)]
    if app and not (steps and steps[0].durable.verb == "launch"):
        rows.insert(0, _Row("", f"mobile.launch({source_of(app)}{', ' + _FRESH if fresh else ''})"))
    return rows


_FRESH = 'fresh=mobile.platform == "android"'
"""An iPhone cannot clear the data of an app, and refuses to be asked."""


def _row(step: RecordedStep) -> Iterator[_Row]:
    checks = "".join(f".{check.call.code()}" for check in step.checks)
    if step.durable.verb.startswith("wait_for") and step.checks:  # what it returns has no checks
        yield _Row(step.title, step.durable.code("mobile."))
        yield _Row(step.title, f"mobile{checks}")
    else:
        yield _Row(step.title, f"{step.durable.code('mobile.')}{checks}")


def _lines(rows: Sequence[_Row]) -> list[str]:
    lines: list[str] = []
    for title, group in groupby(rows, key=lambda row: row.title):
        inner = [row.code for row in group]
        if title:
            lines += [f"with mobile.step({source_of(title)}):", *(f"    {line}" for line in inner)]
        else:
            lines += inner
    return lines


def said_of(steps: Sequence[RecordedStep]) -> str:
    """What a reviewer asks first: what no check verifies, what proves nothing, what may not
    last."""
    checks = [check for step in steps for check in step.checks]
    bare = [str(step.number) for step in steps if not any(not one.vacuous for one in step.checks)]
    empty = [check.id for check in checks if check.vacuous]
    narrow = [f"step {step.number}: {warning}" for step in steps for warning in step.warnings]
    own = sum(check.own for check in checks)
    parts = [f"Unverified: {', '.join(bare)}."] if bare else []
    parts += [f"Vacuous, true before as well: {', '.join(empty)}."] if empty else []
    parts += [f"Narrow: {'; '.join(narrow)}."] if narrow else []
    parts += [
        f"Hasty: step {step.number} finds a target before step {before.number} too, so check step "
        f"{before.number}."
        for before, step in pairwise(steps)
        if _is_hasty(before, step)
    ]
    parts.append(f"Checks: {len(checks) - own} proposed, {own} your own.")
    calls = [step.durable for step in steps] + [check.call for check in checks]
    needed = sorted({name for call in calls for name in call.secrets()})
    parts += [f"Needs: {', '.join(f'${name}' for name in needed)}."] if needed else []
    return " ".join(parts)


def _is_hasty(before: RecordedStep, step: RecordedStep) -> bool:
    """Whether a step would be done where the one before it has no effect yet, on another element
    there."""
    if before.before is None or step.acted is None or any(not one.vacuous for one in before.checks):
        return False
    here = before.before.locate(step.acted).element
    for target in step.durable.targets():
        with suppress(ReplicantError):
            found = before.before.match(target) if isinstance(target, Selector) else []
            if found and here not in found:
                return True
    return False


class Edits:
    """What this run has written into test files that it has loaded: their code keeps the lines that
    it had. A file that anybody else has changed since ``began`` (seconds since the epoch) is left
    alone."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._shifts: dict[Path, list[list[tuple[int, int]]]] = {}
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
        for shifts in self._shifts.get(path, ()):
            line += sum(added for at, added in shifts if at <= line)
        return line

    def write(self, path: Path, source: SourceFile, after: str) -> int:
        """Writes lines that were added to a file or changed; the result is where the last new ones
        begin."""
        before, now = source.text.splitlines(), after.splitlines()
        changes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        write_source(path, after, source.encoding)
        self._stamps[path] = path.stat().st_mtime_ns
        moved = [
            (end + 1, (last - since) - (end - first)) for _, first, end, since, last in changes
        ]
        shifts = [(line, added) for line, added in moved if added]
        self._shifts.setdefault(path, []).append(shifts)
        return max((since + 1 for tag, _, _, since, _ in changes if tag == "insert"), default=0)


@dataclass
class Spot:
    """The line of a test that stands still, as its code was loaded: steps go before it, or after
    it. ``failed`` is the check there that failed, if one did."""

    path: Path
    line: int
    before: bool
    edits: Edits
    failed: FailureRecord | None = None
    behind: int = 0  # lines that were written behind it already

    def write(
        self,
        steps: Sequence[RecordedStep],
        instead: Call | None = None,
        *,
        only_patch: bool = False,
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
        if instead is not None:  # which stands at a line that all of these went before
            code = instead.code()
            after = with_check(
                text, at + added, self._is_failed, code, imports_for([code]), self.path
            )
        patch = patch_of(self.path.name, source.text, after)
        if only_patch:
            return patch, f"{self.path.name}:{at}"
        if body:
            at = self.edits.write(self.path, source, text)
            now = self.edits.line_now(self.path, self.line)
            self.behind += 0 if self.before else added - (now + self.behind - earlier)
        if instead is not None:
            self.edits.write(self.path, source._replace(text=text), after)
            self.failed = None
        return patch, f"{self.path.name}:{at}"

    def _is_failed(self, code: str) -> bool:
        return self.failed is not None and code.startswith(f"{self.failed.kind}(")
