"""Cassettes: what phones showed and were sent during a test, recorded where a session asks its driver, and
replayed to the test's present code with no phone."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .driver import CassetteDriver
    from .files import REPLAYED, Files, Stored, report_at, stored_in
    from .player import Replay
    from .recording import Recording, blobs_in
    from .tape import (
        CASSETTE_SCHEMA,
        FILE_NAME,
        HIDDEN_TEXT,
        LITERAL,
        PHASE,
        STEP,
        Cassette,
        Entry,
        Header,
        HeldState,
        RecordedFailure,
        RecordedPhone,
        TakenOver,
        cassette_json,
        digest_of,
    )
    from .values import as_data, of_data

__getattr__, __dir__ = lazy_names(__name__)
