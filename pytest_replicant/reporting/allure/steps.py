"""The trace as steps: groups of the test, actions and their checks, stages. Knows nothing of Allure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...errors import DeviceError
from ...model import CheckOutcome, TestTrace, TraceEvent, TraceStep
from ..artifacts.storage import epoch_ms
from ..triage.comparison import same_start

Status = Literal["passed", "failed", "broken", "skipped"]
"""``broken`` is tool trouble, which says nothing about the app."""

_WORST: tuple[Status, ...] = ("failed", "broken")
_STATUSES: dict[CheckOutcome, Status] = {
    "passed": "passed",
    "failed": "failed",
    "error": "broken",
    "not compared": "failed",
}


@dataclass
class Step:
    """One line of a report. ``begin`` and ``end`` are epoch milliseconds; ``event`` the entry of the timeline
    that it stands for, None for a group and a stage. ``facts`` are of a stage: what it noted."""

    title: str
    begin: int
    end: int
    status: Status = "passed"
    message: str = ""
    event: TraceEvent | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """A part of this one: it lasts as long, and went no better."""
        self.steps.append(step)
        self.take_in(step)

    def take_in(self, part: Step) -> None:
        self.end = max(self.end, part.end)
        self.status = next((status for status in _WORST if status in (self.status, part.status)), self.status)

    def walk(self) -> Iterator[Step]:
        yield self
        for step in self.steps:
            yield from step.walk()


def steps_of(trace: TestTrace) -> list[Step]:
    """The timeline as a tree. A check stands under its action where the test wrote both in one line."""
    builder = _Tree(trace)
    for event in trace.events:
        builder.put(event)
    return builder.roots


class _Tree:
    def __init__(self, trace: TestTrace) -> None:
        self.roots: list[Step] = []
        self._began = epoch_ms(trace.test.started_at)
        self._open: list[Step] = []  # the groups that the last event was in
        self._action: Step | None = None  # the last one, as long as only its checks followed

    def put(self, event: TraceEvent) -> None:
        begin = self._began + event.start_ms
        status = _status(event)
        check = event.check
        observed = f"expected {check.expected}, observed {check.observed}" if check else "failed"
        message = (event.error or observed) if status != "passed" else ""
        step = Step(event.title, begin, begin + event.duration_ms, status, message, event)
        broken = status == "broken"
        step.steps = [_stage(stage, broken=broken) for stage in _stages(event)]
        parents = self._parents(event)
        if event.kind != "check":
            self._action = step if event.kind == "action" else None
        elif self._is_of_last_action(event) and self._action is not None:
            parents = [*parents, self._action]
        else:
            self._action = None
        if not parents:
            self.roots.append(step)
            return
        parents[-1].add(step)
        for outer in parents[:-1]:
            outer.take_in(step)

    def _is_of_last_action(self, event: TraceEvent) -> bool:
        last = self._action.event if self._action is not None else None
        linked = event.check.action_id if event.check is not None else ""
        return last is not None and linked == last.id and event.source == last.source != ""

    def _parents(self, event: TraceEvent) -> list[Step]:
        """The groups around an event, opened where they are new."""
        same = same_start([one.title for one in self._open], event.group)
        self._open = self._open[:same]
        for title in event.group[same:]:
            begin = self._began + event.start_ms
            group = Step(title, begin, begin)
            (self._open[-1].steps if self._open else self.roots).append(group)
            self._open.append(group)
        return list(self._open)


def _status(event: TraceEvent) -> Status:
    if event.check is not None:
        return _STATUSES[event.check.result] if event.check.result != "not compared" or event.error else "skipped"
    if not event.error:
        return "passed"
    tool_trouble = event.failure is not None and event.failure.exception in _TROUBLES
    return "broken" if tool_trouble or event.details.get("result") == "unreadable" else "failed"


def _named(kind: type[DeviceError]) -> Iterator[str]:
    yield kind.__name__
    for more in kind.__subclasses__():
        yield from _named(more)


_TROUBLES = frozenset(_named(DeviceError))


def _stages(event: TraceEvent) -> tuple[TraceStep, ...]:
    record = event.check or event.result
    return record.trace.steps if record is not None and record.trace is not None else ()


def _stage(stage: TraceStep, *, broken: bool) -> Step:
    by = f" by {stage.policy}" if stage.policy else ""
    attempt = f", attempt {stage.attempt_index + 1}" if stage.attempt_index else ""
    status: Status = "passed"
    if stage.result == "failure":
        status = "broken" if broken else "failed"
    elif stage.result == "retry":
        status = "skipped"
    return Step(
        f"{stage.stage}{by}: {stage.result}{attempt}",
        stage.timestamp,
        stage.timestamp + stage.duration_ms,
        status,
        str(stage.metadata.get("reason", "")) if status in _WORST else "",
        facts=stage.metadata,
    )
