"""The file of known flaky tests: what it may say, and what is said of a line that is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from pytest_replicant import UsageError
from pytest_replicant.reporting import KnownEntry, read_known_flaky

WHOLE = """
# what we know of
[SHOP-1]
test = tests/test_cart.py::test_total[a-*]
test = tests/test_cart.py::TestCart::test_sum
cause = "Total £*" has another value
cause = 1f3a9c2e
cause = A title that is cut where it is li…
expires = 2999-12-31

; and of the phone farm
[SHOP-2]
test = *
cause = The phone did not answer in time
expires = 2999-12-31
"""


def entries(folder: Path, text: str) -> tuple[KnownEntry, ...]:
    (folder / "known.ini").write_text(text, "utf-8")
    return read_known_flaky(folder / "known.ini", "known.ini")


def test_a_file_lists_tests_and_causes_by_ticket(tmp_path: Path) -> None:
    first, second = entries(tmp_path, WHOLE)
    assert (str(first), first.place) == ("SHOP-1, until 2999-12-31", "known.ini:3")
    assert first.causes[:2] == ('"Total £*" has another value', "1f3a9c2e")
    assert (second.ticket, second.place, second.tests) == ("SHOP-2", "known.ini:12", ("*",))
    assert entries(tmp_path, "") == ()


@pytest.mark.parametrize(
    ("nodeid", "is_about"),
    [
        ("tests/test_cart.py::test_total[a-1]", True),
        ("tests/test_cart.py::test_total[a-b::c]", True),
        ("tests/test_cart.py::test_total[b-1]", False),
        ("tests/test_cart.py::test_totala", False),  # brackets are brackets
        ("tests/test_cart.py::TestCart::test_sum", True),
        ("other/tests/test_cart.py::TestCart::test_sum", False),
    ],
)
def test_a_star_stands_for_anything_and_brackets_for_themselves(
    tmp_path: Path, nodeid: str, is_about: bool
) -> None:
    assert entries(tmp_path, WHOLE)[0].is_about(nodeid) is is_about


@pytest.mark.parametrize(
    ("key", "title", "explained"),
    [
        ("1f3a9c2e", "anything", True),
        ("00000000", '"Total £17.25" has another value on "Cart"', True),
        ("00000000", '"Total £1" not found, and "Tax £2" has another value', False),
        ("00000000", '"Total £17.25" not found on "Cart"', False),
        ("00000000", "A title that is cut where it is listed, and goes on", True),
        ("00000000", "1f3a9c2e", False),  # a key is no part of a title
    ],
)
def test_a_cause_is_known_by_its_key_or_a_part_of_its_title(
    tmp_path: Path, key: str, title: str, explained: bool
) -> None:
    assert entries(tmp_path, WHOLE)[0].explains(key, title) is explained


def test_the_last_day_counts_as_well(tmp_path: Path) -> None:
    entry, today = entries(tmp_path, WHOLE)[0], date.today()
    assert not replace(entry, expires=today).has_expired
    assert replace(entry, expires=today - timedelta(days=1)).has_expired


BAD = {
    "test = a": "known.ini:1: a line before the first [ticket]",
    "[A]\ntest = a": "known.ini:1: [A] has no cause and no expires",
    "\n[A]\ncause = abcd\nexpires = 2999-01-01": "known.ini:2: [A] has no test",
    "[A]\nowner = me": "known.ini:2: give [ticket], test = ..., cause = ... or expires = 2030-12-31, not 'owner",
    "[A]\ncause =": "known.ini:2: give [ticket]",
    "[A]\n\x1b[31m": "not '\\x1b[31m'",
    "[A]\ncause = 9.9*": "known.ini:2: cause = 9.9*: say more of it, or any cause would do",
    "[A]\nexpires = 31.12.2999": "known.ini:2: expires = 31.12.2999: give a day, such as 2030-12-31",
    "[A]\nexpires = 2999-01-01\nexpires = 2999-01-02": "known.ini:3: [A] expires twice",
}


@pytest.mark.parametrize("text", BAD)
def test_a_malformed_file_is_an_error_that_names_the_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        entries(tmp_path, text)
    assert BAD[text] in str(caught.value)


def test_a_file_that_is_missing_or_no_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"known.ini: No such file"):
        read_known_flaky(tmp_path / "known.ini", "known.ini")
    (tmp_path / "known.ini").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"known.ini: no text in UTF-8"):
        read_known_flaky(tmp_path / "known.ini", "known.ini")
