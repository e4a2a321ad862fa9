"""Screenshots packed while the test goes on: a test waits for its phone most of the time."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor

KEPT = 200
"""Packed pictures that are remembered, 20 MB or so: a screen that a run comes back to is packed once."""

Packed = tuple[bytes, str]
"""What to store, and the extension of its file."""


class PicturePacking:
    """One for each process that runs tests. Its thread begins with the first picture, and ends with ``close``."""

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


def pack(png: bytes) -> Packed:
    """As WebP, or as it came."""
    from .screenshot_image import webp  # draws in Pillow, which a run without a phone never needs

    packed = webp(png)
    return (png, ".png") if packed is None else (packed, ".webp")
