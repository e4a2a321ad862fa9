"""Output of builds: each kind of failure is reported once, the cause first; and what is no failure
is none."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import BuildSummary

from .builds import COMPILE_FAILED, FAILED, JAVA, only, place, read


def test_a_build_that_succeeds() -> None:
    summary = read(
        "> Task :app:assembleDebug UP-TO-DATE\nw: file:///p/A.kt:1:1 unused\n\nBUILD SUCCESSFUL "
        "in 42s\n"
    )
    assert summary == BuildSummary("successful")


@pytest.mark.parametrize(
    "output", ["", "BUILD", "the BUILD FAILED", "BUILD FAILED, they said", "in 5s"]
)
def test_without_a_verdict_nothing_is_known(output: str) -> None:
    assert read(output) == BuildSummary("unknown")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("e: file:///src/Cart.kt:12:5 Unresolved reference 'x'.", ("/src/Cart.kt", 12, 5)),
        ("e: file:///D:/a%20b/Cart.kt:12:5 Unresolved reference 'x'.", ("D:/a b/Cart.kt", 12, 5)),
        ("e: /src/Cart.kt: (12, 5): Unresolved reference 'x'.", ("/src/Cart.kt", 12, 5)),
        ("e: C:\\src\\Cart.kt: (12, 5): Unresolved reference 'x'.", ("C:\\src\\Cart.kt", 12, 5)),
        ("e: /p/build.gradle.kts:12:5: Unresolved reference 'x'.", ("/p/build.gradle.kts", 12, 5)),
    ],
)
def test_kotlin(line: str, expected: tuple[str, int, int]) -> None:
    error = only(f"> Task :app:compileDebugKotlin FAILED\n{line}\n{COMPILE_FAILED}")
    assert place(error) == expected
    assert (error.kind, error.message, error.task) == (
        "kotlin",
        "Unresolved reference 'x'.",
        ":app:compileDebugKotlin",
    )


def test_a_message_of_kotlin_goes_on_below() -> None:
    error = only(
        "e: file:///src/Cart.kt:1:2 None of the following is applicable:\nfun total(): "
        "Int\n\nelse\n"
    )
    assert error.message == "None of the following is applicable: fun total(): Int"


def test_a_breakdown_of_kotlin_names_its_file() -> None:
    error = only(
        "e: org.example.BackendException: Backend Internal error: lowering\n"
        "File being compiled: (7,3) in /src/Cart.kt\n\tat org.example.Lowering.run(Lowering.kt:1)\n"
    )
    assert place(error) == ("/src/Cart.kt", 7, 3)
    assert error.message == "org.example.BackendException: Backend Internal error: lowering"
    error = only(
        "e: x: Error generating class file a/B.class (compiled from [/src/B.kt]): Method too "
        "large: B.c\n"
    )
    assert (error.file, error.message) == ("/src/B.kt", "Method too large: B.c")


@pytest.mark.parametrize(
    ("line", "expected", "message"),
    [
        (
            "e: [ksp] /src/Dao.kt:9: There is no column named x",
            ("/src/Dao.kt", 9, None),
            "There is no column named x",
        ),
        ("e: [ksp] Cannot find the schema", (None, None, None), "Cannot find the schema"),
        (
            "e: [ksp] No provider\ne: Error occurred in KSP, check log",
            (None, None, None),
            "No provider",
        ),
        ("e: [kapt] An exception occurred", (None, None, None), "An exception occurred"),
    ],
)
def test_annotation_processors(line: str, expected: tuple[object, ...], message: str) -> None:
    error = only(line)
    assert (place(error), error.message) == (expected, message)


def test_java_says_what_it_was_looking_for_and_once() -> None:
    summary = read(JAVA)
    assert [(*place(error), error.kind, error.message) for error in summary.errors] == [
        ("/src/Cart.java", 12, None, "java", "cannot find symbol: class Totl, class Cart"),
        ("/src/Cart.java", 20, None, "java", "';' expected"),
    ]
    assert (summary.error_count, summary.task) == (2, ":app:compileDebugJavaWithJavac")


RESOURCES = FAILED.format(
    what="Execution failed for task ':app:processDebugResources'.\n"
    "> A failure occurred while executing com.example.LinkResources\n"
    "   > Android resource linking failed\n"
    "     ERROR: /res/layout/main.xml:8: AAPT: error: resource string/hello (aka "
    "a.b:string/hello) not found."
)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            f"> Task :app:processDebugResources FAILED\n{RESOURCES}",
            ("/res/layout/main.xml", 8, None),
        ),
        (
            "ERROR:/res/main.xml:8: AAPT: error: resource string/x not found.",
            ("/res/main.xml", 8, None),
        ),
        (
            "a.b-main-6:/layout/main.xml:8: error: resource string/x not found.",
            ("a.b-main-6:/layout/main.xml", 8, None),
        ),
        ("ERROR: AAPT: error: resource string/x not found.", (None, None, None)),
        (
            "error: resource string/x not found.\nerror: failed linking references.",
            (None, None, None),
        ),
        (
            "/res/drawable/a.png: error: file failed to read: resource is no PNG",
            ("/res/drawable/a.png", None, None),
        ),
    ],
)
def test_resources(output: str, expected: tuple[object, ...]) -> None:
    error = only(output)
    assert place(error) == expected
    assert "resource" in error.message


def test_the_manifest_merger() -> None:
    error = only(
        "> Task :app:processDebugMainManifest FAILED\n"
        "/src/AndroidManifest.xml:11:5-40:19 Error:\n"
        "\tAttribute application@label value=(a) is also present at [lib] AndroidManifest.xml:3\n"
        + FAILED.format(
            what="Execution failed for task ':app:processDebugMainManifest'.\n"
            "> Manifest merger failed with multiple errors, see logs"
        )
    )
    assert place(error) == ("/src/AndroidManifest.xml", 11, 5)
    assert error.message.startswith("Attribute application@label")


def test_a_manifest_that_only_gradle_tells_of() -> None:
    error = only(
        FAILED.format(
            what="Execution failed for task ':app:processDebugMainManifest'.\n"
            "> Manifest merger failed : uses-sdk:minSdkVersion 19 cannot be smaller than version 21"
        )
    )
    assert error.task == ":app:processDebugMainManifest"


def test_lint() -> None:
    error = only(
        "> Task :app:lintDebug FAILED\n/src/Cart.kt:9: Error: Call requires permission "
        "[MissingPermission]\n        locate()\n        ~~~~~~\n"
        + FAILED.format(
            what="Execution failed for task ':app:lintDebug'.\n> Lint found errors in the "
            "project; aborting."
        )
    )
    assert place(error) == ("/src/Cart.kt", 9, None)


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: Missing classes detected while running R8. Rules are in /out/missing_rules.txt.",
        "ERROR: R8: Missing class com.example.Gone (referenced from: void "
        "com.example.Cart.total())",
        "Type com.example.A is defined multiple times: /a.jar:A.class, /b.jar:A.class",
    ],
)
def test_the_dexer(line: str) -> None:
    assert only(line).kind == "compiler"


@pytest.mark.parametrize(
    "line",
    [
        "/src/cart.cpp:3:9: error: use of undeclared identifier 'x'",
        "C/C++: /src/cart.cpp:3:9: fatal error: no x.h",
    ],
)
def test_other_compilers(line: str) -> None:
    error = only(line)
    assert (error.kind, place(error)) == ("compiler", ("/src/cart.cpp", 3, 9))


def test_forbidden_warnings_are_what_is_wrong() -> None:
    summary = read(
        "> Task :app:compileDebugKotlin FAILED\nw: file:///src/Cart.kt:9:4 'old' is deprecated.\n"
        f"e: warnings found and -Werror specified\n{COMPILE_FAILED}"
    )
    assert [(*place(error), error.message) for error in summary.errors] == [
        ("/src/Cart.kt", 9, 4, "'old' is deprecated.")
    ]
    alone = read(f"e: warnings found and -Werror specified\n{COMPILE_FAILED}")
    assert [error.message for error in alone.errors] == ["warnings found and -Werror specified"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ERROR: JAVA_HOME is set to an invalid directory: /gone", "jvm"),
        ("Error: Could not find or load main class org.gradle.wrapper.GradleWrapperMain", "gradle"),
        ('Exception in thread "main" java.net.UnknownHostException: services.gradle.org', "gradle"),
        ("/bin/sh: 1: ./gradlew: Permission denied", "command"),
        ("bash: line 3: gradlew: command not found", "command"),
        ("'gradlew' is not recognized as an internal or external command,", "command"),
        ("xcodebuild: error: Scheme Shop is not currently configured", "compiler"),
    ],
)
def test_what_never_came_to_gradle(line: str, kind: str) -> None:
    assert only(line).kind == kind


@pytest.mark.parametrize(
    "line",
    [
        "> Task :app:compileDebugKotlin",
        "warning: something is off",
        "w: file:///src/Cart.kt:1:1 Variable 'error' is never used",
        "The error: it was mentioned in passing",
        "0 errors, 3 warnings",
        "12:30:05: Executing 'assembleDebug'...",
        "2026-01-01 12:30:05: ERROR: this app's own log",
        "no error",
        "me: file:///src/Cart.kt:1:1 no Kotlin",
        "error:",
        "",
    ],
)
def test_what_is_no_error(line: str) -> None:
    assert read(line).errors == ()


def test_an_error_that_is_printed_twice_is_one() -> None:
    line = "e: file:///src/Cart.kt:12:5 Unresolved reference 'x'.\n"
    assert read(line * 3).error_count == 1


def test_compilers_come_before_gradle_and_each_in_order() -> None:
    other = FAILED.format(what="Execution failed for task ':b:x'.\n> Something else broke.")
    lines = "".join(f"e: file:///src/Cart.kt:{line}:1 Wrong {line}.\n" for line in (9, 3, 5))
    found = [error.message for error in read(f"{other}> Task :app:compile\n{lines}").errors]
    assert found == ["Wrong 9.", "Wrong 3.", "Wrong 5.", "Something else broke."]


def test_more_than_can_be_kept_are_counted() -> None:
    summary = read("".join(f"e: file:///src/Cart.kt:{line}:1 Wrong.\n" for line in range(1, 2001)))
    assert summary.error_count == 2000
    assert len(summary.errors) < 2000
