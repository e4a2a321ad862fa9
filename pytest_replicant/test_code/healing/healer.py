"""A report's failures of finding, each with a new locator or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from ...errors import ReplicantError, UsageError
from ...kept_runs import RecordedAttempt, RecordedScreen, RecordedStep, file_and_line, newest_run
from ...model import BROKEN, MASK, Element, FailureCode, FailureRecord, Selector, quoted
from ...snapshots import Snapshot
from ..locators import read_locator
from ..source_file import patch_of
from .proposing import Known, matched, propose
from .refinding import Refound, looks_like, refind
from .refusal import Refusal
from .sources import Literal, Source, Sources

FINDING: frozenset[FailureCode] = frozenset(
    {"ELEMENT_NOT_FOUND", "STALE_REFERENCE", "AMBIGUOUS_TARGET"}
)
"""Codes of a target that was not found, or not alone."""
_MISSED = ("missing", "ambiguous")
"""Problems of a check whose element is not there."""
_MOST_SCREENS = 200
_MOST_READ = 1_000  # hierarchies, of which many are alike
Place = tuple[str, int, int]
"""A literal: its file, line and column."""


@dataclass(frozen=True)
class Failed:
    """A step that did not find its target. ``locator`` is that target as the test gave it."""

    attempt: RecordedAttempt
    step: RecordedStep
    locator: str

    @property
    def test(self) -> str:
        return self.attempt.nodeid

    @property
    def source(self) -> str:
        return self.step.source


@dataclass(frozen=True)
class Refused:
    failed: Failed
    refusal: Refusal


@dataclass(frozen=True)
class Healed:
    """One literal with another selector. ``evidence`` are the failures that it is for, each with
    why it is the same element, and ``proof`` says what the new locator was tried on."""

    file: str
    line: int
    name: str
    before: Selector
    after: Selector
    evidence: tuple[tuple[Failed, str], ...]
    proof: str


@dataclass
class Healing:
    """``others`` is how many tests failed by something else. ``files`` are those that would change,
    before and after."""

    report: str
    healed: list[Healed] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    others: int = 0
    files: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    @property
    def patch(self) -> bytes:
        """For ``git apply``, in the folder where the tests were run."""
        patches = (
            patch_of(name, *map(bytes.decode, both)) for name, both in sorted(self.files.items())
        )
        return "".join(patches).encode()


@dataclass(frozen=True)
class _Case:
    """A failure whose element was found again on ``now``. ``known`` are the recorded screens of its
    step."""

    failed: Failed
    source: Source
    literal: Literal
    refound: Refound
    now: Snapshot
    known: tuple[Known, ...]


def heal(report: str, older: str | None = None, root: Path | None = None) -> Healing:
    """Nothing is applied: see ``Healing.patch``. ``root`` is the folder in which the tests were
    run, by default this one. Raises ``UsageError`` if a report cannot be read."""
    root = root or Path.cwd()
    if not root.is_dir():
        raise UsageError(
            f"--root {root}: there is no such folder. Next: name that in which the tests were run"
        )
    return _Healer(report, older, root).heal()


class _Healer:
    def __init__(self, report: str, older: str | None, root: Path) -> None:
        self._kept = newest_run(report, older)
        self._sources = Sources(root)
        self._uses = _Uses(self._sources)
        self._older: dict[str, list[RecordedAttempt]] = {}
        self._edits: dict[str, dict[Literal, Selector]] = {}
        self._groups: dict[Place, list[_Case]] = {}
        self._lost: dict[Place, Failed] = {}
        self._found = Healing(self._kept.name, troubles=self._kept.troubles)

    def heal(self) -> Healing:
        standing: dict[tuple[str, str], RecordedAttempt] = {}  # the last one of each test
        for one in sorted(self._kept.attempts, key=lambda one: (one.started_at, one.number)):
            standing[one.nodeid, one.platform] = one
        for attempt in standing.values():
            self._uses.add(attempt, is_new=True)
        for attempt in standing.values():
            if attempt.outcome in BROKEN:
                self._look(attempt)
        for where, cases in self._groups.items():
            try:
                self._change(cases, self._lost.get(where))
            except Refusal as refusal:
                self._found.refused += [Refused(case.failed, refusal) for case in cases]
        self._found.healed.sort(key=lambda one: (one.file, one.line))
        self._found.refused.sort(key=lambda one: (one.failed.source, one.failed.test))
        return self._found

    def _look(self, attempt: RecordedAttempt) -> None:
        raised = {error.step for error in attempt.failures if error.step}
        steps = [one for one in attempt.steps if one.id in raised and _is_about_finding(one)]
        self._found.others += not steps
        for step in steps:
            failed = Failed(attempt, step, step.selector or step.title.partition(" ")[2])
            literal: Place | None = None
            try:
                selector = _selector(attempt, step)
                source, line = self._sources.at(step.source, step.source_text)
                written = source.literal_at(line, selector)
                literal = (source.name, *written.place)
                case = self._case(failed, source, written)
                self._groups.setdefault(literal, []).append(case)
            except Refusal as refusal:
                self._found.refused.append(Refused(failed, refusal))
                if literal:
                    self._lost[literal] = failed

    def _case(self, failed: Failed, source: Source, literal: Literal) -> _Case:
        """Raises ``Refusal``."""
        record = failed.step.failure or FailureRecord("", "UNKNOWN")
        read = failed.step.after
        if record.snapshot:
            read = failed.attempt.screens.get(record.snapshot, RecordedScreen())
        now = failed.attempt.snapshot(read.blob)
        if not now:
            raise Refusal("not proven", "the screen on which it failed was not kept")
        then, was = self._passed(failed, literal.selector)
        refound = refind(was, literal.selector, then, now)
        self._refuse_states(failed, refound)
        known = self._known(failed, literal.selector, refound.element, (now, then))
        return _Case(failed, source, literal, refound, now, (Known(then, was), *known))

    def _refuse_states(self, failed: Failed, refound: Refound) -> None:
        """What a pass had shown under the new name, too, is another state of the app and no new
        name. Raises ``Refusal``."""
        if refound.kind != "renamed":
            return
        began = failed.attempt.started_at
        passes = (one for one in self._before(failed) if one.is_pass and one.started_at < began)
        screens = (screen for attempt in passes for screen in attempt.snapshots())
        for screen in islice(screens, _MOST_READ):
            if any(looks_like(one, refound.element) for one in screen.elements):
                shown = quoted(refound.element.label)
                raise Refusal(
                    "another screen",
                    f"{shown} was shown in a pass, too: it is another state of the app",
                )

    def _passed(self, failed: Failed, selector: Selector) -> tuple[Snapshot, Element]:
        """The screen of the last pass on which the step found its element. Raises ``Refusal``."""
        key, place = _what(failed.step), _occurrence(failed)
        began = failed.attempt.started_at
        for attempt in self._before(failed):
            steps = [one for one in attempt.steps if _what(one) == key]
            earlier = attempt.is_pass and attempt.started_at < began
            if not earlier or place >= len(steps) or steps[place].error:
                continue
            blobs = (steps[place].before.blob, steps[place].after.blob)
            for screen in filter(None, map(attempt.snapshot, blobs)):
                found = matched(selector, screen)
                if len(found) == 1:
                    self._uses.add(attempt, is_new=False)
                    return screen, found[0]
        raise Refusal(
            "no pass",
            "no kept pass of this test has this step, with the screen on which it was found",
        )

    def _before(self, failed: Failed) -> list[RecordedAttempt]:
        """Earlier attempts of the test on this platform, the newest first."""
        digest = failed.attempt.digest
        if digest not in self._older:
            same_run = [one for one in self._kept.attempts if one.digest == digest]
            self._older[digest] = [*same_run, *self._kept.before(digest)]
        platform = failed.attempt.platform
        alike = (
            one
            for one in self._older[digest]
            if one.nodeid == failed.test and one.platform == platform
        )
        return sorted(alike, key=lambda one: one.started_at, reverse=True)

    def _known(
        self, failed: Failed, selector: Selector, element: Element, used: tuple[Snapshot, Snapshot]
    ) -> Iterator[Known]:
        """This screen, ``used`` apart, with any content, in each kept attempt of the test. The
        element is what the old locator found there, else where it is located."""
        now, other = used
        seen = {now.fingerprint, other.fingerprint}
        every = chain.from_iterable(attempt.snapshots() for attempt in self._before(failed))
        for screen in islice(every, _MOST_READ):
            if len(seen) > _MOST_SCREENS:
                return
            if screen.fingerprint in seen or screen.cut or now.traits.differ(screen.traits):
                continue
            seen.add(screen.fingerprint)
            found = matched(selector, screen)
            located = screen.locate(element)
            if len(found) == 1:
                yield Known(screen, found[0])
            elif not found and located.verdict != "ambiguous":
                yield Known(screen, located.element)

    def _change(self, cases: Sequence[_Case], lost: Failed | None) -> None:
        """Raises ``Refusal`` if one locator does not serve all that use the literal, and if the
        code cannot be changed."""
        first, *others = cases
        if lost:
            why = f"{lost.source} of {lost.test} uses it too, and its element was not found again"
            raise Refusal("shared literal", why)
        known = [*first.known, *(one for case in others for one in case.known)]
        proposal = propose(first.refound.element, first.literal.selector, first.now, known)
        for case in others:
            if matched(proposal.selector, case.now) != [case.refound.element]:
                why = (
                    f"{proposal.selector} is right for {first.failed.test}, and not for "
                    f"{case.failed.test}"
                )
                raise Refusal("shared literal", why)
        source, literal, after = first.source, first.literal, proposal.selector
        own = [(case.failed.test, case.failed.step.id) for case in cases]
        self._uses.agree(source, literal, after, [case.now for case in cases], own)
        edits = self._edits.setdefault(source.name, {})
        self._found.files[source.name] = source.data, source.changed(literal, after, edits)
        edits[literal] = after
        evidence = tuple((case.failed, case.refound.evidence) for case in cases)
        where = (source.name, literal.line, literal.name)
        self._found.healed.append(Healed(*where, literal.selector, after, evidence, proposal.proof))


def _is_about_finding(step: RecordedStep) -> bool:
    """A check that did not find what it expects is among them, to be refused with its reason."""
    failure = step.failure
    if not failure:
        return False
    return failure.code in FINDING or (step.kind == "check" and failure.problem in _MISSED)


def _what(step: RecordedStep) -> tuple[str, str, str]:
    return step.kind, step.name, step.selector


def _occurrence(failed: Failed) -> int:
    """How many steps before it did the same."""
    alike = [one for one in failed.attempt.steps if _what(one) == _what(failed.step)]
    return next(at for at, one in enumerate(alike) if one is failed.step)


def _selector(attempt: RecordedAttempt, step: RecordedStep) -> Selector:
    """The locator of an action that did not find its element. Raises ``Refusal`` if that is not why
    it failed, or where the text belongs to an expectation."""
    failure = step.failure
    if step.kind != "action":
        raise Refusal(
            "claim", f"{step.name} says what has to be there, which is for people to decide"
        )
    if not failure or attempt.deaths or attempt.anrs:
        raise Refusal("another cause", "an app died or hung in this test")
    if failure.over and failure.over.owner != "app":
        title = quoted(failure.over.title) if failure.over.title else "without a title"
        raise Refusal("dialog", f"a window {title} was over the app")
    if failure.blocker or failure.unfit:
        raise Refusal(
            "another cause",
            f"the element was found, and not fit for it: {failure.unfit or 'covered'}",
        )
    if failure.ref or not (failure.selector or step.selector):
        raise Refusal(
            "no literal", "the call names a ref, which stands for an element of one session alone"
        )
    if MASK in step.selector or MASK in str(failure.selector or ""):
        raise Refusal("no literal", "the locator holds a secret, which no report has")
    try:
        selector = failure.selector or read_locator(step.selector)
    except ReplicantError as error:
        raise Refusal("no literal", f"the report's locator cannot be read: {error}") from None
    if selector.android or selector.ios or selector.any_of:
        raise Refusal(
            "no literal", "the locator has several branches, of which one would have to be chosen"
        )
    return selector


# --- who else uses a literal ----------------------------------------------------------------------


class _Uses:
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
        """Raises ``Refusal`` if another step uses the literal and ``selector`` does not find there
        what the literal does, or where that is a check. ``nows`` are the failing screens, ``own``
        the steps that failed on them, by test and id."""
        for attempt, is_new in self._attempts:
            for step in attempt.steps:
                is_own = is_new and (attempt.nodeid, step.id) in own
                text = str(literal.selector)
                names = text in (step.selector, step.expected) or text in step.title
                if is_own or not names or not self._uses(step, source, literal):
                    continue
                where = f"{step.source} of {attempt.nodeid}"
                if step.kind == "check":
                    raise Refusal(
                        "claim", f"{literal.name} is what the expectation at {where} claims, too"
                    )
                _agree(attempt, step, literal.selector, selector, () if is_new else nows, where)

    def _uses(self, step: RecordedStep, source: Source, literal: Literal) -> bool:
        """In doubt it does: a line that names the constant may import it."""
        named = False
        if literal.name:
            named = re.search(rf"\b{re.escape(literal.name)}\b", step.source_text) is not None
        found = file_and_line(step.source)
        if not found or found[0] != source.name:
            return named
        try:
            return source.literal_at(found[1], literal.selector).place == literal.place
        except Refusal:
            return named


def _agree(
    attempt: RecordedAttempt,
    step: RecordedStep,
    was: Selector,
    selector: Selector,
    nows: Sequence[Snapshot],
    where: str,
) -> None:
    screens = filter(None, map(attempt.snapshot, (step.before.blob, step.after.blob)))
    for screen in screens:
        before = matched(was, screen)
        if len(before) != 1:
            continue
        after = matched(selector, screen)
        renamed_since = not after and any(not now.traits.differ(screen.traits) for now in nows)
        if not renamed_since and after != before:
            what = f"{len(after)} elements"
            if len(after) < 2:
                what = "another element" if after else "nothing"
            raise Refusal("shared literal", f"{where} uses it too, where {selector} finds {what}")
        return
    raise Refusal("shared literal", f"{where} uses it too, on a screen that was not kept")
