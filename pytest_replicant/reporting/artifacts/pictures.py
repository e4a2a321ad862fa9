"""Pictures of screens: read, packed smaller before they are stored, and carried in a page."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from ...model import AnyMapping

QUALITY = 80
"""Lossy: lossless needs a quarter fewer bytes for plain screens and up to ten times the time and
four times the bytes for photographs."""

NARROWEST = 540
"""Pixels that a picture keeps along its shorter side where it is made smaller, by a whole factor: a
page shows it no wider than that. 1080 × 2400 then takes two thirds of the time and a third of the
bytes."""


def webp(png: bytes, *, whole: bool) -> bytes | None:
    """The same picture, smaller unless ``whole``; None if Pillow lacks WebP, the bytes are no
    picture, or PNG takes no more."""
    from PIL import Image, features  # a run without a phone never needs Pillow

    if not features.check("webp"):
        return None
    packed = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # Pillow warns of sizes that no phone has; Image refuses beyond
            with Image.open(io.BytesIO(png)) as image:
                shown = image if image.mode == "RGB" else image.convert("RGB")
                shown = shown if whole else shown.reduce(max(min(shown.size) // NARROWEST, 1))
                shown.save(packed, "WEBP", quality=QUALITY, method=2)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return packed.getvalue() if len(packed.getvalue()) < len(png) else None


KEPT = 200
"""Packed pictures that are remembered, 20 MB or so: a screen that a run comes back to is packed
once."""

Packed = tuple[bytes, str]
"""What to store, and the extension of its file."""


class PicturePacking:
    """One for each process that runs tests. Its thread begins with the first picture, and ends with
    ``close``."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, Future[Packed]] = OrderedDict()
        self._thread: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def begin(self, png: bytes) -> None:
        """Packs a picture in the background, unless it is known."""
        if os.getpid() == self._process:
            self._begun(png)

    def packed(self, png: bytes) -> Packed:
        """As WebP, or as it came where that cannot be had. Waits where it is not done yet."""
        if os.getpid() != self._process:  # a fork: the thread stayed behind
            return pack(png)
        return self._begun(png).result()

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)
            self._thread = None
        self._known.clear()

    def _begun(self, png: bytes) -> Future[Packed]:
        name = hashlib.sha256(png).digest()
        found = self._known.pop(name, None)
        if found is None:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, thread_name_prefix="replicant-pictures")
            found = self._thread.submit(pack, png)
        self._known[name] = found  # the newest comes last
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found


def pack(png: bytes, *, whole: bool = False) -> Packed:
    """As WebP, or as it came."""
    packed = webp(png, whole=whole)
    return (png, ".png") if packed is None else (packed, ".webp")


def address(path: str, data: bytes) -> str:
    """One that holds the picture itself."""
    kind = "webp" if path.endswith(".webp") else "png"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


def data_of(address: str) -> Packed:
    """What such an address holds, and the extension of its file. Raises ``ValueError`` for another
    one."""
    kind, _, text = address.removeprefix("data:image/").partition(";base64,")
    if kind not in ("webp", "png"):
        raise ValueError("the address of no picture")
    return base64.b64decode(text, validate=True), f".{kind}"


def carried_pictures(
    document: AnyMapping,
    pictures: Mapping[str, bytes],
    budget: int,
    size: Callable[[bytes], int] = len,
) -> dict[str, bytes]:
    """Those that fit into so many bytes, the ones of failed steps before others, by the path that
    the document gives them. ``size`` is what one takes where it is carried."""
    carried: dict[str, bytes] = {}
    for path in _by_importance(document):
        data = pictures.get(path)
        if data is not None and path not in carried and size(data) <= budget:
            budget -= size(data)
            carried[path] = data
    return carried


def _by_importance(document: AnyMapping) -> Iterator[str]:
    for event in document["events"]:
        looks = (event["check"] or {}).get("looks") or {}
        for name in ("expected", "actual", "difference"):
            place = looks.get(name)
            if place is not None:
                yield document["attachments"][place]["path"] or ""
    for event in sorted(document["events"], key=lambda event: not event["error"]):
        for name in (event["before"], event["after"]):
            screenshot = document["snapshots"].get(name, {}).get("screenshot")
            if screenshot:
                yield screenshot["blob"]
