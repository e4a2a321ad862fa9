"""Deaths in the log: each kind is found once and found in a line; what is no death is none."""

from __future__ import annotations

import time

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.logs import Crash, StackFrame, parse_log, read_crashes
from pytest_replicant.virtual import LogEntry, LogFormat

APP = "com.example.shop"

JAVA = """\
--------- beginning of crash
07-02 16:00:46.303 28928 28928 E AndroidRuntime: FATAL EXCEPTION: main
07-02 16:00:46.303 28928 28928 E AndroidRuntime: Process: com.example.shop, PID: 28928
07-02 16:00:46.303 28928 28928 E AndroidRuntime: java.lang.RuntimeException: Unable to start activity
07-02 16:00:46.303 28928 28928 E AndroidRuntime: \tat android.app.ActivityThread.launch(ActivityThread.java:3)
07-02 16:00:46.304 28928 28928 E AndroidRuntime: Caused by: java.lang.NullPointerException: cart is null
07-02 16:00:46.304  1402  1455 I ActivityManager: Start proc 29001:com.example.other/u0a99 for service
07-02 16:00:46.304 28928 28928 E AndroidRuntime: \tat java.util.Objects.requireNonNull(Objects.java:203)
07-02 16:00:46.304 28928 28928 E AndroidRuntime: \tat com.example.shop.CartStore.total(CartStore.kt:42)
07-02 16:00:46.304 28928 28928 E AndroidRuntime: \t... 12 more
07-02 16:00:46.390  1402  2221 W ActivityTaskManager:   Force finishing activity com.example.shop/.Main
07-02 16:00:46.400 28928 28928 I Process : Sending signal. PID: 28928 SIG: 9
07-02 16:00:46.414  1402  3061 I ActivityManager: Process com.example.shop (pid 28928) has died: fg  TOP
"""

NATIVE = """\
10-05 08:29:42.700   600   640 I ActivityManager: Start proc 5706:com.example.shop/u0a215 for next-top-activity
10-05 08:30:00.935  5706  5762 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid \
5762 (RenderThread), pid 5706 (om.example.shop)
10-05 08:30:01.391  5790  5790 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
10-05 08:30:01.392  5790  5790 F DEBUG   : pid: 5706, tid: 5762, name: RenderThread  >>> com.example.shop <<<
10-05 08:30:01.392  5790  5790 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
10-05 08:30:01.393  5790  5790 F DEBUG   : Cause: null pointer dereference
10-05 08:30:01.394  5790  5790 F DEBUG   :       #00 pc 00000000000172e8  /apex/com.android.runtime/lib64/libc.so \
(abort+168) (BuildId: 2d5)
10-05 08:30:01.394  5790  5790 F DEBUG   :       #01 pc 00000000010f0159  /data/app/~~a==/base.apk!libcart.so \
(Cart::total() const+713) (BuildId: e59)
10-05 08:30:01.500   600   640 I Zygote  : Process 5706 exited due to signal 11 (Segmentation fault)
10-05 08:30:01.510   600   640 I ActivityManager: Process com.example.shop (pid 5706) has died: fg  TOP
"""

ANR = """\
11-20 10:00:05.100  1402  1999 E ActivityManager: ANR in com.example.shop (com.example.shop/.Main)
11-20 10:00:05.100  1402  1999 E ActivityManager: PID: 4711
11-20 10:00:05.100  1402  1999 E ActivityManager: Reason: Input dispatching timed out (8f2 Waiting for a finger)
11-20 10:00:05.100  1402  1999 E ActivityManager: Load: 0.1 / 0.2 / 0.3
11-20 10:00:05.900  1402  1999 I ActivityManager: Start proc 4800:com.example.other/u0a99 for service
11-20 10:00:09.000  1402  2001 I ActivityManager: Killing 4711:com.example.shop/u0a77 (adj 0): user request
"""


def only(log: str, *, without: str = "no line") -> Crash:
    """The one death in these lines, but for those with that word."""
    found = read_crashes(line for line in log.splitlines() if without not in line)
    assert len(found) == 1, found
    return found[0]


def test_an_uncaught_exception_is_reported_by_its_root_and_the_apps_own_frame() -> None:
    crash = only(JAVA)
    assert (crash.kind, crash.app, crash.pid, crash.time) == (
        "java",
        APP,
        28928,
        "07-02 16:00:46.303",
    )
    assert crash.summary == "NullPointerException: cart is null (CartStore.kt:42)"
    assert crash.signature == "java.lang.NullPointerException at com.example.shop.CartStore.total"
    assert crash.lines == tuple(line for line in JAVA.splitlines() if "E AndroidRuntime" in line)
    assert (crash.exception, crash.message, crash.thread) == (
        "java.lang.RuntimeException",
        "Unable to start activity",
        "main",
    )
    assert [str(cause) for cause in crash.causes] == [
        "java.lang.NullPointerException: cart is null"
    ]
    assert crash.frame == StackFrame("com.example.shop.CartStore.total", "CartStore.kt", 42)
    assert [str(frame) for frame in crash.frames] == [
        "android.app.ActivityThread.launch (ActivityThread.java:3)"
    ]
    assert (crash.signal, crash.code) == ("", "")


def test_a_fatal_signal_and_its_tombstone_are_one_death() -> None:
    crash = only(NATIVE)
    assert (crash.kind, crash.app, crash.pid, crash.time) == (
        "native",
        APP,
        5706,
        "10-05 08:30:00.935",
    )
    assert crash.summary == "SIGSEGV: null pointer dereference (libcart.so Cart::total() const)"
    assert crash.signature == "SIGSEGV at libcart.so Cart::total() const"
    assert "Fatal signal" in crash.lines[0]
    assert len(crash.lines) == 6
    assert (crash.signal, crash.code, crash.thread) == ("SIGSEGV", "SEGV_MAPERR", "RenderThread")
    assert crash.message == "null pointer dereference"
    assert crash.frame == StackFrame("Cart::total() const", "libcart.so")
    assert [frame.file for frame in crash.frames] == ["libc.so", "libcart.so"]
    assert (crash.exception, crash.causes) == ("", ())


def test_a_signal_without_a_tombstone_is_of_the_process_that_was_started() -> None:
    crash = only(NATIVE, without="DEBUG")
    assert (crash.kind, crash.app, crash.summary) == ("native", APP, "SIGSEGV")
    assert (crash.thread, crash.frame, crash.code) == ("RenderThread", None, "SEGV_MAPERR")


def test_a_tombstone_alone_is_a_death_too() -> None:
    crash = only(NATIVE, without="libc    :")
    assert (crash.kind, crash.app) == ("native", APP)


def test_an_app_that_does_not_answer_says_why() -> None:
    crash = only(ANR)
    assert (crash.kind, crash.app, crash.pid) == ("anr", APP, 4711)
    assert (
        crash.summary == "does not answer: Input dispatching timed out (8f2 Waiting for a finger)"
    )
    assert crash.signature == "anr Input dispatching timed out"
    assert crash.message == "Input dispatching timed out (8f2 Waiting for a finger)"
    assert (crash.exception, crash.signal, crash.frame) == ("", "", None)
    assert len(crash.lines) == 4


DIED = (
    "07-02 16:00:46.414  1402  3061 I ActivityManager: Process com.example.shop (pid 4711) has died"
)
STOPPED = (
    "07-02 16:00:46.500  1402  3062 I ActivityManager: Force stopping com.example.shop appid=10077"
)
KILLED = (
    "07-02 16:00:46.400  1402  3062 I ActivityManager: Killing 4711:com.example.shop/u0a77 (adj "
    "900): empty #17"
)
STARTED = (
    "07-02 16:00:46.450  1402  3062 I ActivityManager: Start proc 4800:com.example.shop/u0a77 "
    "for top-activity"
)


@pytest.mark.parametrize("state", ["", ": fg  TOP", ": vis  BTOP", ": fg  TOP (319,2283)", "."])
def test_a_process_that_is_gone_without_a_word_is_a_death(state: str) -> None:
    crash = only(DIED + state)
    assert (crash.kind, crash.app, crash.pid) == ("died", APP, 4711)
    assert crash.summary.startswith("its process was gone")


@pytest.mark.parametrize("state", [": cch+5CEM", ": prev LAST", ": svcb SVC", ": home HOME"])
def test_android_may_end_unused_processes(state: str) -> None:
    assert read_crashes([DIED + state]) == []


@pytest.mark.parametrize(
    "log", [[KILLED, DIED], [DIED, KILLED], [STOPPED, DIED], [DIED + ": fg  TOP", STOPPED]]
)
def test_what_is_ended_on_purpose_is_no_death(log: list[str]) -> None:
    assert read_crashes(log) == []


def test_stopping_a_later_life_excuses_no_earlier_death() -> None:
    assert only("\n".join([DIED, STARTED, STOPPED])).kind == "died"


def test_stopping_an_app_excuses_no_other() -> None:
    assert only("\n".join([STOPPED.replace(".shop", ".shop2"), DIED])).app == APP


@pytest.mark.parametrize(
    "line",
    [
        "07-02 16:00:46.303  4711  4711 W System.err: java.lang.IllegalStateException: caught",
        "07-02 16:00:46.303  4711  4711 E Shop    : FATAL EXCEPTION: this is what users write",
        "07-02 16:00:46.303  4711  4711 E Shop    : java.io.IOException: no route",
        "07-02 16:00:46.303  4711  4711 D AndroidRuntime: Shutting down VM",
        "07-02 16:00:46.303  4711  4711 I Shop    : Process com.example.shop (pid 4711) has died",
        "07-02 16:00:46.303  4711  4711 I Shop    : ANR in com.example.shop",
        "07-02 16:00:46.303  4711  4711 E libc    : Access denied finding property",
        "",
        "no log line at all",
    ],
)
def test_what_an_app_wrote_itself_is_no_death(line: str) -> None:
    assert read_crashes([line]) == []


def test_deaths_come_in_the_order_of_the_log_and_belong_to_their_apps() -> None:
    crashes = read_crashes(
        [*ANR.splitlines(), *JAVA.replace(".shop", ".other").splitlines(), *NATIVE.splitlines()]
    )
    assert [(crash.kind, crash.app) for crash in crashes] == [
        ("anr", APP),
        ("java", "com.example.other"),
        ("native", APP),
    ]
    assert [crash.is_of(APP) for crash in crashes] == [True, False, True]


def test_a_further_process_is_the_apps_and_a_longer_name_is_not() -> None:
    log = JAVA.replace("Process: com.example.shop,", "Process: com.example.shop:sync,")
    assert read_crashes(log.splitlines())[0].is_of(APP)
    assert not only(JAVA.replace("com.example.shop", "com.example.shopping")).is_of(APP)


def test_two_deaths_of_one_thread_are_two() -> None:
    later = JAVA.replace("28928", "30000").replace("16:00", "16:05")
    first, second = read_crashes([*JAVA.splitlines(), *later.splitlines()])
    assert (first.pid, second.pid) == (28928, 30000)
    assert first.signature == second.signature
    assert first != second


def test_an_exception_that_names_no_app_is_of_the_process_that_was_started() -> None:
    crash = only(JAVA, without="Process: com")
    assert (crash.app, crash.pid) == (APP, 28928)
    assert crash.summary == "NullPointerException: cart is null (CartStore.kt:42)"


def test_a_crash_of_the_system_names_it() -> None:
    log = (
        "07-02 16:00:46.303  1402  1402 E AndroidRuntime: *** FATAL EXCEPTION IN SYSTEM PROCESS: "
        "main\n"
    )
    assert (
        only(log + "07-02 16:00:46.303  1402  1402 E AndroidRuntime: java.lang.Error: no").app
        == "system_server"
    )


def test_two_deaths_that_are_written_at_once_are_distinguished() -> None:
    other = JAVA.replace(".shop", ".other").replace("28928", "30000").replace("CartStore", "Sync")
    mixed = [
        line for pair in zip(JAVA.splitlines(), other.splitlines(), strict=True) for line in pair
    ]
    first, second = read_crashes(mixed)
    assert first == only(JAVA)
    assert (second.app, second.pid, second.summary) == (
        "com.example.other",
        30000,
        "NullPointerException: cart is null (Sync.kt:42)",
    )


@pytest.mark.parametrize("form", ["time", "brief", "thread", "long"])
def test_a_death_is_found_in_other_formats(form: str) -> None:
    entries = [
        LogEntry(1, 0.0, line.level, line.tag, line.message, line.pid, line.tid)  # type: ignore[arg-type]
        for line in parse_log(JAVA)
    ]
    printed = "".join(LogFormat(form).render(entry) for entry in entries)
    expected = [] if form == "thread" else [only(JAVA).summary]  # which tells no tag
    assert [crash.summary for crash in read_crashes(printed)] == expected


@pytest.mark.timeout(30)
def test_thousands_of_deaths_are_read_as_quickly_as_one_each() -> None:
    life = [
        STARTED.replace("4800", "4711"),
        DIED,
        STOPPED.replace(".shop", ".shop2"),
        *JAVA.splitlines()[1:9],
    ]
    began = time.process_time()
    read_crashes(life * 300)
    few = time.process_time() - began
    began = time.process_time()
    assert len(read_crashes(life * 3000)) == 6000
    assert (
        time.process_time() - began < 40 * few + 0.5
    )  # a hundred times where each looks at all others


@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
@pytest.mark.parametrize("name", ["crash_buffer.txt", "crash_v2.txt"])
def test_a_real_migration_that_failed_is_reported_in_parts(name: str) -> None:
    folder = corpus()
    assert folder is not None
    (path,) = (folder / "logs").rglob(name)
    (crash,) = read_crashes(path.read_bytes())
    assert (crash.app, crash.thread) == ("com.carlos.controlmedicamentos", "main")
    assert crash.exception == "java.lang.IllegalStateException"
    first, *_ = crash.message.split("\n")
    assert first == (
        "Migration didn't properly handle: "
        "fall_alerts(com.carlos.controlmedicamentos.data.local.FallAlert)."
    )
    assert crash.message.count("\n") > 100  # two tables, column by column
    assert crash.causes == ()
    assert (
        crash.frame is None
    )  # nothing but Room, SQLite and coroutines: the app's own code is not in the stack
    assert str(crash.frames[0]) == (
        "androidx.room.BaseRoomConnectionManager.onMigrate (RoomConnectionManager.kt:212)"
    )
    assert (
        str(crash.frames[-1]) == "java.lang.Thread.run (Thread.java:1572)"
    )  # what was suppressed is no frame
    assert "DiagnosticCoroutineContext" not in crash.message


@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
def test_real_logs() -> None:
    folder = corpus()
    assert folder is not None
    found: dict[str, list[Crash]] = {}
    for path in sorted((folder / "logs").rglob("*.txt")):
        found[path.name] = read_crashes(path.read_bytes())
    crashes = {
        name: [(each.kind, each.pid) for each in each_found]
        for name, each_found in found.items()
        if each_found
    }
    assert crashes == {"crash_buffer.txt": [("java", 28928)], "crash_v2.txt": [("java", 2906)]}
    first, second = found["crash_buffer.txt"][0], found["crash_v2.txt"][0]
    assert (
        first.signature
        == second.signature
        == ("java.lang.IllegalStateException at androidx.room.BaseRoomConnectionManager.onMigrate")
    )


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("DEBUG", "pid: 1, tid: 2, name: " + ">>> b" * 60_000),
        ("DEBUG", "pid: 1, tid: 2, name: a  >>> " + "b" * 60_000),
        ("libc", "Fatal signal 11 " + ", pid 1 (" * 40_000),
        ("libc", "Fatal signal 6 (SIGABRT)" + " in tid 1 (" * 40_000),
        ("DEBUG", "pid: 1, tid: 2, name: a  >>> b <<<\n" + "Abort message: " + " " * 60_000 + "x"),
    ],
)
def test_no_last_word_takes_longer_than_in_proportion(tag: str, message: str) -> None:
    head = f"07-02 16:00:46.303 28928 28928 F {tag}: "
    began = time.process_time()
    read_crashes("".join(f"{head}{line}\n" for line in message.split("\n")))
    assert time.process_time() - began < 5.0  # one that looks back again and again takes minutes
