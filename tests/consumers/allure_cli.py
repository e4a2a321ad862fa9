"""Allure's own command line program, from npm, in a folder of this project that git ignores."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "3.18.0"
FOLDER = Path(__file__).parents[2] / ".allure-cli"

NPM = shutil.which("npm")


def installed() -> Path | None:
    """The program; None where it is not there and npm cannot bring it."""
    program = FOLDER / VERSION / "node_modules" / ".bin" / "allure"
    if program.exists():
        return program
    if NPM is None:
        return None
    (FOLDER / VERSION).mkdir(parents=True, exist_ok=True)
    told = ("--no-audit", "--no-fund", "--ignore-scripts")
    subprocess.run(
        [NPM, "install", *told, "--prefix", str(FOLDER / VERSION), f"allure@{VERSION}"],
        capture_output=True,
        timeout=240,
        check=False,
    )
    return program if program.exists() else None


def generate(program: Path, results: Path, report: Path, *options: str) -> None:
    command = [str(program), "generate", str(results), "--output", str(report), *options]
    subprocess.run(command, cwd=results.parent, capture_output=True, timeout=120, check=True)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a report, which reads its data over HTTP."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/index.html"
        finally:
            server.shutdown()
            thread.join()
