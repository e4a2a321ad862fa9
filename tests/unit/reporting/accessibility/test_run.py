"""The findings of a run as data: each once, whoever saw it, in an order that no worker decides."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import jsonschema

from pytest_replicant.kept_runs import JudgedScreens
from pytest_replicant.reporting import accessibility_schema, run_of
from pytest_replicant.reporting.accessibility import summary_line

from .made import RAN, crop, document, finding, reported, screen, seen_by

VALIDATOR = jsonschema.Draft202012Validator(accessibility_schema())
PLAIN = screen("one", finding(picture=crop()), finding("touch-target", "Add"))
FULLER = screen("two", finding(), finding("touch-target", "Pay"))
TESTS = [
    seen_by("a", "one", new=[PLAIN], trace="a-1/trace.html"),
    seen_by("b", "two", "one", new=[FULLER]),
    seen_by(
        "c", "one", new=[screen("one", finding(), finding("touch-target", "Add"))]
    ),  # of another worker
]


def test_a_finding_stands_once_whichever_tests_and_workers_saw_it() -> None:
    made = document(*TESTS)
    assert made["totals"] == {"findings": 3, "rules": 3, "screens": 1}
    found = {
        (one["rule"], one["label"]): [test["test"] for test in one["tests"]]
        for one in made["findings"]
    }
    assert found == {
        ("missing-label", ""): ["a", "b", "c"],
        ("touch-target", "Add"): ["a", "b", "c"],
        ("touch-target", "Pay"): ["b"],
    }
    assert made["findings"][0]["tests"][0] == {"test": "a", "trace": "a-1/trace.html", "step": "a2"}


def test_the_order_of_arrival_decides_nothing() -> None:
    made = {json.dumps(document(*some)) for some in itertools.permutations(TESTS)}
    assert len(made) == 1


def test_apps_and_platforms_are_apart() -> None:
    other = screen("three", finding(), app="dev.example")
    made = document(TESTS[0], seen_by("b", "three", new=[other]))
    assert [one["app"] for one in made["findings"]] == [
        "dev.example",
        "dev.replicant.shop",
        "dev.replicant.shop",
    ]
    assert made["totals"]["screens"] == 2


def test_a_rule_counts_the_screens_it_was_run_on_and_says_why_not_on_others() -> None:
    bare = {"text-contrast": "there is no screenshot of this screen"}
    looks = [
        screen("one", ran=RAN[:2], not_run=bare),
        screen("one with a picture"),  # a later look of the same screen
        screen("other", ran=RAN[:2], not_run=bare, screen_key="c2"),
    ]
    rules = {one["name"]: one for one in document(seen_by("a", "one", new=looks))["rules"]}
    ran = {name: (one["screens"], one["not_run"]) for name, one in rules.items()}
    assert ran["missing-label"] == (2, [])
    assert ran["text-contrast"] == (1, [{"why": bare["text-contrast"], "screens": 1}])
    assert ran["unexposed-text"] == (0, [{"why": "no text was read", "screens": 1}])
    assert "apple-audit" not in rules  # no screen was one of an iPhone


def test_what_is_written(tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(accessibility_schema())
    run = run_of("run", "2026-11-26T18:00:00+00:00", 10, (), {})
    assert reported(*TESTS).write(run, tmp_path) == JudgedScreens(3, 3, 1, "accessibility.html")
    made = json.loads((tmp_path / "accessibility.json").read_text("utf-8"))
    VALIDATOR.validate(made)
    assert not VALIDATOR.is_valid({**made, "more": 1})
    pictured, *others = (one["crop"] for one in made["findings"])
    assert (tmp_path / pictured).read_bytes()
    assert others == [None, None]
    assert (tmp_path / "accessibility.html").is_file()
    assert reported().write(run, tmp_path) is None


def test_the_line_at_the_end_never_says_accessible() -> None:
    lines = [
        summary_line(JudgedScreens(12, 9, 14, "accessibility.html"), Path("out/run")),
        summary_line(JudgedScreens(0, 1, 1, "accessibility.html"), Path("out/run")),
        summary_line(None, Path("out/run")),
        summary_line(None, None),
    ]
    assert lines == [
        "accessibility: 12 findings of 9 rules on 14 screens: out/run/accessibility.html",
        "accessibility: no findings of 1 rule on 1 screen: out/run/accessibility.html",
        "accessibility: no screen was judged",
        "accessibility: no screen was judged: --replicant-trace=off keeps none",
    ]
    assert not any("accessible" in line for line in lines)
