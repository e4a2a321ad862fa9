"""``connect(uri)``: a phone in a REPL or a script, without pytest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from .errors import DeviceError
from .pool.open import open_device
from .recovery import builtin
from .session.build import build_session

if TYPE_CHECKING:
    from .session.device_session import DeviceSession


@contextmanager
def connect(uri: str = "virtual", *, timeout: float = 60.0, **session_args: Any) -> Iterator[DeviceSession]:
    """A session on the phone of that URI; ``timeout`` is how many seconds it may take to be ready::

        with connect("virtual") as mobile:
            print(mobile.launch("dev.replicant.shop").snapshot)

    ``session_args`` are ``app``, the fields of ``SessionSettings``, and ``recover`` in place of the built-in
    recovery policies. Raises ``UsageError`` for a wrong URI
    and ``DeviceError`` where the phone cannot be had.
    """
    opened = open_device(uri, timeout=timeout)
    try:
        session, recorder = build_session(opened.driver, **{"recover": builtin, **session_args})
        try:
            yield session
        finally:
            recorder.close()
            with suppress(DeviceError):  # a phone that is gone keeps what was set
                opened.driver.restore_settings()
    finally:
        opened.close()
