"""What other report plugins are given of a test: one class for each, told the same things at the same moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from ..model import Redactor, TestTrace
    from .trace_files import TraceFiles
    from .triage.run_record import RunRow


@dataclass(frozen=True)
class Published:
    """What one session of an attempt left behind. ``files`` is None where nothing was written. ``again`` says
    that it was told of before in this attempt, with less in it."""

    trace: TestTrace
    files: TraceFiles | None
    row: RunRow
    redactor: Redactor
    again: bool = False


class Consumer:
    """All in the process that runs the tests. Whoever wants to know no more of a moment leaves its method out."""

    def begin(self, item: pytest.Item) -> None:
        """An attempt begins."""

    def settle(self, error: BaseException | None) -> None:
        """The first phase that broke, or one before it, ended with this."""

    def take(self, item: pytest.Item, report: pytest.TestReport, published: Sequence[Published]) -> None:
        """The traces of the attempt were written, as ``report`` was made."""

    def end(self, report: pytest.TestReport) -> None:
        """The teardown is reported: nothing more will come of the attempt."""
