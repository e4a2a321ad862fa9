"""What one command of a kept session costs its client, against an interpreter that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from .processes import ROOT, seconds_of_children
from .table import Table

RUNS = 25
MOST = 3.0  # times the processor of the empty program
_PROCESS = """
import sys
from pytest_replicant.exploring.process.turns import Answer
from pytest_replicant.exploring.process.holding import main

class Screen:
    def handle(self, request):
        return Answer("[k427] Button \\"Add\\"\\n" * 40, ends=request.verb == "close")
    def peek(self, request, busy):
        return None
    def facts(self):
        return {"phone": "virtual", "app": "dev.replicant.shop"}
    def close(self):
        pass

sys.exit(main(sys.argv[1:], lambda name, request: (Screen(), Answer("open"))))
"""
_CLIENT = "import sys; sys.path.insert(0, {!r}); from pytest_replicant.client import main; sys.exit(main())"
_NOTE = (
    "{} pairs of runs in turns; each figure is a median, and a ratio that of the pairs'. The process that keeps "
    "the phone is not counted. Without site, no package's start-up hook is paid for by either side."
)


def measure() -> Table:
    """Milliseconds of the processor, of the user and of the system together."""
    with tempfile.TemporaryDirectory(dir="/tmp" if os.path.isdir("/tmp") else None) as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "TMPDIR": folder, "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
        program = Path(folder, "process.py")
        program.write_text(_PROCESS, encoding="utf-8")
        client = _CLIENT.format(str(ROOT))
        mine = f"import pytest_replicant.exploring.process.starting as its; its.PROGRAM = ({str(program)!r},); "
        opening = client.replace("sys.exit", f"{mine}sys.exit")
        _seconds(environment, "-c", opening, "open")
        try:
            rows = [row for options in ((), ("-S",)) for row in _rows(environment, options, client)]
        finally:
            _seconds(environment, "-c", client, "close")
    return Table(
        "session_client",
        "A command of a kept session",
        "python -m benchmarks session_client",
        ("run", "processor ms", "ratio"),
        tuple(rows),
        _NOTE.format(RUNS),
    )


def _rows(environment: dict[str, str], options: tuple[str, ...], client: str) -> list[tuple[object, ...]]:
    empty, look = (*options, "-c", "pass"), (*options, "-c", client, "look")
    for command in (empty, look):
        _seconds(environment, *command)  # the first run compiles
    pairs = [(_seconds(environment, *empty), _seconds(environment, *look)) for _ in range(RUNS)]
    python = " ".join(("python", *options))
    return [
        (f"{python} -c pass", round(median(pair[0] for pair in pairs) * 1000, 1), 1.0),
        (
            f"replicant look{' without site' if options else ''}",
            round(median(pair[1] for pair in pairs) * 1000, 1),
            median(pair[1] / pair[0] for pair in pairs),
        ),
    ]


def _seconds(environment: dict[str, str], *arguments: str) -> float:
    before = seconds_of_children()
    subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, stdin=subprocess.DEVNULL, env=environment
    )
    return seconds_of_children() - before


if __name__ == "__main__":
    table = measure()
    print(table.markdown())
    sys.exit(any(row[2] > MOST for row in table.rows))
