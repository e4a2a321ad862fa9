"""A run that is going on: which test runs where and when, the phones that it holds and what was
made ready for them, its tapes, the state between its hooks, and how it ends."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .ending import end_in_order
    from .held_phone import IS_STATE, HeldPhone, HeldPhones, asked_states, held_phones
    from .provisioning.pools import (
        PhonePreparation,
        check_reset,
        note_resources,
        phones_of,
        reset_phone,
        resources_of,
        run_command,
    )
    from .provisioning.run_setup import RunSetup, app_line, serve_phones
    from .scheduling.between_tests import REQUEUED, LeaseHandover, LossWatch, Requeue
    from .scheduling.selection import (
        WIDER_SCOPES,
        Matrix,
        acquire_for_test,
        acquire_further,
        requirements_of,
        workers_for,
    )
    from .scheduling.sharding import SHARD, Sharding
    from .stash import (
        APP,
        ASKED,
        BASELINES,
        BUILT,
        EARLIER_ATTEMPTS,
        GROUPS,
        LOSS,
        OPTIONS,
        PAUSE,
        PICTURE_TAKEN,
        POOL,
        REPLAY,
        REPLAYED_PHONES,
        REPLAYED_RESOURCES,
        RESOURCES_OF_TEST,
        RUN_ID,
        SECRETS,
        SESSIONS,
        TAPE,
        TRACE_PAGE,
        TestSession,
        attempt_number,
    )
    from .tapes import (
        Segment,
        Tapes,
        broken_fixtures,
        chosen,
        fixture_key,
        new_tape,
        no_part_of_the_test,
        place_on,
        recorded,
        replay_of,
        session_settings,
        source_digest,
        tape_of,
        tapes_of,
    )

__getattr__, __dir__ = lazy_names(__name__)
