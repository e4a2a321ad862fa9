"""The end of a run in the terminal: causes, tests, traces, and one line that counts."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.conftest import Run, here_and_in_a_worker, run_record

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import pytest

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_pass(mobile):
    start(mobile)

@pytest.mark.parametrize("number", range(3))
def test_own(mobile, number):
    start(mobile)
    assert 1 == 2

def test_renamed(mobile):
    start(mobile)
    mobile.tap(text="Sing in")
"""


@here_and_in_a_worker
def test_failures_are_told_by_their_causes(
    run: Run, workers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")  # pytest does not cut long lines there
    result = run(SOURCE, "--replicant-output=out", *workers)
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        [
            "*-- replicant --*",
            "4 failures, 2 causes",
            "FAILED * (3 tests)",
            "  *assert 1 == 2*",
            "  test: *::test_own?0?, line 12*",
            "  open: out/*/trace.html*",
            "  test: *::test_own?1?, line 12*",
            "FAILED *",
            '  nearest: *Button "Sign in"',
            "  test: *::test_renamed, line 16*",
            "report: out/*/index.html",
            "replay: replicant replay out/*",
            "replicant: 1 passed, 4 failed (2 causes) on virtual-1",
        ]
    )
    section = (
        result.stdout.str().partition("-- replicant --")[2].partition("= short test summary")[0]
    )
    assert "[f544]" not in section, "the screen is in the traceback already"
    assert "\x1b" not in section
    summary = result.stdout.str().partition("short test summary info")[2].splitlines()[1:]
    assert len(summary) == 5
    assert '::test_renamed - ActionFailed: ELEMENT_NOT_FOUND  tap text="Sing in"' in summary[3]


ERRORS = """
import pytest

@pytest.fixture
def ends_badly():
    yield
    raise ValueError("at the end")

@pytest.fixture
def begins_badly():
    raise ValueError("at the start")

def test_both(mobile, ends_badly):
    assert 1 == 2

def test_end(mobile, ends_badly): ...

def test_no_phone(ends_badly):
    assert 1 == 2

def test_no_phone_to_begin_with(begins_badly): ...
"""


@here_and_in_a_worker
def test_every_error_that_pytest_counts_is_counted(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(test_uncollected="import there_is_no_such_module")
    result = run(ERRORS, "--continue-on-collection-errors", *workers)
    result.assert_outcomes(passed=1, failed=2, errors=5)
    result.stdout.fnmatch_lines(["replicant: 1 failed, 5 errors (2 causes) on *"])


def test_the_end_is_in_a_file_for_chats_and_its_commands_run_the_failures_again(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(SOURCE, "--replicant-output=out", "--replicant-device=virtual?latency=0")
    (path,) = (pytester.path / "out").glob("*/failures.txt")
    text = path.read_text("utf-8")
    assert text in result.stdout.str()
    commands = [
        line.partition(": ")[2] for line in text.splitlines() if line.startswith("  run again")
    ]
    assert len(commands) == 2
    words = shlex.split(commands[0])
    assert words[0] == "pytest"
    again = pytester.runpytest(*words[1:], "-p", "no:cacheprovider")
    again.assert_outcomes(failed=3)


COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OWN = re.compile(r"\d{8}-\d{6}-[0-9a-f]+|\(\d+ reads, [\d.]+ s\)")


def end_of(result: pytest.RunResult) -> str:
    """What is printed of a run, without what is another in each run."""
    text = (
        result.stdout.str().rpartition(" replicant ---")[2].partition("short test summary info")[0]
    )
    return OWN.sub("", text).strip("-= \n")


def test_the_end_is_printed_once_and_in_colour_it_is_the_same_text(run: Run) -> None:
    many = SOURCE + "".join(
        f"""
def test_more_{at}(mobile):
    start(mobile)
    raise ValueError({at})
"""
        for at in range(4)
    )
    options = ("--replicant-output=out", "-k", "not pass")
    plain = end_of(run(many, *options, "--color=no"))
    assert plain.count("8 failures, 6 causes") == 1
    assert all(plain.count(f"::test_more_{at}, line ") == 1 for at in range(4))
    assert "\x1b" not in plain
    coloured = end_of(run(many, *options, "--color=yes"))
    assert "\x1b[31m\x1b[1m8 failures, 6 causes\x1b[0m" in coloured
    assert COLOURS.sub("", coloured).strip("-= \n") == plain


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_long_uri_stands_in_the_header_and_in_the_facts_alone(
    run: Run, pytester: pytest.Pytester, platform: str
) -> None:
    long = f"virtual:{platform}?latency=0&seed=77"
    files = (
        "--replicant-output=out",
        "--junitxml=out/junit.xml",
        "--alluredir=out/allure",
        "--html=out/page.html",
    )
    result = run(SOURCE, *files, "-k", "renamed", f"--replicant-device={long}")
    result.assert_outcomes(failed=1)
    name = "virtual-iphone-1" if platform == "ios" else "virtual-1"
    result.stdout.fnmatch_lines(
        [f"*ELEMENT_NOT_FOUND*on {name} (*", f"replicant: 1 failed (1 cause) on {name}"]
    )
    header, command = [line for line in result.stdout.lines if "seed=77" in line]
    assert header.startswith(f"replicant: {long} ")
    assert command.startswith("  run again: ")  # it is given the phone as the run was
    texts = [
        path.read_text("utf-8")
        for path in (pytester.path / "out").rglob("*.*")
        if path.suffix not in (".gz", ".zip")
    ]
    facts = r'"uri": ?"virtual[^"]*"|"devices?": ?"virtual[^"]*"|--replicant-device=virtual[^ "]*'
    assert "seed=77" not in re.sub(facts, "", "".join(texts))
    assert name in (pytester.path / "out" / "junit.xml").read_text("utf-8")


@pytest.mark.parametrize("chosen", ["pass", "own and 0"])
def test_without_a_trace_the_heading_has_the_phones_and_no_page(run: Run, chosen: str) -> None:
    result = run(SOURCE, "-q", "--replicant-trace=off", "-k", chosen)
    ends = "1 passed" if chosen == "pass" else "1 failed (1 cause)"
    result.stdout.fnmatch_lines(["*-- replicant --*", f"replicant: {ends} on virtual-1"])
    result.stdout.no_fnmatch_line("  open: *")
    result.stdout.no_fnmatch_line("report: *")


def test_a_green_run_leaves_no_file_for_chats(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out", "-k", "pass").assert_outcomes(passed=1)
    assert not [*(pytester.path / "out").glob("*/failures.txt")]


def test_no_two_phones_of_a_run_have_one_name(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    source = """
    import pytest

    @pytest.mark.parametrize("number", range(4))
    def test_it(mobile, new_mobile, number):
        names = [one.info.serial for one in (mobile, new_mobile(), new_mobile("virtual:ios?latency=0"))]
        print("NAMES", *names)
        raise AssertionError
    """
    result = run(
        source, "-n", "2", "-q", "--replicant-output=out", "--replicant-device=virtual?latency=0"
    )
    found = {line for line in result.stdout.lines if line.startswith("NAMES ")}
    names = [name for line in found for name in line.split()[1:]]
    assert len(found) == 2, "a worker keeps its phones"
    assert len({*names}) == len(names) == 6
    result.stdout.fnmatch_lines(["replicant: 4 failed (1 cause) on 6 phones (*"])
    assert {row["phone"] for row in run_record(pytester.path)["tests"]} == {*names}
