"""A stack trace in a line."""

from __future__ import annotations

import pytest

from pytest_replicant.logs.stack_trace import read_stack_trace

APP = "com.example.shop"
FRAMEWORK = "\tat android.app.ActivityThread.main(ActivityThread.java:1)"
LIBRARY = "\tat okhttp3.internal.Exchange.read(Exchange.kt:7)"
OWN = "\tat com.example.ui.Cart$total$1.invoke(Cart.kt:42)"


@pytest.mark.parametrize(
    ("lines", "summary", "signature"),
    [
        (
            ["java.lang.Error: no", OWN],
            "Error: no (Cart.kt:42)",
            "java.lang.Error at com.example.ui.Cart$total$1.invoke",
        ),
        (["java.lang.Error", OWN], "Error (Cart.kt:42)", "java.lang.Error at com.example.ui.Cart$total$1.invoke"),
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
    told = read_stack_trace(lines, APP)
    assert (told.summary, told.signature) == (summary, signature)


def test_lines_of_a_message_are_no_causes() -> None:
    told = read_stack_trace(["a.b.Outer: first line", "c.d.Other: looks like one", "  Found:", OWN], APP)
    assert told.summary == "Outer: first line (Cart.kt:42)"


def test_a_long_message_is_cut() -> None:
    assert len(read_stack_trace([f"a.b.C: {'x' * 5000}"], APP).summary) < 300


def test_where_it_came_up_is_the_same_in_another_build() -> None:
    one = read_stack_trace(["a.b.C: 17 items", OWN], APP)
    other = read_stack_trace(["a.b.C: 18 items", OWN.replace("42", "57")], APP)
    assert one.signature == other.signature
    assert one.summary != other.summary
