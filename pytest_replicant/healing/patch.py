"""A unified diff that ``git apply`` takes: changed lines alone, with the line ends that they have."""

from __future__ import annotations

import difflib
from collections.abc import Iterator


def unified(name: str, before: bytes, after: bytes) -> bytes:
    """``name`` is the file's path in the folder where the patch is applied; empty where nothing differs."""
    header = name.encode("utf-8") + (b"\t" if " " in name else b"")
    lines = difflib.diff_bytes(
        difflib.unified_diff, _lines(before), _lines(after), b"a/" + header, b"b/" + header, lineterm=b"\n"
    )
    return b"".join(_ended(lines))


def _lines(data: bytes) -> list[bytes]:
    """By line feeds alone, as git counts them."""
    return [*(line + b"\n" for line in data.split(b"\n")[:-1]), *filter(None, [data.rpartition(b"\n")[2]])]


def _ended(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
