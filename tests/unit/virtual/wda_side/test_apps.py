"""Apps: starting, ending, their state, links; buttons of the phone."""

from __future__ import annotations

from .desk_app import DESK, SPRINGBOARD, Wire


def state_of(wire: Wire, bundle_id: str) -> int:
    return int(wire.post("wda/apps/state", bundleId=bundle_id))


def test_from_not_running_to_the_front_and_back(bare: Wire) -> None:
    bare.open()
    assert state_of(bare, DESK) == 1
    bare.post("wda/apps/launch", bundleId=DESK)
    assert state_of(bare, DESK) == 4
    bare.state.note = "kept"
    bare.post("/wda/homescreen")
    assert state_of(bare, DESK) == 3
    bare.post("wda/apps/activate", bundleId=DESK)
    bare.post("wda/apps/launch", bundleId=DESK)  # what runs is only brought to the front
    assert (state_of(bare, DESK), bare.state.note) == (4, "kept")
    assert bare.post("wda/apps/terminate", bundleId=DESK) is True
    assert bare.post("wda/apps/terminate", bundleId=DESK) is False
    assert state_of(bare, DESK) == 1


def test_an_app_that_no_one_knows(bare: Wire) -> None:
    bare.open()
    assert state_of(bare, "no.such.app") == 1
    assert bare.post("wda/apps/terminate", bundleId="no.such.app") is False
    for path in ("launch", "activate"):
        status, error, message = bare.refused(
            "POST", f"wda/apps/{path}", {"bundleId": "no.such.app"}
        )
        assert (status, error) == (500, "unknown error")
        assert 'Application "no.such.app" is not installed' in message
        assert "FBSOpenApplicationErrorDomain" in message


def test_the_active_app(desk: Wire) -> None:
    info = desk.get("wda/activeAppInfo")
    assert info["bundleId"] == DESK
    assert info["pid"] == desk.phone.processes()[DESK]
    assert desk.get("wda/apps/list") == [info]
    desk.post("wda/deactivateApp", duration=0)
    assert desk.get("/wda/activeAppInfo") == info


def test_a_locked_phone_has_no_app_in_front(desk: Wire) -> None:
    desk.post("wda/lock")
    assert (state_of(desk, DESK), state_of(desk, SPRINGBOARD)) == (3, 4)
    desk.post("wda/unlock")
    assert state_of(desk, DESK) == 4


def test_links_open_in_their_app(desk: Wire) -> None:
    desk.post("/wda/homescreen")
    desk.follow("desk://rows")
    assert "Row 1" in desk.get("source")
    desk.post("url", url="desk://main", bundleId=DESK)
    assert "Press" in desk.get("source")
    for url, error in (("other://x", "unknown error"), ("nonsense", "invalid argument")):
        assert desk.refused("POST", "url", {"url": url})[1] == error
    assert (
        "is not installed"
        in desk.refused("POST", "url", {"url": "desk://rows", "bundleId": "no.app"})[2]
    )


def test_buttons(desk: Wire) -> None:
    volume = desk.phone.volume
    desk.post("wda/pressButton", name="volumeUp")
    desk.post("wda/pressButton", name="volumeup")
    desk.post("wda/performIoHidEvent", page=0x0C, usage=0xEA, duration=0.1)
    assert desk.phone.volume == volume + 1
    desk.post("wda/performIoHidEvent", page=0x0C, usage=0x30, duration=0.1)
    assert desk.get("wda/locked") is True
    desk.post("wda/unlock")
    desk.post("wda/pressButton", name="home")
    assert desk.phone.foreground()[0] == SPRINGBOARD
    assert (
        "home, volumeUp, volumeDown" in desk.refused("POST", "wda/pressButton", {"name": "back"})[2]
    )
    assert (
        desk.refused("POST", "wda/performIoHidEvent", {"page": 7, "usage": 4, "duration": 0})[1]
        == "unknown error"
    )
