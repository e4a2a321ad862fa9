"""Pages of made traces on disk."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from pytest_replicant.model import Redactor
from pytest_replicant.reporting import TraceFiles, with_files, write_run, write_trace

from ..factory import row_of
from ..made_rows import run

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_replicant.model import TestTrace


def page_of(trace: TestTrace, output: Path, divergence: dict[str, Any] | None = None) -> Path:
    """The page of one trace, before its run has ended."""
    return _page(write_trace(trace, output, "run", Redactor(), divergence))


def pages_of(output: Path, *traces: TestTrace) -> list[Path]:
    """The pages of a whole run; its index is ``run/index.html``."""
    files = [write_trace(trace, output, "run", Redactor()) for trace in traces]
    rows = [
        with_files(row_of(trace), own, output / "run", Redactor())
        for trace, own in zip(traces, files, strict=True)
    ]
    assert not write_run(run(*rows), output).warnings
    return [_page(each) for each in files]


def _page(files: TraceFiles) -> Path:
    assert files.trace_html is not None
    return files.trace_html


def policy_of(page: str) -> dict[str, list[str]]:
    """The rules of its Content-Security-Policy."""
    rules = page.partition('Policy" content="')[2].partition('"')[0].split("; ")
    return {name: values for name, *values in map(str.split, rules)}


def hash_of(text: str) -> str:
    """How a policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
