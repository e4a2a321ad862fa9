"""The screens of a test, judged when it has ended by what its trace kept of them: no phone is asked for anything.

What was found travels to the process that a person watches in an attribute of the test's report, as JSON. A screen
that the process has judged before is only named there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ...codec import decode, encode
from ...kept import RunRow
from ...model import MASK, AnyMapping, Rect, SnapshotRecord, Strings, TestTrace, quoted
from ...session import launched_apps
from ..allure.public import allure_active
from ..artifacts.pictures import pack
from ..artifacts.storage import digest_of
from ..attempts.attempt import attempt_of
from ..printable import counted, plain_text

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...accessibility import Audit, Finding
    from ...snapshots import Snapshot

CARRIED = "replicant_accessibility"
"""Attribute of the report of a teardown."""
MOST_PICTURES = 5
"""How many pictures of one frame a process judges."""
MOST_CROPS = 60
"""Pictures of elements of one screen; more defects than that are no matter of pictures."""
LARGEST_CROP = 480  # pixels of its longer side; a larger one is made smaller
_MARGIN = 8
_LONGEST = 500  # characters of a label or a message
_NOT_ASKED: Mapping[str, str] = {
    "apple-audit": "the report sends nothing to a phone; accessibility_findings() asks for it",
    "unexposed-text": "reading the text of each picture takes a second or two; accessibility_findings() does it",
}


@dataclass(frozen=True)
class ScreenFinding:
    """A finding as the report keeps it, of text and numbers alone. ``bounds`` are left, top, right and bottom in
    pixels; ``crop`` is the address of its picture."""

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
    """One look of a screen, by which rules it was judged, and what they found. ``id`` is what it is made of,
    elements and picture, and the same in every process. ``screen_key`` says which screen it is."""

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
    """What one attempt of a test saw: ``seen`` are looks by their ids, each with the step of its trace, ``new``
    those that its process had not judged before. ``trace`` is its page as seen from the run's folder, "" if there
    is none."""

    __test__ = False  # the name looks like a test class to pytest

    test: str
    trace: str
    seen: Mapping[str, str]
    new: tuple[JudgedScreen, ...] = ()


def screens_of(report: pytest.TestReport) -> list[TestScreens]:
    """Empty where the report carries none."""
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
        own = {app for entry in attempt_of(item).sessions for app in launched_apps(entry.session)}
        seen: dict[str, str] = {}
        before = set(self._judged)
        for record, step in _settled(trace):
            if own and record.app not in own:
                continue
            shot = trace.screenshots.get(record.id)
            look = self._look(record, shot.png if shot is not None else None, trace.device)
            if look:
                seen.setdefault(look, step)
        if not seen:
            return
        new = tuple(screen for look, screen in self._judged.items() if look not in before)
        screens = TestScreens(row.test or row.nodeid, row.trace, seen, new)
        setattr(report, CARRIED, encode([*screens_of(report), screens]).decode())
        if self._attaches:
            import allure

            lines = lines_of([self._judged[look] for look in seen])
            allure.attach(plain_text("\n".join(lines)), "accessibility", allure.attachment_type.TEXT)

    def _look(self, record: SnapshotRecord, png: bytes | None, device: AnyMapping) -> str:
        """The id of the look that the screen has, which is judged now unless it was before; "" for none. Of one
        frame a few pictures are judged: one with another clock or caret says nothing new."""
        frame = frame_of(record, device)
        look = digest_of(frame.encode() + hashlib.sha256(png).digest()) if png is not None else frame
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
        from ...accessibility import findings
        from ...errors import SnapshotError
        from ...snapshots import Snapshot

        try:
            snapshot = Snapshot.parse(record.source, device.get("platform"), size=record.size, scale=record.scale)
            if snapshot.loading:
                return None
            picture = covered(png, snapshot) if png is not None else None
            audit = findings(snapshot, density=_density(device), picture=picture, why=_NOT_ASKED, crops=False)
        except SnapshotError:
            return None
        refs = {(one.class_name, one.label, one.bounds): one.ref for one in record.elements}
        crops = self._crops(audit, picture)
        return JudgedScreen(
            look,
            snapshot.platform,
            record.app,
            record.screen,
            record.screen_key,
            audit.ran,
            dict(audit.not_run),
            tuple(_kept(one, refs, crops.get(one.key)) for one in audit.findings),
        )

    def _crops(self, audit: Audit, picture: bytes | None) -> dict[str, str]:
        """The pictures of findings that have none so far."""
        from ...vision import opened

        new = [one for one in audit.findings if one.key not in self._pictured and not one.bounds.is_empty]
        if picture is None or not new:
            return {}
        image = opened(picture)
        crops = {one.key: crop_address(image, one.bounds) for one in new[:MOST_CROPS]}
        self._pictured |= {key for key, crop in crops.items() if crop}
        return crops


def _settled(trace: TestTrace) -> Iterator[tuple[SnapshotRecord, str]]:
    """The screens on which a step ended or began, each once, with the step; what was read in between may have been
    in the middle of a change."""
    seen: set[str] = set()
    for event in trace.events:
        for name in (event.before, event.after):
            if name is not None and name not in seen and name in trace.snapshots:
                seen.add(name)
                yield trace.snapshots[name], event.id


def frame_of(record: SnapshotRecord, device: AnyMapping) -> str:
    """What a screen is made of, as a digest: its elements with their places, without the numbers in them, on a
    phone of that density."""
    parts = (
        device.get("platform"), device.get("density"), record.size, record.app, record.screen_key, record.dialog,
        record.structure or record.fingerprint,
        [(one.ref, one.class_name, *one.bounds) for one in record.elements],
    )  # fmt: skip
    return digest_of(repr(parts).encode("utf-8", "backslashreplace"))


def _density(device: AnyMapping) -> float | None:
    density = device.get("density")
    return float(density) if isinstance(density, (int, float)) and density > 0 else None


def covered(png: bytes, snapshot: Snapshot) -> bytes:
    """The picture without what the hierarchy hides: it still has a secret that was learned after it was taken."""
    from ...session import painted

    hidden = [
        node.bounds
        for node in snapshot.nodes
        if not node.bounds.is_empty and any(MASK in text for text in (node.text, node.description, node.hint))
    ]
    return painted(png, hidden) if hidden else png


def crop_address(image: Image, bounds: Rect) -> str:
    """The address of a picture of a part of the screen and a little around it, no larger than a page needs it; ""
    if nothing of it is on the screen."""
    part = bounds.inset(-_MARGIN).intersect(Rect(0, 0, *image.size))
    if part.is_empty:
        return ""
    from ...vision import packed
    from ..artifacts.pictures import address

    shown = image.crop(part)
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


def one_audit(findings: int, rules: int) -> str:
    """ "2 findings of 9 rules". It never says more than that."""
    return f"{counted(findings, 'finding') if findings else 'no findings'} of {counted(rules, 'rule')}"


def _kept(finding: Finding, refs: Mapping[tuple[str, str, Rect], str], crop: str | None) -> ScreenFinding:
    ref = refs.get((finding.class_name, finding.label, finding.bounds), finding.ref)
    return ScreenFinding(
        finding.key, finding.rule, finding.message[:_LONGEST], ref, finding.label[:_LONGEST], finding.class_name,
        finding.locator, (*finding.bounds,), finding.sources, crop,
    )  # fmt: skip
