"""Many runs together: what stands, what differs, and where each failure parted from its last
pass."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.model import Redactor, TestTrace
from pytest_replicant.reporting import (
    Summary,
    find_runs,
    preformatted,
    run_of,
    summary_of,
    triage_lines,
    with_files,
    write_trace,
)

from ..factory import HOSTILE, hostile_trace, row_of
from .test_baseline import DIVERGED, a_failure, a_pass, keyed
from .test_runs import BROKEN, ROW, keep


def write(output: Path, run_id: str, *traces: TestTrace, **changes: str) -> None:
    rows = []
    for trace in traces:
        files = write_trace(trace, output, run_id, Redactor())
        row = with_files(row_of(trace), files, output / run_id, Redactor())
        rows.append(replace(row, **changes))  # type: ignore[arg-type]
    run = run_of(run_id, traces[0].test.started_at, 1000, rows)
    (output / run_id / "run.json").write_text(json.dumps(run.to_dict()), "utf-8")


def began(trace: TestTrace, moment: str) -> TestTrace:
    return replace(keyed(trace), test=replace(trace.test, started_at=moment))


def summary(root: Path, *more: Path) -> Summary:
    return summary_of(find_runs([root]), "merged", root / "merged", [root, *more])


def shown(root: Path, *more: Path) -> str:
    return "\n".join(triage_lines(summary(root, *more)))


def test_a_failure_is_compared_with_the_pass_of_another_run(tmp_path: Path) -> None:
    write(tmp_path / "a", "r1", began(a_pass(), "2026-11-20T10:00:00Z"))
    write(tmp_path / "b", "r2", began(a_failure(), "2026-11-21T10:00:00Z"))
    text = shown(tmp_path)
    assert "1 test of 2 runs: 1 failed" in text
    assert "1 failure, 1 cause" in text
    assert DIVERGED in text
    assert "not the same in every run (1)" in text
    assert "passed then failed" in text
    assert "trace.html" in text


def test_a_pass_in_the_baseline_alone_is_found(tmp_path: Path) -> None:
    write(tmp_path / "now", "r2", began(a_failure(), "2026-11-21T10:00:00Z"))
    assert "No earlier pass of this test is at hand." in shown(tmp_path / "now")
    write(tmp_path / "then", "r1", began(a_pass(), "2026-11-20T10:00:00Z"))
    assert DIVERGED in shown(tmp_path / "now", tmp_path / "then")


def test_a_pass_that_came_later_is_called_that(tmp_path: Path) -> None:
    write(tmp_path, "r1", began(a_failure(), "2026-11-20T10:00:00Z"))
    write(tmp_path / "base", "r2", began(a_pass(), "2026-11-21T10:00:00Z"))
    found = find_runs([tmp_path / "r1"])
    (divergence,) = summary_of(found, "m", tmp_path / "m", [tmp_path]).divergences.values()
    assert divergence.sentence == f"Next to a later pass: {DIVERGED}"


def test_without_a_trace_the_sentence_of_the_run_stands(tmp_path: Path) -> None:
    keep(tmp_path, "r1", replace(BROKEN, divergence="Diverged at step 3."))
    assert "Diverged at step 3." in shown(tmp_path)
    keep(tmp_path, "r1", BROKEN)
    assert "Not compared with another run: its trace was not kept." in shown(tmp_path)
    keep(tmp_path, "r1", replace(BROKEN, trace_json="a/trace.json"))
    assert "Not compared with another run: its trace cannot be read." in shown(tmp_path)


def test_what_is_true_of_several_causes_stands_once(tmp_path: Path) -> None:
    assert BROKEN.cause is not None
    other = replace(
        BROKEN, nodeid="t.py::b", cause=replace(BROKEN.cause, message="other", exception="KeyError")
    )
    keep(
        tmp_path,
        "r1",
        BROKEN,
        other,
        replace(other, nodeid="t.py::d", divergence="Diverged at step 3."),
    )
    text = shown(tmp_path)
    assert text.count("its trace was not kept") == 1
    assert text.count("Diverged at step 3.") == 1
    assert "  2 tests: Not compared with another run: its trace was not kept." in text


def test_a_rerun_that_passed_is_flaky_and_no_failure(tmp_path: Path) -> None:
    keep(tmp_path, "r1", BROKEN, replace(ROW, attempt=1))
    made = summary(tmp_path)
    assert (made.counts, made.failed) == ({"flaky": 1}, ())
    assert "flaky (1):\n  t.py::a passed at attempt 2; attempt 1: no" in shown(tmp_path)


def test_a_failure_by_a_known_cause_is_listed_and_is_none(tmp_path: Path) -> None:
    keep(
        tmp_path,
        "r1",
        replace(BROKEN, outcome="known flaky", known_flaky="SHOP-1, until 2999-12-31"),
    )
    assert (summary(tmp_path).counts, summary(tmp_path).failed) == ({"known flaky": 1}, ())
    assert "known flaky (1):\n  t.py::a, SHOP-1, until 2999-12-31: no" in shown(tmp_path)


def test_a_failure_without_a_cause_is_listed_all_the_same(tmp_path: Path) -> None:
    keep(tmp_path, "r1", replace(BROKEN, cause=None, failure="the worker died"))
    assert "no cause is known (1):\n  t.py::a: the worker died" in shown(tmp_path)


def test_what_could_not_be_read_is_render(tmp_path: Path) -> None:
    keep(tmp_path / "good", "r1", ROW)
    (tmp_path / "run.json").write_text("{")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "run.json").write_text("{}")
    assert "not read (1)" in shown(tmp_path)
    assert "not ours (1)" in shown(tmp_path)


def test_the_json_says_the_same(tmp_path: Path) -> None:
    write(tmp_path / "a", "r1", began(a_pass(), "2026-11-20T10:00:00Z"))
    write(tmp_path / "b", "r2", began(a_failure(), "2026-11-21T10:00:00Z"))
    document = json.loads(json.dumps(summary(tmp_path).to_dict()))
    assert document["schema"] == "replicant.triage/1"
    assert document["counts"] == {"failed": 1}
    (failure,) = document["failures"]
    assert failure["divergence"]["sentence"] == DIVERGED
    assert failure["divergence"]["step"] == "a1"
    assert document["causes"][0]["tests"] == [failure["nodeid"]]
    assert document["unsteady"] == [{"test": failure["nodeid"], "outcomes": ["passed", "failed"]}]
    assert [run["run_id"] for run in document["runs"]] == ["r1", "r2"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_text_in_a_terminal_and_in_markdown(tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    then, now = hostile_trace(text), hostile_trace(text)
    write(tmp_path, "r1", replace(then, test=replace(then.test, outcome="passed")))
    later = replace(now.test, started_at="2026-11-22T00:00:00Z")
    write(tmp_path, "r2", replace(now, test=later))
    made = summary(tmp_path)
    lines = triage_lines(made)
    assert all(line.isprintable() for line in lines)
    begin, *shown, end = preformatted(lines).splitlines()
    assert (begin, end) == ("<pre>", "</pre>")
    assert "<" not in "".join(shown)
    json.dumps(made.to_dict())
