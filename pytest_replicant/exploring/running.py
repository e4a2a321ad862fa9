"""A saved test, run by pytest in a process of its own, as anybody would run it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SECONDS = 900.0
_MOST_LINES = 25
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Ran:
    """How it ended: ``passed`` for a pass that needed no recovery. ``text`` is the end of what pytest printed."""

    passed: bool
    recovered: bool
    seconds: float
    text: str


def run_test(place: str, uri: str, folder: str, secrets: Mapping[str, str], options: Sequence[str]) -> Ran:
    """Runs ``FILE::test`` on the phone of that URI, from ``folder``, with ``secrets`` in its environment."""
    began = time.monotonic()
    command = [
        sys.executable, "-m", "pytest", place, f"--replicant-device={uri}", "--no-header", "-q", "--color=no",
        "-p", "no:cacheprovider", *options,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **secrets}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=_SECONDS, text=True, errors="replace", check=False,
        )  # fmt: skip
        text, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as error:
        text, code = (
            f"{(error.stdout or b'').decode(errors='replace')}\nit did not end within {_SECONDS / 60:.0f} minutes",
            1,
        )
    lines = [line for line in _ESCAPE.sub("", text).splitlines() if line.strip()]
    summary = lines[-1] if lines else ""
    recovered = " recovered" in summary
    passed = code == 0 and re.search(r"\b[1-9]\d* passed\b", summary) is not None and not recovered
    return Ran(passed, recovered, time.monotonic() - began, "\n".join(lines[-_MOST_LINES:]))
