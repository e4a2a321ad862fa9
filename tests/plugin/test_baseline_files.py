"""``--replicant-update``: what a check proposes is written where its test has ended green, and
nowhere else."""

from __future__ import annotations

import pytest

from tests.conftest import Run

SOURCE = """
import pytest
from pytest_replicant import by

@pytest.fixture
def files(mobile):
    files = mobile._context.baselines
    def propose(name, data=b"new"):
        if files.updates("looks"):
            files.propose(files.folder("looks") / name, lambda present: (present or b"") + data)
    return propose

@pytest.fixture
def breaks_late():
    yield
    raise RuntimeError("late")

def test_green(files):
    files("green")

def test_red(files):
    files("red")
    assert False

def test_soft(files, mobile):
    files("soft")
    mobile.soft.expect_visible(text="Nowhere", timeout=0)

def test_teardown(files, breaks_late):
    files("teardown")

@pytest.mark.xfail
def test_expected(files):
    files("expected")
    assert False

def test_skipped(files):
    files("skipped")
    pytest.skip("not today")

def test_twice(files):
    files("twice", b"1")
    files("twice", b"2")

class Times:
    count = 0

@pytest.mark.flaky(reruns=1)
def test_again(files):
    Times.count += 1
    files(f"attempt-{Times.count}")
    assert Times.count > 1

@pytest.mark.parametrize("number", range(4))
def test_shared(files, number):
    files("shared", f"{number}\\n".encode())
"""


def written(pytester: pytest.Pytester) -> set[str]:
    return {path.name for path in pytester.path.glob("looks/*/*")}


@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.ci)])
def test_only_green_tests_write(
    run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = run(SOURCE, "--replicant-update=looks", *workers)
    assert written(pytester) == {"green", "twice", "attempt-2", "shared"}
    folder = next(pytester.path.glob("looks/*"))
    assert (folder / "twice").read_bytes() == b"12"
    assert sorted((folder / "shared").read_text().split()) == list(
        "0123"
    )  # no worker's part is lost
    place = folder.relative_to(pytester.path).as_posix()
    result.stdout.fnmatch_lines_random(
        [
            f"written: {place}/green",
            f"not written: {place}/red, as *::test_red did not pass",
            f"not written: {place}/teardown, as *::test_teardown did not pass",
            f"written: {place}/attempt-2",
        ]
    )


def test_nothing_is_written_unasked(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SOURCE, "--replicant-update=accessibility", "-k", "green or red")
    assert not written(pytester)
    result.stdout.no_fnmatch_line("*written: *")


@pytest.mark.parametrize(
    ("given", "said"),
    [("look", "*give one of looks, accessibility*looks*"), ("looks,,accessibility", "*1 passed*")],
)
def test_the_words(run: Run, given: str, said: str) -> None:
    result = run("def test_nothing(): ...", f"--replicant-update={given}")
    (result.stdout if "passed" in said else result.stderr).fnmatch_lines([said])


def test_a_replay_writes_none(run: Run) -> None:
    result = run(
        "def test_nothing(): ...", "--replicant-update=looks", "--replicant-replay=somewhere"
    )
    result.stderr.fnmatch_lines(["*a replay writes no baselines*"])
