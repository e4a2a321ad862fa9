"""Packages of npm that reports are read with: fetched once into the user's cache, whole or not at
all."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

_QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error")
_SECONDS = 240


@cache
def package(name: str, version: str) -> tuple[Path | None, str]:
    """The folder that holds its ``node_modules``; None where npm cannot bring it, and why."""
    cached = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pytest-replicant"
    folder = cached / f"{name}-{version}"
    if folder.is_dir():
        return folder, ""
    npm = shutil.which("npm")
    if npm is None:
        return None, f"no npm on PATH, which brings {name}"
    cached.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cached) as temporary:
        fetched = Path(temporary) / "package"
        command = [npm, "install", "--prefix", str(fetched), *_QUIET, f"{name}@{version}"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return None, f"npm did not fetch {name} {version} within {_SECONDS} s"
        if done.returncode != 0:
            return None, f"npm could not fetch {name} {version}: {done.stderr.strip()[:200]}"
        folder.parent.mkdir(parents=True, exist_ok=True)  # a package of a scope lies one deeper
        with suppress(OSError):  # another process may have been first
            fetched.rename(folder)
    return folder, ""
