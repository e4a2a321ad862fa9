"""Elements: found, asked, touched, and gone."""

from __future__ import annotations

from .desk_app import ELEMENT, Wire


def test_an_element_has_both_names_of_its_id(desk: Wire) -> None:
    reported = desk.post("element", using="id", value="press")
    assert set(reported) == {"ELEMENT", ELEMENT}
    assert reported["ELEMENT"] == reported[ELEMENT]
    assert desk.post("elements", using="xpath", value="//XCUIElementTypeButton[@name='press']") == [
        reported
    ]


def test_what_is_not_found(desk: Wire) -> None:
    status, error, message = desk.refused("POST", "element", {"using": "id", "value": "nothing"})
    assert (status, error) == (404, "no such element")
    assert "'nothing'" in message
    assert desk.post("elements", using="id", value="nothing") == []
    assert desk.refused("POST", "elements", {"using": "magic", "value": "x"})[:2] == (
        400,
        "invalid selector",
    )
    assert desk.refused("POST", "elements", {"using": "id"})[1] == "invalid argument"


def test_finding_below_an_element(desk: Wire) -> None:
    (bar,) = desk.post("elements", using="class name", value="XCUIElementTypeNavigationBar")
    below = {"using": "class name", "value": "XCUIElementTypeStaticText"}
    (title,) = desk.post(f"element/{bar['ELEMENT']}/elements", below)
    assert desk.get(f"element/{title['ELEMENT']}/text") == "Desk"
    assert desk.post(f"element/{bar['ELEMENT']}/element", below) == title
    assert (
        desk.refused(
            "POST", f"element/{bar['ELEMENT']}/element", {"using": "id", "value": "press"}
        )[0]
        == 404
    )


def test_what_an_element_says_of_itself(desk: Wire) -> None:
    press, off = desk.find("press"), desk.find("off")
    assert desk.get(f"element/{press}/name") == "XCUIElementTypeButton"
    assert desk.get(f"element/{press}/text") == "Press"
    assert desk.get(f"element/{press}/rect") == {"x": 0, "y": 215, "width": 68, "height": 48}
    assert desk.get(f"element/{press}/displayed") is True
    assert desk.get(f"element/{press}/selected") is False
    assert [desk.get(f"element/{each}/enabled") for each in (press, off)] == [True, False]
    assert desk.get(f"wda/element/{press}/accessible") is True
    assert desk.get(f"wda/element/{press}/accessibilityContainer") is False
    attributes = [
        desk.attribute(press, name)
        for name in ("label", "name", "type", "value", "visible", "wdEnabled")
    ]
    assert attributes == ["Press", "press", "XCUIElementTypeButton", None, True, True]
    assert desk.refused("GET", f"element/{press}/attribute/colour")[:2] == (400, "invalid selector")


def test_an_element_stays_the_same_while_its_screen_changes(desk: Wire) -> None:
    press = desk.find("press")
    desk.tap("note")
    desk.post("wda/keys", value=["a"])
    assert desk.find("press") == press
    desk.post(f"element/{press}/click")
    assert desk.events == ["tap"]


def test_what_is_gone_is_stale_and_comes_back_with_its_screen(desk: Wire) -> None:
    press = desk.find("press")
    desk.tap("rows")
    for method, path in (("GET", "rect"), ("POST", "click"), ("POST", "elements")):
        body = {"using": "id", "value": "x"}
        status, error, message = desk.refused(method, f"element/{press}/{path}", body)
        assert (status, error) == (404, "stale element reference")
        assert press in message
    desk.tap("BackButton")
    desk.post(f"element/{press}/click")
    assert desk.events == ["tap"]


def test_scrolling_by_an_element_and_until_it_is_seen(desk: Wire) -> None:
    desk.follow("desk://page")
    page, first = desk.find("page"), desk.find("line_1")
    assert desk.attribute(first, "visible") is True
    desk.post(f"wda/element/{page}/scroll", direction="down", distance=1)
    assert desk.attribute(first, "visible") is False
    desk.post(f"wda/element/{first}/scroll", toVisible=True)
    assert desk.attribute(first, "visible") is True
    desk.post(f"wda/element/{page}/swipe", direction="up")
    assert desk.attribute(first, "visible") is False
    desk.post("wda/swipe", direction="down")
    assert desk.attribute(first, "visible") is True
    assert desk.refused("POST", "wda/swipe", {"direction": "away"})[1] == "invalid argument"


def test_what_is_off_the_screen_is_scrolled_to_before_it_is_touched(desk: Wire) -> None:
    desk.follow("desk://page")
    last = desk.find("line_59")
    desk.post(f"element/{last}/click")
    assert desk.attribute(last, "visible") is True


def test_what_cannot_be_scrolled_to_is_reported_after_one_try(desk: Wire) -> None:
    desk.follow("desk://still")
    covered = desk.find("below")
    assert desk.attribute(covered, "visible") is True
    desk.tap("typed")  # the keyboard covers it now
    assert desk.attribute(covered, "visible") is False
    gestures = desk.phone.pace.calls["gesture"]
    status, error, message = desk.refused(
        "POST", f"wda/element/{covered}/scroll", {"toVisible": True}
    )
    assert (status, error) == (400, "invalid element state")
    assert "does not scroll" in message
    assert desk.phone.pace.calls["gesture"] == gestures + 1
    assert desk.refused("POST", f"element/{covered}/click")[1] == "invalid element state"
    assert (
        desk.refused("POST", f"wda/element/{covered}/touchAndHold", {"duration": 1})[1]
        == "invalid element state"
    )
    assert (
        desk.attribute(desk.find("typed"), "value") == "Typed"
    )  # no key of the keyboard was hit instead


def test_a_list_has_no_elements_for_rows_that_are_far_off(desk: Wire) -> None:
    desk.tap("rows")
    rows = desk.find("list")
    (first,) = desk.post(
        "elements",
        using="predicate string",
        value="label == 'Row 1' AND type ENDSWITH 'StaticText'",
    )
    desk.post(f"wda/element/{rows}/scroll", direction="down", distance=1)
    assert (
        desk.refused("GET", f"element/{first['ELEMENT']}/displayed")[1] == "stale element reference"
    )
    desk.post(f"wda/element/{rows}/scroll", direction="up", distance=1)
    assert desk.get(f"element/{first['ELEMENT']}/displayed") is True
