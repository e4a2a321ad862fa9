"""The facts of a failure on an iPhone: screens in points, alerts in the place of the app, and no
log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_replicant.reporting import cause_of_trace, parsed
from pytest_replicant.reporting import raised as raised_error
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice
from tests.unit.session.on_phone import lab_on, lab_phone

from ..factory import facts


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with lab_phone("ios") as opened:
        yield opened


def failed(mobile: DeviceSession, act: Callable[[], object]) -> Any:
    with pytest.raises(Exception) as raised:  # noqa: PT011  # whatever fails a test
        act()
    trace = mobile._context.recorder.finish(facts("failed"), (raised_error(raised.value, "call"),))
    found = cause_of_trace(trace)
    assert found is not None
    return found


def test_a_screen_is_read_again_in_the_pixels_it_was_read_in(phone: VirtualDevice) -> None:
    with lab_on(phone, "side-scroller") as mobile:
        was = mobile.snapshot()
        record = mobile._context.recorder.finish(facts()).snapshots[was.id]
        now = parsed(record)
        assert record.scale == now.scale == 3.0
        assert [(one.label, one.bounds) for one in now.elements] == [
            (one.label, one.bounds) for one in was.elements
        ]
        assert now.outline() == was.outline()
        assert "(8 offscreen)" in now.outline()


def test_what_the_system_hides_is_covered_and_not_still_there(phone: VirtualDevice) -> None:
    with lab_on(phone, "system-notice?delay=1") as mobile:
        mobile.wait_for(text="Battery low")
        cause = failed(mobile, lambda: mobile.expect_gone(text="Tap", timeout=0.1))
        assert (cause.trouble, cause.blocker) == ("covered", 'system dialog "Battery low"')
        mobile.tap(text="OK")
