"""Parts of a run, as pytest-split makes them: what each says of itself, and one report of all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture, Run, run_record

pytestmark = pytest.mark.slow

SOURCE = """
import pytest

@pytest.mark.parametrize("number", range(7))
def test_quick(number):
    pass
"""

PHONE = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_phone(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


def part(index: int, count: int) -> tuple[str, ...]:
    return f"--group={index}", f"--splits={count}"


def told(result: pytest.RunResult) -> str:
    (line,) = {line for line in result.stdout.lines if line.startswith("replicant: shard ")}
    return line.removeprefix("replicant: ")


def passed(result: pytest.RunResult) -> Iterator[str]:
    for line in result.stdout.lines:
        if found := re.search(r"(test_\w+\[\d+\]).* PASSED|PASSED .*(test_\w+\[\d+\])", line):
            yield found[1] or found[2]


def test_all_parts_name_one_plan_and_other_durations_make_another(
    run: Run, pytester: pytest.Pytester
) -> None:
    name = "test_all_parts_name_one_plan_and_other_durations_make_another.py"
    even = run(SOURCE, *part(1, 2), "-v", "-k", "not 6")
    assert told(even).startswith("shard 1/2: 3 of 6 tests, plan ")
    took = {f"{name}::test_quick[{number}]": 9.0 if number == 0 else 0.01 for number in range(7)}
    (pytester.path / "took.json").write_text(json.dumps(took), "utf-8")
    given = ("--durations-path=took.json", "--splitting-algorithm=least_duration", "-v")
    alone, others = run(SOURCE, *part(1, 2), *given), run(SOURCE, *part(2, 2), *given)
    assert list(passed(alone)) == ["test_quick[0]"]
    assert list(passed(others)) == [f"test_quick[{number}]" for number in range(1, 7)]
    plans = [told(one).rpartition(" ")[2] for one in (alone, others, even)]
    assert plans[0] == plans[1] != plans[2]


@pytest.mark.thorough
def test_the_reports_of_all_parts_are_one(
    run: Run, pytester: pytest.Pytester, capsys: Capture
) -> None:
    for index in (1, 2):
        run(PHONE, *part(index, 2), f"--replicant-output=out/{index}")
    shard = run_record(pytester.path, "out/2")["shard"]
    assert {name: shard[name] for name in ("index", "count", "tests", "total")} == {
        "index": 2,
        "count": 2,
        "tests": 1,
        "total": 3,
    }
    capsys.readouterr()
    out, merged = str(pytester.path / "out"), pytester.path / "merged"
    assert main(["triage", out, "--output", str(merged)]) == 0
    assert capsys.readouterr().out.startswith("3 tests of 1 run: 3 passed")
    found = run_record(merged, "")
    assert len(found["results"]) == 3
    (folder,) = (path for path in merged.iterdir() if path.is_dir())
    assert all((folder / row["trace"]).is_file() for row in found["tests"])
    took = json.loads((merged / "test_durations.json").read_text("utf-8"))
    assert {name: round(1000 * seconds) for name, seconds in took.items()} == {
        row["nodeid"]: row["duration_ms"] for row in found["tests"]
    }
    assert main(["triage", str(pytester.path / "out" / "1")]) == 3
    assert "shard 2/2 is missing" in capsys.readouterr().out


def test_a_part_that_was_only_listed_has_no_report(run: Run, pytester: pytest.Pytester) -> None:
    """It would pass for one that ran."""
    result = run(SOURCE, *part(1, 2), "--collect-only", "--replicant-output=out")
    assert result.ret == 0
    assert not [*pytester.path.glob("out/*")]


def test_where_no_part_has_a_test_nothing_passed(run: Run) -> None:
    assert run(SOURCE, *part(1, 2), "-k", "nosuch").ret == pytest.ExitCode.NO_TESTS_COLLECTED
