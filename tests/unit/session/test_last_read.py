"""The last read before a gesture is of this moment, and what was asked for once is sent once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, by
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import Button, Column, EditText, RunningApp, Screen, Widget

from .on_phone import QUICK, trial

Pair = RunningApp[dict[str, Any]]
OPENED: list[Pair] = []


class Swapping(Screen[dict[str, Any]]):
    """Two of each kind, of which a test can let the app exchange the places."""

    title = "Pair"

    def opened(self, app: Pair) -> None:
        OPENED[:] = [app]

    def build(self, app: Pair) -> Widget:
        state = app.state

        def hit(name: str) -> Callable[[], None]:
            return lambda: state.update(hits=[*state.get("hits", ()), name])

        def typed(name: str) -> Callable[[str], None]:
            return lambda text: state.update({name: text})

        def pair(name: str) -> list[Widget]:
            return [
                Button(
                    f"{name} it", id=name, on_click=hit(name), on_long_click=hit(f"long {name}")
                ),
                EditText(
                    f"{name} text",
                    id=f"{name}_text",
                    text=state.get(name, ""),
                    on_change=typed(name),
                ),
            ]

        kept, deleted = pair("keep"), pair("delete")
        rows = (
            zip(deleted, kept, strict=True)
            if state.get("swapped")
            else zip(kept, deleted, strict=True)
        )
        return Column([widget for row in rows for widget in row])


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with virtual_session(trial(Swapping), platform=request.param, **QUICK) as session:
        yield session


GESTURES: dict[str, Callable[[DeviceSession, Any], object]] = {
    "tap": lambda on, target: on.tap(target("keep")),
    "long press": lambda on, target: on.long_press(target("keep")),
    "double tap": lambda on, target: on.double_tap(target("keep")),
    "fill": lambda on, target: on.fill(target("keep_text"), value="mine"),
}


@pytest.mark.parametrize("gesture", GESTURES)
@pytest.mark.parametrize("by_ref", [False, True], ids=["selector", "ref"])
def test_a_layout_that_changed_since_the_last_read_is_seen(
    mobile: DeviceSession, gesture: str, by_ref: bool
) -> None:
    """Two buttons exchange their places a moment after the screen was read: the finger goes to
    where it is now."""
    screen = mobile.snapshot()
    (app,) = OPENED
    app.state.update(swapped=True)
    app.changed()
    mobile._context.clock.sleep(0.2)
    name = (lambda id: screen.ref(resource_id=id)) if by_ref else (lambda id: by(resource_id=id))
    GESTURES[gesture](mobile, name)
    touched = {key: value for key, value in app.state.items() if key != "swapped"}
    assert "delete" not in repr(touched), touched
    assert "keep" in repr(touched) or touched == {"keep": "mine"}


def test_an_action_that_follows_at_once_costs_no_further_read(mobile: DeviceSession) -> None:
    mobile.snapshot()
    before = mobile._context.observer.history._reads
    mobile.tap(text="keep it", silent=True)
    assert mobile._context.observer.history._reads == before
    mobile.snapshot()
    before = mobile._context.observer.history._reads
    mobile._context.clock.sleep(0.2)
    mobile.tap(text="keep it", silent=True)
    assert mobile._context.observer.history._reads == before + 1  # one more, not two
