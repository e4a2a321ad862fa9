"""The findings of a run: each once by app, rule and element, with the tests that saw it, as data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest

from ...accessibility import RULES
from ...codec import encode, json_schema
from ...kept import JudgedScreens, RunRecord
from ...model import AnyDict, Strings, plain
from ...whole_file import write_whole
from ..artifacts.pictures import data_of
from ..artifacts.storage import digest_of
from ..pages.accessibility_page import accessibility_page
from ..printable import counted, printable
from .screens import JudgedScreen, ScreenFinding, one_audit, screens_of

PAGE, DATA = "accessibility.html", "accessibility.json"
_ScreenId = tuple[str, str, str]
"""Platform, app and which screen of it, under any content."""


@dataclass(frozen=True)
class Totals:
    """``rules`` are those that were run on any screen."""

    findings: int
    rules: int
    screens: int


@dataclass(frozen=True)
class NotRun:
    """Why a rule was not run on so many screens."""

    why: str
    screens: int


@dataclass(frozen=True)
class RuleRow:
    """A rule, how much it found, and on how many screens it was run. ``cannot_see`` is what it may get wrong."""

    name: str
    says: str
    source: str
    cannot_see: str
    needs: str
    findings: int
    screens: int
    not_run: tuple[NotRun, ...]


@dataclass(frozen=True)
class ScreenRow:
    """A screen by its title. ``screen_key`` says which one it is, under any content."""

    platform: str
    app: str
    screen: str
    screen_key: str
    tests: Strings


@dataclass(frozen=True)
class SeenIn:
    """The test, its page as seen from the folder of the file, and the step in it."""

    test: str
    trace: str
    step: str


@dataclass(frozen=True, kw_only=True)
class FindingRow(ScreenFinding):
    """A finding where it was first seen. ``key`` is the same in every run; ``crop`` is its picture as seen from
    the folder of the file."""

    platform: str
    app: str
    screen: str
    screen_key: str
    tests: tuple[SeenIn, ...]


@dataclass(frozen=True)
class AccessibilityFile:
    """What rules of accessibility found on the screens that one run visited, in the order of the rules. A finding
    stands once by app, rule and element. ``started_at`` is ISO 8601 in UTC."""

    run_id: str
    started_at: str
    totals: Totals
    rules: tuple[RuleRow, ...]
    screens: tuple[ScreenRow, ...]
    findings: tuple[FindingRow, ...]
    schema: Literal["replicant.accessibility/1"] = "replicant.accessibility/1"


class AccessibilityReport:
    """Registered once a run, on the controller."""

    NAME = "replicant-accessibility-run"

    def __init__(self) -> None:
        self._looks: dict[str, JudgedScreen] = {}
        self._crops: dict[tuple[str, str], str] = {}
        self._seen: dict[str, dict[str, tuple[str, str]]] = {}  # by look: the tests, each with trace and step

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for one in screens_of(report):
            for new in one.new:
                self._looks.setdefault(new.id, new)
                for finding in new.findings:
                    if finding.crop:
                        self._crops.setdefault((new.app, finding.key), finding.crop)
            for look, step in one.seen.items():
                self._seen.setdefault(look, {}).setdefault(one.test, (one.trace, step))

    def write(self, run: RunRecord, folder: Path) -> JudgedScreens | None:
        """Writes both files; None where no screen was judged. Raises ``OSError``."""
        if not self._looks:
            return None
        file = self.file(run.run_id, run.started_at)
        crops = [one.crop or "" for one in file.findings]
        stored = [
            replace(one, crop=self._stored(crop, folder)) for one, crop in zip(file.findings, crops, strict=True)
        ]
        file = replace(file, findings=tuple(stored))
        write_whole(folder / DATA, encode(file, indent=1))
        write_whole(folder / PAGE, accessibility_page(plain(file), crops).encode("utf-8"))
        return JudgedScreens(**vars(file.totals), page=PAGE)

    def _stored(self, crop: str | None, folder: Path) -> str | None:
        """Where the picture lies, as seen from the run's folder."""
        if not crop:
            return None
        data, extension = data_of(crop)
        path = f"blobs/{digest_of(data)}{extension}"
        if not (folder / path).is_file():
            write_whole(folder / path, data)
        return path

    def file(self, run_id: str, started_at: str) -> AccessibilityFile:
        """In an order that no worker decides; each ``crop`` is the address of a picture."""
        found = sorted(self._findings(), key=_order)
        screens: dict[_ScreenId, list[JudgedScreen]] = {}
        for look in self._sorted():
            screens.setdefault((look.platform, look.app, look.screen_key), []).append(look)
        ran = {rule for look in self._looks.values() for rule in look.ran}
        rows = [
            ScreenRow(
                platform, app, looks[0].screen, key,
                tuple(sorted({test for look in looks for test in self._seen.get(look.id, ())})),
            )
            for (platform, app, key), looks in sorted(screens.items())
        ]  # fmt: skip
        return AccessibilityFile(
            run_id,
            started_at,
            Totals(len(found), len(ran), len(screens)),
            tuple(self._rules(screens, Counter(one.rule for one in found))),
            tuple(rows),
            tuple(found),
        )

    def _sorted(self) -> list[JudgedScreen]:
        return sorted(self._looks.values(), key=lambda look: look.id)

    def _findings(self) -> Iterator[FindingRow]:
        first: dict[tuple[str, str], tuple[ScreenFinding, JudgedScreen]] = {}
        tests: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}  # the trace of each, and the step in it
        for look in self._sorted():
            for finding in look.findings:
                key = look.app, finding.key
                first.setdefault(key, (finding, look))
                tests.setdefault(key, {}).update(self._seen.get(look.id, {}))
        for key, (finding, look) in first.items():
            known = {**vars(finding), "crop": self._crops.get(key)}
            yield FindingRow(
                **known,
                platform=look.platform,
                app=look.app,
                screen=look.screen,
                screen_key=look.screen_key,
                tests=tuple(SeenIn(test, *place) for test, place in sorted(tests[key].items())),
            )

    def _rules(
        self, screens: Mapping[_ScreenId, Sequence[JudgedScreen]], found: Mapping[str, int]
    ) -> Iterator[RuleRow]:
        """Each rule, with the number of screens that it was run on. On others it was run on no look of them."""
        for name, rule in RULES.items():
            why: Counter[str] = Counter()
            ran_on = 0
            for looks in screens.values():
                ran = any(name in look.ran for look in looks)
                ran_on += ran
                reasons = [look.not_run[name] for look in looks if name in look.not_run]
                why.update(reasons[:1] if not ran else ())
            if ran_on or why:
                not_run = tuple(NotRun(reason, count) for reason, count in sorted(why.items()))
                yield RuleRow(
                    name, rule.says, rule.source, rule.cannot_see, rule.needs, found.get(name, 0), ran_on, not_run
                )


def _order(one: FindingRow) -> tuple[object, ...]:
    names = [*RULES]
    at = names.index(one.rule) if one.rule in names else len(names)
    return at, one.platform, one.app, one.screen, one.key


def summary_line(judged: JudgedScreens | None, folder: Path | None) -> str:
    """The line at the end of a run. It never says that an app is accessible."""
    if judged is None:
        kept = "" if folder is not None else ": --replicant-trace=off keeps none"
        return f"accessibility: no screen was judged{kept}"
    page = printable((folder / judged.page).as_posix()) if folder is not None else judged.page
    found = one_audit(judged.findings, judged.rules)
    return f"accessibility: {found} on {counted(judged.screens, 'screen')}: {page}"


def accessibility_schema() -> AnyDict:
    """The schema of ``replicant.accessibility/1`` (JSON Schema, draft 2020-12); a new value on every call."""
    return json_schema(AccessibilityFile)
