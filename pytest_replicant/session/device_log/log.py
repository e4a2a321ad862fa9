"""``DeviceLog``: the phone's log while a test runs, its windows, and the crashes in them.

The phone's clock is asked when the first action is sent, and then while the screen settles after each action, in a
pause that has to be made anyway: phones correct their clocks. A window goes by time, and so holds an app's lines
from before and after a restart.
"""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...clock import Clock
from ...drivers import Capability, CrashLog, Driver, LogMark
from ...errors import DeviceError
from ...logs import Crash, LogLine, parse_log, pids_of, read_deaths
from ..arguments import need_to_read

_DRIFT = 2.0  # seconds; two clocks that run freely do not part by as much within a test
_CORRECTED = 0.2  # by as little as that; nor by as much from one action to the next
_HALF_A_YEAR = 182 * 86_400.0
_STAMP = re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d+")
_SECONDS = re.compile(r"\d+(\.\d+)?\Z")
# What Android says when it ends an app that did not answer; an ANR alone may pass.
_ENDED = r"Killing {pid}:\S+ .*: (?:user request after error|bg anr|anr\b)"


class _ClockSet(NamedTuple):
    """A phone's clock that was set during the test: read as ``mark`` at our time ``at``, ``jump`` s ahead."""

    mark: LogMark
    at: float
    jump: float


class DeviceLog:
    """The device log of one session. Windows begin at the test's start or at an action."""

    def __init__(self, driver: Driver, clock: Clock) -> None:
        self._driver = driver
        self._clock = clock
        self._began = clock.now()
        self._known: tuple[LogMark, float] | None = None  # a moment of the phone's clock, and of ours
        self._dispatched: list[tuple[str, float, LogMark | None]] = []
        self.latest = -1  # of those, the one whose log is asked for; -1 for none
        self._older: frozenset[str] = frozenset()  # lines from before the last action, whatever their stamps say
        self._noted = -1  # the action after which the phone's clock was asked last
        self._looked = 0  # actions that were sent when crashes were last looked for
        self._trouble: DeviceError | None = None
        self._set: _ClockSet | None = None
        self._running: dict[str, frozenset[int]] = {}  # processes of apps, as last seen
        self._oldest: str | None = None  # moment of the oldest line that the phone still keeps
        self.unseen_seconds = 0.0  # after the first action, without a log any more

    def begin_action(self, action_id: str = "") -> None:
        """Marks that an action is sent now. It is sent though the phone may not report its time."""
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

    def note_clock(self) -> None:
        """Asks for the phone's clock once an action: one that was corrected by a second or two since the test
        began would shift the window of this action. One that was set by more is seen in the log."""
        if self._noted == self.latest or not self._driver.capabilities & Capability.LOGS:
            return
        self._noted, self._older = self.latest, frozenset()
        action_id, sent_at, own = self._dispatched[self.latest]
        if own is not None:
            return
        try:
            first, began = self._moment()
            asked, now = self._clock.now(), self._driver.log_mark()
        except DeviceError:
            return  # then it is computed
        if _SECONDS.match(first.moment) and _SECONDS.match(now.moment):
            least = float(now.moment) - float(first.moment) - (self._clock.now() - began)
            most = float(now.moment) - float(first.moment) - (asked - began)
            if -_DRIFT < most < -_CORRECTED or _CORRECTED < least < _DRIFT:
                self._dispatched[self.latest] = (action_id, sent_at, _shifted(now, sent_at - self._clock.now()))
                self._note_older(now)

    def _note_older(self, now: LogMark) -> None:
        """Remembers the lines that are stamped later than now: they were written before the clock was set back."""
        try:
            self._older = frozenset((*self._driver.logs(now), *self._driver.crashes(now).lines))
        except DeviceError as error:
            self._trouble = error

    def lines(self, *, whole: bool = False) -> list[LogLine]:
        """All lines since the last action was sent; since the test began where none was, or with ``whole``."""
        need_to_read(self._driver, Capability.LOGS)
        lines = self._logged(self._start() if whole else self._window())
        return parse_log(lines if whole else [line for line in lines if line not in self._older])

    def since_the_test_began(self) -> list[tuple[float, LogLine]]:
        """Each line with its time in seconds since the test began; empty where the phone has no log, or does not
        report its clock."""
        if Capability.LOGS not in self._driver.capabilities:
            return []
        mark, asked = self._moment()
        if not _SECONDS.match(mark.moment) or not mark.local:
            return []
        lines = parse_log(self._logged(self._start()))
        jump = self._set.jump if self._set is not None else 0.0
        year = time.gmtime(float(mark.moment)).tm_year
        local = _seconds(mark.local, year)
        start, end = local - (asked - self._began), local + self._clock.now() - asked
        timed = []
        for line in lines:
            if not _STAMP.fullmatch(line.time):
                continue
            at = _nearest(line.time, year, local)
            later = at - jump if jump and (at > end + _DRIFT or at < start - _DRIFT) else at
            timed.append((max(later - start, 0.0), line))
        return timed

    def pids(self, app: str, lines: Iterable[LogLine] | None = None) -> frozenset[int]:
        """The processes that the app had in this test. ``lines`` are those since the test began, where known."""
        logged = frozenset(pids_of(app, self.lines(whole=True) if lines is None else lines))
        running = self._driver.pids(app) if Capability.CRASHES in self._driver.capabilities else ()
        return logged | frozenset(running)

    def known_pids(self, app: str, lines: Iterable[LogLine]) -> frozenset[int]:
        """The same, as far as known without another command."""
        return frozenset(pids_of(app, lines)) | self._running.get(app, frozenset())

    def crashes(self, *, since_action: bool = False) -> list[Crash]:
        """Crashes of apps since the test began, oldest first, or since the last action was sent."""
        need_to_read(self._driver, Capability.CRASHES)
        lines = self._deadly(self._window() if since_action else self._start())
        return self._read([line for line in lines if not since_action or line not in self._older])

    def deaths(self, apps: tuple[str, ...]) -> list[Crash]:
        """Crashes of these apps since the test began that ended them: an app may recover from not responding."""
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
        """The id of the last action sent before the crash; "" for none, and where the phone's clock was set by
        less than the test took: then its stamp is ambiguous."""
        _, _, jump = self._deaths_since(self._start())
        if jump and abs(jump) < self._clock.now() - self._began:
            return ""
        shift = jump if jump and self._is_stamped_after_set(crash, jump) else 0.0
        low, high = 0, len(self._dispatched)  # the first `low` actions came before it
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

    def is_looked_through(self, *, look: bool) -> bool:
        """Whether nothing was sent since crashes were looked for at the test's end; with ``look``, that is now."""
        self._looked = len(self._dispatched) if look else self._looked
        return self._looked == len(self._dispatched)

    def _deadly(self, since: LogMark, app: str = "") -> tuple[str, ...]:
        """Lines about crashes. Where the phone's clock was set back, later lines have earlier stamps: the window
        begins earlier by as much, without the lines from before."""
        lines, now, jump = self._deaths_since(since, app)
        if jump >= 0:
            return lines
        return tuple(_in_window(self._driver.crashes(_shifted(since, jump)).lines, since, now, jump))

    def _deaths_since(self, since: LogMark, app: str = "") -> tuple[tuple[str, ...], LogMark, float]:
        """The lines stamped since; the phone's clock now; the seconds by which it was set forwards since the test
        began, negative for backwards."""
        asked = self._clock.now()
        log = self._driver.crashes(since, app)
        if app:
            self._running[app] = frozenset(log.pids)
        jump = self._jump(log.until, asked)
        if jump:
            self._set = _ClockSet(log.until, self._clock.now(), jump)
        else:
            self._look_back(log)
        return log.lines, log.until, jump

    def _logged(self, since: LogMark) -> list[str]:
        """Lines from then on, by either clock. The phone's clock is asked only where the log looks as if it was
        set."""
        if self._set is not None:
            return self._by_both_clocks(since, self._set)
        lines = self._driver.logs(since)
        mark, at = self._moment()
        if not _SECONDS.match(mark.moment) or not mark.local:
            return lines
        year = time.gmtime(float(mark.moment)).tm_year
        end = _seconds(mark.local, year) + self._clock.now() - at + _DRIFT
        stamps = (line[:18] for line in reversed(lines) if _STAMP.match(line))
        if lines and _nearest(next(stamps, mark.local), year, end) <= end:
            return lines
        asked = self._clock.now()
        now = self._driver.log_mark()
        jump = self._jump(now, asked)
        if not jump:
            return lines
        self._set = _ClockSet(now, self._clock.now(), jump)
        return self._by_both_clocks(since, self._set)

    def _by_both_clocks(self, since: LogMark, clock: _ClockSet) -> list[str]:
        lines = self._driver.logs(_shifted(since, min(clock.jump, 0.0)))
        return list(_in_window(lines, since, clock.mark, clock.jump, ago=self._clock.now() - clock.at))

    def _jump(self, now: LogMark, asked: float) -> float:
        """The seconds by which the phone's clock was set forwards since the test began; 0 where it was not."""
        mark, at = self._moment()
        if not _SECONDS.match(mark.moment) or not _SECONDS.match(now.moment):
            return 0.0
        shown = float(now.moment) - float(mark.moment)
        # The phone read its clock between these two. In doubt a window begins earlier.
        most, least = shown - (asked - at), shown - (self._clock.now() - at)
        return least if most <= -_DRIFT or least >= _DRIFT else 0.0

    def _is_stamped_after_set(self, crash: Crash, jump: float) -> bool:
        """Whether the crash was logged after the clock was set, by more than the test took."""
        stamped = self._read(self._driver.crashes(_shifted(self._start(), max(jump, 0.0))).lines)
        return (crash in stamped) == (jump > 0)

    def _look_back(self, log: CrashLog) -> None:
        """Measures how much of the log since the first action the phone has overwritten: its log is a ring, and a
        busy phone overwrites the beginning of a long test."""
        if log.oldest is None or not self._dispatched:
            return
        first = self._sent(0)
        if _SECONDS.match(log.oldest.moment) and _SECONDS.match(first.moment):
            self._oldest = log.oldest.moment
            unseen = float(log.oldest.moment) - float(first.moment)
            self.unseen_seconds = max(self.unseen_seconds, unseen)

    @property
    def reaches_action(self) -> bool:
        """Whether the phone still keeps its log since the last action, as far as is known."""
        if self._oldest is None or self.latest < 0:
            return True
        sent = self._sent(self.latest).moment
        return not _SECONDS.match(sent) or float(self._oldest) <= float(sent)

    @property
    def gap(self) -> str:
        """The part of the test without a log, in words; "" where the phone keeps all."""
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
        """The moment of that action. Raises ``DeviceError`` where the phone did not report its time then."""
        _, at, own = self._dispatched[index]
        if own is not None:
            return own
        mark, asked = self._moment()
        if not _SECONDS.match(mark.moment):
            assert self._trouble is not None
            raise self._trouble
        return _shifted(mark, at - asked)


def _shifted(mark: LogMark, seconds: float) -> LogMark:
    """The mark so many seconds later; itself where it is no number of seconds."""
    if not _SECONDS.match(mark.moment):
        return mark
    return LogMark(f"{max(float(mark.moment) + seconds, 0.0):.6f}")


def _in_window(
    lines: Iterable[str], since: LogMark, seen: LogMark, jump: float, ago: float = 0.0
) -> Iterator[str]:
    """Lines since a moment, stamped by two clocks: the second is ``jump`` seconds ahead of the first and was
    ``seen`` so many seconds ``ago``. A stamp later than now by the clock behind is from the other one. A line
    without a stamp goes with the one above it."""
    if not seen.local:
        yield from lines
        return
    at, begin, kept = float(seen.moment), float(since.moment), True
    year = time.gmtime(at).tm_year
    local = _seconds(seen.local, year)
    border = at + ago - max(jump, 0.0) + _DRIFT
    for line in lines:
        if _STAMP.match(line):
            stamp = _nearest(line[:18], year, local) - local + at
            kept = stamp >= begin + (max(jump, 0.0) if stamp > border else min(jump, 0.0))
        if kept:
            yield line


def _nearest(stamp: str, year: int, now: float) -> float:
    """The stamp in the year in which it is nearest to now: a log has no year."""
    at = _seconds(stamp, year)
    if abs(at - now) < _HALF_A_YEAR:
        return at
    return _seconds(stamp, year + (1 if at < now else -1))


def _seconds(stamp: str, year: int) -> float:
    """Seconds of ``MM-DD hh:mm:ss.mmm``, comparable with others of the same clock."""
    month, day, hour, minute = (int(stamp[at : at + 2]) for at in (0, 3, 6, 9))
    return calendar.timegm((year, month, day, hour, minute, 0)) + float(stamp[12:])


def _ended(crash: Crash, lines: tuple[str, ...]) -> bool:
    ended = re.compile(_ENDED.format(pid=crash.pid))
    return any(ended.search(line) for line in lines)
