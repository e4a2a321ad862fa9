"""Where a failure parted from the last pass: the right step, and no step where there is nothing to tell."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from pytest_replicant.kept import RecordedScreen
from pytest_replicant.model import DeathRecord, ElementRecord, FailureRecord, by
from pytest_replicant.reporting.triage import Evidence, compared

from .recorded_runs import BUTTON, CART, CATALOGUE, RATING, REFUSED, SIGN_IN, act, check, failed, numbered, passed

LAUNCH = act("launch dev.replicant.shop", SIGN_IN)
FILL = act("fill text=\"Email\" with 'ada@example.com'", SIGN_IN)
TAP = act('tap text="Sign in"')
SHOWS = check("expect_screen Catalogue")
PASS = passed(LAUNCH, FILL, TAP, SHOWS, act('tap text="Cart"', CART))


def test_the_step_that_led_elsewhere_is_named_with_what_was_new_there() -> None:
    tap = replace(TAP, after=REFUSED, logs=("E ShopAuth: 401",), duration_ms=2100)
    shows = replace(SHOWS, after=REFUSED, error="expect_screen Catalogue: Sign in")
    divergence = compared(PASS, failed(LAUNCH, FILL, tap, shows))
    assert divergence.sentence == (
        'Diverged at step 3 of 4, tap text="Sign in": the last pass went on to '
        '"Catalogue", this run stayed on "Sign in" with a new [h068] "Wrong password"; it took 2.1 s instead of '
        "0.4 s; log: E ShopAuth: 401."
    )
    assert divergence.step == "a3"
    assert [one.kind for one in divergence.evidence] == ["screen", "tree", "log", "timing"]
    assert divergence.evidence[1].lines == ('+ [h068] "Wrong password"',)


def test_a_dialog_is_reported_though_the_screen_has_the_same_title() -> None:
    run = failed(LAUNCH, FILL, replace(TAP, after=RATING), replace(SHOWS, after=RATING, error="no"))
    divergence = compared(PASS, run)
    assert 'this run reached the dialog "Rate us" over "Catalogue"' in divergence.sentence
    assert divergence.step == "a3"


def test_content_that_changes_is_no_divergence() -> None:
    """Another clock, other counts, another order: the failure is where the check is."""
    lines = (CATALOGUE.outline[0], '[c236] Button "Cart, 12 items"', '[s518] "Welcome, Ada"')
    other = replace(CATALOGUE, key="key-2", outline=lines)
    shows = replace(SHOWS, after=other, error="failed", expected="Catalogue", observed="nothing")
    divergence = compared(PASS, failed(LAUNCH, FILL, replace(TAP, after=other), shows))
    assert divergence.sentence == (
        "Same steps as the last pass up to step 4 of 4, expect_screen Catalogue, which passed then and failed "
        "here: expected Catalogue, saw nothing."
    )
    assert divergence.evidence == ()


def test_a_screen_that_came_later_than_last_time_is_no_divergence() -> None:
    slow = replace(PASS, steps=numbered(LAUNCH, FILL, replace(TAP, after=SIGN_IN), SHOWS))
    divergence = compared(slow, failed(LAUNCH, FILL, TAP, replace(SHOWS, error="no")))
    assert divergence.step == "a4"


def test_a_screen_that_the_next_action_found_after_all_is_no_divergence() -> None:
    then = passed(LAUNCH, TAP, act("back", SIGN_IN), SHOWS)
    now = failed(LAUNCH, replace(TAP, after=CART), act("back", SIGN_IN), replace(SHOWS, error="no"))
    assert compared(then, now).step == "a4"


def test_another_element_is_reported_before_where_it_led() -> None:
    then = replace(PASS, steps=numbered(LAUNCH, replace(TAP, target=BUTTON)))
    link = ElementRecord("TextView", "Sign in", "dev.replicant.shop:id/link")
    now = failed(LAUNCH, replace(TAP, target=link, after=CART))
    divergence = compared(then, now)
    assert 'it went to TextView "Sign in", in the last pass to Button "Sign in"' in divergence.sentence
    assert [one.kind for one in divergence.evidence][:2] == ["target", "screen"]


def test_the_same_element_with_another_label_is_content() -> None:
    then = replace(PASS, steps=numbered(LAUNCH, replace(TAP, target=BUTTON)))
    now = failed(LAUNCH, replace(TAP, target=replace(BUTTON, label="Anmelden")))
    assert "Same steps and screens" in compared(then, now).sentence


@pytest.mark.parametrize(("took", "named"), [(9_000, True), (1_300, False)])
def test_time_alone_is_a_divergence_only_where_nothing_else_is(took: int, named: bool) -> None:
    now = failed(LAUNCH, FILL, replace(TAP, duration_ms=took), SHOWS, PASS.steps[4], failure="assert 0")
    divergence = compared(PASS, now)
    assert ("took 9.0 s instead of 0.4 s" in divergence.sentence) is named
    assert divergence.step == ("a3" if named else "")
    assert "assert 0" in divergence.sentence
    broken = failed(LAUNCH, FILL, replace(TAP, duration_ms=took), replace(SHOWS, error="no"))
    assert compared(PASS, broken).step == "a4"


def test_the_time_that_a_failed_step_waited_is_not_reported_as_slowness() -> None:
    now = failed(LAUNCH, FILL, TAP, replace(SHOWS, error="no", duration_ms=30_000))
    assert all(one.kind != "timing" for one in compared(PASS, now).evidence)


def test_a_failure_in_no_step_says_so() -> None:
    divergence = compared(PASS, failed(*PASS.steps, failure="assert 1 == 2", failed_at="tests/test_shop.py:20"))
    assert divergence.sentence == ("Same steps and screens as the last pass, all 5: assert 1 == 2.")
    assert divergence.step == ""


def test_a_run_that_ended_early_says_what_the_pass_did_next() -> None:
    divergence = compared(PASS, failed(*PASS.steps[:2], failure="KeyError: 'x'"))
    assert divergence.sentence == (
        "Same steps and screens as the last pass up to step 2, after which this run did no more and the last pass "
        "did tap text=\"Sign in\": KeyError: 'x'."
    )


def test_an_action_that_was_left_out_and_one_that_was_added() -> None:
    shorter = failed(LAUNCH, replace(TAP, after=REFUSED), replace(SHOWS, after=REFUSED, error="no"))
    assert "before it only the last pass did" not in compared(PASS, shorter).sentence
    assert compared(PASS, shorter).sentence.startswith("Diverged before step 2 of 3: the last pass did fill")
    added = failed(LAUNCH, act("back", CART), replace(FILL, after=CART, error="no"))
    divergence = compared(PASS, added)
    assert divergence.sentence.startswith("Diverged at step 2 of 3, back")
    assert "the last pass did not do it" in divergence.sentence


def test_an_edit_that_changed_nothing_is_said_beside_the_real_divergence() -> None:
    tap = replace(TAP, after=REFUSED)
    edited = failed(
        LAUNCH, act('tap text="Remember me"', SIGN_IN), FILL, tap, replace(SHOWS, after=REFUSED, error="x")
    )
    divergence = compared(PASS, edited)
    assert divergence.step == "a4"
    assert 'before it only this run did tap text="Remember me"' in divergence.sentence


def test_checks_that_were_added_are_no_divergence() -> None:
    edited = failed(LAUNCH, check("expect_visible x", SIGN_IN), FILL, TAP, replace(SHOWS, error="no"))
    assert compared(PASS, edited).step == "a5"


def test_a_new_check_that_failed_was_never_in_the_pass() -> None:
    edited = failed(LAUNCH, check("expect_visible x", SIGN_IN, error="absent"))
    sentence = compared(PASS, edited).sentence
    assert "the last pass did not do it, and it failed here: absent" in sentence


def test_data_that_is_new_in_every_run_moves_no_step() -> None:
    fill = replace(FILL, title="fill text=\"Email\" with 'zoe@example.com'")
    now = failed(LAUNCH, fill, replace(TAP, after=REFUSED), replace(SHOWS, after=REFUSED, error="no"))
    divergence = compared(PASS, now)
    assert divergence.step == "a3"
    assert "before it" not in divergence.sentence


def test_a_step_that_failed_then_and_works_now() -> None:
    then = passed(LAUNCH, replace(TAP, error="ELEMENT_NOT_FOUND", after=SIGN_IN))
    now = failed(LAUNCH, replace(TAP, after=SIGN_IN), failure="DID NOT RAISE")
    assert "it worked here, and failed in the last pass: ELEMENT_NOT_FOUND" in compared(then, now).sentence


def test_another_phone_is_said() -> None:
    then = replace(PASS, device="Pixel 7, Android 14", platform="android")
    now = failed(*PASS.steps, device="iPhone 15, iOS 17", platform="ios", failure="assert 0")
    sentence = compared(then, now).sentence
    assert sentence.endswith("(on other phones: Pixel 7, Android 14 then, iPhone 15, iOS 17 now).")
    assert "(on other phones" not in compared(then, replace(now, device=then.device)).sentence


def test_other_platforms_are_compared_by_their_titles() -> None:
    then = replace(PASS, platform="android")
    ios = [replace(step, after=replace(step.after, key="ios", app="shop", outline=())) for step in PASS.steps]
    assert compared(then, failed(*ios, platform="ios")).sentence.startswith("Same steps as the last pass, all 5")
    ios[2] = replace(ios[2], after=replace(CART, key="ios"))
    ios[3] = replace(ios[3], after=replace(CART, key="ios"), error="no")
    assert compared(then, failed(*ios[:4], platform="ios")).step == "a3"


def test_nothing_to_compare_is_said() -> None:
    assert compared(None, failed()).sentence == "No earlier pass of this test is at hand."
    assert compared(None, failed(), missing="none in x").sentence.endswith("is at hand: none in x.")
    assert compared(passed(), failed(LAUNCH)).sentence == "The last pass recorded no steps to compare with."
    nothing = compared(PASS, failed(failure="DeviceOffline: gone"))
    assert nothing.sentence == "No step was done, where the last pass did 5: DeviceOffline: gone."
    neither = compared(passed(), failed(failure="AssertionError: no"))
    assert neither.sentence == "No step was done, nor in the last pass: AssertionError: no."


def test_the_death_of_the_app_outranks_the_log() -> None:
    tap = replace(TAP, after=RecordedScreen("", "home", "launcher"), logs=("E Zygote: 1",), error="died")
    now = failed(
        LAUNCH,
        FILL,
        tap,
        deaths=(DeathRecord("dev.replicant.shop died: no cart (Cart.kt:4)", after="a3"),),
    )
    sentence = compared(PASS, now).sentence
    assert "which passed then and failed here: died; dev.replicant.shop died: no cart" in sentence
    assert "Zygote" not in sentence


def test_what_the_last_pass_logged_too_is_no_evidence() -> None:
    tap = replace(TAP, logs=("E Net: took 120 ms",))
    then = passed(LAUNCH, tap, SHOWS, hears_log=True)
    broken = replace(SHOWS, error="no", logs=("E Net: took 7 ms", "W Net: 401"))
    (log,) = compared(then, failed(LAUNCH, TAP, broken)).evidence
    assert log == Evidence("log", "warnings and errors that the last pass did not log", ("W Net: 401",))


POST = "E Shop: POST /cart 503"
SORRY = 'toast "Something went wrong"'


@pytest.mark.parametrize("signal", [POST, SORRY])
def test_what_the_app_says_for_the_first_time_is_where_the_run_left_the_way_of_the_pass(signal: str) -> None:
    """The failure comes steps later, on a screen with the same title."""
    add, total = act('tap text="Add"'), check('expect_visible text="Total £9.90"', CART)
    to_cart = act('tap text="Cart"', CART)
    then = passed(LAUNCH, add, to_cart, total, hears_log=True, hears_toasts=True)
    now = failed(
        LAUNCH,
        replace(add, signals=(signal,)),
        to_cart,
        replace(total, error="absent"),
        failure="absent",
        step="a4",
    )
    divergence = compared(then, now)
    assert divergence.step == "a2"
    assert divergence.signals == (signal,)
    assert divergence.sentence == (
        f'Diverged at step 2 of 4, tap text="Add": unlike the last pass there was {signal}; step 4 of 4, '
        'expect_visible text="Total £9.90", failed: absent.'
    )
    known = replace(then, steps=(*then.steps, replace(SHOWS, after=CART, signals=(signal,))))
    assert compared(known, now).step == "a4", "the pass had it too, if later"
    deaf = replace(then, hears_log=False, hears_toasts=False)
    assert (compared(deaf, now).step, compared(deaf, now).signals) == ("a4", ()), "nothing is known of the pass"


def test_rows_that_were_exchanged_are_not_the_same_screens() -> None:
    rows = ('[a100] "Blue mug"', '[b200] "Red mug"', '[c300] "Oak tray"')
    shows = check('expect_visible text="Blue mug"', replace(CART, outline=rows))
    then = passed(LAUNCH, act("tap x", replace(CART, outline=rows)), shows)
    swapped = replace(CART, outline=(rows[1], rows[0], rows[2]))
    first = FailureRecord("expect_visible", "VERIFICATION_FAILED", selector=by(text="Blue mug", nth=0))
    shows = replace(shows, after=swapped, error="absent", failure=first)
    now = failed(LAUNCH, act("tap x", swapped), shows, failure="absent", step="a3")
    sentence = compared(then, now).sentence
    assert "Same steps as the last pass up to step 3 of 3" in sentence
    assert "screens" not in sentence.partition(";")[0]
    assert '"Cart" is not the same since step 2 of 3, tap x: its lines in another order' in sentence


def test_screens_with_other_numbers_are_the_same_but_for_numbers() -> None:
    cart, other = (replace(CART, outline=(*CART.outline, f'"Total £{pounds}"')) for pounds in ("9.90", "9.91"))
    then = passed(LAUNCH, act("tap x", cart), check("expect_visible y", cart))
    now = failed(LAUNCH, act("tap x", other), check("expect_visible y", other, error="absent"))
    assert compared(then, now).sentence.startswith("Same steps and screens, numbers apart, as the last pass")
    same = failed(LAUNCH, act("tap x", cart), check("expect_visible y", cart, error="absent"))
    assert compared(then, same).sentence.startswith("Same steps and screens as the last pass up to step 3 of 3")


def test_screens_whose_content_was_not_kept_are_not_called_the_same() -> None:
    bare = replace(CART, outline=())
    then = passed(LAUNCH, act("tap x", bare), check("expect_visible y", bare))
    now = failed(LAUNCH, act("tap x", CART), check("expect_visible y", CART, error="absent"))
    assert compared(then, now).sentence.startswith("Same steps as the last pass up to step 3 of 3")


def test_what_was_there_before_the_step_is_not_called_new() -> None:
    """The banner is on the screen since the launch; the message came by the tap."""
    banner = replace(SIGN_IN, outline=(*SIGN_IN.outline, '[b001] "You are offline"'))
    refused = replace(REFUSED, outline=(*banner.outline, '[h068] "Wrong password"'))
    for then_at in (SIGN_IN, banner):
        then = passed(replace(LAUNCH, after=then_at), FILL, TAP, SHOWS)
        tap, shows = replace(TAP, before=banner, after=refused), replace(SHOWS, after=refused, error="no")
        now = failed(replace(LAUNCH, after=banner), replace(FILL, after=banner), tap, shows)
        sentence = compared(then, now).sentence
        assert 'with a new [h068] "Wrong password"' in sentence
        assert "offline" not in sentence


def test_only_what_the_failed_step_was_about_is_given_as_the_difference() -> None:
    """Two faults on one screen: a control is gone, and the price is another one."""
    lines = ("Detail", '[d1] Button "Directions"', '[p2] "Price on request"', '[o3] Button "Order"')
    wanted = FailureRecord("expect_visible", "VERIFICATION_FAILED", selector=by(text="Price on request"))
    shows = check('expect_visible text="Price on request"', replace(CART, outline=lines))
    then = passed(LAUNCH, shows)
    broken = replace(CART, outline=("Detail", '[p4] "Free of charge"', '[o3] Button "Order"'))
    now = failed(LAUNCH, replace(shows, after=broken, error="absent", failure=wanted))
    said = compared(then, now).sentence.partition(";")[0]
    assert ', without [p2] "Price on request"' in said
    other = by(text="Sold by")
    elsewhere = replace(shows, after=broken, error="absent", failure=replace(wanted, selector=other))
    assert "out [d1]" not in compared(then, failed(LAUNCH, elsewhere)).sentence.partition(";")[0]


def test_a_row_of_a_list_that_is_still_there_is_not_called_gone() -> None:
    """Of two equal rows one is left; a row without a ref begins with a dash alone."""
    rows = ("Cart", '  - "Blue mug"', '  - "Blue mug"', '[o3] Button "Order"')
    wanted = FailureRecord("expect_count", "VERIFICATION_FAILED", selector=by(text="Blue mug"))
    counts = check('expect_count 2 text="Blue mug"', replace(CART, outline=rows))
    for left, gone in ((rows[1:], False), (rows[3:], True)):
        now = replace(counts, after=replace(CART, outline=left), error="no", failure=wanted)
        said = compared(passed(LAUNCH, counts), failed(LAUNCH, now)).sentence.partition(";")[0]
        assert (', without "Blue mug"' in said) is gone


def test_a_control_of_another_row_is_not_named() -> None:
    """Both rows have the same button; in the other row it is disabled by another fault."""
    rows = ("Cart", '[r1] "Blue mug"', '[b300] Button "Add"', '[r2] "Red mug"', '[c400] Button "Add"')
    place = replace(CART, outline=rows)
    tap = act('tap text="Add", row_with=by(text="Blue mug")', place, before=place)
    other = replace(CART, outline=(rows[0], '[r2] "Red mug"', '[c400] Button "Add" [disabled]'))
    missing = FailureRecord("tap", "ELEMENT_NOT_FOUND", selector=by(text="Add", row_with=by(text="Blue mug")))
    now = failed(replace(tap, after=other, error="not found", failure=missing), step="a1", failure="x")
    sentence = compared(passed(tap), now).sentence
    assert ', without [r1] "Blue mug"' in sentence
    assert "disabled" not in sentence
    closed = replace(CART, outline=(*rows[:2], '[b300] Button "Add" [disabled]', *rows[3:]))
    unfit = replace(missing, code="ELEMENT_NOT_INTERACTABLE", element=ElementRecord("Button", "Add", ref="b300"))
    now = failed(replace(tap, after=closed, error="disabled", failure=unfit), step="a1", failure="x")
    assert ', with [b300] Button "Add" [disabled]' in compared(passed(tap), now).sentence


def test_what_is_in_the_place_of_a_renamed_control_is_named() -> None:
    bar = ("Catalogue", '[s1] "Welcome"', '[u969] ImageButton "Settings"', '[c2] Button "Cart"')
    tap = act('tap text="Settings"', CART, before=replace(CATALOGUE, outline=bar))
    then = passed(LAUNCH, act("tap a", replace(CATALOGUE, outline=bar)), tap)
    renamed = (*bar[:2], '[b423] ImageButton "More"', bar[3])
    missing = FailureRecord("tap", "ELEMENT_NOT_FOUND", selector=by(text="Settings"))
    at = replace(CATALOGUE, outline=renamed)
    now = failed(
        LAUNCH,
        act("tap a", at),
        replace(tap, after=at, error="gone", failure=missing),
        step="a3",
        failure="x",
    )
    divergence = compared(then, now)
    assert ', with [b423] ImageButton "More" in the place of [u969] ImageButton "Settings"' in divergence.sentence
    assert divergence.instead == '[b423] ImageButton "More"'


def test_since_when_a_line_is_there_is_said() -> None:
    banner = replace(SIGN_IN, outline=(*SIGN_IN.outline, '[b001] "Offline"'))
    late = replace(banner, outline=(*banner.outline,))
    then = passed(LAUNCH, FILL, check("expect_visible x", SIGN_IN))
    now = failed(
        replace(LAUNCH, after=banner), replace(FILL, after=late), check("expect_visible x", late, error="no")
    )
    divergence = compared(then, now)
    assert divergence.step == "a3"
    assert divergence.evidence[0].text == '"Sign in" differs since step 1, launch dev.replicant.shop'


def test_the_evidence_is_little_and_names_what_the_step_was_about_first() -> None:
    lines = tuple(f'[a{at:03}] "Row {chr(97 + at)}"' for at in range(20))
    then = passed(LAUNCH, check('expect_visible text="Total"', replace(CART, outline=(*lines, '"Total"'))))
    missing = FailureRecord("expect_visible", "VERIFICATION_FAILED", selector=by(text="Total"))
    others = tuple(line.replace("Row", "Line") for line in lines)
    now = failed(
        LAUNCH, check('expect_visible text="Total"', replace(CART, outline=others), error="no", failure=missing)
    )
    (tree,) = compared(then, now).evidence
    assert len(tree.lines) == 8
    assert tree.lines[0] == '- "Total"'
    assert tree.text == '"Cart" differs; 33 lines more'


@pytest.mark.slow
def test_hundreds_of_steps_are_compared_in_no_time() -> None:
    steps = numbered(*(act(f'tap text="Row {at}"', replace(CART, key=f"key-{at}")) for at in range(500)))
    other = [*steps[:400], *(replace(step, title=f"swipe {step.title}", name="swipe") for step in steps[400:])]
    began = time.process_time()
    for run in (failed(*steps, failure="assert 0"), failed(*other), failed(*reversed(steps))):
        assert compared(passed(*steps), run).sentence
    assert compared(passed(*steps), failed(*steps[:499], replace(steps[499], error="no"))).step == "a500"
    assert time.process_time() - began < 20


def test_app_text_stays_in_its_line() -> None:
    hostile = 'a\x00b\x1b[31m\u202eevil\n"c'
    place = replace(REFUSED, name=hostile, outline=(hostile, f"Dialog {hostile}"), key="other")
    tap = replace(
        TAP,
        title=f"tap {hostile}",
        after=place,
        target=ElementRecord(hostile, hostile, hostile, hostile),
        error=hostile,
        logs=(hostile,),
    )
    then = passed(LAUNCH, replace(tap, after=SIGN_IN, target=BUTTON, error=""))
    divergence = compared(then, failed(LAUNCH, tap, failure=hostile))
    for text in (divergence.sentence, *(line for one in divergence.evidence for line in (one.text, *one.lines))):
        assert text.isprintable(), text


def test_a_sentence_is_never_a_page() -> None:
    long = "x" * 100_000
    tap = replace(TAP, title=f"tap {long}", after=replace(CART, name=long), error=long, logs=(long,))
    then = passed(replace(tap, after=SIGN_IN, error=""))
    divergence = compared(then, failed(tap))
    assert len(divergence.sentence) <= 700
    assert max(len(line) for one in divergence.evidence for line in one.lines) <= 200


def test_a_phone_that_was_slow_all_along_is_evidence_and_no_divergence() -> None:
    slow = [replace(step, duration_ms=step.duration_ms * 4) for step in PASS.steps]
    (timing,) = compared(PASS, failed(*slow, failure="assert 0")).evidence
    assert timing.text == "the 5 steps took 6.8 s instead of 1.7 s"
    assert timing.lines[0] == "launch dev.replicant.shop: 1.6 s instead of 0.4 s"
    broken = compared(PASS, failed(*slow[:3], replace(slow[3], error="no")))
    assert "took" not in broken.sentence
    assert broken.evidence[-1].text == "the 3 steps before took 4.8 s instead of 1.2 s"


@pytest.mark.parametrize(("then_error", "now_error"), [("ELEMENT_NOT_FOUND", ""), ("", "ELEMENT_NOT_FOUND")])
def test_a_notice_that_is_closed_where_there_is_one_is_no_divergence(then_error: str, now_error: str) -> None:
    close = act('tap text="Later"', SIGN_IN)
    then = passed(LAUNCH, replace(close, error=then_error), FILL, TAP, SHOWS)
    tap, shows = replace(TAP, after=REFUSED), replace(SHOWS, after=REFUSED, error="expect_screen: Sign in")
    steps = numbered(LAUNCH, replace(close, error=now_error), FILL, tap, shows)
    assert compared(then, failed(*steps, failure="ExpectationFailed", step="a5")).step == "a4"
    assert compared(then, failed(*steps, failure="ActionFailed", step="a2")).step == ("a2" if now_error else "a4")


def test_what_a_teardown_does_after_the_failure_hides_nothing() -> None:
    home = act("press_key home", RecordedScreen("", "home", "launcher"))
    then = passed(LAUNCH, FILL, home)
    now = failed(LAUNCH, replace(FILL, error="NOT_INTERACTABLE"), home, failure="no", step="a2")
    assert compared(then, now).step == "a2"
    soft = failed(LAUNCH, check("expect_visible x", SIGN_IN, error="absent"), FILL, failure="other")
    assert compared(passed(LAUNCH, check("expect_visible x", SIGN_IN), FILL), soft).step == "a2"


def test_a_warning_alone_yields_to_whatever_else_is_different() -> None:
    """Some apps log a warning in one run and not in the next."""
    slow, add = replace(LAUNCH, signals=("W Sync: slow answer",)), act('tap text="Add"')
    then = passed(LAUNCH, add, SHOWS, hears_log=True, hears_toasts=True)
    quiet = failed(slow, add, replace(SHOWS, error="no"))
    assert compared(then, quiet).step == "a3"
    refused = failed(slow, replace(add, signals=(POST,)), replace(SHOWS, error="no"))
    assert compared(then, refused).step == "a2"
    assert compared(then, failed(slow, add, SHOWS, failure="assert 0")).step == "a1", "all there is"


def test_a_failed_action_is_compared_with_the_screen_before_it() -> None:
    """What the action brought in the pass is not missing from a screen on which it was not done."""
    unpaid = replace(CART, outline=("Cart", '[p1] Button "Pay now"'))
    paid = replace(CART, outline=("Cart", '[p1] Button "Pay now" [disabled]', '[t2] "Paid"'))
    pay = act('tap text="Pay now"', paid, before=unpaid)
    twice = replace(CART, outline=(*unpaid.outline, '[p3] Button "Pay now"'))
    ambiguous = FailureRecord("tap", "AMBIGUOUS_TARGET", selector=by(text="Pay now"))
    now = failed(
        replace(pay, before=twice, after=twice, error="2 matches", failure=ambiguous),
        failure="2 matches",
        step="a1",
    )
    sentence = compared(passed(pay), now).sentence
    assert "disabled" not in sentence
    assert '"Cart" is not the same since step 1 of 1, tap text="Pay now"' in sentence


def test_a_check_whose_number_was_edited_is_not_said_to_have_passed() -> None:
    total = check('expect_visible text="To pay £6.50"', CART)
    edited = replace(total, title='expect_visible text="To pay £6.55"', error="absent")
    sentence = compared(passed(LAUNCH, total), failed(LAUNCH, edited)).sentence
    assert "which passed then" not in sentence
    assert (
        'where the last pass did expect_visible text="To pay £6.50", this run did this, which failed' in sentence
    )


def test_two_elements_of_one_name_are_told_apart_by_their_ids() -> None:
    then = passed(LAUNCH, replace(TAP, target=replace(BUTTON, resource_id="one")))
    now = failed(LAUNCH, replace(TAP, target=replace(BUTTON, resource_id="two"), after=CART))
    assert (
        'it went to Button "Sign in" id=two, in the last pass to Button "Sign in" id=one'
        in compared(then, now).sentence
    )


def test_another_number_is_named_where_the_failure_is_about_it() -> None:
    total = check('expect_visible text="£1.50"', replace(CART, outline=("Cart", '[r1] "Rate"', '[p2] "£1.50"')))
    dear = replace(total.after, outline=("Cart", '[r1] "Rate"', '[p9] "£9.99"'))
    missing = FailureRecord("expect_visible", "VERIFICATION_FAILED", selector=by(text="£1.50"))
    now = failed(
        replace(LAUNCH, after=dear),
        replace(total, after=dear, error="absent", failure=missing),
        failure="absent",
        step="a2",
    )
    sentence = compared(passed(replace(LAUNCH, after=total.after), total), now).sentence
    assert sentence.startswith("Same steps and screens, numbers apart, as the last pass")
    assert '"Cart" is not the same since step 1 of 2' in sentence
    assert '"£9.99"' in sentence
