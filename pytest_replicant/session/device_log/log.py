"""``DeviceLog``: the phone's log while a test runs, its windows, and the crashes in them.

With each action the phone tells what its clock shows and which line of its log is the newest. A
line belongs to the action after which the phone wrote it, across restarts of an app and though the
clock was set: by the order of the log, and by its stamp where that does not tell. What cannot be
decided is kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ...drivers import Capability, Driver, LogMark, log_of
from ...errors import UNANSWERED, ReplicantError
from ...logs import Crash, LogLine, pids_of, read_deaths
from ...model import Clock
from ..arguments import need_to_read
from .phone_clock import SECONDS, STAMP, Look, Moment, PhoneClock, Reading, Window

_JITTER = 0.05  # seconds; lines of two threads stand in the log in either order
# What Android says when it ends an app that did not answer; an ANR alone may pass.
_ENDED = r"Killing {pid}:\S+ .*: (?:user request after error|bg anr|anr\b)"


class Found(NamedTuple):
    """A crash; ``sure`` is False if it may have been before the window. ``ended``: of an app that
    did not respond, whether the system ended it."""

    crash: Crash
    sure: bool
    ended: bool = True


class DeviceLog:
    """The device log of one session. Windows begin at the test's start or at an action."""

    def __init__(self, driver: Driver, clock: Clock) -> None:
        self._driver = driver
        self._log = log_of(driver)
        self._clock = clock
        self._start = clock.now()
        self._began = Moment(self._start - _JITTER)  # no sharp moment
        self._shown = PhoneClock()
        self._sent: list[Moment] = []  # the actions
        self._next: dict[int, int] = {}  # of those, by the one that was the latest then
        self.latest = -1  # of those, the one whose log is asked for; -1 for none
        self._trouble: ReplicantError | None = None
        self._running: dict[str, frozenset[int]] = {}  # processes of apps, as last seen
        self._deaths: Reading | None = None  # the log in which deaths were found last
        # seconds since 1970 of the oldest line that the phone still keeps
        self._oldest: float | None = None
        self._unseen_seconds = 0.0  # after the first action, without a log any more

    def begin_action(self, action_id: str = "") -> None:
        """Marks that an action is sent now. It is sent though the phone may not report its time."""
        if not self._driver.capabilities & (Capability.LOGS | Capability.CRASHES):
            return
        look: Look | None = None
        try:
            look = self._look()
        except UNANSWERED as error:
            self._trouble = error
        self._sent.append(Moment(self._clock.now(), look, action_id))
        self._next[self.latest] = len(self._sent) - 1
        self.latest = len(self._sent) - 1

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Commands sent meanwhile are no action of the test's own: its windows go on from the one
        before."""
        latest = self.latest
        try:
            yield
        finally:
            self.latest = latest

    # --- lines ------------------------------------------------------------------------------------
    def whole(self) -> list[str]:
        """All that the phone still keeps, also from before the test, as raw lines."""
        return self._log.logs()

    def window(self, *, whole: bool = False) -> Window:
        """Lines since the last action was sent; since the test began if none was, or with
        ``whole``."""
        need_to_read(self._driver, Capability.LOGS)
        index = -1 if whole else self.latest
        self._look_again()
        return self._read(index).window(index)

    def own(self, apps: Collection[str], action_id: str = "") -> Window:
        """Lines of the processes of these apps since the last action was sent; or since that action
        was, until the next one. Reads the log once, from the test's start: only there it says which
        processes an app had."""
        need_to_read(self._driver, Capability.LOGS)
        index, until = self._bounds(action_id)
        self._look_again()
        begins = self._begin(-1), self._begin(index)
        begin = begins[0]
        if all(SECONDS.match(one.moment) for one in begins):
            begin = min(begins, key=lambda one: float(one.moment))
        reading = self._reading(self._log.logs(begin))
        whole = reading.window(-1).lines
        pids = {pid for app in apps for pid in self.pids(app, whole)}
        return reading.window(index, until).of(pids)

    def _bounds(self, action_id: str) -> tuple[int, int | None]:
        """Where an action was sent first, and where the next one was. A handler's actions, which
        were sent within it, are none of these."""
        sent = [at for at, one in enumerate(self._sent) if action_id and one.action_id == action_id]
        if not sent or sent[-1] == self.latest:
            return (sent or [self.latest])[0], None
        following = self._next.get(sent[-1], sent[-1] + 1)
        return sent[0], following if following < len(self._sent) else None

    def since_the_test_began(self) -> list[tuple[float, LogLine]]:
        """Each line with its time in seconds since the test began; empty if the phone has no log,
        or does not report its clock."""
        if Capability.LOGS not in self._driver.capabilities:
            return []
        latest = self._shown.latest
        if latest is None or (self._sent and latest.asked < self._sent[-1].at):
            self._look_again()
        if not self._shown.zones:
            return []
        timed, at = [], self._start
        for line in self._read(-1).window(-1).lines:
            if STAMP.match(line.time):
                times = self._shown.line_times(line.time, self._clock.now())
                # which of these is the time of a line that follows the one before
                later = [one for one in times if one >= at - _JITTER]
                at = min(later, default=max(times, default=at))
                timed.append((max(at - self._start, 0.0), line))
        return timed

    def pids(self, app: str, lines: Iterable[LogLine] | None = None) -> frozenset[int]:
        """The processes that the app had in this test. ``lines`` are those since the test began,
        where known."""
        if lines is None:
            need_to_read(self._driver, Capability.LOGS)
            lines = self._read(-1).window(-1).lines
        logged = frozenset(pids_of(app, lines))
        running = self._driver.pids(app) if Capability.CRASHES in self._driver.capabilities else ()
        return logged | frozenset(running)

    def known_pids(self, app: str, lines: Iterable[LogLine]) -> frozenset[int]:
        """The same, as far as known without another command."""
        return frozenset(pids_of(app, lines)) | self._running.get(app, frozenset())

    # --- crashes ----------------------------------------------------------------------------------
    def crashes(self, *, since_action: bool = False) -> list[Crash]:
        """Crashes of apps since the test began, oldest first, or since the last action was sent;
        with those that may have been before."""
        return [one.crash for one in self.found(since_action=since_action)]

    def found(self, *, since_action: bool = False) -> list[Found]:
        """The same, and whether each is sure to be one of these."""
        need_to_read(self._driver, Capability.CRASHES)
        return self._found(self.latest if since_action else -1)[0]

    def deaths(self, apps: tuple[str, ...]) -> list[Found]:
        """Crashes of these apps since the first action; of one that did not respond, whether it was
        ended."""
        if Capability.CRASHES not in self._driver.capabilities or not self._sent:
            return []
        found, lines = self._found(0, apps[0] if apps else "")
        return [
            one._replace(ended=one.crash.kind != "anr" or _ended(one.crash, lines))
            for one in found
            if one.crash.is_of(*apps)
        ]

    def action_before(self, crash: Crash) -> str:
        """The id of the last action sent before one of the ``deaths``; "" if that is not known."""
        reading = self._deaths
        if reading is None:
            return ""
        for index in reversed(range(len(self._sent))):
            after = reading.is_line_after(_first_line(crash), index)
            if after is not False:
                return self._sent[index].action_id if after else ""
        return ""

    @property
    def was_used(self) -> bool:
        """Whether anything was sent that could have made an app die."""
        return bool(self._sent)

    @property
    def acted(self) -> bool:
        """Whether this session has sent anything, and not only one before it on the phone."""
        return any(one.action_id for one in self._sent)

    def _found(self, index: int, app: str = "") -> tuple[list[Found], tuple[str, ...]]:
        """Crashes since that action, and the lines about deaths. Only if there are any the whole
        log is read: its order shows whether they were before it."""
        lines = self._deadly(index, app)
        crashes = read_deaths(lines, self._driver.info.platform)
        if not crashes:
            return [], lines
        self._deaths = self._reading(lines)
        if Capability.LOGS in self._driver.capabilities:
            whole = self._read(index)
            if all(whole.place_of(_first_line(crash)) is not None for crash in crashes):
                self._deaths = whole
        found = []
        for crash in crashes:
            after = self._deaths.is_line_after(_first_line(crash), index)
            if after is not False:
                found.append(Found(crash, after is True))
        return found, lines

    def _deadly(self, index: int, app: str) -> tuple[str, ...]:
        """Lines about deaths since that action, or a little before. They come with the phone's
        time: where its clock was set back since, lines from after it are stamped earlier, and are
        read as well."""
        begin = self._begin(index)
        while True:
            known, asked = self._shown.regimes, self._clock.now()
            log = self._driver.crashes(begin, app)
            self._shown.note(log.until, asked, self._clock.now())
            earlier = self._begin(index)
            if self._shown.regimes == max(known, 1) or earlier == begin:
                break
            begin = earlier
        if app:
            self._running[app] = frozenset(log.pids)
        # How much of the log since the first action the phone has overwritten: its log is a ring,
        # and a busy phone overwrites the beginning of a long test.
        if log.oldest is not None and SECONDS.match(log.oldest.moment):
            self._oldest = float(log.oldest.moment)
            self._unseen_seconds = max(self._unseen_seconds, self._unseen(0))
        return log.lines

    # --- what the phone keeps no more -------------------------------------------------------------

    def _unseen(self, index: int) -> float:
        """Seconds after that action without a log any more, as far as is known; 0 for none."""
        if self._oldest is None or not 0 <= index < len(self._sent):
            return 0.0
        written = [one.at for one in self._shown.times(self._oldest, self._clock.now())]
        return max(min(written, default=0.0) - self._sent[index].at, 0.0)

    @property
    def missing(self) -> str:
        """What the phone keeps no more of its log since the last action, in words; "" for nothing
        known."""
        return self._lost(self.latest, self._unseen(self.latest), "the action")

    def _lost(self, index: int, seconds: float, since: str) -> str:
        """If the line that was the newest at that action is still there, a buffer that begins later
        was empty, and nothing was overwritten."""
        logs = Capability.LOGS in self._driver.capabilities
        if seconds <= 0 or (logs and self._read(index).reaches(index)):
            return ""
        return (
            f"the phone keeps no log of the first {seconds:.1f} s after {since}: it was "
            "overwritten or cleared"
        )

    @property
    def gap(self) -> str:
        """The part of the test without a log, in words; "" if the phone keeps all."""
        lost = self._lost(0, self._unseen_seconds, "the test's first action")
        more = "Whether an app died in them is not known. `adb logcat -G 16M` makes room for more"
        return f"{lost}. {more}" if lost else ""

    @property
    def doubt(self) -> str:
        """Why it may not be known whether a line was written after an action, in words."""
        if self._shown.regimes > 1:
            return "the phone's clock was set"
        return "the phone's log has no sure order"

    # --- reading ----------------------------------------------------------------------------------
    def _look(self) -> Look:
        asked = self._clock.now()
        return self._shown.note(self._log.log_mark(), asked, self._clock.now())

    def _look_again(self) -> None:
        """Before the log is read: a clock that was set since stamps its lines otherwise."""
        if self._shown.first is None or self._shown.first.seconds is not None:
            self._look()

    def _read(self, index: int) -> Reading:
        return self._reading(self._log.logs(self._begin(index)))

    def _reading(self, lines: Iterable[str]) -> Reading:
        api = self._driver.info.api
        return Reading(
            list(lines), self._shown, self._sent, self._began, now=self._clock.now(), api=api
        )

    def _begin(self, index: int) -> LogMark:
        """Where the log is read from, to have all lines since that action, or since the test began.
        Raises ``DeviceError`` where the phone did not report its time then."""
        since = self._sent[index] if index >= 0 else self._began
        first = self._shown.first or self._look()
        look = first if index < 0 else since.look
        if look is not None and look.seconds is None:
            return look.mark
        if not self._shown.regimes:
            assert self._trouble is not None
            raise self._trouble
        return LogMark(f"{max(self._shown.earliest(since), 0.0):.6f}")


def _first_line(crash: Crash) -> str:
    return crash.lines[0].partition("\n")[0] if crash.lines else ""


def _ended(crash: Crash, lines: tuple[str, ...]) -> bool:
    return any(map(re.compile(_ENDED.format(pid=crash.pid)).search, lines))
