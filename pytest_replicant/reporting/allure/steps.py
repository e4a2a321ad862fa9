"""The trace in Allure: nested steps with their own times, and the files, on the test that is running."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..findings import recoverable, recovered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pytest

    from ...model.secret import Redactor
    from ...model.test_trace import TestTrace, TraceEvent
    from ...model.trace import TraceStep
    from ..artifacts.trace_files import TraceFiles


def allure_active(config: pytest.Config) -> bool:
    """Whether this run writes Allure results: the plugin is there and ``--alluredir`` was given."""
    return config.pluginmanager.hasplugin("allure_pytest") and bool(config.getoption("--alluredir", None))


def attach_to_allure(trace: TestTrace, files: TraceFiles, redactor: Redactor) -> None:
    """Add steps and attachments; call it from ``pytest_runtest_makereport``, once an attempt.

    There Allure files what is attached under the test itself; in a fixture's teardown it would not.
    """
    if trace.test.outcome == "recovered":
        _label_recovered()
    _attach_lines("what was recovered", recovered(trace), redactor)
    _attach_lines("what recovery would have tried", recoverable(trace), redactor)
    _attach_lines("apps that died", [death.told for death in trace.deaths], redactor)
    screenshots = dict(files.screenshots)
    for event in trace.events:
        _replay(trace, event, screenshots, redactor)
    _attach_file(files.trace_html, "trace.html", "text/html", "html")
    _attach_file(files.trace_json, "trace.json", "application/json", "json")


def _label_recovered() -> None:
    """Allure knows no such outcome: a label, and a tag to filter by."""
    import allure

    dynamic: Any = allure.dynamic  # ships no types
    dynamic.label("replicant_outcome", "recovered")
    dynamic.tag("recovered")


def _attach_lines(name: str, lines: Sequence[str], redactor: Redactor) -> None:
    import allure

    if lines:
        text = redactor.text("\n".join(lines))
        allure.attach(_encodable(text), name, allure.attachment_type.TEXT)


def _replay(trace: TestTrace, event: TraceEvent, screenshots: dict[str, Path], redactor: Redactor) -> None:
    owner = _trace_of(trace, event)
    error = AssertionError(_encodable(redactor.text(event.error))) if event.error else None
    begin = _began(trace, event)
    with _step(redactor.text(event.title), begin, begin + event.duration_ms, error):
        for stage in owner:
            ended = stage.timestamp + stage.duration_ms
            with _step(_stage_title(stage, redactor), stage.timestamp, ended, None):
                pass
        _attach_evidence(trace, event, screenshots, redactor)


def _trace_of(trace: TestTrace, event: TraceEvent) -> tuple[TraceStep, ...]:
    if event.check_index is not None:
        checked = trace.checks[event.check_index].trace
        return checked.steps if checked else ()
    return next((action.trace.steps for action in trace.actions if action.action_id == event.action_id), ())


def _began(trace: TestTrace, event: TraceEvent) -> int:
    from datetime import datetime

    started = datetime.fromisoformat(trace.test.started_at.replace("Z", "+00:00"))  # 3.10 does not read "Z"
    return int(started.timestamp() * 1000) + event.start_ms


def _stage_title(stage: TraceStep, redactor: Redactor) -> str:
    attempt = f", attempt {stage.attempt_index + 1}" if stage.attempt_index else ""
    policy = f" by {stage.policy}" if stage.policy else ""
    return redactor.text(f"{stage.stage}{policy}: {stage.result}{attempt}")


def _attach_evidence(
    trace: TestTrace, event: TraceEvent, screenshots: dict[str, Path], redactor: Redactor
) -> None:
    import allure

    for when, name in (("before", event.before), ("after", event.after)):
        path = screenshots.get(name or "")
        if path is not None and (when == "after" or event.before != event.after):
            _attach_file(path, when, f"image/{path.suffix[1:]}", path.suffix[1:])
    diff = trace.diffs.get(event.action_id or "")
    if diff is not None and event.kind == "action":
        text = redactor.text("\n".join((diff.summary, *diff.lines)))
        allure.attach(_encodable(text), "what changed", allure.attachment_type.TEXT)


def _attach_file(path: Path | None, name: str, media_type: str, extension: str) -> None:
    import allure

    if path is not None and path.exists():
        attach: Any = allure.attach  # ships no types
        attach.file(str(path), name, media_type, extension)


@contextmanager
def _step(title: str, begin: int, end: int, error: AssertionError | None) -> Iterator[None]:
    """An Allure step that happened from ``begin`` to ``end`` (epoch ms), not now."""
    import allure

    context: Any = allure.step(_encodable(title)[:300])  # ships no types
    context.__enter__()
    recorded = _open_step(context.uuid)
    try:
        yield
    finally:
        context.__exit__(type(error) if error else None, error, None)
        if recorded is not None:
            recorded.start, recorded.stop = begin, end


def _open_step(uuid: Any) -> Any:
    """The step as Allure's listener keeps it; None where another listener is at work: times are then now."""
    import allure_commons

    for plugin in allure_commons.plugin_manager.get_plugins():
        reporter = getattr(plugin, "allure_logger", None)
        if reporter is not None:
            return reporter.get_item(uuid)
    return None


def _encodable(text: str) -> str:
    """Allure writes UTF-8 and JSON; half a surrogate pair or a control character stops it."""
    shown = (character if character.isprintable() or character == "\n" else "\ufffd" for character in text)
    return "".join(shown)
