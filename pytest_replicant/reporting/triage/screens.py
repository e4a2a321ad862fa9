"""The screen that a step failed on: which one, what it is built of, what lies over the app."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import ReplicantError
from ...model import SELECTOR_KEYWORDS, Selector, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...model import Element, ShownElement, SnapshotRecord, TestTrace
    from ...snapshots import Snapshot
    from .failing import FailingStep

_MOST_LOOKS = 24
_PERMISSION = ("permissioncontroller", "packageinstaller")
_SYSTEM = ("android", "com.android.systemui", "com.apple.springboard")


@dataclass(frozen=True)
class Scene:
    """``blocker`` is what the system laid over the app, ``over`` a window of the app's own. ``found`` are the
    elements that the step's target means there, ``labels`` the class and label of all."""

    screen: str = ""
    screen_key: str = ""
    look: str = ""
    app: str = ""
    blocker: str = ""
    over: str = ""
    found: tuple[Element, ...] = ()
    labels: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def scene_of(trace: TestTrace, step: FailingStep) -> Scene:
    """Reads the screen's hierarchy again, which the few steps that failed are worth."""
    record = trace.snapshots.get(step.snapshot) if step.snapshot else None
    if record is None:
        return Scene()
    labels = tuple((one.class_name, one.label) for one in record.elements)
    known = Scene(record.screen, record.screen_key, look_of(record), record.app, labels=labels)
    try:
        snapshot = parsed(record)
    except ReplicantError:
        return known
    foreign, name = window_over(snapshot)
    found = _found(snapshot, step.target)
    return replace(known, blocker=name if foreign else "", over="" if foreign else name, found=found)


def looks_of(trace: TestTrace) -> tuple[str, ...]:
    """The screens on which an action found its target, each once, the first of them."""
    used = dict.fromkeys(
        event.before
        for event in trace.events
        if event.kind == "action" and event.target is not None and not event.error and event.before
    )
    records = (trace.snapshots[one] for one in list(used)[:_MOST_LOOKS] if one in trace.snapshots)
    return tuple(dict.fromkeys(look_of(record) for record in records))


def look_of(record: SnapshotRecord) -> str:
    """What the screen is built of, as a short string: classes and labels in order, numbers apart."""
    return look(record.screen_key, record.elements)


def look(screen_key: str, elements: Iterable[ShownElement]) -> str:
    from ...snapshots import mask_numbers

    parts = [screen_key, *(f"{one.class_name}\t{mask_numbers(one.label[:200])}" for one in elements)]
    told = "\n".join(parts).encode("utf-8", "replace")
    return hashlib.blake2b(told, digest_size=6).hexdigest()


def window_over(snapshot: Snapshot) -> tuple[bool, str]:
    """Whether what lies over the app is not the app's, and what it is, ``system dialog "Battery low"``; "" where
    nothing does."""
    if snapshot.dialog is None:
        return False, ""
    listed = (*snapshot.headings, *snapshot.elements)
    titled = (one.node for one in listed if snapshot.dialog and one.label == snapshot.dialog)
    top = next(titled, None) or next((one.node for one in listed), None)
    if top is None:
        return False, ""
    inside = (one.label for one in snapshot.elements if one.window == top.window and not one.node.clickable)
    says = quoted(snapshot.dialog or next((label for label in inside if label), ""))
    if top.package.endswith(_PERMISSION):
        return True, f"permission prompt {says}"
    return (True, f"system dialog {says}") if top.package in _SYSTEM else (False, f"Dialog {says}")


def parsed(record: SnapshotRecord) -> Snapshot:
    """The screen as it was read. Raises ``SnapshotError``."""
    from ...snapshots import Snapshot

    return Snapshot.parse(record.source, id=record.id, size=record.size, scale=record.scale)


def _found(snapshot: Snapshot, target: str) -> tuple[Element, ...]:
    selector = selector_from(target)
    if selector is None:
        return ()
    try:
        return tuple(snapshot.every(selector))
    except (
        ReplicantError,
        TypeError,
        ValueError,
        re.error,
    ):  # an anchor that is not there, or values of no selector
        return ()


def selector_from(told: str) -> Selector | None:
    """The selector that was described so; None for a ref, an element, or what cannot be read back."""
    try:
        call = ast.parse(f"by({told})", mode="eval").body
        return _selector(call)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _selector(call: ast.expr) -> Selector:
    """Raises ``ValueError`` for what is no call of ``by`` with plain values."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "by" or call.args:
        raise ValueError("no selector")
    given: dict[str, Any] = {}
    for one in call.keywords:
        if one.arg not in SELECTOR_KEYWORDS:
            raise ValueError("no selector")
        given[one.arg] = _selector(one.value) if isinstance(one.value, ast.Call) else ast.literal_eval(one.value)
    if not given:
        raise ValueError("no selector")
    return Selector(**given)
