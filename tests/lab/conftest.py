"""One warm phone a worker, on a clock of its own; each visit begins as if the lab had just been installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant.session.device_session import DeviceSession

from .exhibits_shown import Visit
from .lab_phone import LabPhone, lab_phone


class WarmPhone:
    """A phone that is kept from test to test, until something died or hung on it, which a phone remembers."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._phone: LabPhone | None = None

    def take(self) -> LabPhone:
        if self._phone is None or self._phone.is_spoilt:
            self.close()
            self._phone = self._open.enter_context(lab_phone())
        self._phone.reset()
        return self._phone

    def close(self) -> None:
        self._open.close()
        self._phone = None


@pytest.fixture(scope="session")
def warm_phone() -> Iterator[WarmPhone]:
    warm = WarmPhone()
    yield warm
    warm.close()


@pytest.fixture
def lab(warm_phone: WarmPhone) -> LabPhone:
    """The phone itself, which knows what really happened."""
    return warm_phone.take()


@pytest.fixture
def visit(lab: LabPhone) -> Iterator[Visit]:
    """``visit("late-content?delay=300", **settings)``: a session that is at that exhibit."""
    with ExitStack() as stack:

        def make(link: str, **settings: Any) -> DeviceSession:
            session = stack.enter_context(lab.session(**settings))
            session.open_url(f"lab://{link}")
            return session

        yield make
