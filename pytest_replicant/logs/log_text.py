"""A log as text, whichever program wrote it into a file: encodings, byte order marks, line ends, colours."""

from __future__ import annotations

import re

_COLOURS = re.compile(r"^(?:\x1b\[[\d;]*m)+|(?:\x1b\[[\d;]*m)+$", re.MULTILINE)
_LINE_END = re.compile(r"\r+$", re.MULTILINE)
_SAMPLE = 400  # bytes that tell whether every second one is NUL


def as_text(data: bytes | str) -> str:
    """Lines end with a newline alone. What is in no known encoding becomes U+FFFD."""
    text = data if isinstance(data, str) else _decoded(data)
    if "\r" in text:
        text = _LINE_END.sub("", text)
    if "\ufeff" in text:  # one file after another
        text = text.replace("\n\ufeff", "\n").lstrip("\ufeff")
    return _COLOURS.sub("", text) if "\x1b[" in text else text


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    sample = data[:_SAMPLE]
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        nuls = sample[first::2].count(0)
        if nuls and nuls * 4 > len(sample):  # more than half of these
            return data.decode(encoding, "replace")
    return data.decode("utf-8-sig", "replace")
