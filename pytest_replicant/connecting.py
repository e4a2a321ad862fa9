"""``connect(uri)``: a phone in a REPL or a script, without pytest."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .drivers import phone_name
from .errors import (
    UNANSWERED,
    DeviceError,
    ExpectationFailed,
    ReplicantError,
    SoftFailures,
    raise_together,
    skips,
)
from .model import public
from .pool import open_device
from .recovery import builtin
from .session import (
    DeviceSession,
    Recorder,
    build_session,
    checked_seconds,
    unexplained_crash,
)


@public
@contextmanager
def connect(
    uri: str = "virtual", *, timeout: float = 60.0, **session_args: Any
) -> Iterator[DeviceSession]:
    """A session on the phone of that URI; ``timeout`` is how many seconds it may take to be ready::

        with connect("virtual") as mobile:
            print(mobile.launch("dev.replicant.shop").snapshot)

    ``session_args`` are ``app``, the fields of ``SessionSettings``, and ``recover`` in place of the
    built-in recovery policies. Raises ``UsageError`` for a wrong URI and ``DeviceError`` where the
    phone cannot be had; at its end the soft checks that failed, and that an app died of it (not
    with ``allow={"crash"}``): in place of a skip, and along with any other error.
    """
    seconds = checked_seconds("connect", timeout, 60.0)
    opened = open_device(uri, timeout=seconds, clock=session_args.get("clock"))
    try:
        if trouble := opened.use_settings(("awake", "dialogs")):
            warnings.warn(f"{phone_name(opened.driver)}: {trouble}", stacklevel=3)
        session, recorder = build_session(opened.driver, **{"recover": builtin, **session_args})
        try:
            yield session
            raise_together(_failures(session, recorder))
        except skips():  # what failed before outranks it
            raise_together(_failures(session, recorder))
            raise
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # pytest.fail() as well
            _note(error, session, recorder)
            raise
        finally:
            recorder.close()
            session._context.end("the block of its connect() is over")
            with suppress(DeviceError):  # a phone that is gone keeps what was set
                opened.driver.restore_settings()
    finally:
        opened.close()


def _failures(session: DeviceSession, recorder: Recorder) -> list[ExpectationFailed]:
    """What fails the block at its end: soft checks, and an app that died. Raises ``DeviceError`` if
    that is not known."""
    failures = [*recorder.soft_failures]
    if death := unexplained_crash(session):
        failures.append(ExpectationFailed(death.message))
    return failures


def _note(error: BaseException, session: DeviceSession, recorder: Recorder) -> None:
    """Adds to an error what failed before it, as notes, which Python 3.10 lacks: soft checks, and
    the death that may be its reason."""
    if sys.version_info < (3, 11) or isinstance(error, SoftFailures):
        return
    for one in recorder.soft_failures:
        if one is not error:
            error.add_note(f"soft check that failed before: {one}")
    if isinstance(error, (ReplicantError, ExpectationFailed)):  # which says itself that an app died
        return
    with suppress(*UNANSWERED):  # a phone in trouble has its own news
        if death := unexplained_crash(session):
            error.add_note(f"an app died before: {death.message}")
