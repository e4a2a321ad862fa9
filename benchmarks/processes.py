"""Processes that benchmarks start: pytest on this checkout, and the time that all of them take."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run_pytest(
    *options: str,
    check: bool = False,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """In the order of the files, without a cache. Raises
    ``CalledProcessError`` if ``check`` is set and it ends with another code than 0."""
    quiet = ("-q", "-pno:randomly", "-pno:cacheprovider")
    command = [sys.executable, "-m", "pytest", *quiet, *options]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    return subprocess.run(command, capture_output=True, text=True, check=check, cwd=cwd, env=env)


def seconds_of_children() -> float:
    """Of the processor, by the user and by the system: what this process has started and waited
    for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
