"""A stack trace in a line."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import Crash, StackFrame, read_crashes

FRAMEWORK = "\tat android.app.ActivityThread.main(ActivityThread.java:1)"
LIBRARY = "\tat okhttp3.internal.Exchange.read(Exchange.kt:7)"
OWN = "\tat com.example.ui.Cart$total$1.invoke(Cart.kt:42)"


def uncaught(lines: list[str]) -> Crash:
    head = ("FATAL EXCEPTION: main", "Process: com.example.shop, PID: 7")
    (found,) = read_crashes(
        f"07-02 16:00:46.303  7  7 E AndroidRuntime: {line}" for line in (*head, *lines)
    )
    return found


@pytest.mark.parametrize(
    ("lines", "summary", "signature"),
    [
        (
            ["java.lang.Error: no", OWN],
            "Error: no (Cart.kt:42)",
            "java.lang.Error at com.example.ui.Cart$total$1.invoke",
        ),
        (
            ["java.lang.Error", OWN],
            "Error (Cart.kt:42)",
            "java.lang.Error at com.example.ui.Cart$total$1.invoke",
        ),
        (
            ["java.lang.Error: no", LIBRARY, OWN],
            "Error: no (Cart.kt:42)",
            "java.lang.Error at com.example.ui.Cart$total$1.invoke",
        ),
        (
            ["java.lang.Error: no", FRAMEWORK, LIBRARY],
            "Error: no (Exchange.kt:7)",
            "java.lang.Error at okhttp3.internal.Exchange.read",
        ),
        (
            ["java.lang.Error: no", FRAMEWORK],
            "Error: no (ActivityThread.java:1)",
            "java.lang.Error at android.app.ActivityThread.main",
        ),
        (["java.lang.Error: no"], "Error: no", "java.lang.Error"),
        (
            ["java.lang.Error: outer", OWN, "Caused by: a.b.Inner: root", FRAMEWORK],
            "Inner: root (Cart.kt:42)",
            "a.b.Inner at com.example.ui.Cart$total$1.invoke",
        ),
        (["something else", "and more"], "something else", "something else"),
        ([], "an uncaught exception", "an uncaught exception"),
    ],
)
def test_the_root_and_the_apps_own_frame(lines: list[str], summary: str, signature: str) -> None:
    found = uncaught(lines)
    assert (found.summary, found.signature) == (summary, signature)


def test_lines_of_a_message_are_no_causes() -> None:
    found = uncaught(["a.b.Outer: first line", "c.d.Other: looks like one", "  Found:", OWN])
    assert found.summary == "Outer: first line (Cart.kt:42)"


def test_a_long_message_is_cut() -> None:
    assert len(uncaught([f"a.b.C: {'x' * 5000}"]).summary) < 300


def test_where_it_came_up_is_the_same_in_another_build() -> None:
    one = uncaught(["a.b.C: 17 items", OWN])
    other = uncaught(["a.b.C: 18 items", OWN.replace("42", "57")])
    assert one.signature == other.signature
    assert one.summary != other.summary


CHAINED = """\
java.lang.RuntimeException: Unable to resume activity
\tat android.app.ActivityThread.performResume(ActivityThread.java:4972)
\tSuppressed: kotlinx.coroutines.internal.DiagnosticCoroutineContextException: [StandaloneCoroutine{Cancelling}]
\t\tat com.example.shop.Wrong.suppressed(Wrong.kt:1)
\tCaused by: java.lang.Error: beside it
\t\tat com.example.shop.Wrong.beside(Wrong.kt:2)
Caused by: com.example.shop.CartException: no cart
  for user 7:
  at least one is needed
\tat com.example.shop.CartStore.load-gIAlu-s(CartStore.kt:57)
\tat com.example.shop.CartStore$load$1.invokeSuspend(Unknown Source:14)
\tat _COROUTINE._BOUNDARY._(CoroutineDebugging.kt:46)
\tat com.example.shop.CartViewModel$refresh$1.invokeSuspend(CartViewModel.kt:31)
\t... 12 more
Caused by: java.io.IOException
\tat java.net.Socket.read(Native Method)
\tat com.google.android.gms.x.run(:com.google.android.gms@244735019@24.47.35 (190400-705592033):12)
\t... 14 more
"""


def test_causes_are_reported_outermost_first_and_what_was_suppressed_is_none() -> None:
    found = uncaught(CHAINED.splitlines())
    assert (found.exception, found.message) == (
        "java.lang.RuntimeException",
        "Unable to resume activity",
    )
    assert [(cause.exception, cause.message) for cause in found.causes] == [
        ("com.example.shop.CartException", "no cart\n  for user 7:\n  at least one is needed"),
        ("java.io.IOException", ""),
    ]
    assert [frame.line for frame in found.frames] == [4972]
    assert [frame.line for frame in found.causes[0].frames] == [57, 14, 46, 31]
    assert found.frame == StackFrame("com.example.shop.CartStore.load-gIAlu-s", "CartStore.kt", 57)
    assert found.summary == "IOException (CartStore.kt:57)"
    native, chimera = found.causes[1].frames
    assert (native.file, native.line, chimera.line) == ("Native Method", None, 12)


@pytest.mark.parametrize(
    "name", ["a.b", "x1", "c7.a$b", "com.example.-$$Lambda$Cart", "kotlin.UninitializedX"]
)
def test_names_that_a_shrinker_gave(name: str) -> None:
    found = uncaught([f"{name}: said", "\tat a.b.c(SourceFile:3)", f"Caused by: {name}"])
    assert (found.exception, found.causes[0].exception) == (name, name)
    assert found.frame == StackFrame("a.b.c", "SourceFile", 3)


@pytest.mark.parametrize(
    "message",
    [
        "<b>&\"'",
        "\u202e",
        "(",
        "at ",
        ": : ",
        "%s{}",
        "x" * 100_000,
        "Caused by",
        "... 1 more",
        "\tat x",
    ],
)
def test_a_message_may_hold_anything(message: str) -> None:
    found = uncaught([f"a.b.C: {message}", message, OWN])
    assert found.exception == "a.b.C"
    assert found.frame == StackFrame("com.example.ui.Cart$total$1.invoke", "Cart.kt", 42)
    assert len(found.message) <= 4000


def test_a_stack_of_nothing_but_the_platform_shows_no_frame_of_the_app() -> None:
    found = uncaught(["java.lang.Error: no", FRAMEWORK, "\tat _COROUTINE._CREATION._(Debug.kt:1)"])
    assert found.frame is None
    assert found.frames[0].file == "ActivityThread.java"


def test_what_is_no_stack_is_reported_as_it_stands() -> None:
    found = uncaught(["no class at all", "and more"])
    assert (found.exception, found.message, found.frames) == ("", "no class at all\nand more", ())
