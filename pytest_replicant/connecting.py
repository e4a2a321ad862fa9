"""``connect(uri)``: a phone in a REPL or a script, without pytest."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from .errors import DeviceError, ExpectationFailed, SoftFailures, raise_together
from .pool import open_device
from .recovery import builtin
from .session import DeviceSession, build_session, checked_seconds, end_session, unexplained_crash


@contextmanager
def connect(uri: str = "virtual", *, timeout: float = 60.0, **session_args: Any) -> Iterator[DeviceSession]:
    """A session on the phone of that URI; ``timeout`` is how many seconds it may take to be ready::

        with connect("virtual") as mobile:
            print(mobile.launch("dev.replicant.shop").snapshot)

    ``session_args`` are ``app``, the fields of ``SessionSettings``, and ``recover`` in place of the built-in
    recovery policies. Raises ``UsageError`` for a wrong URI and ``DeviceError`` where the phone cannot be had; at
    its end the soft checks that failed, along with any other error, or that an app died of it (not with
    ``allow={"crash"}``).
    """
    seconds = checked_seconds("connect", timeout, 60.0)
    opened = open_device(uri, timeout=seconds, clock=session_args.get("clock"))
    try:
        if trouble := opened.use_settings(("awake", "dialogs")):
            warnings.warn(f"{opened.uri}: {trouble}", stacklevel=3)
        session, recorder = build_session(opened.driver, **{"recover": builtin, **session_args})
        try:
            yield session
            death = unexplained_crash(session)
            died = [ExpectationFailed(death.message)] if death is not None else []
            raise_together([*recorder.soft_failures, *died])
        except Exception as error:
            _note_soft(error, [one for one in recorder.soft_failures if one is not error])
            raise
        finally:
            recorder.close()
            end_session(session, "the block of its connect() is over")
            with suppress(DeviceError):  # a phone that is gone keeps what was set
                opened.driver.restore_settings()
    finally:
        opened.close()


def _note_soft(error: Exception, failures: Sequence[ExpectationFailed]) -> None:
    """Adds the soft checks that failed before another error to it as notes, which Python 3.10 lacks."""
    if sys.version_info >= (3, 11) and not isinstance(error, SoftFailures):
        for one in failures:
            error.add_note(f"soft check that failed before: {one}")
