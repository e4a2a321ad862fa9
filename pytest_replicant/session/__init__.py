"""What a test holds, and how one of its steps is done.

From the top: ``device_session`` is what the test holds; ``actions`` build a step and ``perform`` does it, asking
``recover`` where it failed and ``idempotence`` before anything is sent twice; ``expectation`` is what comes back,
with its ``checks``. Below these, a room for each stage: ``aiming`` at an element, ``execute`` (what is sent),
``stabilize`` (reading until reads agree), ``promises`` (an action's own postcondition), ``device_log`` (its lines,
and crashes), ``recording`` (the trace), and ``scopes`` (what holds for a part of a test)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .arguments import Target, as_selector, as_target, checked_seconds
    from .device_log.crashes import unexplained_crash
    from .device_log.lines import keep_log
    from .device_session import DeviceSession, Mobile, build_session, launched_apps
    from .expectation import Expectation
    from .recording.trace import Recorder
    from .recovery_context import RecoveryContext
    from .settings import SessionSettings

__getattr__ = lazy_names(
    __name__,
    {
        "device_log.crashes": "unexplained_crash",
        "device_log.lines": "keep_log",
        "arguments": "Target as_selector as_target checked_seconds",
        "device_session": "DeviceSession Mobile build_session launched_apps",
        "expectation": "Expectation",
        "recording.trace": "Recorder",
        "recovery_context": "RecoveryContext",
        "settings": "SessionSettings",
    },
)
