"""Reports with a failure of finding: the patch, and every reason for which there is none."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import DeathRecord, ElementRecord, ObstacleRecord, by
from pytest_replicant.test_code import Healing, heal

from ...snapshots.screens import SHOP, button, screen
from .kept_runs import LOG_IN, Step, failed, missed, passed, welcome, write

CODE = 'def test_it(mobile):\n    mobile.tap(text="Log in")\n'
CONSTANT = (
    'LOGIN = by(text="Log in")\n\ndef test_it(mobile):\n    mobile.tap(LOGIN)\n    '
    "mobile.long_press(LOGIN)\n"
)
NOW = welcome("Sign in")
TAP: dict[str, Any] = {"line": 4, "text": "mobile.tap(LOGIN)", "call": "tap"}
PRESS: dict[str, Any] = {"line": 5, "text": "mobile.long_press(LOGIN)", "call": "long_press"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "test_it.py").write_text(CODE)
    return tmp_path


def healed(
    root: Path, *now: Step, then: tuple[Step, ...] = (Step(welcome()),), **facts: Any
) -> Healing:
    passed(root / "out", *then)
    failed(root / "out", *now, **facts)
    return heal(str(root / "out"), root=root)


def why_not(found: Healing) -> str:
    """The code of the only refusal of a report in which nothing is healed."""
    (refused,) = found.refused
    assert (found.healed, found.patch) == ([], b"")
    assert refused.refusal.why
    assert refused.refusal.next
    return refused.refusal.code


def test_the_patch_of_a_renamed_button(root: Path) -> None:
    found = healed(root, missed(NOW))
    (one,) = found.healed
    assert (one.file, one.line, one.before, one.after) == (
        "test_it.py",
        2,
        LOG_IN,
        by(resource_id="login"),
    )
    assert [evidence for _, evidence in one.evidence] == [
        'renamed: same id, same place, "Log in" -> "Sign in"'
    ]
    assert b'-    mobile.tap(text="Log in")\n+    mobile.tap(resource_id="login")\n' in found.patch
    assert (root / "test_it.py").read_text() == CODE
    assert found.refused == []


@pytest.mark.parametrize("where", ["run", "test", "zip", "older"])
def test_the_report_may_be_given_in_other_ways(root: Path, where: str) -> None:
    before, now = passed(root / "out", Step(welcome())), failed(root / "out", missed(NOW))
    (test,) = (file.parent for file in now.glob("*/trace.json"))
    report, older = (
        {"run": now, "test": test, "zip": root / "it.zip", "older": root / "elsewhere"}[where],
        None,
    )
    if where == "zip":
        with zipfile.ZipFile(report, "w") as archive:
            for file in (root / "out").rglob("*.*"):
                archive.write(file, file.relative_to(root / "out"))
            for folder in (before, now):
                (one,) = folder.glob("*/trace.json")
                archive.writestr(f"{folder.name}/{one.parent.name}/cassette.json.gz", b"none")
    if where == "older":
        report.mkdir()
        now.rename(report / now.name)
        assert why_not(heal(str(report), root=root)) == "no pass"
        older = str(before)
    assert len(heal(str(report), older, root).healed) == 1


def test_a_failure_of_something_else_is_left_alone(root: Path) -> None:
    found = healed(root, missed(NOW, code="TIMEOUT"))
    assert (found.healed, found.refused, found.others, found.patch) == ([], [], 1, b"")


DIED = DeathRecord("dev.shop died")
UNDER = ObstacleRecord("system", "Update?")


@pytest.mark.parametrize(
    ("now", "facts", "code"),
    [
        (missed(welcome("")), {}, "gone"),
        (missed(SHOP), {}, "another screen"),
        (missed(welcome()), {}, "it is there"),
        (
            missed(NOW, call="expect_visible", code="VERIFICATION_FAILED", problem="missing"),
            {},
            "claim",
        ),
        (missed(NOW, over=UNDER), {}, "dialog"),
        (missed(NOW), {"deaths": (DIED,)}, "another cause"),
        (missed(NOW, blocker=UNDER, unfit="covered"), {}, "another cause"),
        (missed(NOW, ref="k427", code="STALE_REFERENCE"), {}, "no literal"),
        (missed(NOW, selector=by(android=LOG_IN, ios=LOG_IN)), {}, "no literal"),
        (missed(NOW, text='mobile.tap(text="Enter")'), {}, "source changed"),
        (missed(NOW, file="/etc/test_it.py"), {}, "no source"),
        (missed(NOW, call="long_press", text='mobile.tap(text="Log in")'), {}, "no pass"),
        (missed(NOW, snapshot="s9"), {}, "not proven"),
    ],
)
def test_refusals(root: Path, now: Step, facts: dict[str, Any], code: str) -> None:
    assert why_not(healed(root, now, **facts)) == code


def test_two_candidates(root: Path) -> None:
    twins = (button("Log in", at=(0, top, 900, top + 100)) for top in (600, 1300))
    shown = welcome("", *twins, resource_id="")
    found = healed(
        root, missed(shown, code="AMBIGUOUS_TARGET"), then=(Step(welcome(resource_id="")),)
    )
    assert why_not(found) == "two candidates"


def test_a_link_out_of_the_folder_is_not_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "test_it.py"
    outside.write_text(CODE)
    (root / "test_it.py").unlink()
    (root / "test_it.py").symlink_to(outside)
    assert why_not(healed(root, missed(NOW))) == "no source"


def test_another_state_of_the_app_is_no_new_name(root: Path) -> None:
    leaving = Step(
        welcome("Log out"), selector=by(text="Log out"), line=3, text='mobile.tap(text="Log out")'
    )
    found = healed(root, missed(welcome("Log out")), then=(Step(welcome()), leaving))
    assert why_not(found) == "another screen"


# --- one literal, several calls -------------------------------------------------------------------


def test_a_constant_heals_for_all_calls_at_once(root: Path) -> None:
    (root / "test_it.py").write_text(CONSTANT)
    then = (Step(welcome(), **TAP), Step(welcome(), **PRESS))
    (one,) = healed(root, missed(NOW, **TAP), then=then).healed
    assert (one.name, one.line, one.after) == ("LOGIN", 1, by(resource_id="login"))


def test_so_does_one_that_this_run_did_not_come_to(root: Path) -> None:
    (root / "test_it.py").write_text(CONSTANT)
    elsewhere = screen(button("Log in", resource_id="dev.shop:id/again"), title="Locked")
    found = healed(
        root, missed(NOW, **TAP), then=(Step(welcome(), **TAP), Step(elsewhere, **PRESS))
    )
    assert why_not(found) == "shared literal"


def test_a_constant_that_another_file_expects(root: Path) -> None:
    (root / "test_it.py").write_text(CONSTANT)
    check = Step(
        welcome(), call="expect_visible", file="test_z.py", text="mobile.expect_visible(LOGIN)"
    )
    assert (
        why_not(healed(root, missed(NOW, **TAP), then=(Step(welcome(), **TAP), check))) == "claim"
    )


def test_several_literals_of_one_file(root: Path) -> None:
    code = CODE + '    mobile.tap(\n        text="Log in",\n    )\n'
    (root / "test_it.py").write_text(code)
    passed(root / "out", Step(welcome()))
    passed(root / "out", Step(welcome(), line=3, text="mobile.tap("), test="test_other")
    failed(root / "out", missed(NOW))
    failed(root / "out", missed(NOW, line=3, text="mobile.tap("), test="test_other")
    found = heal(str(root / "out"), root=root)
    assert found.files["test_it.py"][1].decode() == code.replace(
        'text="Log in"', 'resource_id="login"'
    )
    assert len(found.healed) == 2


# --- which pass, which failure --------------------------------------------------------------------


def test_a_pass_after_the_failure_is_none(root: Path) -> None:
    run = root / "out" / "20261122-101010-cccccc"
    write(run, [Step(welcome())], "test_it", "2026-11-22T10:10:10Z")
    now = failed(root / "out", missed(NOW))
    assert why_not(heal(str(now), root=root)) == "no pass"


def test_the_step_of_the_same_turn_is_compared(root: Path) -> None:
    first = replace(
        Step(welcome()), screen=welcome("Log in", resource_id="dev.shop:id/one", title="One")
    )
    found = healed(root, first, missed(NOW), then=(first, Step(welcome())))
    assert (
        why_not(found) == "shared literal"
    )  # one line, two screens: the first still has it by another id


def test_an_element_record_proves_nothing(root: Path) -> None:
    """What the failing run itself took for the element is not evidence."""
    element = ElementRecord("Button", "Help", "", "", "k123")
    assert why_not(healed(root, missed(welcome(""), element=element))) == "gone"


@pytest.mark.parametrize("given", ["nowhere", "empty", "test_it.py"])
def test_no_report(root: Path, given: str) -> None:
    (root / "empty").mkdir()
    with pytest.raises(UsageError):
        heal(str(root / given), root=root)
    with pytest.raises(UsageError, match="--root"):
        heal(str(passed(root / "out", Step(welcome()))), root=root / "nowhere")
