"""Where this plugin keeps things: leases of phones, and the report."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..fitness.android_findings import told_kib
from ..fitness.finding import Finding
from ..leases.lease import lease_folder

LOW_KIB, FULL_KIB = 2 * 1024**2, 100 * 1024


def leases() -> Iterator[Finding]:
    """A phone is used by one test at a time, whatever process runs it."""
    folder = lease_folder()  # says by itself what is wrong
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        found = f"{folder} cannot be written: {error.strerror or error}"
        yield Finding("fail", "leases", found, f"make it yours: chmod u+rwx {folder}; or name another by TMPDIR")
        return
    yield Finding("ok", "leases", f"kept in {folder}")


def report(folder: Path) -> Iterator[Finding]:
    """Disk for the report, in the nearest folder that is there."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not os.access(there, os.W_OK):
        found = f"{there} cannot be written"
        yield Finding("fail", "report", found, "--replicant-output=DIR, or replicant_output, names another folder")
        return
    free = shutil.disk_usage(there).free // 1024
    told = f"{told_kib(free)} free for {folder}"
    if free >= LOW_KIB:
        yield Finding("ok", "report", told)
    elif free >= FULL_KIB:
        yield Finding("warn", "report", told, "make room, or bound a run by replicant_max_artifacts_mb")
    else:
        yield Finding("fail", "report", told, "make room, or name another disk by --replicant-output=DIR")
