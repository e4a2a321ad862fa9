"""Plain facebook-wda against the virtual iPhone: touches by place, alerts, and a session that is lost."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import LabState, PhoneServer, VirtualPhone

from .stock import (
    LAB,
    SHOP,
    SIZE,
    SPRINGBOARD,
    client,
    leaves_sockets_to_the_collector,
    opened,
    shown,
    wda,
)

pytestmark = leaves_sockets_to_the_collector

ALLOW, ONCE, REFUSE = "Allow While Using App", "Allow Once", "Don’t Allow"


@pytest.fixture
def c(server: PhoneServer, phone: VirtualPhone) -> wda.Client:
    phone.clear_app(LAB)  # with the permissions that it was given
    return client(server)


def events(phone: VirtualPhone) -> list[str]:
    """What really happened in the lab."""
    state = phone.app_state(LAB)
    assert isinstance(state, LabState)
    return state.events


def test_a_tap_by_place_counts_once(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://counter")
    x, y = s(name="tap").get(timeout=0).bounds.center
    s.tap(int(x), int(y))
    assert events(phone) == ["tap 1"]
    assert s(name="count").label == "1"


def test_a_click_by_place_whole_and_relative(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://counter")
    x, y = s(name="tap").get(timeout=0).bounds.center
    s.click(int(x), int(y))
    s.click(x / SIZE[0], y / SIZE[1])
    s.click(int(x), int(y), duration=0.05)
    assert events(phone)[:2] == ["tap 1", "tap 2"]


def test_a_double_tap_is_two_taps(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://counter")
    x, y = s(name="tap").get(timeout=0).bounds.center
    s.double_tap(int(x), int(y))
    assert events(phone) == ["tap 1", "tap 2"]


def test_holding_a_place_is_one_touch(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://bare-canvas")
    x, y = s(name="board").get(timeout=0).bounds.center
    s.tap_hold(int(x), int(y), 0.05)
    assert len(events(phone)) == 1


def test_a_swipe_scrolls(c: wda.Client) -> None:
    s = opened(c, LAB, "lab://long-list?rows=60")
    assert shown(s, "Row 1")
    s.swipe(196, 600, 196, 200)
    assert not shown(s, "Row 1")
    s.swipe(0.5, 0.3, 0.5, 0.9, 0.05)
    assert shown(s, "Row 1")


def test_swipes_by_direction(c: wda.Client) -> None:
    s = opened(c, LAB, "lab://long-list?rows=60")
    s.swipe_up()
    assert not shown(s, "Row 1")
    s.swipe_down()
    assert shown(s, "Row 1")
    s.swipe_left()
    s.swipe_right()
    assert s.app_current()["bundleId"] == LAB


def test_pressing_first_and_moving_then_drags(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://drop-zones")
    start, end = (s(name=name).get(timeout=0).bounds.center for name in ("parcel_mugs", "zone_lagos"))
    s.swipe(*(int(part) for part in (*start, *end)), 0.8)
    assert s(name="result").label == "Mugs to Lagos"


def test_a_touch_off_the_screen_is_no_touch(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://bare-canvas")
    s.tap(5000, 5000)  # WebDriverAgent does not mind
    assert events(phone) == []


def drop(c: wda.Client, session: str) -> None:
    """As when somebody else works on the same phone."""
    c.http.fetch("DELETE", f"/session/{session}")


@pytest.fixture
def asked(c: wda.Client) -> wda.Client:
    """In front of a question of the system's."""
    s = opened(c, LAB, "lab://permission-question")
    assert not s.alert.exists
    s(label="Where am I?").click()
    assert s.alert.wait(2)
    return s


def test_what_an_alert_says(asked: wda.Client) -> None:
    assert "Lab" in asked.alert.text
    assert "location" in asked.alert.text
    assert asked.alert.buttons() == [ONCE, ALLOW, REFUSE]


@pytest.mark.parametrize(("act", "came"), [("accept", "took part"), ("dismiss", "did not take part")])
def test_accepting_and_dismissing_an_alert(c: wda.Client, phone: VirtualPhone, act: str, came: str) -> None:
    s = opened(c, LAB, "lab://survey?tap=1&delay=1")
    s(name="continue").click()
    assert s.alert.wait(2)
    getattr(s.alert, act)()
    assert not s.alert.exists
    assert events(phone)[1:] == [came]


def test_accepting_is_the_last_button_whatever_it_says(asked: wda.Client, phone: VirtualPhone) -> None:
    """As on a real phone, where "Don’t Allow" is the last of three."""
    asked.alert.accept()
    assert events(phone) == ["location refused"]


def test_an_alert_s_button_by_name(asked: wda.Client, phone: VirtualPhone) -> None:
    assert asked.alert.click(["Not there", ALLOW]) == ALLOW
    assert events(phone) == ["location allowed"]
    assert asked.alert.click_exists(ALLOW) is None


def test_an_alert_s_button_that_is_not_there(asked: wda.Client, phone: VirtualPhone) -> None:
    with pytest.raises(ValueError, match="Only these buttons"):
        asked.alert.click(["Not there"])
    with pytest.raises(wda.WDARequestError):
        asked.alert.click("Not there")
    assert asked.alert.exists
    assert events(phone) == []


def test_an_alert_of_the_app_s_own(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://survey?tap=1&delay=1")
    s(name="continue").click()
    assert s.alert.wait(2)
    assert s.alert.text.startswith("How are we doing?")
    assert set(s.alert.buttons()) == {"Take part", "No, thanks"}
    s.alert.click("No, thanks")
    assert events(phone) == ["step 1 done", "did not take part"]


def test_a_notice_of_the_system_s(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://counter")
    phone.show_system_dialog("Low Battery", "20% of battery remaining", ("Close",))
    assert s.alert.text == "Low Battery\n20% of battery remaining"
    s.alert.accept()
    assert not s.alert.exists


def test_without_an_alert_there_is_nothing_to_answer(c: wda.Client) -> None:
    s = opened(c, LAB, "lab://counter")
    for act in (s.alert.accept, s.alert.dismiss, s.alert.buttons, lambda: s.alert.text):
        with pytest.raises(wda.WDARequestError, match="no such alert"):
            act()


@pytest.fixture
def counter(c: wda.Client, phone: VirtualPhone) -> wda.Client:
    """A client without an app of its own, in front of the counter."""
    c.session()
    phone.start_app(LAB, url="lab://counter")
    assert c(name="tap").exists
    return c


def test_a_lost_session_is_replaced_without_a_word(counter: wda.Client, phone: VirtualPhone) -> None:
    """Whatever was refused for its session is sent again in a new one."""
    x, y = counter(name="tap").get(timeout=0).bounds.center
    first = counter.session_id
    drop(counter, first)
    counter.tap(int(x), int(y))
    assert counter.session_id != first
    assert events(phone) == ["tap 1"]  # refused once, taken once


def test_a_lost_session_of_an_app_is_not(c: wda.Client) -> None:
    """The client renews the session of the client that made it, and asks with the old one until it gives up."""
    s = opened(c, SHOP)
    drop(c, s.session_id)
    with pytest.raises(RuntimeError, match="call depth exceed"):
        s.window_size()
    assert s.app_current()["bundleId"] == SPRINGBOARD  # the app ended with its session


def test_so_is_one_that_the_phone_forgot(counter: wda.Client, server: PhoneServer, phone: VirtualPhone) -> None:
    x, y = counter(name="tap").get(timeout=0).bounds.center
    server.lose_sessions()
    counter.tap(int(x), int(y))
    counter.tap(int(x), int(y))
    assert events(phone) == ["tap 1", "tap 2"]


def test_without_its_callback_a_lost_session_is_reported(counter: wda.Client, phone: VirtualPhone) -> None:
    counter.unregister_callback()
    drop(counter, counter.session_id)
    with pytest.raises(wda.WDAInvalidSessionIdError):
        counter.click(100, 100)
    assert events(phone) == []


def test_elements_of_a_lost_session_are_lost_with_it(counter: wda.Client, phone: VirtualPhone) -> None:
    button = counter(name="tap").get(timeout=0)
    drop(counter, counter.session_id)
    with pytest.raises(wda.WDAStaleElementReferenceError):
        button.tap()
    assert events(phone) == []


def test_a_second_session_ends_the_first(c: wda.Client) -> None:
    first = c.session(SHOP)
    second = c.session(LAB)
    assert second.app_state(SHOP).value == 1
    assert c.status()["sessionId"] == second.session_id != first.session_id


def test_an_unknown_path_is_reported(c: wda.Client) -> None:
    with pytest.raises(wda.WDARequestError, match="unknown command"):
        c.http.get("/no/such/path")
