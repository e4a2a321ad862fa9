"""The value of ``--replicant-app``: the id of an app, or a path or pattern of its package."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..drivers import SEVERAL
from ..errors import UsageError
from ..model import shortened

_FILES = (".apk", ".ipa", *SEVERAL)
_PATTERN = "*?["
_NO_ID = " '\""
_AT_ONCE = 10.0
"""Seconds within which files of one build are written: neither of two such is newer than the other."""


def is_path(given: str, folder: Path) -> bool:
    """An id such as ``com.example.app`` ends as an app's folder does: that is one only where it is there. No id
    has a space or a quote in it."""
    separators = {"/", os.sep}
    return (
        given.lower().endswith(_FILES)
        or any(letter in given for letter in (*separators, *_PATTERN, *_NO_ID))
        or (given.lower().endswith(".app") and (folder / given).is_dir())
    )


def find_file(given: str, folder: Path) -> Path:
    """The file that is meant, seen from ``folder``; of several that a pattern matches the newest one. Raises
    ``UsageError`` where there is none, or where none is newer than all others."""
    try:
        meant = Path(given).expanduser()
        path = folder / meant
        if path.exists():
            return _checked(path, given)
        found = list(_matches(folder, meant)) if any(letter in given for letter in _PATTERN) else None
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, no such user's home, no such pattern
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"--replicant-app={shortened(given, 200)}: {why}. Next: correct the path") from None
    if found is None:
        raise UsageError(f"--replicant-app={given}: there is no such file: {path}.{_near(path)} {_ADVICE}")
    if not found:
        raise UsageError(f"--replicant-app={given}: no file matches, seen from {folder}. {_ADVICE}")
    return _checked(_newest(found, given), given)


def _matches(folder: Path, pattern: Path) -> Iterator[Path]:
    """Only what was given is a pattern, whatever the folder is called. Links to folders are not followed by
    ``**``: in a ring of them it would have no end. Hidden files are left out unless they are asked for."""
    base = Path(pattern.anchor) if pattern.is_absolute() else folder
    inside = pattern.relative_to(base) if pattern.is_absolute() else pattern
    with_hidden = any(map(_is_hidden, inside.parts))
    for path in base.glob(str(inside)):
        if with_hidden or not any(map(_is_hidden, path.parts[len(base.parts) :])):
            yield path


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (".", "..")


_ADVICE = "Next: build it (--replicant-build does so before each run), or correct the path"


def _near(path: Path) -> str:
    """Files of its kind that are there instead."""
    if path.name[-1:] in ("'", '"'):
        return " The quotes are part of that name: an ini file needs none."
    try:
        others = sorted(each.name for each in path.parent.iterdir() if each.suffix == path.suffix)
    except OSError:
        return f" Nor is there {path.parent}."
    return f" In that folder: {', '.join(others[:5])}." if others else ""


def _newest(found: list[Path], given: str) -> Path:
    times = {path: _written(path) for path in found}
    latest = max(times.values())
    newest = sorted(path for path in found if times[path] > latest - _AT_ONCE)
    if len(newest) == 1:
        return newest[0]
    listed = "\n".join(f"  {path}" for path in newest[:20])
    more = f"\n  and {len(newest) - 20} more" if len(newest) > 20 else ""
    raise UsageError(
        f"--replicant-app={given}: {len(newest)} files match, none of which is newer than the others. Next: name "
        f"one:\n{listed}{more}"
    )


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _checked(path: Path, given: str) -> Path:
    """A folder is an app only by its name, and no other package is a folder."""
    if path.is_dir() and path.suffix.lower() != ".app":
        what = "a package is a file" if path.suffix.lower() in _FILES else "give the package in it, or */*.apk"
        raise UsageError(f"--replicant-app={given}: {path} is a folder; {what}")
    if not path.is_dir() and not path.is_file():  # a pipe would be waited for
        raise UsageError(f"--replicant-app={given}: {path} is no file that could be read twice. {_ADVICE}")
    return path
