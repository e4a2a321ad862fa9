"""Apple's accessibility audit as the virtual iPhone answers it: what it finds, and which phones have none."""

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
            Text("Grey and large", id="large_grey", size=26, foreground="#8a8a8a", background="#ffffff"),
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
    issues = wire.post(AUDIT, auditTypes=[TYPE + each for each in types]) if types else wire.post(AUDIT)
    return {(each["auditType"].removeprefix(TYPE), each["elementAttributes"]["rawIdentifier"]) for each in issues}


def test_it_finds_the_elements_with_a_defect_and_no_others(wire: Wire) -> None:
    everything = {
        ("SufficientElementDescription", "unnamed"),
        ("HitRegion", "small"),
        ("Contrast", "grey"),
        ("TextClipped", "cut"),
    }
    assert found(wire) == found(wire, "All") == everything


def test_it_looks_for_the_kinds_that_were_asked_for(wire: Wire) -> None:
    assert found(wire, "HitRegion", "Trait") == {("HitRegion", "small")}
    assert found(wire, "DynamicType") == set()


def test_an_issue_says_what_is_wrong_and_with_which_element(wire: Wire) -> None:
    (issue,) = wire.post(AUDIT, auditTypes=[TYPE + "HitRegion"])
    assert set(issue) == {
        *("auditType", "compactDescription", "detailedDescription"),
        *("element", "elementDescription", "elementAttributes"),
    }
    assert issue["element"] == '"Tiny" Button'
    assert issue["compactDescription"] == "Hit area is too small"
    about = issue["elementAttributes"]
    assert about["rect"] == wire.rect("small")
    assert (about["type"], about["label"], about["isEnabled"]) == ("Button", "Tiny", "1")
    assert not {"children", "isVisible", "isAccessible"} & set(about)
    assert "label: 'Tiny'" in issue["elementDescription"]


def test_a_kind_that_there_is_not_is_refused(wire: Wire) -> None:
    status, error, message = wire.refused("POST", AUDIT, {"auditTypes": [TYPE + "Colour"]})
    assert (status, error) == (400, "invalid argument")
    assert f"'{TYPE}Colour' is not known" in message
    assert wire.refused("POST", AUDIT, {"auditTypes": "all"})[1] == "invalid argument"


def test_it_takes_a_session(wire: Wire) -> None:
    assert wire.refused("POST", f"/{AUDIT}")[:2] == (404, "unknown command")
    assert wire.refused("POST", f"/session/none/{AUDIT}")[:2] == (404, "invalid session id")


def test_an_iphone_before_ios_17_has_none() -> None:
    iphone = phone("16.4")
    with start_server(iphone, server=False, wda=True) as server:
        old = Wire(server.wda_port, iphone).open().show(FLAWED)
        status, error, message = old.refused("POST", AUDIT)
    assert (status, error) == (500, "unknown error")
    assert "only supported since iOS 17" in message
