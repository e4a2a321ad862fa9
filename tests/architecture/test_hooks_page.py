"""The page of the hooks is complete, and its examples do what it says."""

from __future__ import annotations

import re
import runpy
from typing import Any

from pytest_replicant.model import FAILURE_CLASSES, Failure, Recovery, Remedy, by
from pytest_replicant.plugin import hookspecs
from pytest_replicant.recovery import POLICIES
from pytest_replicant.testing import check_policy
from tests.unit.snapshots.screens import button, parse, screen, text

from .source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "hooks.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_everything_has_its_place_on_it() -> None:
    hooks = [name for name in vars(hookspecs) if name.startswith("pytest_")]
    assert re.findall(r"^## (pytest_\w+)$", TEXT, re.MULTILINE) == hooks
    rows = re.findall(r"^\| (`?[\w.-]+)[`(| ]", TEXT, re.MULTILINE)
    remedies = [
        f"`Remedy.{name}" for name, each in vars(Remedy).items() if isinstance(each, classmethod)
    ]
    named = [f"`{name}" for name in (*FAILURE_CLASSES, *(policy.name for policy in POLICIES))]
    assert [name for name in (*named, *remedies) if name not in rows] == []


def test_the_names_by_which_they_are_switched_off() -> None:
    reports = {"replicant-allure", "replicant-junit", "replicant-pytest-html"}
    known = {policy.plugin_name for policy in POLICIES} | reports
    told = set(re.findall(r"-p no:(\S+?)`", TEXT))
    assert told
    assert told <= known


def test_its_policy_keeps_the_contract() -> None:
    """The one that a reader will begin with."""
    fences = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (code,) = (fence for fence in fences if "survey = failure.snapshot" in fence)
    names: dict[str, Any] = {"Recovery": Recovery, "Remedy": Remedy, "by": by}
    exec(code, names)
    survey = parse(screen(text("How do you like our app?"), button("Not now"), title="Catalogue"))
    check_policy(
        names["pytest_replicant_recover"],
        occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)],
    )


def test_so_does_that_of_the_example_tests() -> None:
    policy = runpy.run_path(str(ROOT / "example_app_tests" / "conftest.py"))[
        "pytest_replicant_recover"
    ]
    title = text("How are we doing?", resource_id="android:id/alertTitle")
    survey = parse(
        screen(title, button("Take part"), button("No, thanks", at=(300, 300, 500, 400)))
    )
    check_policy(policy, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)])
