"""The log and files of an Android phone."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Ended, LogMark
from pytest_replicant.errors import ProtocolError, UsageError
from tests.unit.drivers.android.odd_phone import APP, Phone


def test_a_log_since_a_moment_is_asked_for_by_it() -> None:
    phone = Phone()
    phone.driver.logs(LogMark("1700000000.123456789"), ["main", "crash"])
    assert phone.commands == ["logcat -d -v threadtime -b main,crash -T 1700000000.123456789"]


@pytest.mark.parametrize(
    ("said", "moment"),
    [("1700000000.123456789\n", "1700000000.123456789"), ("1700000000.N\n", "1700000000.000")],
)
def test_a_moment_on_phones_with_and_without_fractions(said: str, moment: str) -> None:
    phone = Phone(date=said)
    assert phone.driver.log_mark() == LogMark(moment, last="")
    assert len(phone.commands) == 1


LINE = "07-02 16:00:46.303  1  1 I Shop: paid"


@pytest.mark.parametrize(
    ("printed", "last"),
    [
        (f"--------- beginning of main\n{LINE}\n", LINE),
        (f"{LINE} in\r\n{LINE} two\r\n", f"{LINE} two"),  # one entry
        ("--------- beginning of main\n", ""),
        ("", ""),
    ],
)
def test_a_moment_comes_with_the_newest_line(printed: str, last: str) -> None:
    phone = Phone(date=f"1700000000.5 11-14 22:13:20\n{printed}")
    mark = phone.driver.log_mark()
    assert mark == LogMark("1700000000.5", "11-14 22:13:20.5", last)


def test_a_phone_without_a_log_has_a_clock() -> None:
    failed = Ended(b"1700000000.5\n", b"logcat: not found", 127)
    assert Phone(date=failed).driver.log_mark() == LogMark("1700000000.5")


@pytest.mark.parametrize("said", ["", "date: Unknown option", "N.N", "4711 4712"])
def test_a_phone_that_does_not_tell_its_time_has_no_mark(said: str) -> None:
    with pytest.raises(ProtocolError, match="does not tell its time"):
        Phone(date=said).driver.log_mark()
    with pytest.raises(ProtocolError, match="does not tell its time"):
        Phone(date=f"{said}\n\n").driver.crashes(None)


def test_crashes_come_with_the_moment_and_the_processes() -> None:
    line = "07-02 16:00:46.303  1  1 E AndroidRuntime: FATAL EXCEPTION: main"
    phone = Phone(date=f"1700000000.5\n4711 4712\n--------- beginning of crash\n{line}\n")
    found = phone.driver.crashes(LogMark("1.0"), APP)
    assert (found.lines, found.until, found.pids) == (
        (line,),
        LogMark("1700000000.5"),
        (4711, 4712),
    )
    assert len(phone.commands) == 1


def test_a_log_of_crashes_that_cannot_be_read_is_not_an_empty_one() -> None:
    failed = Ended(b"1700000000.5\n\n", b"logcat read failure", 1)
    with pytest.raises(ProtocolError, match="logcat read failure"):
        Phone(date=failed).driver.crashes(None)


@pytest.mark.parametrize(
    ("said", "oldest"),
    [
        ("1699999000.123 1699999999.000000", LogMark("1699999999.000000")),
        ("1699999000.123", LogMark("1699999000.123")),
        ("", None),
        ("12.5", None),
    ],
)
def test_how_far_back_the_log_goes_is_what_the_least_of_its_buffers_keeps(
    said: str, oldest: LogMark | None
) -> None:
    phone = Phone(date=f"1700000000.5\n\n{said}\n--------- beginning of crash\n")
    found = phone.driver.crashes(None, APP)
    assert (found.oldest, found.lines) == (oldest, ())
    assert len(phone.commands) == 1


@pytest.mark.parametrize("remote", ["", "a", "../a", "/a\0", "/\ud83d", "/" + "x" * 1100])
def test_what_is_no_path_reaches_no_phone(remote: str) -> None:
    phone = Phone()
    with pytest.raises(UsageError):
        phone.driver.push_file(b"x", remote)
    with pytest.raises(UsageError):
        phone.driver.pull_file(remote)
    assert phone.pushed == []
