"""Where a failure parted from the last pass: the right step, and no step where there is nothing to
tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pytest_replicant.kept_runs import RecordedAttempt, RecordedScreen, RecordedStep
from pytest_replicant.model import DeathRecord, ElementRecord, FailureRecord, by
from pytest_replicant.reporting import Evidence, compared

from .recorded_runs import (
    BUTTON,
    CART,
    CATALOGUE,
    RATING,
    REFUSED,
    SIGN_IN,
    act,
    check,
    failed,
    numbered,
    passed,
)

LAUNCH = act("launch dev.replicant.shop", SIGN_IN)
FILL = act("fill text=\"Email\" with 'ada@example.com'", SIGN_IN)
TAP = act('tap text="Sign in"')
SHOWS = check("expect_screen Catalogue")
PASS = passed(LAUNCH, FILL, TAP, SHOWS, act('tap text="Cart"', CART))
STUCK = replace(TAP, after=REFUSED), replace(SHOWS, after=REFUSED, error="no")
BROKEN = replace(SHOWS, error="no")
POST = "E Shop: POST /cart 503"


def missed(kind: str, code: Any = "VERIFICATION_FAILED", **selector: Any) -> FailureRecord:
    return FailureRecord(kind, code, selector=by(**selector))


def on(place: RecordedScreen, *lines: str) -> RecordedScreen:
    return replace(place, outline=lines)


@dataclass(frozen=True)
class Case:
    """Two runs, the anchor of the step at which they parted, and what the sentence says and does
    not say."""

    then: RecordedAttempt
    now: RecordedAttempt
    step: str = ""
    says: Sequence[str] = ()
    lacks: Sequence[str] = ()


BANNER = replace(SIGN_IN, outline=(*SIGN_IN.outline, '[b001] "You are offline"'))
WRONG = replace(REFUSED, outline=(*BANNER.outline, '[h068] "Wrong password"'))
CLOSE = act('tap text="Later"', SIGN_IN)
NUMBERED = [on(CART, *CART.outline, f'"Total £{pounds}"') for pounds in ("9.90", "9.91")]
PRICED = check('expect_visible text="£1.50"', on(CART, "Cart", '[r1] "Rate"', '[p2] "£1.50"'))
DEAR = on(CART, "Cart", '[r1] "Rate"', '[p9] "£9.99"')
BAR = ("Catalogue", '[s1] "Welcome"', '[u969] ImageButton "Settings"', '[c2] Button "Cart"')
RENAMED = on(CATALOGUE, *BAR[:2], '[b423] ImageButton "More"', BAR[3])
SETTINGS = act('tap text="Settings"', CART, before=on(CATALOGUE, *BAR))
TO_PAY = check('expect_visible text="To pay £6.50"', CART)
SLOW = [replace(step, duration_ms=step.duration_ms * 4) for step in PASS.steps]
LISTED = ('[a100] "Blue mug"', '[b200] "Red mug"', '[c300] "Oak tray"')
FIRST = check('expect_visible text="Blue mug"', on(CART, *LISTED))
SWAPPED = on(CART, LISTED[1], LISTED[0], LISTED[2])
UNPAID = on(CART, "Cart", '[p1] Button "Pay now"')
PAY = act(
    'tap text="Pay now"',
    on(CART, "Cart", '[p1] Button "Pay now" [disabled]', '[t2] "Paid"'),
    before=UNPAID,
)
TWICE = on(CART, *UNPAID.outline, '[p3] Button "Pay now"')

CASES = {
    "the step that led elsewhere, with what was new there": Case(
        PASS,
        failed(
            LAUNCH,
            FILL,
            replace(TAP, after=REFUSED, logs=("E ShopAuth: 401",), duration_ms=2100),
            replace(SHOWS, after=REFUSED, error="expect_screen Catalogue: Sign in"),
        ),
        "a3",
        [
            'Diverged at step 3 of 4, tap text="Sign in": the last pass went on to "Catalogue", '
            'this run stayed on "Sign in" with a new [h068] "Wrong password"; it took 2.1 s '
            "instead of 0.4 s; log: E ShopAuth: 4"
        ],
    ),
    "a dialog, though the screen has the same title": Case(
        PASS,
        failed(LAUNCH, FILL, replace(TAP, after=RATING), replace(SHOWS, after=RATING, error="no")),
        "a3",
        ['this run reached the dialog "Rate us" over "Catalogue"'],
    ),
    "content that changes is no divergence": Case(
        PASS,
        failed(
            LAUNCH,
            FILL,
            replace(
                TAP, after=on(CATALOGUE, CATALOGUE.outline[0], '[c236] Button "Cart, 12 items"')
            ),
            replace(
                SHOWS,
                after=on(CATALOGUE, CATALOGUE.outline[0], '[c236] Button "Cart, 12 items"'),
                error="failed",
                expected="Catalogue",
                observed="nothing",
            ),
        ),
        "a4",
        ["which passed then and failed here: expected Catalogue, saw nothing"],
    ),
    "a screen that came later than last time": Case(
        replace(PASS, steps=numbered(LAUNCH, FILL, replace(TAP, after=SIGN_IN), SHOWS)),
        failed(LAUNCH, FILL, TAP, BROKEN),
        "a4",
    ),
    "another element is reported before where it led": Case(
        passed(LAUNCH, replace(TAP, target=BUTTON)),
        failed(
            LAUNCH,
            replace(TAP, target=ElementRecord("TextView", "Sign in", "shop:id/link"), after=CART),
        ),
        "a2",
        ['it went to TextView "Sign in", in the last pass to Button "Sign in"'],
    ),
    "two elements of one name by their ids": Case(
        passed(LAUNCH, replace(TAP, target=replace(BUTTON, resource_id="one"))),
        failed(LAUNCH, replace(TAP, target=replace(BUTTON, resource_id="two"), after=CART)),
        "a2",
        ['it went to Button "Sign in" id=two, in the last pass to Button "Sign in" id=one'],
    ),
    "a screen that the next action found after all": Case(
        passed(LAUNCH, TAP, act("back", SIGN_IN), SHOWS),
        failed(LAUNCH, replace(TAP, after=CART), act("back", SIGN_IN), BROKEN),
        "a4",
    ),
    "the same element with another label is content": Case(
        passed(LAUNCH, replace(TAP, target=BUTTON)),
        failed(LAUNCH, replace(TAP, target=replace(BUTTON, label="Anmelden"))),
        "",
        ["Same steps and screens"],
    ),
    "a little time is none": Case(
        PASS,
        failed(
            LAUNCH, FILL, replace(TAP, duration_ms=1_300), SHOWS, PASS.steps[4], failure="assert 0"
        ),
        "",
        ["Same steps and screens as the last pass, all 5: assert 0."],
        ["took"],
    ),
    "a phone that was slow all along": Case(
        PASS, failed(*SLOW[:3], replace(SLOW[3], error="no")), "a4", (), ["took"]
    ),
    "a run that ended early": Case(
        PASS,
        failed(*PASS.steps[:2], failure="KeyError: 'x'"),
        "",
        [
            "Same steps and screens as the last pass up to step 2, after which this run did no "
            "more and the last pass did tap text=\"Sign in\": KeyError: 'x'."
        ],
    ),
    "an action that was left out": Case(
        PASS,
        failed(LAUNCH, *STUCK),
        "",
        ["Diverged before step 2 of 3: the last pass did fill"],
        ["before it only the last pass did"],
    ),
    "an action that was added": Case(
        PASS,
        failed(LAUNCH, act("back", CART), replace(FILL, after=CART, error="no")),
        "a2",
        ["Diverged at step 2 of 3, back", "the last pass did not do it"],
    ),
    "an edit that changed nothing stands behind the real divergence": Case(
        PASS,
        failed(LAUNCH, act('tap text="Remember me"', SIGN_IN), FILL, *STUCK),
        "a4",
        ['before it only this run did tap text="Remember me"'],
    ),
    "a new check that failed": Case(
        PASS,
        failed(LAUNCH, check("expect_visible x", SIGN_IN, error="absent")),
        "a2",
        ["the last pass did not do it, and it failed here: absent"],
    ),
    "another phone": Case(
        replace(PASS, device="Pixel 7, Android 14"),
        failed(*PASS.steps, device="Pixel 8, Android 15", failure="assert 0"),
        "",
        ["(on other phones: Pixel 7, Android 14 then, Pixel 8, Android 15 now)."],
    ),
    "no steps in the pass": Case(
        passed(), failed(LAUNCH), "a1", ["The last pass recorded no steps to compare with."]
    ),
    "no steps in this run": Case(
        PASS,
        failed(failure="DeviceOffline: gone"),
        "",
        ["No step was done, where the last pass did 5: DeviceOffline: gone."],
    ),
    "the death of the app outranks the log": Case(
        PASS,
        failed(
            LAUNCH,
            FILL,
            replace(
                TAP,
                after=RecordedScreen("", "home", "launcher"),
                logs=("E Zygote: 1",),
                error="died",
            ),
            deaths=(DeathRecord("dev.replicant.shop died: no cart (Cart.kt:4)", after="a3"),),
        ),
        "a3",
        ["which passed then and failed here: died; dev.replicant.shop died: no cart"],
        ["Zygote"],
    ),
    "screens with other numbers": Case(
        passed(LAUNCH, act("tap x", NUMBERED[0]), check("expect_visible y", NUMBERED[0])),
        failed(
            LAUNCH,
            act("tap x", NUMBERED[1]),
            check("expect_visible y", NUMBERED[1], error="absent"),
        ),
        "a3",
        ["Same steps and screens, numbers apart, as the last pass"],
    ),
    "screens whose content was not kept are not called the same": Case(
        passed(LAUNCH, act("tap x", on(CART)), check("expect_visible y", on(CART))),
        failed(LAUNCH, act("tap x", CART), check("expect_visible y", CART, error="absent")),
        "a3",
        ["Same steps as the last pass up to step 3 of 3"],
    ),
    "rows that were exchanged are not the same screens": Case(
        passed(LAUNCH, act("tap x", on(CART, *LISTED)), FIRST),
        failed(
            LAUNCH,
            act("tap x", SWAPPED),
            replace(
                FIRST,
                after=SWAPPED,
                error="absent",
                failure=missed("expect_visible", text="Blue mug", nth=0),
            ),
            failure="absent",
            step="a3",
        ),
        "a3",
        [
            "Same steps as the last pass up to step 3 of 3",
            '"Cart" is not the same since step 2 of 3, tap x: its lines in another order',
        ],
    ),
    "what was there before the step is not called new": Case(
        passed(LAUNCH, FILL, TAP, SHOWS),
        failed(
            replace(LAUNCH, after=BANNER),
            replace(FILL, after=BANNER),
            replace(TAP, before=BANNER, after=WRONG),
            replace(SHOWS, after=WRONG, error="no"),
        ),
        "a3",
        ['with a new [h068] "Wrong password"'],
        ["offline"],
    ),
    "what is in the place of a renamed control": Case(
        passed(LAUNCH, act("tap a", on(CATALOGUE, *BAR)), SETTINGS),
        failed(
            LAUNCH,
            act("tap a", RENAMED),
            replace(
                SETTINGS,
                after=RENAMED,
                error="gone",
                failure=missed("tap", "ELEMENT_NOT_FOUND", text="Settings"),
            ),
            step="a3",
            failure="x",
        ),
        "a3",
        [', with [b423] ImageButton "More" in the place of [u969] ImageButton "Settings"'],
    ),
    "a notice that was closed then and is not there now": Case(
        passed(LAUNCH, CLOSE, FILL, TAP, SHOWS),
        failed(
            LAUNCH, replace(CLOSE, error="ELEMENT_NOT_FOUND"), FILL, *STUCK, failure="no", step="a5"
        ),
        "a4",
    ),
    "a notice whose absence failed the test": Case(
        passed(LAUNCH, CLOSE, FILL, TAP, SHOWS),
        failed(
            LAUNCH, replace(CLOSE, error="ELEMENT_NOT_FOUND"), FILL, *STUCK, failure="no", step="a2"
        ),
        "a2",
    ),
    "what a teardown does after the failure hides nothing": Case(
        passed(LAUNCH, FILL, act("press_key home", RecordedScreen("", "home", "launcher"))),
        failed(
            LAUNCH,
            replace(FILL, error="NOT_INTERACTABLE"),
            act("press_key home", RecordedScreen("", "home", "launcher")),
            failure="no",
            step="a2",
        ),
        "a2",
    ),
    "a failed action is compared with the screen before it": Case(
        passed(PAY),
        failed(
            replace(
                PAY,
                before=TWICE,
                after=TWICE,
                error="2 matches",
                failure=missed("tap", "AMBIGUOUS_TARGET", text="Pay now"),
            ),
            failure="2 matches",
            step="a1",
        ),
        "a1",
        ['"Cart" is not the same since step 1 of 1, tap text="Pay now"'],
        ["disabled"],
    ),
    "a check whose number was edited is not said to have passed": Case(
        passed(LAUNCH, TO_PAY),
        failed(LAUNCH, replace(TO_PAY, title='expect_visible text="To pay £6.55"', error="absent")),
        "a2",
        [
            'where the last pass did expect_visible text="To pay £6.50", this run did this, which '
            "failed"
        ],
        ["which passed then"],
    ),
    "another number where the failure is about it": Case(
        passed(replace(LAUNCH, after=PRICED.after), PRICED),
        failed(
            replace(LAUNCH, after=DEAR),
            replace(
                PRICED, after=DEAR, error="absent", failure=missed("expect_visible", text="£1.50")
            ),
            failure="absent",
            step="a2",
        ),
        "a2",
        [
            "Same steps and screens, numbers apart, as the last pass",
            '"Cart" is not the same since step 1 of 2',
            '"£9.99"',
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_where_they_parted(name: str) -> None:
    case = CASES[name]
    divergence = compared(case.then, case.now)
    assert divergence.step == case.step, divergence.sentence
    assert [one for one in case.says if one not in divergence.sentence] == [], divergence.sentence
    assert [one for one in case.lacks if one in divergence.sentence] == []


def test_without_a_pass_that_is_said() -> None:
    assert compared(None, failed()).sentence == "No earlier pass of this test is at hand."
    assert compared(None, failed(), missing="none in x").sentence.endswith("is at hand: none in x.")


def test_the_evidence_of_a_step_that_led_elsewhere() -> None:
    tap = replace(STUCK[0], logs=("E ShopAuth: 401",), duration_ms=2100)
    evidence = compared(PASS, failed(LAUNCH, FILL, tap, STUCK[1])).evidence
    assert [one.kind for one in evidence] == ["tree", "log", "timing"]
    assert evidence[0].lines == ('+ [h068] "Wrong password"',)


def test_what_the_last_pass_logged_too_is_no_evidence() -> None:
    then = passed(LAUNCH, replace(TAP, logs=("E Net: took 120 ms",)), SHOWS, hears_log=True)
    broken = replace(BROKEN, logs=("E Net: took 7 ms", "W Net: 401"))
    (log,) = compared(then, failed(LAUNCH, TAP, broken)).evidence
    assert log == Evidence(
        "log", "warnings and errors that the last pass did not log", ("W Net: 401",)
    )


def test_the_evidence_is_little_and_names_what_the_step_was_about_first() -> None:
    lines = tuple(f'[a{at:03}] "Row {chr(97 + at)}"' for at in range(20))
    shows = check('expect_visible text="Total"', on(CART, *lines, '"Total"'))
    others = on(CART, *(line.replace("Row", "Line") for line in lines))
    now = replace(shows, after=others, error="no", failure=missed("expect_visible", text="Total"))
    (tree,) = compared(passed(LAUNCH, shows), failed(LAUNCH, now)).evidence
    assert len(tree.lines) == 8
    assert tree.lines[0] == '- "Total"'
    assert tree.text == '"Cart" differs; 33 lines more'


@pytest.mark.parametrize("signal", [POST, 'toast "Something went wrong"'])
def test_what_the_app_says_for_the_first_time_is_where_the_run_left_the_way_of_the_pass(
    signal: str,
) -> None:
    """The failure comes steps later, on a screen with the same title."""
    add, total = act('tap text="Add"'), check('expect_visible text="Total £9.90"', CART)
    to_cart = act('tap text="Cart"', CART)
    then = passed(LAUNCH, add, to_cart, total, hears_log=True, hears_toasts=True)
    broken = (LAUNCH, replace(add, signals=(signal,)), to_cart, replace(total, error="absent"))
    now = failed(*broken, failure="absent", step="a4")
    divergence = compared(then, now)
    assert (divergence.step, divergence.signals) == ("a2", (signal,))
    assert divergence.sentence == (
        f'Diverged at step 2 of 4, tap text="Add": unlike the last pass there was {signal}; step 4 '
        'of 4, expect_visible text="Total £9.90", failed: absent.'
    )
    known = replace(then, steps=(*then.steps, replace(SHOWS, after=CART, signals=(signal,))))
    assert compared(known, now).step == "a4", "the pass had it too, if later"
    deaf = replace(then, hears_log=False, hears_toasts=False)
    assert (compared(deaf, now).step, compared(deaf, now).signals) == ("a4", ()), (
        "nothing is known of the pass"
    )


def test_a_warning_alone_yields_to_whatever_else_is_different() -> None:
    """Some apps log a warning in one run and not in the next."""
    slow, add = replace(LAUNCH, signals=("W Sync: slow answer",)), act('tap text="Add"')
    then = passed(LAUNCH, add, SHOWS, hears_log=True, hears_toasts=True)
    assert compared(then, failed(slow, add, BROKEN)).step == "a3"
    assert compared(then, failed(slow, replace(add, signals=(POST,)), BROKEN)).step == "a2"
    assert compared(then, failed(slow, add, SHOWS, failure="assert 0")).step == "a1", "all there is"


def first_part(then: RecordedStep, *now: RecordedStep, **known: Any) -> str:
    """The sentence about the failed step itself."""
    return compared(passed(LAUNCH, then), failed(LAUNCH, *now, **known)).sentence.partition(";")[0]


def test_only_what_the_failed_step_was_about_is_given_as_the_difference() -> None:
    """Two faults on one screen: a control is gone, and the price is another one."""
    lines = ("Detail", '[d1] Button "Directions"', '[p2] "Price on request"', '[o3] Button "Order"')
    shows = check('expect_visible text="Price on request"', on(CART, *lines))
    broken = replace(
        shows, after=on(CART, "Detail", '[p4] "Free of charge"', lines[3]), error="absent"
    )
    wanted = replace(broken, failure=missed("expect_visible", text="Price on request"))
    assert ', without [p2] "Price on request"' in first_part(shows, wanted)
    assert "out [d1]" not in first_part(
        shows, replace(broken, failure=missed("expect_visible", text="Sold by"))
    )


def test_a_row_of_a_list_that_is_still_there_is_not_called_gone() -> None:
    """Of two equal rows one is left; a row without a ref begins with a dash alone."""
    rows = ("Cart", '  - "Blue mug"', '  - "Blue mug"', '[o3] Button "Order"')
    counts = check('expect_count 2 text="Blue mug"', on(CART, *rows))
    for left, gone in ((rows[1:], False), (rows[3:], True)):
        wanted = missed("expect_count", text="Blue mug")
        now = replace(counts, after=on(CART, *left), error="no", failure=wanted)
        assert (', without "Blue mug"' in first_part(counts, now)) is gone


def test_a_control_of_another_row_is_not_named() -> None:
    """Both rows have the same button; in the other row it is disabled by another fault."""
    rows = (
        "Cart",
        '[r1] "Blue mug"',
        '[b300] Button "Add"',
        '[r2] "Red mug"',
        '[c400] Button "Add"',
    )
    place = on(CART, *rows)
    tap = act('tap text="Add", row_with=by(text="Blue mug")', place, before=place)
    other = on(CART, rows[0], '[r2] "Red mug"', '[c400] Button "Add" [disabled]')
    missing = missed("tap", "ELEMENT_NOT_FOUND", text="Add", row_with=by(text="Blue mug"))
    now = failed(
        replace(tap, after=other, error="not found", failure=missing), step="a1", failure="x"
    )
    sentence = compared(passed(tap), now).sentence
    assert ', without [r1] "Blue mug"' in sentence
    assert "disabled" not in sentence
    closed = on(CART, *rows[:2], '[b300] Button "Add" [disabled]', *rows[3:])
    unfit = replace(
        missing, code="ELEMENT_NOT_INTERACTABLE", element=ElementRecord("Button", "Add", ref="b300")
    )
    now = failed(
        replace(tap, after=closed, error="disabled", failure=unfit), step="a1", failure="x"
    )
    assert ', with [b300] Button "Add" [disabled]' in compared(passed(tap), now).sentence


def test_text_of_an_app_stays_in_its_line_and_a_sentence_is_never_a_page() -> None:
    for text, hostile in (('a\x00b\x1b[31m\u202eevil\n"c', True), ("x" * 100_000, False)):
        place = RecordedScreen(text, "other", outline=(text, f"Dialog {text}"))
        target = ElementRecord(text, text, text, text)
        tap = replace(
            TAP, title=f"tap {text}", after=place, target=target, error=text, logs=(text,)
        )
        then = passed(LAUNCH, replace(tap, after=SIGN_IN, target=BUTTON, error=""))
        divergence = compared(then, failed(LAUNCH, tap, failure=text))
        evidence = [line for one in divergence.evidence for line in (one.text, *one.lines)]
        assert len(divergence.sentence) <= 700
        assert not hostile or all(line.isprintable() for line in (divergence.sentence, *evidence))
        assert all(len(line) <= 200 for one in divergence.evidence for line in one.lines)
