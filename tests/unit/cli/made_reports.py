"""Reports of made-up tests on made-up screens, written as a run writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_replicant.model import (
    CheckRecord,
    Redactor,
    SnapshotRecord,
    TestFacts,
    TestTrace,
    TraceEvent,
)
from pytest_replicant.reporting import write_trace

from ..reporting.factory import DEVICE, EPOCH_MS, SIZE, action
from ..snapshots.screens import parse


@dataclass(frozen=True)
class Step:
    """A call of a test: ``call`` is ``tap``, a wait or the name of a check, ``about`` the locator
    as a trace prints it, ``screen`` the hierarchy on which it was made, ``then`` that which an
    action led to."""

    call: str
    about: str
    screen: str
    then: str = ""
    line: int = 1


def write_report(
    folder: Path, tests: Mapping[str, Iterable[Step]], run: str = "20261120-101010-aaaaaa"
) -> Path:
    """The folder of the run."""
    for name, steps in tests.items():
        write_trace(_trace(name, list(steps)), folder, run, Redactor())
    return folder / run


def _trace(name: str, steps: list[Step]) -> TestTrace:
    snapshots: dict[str, SnapshotRecord] = {}
    names: dict[str, str] = {}
    events = []
    for number, step in enumerate(steps):
        for source in filter(None, (step.screen, step.then)):
            if source not in names:
                names[source] = f"s{len(names) + 1}"
                snapshots[names[source]] = _record(names[source], source)
        events.append(_event(step, number, names, f"tests/test_{name}.py:{step.line}"))
    facts = TestFacts(
        f"tests/test_{name}.py::test_{name}", 0, "passed", "2026-11-20T10:10:10Z", 1000
    )
    return TestTrace(facts, device=DEVICE, events=tuple(events), snapshots=snapshots)


def _record(name: str, source: str) -> SnapshotRecord:
    read = parse(source)
    return SnapshotRecord(
        name, read.screen, read.fingerprint, "", source.encode(), EPOCH_MS, SIZE, read.screen_key,
        read.app, dialog=read.dialog,
    )  # fmt: skip


def _event(step: Step, number: int, names: dict[str, str], source: str) -> TraceEvent:
    here, then = names[step.screen], names[step.then or step.screen]
    event = TraceEvent(
        "action", f"{step.call} {step.about}", number, 1, source=source, before=here, after=then
    )
    if step.call.startswith("wait_for"):
        return replace(event, kind="wait", details={"awaited": step.about})
    if not step.call.startswith("expect_"):
        return replace(event, result=action(f"a{number}", step.call, step.about, 0))
    return replace(
        event, kind="check", before=None, check=CheckRecord("", step.call, step.about, "", "passed")
    )
