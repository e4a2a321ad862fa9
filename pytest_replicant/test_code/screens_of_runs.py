"""The screens of recorded runs, the locators that tests use on them, and what each locator matches
where.

Reports may be anybody's: reading is bounded, files are named by the hash of their content, and
anything that is not as it should be counts as absent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from ..cassettes import FILE_NAME
from ..errors import ReplicantError, SnapshotError, UsageError
from ..kept_runs import RecordedAttempt, attempts_of, element_name, newest_at, why_not_read
from ..model import Element, ElementRecord, Selector, Strings, grouped, quoted, verb_of
from ..snapshots import Snapshot, clean, mask_numbers
from .locators import Use, Written, has_expression, locators_in

MOST_SHOTS = 20_000
"""Distinct hierarchies that locators are tried on."""
MOST_LOCATORS = 20_000
_MOST_OLDER = 200  # hierarchies of one screen of the older report
_MOST_SLOW = 5  # locators whose expression takes too long, before no further expression is tried
_ALIKE = 0.5  # of the content of two hierarchies, from which on one screen is compared with itself
_MOST_NAMED = 3
_REF = re.compile(r"\[[a-z]\d{3,}[a-z]?\] ")  # of one reading alone


@dataclass(frozen=True)
class Shot:
    """One hierarchy of an attempt."""

    attempt: RecordedAttempt
    blob: str

    def snapshot(self) -> Snapshot | None:
        """None if it is missing, or not what it was."""
        with suppress(OSError, ValueError, SnapshotError):
            return self.attempt.parsed(self.blob)
        return None


@dataclass
class SeenScreen:
    """One screen, with any content: ``shots`` are its hierarchies by fingerprint, ``reads`` says
    how often a test read it."""

    key: str
    name: str = ""
    app: str = ""
    dialog: str | None = None
    shots: dict[str, Shot] = field(default_factory=dict)
    reads: int = 0
    tests: set[str] = field(default_factory=set)

    @property
    def title(self) -> str:
        parts = [quoted(self.name)] if self.name else []
        if self.dialog is not None:
            parts.append(f"dialog {quoted(self.dialog)}" if self.dialog else "a dialog")
        return ", ".join(parts) or f"untitled, {self.app or 'of an unknown app'}"


@dataclass(frozen=True)
class Way:
    """From one screen to another, by the key of each: the action before. ``before`` is "" if a test
    began."""

    title: str
    before: str
    after: str
    test: str


@dataclass
class SeenRuns:
    """``loose`` are hierarchies by their blobs that cassettes have and no trace does."""

    names: list[str] = field(default_factory=list)
    screens: dict[str, SeenScreen] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    loose: dict[str, Shot] = field(default_factory=dict)
    tests: set[str] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)

    @cached_property
    def used(self) -> dict[Selector, list[Use]]:
        return grouped((one.selector, one) for one in self.uses)

    def called(self, key: str) -> str:
        """A screen's name for people; with its key where another one has that name too."""
        screen = self.screens.get(key)
        if screen is None:
            return "a screen that was not read"
        return screen.title if self._titles[screen.title] < 2 else f"{screen.title} ({key[:6]})"

    @cached_property
    def _titles(self) -> Counter[str]:
        return Counter(one.title for one in self.screens.values())


def read_runs(paths: Sequence[str], *, cassettes: bool = False) -> SeenRuns:
    """The tests of some reports: of a run's folder, of one test's, of the newest run in an output
    folder, or of an archive. ``cassettes`` may have further hierarchies. Raises ``UsageError`` for
    anything else."""
    runs = SeenRuns()
    blobs: set[str] = set()
    for path in paths:
        tests = newest_at(path)
        runs.names.append(PurePosixPath(tests[0].files.name).name)
        for attempt in attempts_of(tests, runs.troubles):
            _add(runs, attempt)
            blobs.update(one.blob for one in attempt.screens.values())
            try:
                for blob in attempt.taped() if cassettes else ():
                    runs.loose.setdefault(blob, Shot(attempt, blob))
            except FileNotFoundError:
                pass
            except (OSError, ValueError) as error:
                runs.troubles.append(f"{attempt.origin}: {FILE_NAME}: {why_not_read(error)}")
    for blob in blobs & runs.loose.keys():
        del runs.loose[blob]
    return runs


def _add(runs: SeenRuns, attempt: RecordedAttempt) -> None:
    test = attempt.nodeid
    runs.tests.add(test)
    for one in attempt.screens.values():
        if one.key and one.fingerprint:
            screen = SeenScreen(one.key, one.name, one.app, one.dialog)
            screen = runs.screens.setdefault(one.key, screen)
            screen.reads += 1
            screen.tests.add(test)
            screen.shots.setdefault(one.fingerprint, Shot(attempt, one.blob))
    here, action = "", ""
    for step in attempt.steps:
        if step.kind == "action":
            action = step.title
        before, after = step.before.key or here, step.after.key
        if after and after != before and action:
            runs.ways.append(Way(action, before, after, test))
        looks_after = step.kind != "action" or verb_of(step.verb).finds
        where = (after if looks_after else before) or before or after
        for selector in locators_in(step):
            runs.uses.append(Use(selector, step.verb, step.source or test, test, where))
        here = after or before


# --- what locators match --------------------------------------------------------------------------

Kind = Literal["changed", "vanished", "ambiguous"]
KINDS: tuple[Kind, ...] = ("changed", "vanished", "ambiguous")
"""The worst first: a test that acts on another element may still pass."""


@dataclass
class Tally:
    """On how many hierarchies of one screen a locator matches one element, several, or none.
    ``candidates`` are several of one of them, ``was`` and ``now`` the element in the older report
    and in this one."""

    one: int = 0
    several: int = 0
    count: int = 0
    candidates: Strings = ()
    was: str = ""
    now: str = ""
    reason: str = ""
    other: bool = False  # it matches another element now

    @property
    def none(self) -> int:
        return self.count - self.one - self.several

    @property
    def kinds(self) -> Iterator[Kind]:
        if self.other:
            yield "changed"
        elif self.was and not self.one and not self.several:
            yield "vanished"
        if self.several:
            yield "ambiguous"

    def note(self, found: Sequence[Element]) -> None:
        """What matches on one more hierarchy."""
        if len(found) > 1:
            self.several += 1
            if len(found) > len(self.candidates):
                self.candidates = tuple(_name(one) for one in found[: _MOST_NAMED + 1])
        elif found:
            self.one += 1

    def compare(self, was: Sequence[Element], now: Sequence[Element], snapshot: Snapshot) -> None:
        """What has become of the element that a locator matched, on the hierarchy most like it."""
        if not was or len(now) > 1 or self.other or (self.was and not now):
            return
        located = snapshot.locate(was[0])
        there, other = located.element, False
        if now and len(was) == 1:
            other = _looks(was[0]) != _looks(now[0])
            if there is not None:
                other = there.index != now[0].node.index
        if other or not now:
            shown = now[0] if now else there
            self.was, self.other = _name(was[0]), other
            self.now = _name(shown) if shown is not None else ""
            self.reason = f"{located.verdict}: {_REF.sub('', located.reason)}"


@dataclass
class Tried:
    """A locator, where it is used and written, and what it matches on each screen, by key.
    ``refused`` says why it could not be tried everywhere."""

    selector: Selector
    uses: list[Use] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    screens: dict[str, Tally] = field(default_factory=dict)
    refused: str = ""

    def tally_of(self, screen: str) -> Tally:
        return self.screens.setdefault(screen, Tally())

    def uses_on(self, key: str) -> list[Use]:
        return [one for one in self.uses if one.screen == key]


@dataclass(frozen=True)
class Finding:
    kind: Kind
    tried: Tried
    screen: str

    @property
    def tally(self) -> Tally:
        return self.tried.screens[self.screen]


def locators_of(runs: SeenRuns, written: Iterable[Written], older: SeenRuns | None) -> list[Tried]:
    """Each locator once: of the traces, and of the code, where the trace of that line has none that
    says more."""
    found = {selector: Tried(selector, list(uses)) for selector, uses in runs.used.items()}
    used_at = grouped((use.source, dict(use.selector.given())) for use in runs.uses)
    for one in written:
        given = dict(one.selector.given()).items()
        says_more = any(given <= each.items() for each in used_at.get(one.source, ()))
        if one.selector in found or not says_more:
            found.setdefault(one.selector, Tried(one.selector)).written.append(one.source)
    for selector, tried in found.items():
        if older is not None:
            tried.uses.extend(older.used.get(selector, []))
    return list(found.values())


def findings_of(tried: Iterable[Tried]) -> list[Finding]:
    """The worst first; of one kind those that most tests meet. Of a locator that a test uses, those
    of the screens on which it does."""
    found: list[Finding] = []
    for one in tried:
        for key, tally in one.screens.items():
            uses = one.uses_on(key)
            for kind in tally.kinds:
                met = bool(uses) or not one.uses
                if kind == "ambiguous":
                    met = any(use.needs_one for use in uses)
                if met:
                    found.append(Finding(kind, one, key))
    order = KINDS.index
    return sorted(found, key=lambda one: (order(one.kind), -len(one.tried.uses_on(one.screen))))


_Matched = dict[int, list[Element]]
_Content = frozenset[tuple[str, str, str]]


class Trial:
    """Tries locators on every hierarchy of some runs: each is parsed once, and not kept. ``older``
    are runs of before, whose hierarchies of one screen are kept while that screen is looked at.
    ``shots`` says how many of each screen were looked at, by its key."""

    def __init__(
        self, runs: SeenRuns, locators: Sequence[Tried], older: SeenRuns | None = None
    ) -> None:
        self._runs = runs
        self._locators = _Index(locators[:MOST_LOCATORS])
        self._older = older.screens if older is not None else {}
        self._left = MOST_SHOTS
        self.shots: dict[str, int] = {}
        if len(locators) > MOST_LOCATORS:
            runs.troubles.append(f"more than {MOST_LOCATORS} locators; the rest is not tried")

    def run(self) -> None:
        seen: set[str] = set()  # fingerprints, made with the hierarchy alone
        keys: dict[str, str] = {}
        for key, screen in self._runs.screens.items():
            before = _Before(self._older[key], self._locators) if key in self._older else None
            for fingerprint, shot in screen.shots.items():
                snapshot = self._parsed(shot)
                if snapshot is not None:
                    seen.add(snapshot.fingerprint)
                    keys[snapshot.screen_key] = key
                    then = before.nearest(fingerprint, snapshot) if before else {}
                    self._look(snapshot, key, then)
        for shot in self._runs.loose.values():
            snapshot = self._parsed(shot)
            if snapshot is not None and snapshot.fingerprint not in seen:
                seen.add(snapshot.fingerprint)
                key = keys.setdefault(snapshot.screen_key, snapshot.screen_key)
                only_here = SeenScreen(key, snapshot.screen, snapshot.app, snapshot.dialog)
                self._runs.screens.setdefault(key, only_here)
                self._look(snapshot, key, {})
        for tried in self._locators.all:
            for key, tally in tried.screens.items():
                tally.count = self.shots[key]

    def _parsed(self, shot: Shot) -> Snapshot | None:
        self._left -= 1
        if self._left == -1:
            self._runs.troubles.append(
                f"more than {MOST_SHOTS} hierarchies; the rest is not looked at"
            )
        snapshot = shot.snapshot() if self._left >= 0 else None
        if snapshot is None and self._left >= 0:
            self._runs.troubles.append(f"{shot.blob}: no hierarchy that could be read")
        return snapshot

    def _look(self, snapshot: Snapshot, key: str, then: _Matched) -> None:
        self.shots[key] = self.shots.get(key, 0) + 1
        matched = self._locators.matched(snapshot)
        for at, found in matched.items():
            self._locators.all[at].tally_of(key).note(found)
        for at, was in then.items():
            self._locators.all[at].tally_of(key).compare(was, matched.get(at, ()), snapshot)


class _Index:
    """Locators by what they need to match at all, so that few of very many are tried on a
    hierarchy."""

    def __init__(self, locators: Sequence[Tried]) -> None:
        self.all = locators
        self._slow = 0
        self._by_word: dict[str, list[int]] = {}
        self._others: list[int] = []
        for at, tried in enumerate(locators):
            one = tried.selector
            if one.any_of or one.android or one.ios or not (one.text or one.resource_id):
                self._others.append(at)
            else:
                word = clean(one.text) if one.text else one.resource_id
                self._by_word.setdefault(word or "", []).append(at)

    def matched(self, snapshot: Snapshot) -> _Matched:
        """What an action would find, by the place of each locator that matches."""
        words = set[str]()
        for node in snapshot.nodes:
            words |= {node.resource_id, node.resource_id.rpartition(":id/")[2]}
            words |= {*map(clean, (node.text, node.description, node.hint))}
        for element in snapshot.printed:
            words |= {element.label, element.borrowed, *element.folded}
        likely = [*self._others]
        for word in self._by_word.keys() & words:
            likely += self._by_word[word]
        return {at: found for at in likely if (found := self._every(snapshot, self.all[at]))}

    def _every(self, snapshot: Snapshot, tried: Tried) -> list[Element]:
        """One that cannot be tried is not tried again."""
        if tried.refused:
            return []
        try:
            return snapshot.every(tried.selector)
        except UsageError as error:  # an expression that takes too long
            tried.refused = error.what
            self._slow += 1
            if self._slow == _MOST_SLOW:
                for one in filter(lambda one: has_expression(one.selector), self.all):
                    one.refused = one.refused or "it has an expression, and others took too long"
        except ReplicantError:  # dots in place of a text, and no phone to ask for it
            pass
        return []


class _Before:
    """One screen of the older report, with what each locator matched on it."""

    def __init__(self, screen: SeenScreen, locators: _Index) -> None:
        self._locators = locators
        self._shots = dict(list(screen.shots.items())[:_MOST_OLDER])

    @cached_property
    def _all(self) -> list[tuple[_Content, _Matched]]:
        parsed = filter(None, (shot.snapshot() for shot in self._shots.values()))
        return [(_content(one), self._locators.matched(one)) for one in parsed]

    def nearest(self, fingerprint: str, snapshot: Snapshot) -> _Matched:
        """What matched where most of the same is shown; nothing if all of it is, or nowhere half of
        it."""
        content = _content(snapshot)
        if fingerprint in self._shots or not self._all:
            return {}
        likeness = [len(content & each) / (len(content | each) or 1) for each, _ in self._all]
        best = max(likeness)
        return self._all[likeness.index(best)][1] if best >= _ALIKE else {}


def _content(snapshot: Snapshot) -> _Content:
    return frozenset(
        (one.class_name, one.resource_id, mask_numbers(one.label)) for one in snapshot.elements
    )


def _looks(element: Element) -> tuple[str, str, str]:
    return element.class_name, mask_numbers(element.label), mask_numbers(element.context)


def _name(element: Element) -> str:
    return element_name(ElementRecord.of(element))
