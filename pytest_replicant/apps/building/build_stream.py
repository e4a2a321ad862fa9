"""What a running build prints, as lines.

It is read in a thread of its own, since whoever inherits the pipe may keep it open for as long as it likes.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import queue
import threading
from collections.abc import Iterator

_CHUNK = 65536
_MOST_WAITING = 64
_LONGEST_LINE = 1_000_000


class BuildStream:
    """``writing`` is the end for the build; it is closed here once the build has it."""

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()
        self._chunks: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._left = threading.Event()
        self._started = False

    def start(self) -> None:
        """The build has its end by now."""
        self._started = True
        os.close(self.writing)
        threading.Thread(target=self._pump, name="replicant-build-output", daemon=True).start()

    def next(self, timeout: float) -> bytes | None:
        """What has been printed, b"" at the end; None where nothing was within ``timeout`` seconds."""
        try:
            return self._chunks.get(timeout > 0, timeout)
        except queue.Empty:
            return None

    def waiting(self) -> int:
        """How often ``next`` has something at once."""
        return self._chunks.qsize()

    def leave(self) -> None:
        """Nobody listens any more. What a daemon prints is read and forgotten: a closed pipe might end it."""
        self._left.set()
        if not self._started:
            os.close(self.writing)
            os.close(self._reading)

    def _pump(self) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(self._reading, _CHUNK):
                self._hand_over(chunk)
        self._hand_over(b"")
        os.close(self._reading)

    def _hand_over(self, chunk: bytes) -> None:
        while not self._left.is_set():
            with contextlib.suppress(queue.Full):
                self._chunks.put(chunk, timeout=0.1)
                return


class Lines:
    """Bytes in pieces to lines, whatever ends them. UTF-16 where it says so, else UTF-8."""

    def __init__(self) -> None:
        self._decoder: io.IncrementalNewlineDecoder | None = None
        self._first = b""
        self._rest = ""

    def take(self, chunk: bytes) -> Iterator[str]:
        """The lines that are whole by now."""
        if self._decoder is None:
            self._first += chunk
            if len(self._first) < 3:
                return
        yield from self._split(self._decoded(chunk, final=False))

    def end(self) -> Iterator[str]:
        yield from self._split(self._decoded(b"", final=True))
        if self._rest:
            yield self._rest
            self._rest = ""

    def _decoded(self, chunk: bytes, *, final: bool) -> str:
        if self._decoder is None:
            wide = self._first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            decoder = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")(errors="replace")
            self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
            chunk, self._first = self._first, b""
        return self._decoder.decode(chunk, final=final)

    def _split(self, text: str) -> Iterator[str]:
        *whole, self._rest = (self._rest + text).split("\n")
        yield from whole
        if len(self._rest) > _LONGEST_LINE:
            yield self._rest
            self._rest = ""
