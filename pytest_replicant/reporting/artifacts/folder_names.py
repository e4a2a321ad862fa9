"""Folder and file names for artifacts: safe on every system, for every name of a test."""

from __future__ import annotations

import hashlib
import re
import unicodedata

SLUG_LENGTH = 51
"""Longest readable part, in characters: a folder has 60 with its hash, short enough for Windows' 260 with room for
the folders above."""

_EXTENSIONS = {
    "application/json": ".json",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "application/pdf": ".pdf",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/webp": ".webp",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/xml": ".xml",
    "video/mp4": ".mp4",
}


def slug(text: str, length: int = SLUG_LENGTH) -> str:
    """Lower-case ASCII letters, digits and single hyphens, at most ``length`` characters, never empty.

    No dot survives: ``con.txt`` is a device on Windows, and ``..`` a way out of the folder everywhere.
    """
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^A-Za-z0-9]+", "-", ascii_text).strip("-").lower()
    if len(words) > length:
        words = words[:length].rstrip("-")
    return words or "test"


def folder_name(nodeid: str, shown: str, attempt: int) -> str:
    """``<slug>-<hash8>[-retryN]``: the slug of what may be ``shown``, the test's name before its file, and the
    hash of the whole node id."""
    retry = f"-retry{attempt}" if attempt > 0 else ""
    path, bracket, parameters = shown.partition("[")
    within, _, name = path.rpartition("::")
    file = within.rpartition("/")[2].replace(".py", "", 1)
    return f"{slug(f'{name}{bracket}{parameters} {file}')}-{short_digest(nodeid)}{retry}"


def shown_id(nodeid: str, shown: str) -> str:
    """What may be shown of a node id, and the hash of its folder where that is not all: two tests whose ids differ
    in a secret alone are two tests."""
    return shown if shown == nodeid else f"{shown} #{short_digest(nodeid)}"


def short_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="backslashreplace")).hexdigest()[:8]


def attachment_file_name(index: int, name: str, media_type: str) -> str:
    """``02-request-log.txt``: unique by ``index`` within its test, extension from the media type alone."""
    extension = _EXTENSIONS.get(media_type.split(";")[0].strip().lower(), ".bin")
    return f"{index:02d}-{slug(name, 40)}{extension}"
