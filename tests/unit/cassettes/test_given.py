"""What a replay gives a test in place of what it made itself, and what it takes for a hidden
text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cassettes import (
    HiddenTexts,
    RecordedFailure,
    as_failure,
    failure_of,
    is_recorded,
    of_data,
    plain_args,
    stand_in,
)
from pytest_replicant.errors import DeviceOffline
from pytest_replicant.model import MASK, Redactor
from pytest_replicant.plugin.replaying import is_same
from pytest_replicant.reporting import failures_of

MAIL = "ada@example.com"


def test_an_error_of_making_data_comes_again_by_its_name_and_first_line() -> None:
    kept = as_failure(ConnectionError("the service is down\nat 12:00"))
    again = failure_of(kept)
    assert (type(again).__name__, str(again)) == ("ConnectionError", "the service is down")
    assert again is not None
    assert is_recorded(again)
    assert not is_recorded(ConnectionError())
    assert failure_of({"name": "ada"}) is None


@pytest.mark.parametrize("of", [None, ["no name", "x"], {"Error": "x"}])
def test_no_other_content_is_an_error(of: Any) -> None:
    with pytest.raises(ValueError, match="no recorded"):
        failure_of({"~": "raised", "of": of})
    with pytest.raises(ValueError, match="no recorded"):
        of_data({"~": "raised", "of": of})


def test_the_content_of_a_pushed_file_counts_and_not_its_name_here(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("a.txt", "b.txt", "c.txt"))
    one.write_text("two mugs")
    same.write_text("two mugs")
    other.write_text("one mug")
    pushed = plain_args("push_file", (one, "/sdcard/a.txt"))
    assert pushed == plain_args("push_file", (same, "/sdcard/a.txt"))
    assert pushed == plain_args("push_file", (b"two mugs", "/sdcard/a.txt"))
    assert pushed != plain_args("push_file", (other, "/sdcard/a.txt"))
    assert plain_args("push_file", (tmp_path / "none.txt", "/x")) == ("none.txt", "/x")
    assert plain_args("install", (one,)) == ("a.txt",)


def test_a_secret_of_another_test_that_is_typed_in_the_clear_is_learnt() -> None:
    hidden = HiddenTexts([5, len(MAIL)], Redactor())
    typed = f"to {stand_in(1)}."
    hidden.learn(f"to {MAIL}!", typed)  # another text
    hidden.learn("to ada.", typed)  # another length
    assert not hidden.numbers
    hidden.learn(f"to {MAIL}.", typed)
    assert hidden.numbers == {MAIL: 1}
    assert hidden.compared
    assert (
        hidden.shown(f"{MASK} or {MASK}".encode(), [1, 0])
        == f"{MAIL} or {stand_in(0) * 5}".encode()
    )


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ("assert 'ab' == 'xxxxxxxx'", "assert 'ab' == 'xx...xx'", True),
        ("assert 'ab' == 'xx...xx'", "assert 'ab' == 'xxxxxxxx'", True),
        ("assert 'ab' == 'xx...xx'", "assert 'ab' == 'xx...xy'", False),
        ("assert 'ab' == 'xxxxxxxx'", "assert 'ac' == 'xx...xx'", False),
        ("Loading...", "Loading the shop", False),
        ("<object at 0x7f00aa>", "<object at 0x7f00ab>", True),
        (
            "no /tmp/pytest-of-ada/pytest-3/test_a0/x",
            "no /tmp/pytest-of-ci/pytest-41/popen-gw1/test_a0/x",
            True,
        ),
        (
            "no /tmp/pytest-of-ada/pytest-3/test_a0/x",
            "no /tmp/pytest-of-ada/pytest-3/test_a0/y",
            False,
        ),
        (
            "expect A on virtual: absent (9 reads, 1.0 s)",
            "expect A on virtual: absent (1 read, 0.2 s)",
            True,
        ),
        (
            "expect A on virtual: absent (9 reads, 1.0 s)",
            "expect B on virtual: absent (9 reads, 1.0 s)",
            False,
        ),
    ],
)
def test_of_a_failure_counts_what_is_not_another_one_each_time(
    then: str, now: str, same: bool
) -> None:
    assert is_same(RecordedFailure("E", then), RecordedFailure("E", now)) is same


def test_of_several_errors_neither_a_reset_nor_a_skip_is_a_failure_of_the_test() -> None:
    class Several(Exception):
        exceptions = (
            reset := DeviceOffline("gone"),
            pytest.skip.Exception("not today"),
            LookupError("no account"),
        )

    Several.reset.while_resetting = True
    (failure,) = failures_of(Several(), "teardown", (), None, Redactor())
    assert (failure.exception, failure.message, failure.phase) == (
        "LookupError",
        "no account",
        "teardown",
    )
    assert failures_of(Several.reset, "teardown", (), None, Redactor()) == ()
    assert len(failures_of(DeviceOffline("gone"), "teardown", (), None, Redactor())) == 1


def test_a_failure_at_another_line_step_or_place_is_another() -> None:
    known = RecordedFailure("E", "no", step="tap A", sends=2, line="assert ok")
    assert is_same(known, known)
    for other in (
        {"exception": "F"},
        {"step": "tap B"},
        {"sends": 3},
        {"line": "assert fine"},
        {"code": "X"},
    ):
        assert not is_same(known, replace(known, **other))
    assert is_same(known, replace(known, line=""))  # which no line of the test has raised
