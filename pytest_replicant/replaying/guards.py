"""What a replayed test may not do unnoticed: reach the network, and sleep."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_REAL_CONNECT = socket.socket.connect
_REAL_CONNECT_EX = socket.socket.connect_ex


@contextmanager
def guarded(slept: Callable[[float], object], *, network: bool) -> Iterator[None]:
    """While it is entered, a connection over a network raises ``ConnectionRefusedError``, unless ``network``; each
    ``time.sleep`` is real, and ``slept`` is called with its seconds."""
    sleep = time.sleep

    def sleeping(seconds: Any) -> None:
        sleep(seconds)
        slept(float(seconds))  # as asked for: when it was recorded, it took that long at least

    time.sleep = sleeping
    if not network:
        setattr(socket.socket, "connect", _refuse)  # noqa: B010  # it is no method of ours
        setattr(socket.socket, "connect_ex", _refuse)  # noqa: B010
    try:
        yield
    finally:
        time.sleep = sleep
        setattr(socket.socket, "connect", _REAL_CONNECT)  # noqa: B010
        setattr(socket.socket, "connect_ex", _REAL_CONNECT_EX)  # noqa: B010


def _refuse(self: socket.socket, address: Any, /) -> Any:
    if self.family not in (socket.AF_INET, socket.AF_INET6):
        return _REAL_CONNECT(self, address)
    place = ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
    raise ConnectionRefusedError(
        f"a replayed test has no network, and this connects to {place}: the answer may be another one than when "
        "it was recorded. Next: let the fixture that asks for it be one of recorded data (@recorded, or "
        "mobile.recorded(name, make)), or allow it: replicant replay --allow-network"
    )
