"""The file of known flaky tests: what it may say, and what is said of what it may not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from pytest_replicant import UsageError
from pytest_replicant.reporting import KnownEntry, kept_run, read_known_flaky, remember

from .made_rows import row

FIRST = {
    "ticket": "SHOP-1",
    "tests": ["tests/test_cart.py::test_total[a-*]", "tests/test_cart.py::TestCart::test_sum"],
    "causes": ['"Total £*" has another value', "1f3a9c2e", "A title that is cut where it is li…"],
    "expires": "2999-12-31",
}
SECOND = {
    "ticket": "SHOP-2",
    "tests": ["*"],
    "causes": ["The phone did not answer in time"],
    "expires": "2999-12-31",
}
WHOLE = (FIRST, SECOND)


def entries(folder: Path, known: object) -> tuple[KnownEntry, ...]:
    (folder / "known.json").write_text(
        json.dumps({"schema": "replicant.history/1", "known": known}), "utf-8"
    )
    return read_known_flaky(folder / "known.json", "known.json")


def test_a_file_lists_tests_and_causes_by_ticket(tmp_path: Path) -> None:
    first, second = entries(tmp_path, WHOLE)
    assert str(first) == "SHOP-1, until 2999-12-31"
    assert first.causes[:2] == ('"Total £*" has another value', "1f3a9c2e")
    assert (second.ticket, second.tests) == ("SHOP-2", ("*",))
    assert entries(tmp_path, []) == ()


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


WRONG: dict[str, tuple[dict[str, object], str]] = {
    "no test": ({"tests": []}, "SHOP-2: give its tests and causes"),
    "no cause": ({"causes": None}, "known[0].causes: Expected `array`, got `null`"),
    "another name": ({"cause": "a"}, "known[0]: there is no field 'cause'. Did you mean causes?"),
    "a cause that says little": (
        {"causes": ["9.9*"]},
        "SHOP-2: cause '9.9*': say more of it, or any would do",
    ),
    "no day": ({"expires": "31.12.2999"}, "known[0].expires: "),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_malformed_entry_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    change, said = WRONG[name]
    with pytest.raises(UsageError) as caught:
        entries(tmp_path, [{**SECOND, **change}])
    assert said in str(caught.value)
    assert str(caught.value).startswith("known.json: ")


def test_a_file_that_is_missing_or_no_history_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    with pytest.raises(UsageError, match=r"known.json: no file"):
        read_known_flaky(path, path.name)
    for content in (b"\xff\xfe\x00", b"[SHOP-1]\ntest = a\n", b'{"known": []}'):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=r"^known.json: .*docs/how-to/flaky-tests.md"):
            read_known_flaky(path, path.name)


def test_a_run_that_adds_itself_to_the_file_keeps_what_is_known(tmp_path: Path) -> None:
    known = entries(tmp_path, WHOLE)
    runs, problem = remember(
        [kept_run("r1", "2026-11-20T10:00:00Z", [row("a")])], tmp_path / "known.json"
    )
    assert (len(runs), problem) == (1, "")
    assert read_known_flaky(tmp_path / "known.json", "known.json") == known
