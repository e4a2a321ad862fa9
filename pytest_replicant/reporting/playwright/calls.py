"""A trace as calls, which is what the viewer lists: each action, check and wait, in the steps of the test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .wording import spelled_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass
class Call:
    """One entry of the list. Times are milliseconds since the test began; ``record`` is the action or check.

    ``before`` and ``after`` are ids of snapshots, ``target`` a rectangle and ``touch`` points in the pixels of
    the one before. ``remark`` is the second line of the entry, in words of ours only. ``logs`` are times and
    lines, ``attachments`` as the viewer spells them.
    """

    id: str
    kind: str
    title: str
    start: float
    end: float
    parent: str = ""
    source: str = ""
    source_text: str = ""
    before: str | None = None
    after: str | None = None
    target: Sequence[int] | None = None
    touch: Sequence[Sequence[int]] = ()
    error: str = ""
    exception: str = ""
    remark: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    diff: Mapping[str, Any] | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    result: Mapping[str, str] = field(default_factory=dict)
    logs: list[tuple[float, str]] = field(default_factory=list)
    attachments: Sequence[Mapping[str, str]] = ()


def calls_of(document: Mapping[str, Any]) -> list[Call]:
    """The calls of a redacted ``replicant.trace/2`` document, each after the one it is nested in."""
    listed: list[Call] = []
    taken: set[str] = set()
    open_steps: list[tuple[str, Call]] = []
    for index, event in enumerate(document["events"]):
        call = _call(event, index)
        if call.id in taken:
            call.id = f"step-{index}"
        taken.add(call.id)
        call.parent = _within(event["group"], open_steps, listed, call)
        listed.append(call)
    return listed


def _call(event: Mapping[str, Any], index: int) -> Call:
    record = event["check"] or event["result"] or {}
    # A thousandth for each keeps what began in one millisecond in order.
    start = event["start_ms"] + index / 1000
    return Call(
        id=event["id"],
        kind=event["kind"],
        title=event["title"],
        start=start,
        end=start + max(event["duration_ms"], 0.001),
        source=event["source"],
        source_text=event["source_text"],
        before=event["before"],
        after=event["after"],
        target=event["target"],
        touch=event["touch"],
        error=event["error"],
        # The viewer's list of errors has no room for a second line; what failed is red in any case.
        remark="" if event["error"] else _remark(event["kind"], record),
        record=record,
        parameters=_parameters(event, record),
        result=_result(record),
        diff=event["diff"],
    )


def _remark(kind: str, record: Mapping[str, Any]) -> str:
    recovered = (record.get("recovery") or {}).get("recovery_attempts", 0) > 0
    words = {
        "action": {"verified": "verified", "pending_verification": "not verified", "failed": "failed"},
        "check": {"passed": "passed", "failed": "failed", "error": "could not be decided"},
    }.get(kind, {})
    told = [
        words.get(record.get("lifecycle_state") or record.get("result", ""), ""),
        "proves little: it held before" if record.get("vacuous") else "",
        "soft" if record.get("soft") else "",
        "recovered" if recovered else "",
    ]
    return " · ".join(filter(None, told))


def _parameters(event: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, str]:
    if event["kind"] == "wait":
        return spelled_pairs(event.get("details", {}))
    if event["kind"] == "check":
        return spelled_pairs({"expected": record.get("expected"), "of action": record.get("action_id")})
    target = record.get("target") or {}
    found = target.get("resolved") or {}
    element = f'[{found["ref"]}] {found["class_name"]} "{found["label"]}"' if found else ""
    row = found.get("context", "")
    return spelled_pairs(
        {"target": target.get("selector"), "found": element, "in row": row, **record.get("details", {})}
    )


def _result(record: Mapping[str, Any]) -> dict[str, str]:
    recovery = record.get("recovery") or {}
    return spelled_pairs(
        {
            "observed": record.get("observed"),
            "state": record.get("lifecycle_state") or record.get("result"),
            "failure": record.get("failure_code") or recovery.get("failure_code"),
        }
    )


def _within(group: Sequence[str], open_steps: list[tuple[str, Call]], listed: list[Call], call: Call) -> str:
    """The step of the test that a call belongs to, which is opened here where it is new, and grows with it."""
    same = 0
    while same < min(len(group), len(open_steps)) and open_steps[same][0] == group[same]:
        same += 1
    del open_steps[same:]
    for name in group[same:]:
        parent = open_steps[-1][1].id if open_steps else ""
        number = sum(one.kind == "step" for one in listed)
        # Begun just before its first call: what begins together has no order in the viewer.
        begun = call.start - (len(group) - len(open_steps)) / 10_000
        step = Call(f"group-{number}", "step", name, begun, call.end, parent, call.source, before=call.before)
        listed.append(step)
        open_steps.append((name, step))
    for _, step in open_steps:
        step.end = max(step.end, call.end)
        step.after = call.after or step.after
        if call.error:
            step.error = call.error  # a folded step shows that something in it failed
            step.source = ""  # where it failed is told by the call alone
    return open_steps[-1][1].id if open_steps else ""
