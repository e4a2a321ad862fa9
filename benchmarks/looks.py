"""Does a screen that stays as it is look as it did, and is each planted difference found?

``python -m benchmarks looks``: a screen with a clock, a wheel that turns and a caret that blinks, looked at 200
times on each virtual phone. Five flaws of it by the state of the app, and five in pictures of the shop, on both.
The time of a comparison against that of Pillow's own difference of the same two pictures.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import ExpectationFailed
from pytest_replicant.model import Rect, Secret
from pytest_replicant.testing import virtual_device
from pytest_replicant.vision import compare_pictures, opened

from .table import Table

if TYPE_CHECKING:
    from PIL.Image import Image

    from pytest_replicant.session import BaselineKind, DeviceSession

REPEATS = 200
FLAWS = ("a colour", "two pixels", "an icon", "a digit", "the end of a text")
_ROUNDS = 25
_BARS = 140  # pixels from the top of either phone
_LONG = 8  # letters of a text of which the end may be cut off
_PRICE = re.compile(r"[£€$]\s?\d+[.,]\d\d")
_BLUER = [min(level + 16, 255) for level in range(256)]
_LAB, _SHOP = "dev.replicant.lab", "dev.replicant.shop"


@dataclass
class Kept:
    """The files of a test that only the benchmark knows."""

    root: Path
    updating: bool = True
    proposed: dict[Path, Callable[[bytes | None], bytes]] = field(default_factory=dict)

    def folder(self, kind: BaselineKind) -> Path:
        return self.root / kind

    def shown(self, path: Path) -> str:
        return path.name

    def updates(self, kind: BaselineKind) -> bool:
        return self.updating

    def propose(self, path: Path, make: Callable[[bytes | None], bytes]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make(None))


def measure() -> list[Table]:
    found = {platform: planted_in_pictures(platform) for platform in get_args(Platform)}
    return [compared(found), cost(found)]


def compared(pictures: dict[Platform, list[Planted]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for platform in get_args(Platform):
        failures, flaws = form_on(platform)
        drawn = [not compare_pictures(one.whole, one.flawed).same for one in pictures[platform]]
        rows.append(
            (
                platform,
                f"{failures} of {REPEATS}",
                f"{sum(flaws)} of {len(flaws)}",
                f"{sum(drawn)} of {len(drawn)}",
            )
        )
    return Table(
        "looks",
        "Looks that are compared",
        "python -m benchmarks looks",
        ("phone", "unchanged and yet failed", "flaws of the app found", "flaws of pictures found"),
        tuple(rows),
        "Unchanged: a screen whose clock ticks, whose caret blinks and on which a wheel turns. The flaws are "
        f"{', '.join(FLAWS)}: by the state of the app, and painted into pictures of another app.",
    )


def form_on(platform: Platform, repeats: int = REPEATS) -> tuple[int, list[bool]]:
    """How often an unchanged screen failed, and which flaws were found."""
    draw = random.Random(platform)
    with tempfile.TemporaryDirectory() as folder, virtual_device(_LAB, platform=platform) as device:
        kept = Kept(Path(folder))
        with device.session(baselines=kept, screenshots=False, recovery="off") as mobile:
            _show(mobile, 0)
            mobile.expect_looks_like("form")
            kept.updating = False
            failures = 0
            for _ in range(repeats):
                device.clock.sleep(draw.uniform(0.1, 1.7))
                failures += not _looks_like_it(mobile)
            found = []
            for flaw in range(1, len(FLAWS) + 1):
                _show(mobile, flaw)
                found.append(not _looks_like_it(mobile, timeout=0))
    return failures, found


def _show(mobile: DeviceSession, flaw: int) -> None:
    mobile.launch(_LAB)
    mobile.open_url(f"lab://restless-form?flaw={flaw}")
    mobile.hide_keyboard()


def _looks_like_it(mobile: DeviceSession, timeout: float | None = None) -> bool:
    try:
        mobile.expect_looks_like("form", timeout=timeout)
    except ExpectationFailed:
        return False
    return True


# --- flaws that are painted ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A picture, and the same with a flaw."""

    flaw: str
    whole: Image
    flawed: Image


def planted_in_pictures(platform: Platform) -> list[Planted]:
    """Of the shop's catalogue, one of each flaw."""
    with virtual_device(_SHOP, platform=platform) as device, device.session(screenshots=False) as mobile:
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value=Secret("correct horse"))
        mobile.tap(text="Sign in").expect_screen("Catalogue").expect_gone(text="Sign in")
        screen = mobile.snapshot()
        whole = opened(mobile.screenshot())
    leaves = [one for one in screen.nodes if one.visible and not one.children and one.bounds.top > _BARS]
    texts = sorted((one.bounds for one in leaves if len(one.text or one.description) > _LONG), key=_size)
    prices = sorted((one.bounds for one in leaves if _PRICE.fullmatch(one.text or one.description)), key=_size)
    icons = sorted((one.bounds for one in leaves if "Image" in one.class_name), key=_size)
    return [Planted(name, whole, flawed) for name, flawed in _flawed(whole, texts[0], prices[0], icons[0])]


def _size(box: Rect) -> int:
    return box.area


def _flawed(whole: Image, text: Rect, price: Rect, icon: Rect) -> Iterator[tuple[str, Image]]:
    ink, glyphs = _inked(whole, text), _glyphs(whole, price)
    yield FLAWS[0], _changed(whole, icon, lambda part: part.point([*range(512), *_BLUER]))
    yield FLAWS[1], _changed(whole, ink.inset(-4), lambda part: _moved(part, 2))
    yield FLAWS[2], _blank(whole, icon)
    yield FLAWS[3], _copied(whole, glyphs[1], glyphs[-1])
    yield FLAWS[4], _blank(whole, Rect(ink.right - ink.width // 4, ink.top, ink.right, ink.bottom))


def _changed(whole: Image, box: Rect, change: Callable[[Image], Image]) -> Image:
    flawed = whole.copy()
    flawed.paste(change(whole.crop(box)), box)
    return flawed


def _moved(part: Image, by: int) -> Image:
    from PIL import ImageChops

    return ImageChops.offset(part, by, 0)


def _blank(whole: Image, box: Rect) -> Image:
    return _changed(whole, box, lambda part: part.resize(part.size, box=(0, 0, 1, 1)))


def _copied(whole: Image, source: Rect, target: Rect) -> Image:
    return _changed(whole, target, lambda part: whole.crop(source).resize(part.size))


def _inked(whole: Image, box: Rect) -> Rect:
    """The part of a box that is not its ground, which its first pixel has."""
    from PIL import Image, ImageChops

    part = whole.crop(box)
    ground = Image.new("RGB", part.size, part.getpixel((0, 0)))
    found = ImageChops.difference(part, ground).getbbox()
    return Rect(*found).shifted(box.left, box.top) if found else box


def _glyphs(whole: Image, box: Rect) -> list[Rect]:
    """The signs of a text, by the columns without ink between them."""
    ink = _inked(whole, box)
    columns = [whole.crop((x, ink.top, x + 1, ink.bottom)).getcolors(256) for x in range(ink.left, ink.right)]
    found, start = [], ink.left
    for x, colours in enumerate([*columns, [(1, 0)]], start=ink.left):
        if colours is not None and len(colours) == 1:
            if x > start:
                found.append(Rect(start, ink.top, x, ink.bottom))
            start = x + 1
    return found


# --- time ----------------------------------------------------------------------------------------------------


def cost(pictures: dict[Platform, list[Planted]]) -> Table:
    rows = []
    for platform, planted in pictures.items():
        whole = planted[0].whole
        same = times(whole, whole.copy())
        flaws = [times(one.whole, one.flawed) for one in planted]
        other = times(whole, _moved(whole, 7))
        rows.append((platform, f"{same:.1f}", f"{max(flaws):.1f}", f"{other:.1f}"))
    return Table(
        "looks_cost",
        "Time of a comparison, as times of Pillow's own difference",
        "python -m benchmarks looks",
        ("phone", "equal pictures", "pictures with a flaw, at most", "all of it moved"),
        tuple(rows),
        "ImageChops.difference of the same two pictures is 1. Best of 25 rounds each.",
    )


def times(one: Image, other: Image) -> float:
    from PIL import ImageChops

    return _best(lambda: compare_pictures(one, other)) / _best(lambda: ImageChops.difference(one, other))


def _best(work: Callable[[], object]) -> float:
    took = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took)
