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


def test_what_worked_is_asked_for_first() -> None:
    phone = Phone(levels=100, deepest=70)
    phone.read()
    phone.clock.advance(60)
    assert [phone.read() for _ in range(3)] == [(61, [61])] * 3, (
        "the same screen would be refused again"
    )


def test_fewer_levels_are_enough_for_a_screen_that_ends_before() -> None:
    phone = Phone(levels=100, deepest=70)
    phone.read()
    phone.levels = 30
    assert phone.read() == (0, [61])


def test_another_screen_that_goes_on_is_read_deeper_again() -> None:
    phone = Phone(levels=100, deepest=50)
    assert phone.read() == (41, [121, 61, 41])
    phone.levels, phone.deepest = 90, 500
    assert phone.read() == (41, [41]), "as far as it shows, it is the screen that was refused"
    phone.levels = 41
    phone.depths._refused = b"another one"
    assert phone.read() == (41, [41]), "only a moment ago it was refused"
    phone.clock.advance(depth.RETRY_SECONDS)
    assert phone.read() == (0, [41, 121])
    assert phone.read() == (0, [121])


def test_one_that_is_refused_again_stays_as_it_was_read() -> None:
    phone = Phone(levels=100, deepest=70)
    phone.read()
    phone.clock.advance(depth.RETRY_SECONDS)
    phone.depths._refused = b"another one"
    assert phone.read() == (61, [61, 121])
    phone.clock.advance(depth.RETRY_SECONDS)
    assert phone.read() == (61, [61])


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


@pytest.mark.parametrize("name", ["XCUIElementTypeOther", "node"])
@pytest.mark.parametrize("levels", [1, 2, 50, 62, 400])
def test_levels_are_elements_within_elements(levels: int, name: str) -> None:
    assert depth.levels_of(nested(levels, name)) == levels


def test_what_lies_around_does_not_count() -> None:
    assert depth.levels_of(b"<AppiumAUT>" + nested(3).partition(b"\n")[2] + b"</AppiumAUT>") == 3
    assert depth.levels_of(b'<hierarchy rotation="0"><node><node/></node></hierarchy>') == 2


def test_of_damaged_xml_it_is_as_far_as_it_can_be_read() -> None:
    assert 0 < depth.levels_of(nested(50)[:600]) < 50
    assert depth.levels_of(b"no xml") == 0


@pytest.mark.parametrize(
    "head", [b"", b'<?xml version="1.0"?>', b"<?xml version='1.0' standalone='yes' ?>\r\n"]
)
def test_the_limit_stands_before_the_hierarchy(head: bytes) -> None:
    node = b'<node class="android.view.View" package="a" bounds="[0,0][9,9]"/>'
    source = depth.limited(head + b'<hierarchy rotation="0">' + node + b"</hierarchy>", 1)
    assert Snapshot.parse(source).cut == 1
