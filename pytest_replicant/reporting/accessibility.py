"""The screens of a test, judged when it has ended by what its trace kept of them: no phone is asked
for anything.

What was found travels to the process that a person watches in an attribute of the test's report, as
JSON. A screen that the process has judged before is only named there.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Literal

import pytest
from PIL.Image import Image

from ..accessibility import RULES, Audit, cropped, findings, one_audit
from ..errors import SnapshotError
from ..kept_runs import JudgedScreens, RunRecord, RunRow
from ..kept_runs.whole_file import write_whole
from ..model import (
    MASK,
    AnyDict,
    AnyMapping,
    Rect,
    SnapshotRecord,
    Strings,
    TestTrace,
    decode,
    encode,
    grouped,
    json_schema,
    plain,
    quoted,
)
from ..model.printable import counted, few, plain_text, printable
from ..session import painted
from ..snapshots import Snapshot
from ..vision import opened, packed
from .allure.public import allure_active
from .artifacts.pictures import address, data_of, pack
from .artifacts.storage import digest_of
from .attempts.attempt import attempt_of
from .pages.page import page

CARRIED = "replicant_accessibility"
"""Attribute of the report of a teardown."""
MOST_PICTURES = 5
"""How many pictures of one frame a process judges."""
MOST_CROPS = 60
"""Pictures of elements of one screen; more defects than that are no matter of pictures."""
LARGEST_CROP = 480  # pixels of its longer side; a larger one is made smaller
_LONGEST = 500  # characters of a label or a message
_NOT_ASKED: Mapping[str, str] = {
    "phone": "the report sends nothing to a phone; accessibility_findings() asks for it",
    "ocr": "reading the text of each picture takes a second or two; "
    "accessibility_findings() does it",
}


@dataclass(frozen=True)
class ScreenFinding:
    """A finding as the report keeps it, of text and numbers alone. ``bounds`` are left, top, right
    and bottom in pixels; ``crop`` is the address of its picture."""

    key: str
    rule: str
    message: str
    ref: str
    label: str
    class_name: str
    locator: str
    bounds: tuple[int, int, int, int]
    sources: Strings
    crop: str | None = None


@dataclass(frozen=True)
class JudgedScreen:
    """One look of a screen, by which rules it was judged, and what they found. ``id`` is what it is
    made of, elements and picture, and the same in every process. ``screen_key`` says which screen
    it is."""

    id: str
    platform: str
    app: str
    screen: str
    screen_key: str
    ran: Strings
    not_run: Mapping[str, str]
    findings: tuple[ScreenFinding, ...] = ()


@dataclass(frozen=True)
class TestScreens:
    """What one attempt of a test saw: ``seen`` are looks by their ids, each with the step of its
    trace, ``new`` those that its process had not judged before. ``trace`` is its page as seen from
    the run's folder, "" if there is none."""

    __test__ = False  # the name looks like a test class to pytest

    test: str
    trace: str
    seen: Mapping[str, str]
    new: tuple[JudgedScreen, ...] = ()


def screens_of(report: pytest.TestReport) -> list[TestScreens]:
    """Empty if the report carries none."""
    carried: str = getattr(report, CARRIED, "")
    return list(decode(tuple[TestScreens, ...], carried)) if carried else []


class ScreensOfTests:
    """Registered in each process that runs tests. It changes no outcome."""

    NAME = "replicant-accessibility"

    def __init__(self, config: pytest.Config) -> None:
        self._judged: dict[str, JudgedScreen] = {}
        self._looks: dict[str, list[str]] = {}  # by frame
        self._pictured: set[str] = set()  # keys of findings that have a picture
        self._attaches = allure_active(config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(
        self, item: pytest.Item, report: pytest.TestReport, trace: TestTrace, row: RunRow
    ) -> None:
        contexts = [entry.session._context for entry in attempt_of(item).sessions]
        own = {app for context in contexts for app in context.apps.launched}
        seen: dict[str, str] = {}
        before = len(self._judged)
        for record, step in _settled(trace):
            if own and record.app not in own:
                continue
            shot = trace.screenshots.get(record.id)
            look = self._look(record, shot.png if shot is not None else None, trace.device)
            if look:
                seen.setdefault(look, step)
        if not seen:
            return
        new = tuple(self._judged.values())[before:]
        screens = TestScreens(row.test or row.nodeid, row.trace, seen, new)
        setattr(report, CARRIED, encode([*screens_of(report), screens]).decode())
        if self._attaches:
            import allure

            lines = "\n".join(lines_of(self._judged[look] for look in seen))
            allure.attach(plain_text(lines), "accessibility", allure.attachment_type.TEXT)

    def _look(self, record: SnapshotRecord, png: bytes | None, device: AnyMapping) -> str:
        """The id of the look that the screen has, which is judged now unless it was before; "" for
        none. Of one frame a few pictures are judged: one with another clock or caret says nothing
        new."""
        look = frame = frame_of(record, device)
        if png is not None:
            look = digest_of(frame.encode() + hashlib.sha256(png).digest())
        known = self._looks.setdefault(frame, [])
        if look not in self._judged and len(known) < MOST_PICTURES:
            screen = self._judge(look, record, png, device)
            if screen is None:
                return ""
            self._judged[look] = screen
            known.append(look)
        return look if look in self._judged else known[-1]

    def _judge(
        self, look: str, record: SnapshotRecord, png: bytes | None, device: AnyMapping
    ) -> JudgedScreen | None:
        """None for a screen that is still loading, and for one that is none."""
        try:
            snapshot = Snapshot.parse(
                record.source, device.get("platform"), size=record.size, scale=record.scale
            )
            if snapshot.loading:
                return None
            picture = covered(png, snapshot) if png is not None else None
            audit = findings(
                snapshot,
                density=device.get("density") or None,
                picture=picture,
                why=_NOT_ASKED,
                crops=False,
            )
        except SnapshotError:
            return None
        refs = {(one.class_name, one.label, one.bounds): one.ref for one in record.elements}
        crops = self._crops(audit, picture)
        found = [
            ScreenFinding(
                one.key, one.rule, one.message[:_LONGEST],
                refs.get((one.class_name, one.label, one.bounds), one.ref),
                one.label[:_LONGEST], one.class_name, one.locator, (*one.bounds,), one.sources,
                crops.get(one.key),
            )
            for one in audit.findings
        ]  # fmt: skip
        return JudgedScreen(
            look, snapshot.platform, record.app, record.screen, record.screen_key, audit.ran,
            dict(audit.not_run), tuple(found),
        )  # fmt: skip

    def _crops(self, audit: Audit, picture: bytes | None) -> dict[str, str]:
        """The pictures of findings that have none so far."""
        crops: dict[str, str] = {}
        if picture is None or not audit.findings:
            return crops
        image = opened(picture)
        for one in [one for one in audit.findings if one.key not in self._pictured][:MOST_CROPS]:
            if crop := crop_address(image, one.bounds):
                crops[one.key] = crop
        self._pictured |= crops.keys()
        return crops


def _settled(trace: TestTrace) -> Iterator[tuple[SnapshotRecord, str]]:
    """The screens on which a step ended or began, each once, with the step; what was read in
    between may have been in the middle of a change."""
    seen: set[str] = set()
    for event in trace.events:
        for name in (event.before, event.after):
            if name is not None and name not in seen and name in trace.snapshots:
                seen.add(name)
                yield trace.snapshots[name], event.id


def frame_of(record: SnapshotRecord, device: AnyMapping) -> str:
    """What a screen is made of, as a digest: its elements with their places, without the numbers in
    them, on a phone of that density."""
    parts = (
        device.get("platform"), device.get("density"), record.size, record.app, record.screen_key,
        record.dialog, record.structure or record.fingerprint,
        [(one.ref, one.class_name, *one.bounds) for one in record.elements],
    )  # fmt: skip
    return digest_of(repr(parts).encode("utf-8", "backslashreplace"))


def covered(png: bytes, snapshot: Snapshot) -> bytes:
    """The picture without what the hierarchy hides: it still has a secret that was learned after it
    was taken."""
    hidden = [
        node.bounds
        for node in snapshot.nodes
        if not node.bounds.is_empty
        and any(MASK in text for text in (node.text, node.description, node.hint))
    ]
    return painted(png, hidden) if hidden else png


def crop_address(image: Image, bounds: Rect) -> str:
    """The address of a picture of a part of the screen and a little around it, no larger than a
    page needs it; "" if nothing of it is on the screen."""
    shown = cropped(image, bounds)
    if shown is None:
        return ""
    shown = shown.reduce(max(-(-max(shown.size) // LARGEST_CROP), 1))
    data, extension = pack(packed(shown), whole=True)
    return address(extension, data)


def lines_of(screens: Iterable[JudgedScreen]) -> Iterator[str]:
    """What was found on each, for a report in text."""
    for screen in screens:
        name = screen.screen or screen.app or "a screen without a name"
        yield f"{name}: {one_audit(len(screen.findings), len(screen.ran))}"
        for one in screen.findings:
            found_by = f"  {one.locator}" if one.locator else ""
            yield f"  {one.rule}: {one.class_name} {quoted(one.label)}: {one.message}{found_by}"
        for reason in dict.fromkeys(screen.not_run.values()):
            names = [rule for rule, why in screen.not_run.items() if why == reason]
            yield f"  not run: {', '.join(names)}: {reason}"


PAGE, DATA = "accessibility.html", "accessibility.json"


@dataclass(frozen=True)
class Totals:
    """``rules`` are those that were run on any screen."""

    findings: int
    rules: int
    screens: int


@dataclass(frozen=True)
class NotRun:
    """Why a rule was not run on so many screens."""

    why: str
    screens: int


@dataclass(frozen=True)
class RuleRow:
    """A rule, how much it found, and on how many screens it was run. ``cannot_see`` is what it may
    get wrong."""

    name: str
    says: str
    source: str
    cannot_see: str
    needs: str
    findings: int
    screens: int
    not_run: tuple[NotRun, ...]


@dataclass(frozen=True)
class ScreenRow:
    """A screen by its title. ``screen_key`` says which one it is, under any content."""

    platform: str
    app: str
    screen: str
    screen_key: str
    tests: Strings


@dataclass(frozen=True)
class SeenIn:
    """The test, its page as seen from the folder of the file, and the step in it."""

    test: str
    trace: str
    step: str


@dataclass(frozen=True, kw_only=True)
class FindingRow(ScreenFinding):
    """A finding where it was first seen. ``key`` is the same in every run; ``crop`` is its picture
    as seen from the folder of the file."""

    platform: str
    app: str
    screen: str
    screen_key: str
    tests: tuple[SeenIn, ...]


@dataclass(frozen=True)
class AccessibilityFile:
    """What rules of accessibility found on the screens that one run visited, in the order of the
    rules. A finding stands once by app, rule and element. ``started_at`` is ISO 8601 in UTC."""

    run_id: str
    started_at: str
    totals: Totals
    rules: tuple[RuleRow, ...]
    screens: tuple[ScreenRow, ...]
    findings: tuple[FindingRow, ...]
    schema: Literal["replicant.accessibility/1"] = "replicant.accessibility/1"


class AccessibilityReport:
    """Registered once a run, on the controller."""

    NAME = "replicant-accessibility-run"

    def __init__(self) -> None:
        self._looks: dict[str, JudgedScreen] = {}
        self._crops: dict[tuple[str, str], str] = {}
        self._seen: dict[
            str, dict[str, tuple[str, str]]
        ] = {}  # by look: the tests, each with trace and step

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for one in screens_of(report):
            for new in one.new:
                self._looks.setdefault(new.id, new)
                for finding in new.findings:
                    if finding.crop:
                        self._crops.setdefault((new.app, finding.key), finding.crop)
            for look, step in one.seen.items():
                self._seen.setdefault(look, {}).setdefault(one.test, (one.trace, step))

    def write(self, run: RunRecord, folder: Path) -> JudgedScreens | None:
        """Writes both files; None if no screen was judged. Raises ``OSError``."""
        if not self._looks:
            return None
        file = self.file(run.run_id, run.started_at)
        crops = [one.crop or "" for one in file.findings]
        found = []
        for one in file.findings:
            path = None
            if one.crop:  # which lies elsewhere, as seen from the run's folder
                data, extension = data_of(one.crop)
                path = f"blobs/{digest_of(data)}{extension}"
                if not (folder / path).is_file():
                    write_whole(folder / path, data)
            found.append(replace(one, crop=path))
        file = replace(file, findings=tuple(found))
        write_whole(folder / DATA, encode(file, indent=1))
        write_whole(folder / PAGE, accessibility_page(plain(file), crops).encode("utf-8"))
        return JudgedScreens(**vars(file.totals), page=PAGE)

    def file(self, run_id: str, started_at: str) -> AccessibilityFile:
        """In an order that no worker decides; each ``crop`` is the address of a picture."""
        order = [*RULES].index
        looks = sorted(self._looks.values(), key=lambda look: look.id)
        found = sorted(
            self._findings(looks),
            key=lambda one: (order(one.rule), one.platform, one.app, one.screen, one.key),
        )
        screens = grouped(((one.platform, one.app, one.screen_key), one) for one in looks)
        rows = []
        for (platform, app, key), own in sorted(screens.items()):
            tests = sorted({test for one in own for test in self._seen.get(one.id, ())})
            rows.append(ScreenRow(platform, app, own[0].screen, key, tuple(tests)))
        ran = {rule for one in looks for rule in one.ran}
        totals = Totals(len(found), len(ran), len(screens))
        rules = tuple(_rules([*screens.values()], [one.rule for one in found]))
        return AccessibilityFile(run_id, started_at, totals, rules, tuple(rows), tuple(found))

    def _findings(self, looks: Iterable[JudgedScreen]) -> Iterator[FindingRow]:
        first: dict[tuple[str, str], tuple[ScreenFinding, JudgedScreen]] = {}
        tests: dict[
            tuple[str, str], dict[str, tuple[str, str]]
        ] = {}  # the trace of each, and the step in it
        for look in looks:
            for finding in look.findings:
                key = look.app, finding.key
                first.setdefault(key, (finding, look))
                tests.setdefault(key, {}).update(self._seen.get(look.id, {}))
        for key, (finding, look) in first.items():
            known = {**vars(finding), "crop": self._crops.get(key)}
            yield FindingRow(
                **known, platform=look.platform, app=look.app, screen=look.screen,
                screen_key=look.screen_key,
                tests=tuple(SeenIn(test, *place) for test, place in sorted(tests[key].items())),
            )  # fmt: skip


def _rules(screens: Sequence[Sequence[JudgedScreen]], found: Sequence[str]) -> Iterator[RuleRow]:
    """Each rule, with the number of screens that it was run on. On others it was run on no look of
    them."""
    for name, rule in RULES.items():
        why: Counter[str] = Counter()
        ran_on = 0
        for looks in screens:
            if any(name in look.ran for look in looks):
                ran_on += 1
            else:
                why.update([look.not_run[name] for look in looks if name in look.not_run][:1])
        if ran_on or why:
            yield RuleRow(
                name, rule.says, rule.source, rule.cannot_see, rule.needs, found.count(name),
                ran_on, tuple(NotRun(reason, count) for reason, count in sorted(why.items())),
            )  # fmt: skip


def summary_line(judged: JudgedScreens | None, folder: Path | None) -> str:
    """The line at the end of a run. It never says that an app is accessible."""
    if judged is None:
        kept = "" if folder is not None else ": --replicant-trace=off keeps none"
        return f"accessibility: no screen was judged{kept}"
    page = printable((folder / judged.page).as_posix()) if folder is not None else judged.page
    found = one_audit(judged.findings, judged.rules)
    return f"accessibility: {found} on {counted(judged.screens, 'screen')}: {page}"


def accessibility_schema() -> AnyDict:
    """The schema of ``replicant.accessibility/1`` (JSON Schema, draft 2020-12); a new value on
    every call."""
    return json_schema(AccessibilityFile)


BUDGET = 16_000_000
"""Characters of pictures in one page; those beyond it lie in ``blobs/``, and the page says so."""
MOST_TESTS = 20
"""How many tests a page names of each finding; ``accessibility.json`` has them all."""


def accessibility_page(document: AnyMapping, crops: Sequence[str]) -> str:
    """The page for a ``replicant.accessibility/1`` document. ``crops`` are the addresses of the
    pictures of its findings, "" for none. Its links start from the folder of the document."""
    sizes = accumulate(map(len, crops))
    shown = [crop if total <= BUDGET else "" for crop, total in zip(crops, sizes, strict=True)]
    rows = zip(document["findings"], crops, shown, strict=True)
    data = {
        **document,
        "findings": [
            {
                **one,
                "tests": one["tests"][:MOST_TESTS],
                "more": len(one["tests"][MOST_TESTS:]),
                "picture": picture,
                "left_out": bool(crop) and not picture,
            }
            for one, crop, picture in rows
        ],
        "screens": [{**one, "tests": few(one["tests"], MOST_TESTS)} for one in document["screens"]],
    }
    title = f"Accessibility of run {document['run_id']}"
    return page(title, "accessibility.html", data, "accessibility.json")
