"""facebook-wda as it comes, and an iPhone for it."""

from __future__ import annotations

import warnings

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import IPHONE, Latency, PhoneServer, VirtualPhone
from pytest_replicant.virtual.demo_apps.shop.state import ShopState

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # facebook-wda 1.5.4 has an invalid escape in a string
    import wda

__all__ = [
    "LAB",
    "SHOP",
    "SIZE",
    "SPRINGBOARD",
    "client",
    "follow",
    "iphone",
    "leaves_sockets_to_the_collector",
    "opened",
]
__all__ += ["shop_of", "shown", "wda"]

SHOP = "dev.replicant.shop"
LAB = "dev.replicant.lab"
SPRINGBOARD = "com.apple.springboard"
SIZE = (393, 852)  # points
LONGEST = 2.0  # seconds that a script waits for an element, in place of thirty

leaves_sockets_to_the_collector = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
"""facebook-wda opens a connection for each request, and closes none itself."""


def iphone() -> VirtualPhone:
    """With both demo apps, and no latency."""
    return VirtualPhone(demo_apps([]), profile=IPHONE, latency=Latency.from_knobs({"latency": "0"}))


def shop_of(phone: VirtualPhone) -> ShopState:
    state = phone.app_state(SHOP)
    assert isinstance(state, ShopState)
    return state


def client(server: PhoneServer) -> wda.Client:
    """Never by the address in the environment."""
    c = wda.Client(server.wda_url)
    c.implicitly_wait(LONGEST)
    return c


def shown(s: wda.Client, label: str) -> bool:
    """What a list holds beyond its edge may exist, and is not visible."""
    element = s(label=label).get(timeout=0, raise_error=False)
    return element is not None and element.visible in (True, "1", "true")


def opened(c: wda.Client, bundle: str, link: str = "") -> wda.Client:
    """A session with a fresh process of an app, at a place of it."""
    c.app_terminate(bundle)
    s = c.session(bundle)
    if link:
        follow(s, link)
    return s


def follow(s: wda.Client, link: str) -> None:
    """Opens a link of an app's own scheme, before which SpringBoard asks the first time."""
    s.open_url(link)
    if s.alert.exists:
        s.alert.click("Open")
