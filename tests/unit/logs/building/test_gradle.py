"""Gradle's own words: each failure by its causes, where there is no compiler that reported them."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import read_stage

from .builds import COMPILE_FAILED, FAILED, only, place, read


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        (
            "A problem occurred configuring project ':app'.\n> SDK location not found. Set "
            "ANDROID_HOME.",
            "sdk",
            "A problem occurred configuring project ':app'. SDK location not found. Set "
            "ANDROID_HOME.",
        ),
        (
            "Could not open cp_settings generic class cache.\n> BUG! Unsupported class file major "
            "version 65",
            "jvm",
            "Could not open cp_settings generic class cache. BUG! Unsupported class file major "
            "version 65",
        ),
        (
            "Gradle build daemon disappeared unexpectedly (it may have been killed)",
            "jvm",
            "Gradle build daemon",
        ),
        (
            "Task 'assembleDbug' not found in root project 'shop'.",
            "gradle",
            "Task 'assembleDbug' not found",
        ),
        (
            "Could not determine the dependencies of task ':app:compile'.\n"
            "> Could not resolve all dependencies for configuration ':app:debugCompileClasspath'.\n"
            "   > Could not find com.example:gone:1.0.\n"
            "     Searched in the following locations:\n"
            "       - https://repo.example/gone.pom\n"
            "     Required by:\n"
            "         project :app",
            "dependency",
            "Could not determine the dependencies of task ':app:compile'. Could not find "
            "com.example:gone:1.0.",
        ),
    ],
)
def test_gradles_own(what: str, kind: str, message: str) -> None:
    error = only(FAILED.format(what=what))
    assert error.kind == kind
    assert error.message.startswith(message)
    assert "Searched" not in error.message


def test_each_cause_of_one_failure_is_an_error() -> None:
    summary = read(
        FAILED.format(
            what="Execution failed for task ':app:checkDebug'.\n"
            "> Could not resolve all files for configuration ':app:debug'.\n"
            "   > Could not find com.example:a:1.\n"
            "   > Could not find com.example:b:1."
        )
    )
    assert [error.message for error in summary.errors] == [
        "Could not find com.example:a:1.",
        "Could not find com.example:b:1.",
    ]
    assert summary.task == ":app:checkDebug"


def test_where_a_build_script_is_wrong() -> None:
    output = (
        "FAILURE: Build failed with an exception.\n\n* Where:\nBuild file '/p/app/build.gradle' "
        "line: 5\n\n* What went wrong:\nA problem occurred evaluating project ':app'.\n> Could "
        "not find method implementatio() for arguments [x]\n\n* Try:\n> Run\n\nBUILD FAILED in "
        "1s\n"
    )
    error = only(output)
    assert (error.kind, place(error)) == ("gradle", ("/p/app/build.gradle", 5, None))
    assert error.message.endswith("Could not find method implementatio() for arguments [x]")


def test_a_kotlin_script_tells_its_lines() -> None:
    output = (
        "FAILURE: Build failed with an exception.\n\n* Where:\nBuild file '/p/build.gradle.kts' "
        "line: 5\n\n* What went wrong:\nScript compilation errors:\n\n  Line 05: "
        "fooo()\n           ^ Unresolved reference: fooo\n\n  Line 9: baar()\n          ^ "
        "Unresolved reference: baar\n\n2 errors\n\n* Try:\n> Run\n"
    )
    assert [(*place(error), error.message) for error in read(output).errors] == [
        ("/p/build.gradle.kts", 5, None, "Unresolved reference: fooo"),
        ("/p/build.gradle.kts", 9, None, "Unresolved reference: baar"),
    ]


def test_two_failures_are_two() -> None:
    summary = read(
        "> Task :lib:compileDebugKotlin FAILED\ne: file:///lib/A.kt:1:1 Broken.\n> Task "
        ":app:check FAILED\n\nFAILURE: Build completed with 2 failures.\n\n1: Task failed with an "
        "exception.\n-----------\n* What went wrong:\nExecution failed for task "
        "':lib:compileDebugKotlin'.\n> Compilation error. See\n\n* Try:\n> "
        "Run\n==============\n\n2: Task failed with an exception.\n-----------\n* What went "
        "wrong:\nExecution failed for task ':app:check'.\n> Process 'command 'x'' finished with "
        "non-zero exit value 3\n\n* Try:\n> Run\n==============\n\nBUILD FAILED in 9s\n"
    )
    assert [(error.task, error.message) for error in summary.errors] == [
        (":lib:compileDebugKotlin", "Broken."),
        (":app:check", "Process 'command 'x'' finished with non-zero exit value 3"),
    ]
    assert summary.task == ":lib:compileDebugKotlin"


def test_a_consequence_alone_is_reported_all_the_same() -> None:
    assert only(COMPILE_FAILED).message == "Compilation error. See log for more details"


@pytest.mark.parametrize(
    ("line", "stage"),
    [
        ("> Task :app:compile", (":app:compile", True, False)),
        ("> Task :app:compile FAILED", (":app:compile", True, True)),
        ("> Task :app:compile UP-TO-DATE", (":app:compile", True, False)),
        ("> Configure project :app", (":app", False, False)),
        ("> Transform a.jar (project :app) with B", ("a.jar", False, False)),
        (":app:compile", (":app:compile", True, False)),
        (":app:compile FAILED", (":app:compile", True, True)),
        (":app:compile UP-TO-DATE", (":app:compile", True, False)),
    ],
)
def test_stages(line: str, stage: tuple[str, bool, bool]) -> None:
    assert read_stage(line) == stage


@pytest.mark.parametrize(
    "line", ["Task :app:x", ":app:x was fine", ":", "> Task", " > Task :app:x", "::error::x"]
)
def test_what_is_no_stage(line: str) -> None:
    assert read_stage(line) is None


def test_gradles_own_logging_is_read_through() -> None:
    before = "2026-03-21T12:11:13.612+0000 [ERROR] [org.gradle.Reporter] "
    output = COMPILE_FAILED.replace("Compilation error. See log", "Something else")
    error = only("".join(f"{before}{line}\n" for line in output.splitlines()))
    assert (error.message, error.task) == (
        "Something else for more details",
        ":app:compileDebugKotlin",
    )


def test_a_project_that_is_configured_is_no_task() -> None:
    error = only("> Configure project :app\ne: /p/build.gradle.kts:5:1: Unresolved reference: x\n")
    assert error.task == ""
