"""Whether one literal may change for all calls that use it: a loop, several tests, a constant."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..kept import RecordedAttempt, RecordedStep
from ..model import Selector
from ..reporting.artifacts.document import file_and_line
from ..snapshots import Snapshot
from .literals import Literal, Source
from .proposing import matched
from .refusal import Refusal
from .sources import Sources


class Uses:
    """The recorded steps by which a literal is known to be used."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._attempts: list[tuple[RecordedAttempt, bool]] = []

    def add(self, attempt: RecordedAttempt, *, is_new: bool) -> None:
        """``is_new``: of the run that is healed, not of a pass before."""
        if all(known is not attempt for known, _ in self._attempts):
            self._attempts.append((attempt, is_new))

    def agree(
        self,
        source: Source,
        literal: Literal,
        selector: Selector,
        nows: Sequence[Snapshot],
        own: Collection[tuple[str, str]],
    ) -> None:
        """Raises ``Refusal`` where another step uses the literal and ``selector`` does not find there what the
        literal does, or where that is a check. ``nows`` are the failing screens, ``own`` the steps that failed on
        them, by test and id."""
        for attempt, is_new in self._attempts:
            for step in attempt.steps:
                is_own = is_new and (attempt.nodeid, step.id) in own
                if is_own or not _names(step, literal.selector) or not self._uses(step, source, literal):
                    continue
                where = f"{step.source} of {attempt.nodeid}"
                if step.kind == "check":
                    raise Refusal("claim", f"{literal.name} is what the expectation at {where} claims, too")
                _agree(attempt, step, literal.selector, selector, () if is_new else nows, where)

    def _uses(self, step: RecordedStep, source: Source, literal: Literal) -> bool:
        """In doubt it does: a line that names the constant may import it."""
        named = bool(literal.name) and re.search(rf"\b{re.escape(literal.name)}\b", step.source_text) is not None
        found = file_and_line(step.source)
        if found is None or found[0] != source.name:
            return named
        try:
            return source.literal_at(found[1], literal.selector).place == literal.place
        except Refusal:
            return named


def _names(step: RecordedStep, selector: Selector) -> bool:
    text = str(selector)
    return text in (step.selector, step.expected) or text in step.title


def _agree(
    attempt: RecordedAttempt,
    step: RecordedStep,
    was: Selector,
    selector: Selector,
    nows: Sequence[Snapshot],
    where: str,
) -> None:
    screens = filter(None, (attempt.snapshot(step.before), attempt.snapshot(step.after)))
    for screen in screens:
        before = matched(was, screen)
        if len(before) != 1:
            continue
        after = matched(selector, screen)
        renamed_since = not after and any(not now.traits.differ(screen.traits) for now in nows)
        if not renamed_since and after != before:
            what = "nothing" if not after else "another element" if len(after) == 1 else f"{len(after)} elements"
            raise Refusal("shared literal", f"{where} uses it too, where {selector} finds {what}")
        return
    raise Refusal("shared literal", f"{where} uses it too, on a screen that was not kept")
