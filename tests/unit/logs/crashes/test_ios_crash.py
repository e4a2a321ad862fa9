"""Deaths on an iPhone: reports of both forms, and lines of the system log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_replicant.logs import Crash, StackFrame, read_deaths

APP = "dev.replicant.shop"
BUNDLE = "/private/var/containers/Bundle/Application/9F/Shop.app/Shop"
HEAD = {
    "app_name": "Shop",
    "timestamp": "2026-01-05 10:00:01.00 +0100",
    "bundleID": APP,
    "bug_type": "309",
    "name": "Shop",
}
IMAGES = [
    {"name": "libsystem_kernel.dylib", "path": "/usr/lib/libsystem_kernel.dylib"},
    {"name": "Shop", "path": BUNDLE},
]
STACK = [
    {"imageIndex": 0, "imageOffset": 41084, "symbol": "__pthread_kill", "symbolLocation": 8},
    {
        "imageIndex": 1,
        "imageOffset": 5,
        "symbol": "CartStore.total()",
        "sourceFile": "Cart.swift",
        "sourceLine": 42,
    },
]


def body(**changed: Any) -> dict[str, Any]:
    facts = {
        "captureTime": "2026-01-05 10:00:00.1234 +0100",
        "procName": "Shop",
        "pid": 123,
        "exception": {"type": "EXC_CRASH", "signal": "SIGABRT", "codes": "0x0, 0x0"},
        "termination": {"namespace": "SIGNAL", "code": 6, "indicator": "Abort trap: 6"},
        "asi": {"libsystem_c.dylib": ["abort() called"]},
        "threads": [
            {"frames": [{"imageIndex": 0}]},
            {"triggered": True, "queue": "com.apple.main-thread", "frames": STACK},
        ],
        "usedImages": IMAGES,
    }
    return {**facts, **changed}


def ips(facts: dict[str, Any] | None = None, head: dict[str, Any] | None = None) -> str:
    return f"{json.dumps({**HEAD, **(head or {})})}\n{json.dumps(facts if facts is not None else body(), indent=2)}\n"


def only(text: str) -> Crash:
    found = read_deaths(text.split("\n"), "ios")
    assert len(found) == 1, found
    return found[0]


def test_a_report_of_a_signal() -> None:
    crash = only(ips())
    assert (crash.kind, crash.app, crash.pid, crash.time) == (
        "native",
        APP,
        123,
        "2026-01-05 10:00:00.1234 +0100",
    )
    assert (crash.signal, crash.message, crash.thread) == (
        "SIGABRT",
        "abort() called",
        "com.apple.main-thread",
    )
    assert crash.frame == StackFrame("CartStore.total()", "Cart.swift", 42)
    assert crash.summary == "SIGABRT: abort() called (Cart.swift:42)"
    assert crash.signature == "SIGABRT at CartStore.total()"
    assert crash.is_of(APP)
    assert "\n".join(crash.lines) == ips().rstrip()


@pytest.mark.parametrize(
    "facts",
    [
        {
            "exceptionReason": {
                "name": "NSRangeException",
                "composed_message": "index 3 beyond bounds",
            }
        },
        {
            "asi": {
                "CoreFoundation": [
                    "*** Terminating app due to uncaught exception 'NSRangeException', "
                    "reason: 'index 3 beyond bounds'"
                ]
            }
        },
    ],
)
def test_a_report_of_what_was_thrown(facts: dict[str, Any]) -> None:
    thrown = [{"imageIndex": 1, "imageOffset": 77}]
    crash = only(ips(body(lastExceptionBacktrace=thrown, **facts)))
    assert (crash.kind, crash.exception, crash.message) == (
        "exception",
        "NSRangeException",
        "index 3 beyond bounds",
    )
    assert crash.frame == StackFrame("Shop + 77", "Shop")  # without symbols


def test_what_the_watchdog_ended_was_ended_by_the_system() -> None:
    crash = only(
        ips(
            body(
                termination={
                    "namespace": "FRONTBOARD",
                    "code": 0x8BADF00D,
                    "reasons": ["scene-update"],
                }
            )
        )
    )
    assert crash.kind == "died"
    assert crash.summary.startswith("ended by the system: FRONTBOARD 0x8badf00d scene-update")


def test_a_stack_of_nothing_but_the_platform_shows_no_frame_of_the_app() -> None:
    crash = only(ips(body(threads=[{"triggered": True, "frames": STACK[:1]}])))
    assert crash.frame is None
    assert crash.summary == "SIGABRT: abort() called (libsystem_kernel.dylib)"


@pytest.mark.parametrize("kind", ["298", "288", "210", 142])
def test_reports_of_other_things_are_no_deaths_of_an_app(kind: Any) -> None:
    assert read_deaths(ips(head={"bug_type": kind}), "ios") == []


def test_several_reports_are_in_the_order_in_which_they_are_reported() -> None:
    text = ips(body(pid=1)) + ips(body(pid=2), {"bundleID": "dev.other"}) + TEXT
    assert [(crash.app, crash.pid) for crash in read_deaths(text, "ios")] == [
        (APP, 1),
        ("dev.other", 2),
        (APP, 123),
    ]


@pytest.mark.parametrize("cut", [0, 3, 60, 400])
def test_one_that_was_cut_off_is_a_death_nevertheless(cut: int) -> None:
    head, rest = ips().split("\n", 1)
    first, second = read_deaths(f"{head}\n{rest[:cut]}\n{ips()}", "ios")
    assert (first.app, first.frame, first.summary) == (APP, None, "crashed")
    assert second == only(ips())


TEXT = """\
Incident Identifier: 7C3A
Process:             Shop [123]
Path:                /private/var/containers/Bundle/Application/9F/Shop.app/Shop
Identifier:          dev.replicant.shop
Date/Time:           2019-05-01 10:00:00.000 +0200

Exception Type:  EXC_CRASH (SIGABRT)
Exception Codes: 0x0000000000000000, 0x0000000000000000
Triggered by Thread:  0

Application Specific Information:
abort() called
*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds'

Last Exception Backtrace:
0   CoreFoundation                \t0x1a8f0c300 __exceptionPreprocess + 220
1   Shop                          \t0x100f3c4e8 CartStore.total() + 120 (CartStore.swift:42)

Thread 0 name:  Dispatch queue: com.apple.main-thread
Thread 0 Crashed:
0   libsystem_kernel.dylib        \t0x1a8e1d000 __pthread_kill + 8

Binary Images:
0x100f38000 - 0x100f4ffff Shop arm64 <1> /var/containers/Bundle/Application/9F/Shop.app/Shop
"""


def test_a_report_as_text() -> None:
    crash = only(TEXT)
    assert (crash.kind, crash.app, crash.pid, crash.time) == (
        "exception",
        APP,
        123,
        "2019-05-01 10:00:00.000 +0200",
    )
    assert (crash.exception, crash.message, crash.signal) == (
        "NSRangeException",
        "index 3 beyond bounds",
        "SIGABRT",
    )
    assert crash.thread == "Dispatch queue: com.apple.main-thread"
    assert crash.frame == StackFrame("CartStore.total()", "CartStore.swift", 42)
    assert [frame.where for frame in crash.frames] == ["__exceptionPreprocess", "CartStore.total()"]


def test_one_of_a_signal_shows_the_thread_that_crashed() -> None:
    lines = [line for line in TEXT.split("\n") if "Terminating" not in line]
    at = next(index for index, line in enumerate(lines) if line.startswith("Last Exception"))
    crash = only("\n".join(lines[:at] + lines[at + 4 :]))
    assert (crash.kind, crash.signal, [frame.where for frame in crash.frames]) == (
        "native",
        "SIGABRT",
        ["__pthread_kill"],
    )


CORPSE = (
    "Jan  5 10:00:00 iPhone ReportCrash[456] <Notice>: Formulating fatal 309 report for "
    "corpse[123] Shop"
)
EXITED = (
    "Jan  5 10:00:00 iPhone SpringBoard(FrontBoard)[58] <Notice>: Process exited: "
    "<FBApplicationProcess: 0x10a; Shop (dev.replicant.shop); pid: 123> -> "
    "<FBApplicationProcessExitContext>"
)
SERVICE = (
    "Jan  5 10:00:00 iPhone launchd[1] <Notice>: "
    "UIKitApplication:dev.replicant.shop[0x1a2b][rb-legacy][123]: exited due to {} | sent by "
    "Shop[123]"
)


def test_lines_of_the_system_log_of_one_process_are_one_death() -> None:
    crash = only(
        "\n".join([CORPSE, "Jan  5 10:00:00 iPhone other[1]: x", EXITED, SERVICE.format("SIGSEGV")])
    )
    assert (crash.kind, crash.app, crash.pid, crash.time) == ("native", APP, 123, "Jan  5 10:00:00")
    assert (crash.signal, len(crash.lines)) == ("SIGSEGV", 3)


@pytest.mark.parametrize(
    ("line", "app"),
    [
        (CORPSE, "Shop"),
        (
            "2026-01-05 10:00:00.123456+0100 ReportCrash[4]: Formulating crash report for process "
            "Shop[123]",
            "Shop",
        ),
        (
            "Jan  5 10:00:00 i SpringBoard[58] <W>: Application 'UIKitApplication:dev.a[0x1a]' "
            "crashed.",
            "dev.a",
        ),
        (SERVICE.format("signal 11: Segmentation fault"), APP),
    ],
)
def test_each_of_them_alone_is_a_death(line: str, app: str) -> None:
    assert only(line).app == app


@pytest.mark.parametrize(
    "line",
    [
        EXITED,
        SERVICE.format("SIGKILL"),
        SERVICE.format("SIGTERM"),
        "Jan  5 10:00:00 iPhone Shop[123] <Notice>: Formulating fatal 309 report for corpse[123] "
        "Other",
        "Formulating fatal 309 report for corpse[123] Shop",
        '{"level": "info"}',
        "{",
        "",
    ],
)
def test_an_end_without_a_crash_and_what_an_app_wrote_are_none(line: str) -> None:
    assert read_deaths(line, "ios") == []


def test_a_death_with_a_report_is_not_repeated_from_the_log() -> None:
    assert only(f"{CORPSE}\n{ips()}{SERVICE.format('SIGABRT')}").kind == "native"


def test_each_platform_is_read_in_its_own_words() -> None:
    assert read_deaths(ips().split("\n"), "android") == []
    assert len(read_deaths(ips().split("\n"), "ios")) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*body(), "frames", "name"]), inner)
    ),
    max_leaves=8,
)


@settings(
    max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)  # drawing is slow on a busy machine
@given(st.dictionaries(st.sampled_from([*body(), "exceptionReason"]), JSON), st.text(max_size=60))
def test_a_report_of_any_shape_is_read(facts: dict[str, Any], text: str) -> None:
    assert len(read_deaths(ips(body(**facts)), "ios")) == 1
    read_deaths(text, "ios")
    read_deaths(f"Incident Identifier: x\n{text}", "ios")
