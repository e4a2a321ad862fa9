"""A run that was ended before it wrote its index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_replicant.cli import main
from pytest_replicant.model import Redactor
from pytest_replicant.reporting import find_runs, write_trace

from .test_baseline import a_failure, a_pass


def test_its_traces_are_read(tmp_path: Path) -> None:
    failure = a_failure()
    write_trace(failure, tmp_path, "r1", Redactor())
    again = replace(failure, test=replace(failure.test, attempt=1))
    broken = write_trace(
        replace(again, test=replace(again.test, nodeid="t.py::x")), tmp_path, "r1", Redactor()
    )
    assert broken.trace_json is not None
    broken.trace_json.write_text("{")
    write_trace(again, tmp_path, "r1", Redactor())
    found = find_runs([tmp_path])
    (run,) = found.runs
    assert run.run_id == "r1"
    rows = [one.row for one in run.rows]
    assert [(row.attempt, row.outcome, row.duration_ms) for row in rows] == [
        (0, "failed", 6840),
        (1, "failed", 6840),
    ]
    assert rows[0].cause is not None
    assert rows[0].cause.message == "expect_screen Catalogue: Sign in"
    assert all((path := one.opens(one.row.trace)) and path.is_file() for one in run.rows)
    assert "no run.json, as of a run that was ended; 2 traces are read instead" in found.troubles[0]
    assert main(["triage", str(tmp_path)]) == 1


def test_a_replay_that_was_ended_is_no_run(tmp_path: Path) -> None:
    replayed = replace(a_pass(), test=replace(a_pass().test, outcome="holds on the recording"))
    write_trace(replayed, tmp_path, "renamed", Redactor())
    assert find_runs([tmp_path]).runs == ()
    write_trace(a_pass(), tmp_path, "r1-replay", Redactor())
    assert find_runs([tmp_path]).runs == ()


def test_passes_of_an_ended_run_prove_not_that_all_passed(tmp_path: Path) -> None:
    write_trace(a_pass(), tmp_path, "r1", Redactor())
    assert main(["triage", str(tmp_path)]) == 3
