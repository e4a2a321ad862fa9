"""What the visual witness is worth where the hierarchy abstains, and what it costs.

Icons without a word on virtual phones, which draw real screenshots: a session takes the refs, the app changes, and
each ref is used. What the phone draws there is the truth. Then single pictures, of the same screens and of real
captures, under changes of pixels alone.
"""

from __future__ import annotations

import io
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import sub
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops, ImageOps

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import TargetError
from pytest_replicant.model import Element, Picture, Point, Rect
from pytest_replicant.snapshots import Snapshot, pictures_of, wordless
from pytest_replicant.snapshots.identity.picture import by_picture
from pytest_replicant.testing import Latency, SystemClock, virtual_device
from pytest_replicant.virtual import App, Column, IconButton, Row, RunningApp, Screen, Scroll, UiNode, Widget
from pytest_replicant.virtual.app_kit.labels import Image as Photo
from pytest_replicant.virtual.app_kit.theme import DARK, LIGHT
from pytest_replicant.virtual.renderers.pixels.icons import ICONS
from pytest_replicant.virtual.renderers.pixels.pictures import PICTURES

from .captures import corpus
from .table import Table, percent

if TYPE_CHECKING:
    from pytest_replicant.testing import VirtualDevice

PACKAGE = "dev.replicant.grid"
SCROLLED = 160  # pixels
COMMAND = "python -m benchmarks pictures"
GRIDS: tuple[tuple[Platform, str], ...] = (("android", "icons"), ("android", "photos"), ("ios", "icons"))
SEEDS = range(4)
COUNT = 14  # of cells
OUTLINES = 10
State = dict[str, Any]


class Grid(Screen[State]):
    """Cells without words; ``state`` says which, of which kind, in which theme, and whether they scroll."""

    activity = ".GridActivity"
    title = "Grid"

    def build(self, app: RunningApp[State]) -> Widget:
        state = app.state
        make = _photo if state["kind"] == "photos" else _icon
        cells, across = state["cells"], 2 if state["scrolls"] else 4
        size = 150 if state["scrolls"] else 72
        rows: list[Widget] = [
            Row([make(cell, size) for cell in cells[at : at + across]], height=size)
            for at in range(0, len(cells), across)
        ]
        return Scroll(rows, height="fill") if state["scrolls"] else Column(rows, height="fill")


def _icon(name: str, size: int) -> Widget:
    return IconButton(icon=name, width=size, height=size)


def _photo(name: str, size: int) -> Widget:
    return Photo(picture=name, width=size, height=size, on_click=lambda: None)


def grid_app(kind: str, cells: Sequence[str], *, scrolls: bool = False) -> App[State]:
    begin = {"kind": kind, "cells": list(cells), "scrolls": scrolls, "dark": False}
    return App(
        package=PACKAGE,
        label="Grid",
        state=lambda stored: dict(begin),
        start=Grid,
        theme=lambda state: DARK if state["dark"] else LIGHT,
    )


@dataclass(frozen=True)
class Change:
    """``cells``: what becomes of them, given those that are not shown; ``scroll`` in parts of the screen."""

    name: str
    cells: Callable[[list[str], list[str], random.Random], list[str]] = lambda cells, more, draw: cells
    scroll: float = 0.0
    dark: bool = False
    twins: bool = False  # two cells are alike from the beginning


def _exchanged(cells: list[str], more: list[str], draw: random.Random) -> list[str]:
    one, other = draw.sample(range(len(cells)), 2)
    cells[one], cells[other] = cells[other], cells[one]
    return cells


def _amid(cells: list[str], more: list[str], draw: random.Random) -> list[str]:
    cells.insert(draw.randrange(len(cells)), more[0])
    return cells


def _gone(cells: list[str], more: list[str], draw: random.Random) -> list[str]:
    del cells[draw.randrange(len(cells))]
    return cells


def _several(cells: list[str], more: list[str], draw: random.Random) -> list[str]:
    kept = _gone(_gone(cells, more, draw), more, draw)
    return _amid(_amid(_amid(kept, more, draw), more[1:], draw), more[2:], draw)


CHANGES = (
    Change("one came first", lambda cells, more, draw: [more[0], *cells]),
    Change("one came between", _amid),
    Change("one went", _gone),
    Change("two went, three came", _several),
    Change("two were exchanged, one came", lambda *given: [*_exchanged(*given), given[1][0]]),
    Change("two were exchanged", _exchanged),
    Change("all others came", lambda cells, more, draw: more[:COUNT]),
    Change("two are alike, one came", lambda cells, more, draw: [more[0], *cells], twins=True),
    Change("one of two alike went", lambda cells, more, draw: cells[1:], twins=True),
    Change("another theme", dark=True),
    Change("another theme, one came", _amid, dark=True),
    Change("scrolled a little", scroll=0.2),
    Change("scrolled half a screen", scroll=0.45),
    Change("scrolled, one came", _amid, scroll=0.3),
    Change("scrolled, two are alike", scroll=0.5, twins=True),
)


@dataclass(frozen=True)
class Uses:
    right: int = 0
    abstained: int = 0
    wrong: int = 0
    there: int = 0  # uses whose element is still on the screen

    def __add__(self, other: Uses) -> Uses:
        return Uses(
            self.right + other.right,
            self.abstained + other.abstained,
            self.wrong + other.wrong,
            self.there + other.there,
        )

    @property
    def cells(self) -> tuple[object, ...]:
        uses = self.right + self.abstained + self.wrong
        return uses, self.there, percent(self.right, self.there), percent(self.abstained, uses), self.wrong


NO_USES = Uses()


def measure() -> list[Table]:
    return [on_phones(), on_pixels(), costs()]


def on_phones() -> Table:
    rows = []
    for change in CHANGES:
        cases = [(*each, seed) for each in GRIDS for seed in SEEDS]
        seen = sum((used(change, *case) for case in cases), NO_USES)
        unseen = sum((used(change, *case, pictures=False) for case in cases), NO_USES)
        rows.append((change.name, *seen.cells, percent(unseen.right, unseen.there), unseen.wrong))
    return Table(
        "pictures",
        "Refs of icons without words",
        COMMAND,
        (
            "what happened", "uses", "still there", "right of these", "abstained", "wrong",
            "right without pictures", "wrong without",
        ),
        tuple(rows),
        f"Grids of {COUNT} icons, and of as many drawn photos, on a virtual Android phone and iPhone; "
        f"{len(SEEDS)} seeds each. Each ref is used by `mobile.find(ref)`. Of an icon that was alike to another "
        "one no picture says which it was.",
    )  # fmt: skip


def used(change: Change, platform: Platform, kind: str, seed: int, *, pictures: bool = True) -> Uses:
    """Uses every ref of a grid once, after one change."""
    draw = random.Random(f"{change.name} {kind} {seed}")
    names = sorted(ICONS if kind == "icons" else PICTURES)
    draw.shuffle(names)
    count = COUNT if not change.scroll else len(names) - 4
    cells, more = names[:count], names[count:]
    if change.twins:
        cells[0] = cells[-1] = cells[5]
    app = grid_app(kind, cells, scrolls=bool(change.scroll))
    with virtual_device(app, platform=platform) as device, device.session(recover=None, trace=False) as mobile:
        if not pictures:
            mobile._context.observer.pictures.take = lambda *_, **__: None  # type: ignore[method-assign]
        before = mobile.snapshot()
        drawn = dict(zip([e.ref for e in before.elements], _drawn(device, before.elements), strict=True))
        state: Any = device.phone.app_state(PACKAGE)
        state["cells"], state["dark"] = change.cells(list(cells), more, draw), change.dark
        device.phone.set_rotation(0)
        mobile._context.observer.invalidate()  # as a gesture that does it
        device.clock.sleep(1)
        if change.scroll:
            wide, high = before.size
            start, end = Point(wide // 2, high * 3 // 4), Point(wide // 2, round(high * (0.75 - change.scroll)))
            mobile._context.driver.swipe(start, end, 1.0)
            device.clock.sleep(2)
        now = mobile.snapshot()
        shown = Counter(_drawn(device, now.elements))
        uses = NO_USES
        for ref, name in drawn.items():
            if not name:
                continue
            found: Element | None = None
            with suppress(TargetError):
                found = mobile.find(ref)
            hit = _drawn(device, [found])[0] if found is not None else ""
            right = hit == name and list(drawn.values()).count(name) == 1
            uses += Uses(right, found is None, found is not None and not right, shown[name] > 0)
        return uses


def _drawn(device: VirtualDevice, elements: Sequence[Element]) -> list[str]:
    """What the phone draws in the place of each element; "" for what is no cell."""
    nodes = [node for window in device.phone.windows() for node in window.root.walk() if not node.bounds.is_empty]
    drawn = [(node, node.look.shape.partition(":")[2]) for node in nodes if ":" in node.look.shape]
    return [next((name for node, name in drawn if _is_place(element.bounds, node)), "") for element in elements]


def _is_place(bounds: Rect, node: UiNode) -> bool:
    return any(max(map(abs, map(sub, bounds, box))) <= 4 for box in (node.bounds, node.frame))


@dataclass(frozen=True)
class Sample:
    """A screenshot with the elements on it that look alike in its hierarchy."""

    real: bool
    image: Image.Image
    groups: list[list[Element]]


def _as(kind: str, **options: Any) -> Callable[[Image.Image], Image.Image]:
    def coded(image: Image.Image) -> Image.Image:
        out = io.BytesIO()
        image.save(out, kind, **options)
        return Image.open(out).convert("RGB")

    return coded


def _halved(image: Image.Image) -> Image.Image:
    small = image.resize((image.width // 2, image.height // 2), Image.Resampling.BILINEAR)
    return small.resize(image.size, Image.Resampling.BILINEAR)


def _recoloured(image: Image.Image) -> Image.Image:
    red, green, blue = image.split()
    return Image.merge("RGB", (blue, red, green))


Pixels = tuple[str, Callable[[Image.Image], Image.Image], int]
PIXELS: tuple[Pixels, ...] = (
    ("nothing", lambda image: image, 0),
    ("one pixel off", lambda image: image, 1),
    ("scrolled", lambda image: ImageChops.offset(image, 0, SCROLLED), SCROLLED),
    ("JPEG, quality 90", _as("JPEG", quality=90), 0),
    ("JPEG, quality 60", _as("JPEG", quality=60), 0),
    ("WebP, quality 80", _as("WEBP", quality=80), 0),
    ("half the size and back", _halved, 0),
    ("inverted", ImageOps.invert, 0),
    ("other colours", _recoloured, 0),
    ("darker", lambda image: image.point([level * 3 // 5 for level in range(256)] * 3), 0),
)
"""What becomes of the pixels, and by how much the elements are further down than before."""


def on_pixels() -> Table:
    kept: dict[tuple[str, bool], Counter[str]] = {
        (name, real): Counter() for name, *_ in PIXELS for real in (False, True)
    }
    gone = {key: Counter[str]() for key in kept}
    samples = [*_drawn_samples(), *_real_samples()]
    for sample in samples:
        then = pictures_of(_png(sample.image), sample.image.size, sample.groups, [])
        for name, change, down in PIXELS:
            moved = [[_lower(one, down) for one in group] for group in sample.groups]
            now = pictures_of(_png(change(sample.image)), sample.image.size, moved, [])
            for group in moved:
                _compare(group, then, now, kept[name, sample.real], gone[name, sample.real])
    rows = []
    for name, *_ in PIXELS:
        cells: list[object] = [name]
        for real in (False, True):
            tally, uses = kept[name, real], kept[name, real].total()
            cells += [uses, percent(tally["right"], uses), percent(tally["abstained"], uses), tally["wrong"]]
            cells += [gone[name, real]["wrong"]]
        rows.append(tuple(cells))
    screens = Counter(sample.real for sample in samples)
    each = ("uses", "right", "abstained", "wrong", "wrong where it is gone")
    return Table(
        "pictures_pixels",
        "Pictures under changes of pixels alone",
        COMMAND,
        ("what becomes of the pixels", *(f"{where}: {what}" for where in ("drawn", "real") for what in each)),
        tuple(rows),
        f"{screens[False]} screens of virtual phones and {screens[True]} real captures, of which each "
        "element with nothing in it counts as if it said nothing. Each is compared with all of its class, once "
        "with itself among them and once without, as one of a list that may scroll.",
    )


def _drawn_samples() -> Iterator[Sample]:
    for platform, kind in GRIDS:
        names = sorted(ICONS if kind == "icons" else PICTURES)[:20]
        with (
            virtual_device(grid_app(kind, names), platform=platform) as device,
            device.session(recover=None, trace=False) as mobile,
        ):
            snapshot, png = mobile.snapshot(), device.driver.screenshot()
        yield Sample(False, Image.open(io.BytesIO(png)).convert("RGB"), wordless(snapshot.elements, snapshot.size))


def _real_samples() -> Iterator[Sample]:
    """Captures of the corpus of which the screenshot is kept next to the hierarchy. Hardly any has look-alikes
    without words, so whatever has nothing in it is taken for one, as if it said nothing."""
    folder = corpus()
    for path in sorted((folder / "screens").rglob("*.[pj][np]g")) if folder is not None else ():
        image = Image.open(path).convert("RGB")
        boxes = [(name, box) for name, box in _leaves(path) if not box.is_empty and min(box[:2]) >= 0]
        nodes = "".join(
            f'<node class="{name}" clickable="true" bounds="[{box.left},{box.top}][{box.right},{box.bottom}]"/>'
            for name, box in dict.fromkeys(boxes)
        )
        if nodes:
            screen = f'<node class="Page" bounds="[0,0][{image.width},{image.height}]">{nodes}</node>'
            snapshot = Snapshot.parse(f"<hierarchy>{screen}</hierarchy>", "android")
            yield Sample(True, image, wordless(snapshot.elements, image.size))


def _leaves(path: Path) -> Iterator[tuple[str, Rect]]:
    """Class and bounds of what has nothing in it, by the hierarchy that lies next to a screenshot."""
    if path.with_suffix(".xml").is_file():
        for node in Snapshot.parse(path.with_suffix(".xml").read_bytes()).nodes:
            if not node.children and node.visible:
                yield node.class_name, node.bounds
    elif path.with_suffix(".json").is_file():
        for view in json.loads(path.with_suffix(".json").read_bytes())["views"]:
            if not view["children"] and view["visible"]:
                yield view["class"].rpartition(".")[2], Rect(*view["bounds"][0], *view["bounds"][1])


def _lower(element: Element, down: int) -> Element:
    return replace(element, node=replace(element.node, bounds=element.bounds.shifted(0, down)))


def _compare(
    group: list[Element],
    then: dict[int, Picture],
    now: dict[int, Picture],
    kept: Counter[str],
    gone: Counter[str],
) -> None:
    """Counts what the pictures of one group come to."""
    there = [one for one in group if one.node.index in now and one.node.index in then]
    for one in there:
        own = one.node.index
        was = replace(one, picture=then[own])
        kept[_outcome(by_picture(was, there, now, scrolls=True), one)] += 1
        others = [other for other in there if other is not one]
        left = {
            other.node.index: now[own]._replace(
                look=now[other.node.index].look,
                place=other.bounds,
                among=tuple(each for each in now[own].among if each[1] != one.bounds),
            )
            for other in others
        }
        gone[_outcome(by_picture(was, others, left, scrolls=True), one)] += 1


def _outcome(found: Element | None, true: Element) -> str:
    return "abstained" if found is None else "right" if found is true else "wrong"


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def costs() -> Table:
    """What the session itself does, on a phone without latency, and what a test waits on one with the usual."""
    rows = [("icons without words", *_session_cost(grid_app("icons", sorted(ICONS)[:18])))]
    for name in ("dev.replicant.shop", "dev.replicant.lab"):
        rows.append((name, *_session_cost(name)))
    return Table(
        "pictures_cost",
        "What pictures cost",
        COMMAND,
        (
            "app",
            "outlines asked for",
            "screenshots",
            "ms to take",
            "ms to compare",
            "bytes a ref",
            "bytes a screen",
            "ms of a snapshot without",
            "ms with",
        ),
        tuple(rows),
        "Ten times an outline after a tap on the screen, trace off. To take: a screenshot of the virtual "
        "phone without latency, decoded and looked at. The last two columns at its usual latencies: after a "
        "settled tap a snapshot asks nothing of the phone, with pictures a screenshot and a dump. "
        "Where it has to read anyway, the screenshot is made in the pause between two reads. Screens without "
        "such look-alikes have none of that.",
    )


def _session_cost(app: App[State] | str) -> tuple[object, ...]:
    waited = [_waited(app, pictures=pictures) for pictures in (False, True)]
    with virtual_device(app) as device, device.session(recover=None, trace=False) as mobile:
        pictures = mobile._context.observer.pictures
        for _ in range(OUTLINES):
            mobile.tap_at(5, 400)
            mobile.snapshot()
        snapshot = mobile.snapshot()
        groups = wordless(snapshot.elements, snapshot.size)
        if not groups:
            return OUTLINES, pictures.taken, 0.0, 0.0, 0, 0, *waited
        take, compare = [], []
        for _ in range(5):
            began = time.perf_counter()
            found = pictures_of(device.driver.screenshot(), snapshot.size, groups, [])
            take.append(time.perf_counter() - began)
            alike = groups[0]
            was = replace(alike[0], picture=found[alike[0].node.index])
            began = time.perf_counter()
            by_picture(was, alike, found, scrolls=True)
            compare.append(time.perf_counter() - began)
    one = next(iter(found.values()))
    kept = sys.getsizeof(one.look) + sum(map(sys.getsizeof, (one.place, one)))
    ms = [round(statistics.median(times) * 1000, 1) for times in (take, compare)]
    return OUTLINES, pictures.taken, *ms, len(one.look), kept * len(found), *waited


def _waited(app: App[State] | str, *, pictures: bool) -> int:
    """Milliseconds of a snapshot after a tap, at the usual latencies of the virtual phone."""
    latency = Latency.from_knobs({})
    with (
        virtual_device(app, clock=SystemClock(), latency=latency) as device,
        device.session(recover=None, trace=False) as mobile,
    ):
        if not pictures:
            mobile._context.observer.pictures.take = lambda *_, **__: None  # type: ignore[method-assign]
        took = []
        for _ in range(OUTLINES):
            mobile.tap_at(5, 400)
            began = time.perf_counter()
            mobile.snapshot()
            took.append(time.perf_counter() - began)
    return round(statistics.median(took) * 1000)
