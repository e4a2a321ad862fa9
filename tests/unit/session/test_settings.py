"""Settings that mean nothing are refused where they are given, not where a wait or a recovery trips
over them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import UsageError
from pytest_replicant.session import SessionSettings


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"action_timeout": "3"}, "action_timeout='3': a number of seconds from 0"),
        ({"expect_timeout": -1}, "expect_timeout=-1"),
        ({"window": float("nan")}, "window=nan"),
        ({"quiet": True}, "quiet=True"),
        ({"recovery": "on"}, "recovery='on': give one of off, report, allow, fail"),
        ({"permission_prompts": "yes"}, "give one of deny, allow, leave"),
        ({"allow": ["everything"]}, "give a list of relaunch, step_back, crash"),
        ({"allow": "relaunch"}, "allow='relaunch': give a list of"),
    ],
)
def test_a_value_that_means_nothing_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        SessionSettings(**given)
    assert told in str(caught.value)


def test_what_may_be_given_is_kept() -> None:
    given: dict[str, Any] = {
        "recovery": "off",
        "allow": ["relaunch"],
        "action_timeout": 0,
        "window": 2.5,
    }
    settings = SessionSettings(**given)
    assert "relaunch" in settings.allow
    assert (settings.recovery, settings.action_timeout, settings.window) == ("off", 0, 2.5)
