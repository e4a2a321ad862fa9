"""``DeviceLog``: the phone's log while a test runs, its windows, and the crashes in them.

The phone's clock is asked once a test, when the first action is sent. Later moments are computed from it, so that
no action costs one more command. A window goes by time alone, and so holds an app's lines from before and after a
restart.
"""

from __future__ import annotations

import calendar
import re
import time
from typing import TYPE_CHECKING

from ...drivers import Capability, LogMark
from ...errors import DeviceError
from ...logs import Crash, LogLine, parse_log, pids_of, read_deaths
from ..arguments import need_to_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...clock import Clock
    from ...drivers import CrashLog, Driver

_SET = 2.0  # seconds; two clocks that nobody sets do not part by as much within a test
_HALF_A_YEAR = 182 * 86_400.0
_STAMP = re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d+")
_SECONDS = re.compile(r"\d+(\.\d+)?\Z")
# What Android says when it ends an app that did not answer; an ANR alone may pass.
_ENDED = r"Killing {pid}:\S+ .*: (?:user request after error|bg anr|anr\b)"


class DeviceLog:
    """One a session."""

    def __init__(self, driver: Driver, clock: Clock) -> None:
        self._driver = driver
        self._clock = clock
        self._began = clock.now()
        self._known: tuple[LogMark, float] | None = None  # a moment of the phone's clock, and of ours
        self._dispatched: list[tuple[str, float, LogMark | None]] = []
        self.latest = -1  # of those, the one whose log is asked for; -1 for none
        self._trouble: DeviceError | None = None
        # Where somebody set the phone's clock: what it showed then, at which moment of ours, and by how much.
        self._set: tuple[LogMark, float, float] | None = None
        self._running: dict[str, frozenset[int]] = {}  # processes of apps, as they were last seen
        self._oldest: str | None = None  # moment of what the phone still keeps, as it last said
        self.unseen_seconds = 0.0  # from the first action on, of which the phone keeps no log any more

    def begin_action(self, action_id: str = "") -> None:
        """An action is sent now. That the phone does not tell its time is no reason not to send it."""
        if not self._driver.capabilities & (Capability.LOGS | Capability.CRASHES):
            return
        own: LogMark | None = None
        try:
            mark, _ = self._moment()
            own = None if _SECONDS.match(mark.moment) else self._driver.log_mark()
        except DeviceError as error:
            self._trouble = error
        self._dispatched.append((action_id, self._clock.now(), own))
        self.latest = len(self._dispatched) - 1

    def lines(self, *, whole: bool = False) -> list[LogLine]:
        """Everything that was logged since the last action was sent; since the test began where none was, or where
        the ``whole`` test is asked for."""
        need_to_read(self._driver, Capability.LOGS)
        return parse_log(self._logged(self._start() if whole else self._window()))

    def since_the_test_began(self) -> list[tuple[float, LogLine]]:
        """Each line with the second of the test, counted from its start, in which the phone logged it. None where
        the phone has no log, or does not say what its clock shows."""
        if Capability.LOGS not in self._driver.capabilities:
            return []
        mark, asked = self._moment()
        if not _SECONDS.match(mark.moment) or not mark.local:
            return []
        lines = parse_log(self._logged(self._start()))
        jump = self._set[2] if self._set is not None else 0.0
        year = time.gmtime(float(mark.moment)).tm_year
        local = _seconds(mark.local, year)
        start, end = local - (asked - self._began), local + self._clock.now() - asked
        told = []
        for line in lines:
            if not _STAMP.fullmatch(line.time):
                continue
            at = _nearest(line.time, year, local)
            later = at - jump if jump and (at > end + _SET or at < start - _SET) else at
            told.append((max(later - start, 0.0), line))
        return told

    def pids(self, app: str, lines: Iterable[LogLine] | None = None) -> frozenset[int]:
        """The processes that the app had in this test, one after the other. ``lines`` are those since the test
        began, where they are known."""
        told = frozenset(pids_of(app, self.lines(whole=True) if lines is None else lines))
        return (
            told | frozenset(self._driver.pids(app)) if Capability.CRASHES in self._driver.capabilities else told
        )

    def told_pids(self, app: str, lines: Iterable[LogLine]) -> frozenset[int]:
        """The same as far as it is known without a command more."""
        return frozenset(pids_of(app, lines)) | self._running.get(app, frozenset())

    def crashes(self, *, since_action: bool = False) -> list[Crash]:
        """The deaths of apps since the test began, oldest first, or since the last action was sent."""
        need_to_read(self._driver, Capability.CRASHES)
        since = self._window() if since_action else self._start()
        return self._read(self._deadly(since))

    def deaths(self, apps: tuple[str, ...]) -> list[Crash]:
        """The crashes of these apps since the test began, of which they died: an app that did not answer for a
        while, and then did, lives."""
        if Capability.CRASHES not in self._driver.capabilities:
            return []
        lines = self._deadly(self._start(), apps[0] if apps else "")
        return [
            crash
            for crash in self._read(lines)
            if any(crash.is_of(app) for app in apps) and (crash.kind != "anr" or _ended(crash, lines))
        ]

    def _read(self, lines: Iterable[str]) -> list[Crash]:
        return read_deaths(lines, self._driver.info.platform)

    def action_before(self, crash: Crash) -> str:
        """The id of the last action that was sent before it; "" where there was none, and where the phone's clock
        was set by less than the test took: then its stamp does not tell."""
        _, _, jump = self._deaths_since(self._start())
        if jump and abs(jump) < self._clock.now() - self._began:
            return ""
        shift = jump if jump and self._is_stamped_anew(crash, jump) else 0.0
        low, high = 0, len(self._dispatched)  # of the first `low` actions it is known that they came before
        while low < high:
            middle = (low + high) // 2
            if crash in self._read(self._driver.crashes(_shifted(self._sent(middle), shift)).lines):
                low = middle + 1
            else:
                high = middle
        return self._dispatched[low - 1][0] if low else ""

    @property
    def was_used(self) -> bool:
        """Whether anything was sent that could have made an app die."""
        return bool(self._dispatched)

    def _deadly(self, since: LogMark, app: str = "") -> tuple[str, ...]:
        """What the log says of deaths. Where somebody set the phone's clock back meanwhile, what was logged since
        is stamped earlier than it was: the window begins earlier by as much, without what was logged before."""
        lines, now, jump = self._deaths_since(since, app)
        if jump >= 0:
            return lines
        return tuple(_in_window(self._driver.crashes(_shifted(since, jump)).lines, since, now, jump))

    def _deaths_since(self, since: LogMark, app: str = "") -> tuple[tuple[str, ...], LogMark, float]:
        """The lines stamped since; what the phone's clock shows; by how many seconds somebody set that forwards
        since the test began, less than none for backwards."""
        asked = self._clock.now()
        log = self._driver.crashes(since, app)
        if app:
            self._running[app] = frozenset(log.pids)
        jump = self._jump(log.until, asked)
        if jump:
            self._set = log.until, self._clock.now(), jump
        else:
            self._look_back(log)
        return log.lines, log.until, jump

    def _logged(self, since: LogMark) -> list[str]:
        """What was logged from then on, by whichever clock. That is asked only where the log looks as if somebody
        had set it."""
        if self._set is not None:
            return self._by_both_clocks(since, *self._set)
        lines = self._driver.logs(since)
        mark, at = self._moment()
        if not _SECONDS.match(mark.moment) or not mark.local:
            return lines
        year = time.gmtime(float(mark.moment)).tm_year
        end = _seconds(mark.local, year) + self._clock.now() - at + _SET
        stamps = (line[:18] for line in reversed(lines) if _STAMP.match(line))
        if lines and _nearest(next(stamps, mark.local), year, end) <= end:
            return lines
        asked = self._clock.now()
        now = self._driver.log_mark()
        jump = self._jump(now, asked)
        if not jump:
            return lines
        self._set = now, self._clock.now(), jump
        return self._by_both_clocks(since, *self._set)

    def _by_both_clocks(self, since: LogMark, seen: LogMark, at: float, jump: float) -> list[str]:
        lines = self._driver.logs(_shifted(since, min(jump, 0.0)))
        return list(_in_window(lines, since, seen, jump, ago=self._clock.now() - at))

    def _jump(self, now: LogMark, asked: float) -> float:
        """By how many seconds somebody set the phone's clock forwards since the test began; 0 where nobody did."""
        mark, at = self._moment()
        if not _SECONDS.match(mark.moment) or not _SECONDS.match(now.moment):
            return 0.0
        shown = float(now.moment) - float(mark.moment)
        # Between these two the phone told its time. Where in doubt a window begins earlier.
        most, least = shown - (asked - at), shown - (self._clock.now() - at)
        return least if most <= -_SET or least >= _SET else 0.0

    def _is_stamped_anew(self, crash: Crash, jump: float) -> bool:
        """Whether it was logged after the clock was set, by more than the test took."""
        stamped = self._read(self._driver.crashes(_shifted(self._start(), max(jump, 0.0))).lines)
        return (crash in stamped) == (jump > 0)

    def _look_back(self, log: CrashLog) -> None:
        """Whether the phone still keeps what it logged since the first action. A phone writes its log round and
        round, and one that is busy has overwritten the beginning of a long test."""
        if log.oldest is None or not self._dispatched:
            return
        first = self._sent(0)
        if _SECONDS.match(log.oldest.moment) and _SECONDS.match(first.moment):
            self._oldest = log.oldest.moment
            unseen = float(log.oldest.moment) - float(first.moment)
            self.unseen_seconds = max(self.unseen_seconds, unseen)

    @property
    def reaches_action(self) -> bool:
        """Whether the phone still keeps what it logged since the last action, as far as is known."""
        if self._oldest is None or self.latest < 0:
            return True
        sent = self._sent(self.latest).moment
        return not _SECONDS.match(sent) or float(self._oldest) <= float(sent)

    @property
    def gap(self) -> str:
        """What is not known since the phone does not keep its log, in words; "" where it keeps all."""
        if self.unseen_seconds <= 0:
            return ""
        return (
            f"the phone keeps no log of the first {self.unseen_seconds:.1f} s after the test's first action: it "
            "was overwritten or cleared. Whether an app died in them is not known. `adb logcat -G 16M` makes room "
            "for more"
        )

    def _moment(self) -> tuple[LogMark, float]:
        if self._known is None:
            self._known = (self._driver.log_mark(), self._clock.now())
        return self._known

    def _start(self) -> LogMark:
        mark, at = self._moment()
        return _shifted(mark, self._began - at)

    def _window(self) -> LogMark:
        return self._sent(self.latest) if self.latest >= 0 else self._start()

    def _sent(self, index: int) -> LogMark:
        """When that action was sent. Raises ``DeviceError`` where the phone did not tell its time then."""
        _, at, own = self._dispatched[index]
        if own is not None:
            return own
        mark, asked = self._moment()
        if not _SECONDS.match(mark.moment):
            assert self._trouble is not None
            raise self._trouble
        return _shifted(mark, at - asked)


def _shifted(mark: LogMark, seconds: float) -> LogMark:
    """That moment so many seconds later; itself where it is no number of seconds."""
    if not _SECONDS.match(mark.moment):
        return mark
    return LogMark(f"{max(float(mark.moment) + seconds, 0.0):.6f}")


def _in_window(
    lines: Iterable[str], since: LogMark, seen: LogMark, jump: float, ago: float = 0.0
) -> Iterator[str]:
    """Of what two clocks stamped, the second ``jump`` seconds ahead of the first and ``seen`` so many seconds
    ``ago``. What is later than now by the clock that is behind was stamped by the other one. A line without a
    stamp goes with the one above it."""
    if not seen.local:
        yield from lines
        return
    at, begin, kept = float(seen.moment), float(since.moment), True
    year = time.gmtime(at).tm_year
    local = _seconds(seen.local, year)
    border = at + ago - max(jump, 0.0) + _SET
    for line in lines:
        if _STAMP.match(line):
            stamp = _nearest(line[:18], year, local) - local + at
            kept = stamp >= begin + (max(jump, 0.0) if stamp > border else min(jump, 0.0))
        if kept:
            yield line


def _nearest(stamp: str, year: int, now: float) -> float:
    """That moment in the year in which it is nearest to now: a log does not say the year."""
    at = _seconds(stamp, year)
    if abs(at - now) < _HALF_A_YEAR:
        return at
    return _seconds(stamp, year + (1 if at < now else -1))


def _seconds(stamp: str, year: int) -> float:
    """Seconds of ``MM-DD hh:mm:ss.mmm``, to be compared with others by the same clock."""
    month, day, hour, minute = (int(stamp[at : at + 2]) for at in (0, 3, 6, 9))
    return calendar.timegm((year, month, day, hour, minute, 0)) + float(stamp[12:])


def _ended(crash: Crash, lines: tuple[str, ...]) -> bool:
    ended = re.compile(_ENDED.format(pid=crash.pid))
    return any(ended.search(line) for line in lines)
