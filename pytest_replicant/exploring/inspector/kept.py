"""A trace that a run kept: its steps and their screens, for the page. It may be anybody's."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ...errors import SnapshotError, UsageError
from ...kept import RecordedAttempt, attempts_of, newest_at
from ...reporting.printable import few, printable
from ..given import Values
from .screens import Picture, Seen, Shown

_MOST_NAMED = 8
_SIDES = 4  # of a rectangle


@dataclass
class KeptTrace:
    """One attempt of one test, and its screens that were shown."""

    attempt: RecordedAttempt
    _seen: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def open(cls, given: str) -> KeptTrace:
        """``REPORT`` or ``REPORT::test``. Raises ``UsageError`` if that is not one test with a trace."""
        report, _, test = given.partition("::")
        every = list(attempts_of(newest_at(report), []))
        latest = {one.nodeid: one for one in every if _is_meant(one.nodeid, test)}  # of several the last
        if len(latest) == 1:
            return cls(next(iter(latest.values())))
        what = f"no test {test!r}" if not latest else f"{len(latest)} tests"
        names = [*latest] or [one.nodeid for one in every]
        listed = "\n".join(f"  {printable(name, 160)}" for name in few(sorted(set(names)), _MOST_NAMED))
        example = names[0].rpartition("::")[2] if names else "test_order"
        raise UsageError(f"{report} has {what}.\n{listed}\nNext: --trace {report}::{printable(example, 100)}")

    @cached_property
    def steps(self) -> list[Shown]:
        """What was done and checked, ready for JSON; each screen by its name, or ""."""
        return [
            {
                "title": one.title,
                "kind": one.kind,
                "failed": bool(one.error or one.failure),
                "error": one.error,
                "source": one.source,
                "before": one.before.id,
                "after": one.after.id,
                "target": list(one.box) if len(one.box) == _SIDES else None,
            }
            for one in self.attempt.steps
            if one.kind in ("action", "check")
        ]

    def state(self, name: str = "") -> Shown:
        """Everything that the page shows; ``name`` is the screen. Raises ``UsageError`` for one that is none."""
        name = name or next(
            (one["after"] for one in self.steps if one["after"]), next(iter(self.attempt.screens), "")
        )
        screen: Shown | None = None
        trouble = "" if name else "This trace has no screen."
        try:
            screen = self._screen(name).to_dict() if name else None
        except (OSError, ValueError, SnapshotError) as error:
            trouble = f"This screen cannot be read: {printable(str(error), 300)}"
        return {
            "mode": "trace",
            "name": self.attempt.nodeid,
            "outcome": self.attempt.outcome,
            "facts": ["kept trace", printable(self.attempt.device or "phone", 80)],
            "trouble": trouble,
            "screen": screen,
            "steps": self.steps,
        }

    def read(self, what: str, *words: str) -> Shown | Picture | None:
        """As ``Source`` has it; a recording never changes. Raises ``UsageError``."""
        if what == "poll":
            return {"same": True}
        if what in ("picture", "marked"):
            return self.picture(words[0], marks=what == "marked")
        return self.element(*words) if what == "element" else self.state(*words)

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
        record = self.attempt.screens.get(name)
        if record is None:
            raise UsageError(f"{name!r} is no screen of this trace")
        if name not in self._seen:
            data = self.attempt.picture(record)
            picture = Picture(data, f"image/{record.picture.rpartition('.')[2]}") if data is not None else None
            self._seen[name] = Seen(name, self.attempt.parsed(record.blob, name), picture)
        return self._seen[name]


def _is_meant(nodeid: str, test: str) -> bool:
    return not test or nodeid == test or nodeid.endswith(f"::{test}")
