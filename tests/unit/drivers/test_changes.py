"""What was changed is put back once, last first, and again where it could not be."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.changes import Changes
from pytest_replicant.errors import DeviceOffline, UsageError


def test_the_first_of_each_is_put_back_and_the_last_change_first() -> None:
    done: list[str] = []
    changes = Changes()
    changes.remember("rotation", lambda: done.append("portrait"))
    changes.remember("camera", lambda: done.append("no camera"))
    changes.remember("rotation", lambda: done.append("landscape"))
    changes.undo()
    assert done == ["no camera", "portrait"]


def test_once_is_enough() -> None:
    done: list[str] = []
    changes = Changes()
    changes.remember("rotation", lambda: done.append("portrait"))
    changes.undo()
    changes.undo()
    assert done == ["portrait"]


def test_after_it_was_put_back_the_next_change_counts_again() -> None:
    done: list[str] = []
    changes = Changes()
    for name in ("first", "second"):
        changes.remember("rotation", lambda name=name: done.append(name))  # type: ignore[misc]
        changes.undo()
    assert done == ["first", "second"]


def test_what_fails_does_not_keep_the_others_and_is_tried_again() -> None:
    done: list[str] = []
    offline = [True]

    def stubborn() -> None:
        if offline[0]:
            raise DeviceOffline("gone", device="R5CT")
        done.append("stubborn")

    changes = Changes()
    changes.remember("willing", lambda: done.append("willing"))
    changes.remember("stubborn", stubborn)
    with pytest.raises(DeviceOffline):
        changes.undo()
    assert done == ["willing"]
    offline[0] = False
    changes.undo()
    assert done == ["willing", "stubborn"]


def test_what_is_not_there_any_more_needs_nothing() -> None:
    def gone() -> None:
        raise UsageError("not installed")

    changes = Changes()
    changes.remember("camera", gone)
    changes.undo()
