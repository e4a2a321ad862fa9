"""All that the viewer lists for a test: its calls and what they logged, what was mended, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .calls import Call, calls_of
from .log_lines import log_lines, moment_of, stages_of
from .wording import line, spelled_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def listing_of(document: Mapping[str, Any], attachments: Sequence[Mapping[str, str]]) -> list[Call]:
    listed: list[Call] = []
    for call in calls_of(document):
        diff = call.diff
        call.logs = log_lines(call, diff)
        if call.id == (document.get("divergence") or {"step": None})["step"]:
            call.logs += [(call.end, text) for text in _divergence(document)]
        listed += [call, *_recoveries(call)]
    end = max([float(document["test"]["duration_ms"]), *(call.end for call in listed)])
    untold = list(_untold(document, [call.error for call in listed if call.error], end))
    return [*listed, *untold, _ending(document, end + len(untold) / 1000, attachments)]


def _recoveries(call: Call) -> Iterator[Call]:
    """What was done to mend an action or check, within it."""
    answers = [stage for stage in stages_of(call) if stage["stage"] == "recover"]
    for number, stage in enumerate(answers, start=1):
        notes = spelled_pairs(stage.get("metadata", {}))
        start = min(moment_of(call, stage) + number / 10_000, call.end)
        named = (notes.get("strategy"), stage.get("policy"))
        yield Call(
            id=f"{call.id}.recovery-{number}",
            kind="recover",
            title=f"recover: {' by '.join(filter(None, named))}",
            start=start,
            end=min(max(start + stage["duration_ms"], start), call.end),
            parent=call.id,
            source=call.source,
            before=call.before,
            parameters=notes,
            result={"result": stage["result"]},
            logs=[(start, f"{name}: {value}") for name, value in notes.items()],
        )


def _untold(document: Mapping[str, Any], told: Sequence[str], end: float) -> Iterator[Call]:
    """What failed the test besides its actions, checks and waits: an assertion of its own, a fixture."""
    for number, failure in enumerate(document["failures"]):
        message = failure["message"]
        if any(error in message or message in error for error in told):
            continue
        name = failure["exception"] or "failure"
        start = end + number / 1000
        yield Call(
            id=f"failure-{number}",
            kind="failure",
            title=name if failure["phase"] == "call" else f"{failure['phase']}: {name}",
            start=start,
            end=start,
            source=failure["source"],
            error=message or name,
            exception=name,
        )


def _ending(document: Mapping[str, Any], at: float, attachments: Sequence[Mapping[str, str]]) -> Call:
    test = document["test"]
    attempt = f" at attempt {test['attempt'] + 1}" if test["attempt"] else ""
    said = [
        *_divergence(document),
        *(f"died: {death['told']}" for death in document["deaths"]),
        *(_recovery(one) for one in document["recoveries"]),
        *(f"warning: {warning}" for warning in document["warnings"]),
    ]
    return Call(
        id="end",
        kind="test",
        title=f"test {test['outcome']}{attempt}",
        start=at,
        end=at,
        source=test["location"],
        parameters=spelled_pairs({"location": test["location"], **document["device"]}),
        logs=[(at, line(text)) for text in said],
        attachments=attachments,
    )


def _divergence(document: Mapping[str, Any]) -> Iterator[str]:
    """How a failure differs from the last pass of its test."""
    divergence = document.get("divergence")
    if divergence:
        yield line(f"unlike the last pass: {divergence['sentence']}")
        for evidence in divergence["evidence"]:
            yield from (
                line(text) for text in (f"{evidence['kind']}: {evidence['text']}", *evidence["lines"][:20])
            )


def _recovery(one: Mapping[str, Any]) -> str:
    done = (
        "recovered" if one["mended"] else "recovery in vain" if one["done"] else "recovery would have been tried"
    )
    by = f" by {one['policy']}" if one["policy"] else ""
    reason = f": {one['reason']}" if one["reason"] else ""
    return f"{done}: {one['code']} of {one['kind']} ({one['action_id']}), {one['strategy']}{by}{reason}"
