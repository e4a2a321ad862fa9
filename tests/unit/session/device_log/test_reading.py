"""How much is known of a line by the order of the log and by its stamp, on phones that keep their
log in order and on those that sort it, with drivers that tell the newest line and those that do
not."""

from __future__ import annotations

import time

import pytest

from pytest_replicant.drivers import LogMark
from pytest_replicant.session.device_log.phone_clock import Moment, PhoneClock, Reading

NOON = 1_700_000_000.0
KEEPS, SORTS = 34, 30


def stamp(seconds: float, east: float = 0.0) -> str:
    shown = NOON + seconds + east
    return f"{time.strftime('%m-%d %H:%M:%S', time.gmtime(shown))}.{round(seconds % 1 * 1000):03d}"


def line(seconds: float, text: str, east: float = 0.0) -> str:
    return f"{stamp(seconds, east)}  1  1 I Shop: {text}"


def mark(
    seconds: float, last: str | None = None, *, digits: int = 6, east: float | None = 0.0
) -> LogMark:
    local = stamp(seconds, east) if east is not None else ""
    moment = f"{NOON + seconds:.6f}" if digits else f"{int(NOON + seconds)}.000"
    return LogMark(moment, local if digits else local[:14], last)


class Test:
    """Looks at a phone's clock at our times, and windows from those that are actions."""

    __test__ = False

    def __init__(self) -> None:
        self.clock = PhoneClock()
        self.actions: list[Moment] = []
        self.now = 0.0

    def look(self, ours: float, seen: LogMark, took: float = 0.0) -> None:
        self.clock.note(seen, ours - took, ours)
        self.now = ours

    def action(self, ours: float, seen: LogMark | None, took: float = 0.0) -> None:
        look = self.clock.note(seen, ours - took, ours) if seen is not None else None
        self.actions.append(Moment(ours, look, f"a{len(self.actions) + 1}"))
        self.now = ours

    def judged(self, *lines: str, api: int | None = KEEPS, index: int = -2) -> list[bool | None]:
        reading = Reading(lines, self.clock, self.actions, Moment(0.0), now=self.now, api=api)
        chosen = len(self.actions) - 1 if index == -2 else index
        return [reading.is_after(at, chosen) for at in range(len(lines))]


@pytest.fixture
def test() -> Test:
    return Test()


OLD, NEW = line(9.5, "old"), line(10.2, "new")


@pytest.mark.parametrize("api", [KEEPS, SORTS, None])
@pytest.mark.parametrize("last", [OLD, None])
def test_a_clock_that_nobody_sets_leaves_no_doubt(
    test: Test, api: int | None, last: str | None
) -> None:
    test.action(10, mark(10, last))
    test.look(11, mark(11))
    assert test.judged(line(9.0, "older"), OLD, NEW, api=api) == [False, False, True]


def test_two_clocks_that_part_slowly_were_not_set(test: Test) -> None:
    for ours in range(0, 600, 5):
        test.look(ours, mark(ours * 1.0001))
    assert test.clock.regimes == 1


@pytest.mark.parametrize("by", [-0.1, 0.1])
def test_a_tenth_of_a_second_is_seen(test: Test, by: float) -> None:
    test.look(10, mark(10))
    test.look(11, mark(11 + by))
    assert test.clock.regimes == 2


def test_a_slow_answer_is_no_other_clock(test: Test) -> None:
    test.look(10, mark(10))
    test.look(11.4, mark(11.2), took=0.4)
    test.look(12, mark(11.75), took=0.3)
    assert test.clock.regimes == 1


@pytest.mark.parametrize("by", [-3.0, -1.0, -0.3, 0.3, 3.0])
def test_what_stands_behind_the_newest_line_is_newer_whatever_its_stamp(
    test: Test, by: float
) -> None:
    test.action(10, mark(10, OLD))
    test.look(11, mark(11 + by))
    for api in (KEEPS, SORTS, None):
        assert test.judged(OLD, line(10.2 + by, "new"), api=api)[1] is True


def test_a_clock_that_was_set_unseen_between_two_looks_loses_no_line(test: Test) -> None:
    test.action(10, mark(10, OLD))
    test.look(11, mark(11))
    assert test.judged(OLD, line(7.2, "set back and forth")) == [False, True]


def test_before_it_all_is_older_where_the_phone_keeps_the_order(test: Test) -> None:
    late = line(10.5, "of an hour that came again")
    test.action(10, mark(10, OLD))
    test.look(12, mark(11))
    assert test.judged(late, OLD, NEW, api=KEEPS) == [False, False, True]


def test_a_phone_that_sorts_may_have_put_a_newer_line_there(test: Test) -> None:
    test.action(10, mark(10, OLD))
    test.look(12, mark(11))  # set back by one: 9.2 was before the action, or after it
    assert test.judged(line(9.2, "when"), OLD, NEW, api=SORTS) == [None, False, True]
    assert test.judged(line(8.9, "too early"), OLD, NEW, api=SORTS) == [False, False, True]


def test_a_newest_line_of_the_future_hides_no_new_one_that_was_sorted_before_it(test: Test) -> None:
    future = line(13.0, "before the clock was set back by four")
    test.action(10, mark(10, future))
    test.look(11, mark(11))
    assert test.judged(NEW, future, api=SORTS)[0] is None
    assert test.judged(OLD, future, api=SORTS)[0] is False


@pytest.mark.parametrize("api", [KEEPS, SORTS])
def test_without_the_newest_line_stamps_decide_as_far_as_they_can(test: Test, api: int) -> None:
    test.look(9, mark(9))
    test.action(10, mark(10))
    test.look(12, mark(15))  # set forwards by three
    assert test.judged(line(9.9, "before"), line(10.1, "after"), line(14.5, "after"), api=api) == [
        False,
        True,
        True,
    ]


def test_a_stamp_that_two_clocks_showed_is_in_doubt(test: Test) -> None:
    test.action(10, mark(10))
    test.look(12, mark(11))
    assert test.judged(line(9.5, "either"), line(10.5, "after, by either")) == [None, True]


def test_a_line_of_no_clock_that_was_seen_is_in_doubt(test: Test) -> None:
    test.action(10, mark(10))
    test.look(11, mark(11))
    assert test.judged(line(14.0, "in the future")) == [None]


def test_a_newest_line_that_is_gone_is_noticed(test: Test) -> None:
    test.action(10, mark(10, OLD))
    test.look(11, mark(11))
    reading = Reading([NEW], test.clock, test.actions, Moment(0.0), now=11.0, api=KEEPS)
    assert reading.reaches(0) is False
    assert reading.is_after(0, 0) is True


def test_an_empty_log_has_nothing_old(test: Test) -> None:
    test.action(10, mark(10, ""))
    assert test.judged(line(3.0, "whenever")) == [True]


def test_the_same_line_twice_in_a_moment_is_judged_by_its_stamp(test: Test) -> None:
    test.action(10, mark(10, OLD))
    assert test.judged(OLD, OLD, NEW) == [False, False, True]
    test.look(12, mark(11.5))  # set back by half a second: the second one may be new
    assert test.judged(OLD, OLD, NEW) == [False, None, True]


def test_the_lines_of_several_actions(test: Test) -> None:
    first, second = line(5.1, "of the first"), line(4.2, "of the second")
    test.action(5, mark(5, line(4.9, "earlier")))
    test.action(6, mark(4, first))
    test.look(7, mark(5))
    lines = line(4.9, "earlier"), first, second
    assert test.judged(*lines, index=0) == [False, True, True]
    assert test.judged(*lines, index=1) == [False, False, True]
    assert test.judged(*lines, index=-1)[1:] == [True, True]


def test_an_action_of_which_the_phone_did_not_tell_its_time(test: Test) -> None:
    test.look(9, mark(9, None))
    test.action(10, None)
    test.look(11, mark(11))
    assert test.judged(line(9.9, "before"), line(10.1, "after")) == [False, True]
    test.look(12, mark(9))
    assert test.judged(line(8.5, "before, or after"), line(10.5, "of the first clock")) == [
        None,
        True,
    ]


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.6, 0.9])
def test_a_clock_of_whole_seconds_leaves_less_than_one_in_doubt(
    test: Test, fraction: float
) -> None:
    test.action(10 + fraction, mark(10 + fraction, digits=0))
    test.look(13 + fraction, mark(13 + fraction, digits=0))
    assert test.clock.regimes == 1
    judged = test.judged(*(line(10 + fraction + later / 10, "") for later in range(-12, 13)))
    assert judged[:2] == [False, False]
    assert judged[-2:] == [True, True]
    assert False not in judged[12:]
    assert True not in judged[:12]


@pytest.mark.parametrize("hours", [-7, 1, 5.5])
@pytest.mark.parametrize("printed_anew", [True, False])
def test_another_time_zone_moves_no_line(test: Test, hours: float, printed_anew: bool) -> None:
    """logcat prints all lines by the zone of now; a phone of summer time each by its own."""
    east = hours * 3600
    test.action(5, mark(5, line(4.9, "earlier")))
    test.action(10, mark(10, OLD))
    test.look(11, mark(11, east=east))
    before = east if printed_anew else 0.0
    lines = line(9.5, "old", before), line(10.2, "new", east)
    assert test.judged(*lines) == [False, True]
    times = [[round(one, 1) for one in test.clock.line_times(said, 11.0)] for said in lines]
    assert times == [[9.5], [10.2]]


def test_a_driver_that_tells_no_stamp_has_its_own_beginning(test: Test) -> None:
    test.action(10, mark(10, east=None))
    assert test.judged(line(3.0, "as it was read")) == [True]
    test.look(11, mark(8, east=None))
    assert test.judged(line(3.0, "as it was read")) == [None]


def test_the_log_is_read_from_the_least_that_any_clock_showed(test: Test) -> None:
    test.action(10, mark(10, OLD))
    assert NOON + 9.4 < test.clock.earliest(test.actions[0]) < NOON + 9.5
    test.look(11, mark(8))
    assert NOON + 6.9 < test.clock.earliest(test.actions[0]) < NOON + 7


def test_a_line_without_a_stamp_goes_with_the_one_above(test: Test) -> None:
    test.action(10, mark(10))
    assert test.judged("of a report", line(9.0, "old"), "more of it", line(10.0, "new"),
                       "and more") == [
        True, False, False, True, True
    ]  # fmt: skip
