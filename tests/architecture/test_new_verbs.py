"""A new check, and an action of what drivers do already, cost three files at most: the rest asks
the table."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from .source_tree import ROOT

pytestmark = [pytest.mark.ci, pytest.mark.slow]

NAME = f"new{os.getpid()}"
MOST = 3
"""Files of the product that one new call may touch."""
Edits = Mapping[str, Mapping[str, str]]
"""By file: what is put in front of which text."""
CHECK: Edits = {
    "model/verbs.py": {
        '    _check("expect_seen"': """\
    _check("expect_disabled", "ref", "any", "absence", others=("expect_greyed",)),
"""
    },
    "session/checks/elements.py": {
        "def alike_clause(": """\
def disabled(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        enabled = [one for one in look.snapshot.match_labels(target) if one.states.enabled]
        return verdict(not enabled, f"{len(enabled)} enabled", facts={"enabled": len(enabled)})

    return Check(
        "expect_disabled",
        describe(target),
        problem="enabled",
        wanted={"enabled": 0},
        proves_absence=True,
        test=test,
        holds="window",
        target=target,
    )


"""
    },
    "session/checks/checks.py": {
        "    def expect_seen(\n        self,\n        target": '''\
    def expect_disabled(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """No element that matches is enabled, through one whole window."""
        return self._expect(elements.disabled(self._target("expect_disabled", target, by)), timeout)

''',
        "    def expect_seen(self, *, timeout": '''\
    def expect_disabled(self, *, timeout: float | None = None) -> Self:
        """None of it is enabled."""
        self._verbs.expect_disabled(self.selector, timeout=timeout)
        return self

''',
    },
}
ACTION: Edits = {
    "model/verbs.py": {
        '    _touch("long_press"': """\
    _touch("triple_tap", "ref", image=True, answered=True, others=("tripleclick",)),
"""
    },
    "session/actions/gestures.py": {
        "    def long_press(": '''\
    def triple_tap(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Touches the element three times."""
        send = touch.gesture(lambda phone, point: [phone.tap(point) for _ in range(3)])
        return self._touch("triple_tap", target, by, send, timeout, silent)

'''
    },
    "session/locator.py": {
        "    def long_press(": '''\
    def triple_tap(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Touches it three times."""
        return self._verbs.triple_tap(self.selector, timeout=timeout, silent=silent)

'''
    },
}
TESTS = """\
import pytest
from pytest_replicant import ActionFailed, by, by_image


def test_green(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    box = mobile.locator(text="Remember me")
    box.triple_tap().expect_checked()
    mobile.triple_tap(text="Remember me").expect_checked(False)
    mobile.locator(text="Nowhere").expect_disabled()
    mobile.tap(text="Email").expect_disabled(text="Nowhere")
    mobile.soft.expect_disabled(text="Nowhere")


def test_soft(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.triple_tap(text="Remember me")
    mobile.locator(text="Sign in", role="button").soft.expect_disabled(timeout=0.3)


def test_hard(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.triple_tap(text="Remember me").expect_disabled(text="Sign in", role="button", timeout=0.3)


def test_answers(mobile):
    mobile.launch("dev.replicant.shop")
    with pytest.raises(AttributeError, match="here that is mobile.triple_tap()"):
        mobile.tripleclick
    with pytest.raises(AttributeError, match="here that is locator.expect_disabled()"):
        mobile.locator(text="Email").expect_greyed
    with pytest.raises(Exception, match="Absence cannot be proven by a picture"):
        mobile.expect_disabled(by_image(b"no picture"))
    with pytest.raises(ActionFailed, match="triple_tap"):
        mobile.triple_tap(text="Nowhere", timeout=0.2)
"""
SESSION = """\
import asyncio
import os
from docs.generating import commands, session
from pytest_replicant.exploring.mcp import Tools

tools = Tools(os.getcwd())


def ask(tool, part="", **given):
    said = asyncio.run(tools.call(tool, given))
    print(f"== {part or tool}", said.text, sep="\\n")


ask("open", app="dev.replicant.shop", device="virtual?latency=0", no_guard=True)
ask("do", steps=["triple_tap h751"])
ask("expect", checks=['expect_disabled(text="Nowhere")', "expect_checked()"])
ask("do", "other", steps=["tripleclick h751"])
ask("save", place="test_saved.py::test_saved", run=True)
ask("close")
ask("open", app="dev.replicant.shop", device="virtual?latency=0", guard=True, refuse=["Remember me"])
ask("do", "guarded", steps=["triple_tap h751"])
tools.close()
pages = (commands.page(), session.page())
print("== documents\\n", *("triple_tap" in page and "expect_disabled" in page for page in pages))
"""


def edited(folder: Path, edits: Edits) -> int:
    """Makes the edits, and counts the files that they touched."""
    for name, parts in edits.items():
        path = folder / "pytest_replicant" / name
        text = path.read_text("utf-8")
        for before, added in parts.items():
            assert text.count(before) == 1, (name, before)
            text = text.replace(before, added + before)
        path.write_text(text, "utf-8")
    return len(edits)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that has both, and tests that use them."""
    folder = tmp_path_factory.mktemp("new_verbs")
    for part in ("pytest_replicant", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    assert edited(folder, CHECK) <= MOST
    assert edited(folder, ACTION) <= MOST
    (folder / "test_new.py").write_text(TESTS)
    return folder


def run(project: Path, *words: str) -> str:
    """What a command prints that has the copy in place of the package."""
    env = {**os.environ, "PYTHONPATH": f"{project}{os.pathsep}{ROOT}"}
    command = [sys.executable, *words]
    ended = subprocess.run(
        command, cwd=project, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def tested(project: Path) -> str:
    return run(
        project, "-m", "pytest", "test_new.py", "-p", "no:randomly",
        "--replicant-device=virtual?latency=0", "--replicant-output=report",
        "--replicant-screenshot=off", "-o", "replicant_read_on=0",
    )  # fmt: skip


def test_both_work_on_sessions_outcomes_and_locators_hard_and_soft(tested: str) -> None:
    assert "2 failed, 2 passed" in tested
    assert "It did not hold before the action either." in tested
    assert '~ [h751] CheckBox "Remember me": checked False → True' in tested
    assert 'expect_disabled text="Nowhere" already held before tap text="Email"' in tested


def test_triage_groups_what_failed_and_a_replay_holds(project: Path, tested: str) -> None:
    said = run(project, "-m", "pytest_replicant.cli", "triage", "report")
    assert "2 failures, 1 cause" in said
    assert '  expect_disabled text="Sign in", role="button" on virtual-1: 1 enabled' in said
    report = re.findall(r"^replay: replicant replay (\S+)", tested, re.MULTILINE)[0]
    trace = next(
        path for path in (project / report).rglob("trace.json") if "green" in str(path)
    ).read_text("utf-8")
    assert {"triple_tap", "expect_disabled"} <= set(re.findall(r"\w+", trace))
    replayed = run(project, "-m", "pytest_replicant.cli", "replay", f"{report}::test_green")
    assert "holds on the recording to step 10 of 10" in replayed


def test_they_are_steps_for_shells_and_agents_and_a_saved_test_has_them(project: Path) -> None:
    said = dict(part.split("\n", 1) for part in run(project, "-c", SESSION).split("== ")[1:])
    assert '1 ok  mobile.triple_tap(text="Remember me")' in said["do"]
    assert 'expect_disabled(text="Nowhere") recorded: holds' in said["expect"]
    assert "Fresh run: passed" in said["save"]
    saved = (project / "test_saved.py").read_text("utf-8")
    assert '.triple_tap(text="Remember me").expect_disabled(' in saved
    assert "triple_tap h751" in said["other"]
    assert "GUARDED" in said["guarded"]
    assert "True True" in said["documents"]


def test_they_are_commands_of_a_kept_session(project: Path) -> None:
    opened = run(project, "-m", "pytest_replicant.client", "open", "dev.replicant.shop", "-s", NAME)
    try:
        assert "Sign in" in opened
        done = run(project, "-m", "pytest_replicant.client", "do", "-s", NAME, "triple_tap h751")
        assert '1 ok  mobile.triple_tap(text="Remember me")' in done
        said = run(
            project,
            "-m",
            "pytest_replicant.client",
            "expect",
            "-s",
            NAME,
            "expect_disabled(text='No')",
        )
        assert 'expect_disabled(text="No") recorded: holds' in said
    finally:
        run(project, "-m", "pytest_replicant.client", "close", "-s", NAME)
