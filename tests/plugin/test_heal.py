"""An app renames a button: the failing run is healed by the patch, and by nothing but applying
it."""

from __future__ import annotations

import argparse
import subprocess

import pytest

from pytest_replicant.cli import heal
from tests.conftest import Run

APP = """
from pathlib import Path
from pytest_replicant.testing.virtual import App, Button, Column, RunningApp, Screen, Text

class Front(Screen):
    title = "Front"

    def build(self, app: RunningApp):
        label = Path(__file__).with_name("label.txt").read_text()
        return Column([
            Text("Good morning"),
            Button(label, id=ID, on_click=lambda: app.open(Second())),
            Button("Help", id="help"),
        ])

class Second(Screen):
    title = "Inside"

    def build(self, app: RunningApp):
        return Column([Text("Welcome, Ada")])

def apps():
    return [App(package="com.acme.own", label="Own", state=lambda stored: None, start=Front)]
"""
TEST = """
from pytest_replicant import by

LOGIN = by(text="Log in")

def test_one(mobile):
    mobile.launch("com.acme.own").expect_screen("Front")
    mobile.tap(
        text="Log in",  # the only one
    ).expect_screen("Inside")

def test_two(mobile):
    mobile.launch("com.acme.own")
    mobile.tap(LOGIN).expect_visible(text="Welcome, Ada")

def test_claim(mobile):
    mobile.launch("com.acme.own").expect_visible(text="Log in")
"""
QUICK = ("-o", "replicant_action_timeout=0.2", "-o", "replicant_expect_timeout=0.2")
OPTIONS = (
    *QUICK,
    "--replicant-output=out",
    "--replicant-device=virtual?latency=0&apps=own_phone:apps",
)


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "new"), [('"login"', 'resource_id="login"'), ("None", 'text="Sign in"')]
)
def test_a_renamed_button_is_healed(
    run: Run,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    name: str,
    new: str,
) -> None:
    monkeypatch.chdir(pytester.path)
    (pytester.path / "label.txt").write_text("Log in")
    pytester.makepyfile(own_phone=APP.replace("ID", name))
    run(TEST, *OPTIONS).assert_outcomes(passed=3)
    (test,) = pytester.path.glob("test_*.py")
    code = test.read_text()
    (pytester.path / "label.txt").write_text("Sign in")
    run(TEST, *OPTIONS).assert_outcomes(failed=3)
    parser = argparse.ArgumentParser()
    heal.run.add_to(parser.add_subparsers())
    arguments = parser.parse_args(["heal", "out"])
    capfdbinary.readouterr()
    assert arguments.perform(arguments) == 1
    (pytester.path / "it.patch").write_bytes(capfdbinary.readouterr().out)
    assert test.read_text() == code
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply", "it.patch"], check=True)
    healed = test.read_text()
    assert healed == code.replace('text="Log in"', new, 2)
    run(healed, *OPTIONS).assert_outcomes(passed=2, failed=1)  # the claim is as it was
