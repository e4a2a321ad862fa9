"""Hierarchies that the on-device servers cannot give: too deep for a stack, or for iOS."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.virtual import (
    App,
    Column,
    Latency,
    Profile,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
)

from .uiautomator2_client import Client

PACKAGE = "dev.example.deep"
LEVELS = 60


class Deep(Screen[None]):
    """Boxes around a text; with a touch the outermost can be tapped, and has no name but what is in
    it."""

    touch = False

    def build(self, app: RunningApp[None]) -> Widget:
        inner: Widget = Text("Bottom")
        for _ in range(LEVELS):
            inner = Column([inner])
        return Column([inner], on_click=(lambda: None) if self.touch else None)


class Touched(Deep):
    touch = True


def levels_of(dump: str) -> int:
    level, levels = list(ElementTree.fromstring(dump.encode())), 0
    while level:
        level, levels = [inner for one in level for inner in one], levels + 1
    return levels


def client(deepest: int, screen: type[Screen[None]] = Deep) -> Client:
    app: App[None] = App(package=PACKAGE, label="Deep", state=lambda stored: None, start=screen)
    profile = replace(Profile(), deepest=deepest)
    phone = VirtualPhone([app], profile=profile, latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    return Client(phone)


@pytest.mark.parametrize(("depth", "levels"), [(-1, 1), (0, 1), (1, 2), (2, 3), (20, 21)])
def test_the_depth_of_a_dump_does_not_count_the_window(depth: int, levels: int) -> None:
    assert levels_of(client(100).call("dumpWindowHierarchy", False, depth)) == levels


@pytest.mark.parametrize("depth", [120, 50])
def test_one_that_it_does_not_is_a_stack_overflow(depth: int) -> None:
    """The class alone is the message; the reason is the stack's first line."""
    error = client(40).error("dumpWindowHierarchy", False, depth)
    assert (error["code"], error["message"]) == (-32001, "java.lang.StackOverflowError")
    assert error["data"].startswith(
        "java.lang.StackOverflowError: stack size 1039KB\n\tat com.wetest.uia2.stub"
    )


def test_the_search_for_a_name_goes_below_the_depth_that_was_asked_for() -> None:
    """Of what can be tapped and says nothing itself; a dump that ends above it is given."""
    assert client(40, Deep).call("dumpWindowHierarchy", False, 20)
    touched = client(40, Touched)
    assert (
        touched.error("dumpWindowHierarchy", False, 20)["message"] == "java.lang.StackOverflowError"
    )
    assert "<node" in touched.call("dumpWindowHierarchy", False, 0)


@pytest.mark.parametrize("value", ["0", "-1", "deep", "1000"])
def test_a_stack_has_some_levels(value: str) -> None:
    with pytest.raises(UsageError, match=f"deepest={value} is no number of levels"):
        Profile().with_knobs({"deepest": value})
    assert Profile().with_knobs({"deepest": "60"}).deepest == 60
