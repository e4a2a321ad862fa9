"""Every statement of the sentence about the last pass is looked up in both recordings, by a reader
of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, note
from hypothesis import strategies as st

from pytest_replicant.kept_runs import RecordedAttempt, RecordedScreen, RecordedStep, normalise
from pytest_replicant.model import FailureRecord, RaisedError, by
from pytest_replicant.reporting import compared

NAMES = ("Cart", "Catalogue", "Settings")
LABELS = (
    "Blue mug",
    "Red mug",
    "Total £9.90",
    "Total £8.00",
    "1 item",
    "0 items",
    "Settings",
    "More",
    "Try again",
)
LINES = tuple(
    f'[a{at}00] {kind} "{label}"'
    for at, label in enumerate(LABELS)
    for kind in ("Button", "TextView")
)
SIGNALS = (
    "E Shop: POST /cart 503",
    'toast "Something went wrong"',
    "W Shop: slow 31 ms",
    "W Shop: slow 29 ms",
)

contents = st.lists(st.sampled_from(LINES), min_size=1, max_size=6, unique=True)
screens = st.builds(
    lambda name, lines, dialog: RecordedScreen(
        name, f"key {name}", "shop", (name, *lines), dialog=dialog
    ),
    st.sampled_from(NAMES),
    contents,
    st.sampled_from([None, None, None, "Rate us"]),
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[RecordedAttempt, RecordedAttempt]:
    """A pass, and a run of the same test that fails at its last step: some screens are others, some
    the same with other lines, other numbers or in another order, some things were said."""
    places = draw(st.lists(screens, min_size=1, max_size=4))
    others = []
    for place in places:
        lines = list(place.outline[1:])
        how = draw(st.sampled_from(["same", "same", "order", "lines", "another"]))
        if how == "order":
            lines = draw(st.permutations(lines))
        elif how == "lines":
            lines = draw(contents)
        others.append(
            draw(screens) if how == "another" else replace(place, outline=(place.name, *lines))
        )
    wanted = draw(st.sampled_from(LABELS))
    then = _run("passed", places, draw(st.lists(st.sampled_from(SIGNALS), max_size=1)), wanted, 0)
    now = _run(
        "failed",
        others,
        draw(st.lists(st.sampled_from(SIGNALS), max_size=2)),
        wanted,
        draw(st.integers(0, 3)),
    )
    return then, now


def _run(
    outcome: str, places: Sequence[RecordedScreen], said: Sequence[str], wanted: str, at: int
) -> RecordedAttempt:
    steps: list[RecordedStep] = []
    before = RecordedScreen()
    for number, place in enumerate(places):
        title = f'tap text="Go {chr(97 + number)}"'
        signals = tuple(said) if number == at % len(places) else ()
        steps.append(
            RecordedStep("action", "tap", title, before=before, after=place, signals=signals)
        )
        steps.append(
            RecordedStep("check", "expect_visible", f'expect_visible text="{wanted}"', after=place)
        )
        before = place
    steps = [replace(step, id=f"a{number}") for number, step in enumerate(steps)]
    failures: tuple[RaisedError, ...] = ()
    if outcome == "failed":
        failure = FailureRecord("expect_visible", "VERIFICATION_FAILED", selector=by(text=wanted))
        steps[-1] = replace(steps[-1], error="absent", failure=failure)
        failures = (RaisedError("absent", step=steps[-1].id),)
    return RecordedAttempt(
        "t",
        outcome,
        platform="android",
        steps=tuple(steps),
        failures=failures,
        hears_log=True,
        hears_toasts=True,
    )


def known(run: RecordedAttempt, places: Sequence[int] | None = None) -> set[str]:
    """The lines of the screens of a run, or of some of its steps."""
    chosen = range(len(run.steps)) if places is None else places
    return {normalise(line) for at in chosen for line in run.steps[at].after.outline}


def bare(run: RecordedAttempt, at: int, *, numbers: bool) -> list[str]:
    lines = [re.sub(r"\[\w+\] ", "", line) for line in run.steps[at].after.outline]
    return lines if numbers else [normalise(line) for line in lines]


def check_sentence(then: RecordedAttempt, now: RecordedAttempt, said: str) -> None:
    """Raises ``AssertionError`` for a statement that the recordings do not show."""
    last = len(now.steps) - 1
    place = re.search(r"step (\d+) of", said)
    step = int(place[1]) - 1 if place else last
    alike = re.match(r"Same steps( and screens)?(, numbers apart,)? as the last pass", said)
    if alike and alike[1]:
        for at in range(step):
            assert bare(then, at, numbers=not alike[2]) == bare(now, at, numbers=not alike[2])
    for line in re.findall(r' with a new (\[\w+\] \w+ "[^"]*")', said):
        assert normalise(line) in known(now, [step])
        assert normalise(line) not in known(then) | known(now, range(step))
    for new, gone in re.findall(
        r', with (\[\w+\] \w+ "[^"]*") in the place of (\[\w+\] \w+ "[^"]*")', said
    ):
        assert normalise(new) in known(now, [last]) - known(then, [last])
        assert normalise(gone) in known(then, [last]) - known(now, [last])
    for line in re.findall(r', without (\[\w+\] \w+ "[^"]*")', said):
        assert normalise(line) in known(then, [last]) - known(now, [last])
    for line in re.findall(
        r', with (\[\w+\] \w+ "[^"]*"), which the last pass did not show there', said
    ):
        assert normalise(line) in known(now, [last]) - known(then, [last])
    for signal in SIGNALS:
        if f"there was {signal}" in said:
            assert signal in now.steps[step].signals
            assert normalise(signal) not in {
                normalise(one) for each in then.steps for one in each.signals
            }
    since = re.search(r"is not the same since step (\d+) of \d+, .*?: (.*)", said)
    if since:
        at = int(since[1]) - 1
        assert bare(then, at, numbers=True) != bare(now, at, numbers=True)
        for sign, line in re.findall(r'([+-]) (\w+ "[^"]*")', since[2]):
            has, lacks = (now, then) if sign == "+" else (then, now)
            assert line in bare(has, at, numbers=True)
            assert bare(has, at, numbers=True).count(line) > bare(lacks, at, numbers=True).count(
                line
            )
    for passed, failed in pairwise(
        re.findall(r'(?:went on to|stayed on|reached) (?:[^"]* over )?"([^"]*)"', said)
    ):
        assert (then.steps[step].after.name, now.steps[step].after.name) == (passed, failed)


@given(pairs())
def test_no_sentence_says_what_the_recordings_do_not_show(
    both: tuple[RecordedAttempt, RecordedAttempt],
) -> None:
    said = compared(*both).sentence
    note(said)
    check_sentence(*both, said)
