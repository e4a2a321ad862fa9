"""A test's words and a phone's are compared by one function, wherever they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, ReplicantError, Secret, by
from pytest_replicant import Screen as ScreenOf
from pytest_replicant.snapshots import code_points, same_text
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    Button,
    Column,
    EditText,
    RunningApp,
    Screen,
    Spinner,
    Text,
    Widget,
)

from ..on_phone import QUICK, trial

ALIKE = {
    "no-break space": ("1 234 €", "1\u00a0234 €"),
    "narrow space": ("1 234 €", "1\u202f234 €"),
    "decomposed": ("Zürich", unicodedata.normalize("NFD", "Zürich")),
    "soft hyphen": ("Bundesrat", "Bundes\u00adrat"),
    "zero width": ("Saved", "Sav\u200bed\ufeff"),
    "direction": ("שלום 3", "\u200fשלום\u200e 3"),
    "line end": ("Saved", "Saved \n"),
}
APART = {
    "case": ("saved", "Saved"),
    "joined": ("👩💻", "👩\u200d💻"),
    "variant": ("❤", "❤\ufe0f"),
    "quote": ("it's", "it’s"),
    "letter": ("paypal", "p\u0430ypal"),
}
Words = RunningApp[dict[str, Any]]


class Shown(Screen[dict[str, Any]]):
    def title_for(self, app: Words) -> str:
        return str(app.state.get("title", "Words"))

    def build(self, app: Words) -> Widget:
        text = app.state["text"]

        def typed(given: str) -> None:
            app.state["typed"] = text if app.state.get("formats") else given

        def log() -> None:
            app.log(f"it said {text} there")

        return Column(
            [
                Text(text, id="text"),
                EditText("Field", id="field", text=app.state.get("typed", text), on_change=typed),
                Spinner(["Other", text], id="choice", chosen=1),
                Button("Toast", on_click=lambda: app.toast(text)),
                Button("Log", on_click=log),
            ]
        )


def on_phone(platform: str, text: str, **state: Any) -> Any:
    settings = {**QUICK, "read_on": 0}
    return virtual_session(
        trial(Shown, text=text, **state),
        platform=platform,  # type: ignore[arg-type]
        **settings,
    )


@pytest.mark.parametrize(("wanted", "shown"), ALIKE.values(), ids=ALIKE)
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_what_reads_the_same_is_the_same(platform: str, wanted: str, shown: str) -> None:
    with on_phone(platform, shown) as mobile:
        text = by(resource_id="text")
        mobile.expect_visible(text=wanted).expect_state(text, text=wanted)
        mobile.expect_state(by(resource_id="field"), text=wanted)
        if platform == "android":
            mobile.tap(text="Toast").expect_seen(text=wanted).expect_seen(
                by(android=by(text_contains=wanted))
            )
            if "\n" not in shown:  # which ends a line of the log
                mobile.tap(text="Log").expect_log(f"said {wanted} there")


@pytest.mark.parametrize(("wanted", "shown"), APART.values(), ids=APART)
def test_what_does_not_is_another(wanted: str, shown: str) -> None:
    assert not same_text(wanted, shown)
    with on_phone("ios", shown) as mobile, pytest.raises(ExpectationFailed) as caught:
        mobile.expect_state(by(resource_id="text"), text=wanted, timeout=0.2)
    looks_alike = wanted.casefold() != shown.casefold()
    assert ("it looks alike, but has" in str(caught.value)) is looks_alike


PATTERNS = [
    (r"\d €", "12\u00a0€"),
    (r"\d\u00a0€", "12\u00a0€"),
    ("\\d\u00a0€", "12 €"),
    (r"^12\s€$", "12\u202f€\u200b"),
    ("(?m)^Line b$", "Line a\nLine b"),
    (r"a\nb", "a\nb"),
    ("a  b", "a  b"),
    (unicodedata.normalize("NFD", "Zürich"), "Zürich"),
    ("Zürich", unicodedata.normalize("NFD", "Zürich")),
]


@pytest.mark.parametrize(("pattern", "shown"), PATTERNS)
def test_an_expression_is_searched_for_in_what_is_shown_and_in_what_is_compared(
    pattern: str, shown: str
) -> None:
    with on_phone("android", shown) as mobile:
        text = by(text_matches=pattern, resource_id="text")
        mobile.expect_visible(text)
        with pytest.raises(ExpectationFailed):
            mobile.expect_gone(text, timeout=0.2)
        mobile.tap(text="Toast").expect_seen(text_matches=pattern)


def test_long_texts_are_compared_as_short_ones_are() -> None:
    text = "ガギグ" * 400
    assert same_text(text, unicodedata.normalize("NFD", text))
    assert same_text("x" * 499 + "각" * 100, unicodedata.normalize("NFD", "x" * 499 + "각" * 100))


LOOKS = "p\u0430ypal"
SAID = "has U+0430 where U+0061 is wanted"


@pytest.mark.parametrize(
    "claim",
    [
        lambda mobile: mobile.tap(text="paypal", timeout=0.2),
        lambda mobile: mobile.find(text="paypal"),
        lambda mobile: mobile.snapshot().find(text_contains="aypa"),
        lambda mobile: mobile.expect_visible(text="paypal", timeout=0.2),
        lambda mobile: mobile.expect_visible(text_contains="aypa", timeout=0.2),
        lambda mobile: mobile.expect_count(1, text="paypal", timeout=0.2),
        lambda mobile: mobile.expect_visible(text="Log", near=by(text="paypal"), timeout=0.2),
        lambda mobile: mobile.expect_screen("paypal", timeout=0.2),
        lambda mobile: mobile.expect_outline('...\n"paypal"\n...', timeout=0.2),
        lambda mobile: mobile.expect_screen(
            ScreenOf("Words", has=[by(text="paypal")]), timeout=0.2
        ),
        lambda mobile: mobile.tap(text="Toast").expect_seen(text="paypal", timeout=0.2),
        lambda mobile: mobile.expect_state(by(resource_id="choice"), value="paypal", timeout=0.2),
        lambda mobile: mobile.select(resource_id="choice", option="paypal", timeout=0.2),
    ],
)
def test_a_failure_shows_the_code_points_of_two_that_look_alike(
    claim: Callable[[DeviceSession], object],
) -> None:
    failures = (ExpectationFailed, ReplicantError)
    with on_phone("android", LOOKS, title=LOOKS) as mobile, pytest.raises(failures) as caught:
        claim(mobile)
    assert SAID in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("m²", "m2"),
        ("①", "1"),
        ("'a'", '"a"'),
        ("ที่", "ท"),
        ("कुल", "कल"),
        ("x\u0304", "x"),
        ("O", "0"),
        ("½", "1⁄2"),
    ],
)
def test_what_does_not_look_alike_is_not_said_to(one: str, other: str) -> None:
    assert code_points(one, other) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("´", "'"), ("\u02bc", "'"), ("\u05be", "-"), ("a\u3164b", "a b"), ("×", "x"), ("ﬁ", "fi")],
)
def test_what_looks_alike_is_said_to(one: str, other: str) -> None:
    assert "it looks alike" in code_points(one, other)


def test_a_text_that_breaks_a_line_is_quoted() -> None:
    with on_phone("android", "one\ntwo") as mobile, pytest.raises(ExpectationFailed) as caught:
        mobile.expect_state(by(resource_id="field"), text='say "hi"\n', timeout=0.2)
    first = str(caught.value).split("\n", 1)[0]
    assert r'text="say \"hi\"\n"' in first
    assert r'text="one\ntwo"' in first


def test_what_an_app_formats_is_what_was_typed() -> None:
    for platform in ("android", "ios"):
        with on_phone(platform, "1\u00a0234", formats=True, typed="") as mobile:
            mobile.fill(resource_id="field", value="1 234")


def test_a_secret_shows_no_letter_of_itself() -> None:
    with on_phone("android", "p\u0430ypal") as mobile, pytest.raises(ExpectationFailed) as caught:
        mobile.expect_state(by(resource_id="text"), text=Secret("paypal"), timeout=0.2)
    assert "U+" not in str(caught.value).partition("\n")[0]


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with on_phone(request.param, "hello") as session:
        yield session


def test_a_pattern_is_not_searched_for_in_the_package(mobile: DeviceSession) -> None:
    with pytest.raises(ExpectationFailed):
        mobile.expect_screen(re.compile("trial"), timeout=0.2)
    mobile.expect_screen(re.compile("^Wor"))
