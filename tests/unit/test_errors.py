"""Several failures told together."""

from __future__ import annotations

import pytest

from pytest_replicant import ExpectationFailed, Snapshot, SoftFailures
from pytest_replicant.errors import raise_together
from pytest_replicant.model import CheckFacts, Failure


def a_screen(*labels: str) -> Snapshot:
    nodes = (
        f'<node text="{label}" class="android.widget.Button" clickable="true" '
        f'bounds="[0,{at}][99,{at + 99}]"/>'
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


def test_one_failure_is_raised_as_it_is() -> None:
    failure = failed(a_screen("One"))
    with pytest.raises(ExpectationFailed) as caught:
        raise_together([failure])
    assert caught.value is failure
