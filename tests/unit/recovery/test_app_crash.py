"""An app that died is started again only where a test allows it, and only where nothing happens
twice."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.errors import Unsupported
from pytest_replicant.model import Remedy, Selector
from tests.unit.snapshots.screens import SHOP, hierarchy, node, parse, text

from .failures import APP, Session, app_window, ask, failed, window
from .test_dialogs import STOPPED

LAUNCHER = "com.google.android.apps.nexuslauncher"
HOME = hierarchy(node("FrameLayout", text("Shop", package=LAUNCHER), package=LAUNCHER))
STOPPED_AT_HOME = STOPPED.replace(f'package="{APP}"', f'package="{LAUNCHER}"')
ALLOWED = Session(allow=frozenset({"relaunch"}))
ADD = parse(SHOP, "s0").find(text="Add", row_with=Selector(text="Tray"))


def test_the_home_screen_in_place_of_the_app() -> None:
    answer = ask("app_crash", failed("STALE_REFERENCE", parse(HOME), element=ADD), session=ALLOWED)
    assert answer is not None
    assert (answer.strategy, answer.before) == ("step_back", (Remedy.relaunch(APP),))
    assert (
        answer.reason
        == f"{APP} was in front and is gone: the home screen ({LAUNCHER}) is there instead"
    )


def test_what_a_selector_meant_in_the_app_is_missing_at_home() -> None:
    target = Selector(text="Add")
    known = Session({target: ADD}, allow=frozenset({"relaunch"}))
    failure = failed("ELEMENT_NOT_FOUND", parse(HOME), target=target)
    assert ask("app_crash", failure, session=known) is not None
    assert (
        ask("app_crash", failure, session=ALLOWED) is None
    )  # the test may have gone home on purpose


@pytest.mark.parametrize(
    ("died", "answers"),
    [
        (["java"], True),
        (["anr", "died"], True),
        (["anr"], False),
        ([], False),
        (Unsupported("", capability="C"), False),
    ],
)
def test_what_the_log_says_of_its_death_is_enough(died: Any, answers: bool) -> None:
    session = Session(allow=frozenset({"relaunch"}))
    session.died = died
    answer = ask(
        "app_crash",
        failed("ELEMENT_NOT_FOUND", parse(HOME), target=Selector(text="Add")),
        session=session,
    )
    assert (answer is not None) == answers
    if answer is not None:
        assert (
            answer.reason
            == f"{APP} died ({died[-1]} of Cart), and the home screen ({LAUNCHER}) is in front"
        )
    in_front = failed("ELEMENT_NOT_FOUND", parse(SHOP), target=Selector(text="Add"))
    assert ask("app_crash", in_front, session=session) is None


def test_an_app_that_died_as_it_started() -> None:
    failure = failed(
        "NAVIGATION_NO_CHANGE", parse(HOME), starts_app=True, idempotent=True, sent=True
    )
    assert ask("app_crash", failure, session=ALLOWED) is not None
    assert (
        ask(
            "app_crash",
            failed("NAVIGATION_NO_CHANGE", parse(HOME), action_type="back"),
            session=ALLOWED,
        )
        is None
    )


def test_the_systems_word_that_it_stopped() -> None:
    answer = ask("app_crash", failed("ELEMENT_NOT_FOUND", parse(STOPPED_AT_HOME)), session=ALLOWED)
    assert answer is not None
    assert '("Shop keeps stopping")' in answer.reason


def test_a_test_about_it_is_left_alone() -> None:
    failure = failed(
        "ELEMENT_NOT_INTERACTABLE", parse(STOPPED_AT_HOME), target=Selector(text="Close app")
    )
    assert ask("app_crash", failure, session=ALLOWED) is None


@pytest.mark.parametrize("allow", [frozenset(), frozenset({"step_back"})])
def test_it_must_be_allowed(allow: frozenset[str]) -> None:
    failure = failed("STALE_REFERENCE", parse(HOME), element=ADD)
    assert ask("app_crash", failure, session=Session(allow=allow)) is None


@pytest.mark.parametrize(
    ("facts", "answers"),
    [
        ({"sent": True}, False),
        ({"sent": True, "idempotent": True}, True),
        ({"action_type": "expect_visible"}, False),
        ({"action_type": "expect_visible", "idempotent": True}, True),
    ],
)
def test_what_may_have_happened_already_is_not_done_again(
    facts: dict[str, bool], answers: bool
) -> None:
    failure = failed("VERIFICATION_FAILED", parse(HOME), element=ADD, **facts)
    assert (ask("app_crash", failure, session=ALLOWED) is not None) == answers


@pytest.mark.parametrize(
    "source",
    [
        hierarchy(app_window()),
        hierarchy(window(text("Share", package="com.other.app"), package="com.other.app")),
        HOME.replace(LAUNCHER, "com.example.launcher.settings"),
        HOME.replace(LAUNCHER, "com.example.homes"),
    ],
)
def test_another_screen_is_no_proof(source: str) -> None:
    assert (
        ask("app_crash", failed("STALE_REFERENCE", parse(source), element=ADD), session=ALLOWED)
        is None
    )


@pytest.mark.parametrize(
    "package",
    [
        "com.miui.home",
        "com.sec.android.app.launcher",
        "com.android.launcher3",
        "com.replicant.launcher",
    ],
)
def test_home_screens_of_many_makers(package: str) -> None:
    home = parse(HOME.replace(LAUNCHER, package))
    assert (
        ask("app_crash", failed("STALE_REFERENCE", home, element=ADD), session=ALLOWED) is not None
    )
