"""The fault table: what goes wrong, in which test, how that ends, and what is said of it.

``docs/reference/faults.md`` is made from it, and ``test_fault_table.py`` does what it says, row by row.
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
    mobile.tap(text="{button}").expect_visible(text="Unsorted")
    mobile.tap(text="Show").expect_visible(text="Unsorted")
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
    """``number`` counts the faults; several rows may be about one. ``source`` is the test inside, ``sound`` the
    same without a fault of the app's own. ``told`` stands in the failure, or in the trace's recoveries where the
    test passed; each word of ``traced`` somewhere in trace.json. ``patience`` is how long a lost phone is waited for.
    """

    number: int
    fault: str
    how: str
    strike: Callable[[Stage], None]
    source: str
    outcome: str
    told: Sequence[str] = ()
    traced: Sequence[str] = ()
    says: str = ""
    sound: str = ""
    at_setup: bool = False
    patience: float = 0.2
    boot_ms: int = 0
    on_screen: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        return int(self.outcome in ("failed", "infra", "error"))

    @property
    def id(self) -> str:
        return f"{self.fault}, {self.how}".replace(" ", "-").replace(",", "")


ROWS = (
    Row(1, "adb server killed", "for good", strikes.adb_killed, SHOP, "infra"),
    Row(1, "adb server killed", "and started again", strikes.adb_restarted, SHOP, "recovered", patience=5),
    Row(2, "phone offline", "in mid-tap", strikes.offline, SHOP, "infra"),
    Row(3, "uiautomator2 server crash", "in mid-tap", strikes.server_killed, SHOP, "recovered", patience=5),
    Row(4, "`Killed` dump", "each one from then on", strikes.dump_killed, SHOP, "infra", patience=2),
    Row(5, "unauthorised", "before the test", strikes.unauthorised, FIRST_CALL, "infra", at_setup=True),
    Row(5, "unauthorised", "in the middle", strikes.unauthorised, SHOP, "infra"),
    Row(6, "rebooting", "in the middle", strikes.restarted, SHOP, "infra", patience=5, boot_ms=300),
    Row(7, "full storage", "on install", strikes.storage_full, INSTALL, "infra"),
    Row(8, "wrong ABI", "on install", strikes.other_processor, INSTALL, "failed"),
    Row(
        9,
        "app crash",
        "on launch",
        strikes.none,
        LAUNCH.format(activity=".Broken"),
        "failed",
        sound=LAUNCH.format(activity=".Main"),
    ),
    Row(
        10,
        "ANR",
        "after a tap",
        strikes.none,
        HANG.format(button="Sort"),
        "failed",
        sound=HANG.format(button="Show"),
    ),
    Row(11, "airplane mode", "in the middle", strikes.airplane, LOAD, "failed"),
    Row(12, "clock jump", "three hours ahead", strikes.clock_ahead, SHOP, "passed"),
    Row(12, "clock jump", "ahead, and a crash", strikes.clock_ahead, DIES.format(button="Weigh"), "failed"),
    Row(12, "clock jump", "back, and a crash", strikes.clock_back, DIES.format(button="Weigh"), "failed"),
    Row(13, "artifact disk full", "from the start", strikes.disk_full, SHOP, "passed", at_setup=True),
)
