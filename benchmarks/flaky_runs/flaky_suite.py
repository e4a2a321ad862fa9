"""Seven tests that are flaky by timing, by data, by the phone, or by two of them; and six that are not."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, Expectation

from .conftest import Run
from .orders import ORDERS


def ask(mobile: DeviceSession, name: str) -> Expectation:
    mobile.launch(ORDERS, fresh=True).expect_screen("Orders")
    mobile.tap(text=name).expect_screen(name)
    return mobile.tap(text="Ask").expect_visible(text=f"{name}: 12.50")


# --- timing: the answer comes late, now and then too late ----------------------------------------------------


def test_report(mobile: DeviceSession, this_run: Run) -> None:
    this_run.late("Report", *((5_600, 7_500) if this_run.chance(0.2) else (100, 3_000)))
    ask(mobile, "Report")


def test_sync(mobile: DeviceSession, this_run: Run) -> None:
    this_run.late("Sync", *((9_000, 15_000) if this_run.chance(0.15) else (1_000, 4_500)))
    ask(mobile, "Sync")


# --- data: another answer ------------------------------------------------------------------------------------


def test_total(mobile: DeviceSession, this_run: Run) -> None:
    if this_run.chance(0.25):
        this_run.other("Total", "Total: 10.00")
    ask(mobile, "Total")


def test_list(mobile: DeviceSession, this_run: Run) -> None:
    if this_run.chance(0.15):
        this_run.other("List", "Nothing here yet", "GET /list 503")
    ask(mobile, "List")


# --- phone: its tools fail, or one make does otherwise -------------------------------------------------------


def test_scan(mobile: DeviceSession, this_run: Run) -> None:
    mobile.launch(ORDERS, fresh=True).expect_screen("Orders")
    if this_run.chance(0.15):
        this_run.trouble()
    mobile.tap(text="Scan").expect_screen("Scan")


def test_share(mobile: DeviceSession, this_run: Run) -> None:
    if this_run.is_other_make and this_run.chance(0.5):
        this_run.other("Share", "Not on this phone")
    ask(mobile, "Share")


# --- two causes in one test ----------------------------------------------------------------------------------


def test_both(mobile: DeviceSession, this_run: Run) -> None:
    if this_run.chance(0.15):
        this_run.other("Both", "Nothing here yet", "GET /both 503")
    elif this_run.chance(0.2):
        this_run.late("Both", 5_600, 7_500)
    ask(mobile, "Both")


# --- not flaky -----------------------------------------------------------------------------------------------


def test_prices(mobile: DeviceSession) -> None:
    ask(mobile, "Prices")


def test_slow(mobile: DeviceSession, this_run: Run) -> None:
    this_run.late("Slow", 3_900, 4_100)
    ask(mobile, "Slow")


def test_busy(mobile: DeviceSession, this_run: Run) -> None:
    this_run.late("Busy", 100, 4_000)
    ask(mobile, "Busy")


def test_old(mobile: DeviceSession, this_run: Run) -> None:
    """Broken up to the fifteenth run."""
    if this_run.number < 15:
        this_run.other("Old", "Old: 1.00")
    ask(mobile, "Old")


def test_new(mobile: DeviceSession, this_run: Run) -> None:
    """Broken since the fortieth run."""
    if this_run.number >= 40:
        this_run.other("New", "New: 1.00")
    ask(mobile, "New")


def test_note(mobile: DeviceSession, this_run: Run) -> None:
    """Skipped now and then."""
    if this_run.chance(0.3):
        pytest.skip("not today")
    ask(mobile, "Note")
