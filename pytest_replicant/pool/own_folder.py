"""The folder that processes of this computer share: leases, and the quarantine of each run."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from ..errors import UsageError


def lease_folder() -> Path:
    """The user's own folder for leases, made where it is missing. Raises ``UsageError``."""
    folder = lease_folder_path()
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        check_own(folder)
    except OSError as error:
        raise cannot_keep(folder, error) from None
    return folder


def resource_folder() -> Path:
    """The one for leases of accounts and other resources, with a queue of its own. Raises ``UsageError``."""
    folder = lease_folder() / "resources"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise cannot_keep(folder, error) from None
    return folder


def check_own(folder: Path) -> None:
    """Raises ``OSError`` for anything but a folder of this user's own, and where there is none."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError("it is a link, or no folder")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise PermissionError("it belongs to another user")


def cannot_keep(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        f"cannot keep leases of phones in {folder}: {error.strerror or error}. Next: remove whatever is there, or "
        "set TMPDIR to a folder of your own, the same for all runs that share phones"
    )


def lease_folder_path() -> Path:
    """Its path, whether it is there or not."""
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"pytest-replicant-leases-{owner}"
