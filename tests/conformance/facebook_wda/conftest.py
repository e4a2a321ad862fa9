"""One iPhone for the scripts of a module; ``c`` is a plain client, ``s`` its session with the
shop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.virtual import PhoneServer, VirtualPhone, start_server

from .stock import SHOP, client, iphone, opened, wda


@pytest.fixture(scope="module")
def phone() -> VirtualPhone:
    return iphone()


@pytest.fixture(scope="module")
def server(phone: VirtualPhone) -> Iterator[PhoneServer]:
    """The phone behind WebDriverAgent's face alone."""
    with start_server(phone, server=False, wda=True) as running:
        yield running


@pytest.fixture
def c(server: PhoneServer) -> wda.Client:
    return client(server)


@pytest.fixture
def s(c: wda.Client) -> wda.Client:
    """In a session with a fresh process of the shop."""
    return opened(c, SHOP)
