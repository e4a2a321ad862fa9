"""What goes wrong on purpose, and what an app does to the server: everybody else is answered all
the same."""

from __future__ import annotations

import contextlib
import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pytest_replicant.virtual import start_server

from .desk_app import Wire, desk_phone


@contextlib.contextmanager
def troubled(**faults: float) -> Iterator[Wire]:
    phone = desk_phone(faults)
    phone.start_app("dev.example.desk")
    with start_server(phone, server=False, wda=True) as server:
        yield Wire(server.wda_port, phone)


def test_a_dump_that_is_cut_off() -> None:
    with troubled(truncate_dump=1) as wire:
        text = wire.get("/source")
        assert text.startswith("<?xml")
        assert not text.rstrip().endswith("</XCUIElementTypeApplication>")
        with pytest.raises(ValueError, match=r"Expecting|Unterminated"):
            wire.get("/source?format=json")


def test_a_connection_that_is_dropped_before_and_after() -> None:
    with troubled() as wire:
        place = wire.open().middle("press")
        wire.phone.faults._shares["drop_connection"] = 1
        for taps in (0, 1):
            with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
                wire.post("wda/tap", place)
            assert len(wire.events) == taps
        assert wire.get("/status")["ready"] is True  # whether it is there at all, is always told


def test_an_error_in_the_server_is_an_answer(desk: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(x: int, y: int) -> None:
        raise RuntimeError("broken")

    place = desk.middle("press")
    monkeypatch.setattr(desk.phone, "tap", broken)
    status, error, message = desk.refused("POST", "wda/tap", place)
    assert (status, error) == (500, "unknown error")
    assert "RuntimeError: broken" in message
    assert desk.get("/status")["ready"] is True


def test_a_phone_that_does_not_answer_holds_up_no_other_question(
    desk: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.virtual.streams.CALL_DEADLINE", 0.05)
    with desk.phone.lock:  # as an app that loops for ever has it
        assert desk.get("/status")["ready"] is True
        status, error, message = desk.refused("GET", "window/size")
    assert (status, error) == (408, "timeout")
    assert "GET /window/size: the phone did not answer in time" in message
    assert desk.get("window/size")["width"] == 393


def test_many_clients_at_once(desk: Wire) -> None:
    place = desk.middle("press")

    def tap(_: int) -> None:
        desk.post("wda/tap", place)
        desk.get("source?format=json")

    with ThreadPoolExecutor(4) as clients:
        list(clients.map(tap, range(8)))
    assert desk.events == ["tap"] * 8
