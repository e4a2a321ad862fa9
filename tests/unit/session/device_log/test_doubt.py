"""What cannot be known of a line or a death is said: it is no pass, no blame, and nothing is done
twice by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pytest_replicant import ExpectationFailed, Recovery
from pytest_replicant.session import DeviceSession

from ..conftest import Logged
from ..logging_phone import LoggingPhone, death_in
from ..scripted_phone import APP

UNDECIDED = "cannot be decided: the phone's clock was set, and it may have "


class OldPhone(LoggingPhone):
    """Its driver does not tell which line is the newest."""

    says_last = False


class SortingPhone(LoggingPhone):
    """logd before Android 12."""

    info = replace(LoggingPhone.info, os_version="11", extra={"sdk": "30"})

    def log(self, message: str, **given: Any) -> None:
        super().log(message, **given)
        at, text = self.entries.pop()
        place = len(self.entries)
        while place and 0 < self.entries[place - 1][0] - at < 5:
            place -= 1
        self.entries.insert(place, (at, text))


Make = Callable[..., "tuple[DeviceSession, Any]"]


@pytest.fixture(params=[OldPhone, SortingPhone])
def make(request: pytest.FixtureRequest, logged: Logged) -> Make:
    return partial(logged, kind=request.param)


def acted(
    make: Make, what: Callable[[LoggingPhone], object], **settings: Any
) -> tuple[Any, LoggingPhone]:
    """An action 0.4 s after that, and the clock set back by a second behind it, 1.5 s ago."""
    session, phone = make(**settings)
    session.tap(text="Go")
    phone.clock.advance(3)
    what(phone)
    phone.clock.advance(0.2)
    phone.log("the newest")
    phone.clock.advance(0.2)
    outcome = session.tap(text="Go")
    phone.wrong_by -= 1
    phone.clock.advance(1.5)
    return outcome, phone


def test_a_line_that_may_be_of_before_does_not_hold(make: Make) -> None:
    outcome, phone = acted(make, lambda phone: phone.log("paid 9.90"))
    with pytest.raises(
        ExpectationFailed, match=f"{UNDECIDED}been logged before the action: I Shop: "
    ):
        outcome.expect_log("paid", timeout=0.3)
    phone.log("paid 4.50")
    outcome.expect_log("paid 4", timeout=0.3)


def test_a_death_that_may_be_of_before_is_no_proof_of_life(make: Make) -> None:
    outcome, phone = acted(make, lambda phone: phone.die())
    with pytest.raises(
        ExpectationFailed, match=f"{UNDECIDED}died before the action: {APP} died: Illegal"
    ) as failed:
        outcome.expect_no_crash(timeout=0.3)
    assert "FATAL EXCEPTION" in str(failed.value)
    phone.die("java.lang.Error: again")
    with pytest.raises(ExpectationFailed, match=f"on scripted: {APP} died: Error: again"):
        outcome.expect_no_crash(timeout=0.3)


def test_no_action_is_blamed_by_it(make: Make) -> None:
    made = session, _ = make()
    acted(lambda: made, lambda phone: phone.die())
    death = death_in(session)
    assert death.record.after == ""


def test_no_outcome_is_guessed_by_it(make: Make) -> None:
    outcome, _ = acted(make, lambda phone: phone.die())
    guess = outcome.classify()
    assert (guess.outcome, guess.reason.partition(",")[2]) == (
        "unknown", " but that may have been before the action: the phone's clock was set"
    )  # fmt: skip


def test_nor_by_a_request(make: Make) -> None:
    def ask(phone: LoggingPhone) -> None:
        phone.log("<-- 500 Server Error https://api.shop.dev/cart (12ms)", tag="OkHttp")

    outcome, _ = acted(make, ask)
    assert outcome.classify().reason.startswith("https://api.shop.dev/cart: 500, but that may")


def test_nothing_is_done_twice_by_it(make: Make) -> None:
    outcome, phone = acted(
        make,
        lambda phone: phone.log("charged the card"),
        recover=lambda session, failure, state: Recovery("step_back", reason="by rote"),
        allow=frozenset({"step_back"}),
    )
    with pytest.raises(ExpectationFailed, match='the app logged "charged the card" since'):
        outcome.expect_visible(text="Paid", timeout=0.3)
    assert len(phone.gestures) == 2


def test_a_death_that_may_be_of_an_earlier_test_is_reported_with_that(make: Make) -> None:
    session, phone = make()
    phone.die()
    phone.clock.advance(0.2)
    phone.log("the newest")
    phone.clock.advance(0.2)
    session.tap(text="Go")
    phone.wrong_by -= 1
    phone.clock.advance(1.5)
    death = death_in(session)
    assert (
        "; it may have died before the test: the phone's clock was set"
        in death.message.splitlines()[0]
    )


@pytest.mark.parametrize("by", [-0.1, 0.3, 3.0])
def test_where_it_is_known_nothing_is_in_doubt(make: Make, by: float) -> None:
    session, phone = make()
    session.tap(text="Go")
    phone.clock.advance(5)
    phone.log("before")
    phone.clock.advance(0.2)
    outcome = session.tap(text="Go")
    phone.log("after")
    phone.wrong_by += by
    phone.clock.advance(8)
    with pytest.raises(ExpectationFailed, match="no such line"):
        outcome.expect_log("before", timeout=0.2)
    outcome.expect_log("after", timeout=0.2)
