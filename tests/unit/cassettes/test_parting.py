"""Where two recordings of a test first part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.cassettes import Cassette, Parting, first_parting

from .kept import LAB, SAVED, SHOP, showing, signed_in, tape
from .taped_flows import Flow, Step, Taped, step, taped, then


def parted(first: Taped | tuple[Cassette, object], second: Taped) -> Parting | None:
    return first_parting(first.cassette, second.cassette, first.blob, second.blob)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["passed", "late"])
def test_a_recording_does_not_part_from_itself_nor_from_another_one_of_the_same(name: str) -> None:
    known = tape(name)
    assert parted(known, known) is None
    again = taped(known.flow)
    assert again.cassette.blobs != () != known.cassette.blobs
    assert parted(known, again) is None


def test_another_screen_is_where_they_part_with_its_difference() -> None:
    known = tape("passed")
    other, blob = showing(known, {"Catalogue": "Maintenance", "Welcome, Ada": "Back at noon"})
    found = first_parting(other, known.cassette, blob, known.blob)
    assert found is not None
    assert (found.what, found.phase, found.title) == ("shown", "call", 'tap text="Sign in"')
    assert "Maintenance" in found.first
    assert "Catalogue" in found.second
    assert f"at step {found.step}, " in found.sentence
    assert any("Back at noon" in line for line in found.lines)
    back = first_parting(known.cassette, other, known.blob, blob)
    assert back is not None
    assert (back.first, back.second) == (found.second, found.first)


def test_content_alone_may_differ() -> None:
    known = tape("passed")
    other, blob = showing(known, {"Red mug": "Blue mug"})
    found = first_parting(known.cassette, other, known.blob, blob)
    assert found is not None
    assert found.first == found.second
    assert "both show" in found.sentence
    assert any("Red mug" in line for line in found.lines)


def flow(*steps: Step, app: str = SHOP) -> Taped:
    return taped(Flow("test_shop.py::test_signs_in", "android", steps, (app,)))


def test_another_target_is_what_was_sent_and_the_same_one_elsewhere_is_not() -> None:
    known = tape("late").cassette
    tapped = tape("passed").cassette
    at = max(number for number, one in enumerate(tapped.entries) if one.method == "tap")

    def moved(by: int) -> Cassette:
        (x, y), *rest = tapped.entries[at].args
        entry = tapped.entries[at]._replace(args=([x, y + by], *rest))
        return replace(tapped, entries=(*tapped.entries[:at], entry, *tapped.entries[at + 1 :]))

    blob = tape("passed").blob
    assert known.entries
    assert first_parting(tapped, moved(5), blob, blob) is None  # the same button
    found = first_parting(tapped, moved(-500), blob, blob)
    assert found is not None
    assert found.what == "sent"
    assert 'Button "Sign in"' in found.first
    assert 'Button "Sign in"' not in found.second


def test_a_further_step_is_where_they_part() -> None:
    found = parted(flow(*signed_in()[:5]), tape("passed"))
    assert found is not None
    assert (found.what, found.first, found.second) == (
        "step",
        "no further step",
        "expect_screen Catalogue",
    )


def test_what_came_too_late_is_a_screen_that_one_stays_on() -> None:
    """It showed the same for a while: that alone is no difference, and here the test ends with
    it."""
    found = parted(tape("too late"), tape("late"))
    assert found is not None
    assert (found.what, found.title) == ("shown", 'expect_visible text="Saved"')
    assert any(line.startswith("-") and "Saved" in line for line in found.lines)


def test_what_came_sooner_in_one_is_no_difference_where_both_go_on() -> None:
    on = step("open_url", "lab://counter"), then("expect_visible", text="Tap")
    quick = flow(*SAVED, then("expect_visible", text="Saves: 1"), *on, app=LAB)
    slow = flow(*SAVED, then("expect_visible", text="Saved"), *on, app=LAB)
    found = parted(quick, slow)
    assert found is not None
    assert found.what == "step"
    renamed = tuple(
        one._replace(args=("check", 'expect_visible text="Saves: 1"'))
        if 'text="Saved"' in str(one.args)
        else one
        for one in slow.cassette.entries
    )
    same = replace(slow.cassette, entries=renamed)
    assert same != slow.cassette
    assert first_parting(quick.cassette, same, quick.blob, slow.blob) is None


def test_a_test_may_end_otherwise_though_all_was_the_same() -> None:
    known = tape("passed").cassette
    failure = replace(
        tape("failed").cassette.header.failures[0],
        exception="AssertionError",
        message="3 != 4",
        code="",
        step="",
    )
    failed = replace(known, header=replace(known.header, failures=(failure,)))
    found = first_parting(failed, known, tape("passed").blob, tape("passed").blob)
    assert found is not None
    assert found.what == "ended"
    assert found.sentence == (
        "all that was shown and sent is the same: the first failed: AssertionError: 3 != 4, the "
        "second passed"
    )


def test_recorded_data_that_was_made_anew_is_no_difference() -> None:
    known = tape("failed")
    other, blob = showing(known, {"ada@example.com": "bea@example.org"})
    other = replace(
        other,
        entries=tuple(
            one._replace(
                args=tuple(_with_bea(arg) for arg in one.args), answer=_with_bea(one.answer)
            )
            for one in other.entries
        ),
    )
    assert first_parting(known.cassette, other, known.blob, blob) is not None
    mine = replace(known.cassette, values={"user": {"mail": "ada@example.com", "age": 7}})
    theirs = replace(other, values={"user": {"mail": "bea@example.org", "age": 8}})
    assert first_parting(mine, theirs, known.blob, blob) is None


def _with_bea(value: object) -> object:
    if isinstance(value, str):
        return value.replace("ada@example.com", "bea@example.org")
    if isinstance(value, dict):
        return {name: _with_bea(one) for name, one in value.items()}
    return value


def test_a_fixture_that_was_kept_apart_is_the_same_as_one_on_the_tape() -> None:
    known = tape("passed").cassette
    whole = tuple(one for one in known.entries if one.method != "#phase")
    half = next(at for at, one in enumerate(whole) if one.args[1:] == ('tap text="Sign in"',))
    first, rest = known.entries[0], known.entries[1]
    assert (first.method, rest.method) == ("#phase", "#phase")
    own = replace(
        known, entries=(first, *whole[:half], rest._replace(asked=whole[half].asked), *whole[half:])
    )
    apart = replace(
        known,
        entries=(first, rest._replace(asked=whole[half].asked), *whole[half:]),
        fixtures={"s": whole[:half]},
    )
    blob = tape("passed").blob
    assert first_parting(own, apart, blob, blob) is None
    assert first_parting(own, replace(apart, fixtures={}), blob, blob) is not None
