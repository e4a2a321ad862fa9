"""The findings of a run: each once by app, rule and element, with the tests that saw it, as data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ...accessibility import RULES
from ...json_fields import packaged_json
from ..artifacts.document import file_json, plain
from ..artifacts.pictures import data_of
from ..artifacts.storage import digest_of, write_whole
from ..pages.accessibility_page import accessibility_page
from ..printable import counted, printable
from ..triage.run_record import JudgedScreens, RunRecord
from .screens import JudgedScreen, ScreenFinding, one_audit, screens_of

SCHEMA = "replicant.accessibility/1"
PAGE, DATA = "accessibility.html", "accessibility.json"
_ScreenId = tuple[str, str, str]
"""Platform, app and which screen of it, under whatever content."""


@dataclass
class _Found:
    finding: ScreenFinding
    screen: JudgedScreen
    tests: dict[str, tuple[str, str]] = field(default_factory=dict)  # the trace of each, and the step in it


class AccessibilityReport:
    """Registered once a run, on the controller."""

    NAME = "replicant-accessibility-run"

    def __init__(self) -> None:
        self._looks: dict[str, JudgedScreen] = {}
        self._crops: dict[tuple[str, str], str] = {}
        self._seen: dict[str, dict[str, tuple[str, str]]] = {}  # by look: the tests, each with trace and step

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for one in screens_of(report):
            for look in one.new:
                self._looks.setdefault(look.id, look)
                for finding in look.findings:
                    if finding.crop:
                        self._crops.setdefault((look.app, finding.key), finding.crop)
            for seen in one.seen:
                self._seen.setdefault(seen.id, {}).setdefault(one.test, (one.trace, seen.step))

    def write(self, run: RunRecord, folder: Path) -> JudgedScreens | None:
        """Writes both files; None where no screen was judged. Raises ``OSError``."""
        if not self._looks:
            return None
        document = self.document(run.run_id, run.started_at)
        crops = [self._crops.get((one["app"], one["key"]), "") for one in document["findings"]]
        for one, crop in zip(document["findings"], crops, strict=True):
            one["crop"] = self._stored(crop, folder)
        write_whole(folder / DATA, file_json(document))
        write_whole(folder / PAGE, accessibility_page(document, crops).encode("utf-8"))
        return JudgedScreens(**document["totals"], page=PAGE)

    def _stored(self, crop: str, folder: Path) -> str | None:
        """Where the picture lies, as seen from the run's folder."""
        if not crop:
            return None
        data, extension = data_of(crop)
        path = f"blobs/{digest_of(data)}{extension}"
        if not (folder / path).is_file():
            write_whole(folder / path, data)
        return path

    def document(self, run_id: str, started_at: str) -> dict[str, Any]:
        """The ``replicant.accessibility/1`` document, in an order that no worker decides, without pictures."""
        found = sorted(self._found().values(), key=_order)
        screens = self._screens()
        ran = {rule for look in self._looks.values() for rule in look.ran}
        return {
            "schema": SCHEMA,
            "run_id": run_id,
            "started_at": started_at,
            "totals": {"findings": len(found), "rules": len(ran), "screens": len(screens)},
            "rules": [*self._rules(screens, Counter(one.finding.rule for one in found))],
            "screens": [
                {
                    **dict(zip(("platform", "app", "screen_key"), screen, strict=True)),
                    "screen": looks[0].screen,
                    "tests": sorted({test for look in looks for test in self._seen.get(look.id, ())}),
                }
                for screen, looks in sorted(screens.items())
            ],
            "findings": [_row(one) for one in found],
        }

    def _found(self) -> dict[tuple[str, str], _Found]:
        found: dict[tuple[str, str], _Found] = {}
        for name in sorted(self._looks):
            look = self._looks[name]
            for finding in look.findings:
                one = found.setdefault((look.app, finding.key), _Found(finding, look))
                one.tests.update(self._seen.get(name, {}))
        return found

    def _screens(self) -> dict[_ScreenId, list[JudgedScreen]]:
        screens: dict[_ScreenId, list[JudgedScreen]] = {}
        for name in sorted(self._looks):
            look = self._looks[name]
            screens.setdefault((look.platform, look.app, look.screen_key), []).append(look)
        return screens

    def _rules(
        self, screens: Mapping[_ScreenId, Sequence[JudgedScreen]], found: Mapping[str, int]
    ) -> Iterator[dict[str, Any]]:
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
                yield {
                    **{
                        key: plain(getattr(rule, key)) for key in ("name", "says", "source", "cannot_see", "needs")
                    },
                    "findings": found.get(name, 0),
                    "screens": ran_on,
                    "not_run": [{"why": reason, "screens": count} for reason, count in sorted(why.items())],
                }


def _order(one: _Found) -> tuple[object, ...]:
    names = [*RULES]
    finding, screen = one.finding, one.screen
    at = names.index(finding.rule) if finding.rule in names else len(names)
    return at, screen.platform, screen.app, screen.screen, finding.key


def _row(one: _Found) -> dict[str, Any]:
    finding = plain(one.finding)
    return {
        **finding,
        "crop": None,
        **{name: getattr(one.screen, name) for name in ("platform", "app", "screen", "screen_key")},
        "tests": [
            {"test": test, "trace": trace, "step": step} for test, (trace, step) in sorted(one.tests.items())
        ],
    }


def summary_line(judged: JudgedScreens | None, folder: Path | None) -> str:
    """The line at the end of a run. It never says that an app is accessible."""
    if judged is None:
        kept = "" if folder is not None else ": --replicant-trace=off keeps none"
        return f"accessibility: no screen was judged{kept}"
    page = printable((folder / judged.page).as_posix()) if folder is not None else judged.page
    found = one_audit(judged.findings, judged.rules)
    return f"accessibility: {found} on {counted(judged.screens, 'screen')}: {page}"


def accessibility_schema() -> dict[str, Any]:
    """The schema of ``replicant.accessibility/1`` (JSON Schema, draft 2020-12); a new value on every call."""
    return packaged_json(__package__, "accessibility_schema.json")
