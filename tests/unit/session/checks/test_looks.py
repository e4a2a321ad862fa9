"""Looks compared with kept pictures, on the virtual phone: what never rests masks itself, and what
a person would call another look is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.errors import ExpectationFailed, UsageError
from pytest_replicant.model import CheckRecord, Rect, Secret, by
from pytest_replicant.session import DeviceSession, Recorder
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.vision import compare_pictures, read_kept

from .baseline_files import BaselineFiles

LAB = "dev.replicant.lab"


@dataclass
class Form:
    """A session on the restless form, whose pictures are kept in ``files``."""

    device: VirtualDevice
    mobile: DeviceSession
    recorder: Recorder
    files: BaselineFiles

    def show(self, flaw: int = 0) -> None:
        self.mobile.launch(LAB)
        self.mobile.open_url(f"lab://restless-form?flaw={flaw}")
        self.mobile.hide_keyboard()

    def keep(self, name: str = "form", *args: Any, **how: Any) -> list[Path]:
        self.files.updating = True
        self.mobile.expect_looks_like(name, *args, **how)
        return self.files.write()

    @property
    def last(self) -> CheckRecord:
        return self.recorder.checks[-1]


@contextmanager
def form_on(folder: Path, **settings: Any) -> Iterator[Form]:
    files = BaselineFiles(folder)
    with (
        virtual_device(LAB) as device,
        device.recorded(baselines=files, screenshots=False, **settings) as (mobile, recorder),
    ):
        form = Form(device, mobile, recorder, files)
        form.show()
        yield form


@pytest.fixture
def form(tmp_path: Path) -> Iterator[Form]:
    with form_on(tmp_path) as form:
        yield form


def reasons(record: CheckRecord) -> set[str]:
    assert record.looks is not None
    return {mask.why for mask in record.looks.masks}


@pytest.mark.ci
def test_an_unchanged_screen_looks_as_it_did_and_each_flaw_is_found(form: Form) -> None:
    [path] = form.keep()
    assert form.files.shown(path) == "looks/test_form/form/android-1080x2400-420dpi-en-US-light.png"
    for _ in range(2):
        form.mobile.expect_looks_like("form")
        form.device.clock.sleep(1.3)
    assert form.last.result == "passed"
    assert {"system bar", "text that ticks", "never rests"} <= reasons(form.last)
    assert form.last.looks is not None
    assert 0 < form.last.looks.masked < 0.2
    for flaw in (1, 5):
        form.show(flaw)
        with pytest.raises(ExpectationFailed, match=r"pixels differ \(\d"):
            form.mobile.expect_looks_like("form", timeout=0)


@pytest.mark.ci
@pytest.mark.slow
def test_a_failure_says_how_much_differs_where_and_what_to_do(form: Form) -> None:
    [path] = form.keep()
    form.show(4)
    with pytest.raises(ExpectationFailed) as failed:
        form.mobile.expect_looks_like("form", timeout=0)
    message = str(failed.value)
    assert " pixels differ (0.0" in message
    assert 'in [r235] TextView "£ 18.40"' in message
    assert f"Compared with {form.files.shown(path)}." in message
    assert "--replicant-update=looks" in message
    assert "replicant looks accept" in message
    looks = form.last.looks
    assert looks is not None
    pictures = [
        form.recorder.attachments[place]
        for place in (looks.expected, looks.actual)
        if place is not None
    ]
    expected, actual = (read_kept(one.data) for one in pictures)
    assert not compare_pictures(
        expected.image, actual.image, masks=[one.box for one in actual.masks]
    ).same
    assert looks.difference is not None
    assert 0 < looks.differing < looks.compared
    assert all(looks.area.encloses(box) for box in looks.boxes)


@pytest.mark.ci
def test_one_element_is_compared_by_itself(form: Form) -> None:
    total = by(resource_id="total")
    form.keep("total", total)
    assert form.last.looks is not None
    assert form.last.looks.area == form.mobile.find(total).bounds
    form.mobile.locator(total).expect_looks_like("total").expect_visible()
    form.show(3)  # the icon next to it
    form.mobile.expect_looks_like("total", resource_id="total")
    form.show(4)
    with pytest.raises(ExpectationFailed, match="pixels differ"):
        form.mobile.expect_looks_like("total", total, timeout=0)
    with pytest.raises(ExpectationFailed, match="absent"):
        form.mobile.expect_looks_like("total", text="Nowhere", timeout=0)


@pytest.mark.ci
def test_masks_of_the_test_hide_an_element_or_an_area(form: Form) -> None:
    form.keep()
    form.show(4)
    form.mobile.expect_looks_like("form", masks=[by(resource_id="total")])
    form.mobile.expect_looks_like("form", masks=[form.mobile.find(resource_id="total").bounds])
    form.mobile.expect_looks_like("form", tolerance=0.01)
    with pytest.raises(ExpectationFailed, match="pixels differ"):
        form.mobile.expect_looks_like("form", masks=[by(resource_id="place")], timeout=0)
    with pytest.raises(ExpectationFailed, match="cannot be decided: masks cover"):
        form.mobile.expect_looks_like("form", masks=[Rect(0, 0, 1080, 2000)], timeout=0)


@pytest.mark.thorough
def test_the_caret_is_forgiven_and_the_field_is_not(form: Form) -> None:
    form.keep()
    assert form.last.looks is not None
    field_box = form.mobile.find(resource_id="note").bounds
    assert not any(mask.box.encloses(field_box) for mask in form.last.looks.masks)
    for _ in range(4):  # both halves of a blink
        form.device.clock.sleep(0.5)
        form.mobile.expect_looks_like("form")
    form.mobile.fill(resource_id="note", value="Two kegs")
    form.mobile.hide_keyboard()
    with pytest.raises(ExpectationFailed, match="pixels differ"):
        form.mobile.expect_looks_like("form", timeout=0)


@pytest.mark.ci
def test_a_look_without_a_picture_is_not_compared(form: Form) -> None:
    with pytest.raises(
        ExpectationFailed,
        match=r"not compared: there is no picture of it for android-.*-light; none",
    ):
        form.mobile.expect_looks_like("form")
    assert form.last.result == "not compared"
    assert form.last.looks is not None
    assert form.last.looks.actual is not None
    assert form.last.looks.expected is None
    form.keep()
    form.mobile.shell("cmd uimode night yes; setprop persist.sys.locale de-DE")
    with pytest.raises(
        ExpectationFailed,
        match=r"for android-1080x2400-420dpi-de-DE-dark; it was kept for .*-light",
    ):
        form.mobile.expect_looks_like("form")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"missing_look": "warn"}, "there is no picture of it"),
        ({"looks": ("ios-*", "android-*-dark")}, "is not among the looks to compare"),
    ],
)
def test_one_that_is_not_compared_may_fail_nothing_and_verifies_nothing(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with form_on(tmp_path, **settings) as form:
        outcome = form.mobile.tap(text="Send")
        outcome.expect_looks_like("form")
        assert form.last.result == "not compared"
        assert said in form.last.observed
        assert outcome.result.lifecycle_state == "pending_verification"


@pytest.mark.thorough
def test_an_updating_run_keeps_what_still_fits_and_replaces_what_does_not(form: Form) -> None:
    [path] = form.keep()
    assert form.keep() == []
    form.show(1)
    assert form.keep() == [path]
    form.mobile.expect_looks_like("form")


@pytest.mark.ci
def test_a_secret_reaches_no_kept_picture(form: Form) -> None:
    form.mobile.fill(resource_id="note", value=Secret("open sesame"))
    form.mobile.hide_keyboard()
    [path] = form.keep()
    assert "secret" in reasons(form.last)
    kept = read_kept(path.read_bytes())
    box = form.mobile.find(resource_id="note").bounds
    assert kept.image.crop(box.inset(4)).getcolors() == [(box.inset(4).area, (48, 48, 48))]
    form.mobile.fill(resource_id="note", value=Secret("another one"))
    form.mobile.hide_keyboard()
    form.mobile.expect_looks_like("form")


def test_wrong_calls_say_so_before_anything_is_looked_at(form: Form) -> None:
    for name in ("", "../up", "a/b", "a\\b", ".hidden", "x" * 81, "con\0", "form."):
        with pytest.raises(UsageError, match="the name becomes a folder"):
            form.mobile.expect_looks_like(name)
    for tolerance in (-0.1, 1, True, float("nan")):
        with pytest.raises(UsageError, match="tolerance="):
            form.mobile.expect_looks_like("form", tolerance=tolerance)


@pytest.mark.ci
def test_a_kept_file_that_is_no_picture_is_an_error_of_the_project(form: Form) -> None:
    path = form.files.folder("looks") / "form" / "android-1080x2400-420dpi-en-US-light.png"
    path.parent.mkdir(parents=True)
    path.write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(UsageError, match="Git LFS"):
        form.mobile.expect_looks_like("form")
    form.keep()  # as the message advises
    form.mobile.expect_looks_like("form")
