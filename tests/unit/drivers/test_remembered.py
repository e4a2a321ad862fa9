"""What was said last holds until something else is said."""

from __future__ import annotations

from pytest_replicant.drivers.changes import Remembered


class Talk:
    calls = 0


def test_it_is_taken_once() -> None:
    remembered: Remembered[str] = Remembered(Talk())
    assert remembered.take() is None
    remembered.keep("field")
    assert remembered.take() == "field"
    assert remembered.take() is None


def test_whatever_is_said_meanwhile_ends_it() -> None:
    talk = Talk()
    remembered: Remembered[str] = Remembered(talk)
    remembered.keep("field")
    talk.calls += 1
    assert remembered.take() is None
