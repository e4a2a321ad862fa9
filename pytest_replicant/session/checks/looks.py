"""The check of looks: a settled screen, or one element, against the picture of it that was kept for
a look: size, density, platform, language and dark mode.

Parts that are never the same twice mask themselves: the system's bars and keyboard, texts that
tick, the caret of the focused field, and all that goes on changing while the check looks. The masks
of a kept picture count too. A look of which no picture is kept is *not compared*, which is neither
a pass nor a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ...errors import SnapshotError, UsageError
from ...model import (
    LOOK_NAME,
    NOTHING_MORE,
    AnyDict,
    Attachment,
    CheckOutcome,
    Element,
    Explanation,
    LooksRecord,
    MaskRecord,
    Node,
    Rect,
    Selector,
    quoted,
)
from ...snapshots import Snapshot, mask_volatile, system_bars
from ...vision import (
    FILLED,
    NEAR,
    Comparison,
    Kept,
    area_of,
    compare_pictures,
    is_plain,
    kept_png,
    lies_in,
    merged,
    opened,
    read_kept,
    restless,
    touch,
)
from ..actionability import resolve
from ..arguments import Target, describe, is_number
from ..recording.secret_fields import secret_areas
from ..stabilize.reads import Reads, settle
from ..step import BaselineFiles, SessionContext, StageFailed
from .check import NOT_COMPARED, Check, CheckInput, Failed, Held, Verdict, undecided
from .elements import acted_or

if TYPE_CHECKING:
    from PIL.Image import Image

Mask: TypeAlias = "Target | Rect"
"""An element that is not compared, by its ref, selector or locator, or an area of the screen in
pixels."""

# seconds that a picture is watched for what never rests, and where none is kept yet
_WATCHED = (1.2, 3.5)
_SMALL = 0.05  # of the compared area: no view that is larger is taken for a wheel
_MOST_MASKED = 0.5
_LOOKS_SO_NOW = (
    "if it is to look like this from now on, run the test with --replicant-update=looks, or: "
    "replicant looks accept REPORT"
)
_MOST_SHOWN = 5
# A caret, in density-independent pixels or points:
_CARET_WIDTH = 3.0
_CARET_HEIGHT = (14.0, 64.0)
_ASKED, _RESTS_NOT = "mask", "never rests"  # why something is masked


def looks_like(
    context: SessionContext,
    name: str,
    target: Target | None,
    masks: Sequence[Mask],
    tolerance: float,
) -> Check:
    """Raises ``UsageError`` for a name that is none, for a share that is none, and without a test
    file."""
    files = context.baselines
    if files is None:
        raise UsageError(
            f"expect_looks_like({name!r}): this session knows no test file that its pictures "
            "belong to. Next: call it in a test, on the fixture mobile"
        )
    if not isinstance(name, str) or not LOOK_NAME.fullmatch(name):
        raise UsageError(
            f"expect_looks_like({name!r}): the name becomes a folder: up to 80 letters, digits, "
            'dots, dashes and underscores, such as "cart"'
        )
    if not is_number(tolerance) or not 0 <= tolerance < 1:
        raise UsageError(
            f"expect_looks_like(tolerance={tolerance!r}): the share of the compared pixels that "
            "may differ, from 0 to less than 1"
        )
    looking = _Looking(context, files, name, target, tuple(masks), float(tolerance))
    of = f" of {describe(target)}" if target is not None else ""
    return Check(
        "expect_looks_like",
        f"{quoted(name)}{of}",
        wanted={"look": name},
        problem="looks",
        test=looking.sample,
        target=target,
        then=lambda _: None,
        looks=looking.record,
    )


def look_of(context: SessionContext, size: tuple[int, int]) -> str:
    """The name of the look that the phone has now, such as
    ``android-1080x2400-420dpi-en-GB-light``. Asks the phone once, and again if something was sent
    since."""
    info, found = context.driver.info, context.observer.pictures.appearance()
    density = f"{found.dots or round(info.density * 160)}dpi"
    if info.platform == "ios":
        density = f"{info.density:g}x"
    style = {None: "unknown", True: "dark", False: "light"}[found.dark]
    return f"{info.platform}-{size[0]}x{size[1]}-{density}-{found.locale or 'und'}-{style}"


@dataclass
class _Shown:
    """One picture of the compared area, and the screen that it was taken of. ``taken`` in
    seconds."""

    snapshot: Snapshot
    area: Rect
    image: Image
    masks: tuple[MaskRecord, ...]
    taken: float


@dataclass
class _Looking:
    """One check while it looks. ``shown`` is the last picture, ``since`` the time of the first one
    of its screen, ``changes`` are the areas in which one differed from the one before; ``kept`` was
    read at ``kept_at``."""

    context: SessionContext
    files: BaselineFiles
    name: str
    target: Target | None
    masks: tuple[Mask, ...]
    tolerance: float
    settled: bool = False
    look: str = ""
    kept: Kept | None = None
    kept_at: Path | None = None
    shown: _Shown | None = None
    since: float = 0.0
    changes: list[tuple[float, tuple[Rect, ...]]] = field(default_factory=list)
    found: Comparison | None = None

    # --- one read ---------------------------------------------------------------------------------
    def sample(self, look: CheckInput) -> Verdict:
        if not look.now:
            return undecided("no picture of that screen is kept")
        snapshot = look.snapshot
        if not self.settled:
            snapshot, self.settled = settle(self.context, None).snapshot, True
        self.look = look_of(self.context, snapshot.size)
        wanted = self.context.settings.looks
        if wanted and not any(fnmatchcase(self.look, pattern) for pattern in wanted):
            why = f"{self.look} is not among the looks to compare (replicant_looks)"
            return Failed(f"not compared: {why}", final=True, problem=NOT_COMPARED, excused=True)
        if self.context.observer.volatile.loads(snapshot):
            return undecided("the screen is loading")
        look = replace(look, snapshot=snapshot)
        return self._take(look) or self._judged(look)

    @property
    def _now(self) -> _Shown:
        assert self.shown is not None
        return self.shown

    @property
    def path(self) -> Path:
        return self.files.folder("looks") / self.name / f"{self.look}.png"

    def _take(self, look: CheckInput) -> Verdict | None:
        """One more picture; the sample that says why, where it is of no use."""
        snapshot, context = look.snapshot, self.context
        screen = area = Rect(0, 0, *snapshot.size)
        if self.target is not None:
            element = acted_or(look, "expect_looks_like", self.target)
            if not isinstance(element, Element):
                return element
            area = element.bounds
            if area.is_empty or not screen.encloses(area):
                return undecided(f"only a part of [{element.ref}] is on the screen")
        try:
            image = opened(context.picture(snapshot))
        except SnapshotError as error:
            return undecided(str(error))
        if image.size != snapshot.size:
            return undecided(f"the picture has {image.size} pixels, and the screen {snapshot.size}")
        masks = tuple(_clipped(self._masks(look), area))
        now = _Shown(snapshot, area, image.crop(area), masks, context.clock.now())
        before, self.shown = self.shown, now
        if (
            before is None
            or before.area != area
            or not context.observer.volatile.alike(before.snapshot, snapshot)
        ):
            self.since, self.changes = now.taken, []
            return None
        boxes = compare_pictures(
            before.image, now.image, masks=_boxes((*before.masks, *masks))
        ).boxes
        self.changes.append((now.taken, boxes))
        return None

    def _judged(self, look: CheckInput) -> Verdict:
        updates = self.files.updates("looks")
        if self.kept_at != self.path:
            self.kept, self.kept_at = self._read(), self.path
        found = self._comparison()
        reads = Reads(self.context, 2 * _WATCHED[self.kept is None])
        # Until what never rests is known, or until one fits.
        while found is None or not found.same:
            if self._is_steady() or reads.out_of_time:
                break
            reading = reads.next()
            if reading is not None and not self._take(replace(look, snapshot=reading.snapshot)):
                found = self._comparison()
        if self._masked > _MOST_MASKED:
            return undecided(f"masks cover {self._masked:.0%} of it")
        if found is not None:
            self.found = found
            if found.same or not updates:
                return self._result(found)
        if not self._is_steady():
            return undecided("the picture goes on changing")
        if not updates:
            return self._missing()
        png = kept_png(self._now.image, self._all_masks(kept=False))
        self.files.propose(self.path, lambda _: png)
        return Held(f"to be kept as {self.files.shown(self.path)}")

    def _comparison(self) -> Comparison | None:
        """Of the last picture with the kept one; None if none is kept."""
        if self.shown is None or self.kept is None:
            return None
        expected, actual = self.kept.image, self.shown.image
        found = compare_pictures(
            expected, actual, masks=_boxes(self._all_masks()), tolerance=self.tolerance
        )
        if found.same or found.where is None:
            return found
        carets = self._carets(found, expected, actual)
        if not carets:
            return found
        where, differing = found.where.copy(), found.differing
        for box in carets:
            differing -= where.crop(box).histogram()[255]
            where.paste(0, box)
        same = differing <= self.tolerance * found.compared
        left = tuple(box for box in found.boxes if box not in carets)
        return replace(found, same=same, differing=differing, boxes=left, where=where)

    def _result(self, found: Comparison) -> Verdict:
        facts = {"look": self.look, "differing": found.differing, "masked": round(self._masked, 4)}
        if found.same:
            rest = f", {found.differing} pixels differ" if found.differing else ""
            return Held(f"looks like it ({self._masked:.1%} masked{rest})", facts)
        where = f"in {len(found.boxes)} places" if len(found.boxes) > 1 else "in one place"
        sizes = f"; it is {found.sizes[1]} and was {found.sizes[0]}" if found.sizes else ""
        return Failed(
            f"{found.differing:,} pixels differ ({found.share:.2%}), {where}{sizes}",
            facts,
            more=self._where(),
        )

    def _missing(self) -> Verdict:
        others, files = self._others(), self.files
        there = f"it was kept for {', '.join(others)}" if others else "none was kept yet"
        return Failed(
            f"not compared: there is no picture of it for {self.look}; {there}",
            final=True,
            problem=NOT_COMPARED,
            facts={"look": self.look},
            excused=self.context.settings.missing_look == "warn",
            more=Explanation(
                advice=(
                    "run this test with --replicant-update=looks, which writes "
                    f"{files.shown(self.path)} if it is green otherwise; or take the picture out "
                    "of this report: replicant looks accept REPORT",
                )
            ),
        )

    def _others(self) -> list[str]:
        return sorted(path.stem for path in self.path.parent.glob("*.png") if path != self.path)

    # --- comparing --------------------------------------------------------------------------------
    def _read(self) -> Kept | None:
        try:
            return read_kept(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, SnapshotError) as error:
            if self.files.updates("looks"):
                return None
            raise UsageError(
                f"expect_looks_like({self.name!r}): {self.files.shown(self.path)} cannot be read: "
                f"{error}. Next: fetch it, where it is kept by Git LFS; or write it again by "
                "--replicant-update=looks"
            ) from None

    def _carets(self, found: Comparison, expected: Image, actual: Image) -> list[Rect]:
        """Of the focused field: a bar of one colour that is there on one picture and not on the
        other."""
        assert found.where is not None
        unit, area = self.context.driver.info.density or 1.0, self._now.area
        bars = [
            box
            for box in found.boxes
            if box.width <= _CARET_WIDTH * unit
            and _CARET_HEIGHT[0] * unit <= box.height <= _CARET_HEIGHT[1] * unit
            and found.where.crop(box).histogram()[255] >= FILLED * box.area
            and (is_plain(expected.crop(box)) and is_plain(actual.crop(box)))
        ]
        field_box = self._focused() if bars else None
        if field_box is None:
            return []
        return [box for box in bars if field_box.encloses(box.shifted(area.left, area.top))][:2]

    def _focused(self) -> Rect | None:
        """The field that has the focus; it is asked for where the hierarchy does not say."""
        nodes = self._now.snapshot.nodes
        fields = {
            node.states.focused: node.bounds
            for node in reversed(nodes)
            if node.states.editable and node.visible
        }
        if {*fields} != {None}:
            return fields.get(True)
        focused, _ = self.context.observer.focus()
        return focused.bounds if focused is not None else None

    def _is_steady(self) -> bool:
        """Whether the last two pictures agree outside of what never rests, after it was watched
        long enough."""
        if not self.changes or self._now.taken - self.since < _WATCHED[self.kept is None]:
            return False
        restless = self._restless()
        last = (box for box in self.changes[-1][1] if not any(touch(box, one) for one in restless))
        unit = self.context.driver.info.density or 1.0
        return all(box.width <= _CARET_WIDTH * unit for box in last)  # a caret has come or gone

    # --- masks ------------------------------------------------------------------------------------
    def _all_masks(self, *, kept: bool = True) -> tuple[MaskRecord, ...]:
        own = [*self._now.masks, *(MaskRecord(box, _RESTS_NOT) for box in self._restless())]
        if kept and self.kept is not None:
            moved = [mask.box for mask in self.kept.masks if mask.why == _RESTS_NOT]
            # what moves now and rested then differs, as a wheel in place of an icon
            if self.kept.masked:
                own = [one for one in own if one.why != _RESTS_NOT or lies_in(one.box, moved)]
            own += (mask for mask in self.kept.masks if self.masks or mask.why != _ASKED)
        area = Rect(0, 0, self._now.area.width, self._now.area.height)
        return tuple(dict.fromkeys(_clipped(own, area)))

    @property
    def _masked(self) -> float:
        """The share of the area that is not compared."""
        return area_of(_boxes(self._all_masks())) / max(self._now.area.area, 1)

    def _restless(self) -> list[Rect]:
        return merged([self._widened(box) for box in restless(self.changes)])

    def _widened(self, box: Rect) -> Rect:
        """All of the small view that it lies in, since a wheel turns through more than was seen
        yet."""
        left, top, *_ = self._now.area
        inner, most = box.inset(NEAR).shifted(left, top), self._now.area.area * _SMALL
        nodes = (one for one in self._now.snapshot.nodes if one.visible and not one.children)
        around = [
            one.bounds for one in nodes if one.bounds.area <= most and one.bounds.encloses(inner)
        ]
        return min(around, key=lambda one: one.area).shifted(-left, -top) if around else box

    def _masks(self, look: CheckInput) -> Iterator[MaskRecord]:
        """Of the screen now, in its own pixels."""
        snapshot, volatile = look.snapshot, self.context.observer.volatile
        platform = self.context.platform
        for bar in system_bars(snapshot.nodes, snapshot.size, snapshot.scale, platform):
            yield MaskRecord(bar, "system bar")
        if snapshot.keyboard is not None:
            yield MaskRecord(snapshot.keyboard, "keyboard")
        for area in secret_areas(snapshot, self.context.recorder.redactor):
            yield MaskRecord(area, "secret")
        for node in snapshot.nodes:
            if node.visible and _ticks(node):
                yield MaskRecord(node.bounds, "text that ticks")
        for region in volatile.regions.get(snapshot.screen_key, ()):
            yield MaskRecord(region.box, _RESTS_NOT)
        for mask in self.masks:
            yield from (MaskRecord(box, _ASKED) for box in self._asked(look, mask))

    def _asked(self, look: CheckInput, mask: Mask) -> Iterator[Rect]:
        if isinstance(mask, Rect):
            yield mask
        elif isinstance(mask, Selector):
            yield from (element.bounds for element in look.snapshot.match_labels(mask))
        else:
            try:
                yield resolve(look.observer, look.snapshot, mask).bounds
            except StageFailed:  # it is gone, and hides nothing
                return

    # --- for the reader ---------------------------------------------------------------------------
    def _where(self) -> Explanation:
        """The boxes, and the elements that they lie in."""
        if self.found is None or self.shown is None:
            return NOTHING_MORE
        lines = []
        for box in self.found.boxes[:_MOST_SHOWN]:
            lines.append(
                f"  {box.width} x {box.height} pixels at {box.left}, {box.top}{self._owner(box)}"
            )
        more = len(self.found.boxes) - _MOST_SHOWN
        if more > 0:
            lines.append(f"  and {more} more")
        lines.append(f"Compared with {self.files.shown(self.path)}.")
        return Explanation(tuple(lines), (_LOOKS_SO_NOW,))

    def _owner(self, box: Rect) -> str:
        box = box.shifted(self._now.area.left, self._now.area.top)
        around = [one for one in self._now.snapshot.elements if one.bounds.meets(box)]
        around = [one for one in around if one.bounds.contains(box.center)] or around
        if not around:
            return ""
        element: Element = min(around, key=lambda one: one.bounds.area)
        return (
            f", in [{element.ref}] {element.class_name} "
            f"{quoted(element.label) if element.label else ''}"
        ).rstrip()

    def record(self, result: CheckOutcome) -> LooksRecord | None:
        """For the trace, with pictures of what did not pass. The check is over, and lets go of its
        pictures."""
        record = self._record(result)
        self.shown = self.kept = self.kept_at = self.found = None
        return record

    def _record(self, result: CheckOutcome) -> LooksRecord | None:
        if self.shown is None or not self.look:
            return None
        masked, others = round(self._masked, 4), tuple(self._others())
        record = LooksRecord(
            self.name,
            self.look,
            self.files.shown(self.path),
            self.shown.area,
            masked,
            self._all_masks(),
            others,
            self.tolerance,
        )
        found = self.found
        if found is not None:
            record = replace(
                record, compared=found.compared, differing=found.differing, boxes=found.boxes
            )
        if result in ("passed", "error"):
            return record
        pictures = {"actual": kept_png(self.shown.image, self._all_masks(kept=False))}
        if found is not None and self.kept is not None:
            pictures["expected"] = kept_png(self.kept.image, ())
            pictures["difference"] = kept_png(found.drawn(self.shown.image), ())
        places: AnyDict = {}
        attachments = self.context.recorder.attachments
        for name, png in pictures.items():
            places[name] = len(attachments)
            attachments.append(Attachment(f"{self.name} {name}", "image/png", png))
        return replace(record, **places)


def _ticks(node: Node) -> bool:
    """Whether a leaf shows a clock, an age or the like, as the fingerprint masks them."""
    texts = [text for text in (node.text, node.description) if text]
    is_read = not node.bounds.is_empty and not node.states.editable
    return is_read and any(mask_volatile(one) != one for one in texts)


def _clipped(masks: Iterable[MaskRecord], area: Rect) -> Iterator[MaskRecord]:
    """Those in an area, in its own pixels."""
    for mask in masks:
        box = mask.box.intersect(area)
        if not box.is_empty:
            yield MaskRecord(box.shifted(-area.left, -area.top), mask.why)


def _boxes(masks: Iterable[MaskRecord]) -> list[Rect]:
    return [mask.box for mask in masks]
