"""Apple's accessibility audit as the virtual iPhone answers it: what it finds, and which phones
have none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pytest_replicant.virtual import (
    IPHONE,
    App,
    Button,
    Column,
    EditText,
    IconButton,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
    start_server,
)

from .desk_app import AT_ONCE, Wire

AUDIT = "wda/performAccessibilityAudit"
TYPE = "XCUIAccessibilityAuditType"
FLAWED = "dev.example.flawed"


@dataclass
class Nothing:
    stored: dict[str, Any]


class Flaws(Screen[Nothing]):
    title = "Flaws"

    def build(self, app: RunningApp[Nothing]) -> Widget:
        sound: list[Widget] = [
            IconButton(icon="cart", id="named", description="Cart"),
            Button("Buy", id="large"),
            Text("Dark on white", id="dark", foreground="#222222", background="#ffffff"),
            Text(
                "Grey and large",
                id="large_grey",
                size=26,
                foreground="#8a8a8a",
                background="#ffffff",
            ),
            EditText("Email", id="email"),
        ]
        flawed: list[Widget] = [
            IconButton(icon="star", id="unnamed"),
            Button("Tiny", id="small", min_height=0, height=20, width=120, padding=0),
            Text("Grey on white", id="grey", foreground="#bbbbbb", background="#ffffff"),
            Text("Cut", id="cut", size=30, height=12),
        ]
        return Column([*sound, *flawed])


def phone(release: str = "17.5") -> VirtualPhone:
    app: App[Nothing] = App(package=FLAWED, label="Flawed", state=Nothing, start=Flaws)
    return VirtualPhone([app], profile=replace(IPHONE, release=release), latency=AT_ONCE)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    iphone = phone()
    with start_server(iphone, server=False, wda=True) as server:
        yield Wire(server.wda_port, iphone).open().show(FLAWED)


def found(wire: Wire, *types: str) -> set[tuple[str, str]]:
    issues = (
        wire.post(AUDIT, auditTypes=[TYPE + each for each in types]) if types else wire.post(AUDIT)
    )
    return {
        (each["auditType"].removeprefix(TYPE), each["elementAttributes"]["rawIdentifier"])
        for each in issues
    }


def test_it_finds_the_elements_with_a_defect_and_no_others(wire: Wire) -> None:
    everything = {
        ("SufficientElementDescription", "unnamed"),
        ("HitRegion", "small"),
        ("Contrast", "grey"),
        ("TextClipped", "cut"),
    }
    assert found(wire) == found(wire, "All") == everything


def test_a_kind_that_there_is_not_is_refused(wire: Wire) -> None:
    status, error, message = wire.refused("POST", AUDIT, {"auditTypes": [TYPE + "Colour"]})
    assert (status, error) == (400, "invalid argument")
    assert f"'{TYPE}Colour' is not known" in message
    assert wire.refused("POST", AUDIT, {"auditTypes": "all"})[1] == "invalid argument"


def test_an_iphone_before_ios_17_has_none() -> None:
    iphone = phone("16.4")
    with start_server(iphone, server=False, wda=True) as server:
        old = Wire(server.wda_port, iphone).open().show(FLAWED)
        status, error, message = old.refused("POST", AUDIT)
    assert (status, error) == (500, "unknown error")
    assert "only supported since iOS 17" in message
