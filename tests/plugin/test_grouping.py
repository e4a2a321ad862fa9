"""Pairs of failing tests: six of one cause, and six that only look alike, without passes and with
them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.ci]

APPS = '''
import os

from pytest_replicant.testing.virtual import App, Button, Column, EditText, Screen, Text

FAULTY = os.environ["FAULTY"] == "yes"


def page(title, *labels):
    """A screen of texts; one that begins with a plus is a button, which leads to the screen of its name."""
    def build(self, app):
        return Column([widget(one, app) for one in labels])

    return type("Page", (Screen,), {"title": title, "build": build})


def widget(label, app):
    if not label.startswith("+"):
        return Text(label)
    return Button(label[1:], on_click=lambda: app.open(page(label[1:], f"You are at {label[1:]}")()))


def sign_in(answers, rest):
    """Whom the answers name stays with an answer, the others come to the shop."""

    class SignIn(Screen):
        title = "Sign in"

        def build(self, app):
            said = app.state.get("said")
            shown = [Text(said)] if said else []
            button = Button("Enter", on_click=lambda: self.enter(app))
            return Column([EditText("Name", key="name"), *shown, button])

        def enter(self, app):
            app.state["said"] = answers.get(app.text_of("name"), answers.get("*"))
            if app.state["said"] is None:
                app.open(page("Shop", *rest)())

    return SignIn


class Paying(Screen):
    title = "Cart"

    def build(self, app):
        return Column([Button("Pay", on_click=lambda: self.pay(app))])

    def pay(self, app):
        if FAULTY:
            raise RuntimeError("no till")
        app.open(page("Thanks", "+Receipt")())


class Leading(Screen):
    title = "Front"

    def build(self, app):
        return Column([Button("Go on", on_click=lambda: None if FAULTY else app.open(page("News", "+Search")()))])


def named(healthy, faulty):
    return faulty if FAULTY else healthy


STARTS = {
    "refused": sign_in(named({}, {"*": "Not today"}), ["Blue mug", "Red mug"]),
    "refused_both": sign_in(named({}, {"*": "Not today"}), ["Blue mug"]),
    "renamed": page("Draft", named("+Save", "+Keep")),
    "dies": Paying,
    "dead": Leading,
    "empty": page("Fruit", *named(["Apple", "Pear", "Plum"], ["There is none"])),
    "negative": sign_in(named({"eve": "Wrong password or name"}, {"*": "Wrong name or password"}), ["Blue mug"]),
    "negative_else": sign_in(named({"eve": "Unknown person"}, {"*": "Ask at the desk"}), ["Blue mug"]),
    "answers": sign_in(named({}, {"ada": "Falsches Kennwort", "bob": "Kein Netz"}), ["Blue mug"]),
    "two_names": page("Letter", *named(["+Save draft", "+Send now"], ["+Save the draft", "+Send it now"])),
    "two_screens": page("Home", "+Address", "+Payment"),
    "two_values": page("Bill", *named(["Total 9.90", "Tax 1.58"], ["Total 8.90", "Tax 1.42"])),
}


def apps():
    return [
        App(package=f"com.example.{name}", label=name, state=lambda stored: {}, start=start)
        for name, start in STARTS.items()
    ]
'''

TESTS = """
import os

import pytest

FAULTY = os.environ["FAULTY"] == "yes"


@pytest.fixture
def enter(mobile, request):
    app = request.node.name.partition("__")[0].removeprefix("test_")

    def enter(name):
        mobile.launch(f"com.example.{app}").expect_screen("Sign in")
        mobile.fill(text="Name", value=name)
        return mobile.tap(text="Enter")

    return enter


def start(mobile, name):
    return mobile.launch(f"com.example.{name}")


def test_refused__screen(enter):
    enter("ada").expect_screen("Shop")

def test_refused__content(enter):
    enter("bob").expect_visible(text="Blue mug")

def test_refused_both__one(enter):
    enter("ada").expect_screen("Shop")

def test_refused_both__other(enter, mobile):
    enter("bob")
    mobile.expect_screen("Shop").expect_visible(text="Blue mug")

def test_renamed__tapped(mobile):
    start(mobile, "renamed")
    mobile.tap(text="Save").expect_screen("Save")

def test_renamed__seen(mobile):
    start(mobile, "renamed").expect_visible(text="Save")

def test_dies__screen(mobile):
    start(mobile, "dies")
    mobile.tap(text="Pay").expect_screen("Thanks")

def test_dies__next(mobile):
    start(mobile, "dies")
    mobile.tap(text="Pay")
    mobile.tap(text="Receipt")

def test_dead__screen(mobile):
    start(mobile, "dead")
    mobile.tap(text="Go on").expect_screen("News")

def test_dead__next(mobile):
    start(mobile, "dead")
    mobile.tap(text="Go on")
    mobile.tap(text="Search")

def test_empty__apple(mobile):
    start(mobile, "empty").expect_visible(text="Apple")

def test_empty__pear(mobile):
    start(mobile, "empty").expect_visible(text="Pear")

def test_negative__bad_data(enter):
    enter("ada" if not FAULTY else "adda").expect_screen("Shop")

def test_negative__message(enter):
    enter("eve").expect_visible(text="Wrong password or name")

def test_negative_else__bad_data(enter):
    enter("ada" if not FAULTY else "adda").expect_screen("Shop")

def test_negative_else__message(enter):
    enter("eve").expect_visible(text="Unknown person")

def test_answers__password(enter):
    enter("ada").expect_screen("Shop")

def test_answers__network(enter):
    enter("bob").expect_screen("Shop")

def test_two_names__save(mobile):
    start(mobile, "two_names")
    mobile.tap(text="Save draft").expect_changed()

def test_two_names__send(mobile):
    start(mobile, "two_names")
    mobile.tap(text="Send now").expect_changed()

def test_two_screens__address(mobile):
    start(mobile, "two_screens")
    mobile.tap(text="Address").expect_visible(text="Next" if FAULTY else "You are at Address")

def test_two_screens__payment(mobile):
    start(mobile, "two_screens")
    mobile.tap(text="Payment").expect_visible(text="Next" if FAULTY else "You are at Payment")

def test_two_values__total(mobile):
    start(mobile, "two_values").expect_visible(text="Total 9.90")

def test_two_values__tax(mobile):
    start(mobile, "two_values").expect_visible(text="Tax 1.58")
"""

TOGETHER = {"refused", "refused_both", "renamed", "dies", "dead", "empty"}
APART = {"negative", "negative_else", "answers", "two_names", "two_screens", "two_values"}


def causes_of(output: Path) -> list[list[str]]:
    """Of the newest run, the names of the pairs that the tests of each are of."""
    newest = max(output.glob("*/run.json"), key=lambda path: path.stat().st_mtime)
    document = json.loads(newest.read_text("utf-8"))
    names = [row["nodeid"].partition("::test_")[2].partition("__")[0] for row in document["tests"]]
    return sorted([names[at] for at in one["tests"]] for one in document["causes"])


@pytest.mark.parametrize(
    ("phone", "passes"),
    [
        ("virtual", ()),
        pytest.param("virtual:ios", ("no",), marks=pytest.mark.thorough),
        pytest.param("virtual", ("no",), marks=pytest.mark.thorough),
        pytest.param("virtual:ios", (), marks=pytest.mark.thorough),
    ],
    ids=["android without passes", "ios with passes", "android with passes", "ios without passes"],
)
def test_pairs_of_one_cause_are_together_and_those_that_look_alike_are_not(
    run: Run,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    phone: str,
    passes: tuple[str, ...],
) -> None:
    pytester.makepyfile(pair_apps=APPS)
    device = f"--replicant-device={phone}?latency=0&apps=pair_apps:apps"
    for faulty in (*passes, "yes"):
        monkeypatch.setenv("FAULTY", faulty)
        result = run(TESTS, "-p", "tests.shared_clock", "-q", device, "--replicant-output=out")
    result.assert_outcomes(failed=24)
    together = (
        TOGETHER if passes else TOGETHER - {"refused"}
    )  # no pass says that the mug is of the shop
    apart = APART | (TOGETHER - together)
    wanted = [[one, one] for one in together] + [[one] for one in apart] * 2
    assert causes_of(pytester.path / "out") == sorted(wanted)
