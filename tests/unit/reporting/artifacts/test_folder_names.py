"""Folder names: safe on every system, different for different tests."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_replicant.model import Redactor
from pytest_replicant.reporting.artifacts.storage import attachment_file_name, folder_name

NOTHING = Redactor()
SAFE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@settings(deadline=None, max_examples=50)
@example("../../etc/passwd", "con.txt", 0)
@given(st.text(), st.text(), st.integers(0, 9))
def test_a_folder_is_safe_and_its_own_whatever_the_id(one: str, other: str, attempt: int) -> None:
    names = [folder_name(nodeid, attempt, NOTHING) for nodeid in (one, other)]
    for name in names:
        assert SAFE.fullmatch(name)
        assert len(name) <= 68
    assert (names[0] == names[1]) is (one == other)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 500), st.text(), st.text())
def test_an_attachment_is_safe_whatever_its_name_and_type(
    index: int, name: str, media_type: str
) -> None:
    made = attachment_file_name(index, name, media_type)
    stem, _, extension = made.rpartition(".")
    assert SAFE.fullmatch(stem)
    assert stem.startswith(f"{index:02d}-")  # unique within its test, and no device of Windows
    assert re.fullmatch(r"[a-z0-9]{3,4}", extension)
    assert len(made) <= 50


def test_names_differ_where_only_case_or_signs_differ_and_reruns_have_their_own() -> None:
    names = {
        folder_name(nodeid, 0, NOTHING)
        for nodeid in ("t.py::a[x]", "t.py::a[X]", "t.py::a(x)", "t.py::a_x")
    }
    assert len({name.lower() for name in names}) == 4
    assert folder_name("t.py::a", 2, NOTHING) == folder_name("t.py::a", 0, NOTHING) + "-retry2"


@pytest.mark.parametrize(
    ("nodeid", "begins"),
    [
        (
            "tests/" + "deep/" * 40 + "test_shop.py::TestCart::test_total[two mugs]",
            "test-total-two-mugs-test-shop-testcart-",
        ),
        ("tests/test_shop.py::test_pay[a::b/c.py]", "test-pay-a-b-c-py-test-shop-"),
        (
            "test_shop.py::test_" + "long_" * 20,
            "test-long-long-long-long-long-long-long-long-long-l-",
        ),
        ("docs/index.md", "docs-index-md-"),
    ],
)
def test_a_folder_begins_with_the_name_of_the_test(nodeid: str, begins: str) -> None:
    name = folder_name(nodeid, 0, NOTHING)
    assert re.fullmatch(re.escape(begins) + "[0-9a-f]{8}", name)


@pytest.mark.parametrize(
    ("name", "media_type", "expected"),
    [
        ("Request log", "text/plain; charset=utf-8", "03-request-log.txt"),
        ("../../x.exe", "application/x-msdownload", "03-x-exe.bin"),
        ("shot", "image/PNG", "03-shot.png"),
    ],
)
def test_attachments_take_their_extension_from_the_media_type(
    name: str, media_type: str, expected: str
) -> None:
    assert attachment_file_name(3, name, media_type) == expected
