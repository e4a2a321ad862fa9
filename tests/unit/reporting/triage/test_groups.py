"""Which failures are put together, and which look alike and are not."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pytest_replicant.kept_runs import (
    ActionCause,
    AnyCause,
    DeathCause,
    PhoneCause,
    RunRow,
    TestCause,
    hash_of,
)
from pytest_replicant.reporting import group

from ..made_rows import plain_row

MISSING = ActionCause(
    "TargetResolutionFailure",
    "ELEMENT_NOT_FOUND",
    target='text="Sign in"',
    screen="Sign in",
    screen_key="k1",
    exception="ActionFailed",
    message='ELEMENT_NOT_FOUND  tap text="Sign in"',
    source="t.py:1",
    trouble="missing",
    subject='"Sign in"',
    look="l1",
)
CRASH = DeathCause(
    "AppCrash",
    crash="java.lang.NullPointerException at shop.Cart.add",
    app="shop",
    source="t.py:2",
    thrown="java.lang.NullPointerException",
    frame="shop.Cart.add",
)
OFFLINE = PhoneCause(
    "DeviceError",
    exception="DeviceOffline",
    message="reading the log on the phone: connection refused",
    detail="connection refused",
    phone="serial-1",
)
STUCK = replace(
    MISSING,
    trouble="screen",
    subject='screen "Catalogue"',
    after='tap Button "Go"',
    effect="stayed",
)
REFUSED = 'message "Wrong email"'
POST = "E Shop: POST /cart 503"
RAISED = TestCause(exception="KeyError", message="'Oak tray'", source="pages.py:52")


def rows(*causes: AnyCause, looks: tuple[str, ...] = ()) -> list[RunRow]:
    broken = [plain_row(f"t{at}", cause) for at, cause in enumerate(causes)]
    return [*broken, plain_row("healthy", outcome="passed", looks=looks)]


def sizes(*causes: AnyCause, looks: tuple[str, ...] = ()) -> list[int]:
    return [len(one.tests) for one in group(rows(*causes, looks=looks))]


TOGETHER: dict[str, tuple[AnyCause, ...]] = {
    "a missing element, by action and by check": (
        MISSING,
        replace(
            MISSING,
            failure_code="VERIFICATION_FAILED",
            exception="ExpectationFailed",
            source="t.py:9",
        ),
    ),
    "a death, however it showed": (CRASH, replace(CRASH, screen="home", source="t.py:8")),
    "a phone that is offline": (
        OFFLINE,
        replace(OFFLINE, message="tapping on the phone: connection refused"),
    ),
    "the same phone offline in other words": (
        OFFLINE,
        replace(OFFLINE, detail="no route to the phone"),
    ),
    "phones and words in a chain": (
        replace(OFFLINE, detail="a", phone="serial-3"),
        replace(OFFLINE, detail="b", phone="serial-3"),
    ),
    "another phone, the same reason": (OFFLINE, replace(OFFLINE, phone="serial-2")),
    "a line of code with another message": (RAISED, replace(RAISED, message="'Red mug'")),
    "a message without a line, numbers apart": (
        replace(RAISED, source="", message="took 31 ms at 0x7f01"),
        replace(RAISED, source="", message="took 29 ms at 0x7e55"),
    ),
    "a prompt in the way of different things": (
        replace(MISSING, blocker='permission prompt "Allow?"'),
        replace(MISSING, blocker='permission prompt "Allow?"', subject='"Add"', trouble="covered"),
    ),
    "an app's own window in the way, known from where it covered": (
        replace(MISSING, trouble="covered", blocker='Dialog "Rate us"', over='Dialog "Rate us"'),
        replace(MISSING, subject='"Add"', over='Dialog "Rate us"', screen_key="k2", look="l2"),
    ),
    "whatever came of an action that changed nothing": (
        replace(MISSING, effect="none", after='tap Button "Sign out"'),
        replace(
            MISSING, effect="none", after='tap Button "Sign out"', trouble="no change", subject=""
        ),
    ),
    "what belongs to the screen that did not come up": (
        replace(
            MISSING,
            trouble="screen",
            subject='screen "Catalogue"',
            after='tap Button "Go"',
            effect="stayed",
        ),
        replace(
            MISSING,
            subject='"Add"',
            after='tap Button "Go"',
            look="l2",
            effect="stayed",
            belongs="Catalogue",
        ),
    ),
    "different things missing from a screen that no one could use": (
        MISSING,
        replace(MISSING, subject='"Add"'),
    ),
    "whatever failed after the app reported an error for the first time": (
        replace(MISSING, signals=(POST,), reason="changed 1"),
        replace(
            MISSING,
            signals=(POST,),
            reason="led 2",
            trouble="value",
            subject='"Total £1"',
            screen_key="k2",
        ),
        replace(RAISED, signals=("E Shop: POST /cart 502",), reason="-"),
    ),
    "one change behind different failures": (
        replace(MISSING, reason="changed 1"),
        replace(MISSING, reason="changed 1", trouble="count", subject='Button "Add"', look="l2"),
    ),
    "a change that another test of the same failure had too": (
        replace(MISSING, reason="changed 1"),
        replace(MISSING, reason="changed 2"),
        replace(MISSING, reason="changed 2", subject='"Add"', look="l2"),
    ),
    "a test that has no pass, with the others of its failure": (
        replace(MISSING, signals=(POST,), reason="changed 1"),
        MISSING,
    ),
    "a ref that points nowhere, on the same screen": (
        replace(MISSING, trouble="stale", subject='the ref q999 (Button "Add")'),
    )
    * 2,
}


@pytest.mark.parametrize("name", TOGETHER)
def test_one_cause(name: str) -> None:
    assert sizes(*TOGETHER[name]) == [len(TOGETHER[name])]


APART: dict[str, tuple[AnyCause, ...]] = {
    "the same words on two screens": (MISSING, replace(MISSING, screen_key="k2", look="l2")),
    "two elements of one screen, each on a look of its own": (
        MISSING,
        replace(MISSING, subject='"Add"', look="l2"),
    ),
    "deaths at two places": (
        CRASH,
        replace(CRASH, crash="java.lang.NullPointerException at shop.Tax.add"),
    ),
    "one death in two apps": (CRASH, replace(CRASH, app="lab")),
    "one exception from two lines": (RAISED, replace(RAISED, source="pages.py:56")),
    "two exceptions from one line": (RAISED, replace(RAISED, exception="ValueError")),
    "missing and disabled": (MISSING, replace(MISSING, trouble="disabled")),
    "two kinds of trouble with a phone": (OFFLINE, replace(OFFLINE, exception="DeviceTimeout")),
    "another phone, another reason": (
        OFFLINE,
        replace(OFFLINE, phone="serial-2", detail="unauthorized"),
    ),
    "two states of one element": (
        replace(
            MISSING,
            trouble="state",
            observed="checked=False instead of checked=True",
            states="checked",
        ),
        replace(
            MISSING,
            trouble="state",
            observed="selected=False instead of selected=True",
            states="selected",
        ),
    ),
    "a prompt and what is missing without one": (
        replace(MISSING, blocker='permission prompt "Allow?"'),
        replace(MISSING, look="l2"),
    ),
    "an app's own window that no one was covered by": (
        replace(MISSING, over='Dialog "Place order?"'),
        replace(MISSING, subject='"Add"', over='Dialog "Place order?"', look="l2"),
    ),
    "a check of the log below a prompt": (
        replace(MISSING, blocker='permission prompt "Allow?"'),
        replace(MISSING, blocker='permission prompt "Allow?"', trouble="log", subject="signed in"),
    ),
    "two actions that changed nothing": (
        replace(MISSING, trouble="no change", subject="", effect="none", after='tap Button "A"'),
        replace(MISSING, trouble="no change", subject="", effect="none", after='tap Button "B"'),
    ),
    "a screen of another name, and what is missing from it": (
        replace(MISSING, trouble="screen", subject='screen "Catalogue"', after='tap Button "Go"'),
        replace(MISSING, subject='"Add"', after='tap Button "Go"', look="l2"),
    ),
    "what failed after an error of the app, and the same failure without it": (
        replace(MISSING, subject='"Add"', look="l2", signals=(POST,), reason="changed 1"),
        replace(MISSING, trouble="disabled", reason="changed 2"),
    ),
    "a dialog over screens without a name, without a pass": (
        replace(MISSING, over='Dialog "Rate us?"', screen=""),
        replace(MISSING, over='Dialog "Rate us?"', screen="", subject='"Add"'),
    ),
    "a toast that did not come, and what is missing from the screen": (
        MISSING,
        replace(MISSING, trouble="unseen", subject='"Thank you"'),
    ),
    "a stale ref on a screen that lacks something": (
        replace(MISSING, trouble="stale", subject="the ref q999"),
        MISSING,
    ),
    "a screen that did not come up, and what may well belong where the app stayed": (
        STUCK,
        replace(MISSING, after=STUCK.after, effect="stayed"),
    ),
    "a screen that did not come up, and what belongs where the app stayed": (
        STUCK,
        replace(MISSING, after=STUCK.after, effect="stayed", belongs="Sign in"),
    ),
    "two screens that did not come up after one action": (
        STUCK,
        replace(STUCK, subject='screen "Settings"'),
    ),
    "one screen that did not come up for two reasons that the app gave": (
        replace(STUCK, answer='"Falsches Kennwort"', reason="led 1"),
        replace(STUCK, answer='"Kein Netz"', reason="led 1"),
    ),
    "two texts that are there in other words": (
        replace(MISSING, nearest='[k1] Button "Sign on"'),
        replace(MISSING, subject='"Add"', nearest='[k2] Button "Add it"'),
    ),
    "a message in other words, and what it kept from coming": (
        replace(STUCK, signals=(REFUSED,), reason="led 1"),
        replace(
            MISSING,
            subject='"Wrong mail"',
            nearest=f"[k1] TextView {REFUSED[8:]}",
            signals=(REFUSED,),
            reason="x 1",
        ),
    ),
    "after one action that led where it should": (
        replace(MISSING, after='tap Button "Go"', effect="stayed"),
        replace(MISSING, subject='"Add"', after='tap Button "Go"', look="l2", effect="stayed"),
    ),
}


@pytest.mark.parametrize("name", APART)
def test_two_causes(name: str) -> None:
    assert sizes(*APART[name]) == [1, 1]


def test_two_things_may_be_missing_from_a_screen_that_others_use() -> None:
    lost = (MISSING, replace(MISSING, subject='"Add"'))
    assert sizes(*lost, looks=("l1",)) == [1, 1]
    assert sizes(*lost, replace(MISSING, subject='"Cart"'), looks=("l1",)) == [3]
    other = replace(MISSING, trouble="screen", subject="Catalogue")
    assert sizes(*lost, other, looks=("l1",)) == [1, 1, 1], (
        "who expected another screen says nothing of this one"
    )
    assert sizes(MISSING, other) == [1, 1]
    assert sizes(*lost, other) == [3], "and goes with those who do"


def test_titles_are_one_bearable_line() -> None:
    hostile = replace(RAISED, message="a\nb\x1b[31m\u202e" + "x" * 9000)
    (one,) = group(rows(hostile))
    assert one.title.isprintable()
    assert len(one.title) <= 200


def test_the_phones_of_one_test_are_one_failure() -> None:
    bare = TestCause(exception="ActionFailed", source="t.py:1")
    both = [
        plain_row("t", bare),
        plain_row("t (phone 2)", MISSING, test="t"),
        plain_row("u", MISSING),
    ]
    (one,) = group(both)
    assert (one.tests, one.failures) == ((0, 1, 2), 2)


def test_the_phone_whose_step_failed_speaks_for_the_others_of_its_test() -> None:
    other, knows = (
        replace(MISSING, subject=name, step=step) for name, step in (("a", ""), ("b", "check-1"))
    )
    found = [
        plain_row("t", other),
        plain_row("t (phone 2)", knows, test="t"),
    ]
    (only,) = group(found)
    assert only.cause is knows


def test_the_order_of_the_rows_changes_no_group() -> None:
    causes = [cause for pair in (*TOGETHER.values(), *APART.values()) for cause in pair]
    numbered = rows(*causes)

    def parts(given: list[RunRow]) -> set[frozenset[str]]:
        return {frozenset(given[at].nodeid for at in one.tests) for one in group(given)}

    for seed in range(5):
        shuffled = list(numbered)
        random.Random(seed).shuffle(shuffled)
        assert parts(shuffled) == parts(numbered)


def test_an_error_of_the_app_that_tests_pass_in_spite_of_is_no_cause() -> None:
    quiet = replace(MISSING, signals=(POST,), reason="-")
    other = replace(quiet, subject='"Add"', look="l2")
    for signal, passes, together in (
        (POST, 0, True),
        (POST, 2, True),
        (POST, 3, False),
        ("W Shop: slow", 1, False),
    ):
        broken = rows(*(replace(one, signals=(signal,)) for one in (quiet, other)))
        healthy = [
            plain_row(f"p{at}", outcome="passed", signals=(hash_of(signal),))
            for at in range(passes)
        ]
        assert len(group([*broken, *healthy])) == (1 if together else 2), (signal, passes)
    noise = (
        replace(quiet, signals=("W Shop: slow", POST)),
        replace(other, signals=("W Shop: slow", POST)),
    )
    healthy = [plain_row("p", outcome="passed", signals=(hash_of("W Shop: slow"),))]
    (one,) = group([*rows(*noise), *healthy])
    assert (
        one.title == 'The app logged "E Shop: POST /cart 503": "Sign in" not found on "Sign in" '
        "(ELEMENT_NOT_FOUND)"
    )


def test_a_failure_that_is_there_without_the_error_too_is_not_of_the_error() -> None:
    with_error = replace(MISSING, signals=(POST,), reason="changed 1")
    assert sizes(with_error, replace(MISSING, reason="changed 1")) == [2]
    elsewhere = replace(MISSING, subject='"Add"', look="l2", signals=(POST,), reason="-")
    assert sizes(with_error, replace(MISSING, reason="changed 1"), elsewhere) == [2, 1]


def test_an_attempt_that_was_run_again_widens_no_cause_and_is_never_quoted() -> None:
    """Two things are missing from a screen, one of them in an attempt after which the test
    passed."""
    flaky = replace(MISSING, subject='"Flaky only"', message="only once", screen="Sign in")
    attempts = [
        plain_row("f", flaky),
        plain_row("f", outcome="passed", attempt=1),
        plain_row("t", MISSING),
    ]
    first, second = group(attempts)
    assert (first.title, first.failures, first.cause) == (
        '"Sign in" not found on "Sign in" (ELEMENT_NOT_FOUND)',
        1,
        MISSING,
    )
    assert (second.failures, second.earlier) == (0, (0,))
    again = [
        replace(attempts[0], cause=replace(MISSING, failure_code="TIMEOUT", message="x")),
        *attempts[1:],
    ]
    (one,) = group(again)
    assert (one.cause, one.failures, one.earlier) == (MISSING, 1, (0,))
    assert one.title.endswith("(ELEMENT_NOT_FOUND)"), "the code is of a failure that counts"


def test_the_key_of_a_cause_is_the_same_in_another_run() -> None:
    (alone,) = group(rows(MISSING))
    other = replace(MISSING, subject='"Add"')
    assert group(rows(MISSING, other))[0].key == group(rows(other, MISSING))[0].key
    (dearer,) = group(
        rows(replace(MISSING, subject='"Sign in"', message="other words", source="t.py:99"))
    )
    assert alone.key == dearer.key
    assert len(alone.key) == 8
    assert group(rows(CRASH))[0].key != alone.key


def priced(pounds: str) -> ActionCause:
    observed = f'"Total £1", not "Total £{pounds}"'
    return replace(MISSING, trouble="value", subject=f'"Total £{pounds}"', observed=observed)


AUTHOR = replace(MISSING, subject='"Frank Herbert"', reason="changed 1")
LEND = replace(
    AUTHOR, trouble="disabled", subject='Button "Lend"', failure_code="ELEMENT_NOT_INTERACTABLE"
)
OVER = replace(MISSING, over='Dialog "Rate us?"', screen="", reason="over 1")
DEAD = replace(MISSING, after='tap Button "Pay now"', effect="none", reason="unanswered 1")
NOISY = replace(MISSING, signals=("W Push: token refresh delayed",), reason="-")
TITLES: dict[str, tuple[AnyCause, ...]] = {
    "shop died: NullPointerException at Cart.add": (CRASH,),
    "shop did not respond: Input timed out": (
        replace(
            CRASH,
            failure_class="ApplicationNotResponding",
            crash="anr Input",
            detail="Input timed out",
        ),
    ),
    "KeyError at pages.py:52: 'Oak tray'": (RAISED,),
    "The phone went offline: connection refused": (OFFLINE,),
    '"Sign in" not found on "Sign in" (ELEMENT_NOT_FOUND)': (NOISY,),
    '"Total £99.00" has another value on "Sign in": "Total £1", not "Total £99.00" '
    "(ELEMENT_NOT_FOUND), and 1 "
    "like it": (priced("99.00"), priced("8.00"), priced("8.00")),
    'the ref q999 (Button "Add") is not there any more on "Sign in" (STALE_REFERENCE)': (
        replace(
            MISSING,
            trouble="stale",
            failure_code="STALE_REFERENCE",
            subject='the ref q999 (Button "Add")',
        ),
    ),
    '"Frank Herbert" not found on "Sign in" (ELEMENT_NOT_FOUND), and 1 like it': (AUTHOR, LEND),
    'Button "Lend" is disabled on "Sign in" (ELEMENT_NOT_INTERACTABLE), and 1 like it': (
        LEND,
        AUTHOR,
    ),
    'Dialog "Rate us?" was in the way': (OVER, replace(OVER, subject='"Add"')),
    'tap Button "Pay now" changed nothing on "Sign in"': (
        DEAD,
        replace(DEAD, subject='"Thank you"'),
    ),
    f'The app logged "{POST}": "Sign in" not found on "Sign in" (ELEMENT_NOT_FOUND)': (
        replace(NOISY, signals=("W Cache: miss", POST)),
        replace(NOISY, signals=(POST,)),
    ),
    'The screen said "It is too long": "Sign in" not found on "Sign in" (ELEMENT_NOT_FOUND)': (
        replace(NOISY, signals=('message "It is too long"',)),
    ),
    '"Thank you" was not seen on "Sign in" (ELEMENT_NOT_FOUND)': (
        replace(MISSING, trouble="unseen", subject='"Thank you"'),
    ),
}


@pytest.mark.parametrize("title", TITLES)
def test_a_cause_is_said_in_a_line(title: str) -> None:
    (one,) = group(rows(*TITLES[title]))
    assert one.title == title


def test_the_largest_comes_first() -> None:
    assert [one.cause for one in group(rows(RAISED, CRASH, CRASH))] == [CRASH, RAISED]
