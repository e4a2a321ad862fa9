"""Shots: pictures that a test acts on, and that nothing is touched by where the screen shows
something else."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image as pillow

from pytest_replicant import ActionFailed, ProtocolError, Secret, UsageError, by_image
from pytest_replicant.drivers import Platform
from pytest_replicant.testing import virtual_device
from pytest_replicant.testing.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Image,
    Row,
    Screen,
    Space,
    Text,
    Widget,
)

from .on_phone import PACKAGE, QUICK, Page, session_on, trial

RUNNING: list[Page] = []
"""The apps that were started, the newest last."""


class Board(Screen[dict[str, Any]]):
    """Two buttons, a picture that no hierarchy names, a field; and whatever ``happens`` some time
    later."""

    title = "Board"
    happens = ""

    def opened(self, app: Page) -> None:
        RUNNING.append(app)
        app.state.update(taps="", picture="mug", label="Left", shift=0)

    def build(self, app: Page) -> Widget:
        state = app.state
        left = Button(
            state.get("label", "Left"),
            id="left",
            width=150,
            on_click=lambda: self.tapped(app, "left"),
        )
        right = Button("Right", id="right", width=150, on_click=lambda: self.tapped(app, "right"))
        return Column(
            [
                Space(height=state.get("shift", 0)),
                Row([left, right]),
                Image(picture=state.get("picture", "mug"), width=120, height=120),
                EditText(id="note", hint="Note"),
                Text(f"Tapped {state.get('taps', '')}", id="taps"),
            ],
            height="fill",
        )

    def tapped(self, app: Page, which: str) -> None:
        app.state["taps"] = which


def change(mobile: Any, **values: Any) -> None:
    """The app itself changes, at some time after the shot."""
    phone = mobile._context.driver.phone_of_test
    phone.app_state(PACKAGE).update(values)
    phone.set_rotation(0)


@pytest.fixture(params=["android", pytest.param("ios", marks=pytest.mark.thorough)])
def platform(request: pytest.FixtureRequest) -> Platform:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def board(platform: Platform) -> Any:
    with (
        virtual_device(trial(Board), platform=platform) as device,
        device.session(**QUICK) as mobile,
    ):
        device.driver.phone_of_test = device.phone  # type: ignore[attr-defined]
        yield mobile


def test_it_knows_what_it_shows(board: Any, platform: Platform) -> None:
    shot = board.shot()
    with pillow.open(io.BytesIO(shot.png)) as picture:
        assert picture.size == shot.size == shot.picture_size
    assert max(shot.size) == 1000
    assert (shot.orientation, shot.display, shot.screen) == ("portrait", "main", "Board")
    assert shot.scale == pytest.approx(1000 / max(shot.full_size))
    whole = board.shot(max_side=None)
    assert (whole.scale, whole.size) == (1.0, whole.full_size)


@pytest.mark.parametrize("max_side", [200, 1000, None])
def test_a_point_is_of_its_own_pixels(board: Any, max_side: int | None) -> None:
    shot = board.shot(max_side=max_side)
    where = shot.to_picture(shot.snapshot.find(text="Right").bounds).center
    assert shot.element_at(*where).label == "Right"
    outcome = shot.tap(*where).expect_visible(text="Tapped right")
    assert outcome.result.details["degraded"] is True
    assert outcome.result.action_type == "tap_at"


def test_a_phone_on_its_side(board: Any) -> None:
    board.rotate("landscape")
    shot = board.shot(max_side=400)
    assert shot.orientation == "landscape"
    assert shot.size[0] == 400 > shot.size[1]
    shot.tap(*shot.to_picture(shot.snapshot.find(text="Right").bounds).center).expect_visible(
        text="Tapped right"
    )
    board.rotate("portrait")
    with pytest.raises(ActionFailed, match="the screen has turned"):
        shot.tap(1, 1)


def test_a_cell_is_a_place_of_the_picture(board: Any) -> None:
    shot = board.shot()
    width, height = shot.full_size
    outcome = shot.tap_cell(14, "bottom-right")
    across, down = outcome.result.details["point"]
    assert (across / width, down / height) == (
        pytest.approx(1.75 / 6, abs=0.01),
        pytest.approx(2.75 / 4, abs=0.01),
    )
    assert outcome.result.details["degraded"] is True


CHANGES: dict[str, dict[str, Any]] = {
    "another label": {"label": "Gone"},
    "it moved": {"shift": 60},
    "a little": {"shift": 4},
}


@pytest.mark.parametrize("what", CHANGES)
def test_nothing_is_touched_where_the_element_has_changed(board: Any, what: str) -> None:
    shot = board.shot()
    where = shot.to_picture(shot.snapshot.find(text="Left").bounds).center
    change(board, **CHANGES[what])
    with pytest.raises(ActionFailed) as caught:
        shot.tap(*where)
    assert caught.value.result.failure_code == "STALE_REFERENCE"
    assert "Nothing was touched" in str(caught.value)
    assert "There now" in str(caught.value)
    board.expect_visible(text="Tapped")


def test_what_has_no_element_is_compared_by_its_picture(board: Any) -> None:
    shot = board.shot()
    drawn = next(node for node in shot.snapshot.nodes if "Image" in node.class_name)
    where = shot.to_picture(drawn.bounds).center
    shot.tap(*where)  # as it is
    shot = board.shot()
    change(board, picture="lamp")
    with pytest.raises(ActionFailed, match=r"picture there has changed"):
        shot.tap(*where)


def test_elsewhere_the_screen_may_change(board: Any) -> None:
    shot = board.shot()
    where = shot.to_picture(shot.snapshot.find(text="Left").bounds).center
    change(board, picture="lamp")
    shot.tap(*where).expect_visible(text="Tapped left")


def test_a_dialog_that_came_over_it(board: Any) -> None:
    shot = board.shot()
    where = shot.to_picture(shot.snapshot.find(text="Left").bounds).center
    RUNNING[-1].show(Dialog("Sure?", "Really", [DialogButton("OK")]))
    with pytest.raises(ActionFailed, match=r"Sure.*Nothing was touched"):
        shot.tap(*where)
    assert board.snapshot().dialog == "Sure?"


def test_a_picture_of_another_size_is_none_of_the_screen(
    board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = board._context.driver
    with pillow.open(io.BytesIO(phone.screenshot())) as picture:
        out = io.BytesIO()
        picture.resize((picture.width, picture.height // 2)).save(out, "PNG")
    monkeypatch.setattr(phone, "screenshot", out.getvalue)
    with pytest.raises(ProtocolError, match="no point of the one is a known point of the other"):
        board.shot()


@pytest.mark.parametrize("length", [0, 40, 9000])
def test_bytes_that_are_no_picture_prove_nothing(
    board: Any, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    shot = board.shot()
    board.fill(text="Note", value=Secret("correct horse"))
    cut = shot.full[:length]
    monkeypatch.setattr(board._context.driver, "screenshot", lambda: cut)
    where = shot.to_picture(shot.snapshot.find(text="Left").bounds).center
    for call in (lambda: shot.tap(*where), board.shot, lambda: board.find(by_image(shot.png))):
        with pytest.raises(ProtocolError, match=r"is no picture[^<]*$"):
            call()
    monkeypatch.undo()
    board.expect_visible(text="Tapped")


def test_a_secret_that_has_moved_is_painted_over_where_it_is_now(
    board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.fill(text="Note", value=Secret("correct horse"))
    phone = board._context.driver
    take, shift = phone.screenshot, itertools.count(1)

    def moving() -> bytes:
        change(board, shift=next(shift) * 30)
        return take()  # type: ignore[no-any-return]

    monkeypatch.setattr(phone, "screenshot", moving)
    shot = board.shot(max_side=None)
    monkeypatch.undo()
    field = board.snapshot().find(text="Note").bounds
    with pillow.open(io.BytesIO(shot.full)) as picture:
        assert picture.convert("RGB").crop(field).getcolors() == [(field.area, (48, 48, 48))]


def test_a_shot_of_another_session_is_not_acted_on(board: Any) -> None:
    with session_on(Board) as other:
        target = other.shot()._pointed(10, 10)
        with pytest.raises(UsageError, match="another session"):
            board.tap(target)


def test_a_shot_of_an_earlier_test_is_not_acted_on(platform: Platform) -> None:
    with (
        virtual_device(trial(Board), platform=platform) as device,
        device.session(**QUICK) as mobile,
    ):
        shot = mobile.shot()
        outcome = shot.tap(1, 1)
        with pytest.raises(UsageError, match="another session"):
            mobile.tap(outcome.result.target.resolved)  # which is kept without its shot
        mobile._context.recorder.began_ms = (
            shot.snapshot.captured_at_ms + 1
        )  # as where a phone outlives a test
        taps: tuple[Callable[[], object], ...] = (
            lambda: shot.tap(1, 1),
            lambda: shot.tap_cell(1),
            lambda: mobile.tap(shot._pointed(1, 1)),
        )
        for call in taps:
            with pytest.raises(UsageError, match="an earlier test"):
                call()
