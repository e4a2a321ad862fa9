"""``replicant locators``: every locator of a suite, tried on every screen that was recorded."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import test_code
from ..model import grouped
from ..model.printable import counted, few, printable
from .process import (
    argument,
    code_of,
    command,
    existing,
    flag,
    not_read,
    print_json,
    print_text,
    repeatable,
)

if TYPE_CHECKING:
    from ..test_code.screens_of_runs import Finding, SeenRuns, Trial, Tried


SCHEMA = "replicant.locators/1"
_MOST_USES = 3
_MOST_NAMED = 3
_WIDEST = 160
_CHANGE = ("was", "now", "reason")
_FACTS = {"ambiguous": ("several", "count", "candidates")}
"""The kept fields of a finding, by its kind; of all others how it changed."""
_NEXT = {
    "ambiguous": "narrow it by row_with=, within= or role=, or say which by nth=",
    "changed": "describe the element that is meant by what it alone has: its id, its row",
    "vanished": "write what the screen says now; replicant snapshot --selectors proposes it",
}


@command(
    "locators",
    "try every locator of a suite on every recorded screen",
    "Tries each locator of the recorded tests, and with --tests those of the code, on each screen "
    "of the report. Reports a locator that matches several elements of a screen where a test uses "
    "it for one; with an older report, one that matches nothing there any more, or another "
    "element. Exit codes: 0 no finding, 1 findings, 2 usage, 3 as 0, but not all could be read.",
    argument("report", "REPORT", "the folder of a run or of all runs, or a .zip of one"),
    argument("older", "OLDER_REPORT", "one of before, to compare with", nargs="?"),
    repeatable("--tests", "PATH", "try those of code, too"),
    flag("--json", f"one JSON object, {SCHEMA}"),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the findings. Raises ``UsageError``."""
    from ..test_code.screens_of_runs import Trial, findings_of, locators_of, read_runs

    runs = read_runs([arguments.report], cassettes=True)
    older = read_runs([arguments.older]) if arguments.older is not None else None
    written: list[test_code.Written] = []
    for path in arguments.tests:
        why = f"--tests {path!r}: there is no such file or folder"
        written += test_code.written_in(existing(path, Path.exists, why), runs.troubles)
    tried = locators_of(runs, written, older)
    trial = Trial(runs, tried, older)
    trial.run()
    findings = findings_of(tried)
    troubles = [*runs.troubles, *(older.troubles if older else ())]
    page = _Page(runs, older, tried, trial, findings, troubles)
    if arguments.json:
        print_json(page.to_dict())
    else:
        print_text("\n".join(page.lines()))
    return code_of(findings, troubles)


@dataclass
class _Page:
    """The printed lines of one trial."""

    runs: SeenRuns
    older: SeenRuns | None
    tried: Sequence[Tried]
    trial: Trial
    findings: Sequence[Finding]
    troubles: Sequence[str]

    def lines(self) -> Iterator[str]:
        tried = f"{counted(len(self.tried), 'locator')} of {counted(len(self.runs.tests), 'test')}"
        shots = self.trial.shots
        where = f"{counted(sum(shots.values()), 'snapshot')} of {counted(len(shots), 'screen')}"
        than = f", compared with {self.older.names[0]}" if self.older else ""
        head = counted(len(self.findings), "finding") if self.findings else "no finding"
        yield printable(f"{head}: {tried}, tried on {where}{than}", _WIDEST)
        for one in self.findings:
            yield from self._finding(one)
        for kind in dict.fromkeys(one.kind for one in self.findings):
            yield f"Next, where it is {kind}: {_NEXT[kind]}."
        refused = [f"{one.selector}: {one.refused}" for one in self.tried if one.refused]
        for what, lines in (("tried on every screen", refused), ("read", self.troubles)):
            if lines:
                yield ""
                yield from not_read(lines, what)

    def _finding(self, one: Finding) -> Iterator[str]:
        tally = one.tally
        part = f": several on {tally.several} of {counted(tally.count, 'snapshot')}"
        many = part if one.kind == "ambiguous" else ""
        where = printable(self.runs.called(one.screen), 80)
        yield f"\n{one.kind}: {printable(str(one.tried.selector), _WIDEST)}\n  on {where}{many}"
        if one.kind == "ambiguous":
            more = " · …" if len(tally.candidates) > _MOST_NAMED else ""
            shown = printable(" · ".join(tally.candidates[:_MOST_NAMED]), 2 * _WIDEST)
            yield f"  candidates: {shown}{more}"
        else:
            yield f"  was: {printable(tally.was, _WIDEST)}"
            why = printable(tally.reason, _WIDEST)
            yield f"  now: {printable(tally.now or 'nothing', _WIDEST)} ({why})"
        places = _places(one.tried.uses_on(one.screen))
        places = places or [f"in the code at {each}" for each in one.tried.written]
        if places:
            yield f"  used: {printable('; '.join(few(places, _MOST_USES)), 2 * _WIDEST)}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "reports": self.runs.names,
            "older": self.older.names if self.older else [],
            "tests": len(self.runs.tests),
            "screens": len(self.trial.shots),
            "snapshots": sum(self.trial.shots.values()),
            "findings": [
                {
                    "kind": one.kind,
                    "locator": str(one.tried.selector),
                    "screen": self._screen(one.screen),
                    **{name: getattr(one.tally, name) for name in _FACTS.get(one.kind, _CHANGE)},
                    "uses": [
                        {"call": use.verb, "source": use.source, "test": use.test}
                        for use in one.tried.uses_on(one.screen)
                    ],
                    "written": one.tried.written,
                }
                for one in self.findings
            ],
            "locators": [
                {
                    "locator": str(one.selector),
                    "written": one.written,
                    "refused": one.refused,
                    "screens": [
                        {**self._screen(key), "one": by.one, "several": by.several, "none": by.none}
                        for key, by in one.screens.items()
                        if by.one or by.several
                    ],
                }
                for one in self.tried
            ],
            "troubles": list(self.troubles),
        }

    def _screen(self, key: str) -> dict[str, str]:
        screen = self.runs.screens[key]
        return {"key": key, "name": screen.name, "app": screen.app}


def _places(uses: Sequence[test_code.Use]) -> list[str]:
    """Each line once, with how many tests came by."""
    places = []
    for place, by in grouped((f"{use.verb} at {use.source}", use.test) for use in uses).items():
        tests = len(set(by))
        places.append(f"{place} ({tests} tests)" if tests > 1 else place)
    return places
