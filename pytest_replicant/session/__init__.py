"""What a test holds, and how one of its steps is done.

From the top: ``device_session`` is what the test holds; ``actions`` build a step and ``perform`` does it, asking
``recover`` where it failed and ``guard`` before anything is sent twice; ``expectation`` is what comes back, and
``checks`` judge ``claims``. Below these, a room for each stage: ``aiming`` at an element, ``execute`` (what is
sent), ``settling`` (reading until reads agree), ``promises`` (what an action answers for itself), ``aftermath``
(what the log knows of it), ``recording`` (the trace), and ``scopes`` (what holds for a part of a test)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .aftermath.crash_watch import unexplained_crash
    from .aftermath.kept_log import keep_log
    from .aiming.targets import as_selector, as_target, checked_seconds
    from .build import build_session
    from .device_session import DeviceSession
    from .expectation import Expectation
    from .recording.trace import Recorder
    from .settings import SessionSettings
    from .step import Target

__getattr__ = lazy_names(
    __name__,
    {
        "aftermath.crash_watch": "unexplained_crash",
        "aftermath.kept_log": "keep_log",
        "aiming.targets": "as_selector as_target checked_seconds",
        "build": "build_session",
        "device_session": "DeviceSession",
        "expectation": "Expectation",
        "recording.trace": "Recorder",
        "settings": "SessionSettings",
        "step": "Target",
    },
)
