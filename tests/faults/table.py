"""The fault table: what goes wrong, in which test, how that ends, and what is said of it.

``docs/reference/faults.md`` is made from it, and ``test_fault_table.py`` does what it says, row by
row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import strikes

if TYPE_CHECKING:
    from .stage import Stage

SHOP = """
def test_shop(mobile, fault):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    fault()
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
"""
FIRST_CALL = """
def test_shop(fault, mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""
INSTALL = """
def test_installs(mobile, fault):
    fault()
    mobile.install("parcel.apk")
"""
LAUNCH = """
def test_launches(mobile, fault):
    mobile.launch("dev.replicant.weak", activity="{activity}").expect_screen("Weak", timeout=0.2)
"""
HANG = """
def test_sorts(mobile, fault):
    mobile.launch("dev.replicant.weak").expect_screen("Weak")
    mobile.tap(text="{button}")
    mobile.tap(text="Show").expect_visible(text="Sorted", timeout=0.3)
"""
LOAD = """
def test_loads(mobile, fault):
    mobile.open_url("lab://backend?delay=1", "dev.replicant.lab").expect_visible(text="Load")
    fault()
    mobile.tap(text="Load").expect_visible(text="Two parcels are on their way", timeout=0.3)
"""
DIES = """
def test_dies(mobile, fault):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    fault()
    mobile.tap(text="{button}")
    mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")
"""


@dataclass(frozen=True)
class Row:
    """One way in which a fault happens. ``number`` is the fault's, which may happen in several
    ways.

    ``source`` is the test inside, and ``sound`` what it is without a fault of the app's own.
    ``said`` stands in what the test failed by, ``shown`` on the terminal, ``traced`` in trace.json.
    ``means`` is for the page: what whoever reads the report has of it. A lost phone is waited for
    ``patience`` seconds; one that restarts takes ``boot_ms``. One that is ``lost`` for good cannot
    be cleared up: it keeps how its animations were, by which the next run puts them back.
    """

    number: int
    fault: str
    how: str
    strike: Callable[[Stage], object]
    source: str
    outcome: str
    means: str
    said: Sequence[str] = ()
    shown: Sequence[str] = ()
    traced: Sequence[str] = ()
    sound: str = ""
    before: bool = False  # it is so already when the run begins
    trace: bool = (
        True  # there is none of a test that never had its phone, nor on a disk that takes nothing
    )
    lost: bool = False
    patience: float = 0.2
    boot_ms: int = 0
    spare: bool = False  # the run has a second phone

    @property
    def exit_code(self) -> int:
        return int(self.outcome not in ("passed", "requeued"))

    @property
    def attempts(self) -> tuple[str, ...]:
        """How each attempt ends that leaves a trace."""
        if not self.trace:
            return ()
        return ("infra", "passed") if self.outcome == "requeued" else (self.outcome,)

    @property
    def id(self) -> str:
        return f"{self.fault} {self.how}".replace(" ", "-").replace("`", "").replace(",", "")


ROWS = (
    Row(
        1, "adb server killed", "for good", strikes.adb_killed, SHOP, "infra",
        "the address where no server answers any more, and the command that starts one",
        said=("no adb server answers at 127.0.0.1:", "Next: `adb start-server`"),
        traced=("reconnect",), lost=True,
    ),
    Row(
        1, "adb server killed", "and started again", strikes.adb_restarted, SHOP, "passed",
        "nothing: the program on the phone is started again before anything is sent to it",
        patience=5,
    ),
    Row(
        2, "phone offline", "in mid-tap", strikes.offline, SHOP, "infra",
        "that the answer to the tap never came, and that the phone is offline; the tap is not "
        "sent twice",
        said=("click on virtual-1", "device offline", "Check the cable"), traced=("reconnect",),
        lost=True,
    ),
    Row(
        2, "phone offline", "in mid-tap, with another phone left", strikes.offline, SHOP,
        "requeued",
        "the same, and that the test passed on the other phone; both attempts have a trace",
        shown=("requeued (1):", "*; it went offline: *", "phones in trouble (1):"),
        traced=("click on virtual-1", "reconnect", "device offline"), lost=True, spare=True,
    ),
    Row(
        3, "uiautomator2 server crash", "in mid-tap", strikes.server_killed, SHOP, "infra",
        "that the tap may have taken effect, as nothing proves that it had none, and so was not "
        "sent twice",
        said=("click on virtual-1", "may have taken effect: nothing proves that it had none"),
        traced=("reconnect",), patience=5,
    ),
    Row(
        3, "uiautomator2 server crash", "between two steps", strikes.server_gone, SHOP, "passed",
        "nothing: it is started again before anything is sent to it", patience=5,
    ),
    Row(
        4, "`Killed` dump", "at every read", strikes.dump_killed, SHOP, "infra",
        "that the screen could not be read, though the program that reads it was started again; a "
        "screen is never made "
        "up", said=("dumpWindowHierarchy on virtual-1",), traced=("reconnect",), patience=2,
    ),
    Row(
        4, "`Killed` dump", "once", strikes.one_dump_killed, SHOP, "passed",
        "nothing: a read is repeated on a new program", patience=5,
    ),
    Row(
        5, "unauthorised", "before the test", strikes.unauthorised, FIRST_CALL, "infra",
        "what to do on the phone's screen; there is no trace of a test that never had its phone",
        said=("virtual-1 does not trust this computer",), before=True, trace=False,
    ),
    Row(
        5, "unauthorised", "in the middle", strikes.unauthorised, SHOP, "infra",
        "the same, and where the test was",
        said=("device unauthorized", "Accept the question about USB debugging"),
        traced=("reconnect",), lost=True,
    ),
    Row(
        6, "rebooting", "in the middle", strikes.restarted, SHOP, "infra",
        "that the phone was restarted, by its boot id: that the app is not in front is not held "
        "against it",
        said=("virtual-1 was restarted in the middle", "says nothing about the one under test"),
        traced=("reconnect",), patience=8, boot_ms=200,
    ),
    Row(
        6, "rebooting", "in the middle, with another phone left", strikes.restarted, SHOP,
        "requeued", "the same, and that the test passed on the other phone",
        said=("virtual-1 was restarted in the middle",),
        shown=("requeued (1):", "phones in trouble (1):"), traced=("reconnect",), patience=8,
        boot_ms=200, spare=True,
    ),
    Row(
        7, "full storage", "at the push", strikes.storage_full, INSTALL, "infra",
        "that the phone is full, what tells how full, and what to do; it is not tried again",
        said=("install parcel.apk on virtual-1", "No space left on device",
              "The phone's storage is full"),
    ),
    Row(
        7, "full storage", "at the install", strikes.storage_nearly_full, INSTALL, "infra",
        "the same", said=("INSTALL_FAILED_INSUFFICIENT_STORAGE", "The phone's storage is full"),
    ),
    Row(
        8, "wrong ABI", "on install", strikes.other_processor, INSTALL, "failed",
        "that the package has no code for this phone's processor: the build is wrong, and not the "
        "phone",
        said=("INSTALL_FAILED_NO_MATCHING_ABIS", "no native code for this phone's processor"),
    ),
    Row(
        9, "app crash", "on launch", strikes.nothing, LAUNCH.format(activity=".Broken"), "failed",
        "the exception, its message and where it was thrown, also as the run's cause",
        said=("dev.replicant.weak died: IllegalStateException: Database version 7 is newer than "
            "this app",),
        shown=("apps that died (1):", "FAILED AppCrash*"), traced=("store.Database.open",),
        sound=LAUNCH.format(activity=".MainActivity"),
    ),
    Row(
        10, "ANR", "at the next tap", strikes.nothing, HANG.format(button="Sort"), "failed",
        "which app did not answer, how long the system waited, and that waiting on did not help",
        said=("dev.replicant.weak does not answer: Input dispatching timed out",
              "Weak isn't responding"),
        traced=("anr_dialog",), sound=HANG.format(button="Sort a part"),
    ),
    Row(
        11, "airplane mode", "in the middle", strikes.airplane, LOAD, "failed",
        "the request that failed, from the log; adb goes on, and so the phone is not in trouble",
        said=("A request failed meanwhile: GET https://api.lab.replicant.dev",
              "UnknownHostException"),
        traced=("HTTP FAILED",),
    ),
    Row(12, "clock jump", "three hours ahead", strikes.clock_ahead, SHOP, "passed", "nothing"),
    Row(12, "clock jump", "three hours back", strikes.clock_back, SHOP, "passed", "nothing"),
    *(
        Row(
            12, "clock jump", f"{how}, then a crash", strike, DIES.format(button="Weigh"), "failed",
            "the crash, and after which action it came",
            said=("died: NullPointerException", 'after tap text="Weigh"'),
            shown=("apps that died (1):",), traced=("dying.Scales.weigh",),
            sound=DIES.format(button="Do not press"),
        )
        for how, strike in (("ahead", strikes.clock_ahead), ("back", strikes.clock_back))
    ),
    Row(
        13, "artifact disk full", "from the start", strikes.disk_full, SHOP, "passed",
        "which files are missing and why; the result of the test stands",
        shown=("not recorded in full*", "*No space left on device*the test's result stands"),
        before=True, trace=False,
    ),
    Row(
        13, "artifact disk full", "for a while", strikes.disk_full_for_a_while, SHOP, "passed",
        "the same, in the trace too, which is there",
        shown=("not recorded in full*", "*No space left on device*the test's result stands"),
        before=True, traced=("not stored: No space left on device",),
    ),
)  # fmt: skip
