"""Parts of a run: each test in one of them, the same plan in every worker, and one report of all."""

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


def kept(pytester: pytest.Pytester, durations: dict[str, int]) -> None:
    folder = pytester.path / ".pytest_cache" / "v" / "replicant"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "durations").write_text(json.dumps(durations), "utf-8")


def told(result: pytest.RunResult) -> str:
    (line,) = {line for line in result.stdout.lines if line.startswith("replicant: shard ")}
    return line.removeprefix("replicant: ")


def passed(result: pytest.RunResult) -> Iterator[str]:
    for line in result.stdout.lines:
        if found := re.search(r"(test_\w+\[\d+\]).* PASSED|PASSED .*(test_\w+\[\d+\])", line):
            yield found[1] or found[2]


def test_each_test_is_in_one_part_and_the_plan_goes_by_what_took_long(run: Run, pytester: pytest.Pytester) -> None:
    name = "test_each_test_is_in_one_part_and_the_plan_goes_by_what_took_long.py"
    kept(pytester, {f"{name}::test_quick[0]": 9000, f"{name}::test_quick[1]": 10})
    first = run(SOURCE, "--replicant-shard=1/2", "-v", "-p", "no:cacheprovider")
    assert told(first).startswith("shard 1/2: 4 of 7 tests, plan ")
    kept(pytester, {f"{name}::test_quick[{number}]": 9000 if number == 0 else 10 for number in range(7)})
    alone = run(SOURCE, "--replicant-shard=1/2", "-v")
    assert list(passed(alone)) == ["test_quick[0]"]
    assert alone.ret == 0
    kept(pytester, {f"{name}::test_quick[{number}]": 9000 if number == 0 else 10 for number in range(7)})
    others = run(SOURCE, "--replicant-shard=2/2", "-v")
    assert list(passed(others)) == [f"test_quick[{number}]" for number in range(1, 7)]
    assert told(alone).rpartition(" ")[2] == told(others).rpartition(" ")[2]


@pytest.mark.thorough
def test_workers_have_one_plan(run: Run, pytester: pytest.Pytester) -> None:
    name = "test_workers_have_one_plan.py"
    kept(pytester, {f"{name}::test_quick[{number}]": 900 * (number == 0) for number in range(7)})
    result = run(SOURCE, "--replicant-shard=2/2", "-n", "2", "-v")
    assert result.ret == 0
    assert sorted(passed(result)) == [f"test_quick[{number}]" for number in range(1, 7)]
    assert told(result).startswith("shard 2/2: 6 of 7 tests, plan ")


@pytest.mark.thorough
def test_a_part_without_a_test_is_no_failure(run: Run) -> None:
    result = run(SOURCE, "--replicant-shard=9/9")
    assert result.ret == 0
    assert told(result).startswith("shard 9/9: 0 of 7 tests")
    result.stdout.fnmatch_lines(["replicant: no test used a phone"])


@pytest.mark.thorough
def test_what_is_left_out_before_is_in_no_part(run: Run) -> None:
    result = run(SOURCE, "--replicant-shard=1/1", "-k", "quick and 3")
    assert told(result).startswith("shard 1/1: 1 of 1 tests")


@pytest.mark.thorough
def test_durations_are_kept_of_runs_with_a_phone_alone(run: Run, pytester: pytest.Pytester) -> None:
    cache = pytester.path / ".pytest_cache" / "v" / "replicant" / "durations"
    run(SOURCE)
    assert not cache.exists()
    run(PHONE)
    took = json.loads(cache.read_text("utf-8"))
    assert len(took) == 3
    assert all(isinstance(one, int) and one > 0 for one in took.values())


@pytest.mark.thorough
def test_the_reports_of_all_parts_are_one(run: Run, pytester: pytest.Pytester, capsys: Capture) -> None:
    for index in (1, 2):
        run(PHONE, f"--replicant-shard={index}/2", f"--replicant-output=out/{index}", "-p", "no:cacheprovider")
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
    assert main(["triage", str(pytester.path / "out" / "1")]) == 3
    assert "shard 2/2 is missing" in capsys.readouterr().out


def test_a_part_that_was_ended_early_is_not_whole(run: Run, pytester: pytest.Pytester, capsys: Capture) -> None:
    fails = "import pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_it(n): assert False"
    for index in (1, 2):
        run(fails, f"--replicant-shard={index}/2", "--maxfail=1", f"--replicant-output=out/{index}")
    assert run_record(pytester.path, "out/1")["shard"]["tests"] == 1
    capsys.readouterr()
    assert main(["triage", str(pytester.path / "out")]) == 3
    assert "the shards ran 2 of 4 tests: a shard was ended early" in capsys.readouterr().out


def test_a_part_that_was_only_listed_has_no_report(run: Run, pytester: pytest.Pytester) -> None:
    """It would pass for one that ran."""
    result = run(SOURCE, "--replicant-shard=1/2", "--collect-only", "--replicant-output=out")
    assert result.ret == 0
    assert not [*pytester.path.glob("out/*")]


def test_where_no_part_has_a_test_nothing_passed(run: Run) -> None:
    assert run(SOURCE, "--replicant-shard=1/2", "-k", "nosuch").ret == pytest.ExitCode.NO_TESTS_COLLECTED
