"""The build of the app: its progress, the report of a failure, and the page that documents it."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.logs import BuildError, BuildSummary
from pytest_replicant.options import SETTINGS
from pytest_replicant.pool import BuildResult
from pytest_replicant.running.provisioning.run_setup import BuildProgress, as_in, failure_text

ROOT = Path("/home/shop")


def result(*errors: BuildError, exit_code: int | None = 1, **fields: Any) -> BuildResult:
    count = fields.pop("error_count", len(errors))
    summary = BuildSummary("failed", ":app:compile", errors, count)
    return BuildResult(
        "./gradlew assembleDebug", exit_code, 42, summary, ROOT / "no such.log", **fields
    )


def message(failed: BuildResult) -> list[str]:
    return failure_text(failed, ROOT, ROOT, 60).splitlines()


def test_the_first_five_errors_and_how_many_more() -> None:
    errors = [
        BuildError("kotlin", f"Wrong {line}.", "/home/shop/app/Cart.kt", line, 5)
        for line in range(1, 9)
    ]
    assert message(result(*errors, error_count=210)) == [
        "the build failed: ./gradlew assembleDebug",
        "  exit code 1 after 42 s, in :app:compile",
        *(f"  app/Cart.kt:{line}:5: Wrong {line}." for line in range(1, 6)),
        "  and 205 more errors",
        "  next: fix this and run pytest again; no test has run",
    ]


def test_a_build_that_says_nothing_known_shows_its_end() -> None:
    lines = message(result(exit_code=3, last_lines=("one", "::error::two", "\x1b]three ##[four]")))
    assert lines[2:-1] == [
        "  its last lines:",
        "  | one",
        "  | ::error::two",
        "  | \\x1b]three ## [four]",
    ]
    assert lines[-1].startswith("  next: run the command yourself")  # there is no log
    assert "  it printed nothing" in message(result(exit_code=3))


def test_a_build_that_took_too_long() -> None:
    lines = message(result(exit_code=None, task=":app:dex", last_lines=("waiting for the lock",)))
    assert lines[0].startswith(
        "the build took longer than 1 min 0 s and was stopped, in :app:dex: ./gradlew"
    )
    assert "  | waiting for the lock" in lines
    assert "see what it waited for" in lines[-1]


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (BuildError("sdk", "SDK location not found"), "ANDROID_HOME"),
        (BuildError("sdk", "licences have not been accepted"), "--licenses"),
        (BuildError("jvm", "Unsupported class file major version 65"), "JAVA_HOME"),
        (BuildError("jvm", "Java heap space"), "org.gradle.jvmargs"),
        (BuildError("command", "sh: ./gradlew: Permission denied"), "chmod +x"),
        (BuildError("dependency", "Could not find a:b:1."), "repositories"),
        (BuildError("kotlin", "heap of trouble"), "fix this"),
    ],
)
def test_what_to_do_next(error: BuildError, advice: str) -> None:
    assert advice in message(result(error))[-1]


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("/home/shop/app/Cart.kt", "app/Cart.kt"),
        ("/elsewhere/Cart.kt", "/elsewhere/Cart.kt"),
        ("app/Cart.kt", "app/Cart.kt"),
        ("C:\\shop\\Cart.kt", "C:/shop/Cart.kt"),
    ],
)
def test_files_are_named_from_where_the_build_ran(file: str, shown: str) -> None:
    assert as_in(file, ROOT) == shown


def test_there_is_a_line_now_and_then() -> None:
    shown: list[str] = []
    progress = BuildProgress(shown.append)
    for tenth in range(300):
        progress.show(tenth / 10, ":app:one" if tenth < 150 else ":app:" + "long" * 40)
    ten, twenty = shown
    assert ten == "building 0:10 :app:one"
    assert twenty.startswith("building 0:20 :app:longlong")
    assert len(twenty) < 80


PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "builds.md"


def test_the_example_has_keys_that_there_are() -> None:
    found = re.search(r"```ini\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    example = configparser.ConfigParser(interpolation=None)
    example.read_string(found[1])
    assert (
        {"replicant_build", "replicant_app"}
        <= set(example["pytest"])
        <= {key for one in SETTINGS for key in one.keys}
    )
