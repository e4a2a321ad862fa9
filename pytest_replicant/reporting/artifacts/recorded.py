"""An attempt that has just ended, as it is read of its files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...model import Redactor
from ...redaction import masked_record

if TYPE_CHECKING:
    from ...kept import RecordedAttempt
    from ...model import TestTrace


def recorded(trace: TestTrace, redactor: Redactor) -> RecordedAttempt:
    """Redacted."""
    from ...kept import recorded as of_trace  # heavy, and of no use before a phone was used

    screens = {name: replace(one, elements=()) for name, one in trace.snapshots.items()}
    return of_trace(masked_record(replace(trace, attachments=(), screenshots={}, snapshots=screens), redactor))
