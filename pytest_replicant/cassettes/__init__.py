"""Cassettes: what phones showed and were sent during a test, recorded where a session asks its
driver, and replayed to the test's present code with no phone."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .driver import CassetteDriver, described
    from .files import REPLAYED, Archive, Folder, Stored, read_cassette, unpacked
    from .player import HiddenTexts, Replay
    from .recording import Recording, blobs_in, renumbered
    from .redacting import Hiding, Redacted, Redacting, archive_of, blob_name
    from .tape import (
        FILE_NAME,
        HIDDEN_TEXT,
        LITERAL,
        PHASE,
        STEP,
        TICKS,
        TYPES_TEXT,
        Cassette,
        Entry,
        Header,
        HeldState,
        RecordedFailure,
        RecordedPhone,
        TakenOver,
        between,
        cassette_json,
        cassette_schema,
        digest_of,
        plain_args,
        stand_in,
        with_stand_ins,
    )
    from .timeline import Parting, TapedStep, Totals, first_parting, sent_call, steps_of
    from .values import as_data, as_failure, failure_of, is_recorded, made_and_kept, of_data

__getattr__, __dir__ = lazy_names(__name__)
