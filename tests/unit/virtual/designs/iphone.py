"""A virtual iPhone, and what a test looks for on it."""

from __future__ import annotations

from dataclasses import replace

from pytest_replicant.virtual import IPHONE, UiNode, VirtualPhone, Window

from ..frail_app import FrailHand, frail_phone
from ..toy_app import Hand, ManualClock, Toy, toy_phone

SCALE = 3  # pixels per point


def iphone(screen: str = "", clock: ManualClock | None = None) -> tuple[VirtualPhone, Hand]:
    """With the toy app in front."""
    phone = toy_phone(screen, clock=clock, profile=IPHONE)
    return phone, Hand(phone)


def front(phone: VirtualPhone) -> Toy:
    """The app in front, as its own callbacks are given it."""
    return phone._tasks.front


def frail_iphone(release: str = "17.5") -> tuple[VirtualPhone, FrailHand, ManualClock]:
    """With the app in front that asks, hangs and dies."""
    clock = ManualClock()
    phone, hand = frail_phone(clock, profile=replace(IPHONE, release=release))
    return phone, hand, clock


def window(phone: VirtualPhone, kind: str) -> Window:
    (found,) = [each for each in phone.windows() if each.kind == kind]
    return found


def kind_of(node: UiNode) -> str:
    """Without the prefix."""
    return node.class_name.rpartition(".")[2].removeprefix("XCUIElementType")


def all_of(root: UiNode, kind: str) -> list[UiNode]:
    return [node for node in root.walk() if kind_of(node) == kind]


def texts_of(root: UiNode) -> list[str]:
    return [node.text for node in root.walk() if node.text]


def points(node: UiNode) -> tuple[int, int, int, int]:
    """Left, top, width, height."""
    bounds = node.bounds
    return bounds.left // SCALE, bounds.top // SCALE, bounds.width // SCALE, bounds.height // SCALE
