"""The session of a test: its actions, reads and checks, and the flow of one step.

``device_session`` is the object that a test holds. Its ``actions`` build a ``Step``, and
``perform`` runs it: resolve the target (``actionability``, ``reachability``), send the gestures
(``execute``), ``stabilize`` until two reads agree, verify the action's own ``postconditions``.
Where a stage fails, ``recover`` asks the policies, which see a ``RecoveryContext``, and retries
within the budget; nothing that may have taken effect is sent twice. An ``Expectation`` comes back,
with its ``checks``. A ``locator`` is a target that has these calls. ``queries`` are the reads,
``recording`` the trace, ``device_log`` the log lines and crashes of a test.
"""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .actions.device import Pulled
    from .actions.gestures import Collected, Shot
    from .arguments import Target, as_selector, as_target, checked_seconds
    from .checks.check import Check
    from .checks.screens import CustomCheck, check
    from .device_log.evidence import Death, keep_log, late_crash, unexplained_crash
    from .device_session import (
        DeviceSession,
        Mobile,
        Proof,
        ScopedSession,
        build_session,
        came_back,
        check_of,
        note_dead_apps,
        why_not_proven,
    )
    from .drawn import DrawnElement, Source, by_image
    from .expectation import Expectation, Scrolled, Seen
    from .guard import Guard
    from .locator import Locator
    from .other_names import HERE
    from .prompts import permission_prompt
    from .queries import RecoveryContext
    from .recording.screens import Keeping
    from .recording.secret_fields import painted
    from .recording.trace import Recorder
    from .recover import forbidden, invalid
    from .settings import SecondsLeft, SessionSettings
    from .step import BaselineFiles, BaselineKind

__getattr__, __dir__ = lazy_names(__name__)
