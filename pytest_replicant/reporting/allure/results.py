"""Traces into the result that allure-pytest keeps of the running test."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...errors import ActionFailed, SoftFailures
from ...stash import SECRETS
from ..artifacts.kept import kept
from ..consumers import Consumer
from .active import allure_active, running_result
from .evidence import chosen_pictures, of_step, of_test, text_evidence
from .labels import label
from .plain_text import one_line, plain_text
from .steps import Step, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pytest

    from ...model import Redactor, TestTrace
    from ..consumers import Published
    from ..trace_files import TraceFiles
    from .evidence import Evidence, Pictures

_LONGEST_FACT = 200


@dataclass
class AllureResults(Consumer):
    """One in each process that runs tests. It keeps what an attempt left behind, and tells it once, when its
    teardown is reported: only then is all of it known."""

    redactor: Redactor
    _kept: dict[str, tuple[TestTrace, TraceFiles | None, str]] = field(default_factory=dict)

    @classmethod
    def where_active(cls, config: pytest.Config) -> AllureResults | None:
        return cls(config.stash[SECRETS]) if allure_active(config) else None

    def take(self, item: pytest.Item, report: pytest.TestReport, published: Sequence[Published]) -> None:
        for one in published:
            self.keep(one.trace, one.files, one.row.divergence)

    def end(self, report: pytest.TestReport) -> None:
        problems: list[str] = []
        with kept(problems, "not all of it is in Allure"):
            self.tell()
        report.sections += [("Allure", self.redactor.text(line)) for line in problems]

    def keep(self, trace: TestTrace, files: TraceFiles | None, divergence: str = "") -> None:
        """``divergence`` says where it parted from the last pass, redacted."""
        self._kept[trace.test.nodeid] = trace, files, divergence

    def tell(self) -> None:
        """Call it from ``pytest_runtest_makereport``: there the result is still open, and nothing else is."""
        attempts = list(self._kept.values())
        self._kept.clear()
        result = running_result()
        if result is None or not attempts:
            return
        label(result, [trace for trace, _, _ in attempts], self.redactor)
        ours: set[int] = set()
        for trace, files, divergence in attempts:
            self._add(result, ours, trace, files)
            if divergence:
                self._attach(result, [text_evidence("compared with the last pass", divergence)])

    def _add(self, result: Any, ours: set[int], trace: TestTrace, files: TraceFiles | None) -> None:
        roots = steps_of(trace)
        pictures = chosen_pictures(roots, dict(files.screenshots) if files else {})
        for step in roots:
            _place(result.steps, ours, self._written(step, trace, pictures))
        self._attach(result, of_test(trace, files, self.redactor, pictures.left_out))

    def _written(self, step: Step, trace: TestTrace, pictures: Pictures) -> Any:
        """The step as Allure keeps it, with all below it."""
        from allure_commons.model2 import Parameter, StatusDetails, TestStepResult

        redact = self.redactor.text
        written = TestStepResult(
            name=one_line(redact(step.title)), status=step.status, start=step.begin, stop=step.end
        )
        if step.message:
            written.statusDetails = StatusDetails(message=plain_text(redact(step.message)))
        for name, value in step.facts.items():
            shown = one_line(redact(str(value)), _LONGEST_FACT)
            written.parameters.append(Parameter(name=one_line(redact(name), _LONGEST_FACT), value=shown))
        written.steps = [self._written(one, trace, pictures) for one in step.steps]
        self._attach(written, of_step(trace, step, pictures))
        return written

    def _attach(self, owner: Any, evidence: Iterable[Evidence]) -> None:
        for one in evidence:
            with suppress(OSError):  # a full disk: the result says more without it than not at all
                self._attach_one(owner, one)

    def _attach_one(self, owner: Any, evidence: Evidence) -> None:
        from allure_commons import plugin_manager
        from allure_commons.model2 import ATTACHMENT_PATTERN, Attachment

        source = ATTACHMENT_PATTERN.format(prefix=uuid4(), ext=evidence.extension)
        if evidence.path is not None:
            plugin_manager.hook.report_attached_file(source=str(evidence.path), file_name=source)
        else:
            body = plain_text(self.redactor.text(evidence.text))
            plugin_manager.hook.report_attached_data(body=body, file_name=source)
        name = one_line(self.redactor.text(evidence.name))
        owner.attachments.append(Attachment(name=name, source=source, type=evidence.media_type))

    def settle(self, error: BaseException | None) -> None:
        """Mends the status of the phase that was just reported and raised ``error``: an action that could not be
        done failed the test, and several soft checks are all told."""
        result = running_result()
        if result is None:
            return
        if isinstance(error, ActionFailed) and result.status == "broken":
            result.status = "failed"
        if isinstance(error, SoftFailures) and result.statusDetails is not None:
            lines = (str(one).partition("\n")[0] for one in error.exceptions)
            told = "\n".join((f"SoftFailures: {error.message}", *lines))
            result.statusDetails.message = plain_text(self.redactor.text(told))


def _place(steps: list[Any], ours: set[int], step: Any) -> None:
    """Puts ``step`` among ``steps`` in the order of time, or below that step of the test's own during which it
    happened."""
    middle = (step.start + step.stop) / 2
    for around in steps:
        if id(around) not in ours and (around.start or middle + 1) <= middle <= (around.stop or 0):
            return _place(around.steps, ours, step)
    at = next((index for index, one in enumerate(steps) if (one.start or 0) > step.start), len(steps))
    steps.insert(at, step)
    return ours.add(id(step))
