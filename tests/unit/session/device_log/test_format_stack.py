"""The stack of a death in the message of a test: short, with the root and the app's own line in it."""

from __future__ import annotations

from pytest_replicant.logs import Crash, read_crashes
from pytest_replicant.session.device_log.crashes import format_stack
from tests.unit.logs.crashes.test_crash import ANR, JAVA, NATIVE


def crash_of(messages: list[str]) -> Crash:
    head = "07-02 16:00:46.303 28928 28928 E AndroidRuntime: "
    told = ["FATAL EXCEPTION: main", "Process: com.example.shop, PID: 28928", *messages]
    (crash,) = read_crashes([head + line for line in told])
    return crash


def test_what_was_thrown_and_why() -> None:
    assert format_stack(read_crashes(JAVA)[0]) == [
        "FATAL EXCEPTION: main",
        "java.lang.RuntimeException: Unable to start activity",
        "    at android.app.ActivityThread.launch (ActivityThread.java:3)",
        "Caused by: java.lang.NullPointerException: cart is null",
        "    at java.util.Objects.requireNonNull (Objects.java:203)",
        "    at com.example.shop.CartStore.total (CartStore.kt:42)",
    ]


def test_the_apps_own_line_is_there_however_deep_it_is() -> None:
    frames = [f"\tat java.lang.Deep.d{at}(Deep.java:{at})" for at in range(50)]
    crash = crash_of(["java.lang.Error: no", *frames, "\tat com.example.shop.Cart.pay(Cart.kt:7)", *frames])
    assert format_stack(crash)[2:] == [
        "    at java.lang.Deep.d0 (Deep.java:0)",
        "    at java.lang.Deep.d1 (Deep.java:1)",
        "    …",
        "    at com.example.shop.Cart.pay (Cart.kt:7)",
    ]


def test_of_very_many_causes_the_first_and_the_roots() -> None:
    told = format_stack(crash_of(["a.Outer: 0", *(f"Caused by: a.Cause: {at}" for at in range(1, 100))]))
    assert told == [
        "FATAL EXCEPTION: main",
        "a.Outer: 0",
        "… and 96 more between",
        *(f"Caused by: a.Cause: {at}" for at in (97, 98, 99)),
    ]


def test_text_of_the_app_is_on_one_line_and_bounded() -> None:
    told = format_stack(crash_of([f"a.C: \x1b[31m\u202e{'x' * 5000}", "second line", "\tat a.b\x07.c(d:1)"]))
    assert all(line.isprintable() and len(line) < 320 for line in told)
    assert len(told) == 3


def test_a_signal_shows_the_innermost_frames() -> None:
    assert format_stack(read_crashes(NATIVE)[0]) == [
        "SIGSEGV (SEGV_MAPERR) in thread RenderThread",
        "    #0 abort (libc.so)",
        "    #1 Cart::total() const (libcart.so)",
    ]


def test_what_has_no_stack_is_shown_as_it_was_logged() -> None:
    first, *_ = format_stack(read_crashes(ANR)[0])
    assert first.endswith("E ActivityManager: ANR in com.example.shop (com.example.shop/.Main)")
