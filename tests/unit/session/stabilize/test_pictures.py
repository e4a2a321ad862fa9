"""Icons without words: a ref of one acts on that one, whatever comes before it, by what it looks
like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import ActionFailed, DeviceError, TargetError
from pytest_replicant.model import Secret
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_session
from pytest_replicant.virtual import Button, Column, EditText, IconButton, Row, Text, Widget

from ..on_phone import Page, done, noting, page_on

ICONS = ["cart", "search", "settings", "heart", "person", "home"]
PLATFORMS: tuple[Platform, ...] = ("android", "ios")
Change = Callable[[Page], object]


def first_comes_another(app: Page) -> None:
    app.state["icons"] = ["camera", *app.state["icons"]]


def grid(app: Page, change: Change) -> Widget:
    """A button that makes the change, and the icons, each of which notes that it was tapped."""
    icons = app.state.setdefault("icons", list(ICONS))
    cells = [
        IconButton(icon=name, width=72, height=72, on_click=noting(app, name)) for name in icons
    ]
    rows: list[Widget] = [Row(cells[at : at + 4], height=72) for at in range(0, len(cells), 4)]
    return Column([Button("Change", on_click=lambda: change(app)), *rows], height="fill")


@contextmanager
def grid_on(
    platform: Platform = "android", change: Change = first_comes_another, **settings: Any
) -> Iterator[tuple[DeviceSession, Page, VirtualDevice]]:
    with page_on(platform, lambda app: grid(app, change), **settings) as opened:
        yield opened


def refs(mobile: DeviceSession) -> list[str]:
    """Of the icons, in reading order."""
    return [element.ref for element in mobile.snapshot().elements if not element.label]


def counted(device: Any) -> list[int]:
    """What grows with every screenshot of this phone from now on."""
    asked: list[int] = []
    take: Callable[[], bytes] = device.driver.screenshot

    def screenshot() -> bytes:
        asked.append(1)
        return take()

    device.driver.screenshot = screenshot
    return asked


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("trace", [True, False])
def test_a_ref_acts_on_its_icon_after_another_one_came_before_it(
    platform: Platform, trace: bool
) -> None:
    with grid_on(platform, trace=trace) as (mobile, app, _):
        known = dict(zip(ICONS, refs(mobile), strict=True))
        mobile.tap(text="Change")
        for name in ("person", "cart"):
            mobile.tap(known[name])
        assert done(app) == ["person", "cart"]


def stale_after_the_change(mobile: DeviceSession) -> list[str]:
    known = refs(mobile)
    mobile.tap(text="Change")
    with pytest.raises(ActionFailed, match="STALE_REFERENCE"):
        mobile.tap(known[0])
    return known


def test_without_its_picture_it_could_not_be_told_from_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with grid_on() as (mobile, app, device):
        monkeypatch.setattr(device.driver, "screenshot", failing)
        stale_after_the_change(mobile)
        assert done(app) == []


def failing() -> bytes:
    raise DeviceError("no screenshot", device="trial")


def test_a_phone_that_gives_no_screenshot_is_not_asked_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with grid_on(trace=False) as (mobile, _, device):
        monkeypatch.setattr(device.driver, "screenshot", failing)
        asked = counted(device)
        for _ in range(5):
            mobile.tap(text="Change")
            assert len(refs(mobile)) > len(ICONS)
        assert len(asked) == 2


def test_two_icons_that_are_alike_are_never_a_choice() -> None:
    with grid_on() as (mobile, app, _):
        app.state["icons"] = ["cart", "search", "settings", "cart", "home"]
        mobile.tap(text="Change")
        known = refs(mobile)
        mobile.tap(text="Change")
        for at in (1, 4):
            with pytest.raises(TargetError, match="ambiguous"):
                mobile.find(known[at])
        mobile.tap(known[2])
        assert done(app) == ["search"]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_icon_that_went_is_no_other_one(platform: Platform) -> None:
    with grid_on(platform, change=lambda app: app.state["icons"].remove("cart")) as (
        mobile,
        app,
        _,
    ):
        known = stale_after_the_change(mobile)
        mobile.tap(known[1])
        assert done(app) == ["search"]


def test_icons_that_changed_places_are_not_hit_by_their_places() -> None:
    def change(app: Page) -> None:
        icons = app.state["icons"]
        icons[0], icons[1] = icons[1], icons[0]

    with grid_on(change=change) as (mobile, app, _):
        known = refs(mobile)
        mobile.tap(text="Change")
        with pytest.raises(ActionFailed, match="another one looks as it did"):
            mobile.tap(known[0])
        mobile.tap(known[2])
        assert done(app) == ["settings"]


def test_another_page_of_as_many_icons_prints_other_refs() -> None:
    page = ["camera", "lock", "play", "pause", "wifi", "bell"]
    with grid_on(change=lambda app: app.state.update(icons=page)) as (mobile, app, _):
        known = refs(mobile)
        mobile.tap(text="Change")
        now = refs(mobile)
        assert not {*known} & {*now}
        with pytest.raises(ActionFailed, match="STALE_REFERENCE"):
            mobile.tap(known[0])
        mobile.tap(now[0])
        assert done(app) == ["camera"]


def test_a_ref_lasts_when_only_the_theme_changes() -> None:
    def change(app: Page) -> None:
        app.state["dark"] = True

    def dark(app: Page) -> Widget:
        column = grid(app, change)
        column.background = "#101010" if app.state.get("dark") else "#fafafa"
        return column

    with page_on("android", dark) as (mobile, app, _):
        known = refs(mobile)
        mobile.tap(text="Change")
        assert refs(mobile) == known
        mobile.tap(known[3])
        assert done(app) == ["heart"]


def test_a_picture_of_another_moment_is_dropped() -> None:
    with grid_on() as (mobile, app, device):
        take = device.driver.screenshot

        def late() -> bytes:
            picture = take()
            if len(app.state["icons"]) == len(ICONS):
                device.driver.tap(
                    mobile._context.observer.row[-1].snapshot.find(text="Change").center
                )
            return picture

        device.driver.screenshot = late  # type: ignore[method-assign]
        mobile.tap(text="Change", silent=True)
        app.state["icons"] = list(ICONS)
        refs(mobile)
        printed = [mobile._context.observer.memory.witness(ref) for ref in refs(mobile)]
        assert len(app.state["icons"]) == len(ICONS) + 1
        shown = {
            name
            for name, one in zip(app.state["icons"], printed, strict=True)
            if one and one.picture
        }
        assert shown == {*app.state["icons"]}, "the second picture is that of the screen as it is"


def test_one_screenshot_serves_a_whole_screen() -> None:
    with grid_on(trace=False) as (mobile, _, device):
        asked = counted(device)
        known = refs(mobile)
        assert len(asked) == 1
        assert refs(mobile) == known
        assert len(asked) == 1, "nothing was done since"
        mobile.tap(text="Change")
        for ref in known:
            mobile.find(ref)
        assert len(asked) == 2


def test_no_screenshot_where_no_outline_is_asked_for() -> None:
    with grid_on(trace=False) as (mobile, _, device):
        asked = counted(device)
        mobile.tap(text="Change").expect_visible(text="Change")
        assert mobile.find(text="Change").label == "Change"
        assert asked == []


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_shop_takes_no_pictures(platform: Platform) -> None:
    with virtual_session("dev.replicant.shop", platform=platform, trace=False) as mobile:
        asked = counted(mobile._context)
        mobile.snapshot()
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in").expect_screen("Catalogue")
        mobile.snapshot()
        mobile.tap(text="Red mug").snapshot.outline()
        assert asked == []


def test_neither_a_field_nor_a_secret_enters_a_picture() -> None:
    def build(app: Page) -> Widget:
        shown = Text(f"It is {app.state['code']}") if app.state.get("code") else Text("none")
        return Column(
            [EditText(hint="Code", key="code"), shown, grid(app, first_comes_another)],
            height="fill",
        )

    with page_on("android", build) as (mobile, app, _):
        mobile.fill(text="Code", value=Secret("open sesame"))
        app.state["code"] = "open sesame"
        mobile.tap(text="Change")
        snapshot = mobile.snapshot()
        hidden = mobile._context.observer.pictures._hidden(snapshot)
        assert {snapshot.find(text="Code").bounds, snapshot.find(text_contains="It is").bounds} <= {
            *hidden
        }
