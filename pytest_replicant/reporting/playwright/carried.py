"""What the archive carries beside its lines: pictures and attachments, up to a size."""

from __future__ import annotations

from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from .wording import line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PICTURE_BUDGET = 16_000_000
"""Bytes of pictures. Each is there twice, as a file and within the lines, and the viewer reads all at once."""

ATTACHMENT_BUDGET = 8_000_000
"""Bytes of attachments; what is larger stays in the test's folder alone."""


def carried_pictures(document: Mapping[str, Any], pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that fit, the ones of failed steps before others, by the path that the document gives them."""
    carried: dict[str, bytes] = {}
    left = PICTURE_BUDGET
    for path in _by_importance(document):
        data = pictures.get(path)
        if data is not None and path not in carried and len(data) <= left:
            left -= len(data)
            carried[path] = data
    return carried


def _by_importance(document: Mapping[str, Any]) -> Iterator[str]:
    for event in sorted(document["events"], key=lambda event: not event["error"]):
        for name in (event["before"], event["after"]):
            screenshot = document["snapshots"].get(name, {}).get("screenshot")
            if screenshot:
                yield screenshot["blob"]


def file_name(path: str) -> str:
    """What a file is called in the archive, by its path as a document spells it."""
    return PurePosixPath(path).name


def carried_attachments(
    document: Mapping[str, Any], folder: Path
) -> tuple[list[dict[str, str]], dict[str, bytes]]:
    """How the viewer spells them, and their bytes by file name, as they lie in the test's folder."""
    told: list[dict[str, str]] = []
    files: dict[str, bytes] = {}
    left = ATTACHMENT_BUDGET
    for attachment in document["attachments"]:
        path = attachment["path"]
        if path is None or attachment["bytes"] > left:
            continue
        name = file_name(path)
        with suppress(OSError):
            files[name] = (folder / path).read_bytes()
            left -= len(files[name])
            about = {"name": line(attachment["name"], 200), "contentType": line(attachment["media_type"], 80)}
            told.append({**about, "sha1": name})
    return told, files
