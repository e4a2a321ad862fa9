"""How deep a hierarchy is read: less deep where the phone refuses, deeper again where that may show
more."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import base_driver as depth
from pytest_replicant.errors import ProtocolError
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import ManualClock

LEVELS = (121, 61, 41)


def nested(levels: int, name: str = "XCUIElementTypeOther") -> bytes:
    inner = f'<{name} bounds="[0,0][9,9]" text="&lt;/{name}&gt;"/>'
    for _ in range(levels - 1):
        inner = f'<{name} bounds="[0,0][9,9]">{inner}<{name} bounds="[0,0][9,9]"/></{name}>'
    return f"<?xml version='1.0'?>\n{inner}".encode()


class Phone:
    """Refuses ``deepest`` levels and more of a screen that has ``levels``."""

    def __init__(self, levels: int, deepest: int) -> None:
        self.levels, self.deepest = levels, deepest
        self.asked: list[int] = []
        self.clock = ManualClock()
        self.depths = depth.Depths(
            LEVELS, self.clock, self.ask, lambda error: "StackOverflow" in str(error)
        )
        self.said = "java.lang.StackOverflowError: stack size 1039KB"

    def ask(self, levels: int) -> bytes:
        self.asked.append(levels)
        if min(levels, self.levels) > self.deepest:
            raise ProtocolError(self.said)
        return nested(min(levels, self.levels), "node")

    def read(self) -> tuple[int, list[int]]:
        """Where the screen is cut, and what was asked for."""
        self.asked = []
        source = self.depths.read()
        return Snapshot.parse(source, "android").cut, self.asked


def test_a_screen_that_the_phone_gives_is_read_at_once() -> None:
    phone = Phone(levels=70, deepest=500)
    assert phone.read() == (0, [121])
    phone.levels = 300
    assert phone.read() == (121, [121])


def test_what_is_refused_is_read_less_deep_and_is_cut() -> None:
    phone = Phone(levels=100, deepest=70)
    assert phone.read() == (61, [121, 61])
    phone.deepest = 50
    assert phone.read() == (41, [61, 41])


def test_what_worked_is_asked_for_first_and_all_of_it_again_later() -> None:
    phone = Phone(levels=100, deepest=70)
    phone.read()
    assert [phone.read() for _ in range(3)] == [(61, [61])] * 3
    phone.clock.advance(depth.RETRY_SECONDS)
    assert phone.read() == (61, [121, 61])
    phone.levels = 30
    phone.clock.advance(depth.RETRY_SECONDS)
    assert phone.read() == (0, [121])


def test_a_phone_that_refuses_every_depth_has_no_screen() -> None:
    phone = Phone(levels=100, deepest=10)
    with pytest.raises(ProtocolError, match="StackOverflowError"):
        phone.read()
    assert phone.asked == list(LEVELS)


def test_any_other_error_is_not_asked_again() -> None:
    phone = Phone(levels=100, deepest=10)
    phone.said = "java.lang.NullPointerException"
    with pytest.raises(ProtocolError, match="NullPointer"):
        phone.read()
    assert phone.asked == [121]


@pytest.mark.parametrize(
    "head", [b"", b'<?xml version="1.0"?>', b"<?xml version='1.0' standalone='yes' ?>\r\n"]
)
def test_the_limit_stands_before_the_hierarchy(head: bytes) -> None:
    node = b'<node class="android.view.View" package="a" bounds="[0,0][9,9]"/>'
    source = depth.limited(head + b'<hierarchy rotation="0">' + node + b"</hierarchy>", 1)
    assert Snapshot.parse(source).cut == 1
