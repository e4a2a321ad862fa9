"""A tombstone in a line."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import Crash, read_crashes

SIGNAL = "signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------"
LIBC = (
    "      #00 pc 000000000004e0a8  /apex/com.android.runtime/lib64/bionic/libc.so (abort+168) "
    "(BuildId: 2d5)"
)
OWN = "      #01 pc 0000000000000abc  /data/app/x/lib/arm64/libcart.so (cart_total+12)"


def read_tombstone(lines: list[str]) -> Crash:
    head = "pid: 7, tid: 7, name: main  >>> com.example.shop <<<"
    (found,) = read_crashes(
        f"07-02 16:00:46.303  9  9 F DEBUG   : {line}" for line in (head, *lines)
    )
    assert (found.app, found.pid, found.thread) == ("com.example.shop", 7, "main")
    return found


@pytest.mark.parametrize(
    ("lines", "summary", "signature"),
    [
        (
            [SIGNAL, LIBC, OWN],
            "SIGABRT (libcart.so cart_total)",
            "SIGABRT at libcart.so cart_total",
        ),
        ([SIGNAL, LIBC], "SIGABRT (libc.so abort)", "SIGABRT at libc.so abort"),
        ([SIGNAL], "SIGABRT", "SIGABRT"),
        ([SIGNAL, "Abort message: 'invalid free'"], "SIGABRT: invalid free", "SIGABRT"),
        (
            ["    #00 pc 00010000  /data/lib.so (offset 0x1000)"],
            "a fatal signal (lib.so)",
            "a fatal signal at lib.so",
        ),
        ([], "a fatal signal", "a fatal signal"),
    ],
)
def test_the_signal_and_the_apps_own_library(
    lines: list[str], summary: str, signature: str
) -> None:
    found = read_tombstone(lines)
    assert (found.summary, found.signature) == (summary, signature)


OLD = "    #00  pc 0001cd3c  /system/lib/libc.so (strlen+12)"


def test_the_stack_of_the_thread_that_died_and_of_no_other() -> None:
    found = read_tombstone(
        [SIGNAL, "Abort message: 'it's broken'", OLD, OWN, "--- --- --- ---", LIBC]
    )
    assert (found.signal, found.code, found.message) == ("SIGABRT", "SI_QUEUE", "it's broken")
    assert [(frame.file, frame.where) for frame in found.frames] == [
        ("libc.so", "strlen"),
        ("libcart.so", "cart_total"),
    ]
    assert found.frame == found.frames[1]


def test_the_platforms_own_libraries_are_no_frame_of_the_app() -> None:
    assert read_tombstone([SIGNAL, LIBC]).frame is None
