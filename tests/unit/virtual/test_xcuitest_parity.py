"""One app on both platforms: what a tester reads of a screen is the same."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import (
    IPHONE,
    Profile,
    VirtualPhone,
    XCElement,
    element_tree,
    lab,
    render_hierarchy,
    shop,
    to_xml,
)

from .toy_app import STILL, TOY, ManualClock

BACK = {"Navigate up", "Back"}
EXHIBITS = [
    "side-scroller", "reorder", "drop-zones", "overlay", "late-content", "carousel",
    "stepped-slider", "dropdown", "segments", "masked-field", "hint-field", "web-page", "pinch-map",
    "rotation", "spoken-control",
]  # fmt: skip


def phone(profile: Profile) -> VirtualPhone:
    return VirtualPhone([shop(), lab(), TOY], profile=profile, latency=STILL, clock=ManualClock())


def tree_of(iphone: VirtualPhone) -> XCElement:
    bundle_id, _ = iphone.foreground()
    return element_tree(
        iphone.windows(),
        bundle_id=bundle_id,
        name="App",
        pid=7,
        size=iphone.size,
        scale=iphone.profile.scale,
    )


def read(device: VirtualPhone) -> Snapshot:
    if device.profile.platform == "android":
        return Snapshot.parse(render_hierarchy(device.windows(), 0, server=True))
    return Snapshot.parse(to_xml(tree_of(device)))


def labels(device: VirtualPhone, title: str) -> list[str]:
    """What can be read below the bar at the top, in order."""
    return [
        each.label
        for each in read(device).elements
        if each.label and each.label not in {*BACK, title}
    ]


def on_both(
    package: str, activity: str | None = None, url: str | None = None
) -> tuple[VirtualPhone, VirtualPhone]:
    phones = phone(Profile()), phone(IPHONE)
    for each in phones:
        each.start_app(package, activity, url)
    return phones


@pytest.mark.parametrize(
    ("activity", "title"),
    [
        (".SignInActivity", "Sign in"),
        (".ResetPasswordActivity", "Reset password"),
        (".ProductActivity", "Product"),
        (".OrderPlacedActivity", "Order placed"),
        (".SettingsActivity", "Settings"),
    ],
)
def test_screens_of_the_shop_read_alike(activity: str, title: str) -> None:
    android, iphone = on_both(shop().package, activity)
    assert labels(iphone, title) == labels(android, title) != []


@pytest.mark.parametrize("slug", EXHIBITS)
def test_exhibits_of_the_lab_read_alike(slug: str) -> None:
    android, iphone = on_both(lab().package, url=f"lab://{slug}")
    title = read(android).title
    assert (
        [each for each in labels(iphone, title) if each != "In progress"]
        == labels(android, title)
        != []
    )
