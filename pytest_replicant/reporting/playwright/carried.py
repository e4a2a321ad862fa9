"""What the archive carries beside its lines: pictures and attachments, up to a size."""

from __future__ import annotations

from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ..artifacts.pictures import carried_pictures
from .wording import line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PICTURE_BUDGET = 16_000_000
"""Bytes of pictures. Each is there twice, as a file and within the lines, and the viewer reads all at once."""

ATTACHMENT_BUDGET = 8_000_000
"""Bytes of attachments; what is larger stays in the test's folder alone."""


def pictures_of(document: Mapping[str, Any], pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that fit, by the path that the document gives them."""
    return carried_pictures(document, pictures, PICTURE_BUDGET)


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
