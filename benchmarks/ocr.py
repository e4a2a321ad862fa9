"""What OCR reads and icons are found, where the truth is known.

Of a virtual phone the truth is what it draws: the texts of its views, and on the lab's canvases the texts that no
hierarchy holds. Of a real screen it is the hierarchy that was taken with the picture, which lacks some of what is
drawn and holds some that is not: recall alone is measured there.
"""

from __future__ import annotations

import io
import json
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree
from PIL import Image

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import how_to_install
from pytest_replicant.model import Rect
from pytest_replicant.snapshots import shape
from pytest_replicant.testing import Latency
from pytest_replicant.virtual import (
    VirtualPhone,
    all_exhibits,
    drawn_by_apps,
    icon_mask,
    lab,
    profile_of,
    render_png,
    shop,
)
from pytest_replicant.virtual.demo_apps.lab import PACKAGE
from pytest_replicant.vision import DrawnText, drawn_texts, find_icon, find_text, has_ocr, unreadable

from .captures import needed_corpus
from .pictures import grid_app
from .table import Table, Unmeasurable, percent

COMMAND = "python -m benchmarks ocr"
COVERED = ("overlay", "bottom-bar", "sheet-in-app", "loading-veil", "no-dump", "truncated-dump", "deep-screen")
DRAWN = ("drawn-text", "drawn-button", "icon-row", "drawn-game?every=0")
EVERY = 4  # exhibits: one in so many is read
PHONES: tuple[tuple[Platform, str], ...] = (("android", ""), ("ios", ""))
OTHERS: tuple[tuple[Platform, str], ...] = (("android", "tablet"), ("android", "android-7"), ("ios", "ipad"))
LONGEST = 40  # characters of a label; longer texts are prose
TEXTS = ("TextView", "Button", "EditText")
Shown = tuple[str, Rect]


@dataclass
class Read:
    """The texts of screens against what was read there."""

    name: str
    words: int = 0
    found: int = 0
    labels: int = 0
    whole: int = 0
    lines: int = 0  # read inside of what is known in full
    right: int = 0
    took: list[float] = field(default_factory=list)
    decoded: list[float] = field(default_factory=list)

    def add(self, png: bytes, shown: Sequence[Shown], *, known: Sequence[Rect] = ()) -> None:
        """``known`` are parts of the screen of which ``shown`` is all that is drawn."""
        self.decoded.append(timed(lambda: Image.open(io.BytesIO(png)).convert("RGB")))
        texts: list[DrawnText] = []
        self.took.append(timed(lambda: texts.extend(drawn_texts(png))))
        for text, box in shown:
            inside = "".join(bare(line.text) for line in texts if grown(box).contains(line.box.center))
            at = 0
            for word in map(bare, text.split()):
                place = inside.find(word, at)
                self.words, self.found = self.words + 1, self.found + (place >= 0)
                at = place + len(word) if place >= 0 else at
            if len(text) <= LONGEST:
                finds = find_text(texts, text=text)
                self.labels += 1
                self.whole += any(not one.box.intersect(box).is_empty for one in finds)
        truth = [bare(text) for text, _ in shown]
        for line in texts:
            if any(part.contains(line.box.center) for part in known):
                self.lines += 1
                self.right += any(bare(line.text) in text for text in truth)

    def row(self) -> tuple[object, ...]:
        took, decoded = statistics.median(self.took), statistics.median(self.decoded)
        return (
            self.name,
            len(self.took),
            f"{self.found}/{self.words} ({percent(self.found, self.words)})",
            f"{self.whole}/{self.labels} ({percent(self.whole, self.labels)})",
            f"{self.right}/{self.lines} ({percent(self.right, self.lines)})" if self.lines else "-",
            f"{took * 1000:.0f}",
            f"{took / decoded:.0f}",
        )


def measure() -> list[Table]:
    if not has_ocr():
        raise Unmeasurable(f"no OCR: {how_to_install('ocr')}")
    needed_corpus()
    drawn_texts(png_of(Image.new("RGB", (200, 200), "white")))  # loads the models
    reads = [*(virtual(platform) for platform, _ in PHONES), canvases(), latin(), chinese()]
    columns = ("screens", "count", "words", "labels", "lines that are right", "CPU ms each", "times a decoding")
    note = (
        f"Read at most 1,200 pixels long. A word counts inside of its own element; a label is a text of at most "
        f"{LONGEST} characters, found whole where it is. Lines are counted where all that is drawn is known. "
        "Times are medians of the processor; the last column is against decoding the same PNG in the same run. "
        "The misses on the Chinese screens were looked at one by one. States of switches are not drawn. Clock, "
        "4G and battery stand in the status bar. Others are single signs such as - and 1, and two labels that are "
        "covered or cut."
    )
    return [
        Table("ocr", "Text read in pictures", COMMAND, columns, tuple(each.row() for each in reads), note),
        icons(),
    ]


def timed(act: Callable[[], object]) -> float:
    """Seconds of the processor, which a busy machine disturbs less than those of the clock."""
    start = time.process_time()
    act()
    return time.process_time() - start


def bare(text: str) -> str:
    return "".join(shape(text).split())


def grown(box: Rect) -> Rect:
    return box.inset(-8)


def png_of(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


# --- virtual phones -------------------------------------------------------------------------------------------


def phone(platform: Platform, make: str = "") -> VirtualPhone:
    profile = profile_of(platform, {"profile": make} if make else {})
    return VirtualPhone([lab(), shop()], profile=profile, latency=Latency(*[0] * 8), clock=lambda: 100.0)


def virtual(platform: Platform) -> Read:
    """The start screens of the lab and the shop, and one exhibit in four of those that cover nothing."""
    read, shown = Read(f"virtual {platform}"), phone(platform)
    slugs = [each.slug for each in all_exhibits() if each.slug not in COVERED][::EVERY]
    for url in (None, *(f"lab://{slug}" for slug in slugs)):
        shown.start_app(PACKAGE, url=url)
        read.add(render_png(shown.windows(), shown.size), list(texts_of(shown)))
    shown.start_app("dev.replicant.shop")
    read.add(render_png(shown.windows(), shown.size), list(texts_of(shown)))
    return read


def texts_of(shown: VirtualPhone) -> Iterator[Shown]:
    """What the views of the app in front draw in full."""
    app = next(window for window in reversed(shown.windows()) if window.kind == "app")
    for node in app.root.walk():
        whole = node.bounds == node.frame and not node.password
        if node.text and whole and node.class_name.endswith(TEXTS) and not unreadable(node.text):
            yield node.text, node.bounds


def canvases() -> Read:
    """The lab's drawn exhibits on five phones, where all that lies on the canvas is known."""
    read = Read("canvases of the lab")
    for platform, make in (*PHONES, *OTHERS):
        shown = phone(platform, make)
        for slug in DRAWN:
            shown.start_app(PACKAGE, url=f"lab://{slug}")
            boards = [node.bounds for window in shown.windows() for node in window.root.walk() if node.drawn]
            texts = [(node.text, node.bounds) for node in drawn_by_apps(shown.windows()) if node.text]
            read.add(render_png(shown.windows(), shown.size), texts, known=boards)
    return read


# --- real screens ---------------------------------------------------------------------------------------------


def latin() -> Read:
    read = Read("real, Latin (F-Droid)")
    for path in sorted(real("Kqramazov__fdroid_utg").glob("*.json")):
        views = json.loads(path.read_text(encoding="utf-8"))["views"]
        seen = [view for view in views if view.get("text") and view.get("visible", True)]
        shown = [(view["text"], Rect(*view["bounds"][0], *view["bounds"][1])) for view in seen]
        picture = Image.open(path.with_suffix(".jpg"))
        read.add(png_of(picture), [(text, box) for text, box in shown if not unreadable(text)])
    return read


def chinese() -> Read:
    read = Read("real, Chinese (bilibili)")
    for path in sorted(real("feymanpaper__AppUIAutomator2Navigation").glob("*.png")):
        if not path.with_suffix(".xml").exists():
            continue
        nodes = etree.parse(path.with_suffix(".xml")).iter("node")
        shown = [(node.get("text", ""), bounds(node.get("bounds", ""))) for node in nodes]
        whole = [(text, box) for text, box in shown if text.strip() and not box.is_empty and not unreadable(text)]
        read.add(path.read_bytes(), whole)
    return read


def bounds(text: str) -> Rect:
    numbers = [int(number) for number in re.findall(r"-?\d+", text)]
    return Rect(*numbers) if len(numbers) == 4 else Rect(0, 0, 0, 0)


def real(name: str) -> Path:
    return needed_corpus() / "screens" / name


# --- icons ----------------------------------------------------------------------------------------------------

GRIDS = (
    ("camera", "heart", "lock", "bell", "star", "heart", "add", "home"),
    ("search", "settings", "share", "delete", "edit", "share", "close", "eye"),
    ("info", "cart", "person", "refresh", "play", "warning", "wifi", "menu"),  # on no screen that is searched
)
ICONS = tuple(dict.fromkeys(name for grid in GRIDS for name in grid))


@dataclass(frozen=True)
class Grid:
    """A screen of icons: the picture, each icon and its place, and the status bar, which has a wifi icon too."""

    png: bytes
    places: tuple[tuple[str, Rect], ...]
    bar: Rect


def grid(platform: Platform, number: int, *, dark: bool = False) -> Grid:
    app = grid_app("icons", GRIDS[number])
    shown = VirtualPhone([app], profile=profile_of(platform, {}), latency=Latency(*[0] * 8), clock=lambda: 100.0)
    shown.start_app(app.package)
    state = shown.app_state(app.package)
    assert isinstance(state, dict)
    state["dark"] = dark
    nodes = (node for window in shown.windows() for node in window.root.walk())
    shapes = ((node.look.shape.partition(":"), node.bounds) for node in nodes)
    places = tuple((name, box) for (kind, _, name), box in shapes if kind == "icon" and name in GRIDS[number])
    bar = next(window.root.bounds for window in shown.windows() if window.kind == "status_bar")
    return Grid(render_png(shown.windows(), shown.size), places, bar)


def crops(platform: Platform) -> dict[str, bytes]:
    """Each icon as cut from a screenshot of that phone."""
    cut: dict[str, bytes] = {}
    for number in range(len(GRIDS)):
        one = grid(platform, number)
        picture = Image.open(io.BytesIO(one.png)).convert("RGB")
        cut |= {name: png_of(picture.crop(box)) for name, box in one.places}
    return cut


def silhouettes() -> dict[str, bytes]:
    """Each icon as a designer hands it out: black, with transparent pixels."""
    drawn = {}
    for name in ICONS:
        mask = icon_mask(name, 96)
        image = Image.new("RGBA", mask.size, (0, 0, 0, 0))
        image.putalpha(mask)
        drawn[name] = png_of(image)
    return drawn


def icons() -> Table:
    """Each icon searched for on screens of another phone, where it is once, twice or not at all."""
    screens = {"light": [grid("android", 0), grid("ios", 1)], "dark": [grid("android", 1, dark=True)]}
    plain = silhouettes()
    rows = [
        _searched(
            "crop from the other phone", list(zip(screens["light"], (crops("ios"), crops("android")), strict=True))
        ),
        _searched("silhouette", [(screen, plain) for screen in screens["light"]]),
        _searched("silhouette, dark screen", [(screen, plain) for screen in screens["dark"]]),
    ]
    columns = ("icon", "searches", "places found", "false finds", "lowest find", "CPU ms a search")
    note = "An icon that a screen lacks is searched for as well; a find anywhere else is false."
    return Table("ocr_icons", "Icons found by a picture", COMMAND, columns, tuple(rows), note)


def _searched(name: str, searches: Sequence[tuple[Grid, dict[str, bytes]]]) -> tuple[object, ...]:
    took, lowest, places, found, false = [], 1.0, 0, 0, 0
    for screen, given in searches:
        for icon, png in given.items():
            start = time.process_time()
            finds = find_icon(screen.png, png)
            took.append(time.process_time() - start)
            finds = [one for one in finds if icon != "wifi" or not screen.bar.contains(one.box.center)]
            boxes = [box for shown, box in screen.places if shown == icon]
            hits = [one for one in finds if any(box.contains(one.box.center) for box in boxes)]
            places, found, false = places + len(boxes), found + len(hits), false + len(finds) - len(hits)
            lowest = min([lowest, *(one.confidence for one in hits)])
    return name, len(took), f"{found}/{places}", false, lowest, f"{statistics.median(took) * 1000:.0f}"
