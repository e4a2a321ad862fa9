"""A session on a scripted phone, on a clock that moves only when somebody waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant.model import ManualClock
from pytest_replicant.session import DeviceSession, build_session

from .kit_phone import Build, KitPhone
from .logging_phone import LoggingPhone
from .scripted_phone import APP, ScriptedPhone, button, screen

Kit = Callable[..., "tuple[DeviceSession, KitPhone]"]
Logged = Callable[..., "tuple[DeviceSession, LoggingPhone]"]
Play = Callable[..., "tuple[DeviceSession, ScriptedPhone]"]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def play(clock: ManualClock) -> Iterator[Play]:
    """``play([frames], dump_seconds=0.05, on_gesture=None, **settings)``: a session and its
    phone."""
    with ExitStack() as stack:

        def make(
            frames: Sequence[bytes | Exception],
            *,
            dump_seconds: float = 0.05,
            on_gesture: Any = None,
            **settings: Any,
        ) -> tuple[DeviceSession, ScriptedPhone]:
            phone = ScriptedPhone(clock, frames, dump_seconds=dump_seconds, on_gesture=on_gesture)
            session, recorder = build_session(phone, clock=clock, screenshots=False, **settings)
            stack.callback(recorder.close)
            return session, phone

        yield make


@pytest.fixture
def kit(clock: ManualClock) -> Iterator[Kit]:
    """``kit(build, recover=None, **values)``: a session on a virtual phone whose app is one screen
    of widgets."""
    with ExitStack() as stack:

        def make(
            build: Build, *, recover: Any = None, kind: type[KitPhone] = KitPhone, **values: Any
        ) -> tuple[DeviceSession, KitPhone]:
            phone = kind(clock, build, **values)
            session, recorder = build_session(
                phone, clock=clock, screenshots=False, quiet=0.0, recover=recover
            )
            stack.callback(recorder.close)
            return session, phone

        yield make


@pytest.fixture
def logged(clock: ManualClock) -> Iterator[Logged]:
    """``logged(on_gesture=None, kind=LoggingPhone, app=APP, **settings)``: a session on a phone
    that logs."""
    with ExitStack() as stack:

        def make(
            on_gesture: Any = None, *, kind: type[LoggingPhone] = LoggingPhone, **settings: Any
        ) -> tuple[DeviceSession, LoggingPhone]:
            phone = kind(clock, [screen(button("Go"), title="Home")], on_gesture=on_gesture)
            session, recorder = build_session(
                phone, clock=clock, screenshots=False, **{"app": APP, **settings}
            )
            stack.callback(recorder.close)
            return session, phone

        yield make
