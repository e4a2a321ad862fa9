"""A trace that a run kept: its steps and their screens, for the page. It may be anybody's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...cassettes import Stored
from ...drivers import scale_of
from ...errors import SnapshotError, UsageError
from ...reporting.printable import few, printable, system_name
from ...reporting.screens_of_runs import document_of, tests_at
from ...snapshots import Snapshot
from ..given import Values
from .screens import Picture, Seen, Shown

_PICTURE = re.compile(r"[0-9a-f]{32}\.(webp|png)")
_MOST_STEPS = 5_000
_MOST_NAMED = 8
_LONGEST = 2_000
_LARGEST_PICTURE = 20_000_000


@dataclass
class KeptTrace:
    """One attempt of one test. ``steps`` are ready for JSON; ``before`` and ``after`` name screens, or are ""."""

    stored: Stored
    nodeid: str
    outcome: str
    device: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]]
    steps: list[Shown]
    _seen: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def open(cls, given: str) -> KeptTrace:
        """``REPORT`` or ``REPORT::test``. Raises ``UsageError`` where that is not one test with a trace."""
        report, _, test = given.partition("::")
        _, tests = tests_at(report)
        found = [trace for trace in map(_loaded, tests) if trace is not None and _is_meant(trace.nodeid, test)]
        latest = {trace.nodeid: trace for trace in found}  # of several attempts the last
        if len(latest) == 1:
            return next(iter(latest.values()))
        what = f"no test {test!r}" if not latest else f"{len(latest)} tests"
        names = [each.nodeid for each in latest.values()] or [each.nodeid for each in map(_loaded, tests) if each]
        listed = "\n".join(f"  {printable(name, 160)}" for name in few(sorted(set(names)), _MOST_NAMED))
        example = names[0].rpartition("::")[2] if names else "test_order"
        raise UsageError(f"{report} has {what}.\n{listed}\nNext: --trace {report}::{printable(example, 100)}")

    def state(self, name: str = "") -> Shown:
        """Everything that the page shows; ``name`` is the screen. Raises ``UsageError`` for one that is none."""
        name = name or next((one["after"] for one in self.steps if one["after"]), next(iter(self.records), ""))
        screen: Shown | None = None
        trouble = "" if name else "This trace has no screen."
        try:
            screen = self._screen(name).to_dict() if name else None
        except (OSError, ValueError, SnapshotError) as error:
            trouble = f"This screen cannot be read: {printable(str(error), 300)}"
        phone = f"{self.device.get('model') or self.device.get('serial') or 'phone'}, {system_name(self.device)}"
        return {
            "mode": "trace",
            "name": self.nodeid,
            "outcome": self.outcome,
            "facts": ["kept trace", printable(phone, 80)],
            "trouble": trouble,
            "screen": screen,
            "steps": self.steps,
        }

    def poll(self, seen: str) -> Shown:
        """A recording never changes."""
        return {"same": True}

    def picture(self, id: str, *, marks: bool = False) -> Picture | None:
        try:
            seen = self._screen(id)
            return seen.marked if marks else seen.picture
        except (UsageError, OSError, ValueError, SnapshotError):
            return None

    def element(self, id: str, ref: str) -> Shown:
        """Its locators are tried on the other screens of the trace that were shown. Raises ``UsageError``."""
        try:
            seen = self._screen(id)
        except (OSError, ValueError, SnapshotError) as error:
            raise UsageError(f"this screen cannot be read: {error}") from None
        return seen.element(ref, [one.snapshot for one in list(self._seen.values())])

    def command(self, name: str, values: Values, secrets: Values) -> Shown:
        raise UsageError("a kept trace is only looked at: there is no phone. Next: replicant inspect APP")

    def _screen(self, name: str) -> Seen:
        """Raises ``UsageError``, ``OSError``, ``ValueError`` and ``SnapshotError``."""
        record = self.records.get(name)
        if record is None:
            raise UsageError(f"{name!r} is no screen of this trace")
        if name not in self._seen:
            blob = str(record.get("blob", "")).rpartition("/")[2]
            snapshot = Snapshot.parse(self.stored.blob(blob), id=name, scale=scale_of(self.device))
            self._seen[name] = Seen(name, snapshot, self._picture(record))
        return self._seen[name]

    def _picture(self, record: Mapping[str, Any]) -> Picture | None:
        shot = record.get("screenshot")
        name = str(shot.get("blob", "")).rpartition("/")[2] if isinstance(shot, Mapping) else ""
        named = _PICTURE.fullmatch(name)
        if named is None:
            return None
        try:
            data = self.stored.files.read(self.stored.path.parent.parent / "blobs" / name)
        except (OSError, ValueError):
            return None
        return Picture(data, f"image/{named[1]}") if len(data) <= _LARGEST_PICTURE else None


def _is_meant(nodeid: str, test: str) -> bool:
    return not test or nodeid == test or nodeid.endswith(f"::{test}")


def _loaded(stored: Stored) -> KeptTrace | None:
    """None for whatever is no trace."""
    try:
        document = document_of(stored)
    except (OSError, ValueError):
        return None
    test, device, records, events = (document.get(name) for name in ("test", "device", "snapshots", "events"))
    if not (isinstance(test, dict) and isinstance(test.get("nodeid"), str) and isinstance(records, dict)):
        return None
    kept = {str(name): one for name, one in records.items() if isinstance(one, dict)}
    steps = list(_steps(events[:_MOST_STEPS] if isinstance(events, list) else [], kept))
    phone = device if isinstance(device, dict) else {}
    return KeptTrace(stored, test["nodeid"][:_LONGEST], str(test.get("outcome", ""))[:40], phone, kept, steps)


def _steps(events: list[Any], records: Mapping[str, Any]) -> Iterator[Shown]:
    """What was done and checked; each screen by its name."""
    for event in events:
        if not isinstance(event, dict) or event.get("kind") not in ("action", "check"):
            continue
        before, after = (
            name if isinstance(name, str) and name in records else ""
            for name in map(event.get, ("before", "after"))
        )
        error = str(event.get("error") or "")
        yield {
            "title": str(event.get("title", ""))[:_LONGEST],
            "kind": event["kind"],
            "failed": bool(error or event.get("failure")),
            "error": error[:_LONGEST],
            "source": str(event.get("source") or "")[:_LONGEST],
            "before": before,
            "after": after,
            "target": _rectangle(event.get("target")),
        }


def _rectangle(found: Any) -> list[int] | None:
    fits = isinstance(found, list) and len(found) == 4 and all(type(one) is int for one in found)
    return found if fits else None
