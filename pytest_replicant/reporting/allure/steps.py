"""The trace as steps of Allure's: groups of the test, actions and their checks, stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from allure_commons.model2 import Parameter, StatusDetails, TestStepResult

from ...errors import DeviceError
from ...model import CheckOutcome, TestTrace, TraceEvent, TraceStep
from ...model.printable import one_line, plain_text
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


_LONGEST_FACT = 200


def walk(steps: list[Any]) -> Iterator[Any]:
    """Each step, and those below it."""
    for step in steps:
        yield step
        yield from walk(step.steps)


class StepTree:
    """The timeline as a tree. A check stands under its action where the test wrote both in one
    line. ``events`` are those that steps stand for, by the identity of the step; groups and stages
    have none."""

    def __init__(self, trace: TestTrace) -> None:
        self.roots: list[Any] = []
        self.events: dict[int, TraceEvent] = {}
        self._began = epoch_ms(trace.test.started_at)
        self._open: list[
            tuple[str, Any]
        ] = []  # the groups that the last event was in, by their titles
        self._action: Any = None  # the last one, as long as only its checks followed
        for event in trace.events:
            self._put(event)

    def _put(self, event: TraceEvent) -> None:
        begin = self._began + event.start_ms
        status = _status(event)
        check = event.check
        observed = f"expected {check.expected}, observed {check.observed}" if check else "failed"
        message = "" if status == "passed" else event.error or observed
        step = _step(event.title, begin, begin + event.duration_ms, status, message)
        self.events[id(step)] = event
        record = event.check or event.result
        stages = record.trace.steps if record is not None and record.trace is not None else ()
        step.steps = [_stage(stage, broken=status == "broken") for stage in stages]
        parents = self._parents(event)
        if event.kind != "check":
            self._action = step if event.kind == "action" else None
        elif self._is_of_last_action(event):
            parents.append(self._action)
        else:
            self._action = None
        (parents[-1].steps if parents else self.roots).append(step)
        for outer in parents:  # it lasts as long as its parts, and went no better
            outer.stop = max(outer.stop, step.stop)
            outer.status = next(
                (one for one in _WORST if one in (outer.status, status)), outer.status
            )

    def _is_of_last_action(self, event: TraceEvent) -> bool:
        last = self.events.get(id(self._action))
        linked = event.check.action_id if event.check is not None else ""
        return last is not None and linked == last.id and event.source == last.source != ""

    def _parents(self, event: TraceEvent) -> list[Any]:
        """The groups around an event, opened where they are new."""
        same = same_start([title for title, _ in self._open], event.group)
        self._open = self._open[:same]
        for title in event.group[same:]:
            begin = self._began + event.start_ms
            group = _step(title, begin, begin)
            (self._open[-1][1].steps if self._open else self.roots).append(group)
            self._open.append((title, group))
        return [group for _, group in self._open]


def _step(title: str, start: int, stop: int, status: Status = "passed", message: str = "") -> Any:
    """``message`` is why, of one that did not pass."""
    details = StatusDetails(message=plain_text(message)) if message else None
    return TestStepResult(
        name=one_line(title), start=start, stop=stop, status=status, statusDetails=details
    )


def _status(event: TraceEvent) -> Status:
    if event.check is not None:
        return (
            _STATUSES[event.check.result]
            if event.check.result != "not compared" or event.error
            else "skipped"
        )
    if not event.error:
        return "passed"
    tool_trouble = event.failure is not None and event.failure.exception in _TROUBLES
    return "broken" if tool_trouble or event.details.get("result") == "unreadable" else "failed"


def _named(kind: type[DeviceError]) -> Iterator[str]:
    yield kind.__name__
    for more in kind.__subclasses__():
        yield from _named(more)


_TROUBLES = frozenset(_named(DeviceError))


def _stage(stage: TraceStep, *, broken: bool) -> Any:
    by = f" by {stage.policy}" if stage.policy else ""
    attempt = f", attempt {stage.attempt_index + 1}" if stage.attempt_index else ""
    status: Status = "passed"
    if stage.result == "failure":
        status = "broken" if broken else "failed"
    elif stage.result == "retry":
        status = "skipped"
    step = _step(
        f"{stage.stage}{by}: {stage.result}{attempt}",
        stage.timestamp,
        stage.timestamp + stage.duration_ms,
        status,
        str(stage.metadata.get("reason", "")) if status in _WORST else "",
    )
    for name, value in stage.metadata.items():
        shown = one_line(str(value), _LONGEST_FACT)
        step.parameters.append(Parameter(name=one_line(name, _LONGEST_FACT), value=shown))
    return step
