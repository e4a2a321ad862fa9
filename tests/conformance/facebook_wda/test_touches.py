"""Plain facebook-wda against the virtual iPhone: touches by place, alerts, and a session that is
lost."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import LabState, PhoneServer, VirtualPhone

from .stock import (
    LAB,
    SHOP,
    SPRINGBOARD,
    client,
    leaves_sockets_to_the_collector,
    opened,
    wda,
)

pytestmark = leaves_sockets_to_the_collector


@pytest.fixture
def c(server: PhoneServer, phone: VirtualPhone) -> wda.Client:
    phone.clear_app(LAB)  # with the permissions that it was given
    return client(server)


def events(phone: VirtualPhone) -> list[str]:
    """What really happened in the lab."""
    state = phone.app_state(LAB)
    assert isinstance(state, LabState)
    return state.events


def drop(c: wda.Client, session: str) -> None:
    """As when somebody else works on the same phone."""
    c.http.fetch("DELETE", f"/session/{session}")


@pytest.fixture
def counter(c: wda.Client, phone: VirtualPhone) -> wda.Client:
    """A client without an app of its own, in front of the counter."""
    c.session()
    phone.start_app(LAB, url="lab://counter")
    assert c(name="tap").exists
    return c


def test_a_lost_session_is_replaced_without_a_word(
    counter: wda.Client, phone: VirtualPhone
) -> None:
    """Whatever was refused for its session is sent again in a new one."""
    x, y = counter(name="tap").get(timeout=0).bounds.center
    first = counter.session_id
    drop(counter, first)
    counter.tap(int(x), int(y))
    assert counter.session_id != first
    assert events(phone) == ["tap 1"]  # refused once, taken once


def test_a_lost_session_of_an_app_is_not(c: wda.Client) -> None:
    """The client renews the session of the client that made it, and asks with the old one until it
    gives up."""
    s = opened(c, SHOP)
    drop(c, s.session_id)
    with pytest.raises(RuntimeError, match="call depth exceed"):
        s.window_size()
    assert s.app_current()["bundleId"] == SPRINGBOARD  # the app ended with its session
