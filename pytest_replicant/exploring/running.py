"""A saved test, run by pytest in a process of its own, as anybody would run it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

_SECONDS = 900.0
_TICK_SECONDS = 0.5  # between two looks whether its reader was interrupted
_MOST_LINES = 25


@dataclass(frozen=True)
class Ran:
    """How it ended: ``passed`` for a pass that needed no recovery. ``text`` is the end of what
    pytest printed."""

    passed: bool
    recovered: bool
    seconds: float
    text: str


def run_test(
    place: str, uri: str, folder: str, secrets: Mapping[str, str], options: Sequence[str]
) -> Ran:
    """Runs ``FILE::test`` on the phone of that URI, from ``folder``, with ``secrets`` in its
    environment."""
    began = time.monotonic()
    with TemporaryDirectory() as own:
        report = Path(own, "junit.xml")
        command = [
            sys.executable, "-m", "pytest", place, f"--replicant-device={uri}", "--no-header", "-q",
            "--color=no", "-p", "no:cacheprovider", *options, f"--junitxml={report}",
        ]  # fmt: skip
        with subprocess.Popen(
            command, cwd=folder, env={**os.environ, **secrets}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            text, code = _ended(process, began), process.returncode
        done, recovered = _outcome(report)
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.strip()]
    passed = code == 0 and done and not recovered
    return Ran(passed, recovered, time.monotonic() - began, "\n".join(lines[-_MOST_LINES:]))


def _outcome(report: Path) -> tuple[bool, bool]:
    """Whether a test ran to its end, and whether one needed recovery, by what the run wrote for
    other programs."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return False, False
    done = any(not {"skipped", "failure", "error"} & {part.tag for part in case} for case in cases)
    names = {part.get("name") for case in cases for part in case.iter("property")}
    return done, "recovered" in names


def _ended(process: subprocess.Popen[bytes], began: float) -> str:
    """All that it printed. It does not outlive the process that waits for it, nor a quarter of an
    hour."""
    while True:
        try:
            return process.communicate(timeout=_TICK_SECONDS)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            if time.monotonic() - began > _SECONDS:
                process.kill()
                said = process.communicate()[0].decode(errors="replace")
                return f"{said}\nit did not end within {_SECONDS / 60:.0f} minutes"
        except BaseException:
            process.terminate()
            raise
