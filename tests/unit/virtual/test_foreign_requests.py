"""A page in a browser cannot use a virtual phone, by whatever name it calls it."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

import pytest

from pytest_replicant.testing import virtual_device


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:8100"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]:8100"}, 200),
    ],
)
def test_who_may_ask(headers: dict[str, str], status: int) -> None:
    with virtual_device("dev.replicant.shop", platform="ios", start=False) as device:
        place = urlsplit(device.driver._link.url)  # type: ignore[attr-defined]
        connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=10)
        connection.request("GET", "/status", headers=headers)
        assert connection.getresponse().status == status
        connection.close()
