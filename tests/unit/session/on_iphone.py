"""A session on the virtual iPhone, with the lab in front: for what differs from Android by the platform itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, build_session

from .on_phone import QUICK

LAB = "dev.replicant.lab"


@contextmanager
def iphone() -> Iterator[OpenDevice]:
    with open_device("virtual:ios?latency=0") as opened:
        yield opened


@contextmanager
def lab_on(opened: OpenDevice, exhibit: str = "", **settings: Any) -> Iterator[DeviceSession]:
    """A new session, with one of the lab's exhibits in front, or its list; the lab has forgotten all before."""
    assert opened.phone is not None
    opened.phone.clear_app(LAB)
    session, recorder = build_session(opened.driver, recover=builtin, **{**QUICK, **settings})
    try:
        if exhibit:
            session.open_url(f"lab://{exhibit}", LAB)
        else:
            session.launch(LAB)
        yield session
    finally:
        recorder.close()
