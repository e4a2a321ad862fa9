from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.virtual import start_server

from .desk_app import Wire, desk_phone


@pytest.fixture
def bare() -> Iterator[Wire]:
    """A phone at its home screen, and no one in a session."""
    phone = desk_phone()
    with start_server(phone, server=False, wda=True) as server:
        yield Wire(server.wda_port, phone)


@pytest.fixture
def desk(bare: Wire) -> Wire:
    """The app in front, in a session that is of none."""
    return bare.show()
