"""Targets that were found again by another description, and the selector that would hold."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ...errors import ReplicantError
from ...model import ElementRecord
from .cause import kind_and_label, masked
from .run_record import Healed

if TYPE_CHECKING:
    from ...model import ActionResult, Element, Redactor, SnapshotRecord, TestTrace, TraceEvent
    from ...snapshots import Snapshot

MOST = 20
"""Of one test."""
_FURTHER = 3  # screens that a selector is tried out on as well
_FOUND_AGAIN = frozenset({"re_resolve", "alternate_candidate"})


def healed(trace: TestTrace, redactor: Redactor) -> tuple[Healed, ...]:
    """The actions whose target a recovery found again, and the elements that bear another name by now
    than when the test got hold of them."""
    again = {one.action_id for one in trace.recoveries if one.recovered and one.strategy in _FOUND_AGAIN}
    found: list[Healed] = []
    for event in trace.events:
        action = event.result
        if len(found) == MOST or action is None or action.target.resolved is None or not action.success:
            continue
        said = _said(action, action.target.resolved, recovered=action.action_id in again)
        if said:
            code = _lasting(action.target.resolved, trace, event)
            shown = (said, kind_and_label(ElementRecord.of(action.target.resolved)), code, event.source)
            target, now, selector, source = (redactor.text(text)[:300] for text in shown)
            found.append(Healed(target, now, selector, source, action.action_id))
    return tuple(found)


def _said(action: ActionResult, now: Element, *, recovered: bool) -> str:
    """What the test had meant, where that is not what it says any more; else ""."""
    said, was = action.target.selector, action.target.named
    renamed = was is not None and masked(was.label) != masked(now.label)
    return said if renamed or recovered else ""


def _lasting(now: Element, trace: TestTrace, event: TraceEvent) -> str:
    """Tried out on the screen that it was found on and on others of the same; "" where none is unique."""
    record = trace.snapshots.get(event.before or "")
    if record is None:
        return ""
    others = [
        one for one in trace.snapshots.values() if one.screen_key == record.screen_key and one.id != record.id
    ]
    try:
        snapshot = parsed(record)
        there = [one for one in snapshot.elements if (one.bounds, one.class_name) == (now.bounds, now.class_name)]
        if len(there) != 1:
            return ""
        proposal = snapshot.selector(there[0].ref, also=[parsed(one) for one in islice(others, _FURTHER)])
    except ReplicantError:
        return ""
    return proposal.code if proposal.unique_on else ""


def parsed(record: SnapshotRecord) -> Snapshot:
    """The screen as it was read. Raises ``SnapshotError``."""
    from ...snapshots import Snapshot

    return Snapshot.parse(record.source, id=record.id, size=record.size, scale=record.scale)
