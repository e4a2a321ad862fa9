"""Marks on pictures: whether each is read back by OCR, whether one covers anything, and what drawing them takes.

A mark counts as read where OCR finds its ref within the chip, in brackets as it is drawn. A ref is one lower case
letter with digits after it, so the case is left out, and a digit in its front is the letter that it looks like.
What chips cover is counted from the pictures' own pixels, not by the code that places them.
"""

from __future__ import annotations

import dataclasses
import io
import json
import random
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from string import ascii_lowercase
from typing import Any

from PIL import Image, ImageChops

from pytest_replicant import Mobile, Snapshot
from pytest_replicant.drivers import Platform
from pytest_replicant.errors import ReplicantError, how_to_install
from pytest_replicant.model import Rect
from pytest_replicant.pool import demo_apps
from pytest_replicant.session.actions.shots import boxes_to_mark
from pytest_replicant.session.photos import MAX_SIDE
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import all_exhibits
from pytest_replicant.virtual.app_kit.theme import DARK
from pytest_replicant.vision import DrawnText, Mark, drawn_texts, has_ocr, marked, scaled_to

from .ocr import png_of, real
from .table import Table, Unmeasurable, percent

COMMAND = "python -m benchmarks marks"
LAB, SHOP = "dev.replicant.lab", "dev.replicant.shop"
GROUPS: tuple[tuple[Platform, bool], ...] = (("android", False), ("android", True), ("ios", False), ("ios", True))
OF_LAB = 19  # screens of each group
TYPED = 1000  # refs that are drawn on plain pages, to try every letter with many numbers
PLAIN = 24  # of 255: a chip hides something where neighbouring pixels below it differ by more
_REF = re.compile(r"[\[il1|(]([a-z0125|][0-9]{3,15})\]")  # OCR takes a bracket for an upright stroke
_LETTERS = {"0": "o", "1": "l", "|": "l", "2": "z", "5": "s"}


@dataclass(frozen=True)
class Shown:
    """A picture in full, and in its pixels the boxes to mark and the labels."""

    png: bytes
    boxes: Sequence[tuple[str, Rect]]
    labels: Sequence[Rect]


@dataclass
class Judged:
    """What became of the marks of some screens."""

    name: str
    screens: int = 0
    marks: int = 0
    exact: int = 0  # read letter by letter
    read: int = 0
    outside: int = 0  # in a margin
    over_marks: int = 0
    over_shown: int = 0
    took: list[float] = dataclasses.field(default_factory=list)
    missed: list[str] = dataclasses.field(default_factory=list)

    def add(self, shown: Shown) -> None:
        with Image.open(io.BytesIO(shown.png)) as opened:
            start = time.perf_counter()
            whole = opened.convert("RGB")
            scale = min(1.0, MAX_SIDE / max(whole.size))
            picture = whole.resize(scaled_to(whole.size, scale), reducing_gap=2.0)
            scaled = time.perf_counter() - start
        boxes = [(ref, _scaled(box, scale)) for ref, box in shown.boxes]
        labels = [_scaled(box, scale) for box in shown.labels]
        start = time.perf_counter()
        drawn, marks = marked(picture, boxes, labels)
        self.took.append((time.perf_counter() - start) / scaled)
        self.screens += 1
        self._judge(picture, drawn, marks)

    def _judge(self, picture: Image.Image, drawn: Image.Image, marks: Sequence[Mark]) -> None:
        lines = drawn_texts(png_of(drawn))
        self.marks += len(marks)
        self.outside += sum(mark.chip.left >= picture.width for mark in marks)
        over = (one.chip.intersect(other.chip) for one, other in combinations(marks, 2))
        self.over_marks += sum(not part.is_empty for part in over)
        for mark in marks:
            self.over_shown += hides(picture, mark.chip)
            within = [line for line in lines if not line.box.intersect(mark.chip).is_empty]
            self.exact += any(f"[{mark.ref}]" in line.text for line in within)
            if mark.ref in refs_of(within):
                self.read += 1
            else:
                self.missed.append(f"{mark.ref} as {' '.join(line.text for line in within) or 'nothing'}")

    def row(self) -> tuple[object, ...]:
        return (
            self.name,
            self.screens,
            f"{self.read}/{self.marks} ({percent(self.read, self.marks)})",
            percent(self.exact, self.marks),
            self.over_marks,
            self.over_shown,
            self.outside,
            statistics.median(self.took) if self.took else "-",
        )


def refs_of(lines: Sequence[DrawnText]) -> set[str]:
    """The refs that the lines hold, as a reader who knows what a ref is takes them."""
    found = set()
    for line in lines:
        for ref in _REF.findall(line.text.lower().replace(" ", "").replace("×", "x")):
            found.add(_LETTERS.get(ref[0], ref[0]) + ref[1:])
    return found


def hides(picture: Image.Image, chip: Rect) -> bool:
    """Whether something is drawn where the chip lies: two neighbouring pixels that differ."""
    inside = chip.intersect(Rect(0, 0, *picture.size))
    if inside.is_empty:
        return False
    part = picture.crop(inside)
    return any(
        isinstance(most, int) and most > PLAIN
        for shift in ((1, 0), (0, 1))
        for most in ImageChops.difference(
            part.crop((0, 0, part.width - shift[0], part.height - shift[1])).convert("L"),
            part.crop((*shift, part.width, part.height)).convert("L"),
        ).getextrema()
    )


def _scaled(box: Rect, scale: float) -> Rect:
    return Rect(*(round(side * scale) for side in box))


# --- screens --------------------------------------------------------------------------------------------------


def virtual(platform: Platform, dark: bool) -> Iterator[Shown]:
    """Three screens of the shop and some exhibits of the lab, every other one in the dark."""
    made: list[Any] = demo_apps([SHOP, LAB])
    if dark:
        made = [dataclasses.replace(app, theme=lambda state: DARK) for app in made]
    with virtual_device(*made, platform=platform) as device, device.session(recover=None, trace=False) as mobile:
        yield seen(mobile)
        mobile.fill(text="Email", value="ada@example.org")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in").expect_screen("Catalogue")
        yield seen(mobile)
        mobile.tap(text="Blue mug").expect_visible(text="Add to cart")
        yield seen(mobile)
        left = OF_LAB
        for exhibit in list(all_exhibits())[dark::2]:
            try:
                mobile.open_url(f"lab://{exhibit.slug}", LAB)
                shown = seen(mobile)
            except ReplicantError:  # a screen that cannot be read, which is what some exhibits are for
                continue
            yield shown
            left -= 1
            if not left:
                return


def seen(mobile: Mobile) -> Shown:
    shot = mobile.shot(max_side=None)
    return shown_of(shot.png, shot.snapshot)


def shown_of(png: bytes, snapshot: Snapshot) -> Shown:
    return Shown(png, *boxes_to_mark(snapshot, 1.0))


def captured() -> Iterator[Shown]:
    """Real screens with their pictures. Those with a hierarchy of another form have made-up refs."""
    draw = random.Random(1)
    for path in sorted(real("feymanpaper__AppUIAutomator2Navigation").glob("*.png")):
        source = path.with_suffix(".xml")
        if source.exists():
            yield shown_of(path.read_bytes(), Snapshot.parse(source.read_bytes(), "android"))
    for path in sorted(real("Kqramazov__fdroid_utg").glob("*.json")):
        views = json.loads(path.read_text(encoding="utf-8"))["views"]
        boxes = [(view, Rect(*map(int, chain(*view["bounds"])))) for view in views if view.get("visible", True)]
        acting = [
            box for view, box in boxes if any(view.get(way) for way in ("clickable", "checkable", "editable"))
        ]
        refs = [f"{draw.choice(ascii_lowercase)}{draw.randrange(1000):03d}" for _ in acting]
        labels = [box for view, box in boxes if view.get("text") or view.get("content_description")]
        yield Shown(png_of(Image.open(path.with_suffix(".jpg"))), list(zip(refs, acting, strict=True)), labels)


def typed() -> Iterator[Shown]:
    """Plain pages, light and dark in turn, with boxes whose refs begin with each letter in turn."""
    draw = random.Random(2)
    places = [(left, top) for top in range(20, 960, 48) for left in range(20, 400, 110)]
    for page in range(-(-TYPED // len(places))):
        picture = Image.new("RGB", (460, 1000), "#1b1b1f" if page % 2 else "#f4f4f4")
        boxes = []
        for number, (left, top) in enumerate(places, page * len(places)):
            digits = draw.choice((3, 3, 3, 4))
            ref = f"{ascii_lowercase[number % 26]}{draw.randrange(10**digits):0{digits}d}"
            boxes.append((ref, Rect(left, top, left + 90, top + 36)))
        yield Shown(png_of(picture), boxes, ())


def judged(name: str, screens: Iterator[Shown]) -> Judged:
    found = Judged(name)
    for shown in screens:
        found.add(shown)
    return found


def measure() -> Table:
    if not has_ocr():
        raise Unmeasurable(f"no OCR: {how_to_install('ocr')}")
    found = [
        judged(f"virtual {platform}, {'dark' if dark else 'light'}", virtual(platform, dark))
        for platform, dark in GROUPS
    ]
    found.append(judged("real screens", captured()))
    found.append(judged("plain pages, every letter", typed()))
    missed = [line for each in found for line in each.missed]
    columns = ("screens", "count", "marks read back", "letter by letter", "over a mark", "over the picture",
               "in a margin", "times scaling the picture")  # fmt: skip
    note = (
        "Pictures of at most 1,000 pixels. A mark is read back where OCR finds its ref, in brackets, within the "
        "chip. A ref is one lower case letter and digits, so the case is left out, and 0, 1, 2 or 5 in front is "
        "o, l, z or s. The last column is the median time of placing and drawing marks against that of scaling "
        f"the same picture. Not read: {'; '.join(missed) or 'none'}."
    )
    return Table("marks", "Marks on pictures", COMMAND, columns, tuple(each.row() for each in found), note)
