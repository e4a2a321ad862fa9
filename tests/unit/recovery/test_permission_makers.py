"""The question whether an app may do something, as each maker of phones asks it: known, named,
answered both ways, and never taken for a dialog of the app under test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from typing import Any

import pytest
from lxml import etree

from pytest_replicant.drivers import ANDROID_DIALOGS
from pytest_replicant.errors import ActionFailed
from pytest_replicant.model import Selector
from pytest_replicant.session import DeviceSession, Recorder, permission_prompt
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import PERMISSION_DIALOGS, Profile
from tests.unit.snapshots.screens import button, hierarchy, parse, text

from .failures import APP, app_window, ask, failed, window

LAB = "dev.replicant.lab"
QUICK: dict[str, Any] = {
    "window": 0.4,
    "interval": 0.05,
    "quiet": 0.1,
    "screenshots": False,
    "action_timeout": 0.5,
}
ONCE = ("google", "aosp", "samsung", "miui", "miui-cn")
"""Those that offer an answer for this time only."""
UNKNOWN = "com.newmaker.guard"


@contextmanager
def asked_by(
    maker: str, **settings: Any
) -> Iterator[tuple[DeviceSession, VirtualDevice, Recorder]]:
    """The lab on such a phone, with the question up."""
    profile = Profile(permissions=maker)
    with (
        virtual_device(LAB, profile=profile) as device,
        device.recorded(**{**QUICK, **settings}) as (mobile, recorder),
    ):
        mobile.open_url("lab://permission-question")
        mobile.tap(text="Where am I?")
        yield mobile, device, recorder


@pytest.mark.parametrize("maker", PERMISSION_DIALOGS)
def test_it_is_answered_both_ways_and_for_this_time_only_where_it_is_offered(maker: str) -> None:
    with asked_by(maker) as (mobile, device, _):
        mobile.answer_permission("deny").expect_visible(text="We may not know")
        assert device.driver.app_in_front().app == LAB
        mobile.tap(text="Where am I?")
        if maker in ONCE:
            mobile.answer_permission("allow_once").expect_visible(text="You are in the lab")
            return
        with pytest.raises(ActionFailed, match="offers no such answer, only allow, deny"):
            mobile.answer_permission("allow_once")
        mobile.answer_permission("allow").expect_visible(text="You are in the lab")


@pytest.mark.parametrize("maker", PERMISSION_DIALOGS)
@pytest.mark.parametrize(
    ("wanted", "shown"), [("deny", "We may not know"), ("allow", "You are in the lab")]
)
def test_where_no_one_expected_it_it_is_answered_as_set(
    maker: str, wanted: str, shown: str
) -> None:
    with asked_by(maker, permission_prompts=wanted) as (mobile, _, recorder):
        mobile.expect_visible(text=shown)
        (recovered,) = recorder.recoveries
        assert (recovered.policy, recovered.recovered) == ("permission_prompt", True)


@pytest.mark.parametrize("maker", PERMISSION_DIALOGS)
def test_a_failure_names_it_and_says_what_to_do(maker: str) -> None:
    with asked_by(maker, permission_prompts="leave") as (mobile, _, _):
        with pytest.raises(ActionFailed) as raised:
            mobile.tap(text="No such button")
        said = str(raised.value)
        assert "A system alert covers the app: " in said
        assert 'Next: answer_permission("allow")' in said
        assert raised.value.failure is not None
        assert raised.value.failure.over is not None
        assert raised.value.failure.over.owner == "permission"


@pytest.mark.parametrize("maker", PERMISSION_DIALOGS)
def test_the_order_of_windows_says_nothing(maker: str) -> None:
    with asked_by(maker) as (_, device, _):
        dump = etree.fromstring(device.driver.dump_hierarchy())
        below = etree.fromstring(app_window().encode())
        for roots in permutations([below, *dump]):
            dump[:] = roots
            snapshot = Snapshot.parse(etree.tostring(dump))
            for answer in ("allow", "deny"):
                assert len(pressed(snapshot, answer, LAB)) == 1


def test_who_refuses_on_android_7_is_asked_again_until_a_box_is_checked() -> None:
    with asked_by("packageinstaller") as (mobile, _, _):
        for _again in range(3):
            mobile.answer_permission("deny")
            mobile.tap(text="Where am I?")
        mobile.tap(text="Don't ask again").expect_state(checked=True)
        mobile.answer_permission("deny")
        mobile.tap(text="Where am I?").expect_visible(text="We may not know")


def pressed(snapshot: Snapshot, answer: Any, *own: str) -> list[str]:
    """The labels of what would be pressed for it."""
    question = permission_prompt(ANDROID_DIALOGS, snapshot, own)
    found = (
        [e for e in snapshot.match(each) if e in question]
        for each in ANDROID_DIALOGS.permission_buttons[answer]
    )
    return [each.label for each in next(filter(None, found), [])]


def question(
    package: str, *, ids: tuple[str, str], words: tuple[str, str] = ("Allow", "Deny")
) -> str:
    """A dialog of that package over the app. ``ids`` and ``words`` are those of allow and deny, in
    this order."""
    title = text("May it?", at=(100, 900, 980, 1000), package=package)
    buttons = [
        button(word, at=(100, top, 980, top + 90), package=package, resource_id=name)
        for word, name, top in zip(words, ids, (1000, 1200), strict=True)
    ]
    return hierarchy(window(title, *buttons, package=package), app_window())


AOSP_NAMES = (":id/permission_allow_button", ":id/permission_deny_button")
NO_IDS = ("android:id/button1", "android:id/button2")


def test_an_unknown_maker_is_known_by_the_names_of_its_ids() -> None:
    allow, deny = (UNKNOWN + name for name in AOSP_NAMES)
    screen = parse(question(UNKNOWN, ids=(allow, deny), words=("Yes", "No")))
    assert (pressed(screen, "allow", APP), pressed(screen, "deny", APP)) == (["Yes"], ["No"])
    assert pressed(screen, "allow", "") == []  # it could be the app's own
    assert (
        ask("permission_prompt", failed("ELEMENT_NOT_FOUND", screen, target=Selector(text="Add")))
        is not None
    )


def test_words_count_only_in_the_windows_of_those_that_ask() -> None:
    known = parse(question("com.coloros.securitypermission", ids=NO_IDS))
    assert (pressed(known, "allow", APP), pressed(known, "deny", APP)) == (["Allow"], ["Deny"])
    for package in (APP, UNKNOWN, "android", "com.android.systemui"):
        other = parse(question(package, ids=NO_IDS))
        assert (pressed(other, "allow", APP), pressed(other, "deny", APP)) == ([], [])


@pytest.mark.parametrize(
    "words", [("OK", "Cancel"), ("Install", "Cancel"), ("Zulassen", "Ablehnen")]
)
def test_a_place_is_no_answer(words: tuple[str, str]) -> None:
    screen = parse(question("com.google.android.packageinstaller", ids=NO_IDS, words=words))
    assert (pressed(screen, "allow", APP), pressed(screen, "deny", APP)) == ([], [])


@pytest.mark.parametrize("ids", [NO_IDS, tuple(APP + name for name in AOSP_NAMES), AOSP_NAMES])
def test_a_look_alike_of_the_apps_is_the_product(ids: tuple[str, str]) -> None:
    own = parse(question(APP, ids=ids))
    assert permission_prompt(ANDROID_DIALOGS, own, {APP}) == []
    for target in ("Add", "Check out"):
        failure = failed("ELEMENT_NOT_FOUND", own, target=Selector(text=target))
        assert ask("permission_prompt", failure) is None
