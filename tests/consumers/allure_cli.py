"""Allure's own command line program, from npm."""

from __future__ import annotations

import functools
import http.server
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .npm import package

VERSION = "3.18.0"


def installed() -> tuple[Path | None, str]:
    """The program, or None and the reason."""
    folder, reason = package("allure", VERSION)
    return (folder / "node_modules" / ".bin" / "allure" if folder is not None else None), reason


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
