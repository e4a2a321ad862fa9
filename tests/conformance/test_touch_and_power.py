"""Pages, two fingers and the power key, as plain uiautomator2 and adbutils use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import adbutils
import pytest
import uiautomator2

from pytest_replicant.testing.virtual import Pager
from pytest_replicant.virtual import (
    App,
    Canvas,
    Column,
    Latency,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
    start_server,
)

PACKAGE = "dev.replicant.atlas"


class Atlas(Screen[dict[str, Any]]):
    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def scaled(scale: float) -> None:
            app.state["scale"] = scale

        scale = app.state.get("scale", 1.0)
        seen = "same" if scale == 1 else "larger" if scale > 1 else "smaller"
        pages = [Text("Europe"), Text("Asia")]
        return Column(
            [
                Text(seen, id="scale"),
                Pager(pages, id="pages", height=100),
                Canvas(id="map", on_pinch=scaled),
            ]
        )


@pytest.fixture
def adb_device() -> Iterator[adbutils.AdbDevice]:
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Atlas", state=dict, start=Atlas)
    phone = VirtualPhone([app], latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    with start_server(phone) as server:
        yield adbutils.AdbClient(server.host, server.port).device(server.serials[0])


@pytest.mark.slow
def test_pages_turn_and_two_fingers_scale(adb_device: adbutils.AdbDevice) -> None:
    d = uiautomator2.connect(adb_device)
    assert d(text="Europe").exists
    assert d(resourceId=f"{PACKAGE}:id/pages").scroll.horiz.forward()
    assert d(text="Asia").exists
    assert not d(text="Europe").exists
    assert d(scrollable=True).fling.horiz.backward()
    assert d(text="Europe").exists
    scale = d(resourceId=f"{PACKAGE}:id/scale")
    d(resourceId=f"{PACKAGE}:id/map").pinch_out(percent=80, steps=10)
    assert scale.get_text() == "larger"
    d(resourceId=f"{PACKAGE}:id/map").pinch_in(percent=80, steps=10)
    assert scale.get_text() == "smaller"
    bounds = d(resourceId=f"{PACKAGE}:id/map").info["visibleBounds"]
    y = (bounds["top"] + bounds["bottom"]) // 2
    d(resourceId=f"{PACKAGE}:id/map").gesture((300, y), (500, y), (100, y), (700, y), 10)
    assert scale.get_text() == "larger"
    d.stop_uiautomator()
