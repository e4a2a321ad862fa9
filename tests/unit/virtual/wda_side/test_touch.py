"""Touches at points: once each, on what is there, and never an answer about what they led to."""

from __future__ import annotations

import pytest

from .desk_app import Wire


def finger(*actions: dict[str, object], name: str = "finger") -> dict[str, object]:
    return {
        "type": "pointer",
        "id": name,
        "parameters": {"pointerType": "touch"},
        "actions": list(actions),
    }


def to(x: float, y: float, **more: object) -> dict[str, object]:
    return {"type": "pointerMove", "x": x, "y": y, **more}


DOWN: dict[str, object] = {"type": "pointerDown", "button": 0}
UP: dict[str, object] = {"type": "pointerUp", "button": 0}


def pause(ms: int) -> dict[str, object]:
    return {"type": "pause", "duration": ms}


def test_a_drag_scrolls_and_with_a_hold_picks_up(desk: Wire) -> None:
    board, parcel = desk.middle("board"), desk.middle("parcel")
    there = {"fromX": parcel["x"], "fromY": parcel["y"], "toX": board["x"], "toY": board["y"]}
    desk.post("wda/dragfromtoforduration", duration=0, **there)
    assert desk.events == []
    desk.post("wda/dragfromtoforduration", duration=0.6, **there)
    assert desk.events == ["dropped on board"]
    desk.tap("rows")
    row = desk.find("list")
    before = desk.get("source")
    desk.post("wda/drag", fromX=200, fromY=700, toX=200, toY=200, velocity=100)
    assert desk.get("source") != before
    desk.post(
        f"wda/element/{row}/dragfromtoforduration",
        fromX=200,
        fromY=100,
        toX=200,
        toY=700,
        duration=0,
    )
    assert desk.get("source") == before


@pytest.mark.parametrize(
    "body", [{}, {"x": 1}, {"x": "1", "y": 1}, {"x": True, "y": 1}, {"x": 1e300, "y": 1}]
)
def test_a_tap_needs_two_numbers(desk: Wire, body: object) -> None:
    assert desk.refused("POST", "wda/tap", body)[:2] == (400, "invalid argument")


def test_pinching(desk: Wire) -> None:
    desk.post(f"wda/element/{desk.find('board')}/pinch", scale=2.0, velocity=1)
    desk.post(f"wda/element/{desk.find('board')}/pinch", scale=0.5, velocity=-1)
    assert desk.events == ["pinch 2.0", "pinch 0.5"]
    assert desk.refused("POST", "wda/pinch", {"scale": 0})[1] == "invalid argument"


# --- W3C actions ----------------------------------------------------------------------------------
def test_actions_tap_hold_and_move(desk: Wire) -> None:
    press = desk.middle("press")
    desk.post("actions", actions=[finger(to(**press), DOWN, pause(50), UP)])
    desk.post("actions", actions=[finger(to(**press), DOWN, pause(900), UP)])
    assert desk.events == ["tap", "hold"]
    parcel, board = desk.middle("parcel"), desk.middle("board")
    desk.post(
        "actions", actions=[finger(to(**parcel), DOWN, pause(800), to(**board, duration=300), UP)]
    )
    assert desk.events[2:] == ["dropped on board"]
    assert desk.send("DELETE", "actions")[0] == 200


def test_two_taps_in_one_request(desk: Wire) -> None:
    press = desk.middle("press")
    desk.post("actions", actions=[finger(to(**press), DOWN, UP, pause(100), DOWN, UP)])
    assert desk.events == ["tap", "tap"]


def test_actions_from_an_element_and_from_where_the_finger_is(desk: Wire) -> None:
    board = desk.find("board")
    corner = desk.rect("board")
    for origin in ({"element-6066-11e4-a52e-4f735466cecf": board}, {"ELEMENT": board}, board):
        desk.post("actions", actions=[finger(to(1, 2, origin=origin), DOWN, UP)])
    start = to(corner["x"] + 4, corner["y"] + 4)
    desk.post("actions", actions=[finger(start, to(1, 2, origin="pointer"), DOWN, UP)])
    assert len(set(desk.events[:3])) == 1
    assert desk.events[3] == "15,17"


@pytest.mark.parametrize(
    "actions",
    [
        None,
        [],
        ["tap"],
        [{"type": "wheel"}],
        [{"type": "pointer"}],
        [{"type": "pointer", "parameters": {"pointerType": "mouse"}, "actions": []}],
        [finger({"type": "jump"})],
        [finger({"type": "pointerMove", "x": "1", "y": 2})],
        [finger(to(1, 1, origin={"no": "element"}))],
        [finger(pause(-1))],
        [finger(pause(10**9))],
        [finger(*[pause(1)] * 1001)],
    ],
)
def test_what_are_no_actions(desk: Wire, actions: object) -> None:
    assert desk.refused("POST", "actions", {"actions": actions})[:2] == (400, "invalid argument")


def test_what_actions_cannot_do(desk: Wire) -> None:
    for actions in (
        [{"type": "key", "id": "k", "actions": []}],
        [finger(to(1, 1), DOWN, UP, name=str(n)) for n in range(3)],
    ):
        assert desk.refused("POST", "actions", {"actions": actions})[:2] == (
            500,
            "unsupported operation",
        )
