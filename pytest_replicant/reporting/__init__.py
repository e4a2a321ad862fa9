"""The reports of attempts and of runs: traces on disk, pages, the terminal, and other tools' reports."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..kept import RunRecord, RunRow
    from .accessibility import accessibility_schema
    from .known_flaky import read_known_flaky
    from .pages.index_page import RunFiles
    from .trace_files import TraceFiles

__getattr__, __dir__ = lazy_names(__name__)
