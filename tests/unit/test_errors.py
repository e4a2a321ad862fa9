"""Several failures told together."""

from __future__ import annotations

import pytest

from pytest_replicant import ExpectationFailed, Snapshot, SoftFailures
from pytest_replicant.errors import raise_together
from pytest_replicant.model import CheckFacts, Failure


def a_screen(*labels: str) -> Snapshot:
    nodes = (
        f'<node text="{label}" class="android.widget.Button" clickable="true" bounds="[0,{at}][99,{at + 99}]"/>'
        for at, label in zip(range(0, 99_999, 100), labels, strict=False)
    )
    return Snapshot.parse(f"<hierarchy rotation='0'>{''.join(nodes)}</hierarchy>", "android")


def failed(screen: Snapshot) -> ExpectationFailed:
    said = Failure(
        "VERIFICATION_FAILED",
        "absent",
        check=CheckFacts("expect_visible", ""),
        asked="expect_visible",
        snapshot=screen,
        page="Open: page",
    )
    return ExpectationFailed(said, snapshot=screen)


def test_a_screen_that_several_checks_failed_on_is_shown_once() -> None:
    one, other = a_screen("One"), a_screen("Other")
    with pytest.raises(SoftFailures) as caught:
        raise_together([failed(one), failed(one), failed(other)])
    first, second, third = map(str, caught.value.exceptions)
    assert one.outline() in first
    assert second == "expect_visible: absent\nThe screen was the same.\nOpen: page"
    assert other.outline() in third


def test_of_a_screen_that_was_shown_later_checks_say_what_changed_on_it() -> None:
    rows = [f"Row {number}" for number in range(20)]
    failures = [failed(a_screen(*rows)), failed(a_screen(*rows, "Sent")), failed(a_screen(*reversed(rows)))]
    for failure in failures:
        failure.remark("Checked at test_shop.py:7")
    with pytest.raises(SoftFailures) as caught:
        raise_together(failures)
    said = [str(one) for one in caught.value.exceptions]
    assert "The screen was the same but for this:" in said[1]
    assert '"Sent"' in said[1]
    assert [text.count("Row 7") for text in said] == [1, 0, 1]
    assert all(text.endswith("Checked at test_shop.py:7") for text in said)


def test_one_failure_is_raised_as_it_is() -> None:
    failure = failed(a_screen("One"))
    with pytest.raises(ExpectationFailed) as caught:
        raise_together([failure])
    assert caught.value is failure
