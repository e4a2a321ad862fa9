"""Counting what was sent that may have had an effect."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceOffline
from pytest_replicant.drivers.base_driver import Sent, as_one, unsent


def _error(*, never_sent: bool) -> DeviceOffline:
    error = DeviceOffline("gone")
    error.never_sent = never_sent
    return error


class Role:
    def __init__(self) -> None:
        self._link = self
        self.sent = Sent()

    @as_one
    def do(self, *requests: str) -> None:
        """Each is one of: sent, unsent, lost; or a look that fails, which may have left or not."""
        for each in requests:
            if each in ("look lost", "look unsent"):
                raise _error(never_sent=each == "look unsent")
            with self.sent.one():
                if each != "sent":
                    raise _error(never_sent=each == "unsent")


@pytest.mark.parametrize(
    ("requests", "never_sent"),
    [
        (["unsent"], True),
        (["lost"], False),
        (["sent", "unsent"], False),
        (["sent", "lost"], False),
        (["look lost"], True),
        (["look unsent"], True),
        (["sent", "look unsent"], False),
    ],
)
def test_an_error_is_about_all_requests_of_a_verb(requests: list[str], never_sent: bool) -> None:
    role = Role()
    role.do("sent")
    with pytest.raises(DeviceOffline) as raised:
        role.do(*requests)
    assert raised.value.never_sent is never_sent


def test_what_fails_before_a_request_is_an_error_of_one_that_never_left() -> None:
    sent = Sent()
    with pytest.raises(DeviceOffline) as raised, sent.one(), unsent():
        raise _error(never_sent=False)
    assert (raised.value.never_sent, sent.count) == (True, 0)
