"""The attachments of a step and of a test: pictures, changes, reads, lines of the device log."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..artifacts.folder_names import attachment_file_name
from ..findings import recoverable, recovered, unverified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ...model import Attachment, LogRecord, TestTrace, TraceEvent
    from ..trace_files import TraceFiles
    from .steps import Step

MOST_PICTURES = 40
"""How many one test brings into Allure; those of failed steps come first, then the last ones."""

MOST_LOG_LINES = 300
AROUND_MS = 2_000
"""How long before a failed step the log may say why."""

PLAYWRIGHT_TRACE = "application/vnd.allure.playwright-trace"
"""Allure 3 opens it in its own copy of the trace viewer."""

_ANY_LEVEL = "VDIWEF"
_BAD_NEWS = "WEF"
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")


@dataclass(frozen=True)
class Evidence:
    """One attachment: a file, or a text."""

    name: str
    media_type: str
    extension: str
    path: Path | None = None
    text: str = ""


@dataclass(frozen=True)
class Pictures:
    """The attached pictures, by the identity of the step, and the number of those left out.

    A screen is shown where it first came, and again at every step that failed: before a step is what was after
    the one above it. Each is a file of its own, as Allure 3 shows one that several steps name at one of them.
    """

    by_step: Mapping[int, tuple[Evidence, ...]]
    left_out: int


def chosen_pictures(roots: Sequence[Step], stored: Mapping[str, Path]) -> Pictures:
    wanted = list(_wanted([step for root in roots for step in root.walk()], stored))
    wanted.sort(key=lambda one: (not one[0].message, -one[0].begin))
    by_step: dict[int, tuple[Evidence, ...]] = {}
    for step, picture in wanted[:MOST_PICTURES]:
        by_step[id(step)] = (*by_step.get(id(step), ()), picture)
    return Pictures(by_step, max(len(wanted) - MOST_PICTURES, 0))


def _wanted(steps: Sequence[Step], stored: Mapping[str, Path]) -> Iterator[tuple[Step, Evidence]]:
    shown: set[Path] = set()
    for step in steps:
        names = (step.event.before, step.event.after) if step.event is not None else (None, None)
        for when, name in zip(("before", "after"), names, strict=True):
            path = stored.get(name or "")
            twice = when == "before" and names[0] == names[1]
            if path is None or twice or (path in shown and not step.message):
                continue
            shown.add(path)
            yield step, Evidence(when, f"image/{path.suffix[1:]}", path.suffix[1:], path)


def of_step(trace: TestTrace, step: Step, pictures: Pictures) -> Iterator[Evidence]:
    event = step.event
    if event is None:
        return
    yield from pictures.by_step.get(id(step), ())
    if event.diff is not None:
        yield text_evidence("what changed", "\n".join((event.diff.summary, *event.diff.lines)))
    failed = bool(step.message)  # itself, and not a check below it
    if failed:
        yield from _of_failed_step(trace, event)
    lines = list(_log_lines(trace, event, AROUND_MS if failed else 0, _ANY_LEVEL if failed else _BAD_NEWS))
    if lines:
        yield text_evidence("device log", "\n".join(_few(lines)))


def of_test(trace: TestTrace, files: TraceFiles | None, left_out: int) -> Iterator[Evidence]:
    for name, lines in (
        ("what was recovered", recovered(trace)),
        ("what recovery would have tried", recoverable(trace)),
        ("apps that died", [death.text for death in trace.deaths]),
        ("passed without proof", [why] if (why := unverified(trace)) else []),
        ("screen at the failure", _last_outline(trace)),
    ):
        if lines:
            yield text_evidence(name, "\n".join(lines))
    if files is None:
        return
    yield from _attached_by_test(trace, files)
    if left_out:
        yield text_evidence(
            "pictures left out", f"{left_out} more pictures are in trace.html, beside the steps they show"
        )
    for name, path, media_type in (
        ("trace.html", files.trace_html, "text/html"),
        ("trace.zip", files.trace_zip, PLAYWRIGHT_TRACE),
        ("trace.json", files.trace_json, "application/json"),
    ):
        if path is not None:
            yield Evidence(name, media_type, name.rpartition(".")[2], path)


def text_evidence(name: str, text: str) -> Evidence:
    return Evidence(name, "text/plain", "txt", text=text)


def _of_failed_step(trace: TestTrace, event: TraceEvent) -> Iterator[Evidence]:
    check = event.check
    if check is not None and check.reads:
        reads = [f"{one.at:8.3f} s  {'held' if one.held else 'no  '}  {one.observed}" for one in check.reads]
        yield text_evidence("reads", "\n".join((f"expected: {check.expected}", *_few(reads))))
    shown = trace.snapshots.get(event.after or "") if event.after else None
    if shown is not None:
        yield text_evidence("screen", shown.outline)


def _last_outline(trace: TestTrace) -> list[str]:
    """The screen as it was last seen before the test failed."""
    if not trace.failures:
        return []
    names = [name for event in trace.events for name in (event.before, event.after) if name in trace.snapshots]
    return [trace.snapshots[names[-1]].outline] if names and names[-1] else []


def _log_lines(trace: TestTrace, event: TraceEvent, before_ms: int, levels: str) -> Iterator[str]:
    first = bisect_left(trace.logs, event.start_ms - before_ms, key=lambda record: record.at_ms)
    last = bisect_right(trace.logs, event.start_ms + event.duration_ms, key=lambda record: record.at_ms)
    return (_log_line(record) for record in trace.logs[first:last] if record.level in levels)


def _log_line(record: LogRecord) -> str:
    return f"{record.at_ms / 1000:8.3f} s  {record.level}  {record.tag}: {record.message}"


def _few(lines: list[str]) -> list[str]:
    """The last ones, as what failed comes at the end."""
    if len(lines) <= MOST_LOG_LINES:
        return lines
    return [f"… {len(lines) - MOST_LOG_LINES} lines before these", *lines[-MOST_LOG_LINES:]]


def _attached_by_test(trace: TestTrace, files: TraceFiles) -> Iterator[Evidence]:
    for index, attachment in enumerate(trace.attachments):
        try:
            found = _attached(index, attachment, files.folder / "attachments")
        except Exception:  # a test may have attached anything, even something else than an attachment
            continue
        yield found


def _attached(index: int, attachment: Attachment, folder: Path) -> Evidence:
    file_name = attachment_file_name(index, attachment.name, attachment.media_type)
    media_type = attachment.media_type.partition(";")[0].strip().lower()
    known = media_type if _MEDIA_TYPE.fullmatch(media_type) else "application/octet-stream"
    return Evidence(attachment.name, known, file_name.rpartition(".")[2], folder / file_name)
