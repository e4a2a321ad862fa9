"""Reads of a session: the screen, elements, logs and apps. None changes anything on the phone.
Recovery policies see the session through these alone: ``RecoveryContext``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from ..drivers import (
    AppInFront,
    AppStatus,
    Capability,
    DeviceInfo,
    Platform,
    ShellOutput,
    SystemDialogs,
)
from ..errors import DeviceError, DeviceTimeout, TargetError, UsageError
from ..logs import Crash, Level, LogLine, hints, parse, parse_log
from ..model import (
    Element,
    Failure,
    FailureCode,
    FailureRecord,
    HasSelector,
    Selector,
    SelectorKeywords,
    TraceEvent,
)
from ..snapshots import Snapshot, SnapshotDiff, as_found
from .actionability import resolve
from .advice import advised
from .arguments import (
    Target,
    TargetLike,
    as_selector,
    checked_seconds,
    describe,
    need,
    need_to_read,
    refuse_unmatchable,
)
from .checks.accessibility import Ignored, audit_of, wanted_of
from .device_log.evidence import LineFilter, died_unexpectedly
from .drawn import ImageSelector, Source
from .photos import await_drawn, find_drawn, source_of
from .recording.failures import failure_record
from .settings import SessionSettings
from .stabilize.observer import Reading
from .stabilize.reads import AGREEING_READS, Reads, read_now, settled_now
from .step import SessionContext, SessionView, StageFailed, only_answers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..accessibility import Audit


class Queries(SessionView):
    """None of them changes anything on the phone, ``shell`` apart. Raise ``DeviceError`` if nothing
    could be read."""

    def snapshot(self) -> Snapshot:
        """The screen now: once two reads in a row agree, or as it was read last when the window is
        over. ``print(mobile.snapshot())`` prints its outline."""
        settled = self._settled(printed=True)
        self._context.hand(settled)
        self._context.observer.show(settled.printed)
        return settled

    def changes(self, *, since: str, mask_volatile: bool = False) -> SnapshotDiff:
        """What differs between an earlier snapshot of this session, named by its id such as "s3",
        and now; against nothing, and marked ``complete``, if that one is no longer kept. With
        ``mask_volatile``, clocks, ages and percentages that tick are no change."""
        earlier = self._context.observer.kept(since)
        return self.snapshot().diff(earlier, mask_volatile=mask_volatile)

    def find(
        self,
        target: TargetLike | None = None,
        /,
        *,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Element:
        """The one element that matches now, without waiting for it. Raises ``TargetError`` if none
        or several do. With ``source="picture"``, and for an image, what no hierarchy has is found
        in a picture: a ``DrawnElement`` of that picture, with a ``confidence``."""
        wanted = self._target("find", target, by)
        by_picture = source_of("find", wanted, source, self._context) == "picture"
        if isinstance(wanted, ImageSelector):
            return find_drawn(self._context, wanted)
        snapshot = self._settled()
        if by_picture and isinstance(wanted, Selector) and not snapshot.every(wanted):
            return find_drawn(self._context, wanted)
        try:
            if isinstance(wanted, Selector):
                return self._shown(as_found(snapshot.one(wanted), wanted, self.platform), snapshot)
            return self._shown(self._resolved(snapshot, wanted), snapshot)
        except StageFailed as failed:
            raise failed.as_target_error("find", wanted) from None
        except TargetError as error:
            known = advised(
                self._context.observer, snapshot, wanted, replace(error.parts, snapshot=snapshot)
            )
            raise StageFailed(known).as_target_error("find", wanted) from None

    def find_all(
        self, selector: Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]
    ) -> list[Element]:
        """Every element that matches now, in reading order; a label that is printed with its row
        stands for the row if no element carries it itself, as for ``find``."""
        wanted = self._context.as_recorded(as_selector("find_all", selector, by, scope=self._scope))
        refuse_unmatchable("find_all", self.platform, wanted)
        snapshot = self._settled()
        return [
            self._shown(as_found(one, wanted, self.platform), snapshot)
            for one in snapshot.every(wanted)
        ]

    def wait_for(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Element:
        """The element, once exactly one matches on two reads in a row. Raises ``TargetError`` with
        the last outline if that did not happen in time. ``source`` as for ``find``."""
        wanted = self._target("wait_for", target, by)
        seconds = checked_seconds("wait_for", timeout, self._context.settings.action_timeout)
        if source_of("wait_for", wanted, source, self._context) == "picture" and isinstance(
            wanted, Selector
        ):
            try:
                return self._shown(await_drawn(self._context, wanted, seconds, "wait_for").element)
            except StageFailed as failed:
                raise failed.as_target_error("wait_for", wanted) from None
        _, element = await_any(self._context, {"": wanted}, seconds)
        return self._shown(as_found(element, wanted, self.platform))

    def wait_for_any(self, *, timeout: float | None = None, **branches: TargetLike) -> str:
        """The name of the first branch that is there on two reads in a row:
        ``wait_for_any(home=by(...), error=by(...))``; of two that come at once, the one named
        first. Several elements that fit one are there as well as a single one. Raises
        ``TargetError`` if none came in time."""
        if not branches:
            raise UsageError(
                "wait_for_any() needs branches: wait_for_any(home=by(text=...), error=by(text=...))"
            )
        wanted = {name: self._checked("wait_for_any", item) for name, item in branches.items()}
        seconds = checked_seconds("wait_for_any", timeout, self._context.settings.action_timeout)
        name, _ = await_any(self._context, wanted, seconds, "wait_for_any", several=True)
        return name

    def wait_for_change(self, *, timeout: float | None = None) -> SnapshotDiff:
        """What has changed since the screen was last read, once it has; one that was over before
        this call counts. What never rests on this screen does not. Raises ``TargetError`` with code
        TIMEOUT."""
        seconds = checked_seconds("wait_for_change", timeout, self._context.settings.action_timeout)
        return await_change(self._context, seconds)

    def _settled(self, *, printed: bool = False) -> Snapshot:
        settled = settled_now(self._context, printed=printed)
        self._context.note_read()
        self._context.screens.keep_picture(settled)
        return settled

    def _resolved(self, snapshot: Snapshot, target: str | Element) -> Element:
        """The element, for which another read may have to confirm a picture that was needed."""
        observer = self._context.observer
        try:
            return resolve(observer, snapshot, target)
        except StageFailed:
            reading = Reads(self._context, 0.0).next() if observer.pictures.await_a_read else None
            if reading is None or reading.snapshot is not snapshot:
                raise
            return resolve(observer, snapshot, target)

    def _shown(self, element: Element, on: Snapshot | None = None) -> Element:
        """Gives the test an element, and with it the screen that it is on. One that shows nothing
        of what was asked for is not given."""
        self._context.observer.show([element])
        self._context.hand(on)
        return element

    def screenshot(self) -> bytes:
        """The screen as PNG, secrets blanked."""
        self._context.note_read()
        return self._context.picture(read_now(self._context).snapshot)

    def accessibility_findings(
        self, *, rules: Collection[str] | None = None, ignore: Ignored | Sequence[Ignored] = ()
    ) -> Audit:
        """What the rules of accessibility say against the screen now, by one dump and one
        screenshot; also of the rules that fail no test. An iPhone of iOS 17 and later is asked for
        Apple's own audit as well, which takes seconds. ``print(...)`` lists it; ``not_run`` says
        which rules were not run, and why. ``rules`` and ``ignore`` as for
        ``expect_no_accessibility_findings``. Raises ``UsageError`` for a rule that there is not."""
        wanted = wanted_of("accessibility_findings", self._context, rules, ignore)
        snapshot = read_now(self._context).snapshot
        return audit_of(self._context, snapshot, wanted, checks=False)

    def logs(
        self,
        *,
        app: str | None = None,
        level: Level | None = None,
        tag: str | None = None,
        since: Literal["test", "action"] | None = None,
    ) -> list[LogLine]:
        """The device log, oldest first: all that the phone still keeps, also from before the test,
        or what was logged since the test began or the last action was sent. With ``app``, only what
        its processes logged, however often it was restarted; since the test began, if no ``since``
        is given. ``level`` is the least grave that counts, such as "W". Raises ``Unsupported`` if
        the log cannot be read."""
        wanted = LineFilter.checked("logs", level, tag, app)
        self._context.note_read()
        if since not in (None, "test", "action"):
            raise UsageError(f'logs(since={since!r}): it is "test" or "action"')
        need_to_read(self._context.driver, Capability.LOGS)
        log = self._context.log
        if since is None and app is None:
            lines = parse_log(log.whole())
        else:
            lines = log.window(whole=since != "action").lines
        pids = frozenset[int]()
        if app is not None:
            pids = log.pids(app, None if since == "action" else lines)
            if not pids:
                self._context.refuse_unknown_app("logs", app)
        return [line for line in lines if wanted.is_from(line, pids)]

    def crashes(self, app: str | None = None) -> list[Crash]:
        """The apps that died or stopped answering since the test began, or the times that this one
        did, oldest first. Raises ``Unsupported`` if the platform reports none."""
        need_to_read(self._context.driver, Capability.CRASHES)
        found = [crash for crash in self._context.log.crashes() if app is None or crash.is_of(app)]
        if app is not None and not found:
            self._context.refuse_unknown_app("crashes", app)
        return found

    def shell(self, command: str | Sequence[str], *, timeout: float = 30.0) -> ShellOutput:
        """Runs a command on the phone; a list is quoted word by word, a string is passed as it is.
        A command that fails is no error: look at ``exit_code``, and at ``hints``. What well-known
        commands print is ``parsed``: ``mobile.shell("dumpsys battery").parsed["level"]``. Raises
        ``DeviceTimeout`` after ``timeout`` seconds, and ``Unsupported`` if the phone takes no
        commands."""
        if not isinstance(command, str) and not (
            isinstance(command, (list, tuple)) and all(isinstance(word, str) for word in command)
        ):
            raise UsageError(f"shell({command!r}): the command is a string, or a list of words")
        need(self._context.driver, "shell", Capability.SHELL)
        seconds = checked_seconds("shell", timeout, 30.0)
        if seconds == 0:  # it would be the phone that did not answer
            raise UsageError(
                f"shell(timeout={timeout!r}): a command takes some time; nothing was run"
            )
        output = self._context.driver.shell(command, seconds)
        self._context.observer.invalidate()  # a command may have changed the screen
        self._context.observer.watchers.clear()  # and undone something on purpose
        if not self._context.driver.traits.android_commands:
            return output
        # Hints if it failed, and else the values that it printed.
        found = hints(command, output.stdout, output.stderr, output.exit_code)
        if output.exit_code == 0 and not found:
            output = replace(output, parsed=parse(command, output.stdout))
        return replace(output, hints=found)

    @property
    def current_app(self) -> AppInFront:
        """The app in front, and its activity if the platform has one."""
        self._context.note_read()
        return self._context.driver.app_in_front()

    def app_status(self, app: str | None = None) -> AppStatus:
        """Whether the app is in front ("foreground"), behind ("background"), or does not run
        ("stopped"): the one that was launched last, if none is named. To wait for it, there is
        ``expect_app``."""
        name = self._context.known_app("app_status", app or self._context.newest_app)
        self._context.note_read()
        status = self._context.driver.app_status(name)
        if status == "stopped":
            self._context.refuse_unknown_app("app_status", name)
        return status

    @property
    def platform(self) -> Platform:
        """Which kind of phone it is: "android" or "ios"."""
        return self._context.platform

    @property
    def info(self) -> DeviceInfo:
        """What the phone is: serial, model, version, the size of its screen in pixels as it is held
        upright."""
        return self._context.driver.info


class RecoveryContext(Queries):
    """The session that ``pytest_replicant_recover`` is given: it reads the phone and the test so
    far, and changes neither. An action or check on it is a ``UsageError``."""

    @property
    def settings(self) -> SessionSettings:
        """The settings of the session: ``settings.allow`` names what recovery may do in this
        test."""
        return self._context.settings

    @property
    def launched(self) -> list[str]:
        """The apps that this session started, the newest last."""
        return list(self._context.apps.launched)

    @property
    def system_dialogs(self) -> SystemDialogs:
        """Packages and buttons of the system's own dialogs on this platform."""
        return self._context.driver.system_dialogs

    def last_resolved(self, selector: Selector) -> Element | None:
        """The element that an action's selector was last resolved to in this test; None if it never
        was."""
        return self._context.last_resolved.get(selector)

    def died_unexpectedly(self, app: str) -> bool:
        """Whether the test started this app and did not stop it, and it no longer runs, on a phone
        that reports no crashes."""
        context = self._context
        return Capability.CRASHES not in context.driver.capabilities and app in died_unexpectedly(
            context
        )

    if not TYPE_CHECKING:  # a checker knows which names there are

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(name)
            raise UsageError(only_answers(name))


@contextmanager
def _recorded(
    context: SessionContext, verb: str, awaited: str, reads: Reads, branches: Mapping[str, Target]
) -> Iterator[dict[str, Any]]:
    """Records a wait in the trace, however it ends; its body notes what was ``observed``. Any error
    that is not its own, such as a test's time-out or Ctrl-C, interrupts it: whether it would have
    been met is not known."""
    log = context.recorder.begin_check("", f"{verb} {awaited}")
    before = context.observer.latest
    notes: dict[str, Any] = {"awaited": awaited, "result": "met", "observed": ""}
    error = ""
    record: FailureRecord | None = None
    raised: BaseException | None = None
    try:
        try:
            yield notes
        finally:
            if reads.last is not None:
                context.screens.keep_picture(reads.last)
    except BaseException as failed:
        error, notes["result"] = str(failed) or type(failed).__name__, "interrupted"
        if isinstance(failed, TargetError):
            notes["result"] = "timed out"
        elif isinstance(failed, DeviceError):
            notes["result"] = "unreadable"
        raised, record = failed, _record_of(context, failed, verb, branches, reads.last)
        raise
    finally:
        notes.update(
            reads=reads.good, failed_reads=reads.failed, waited_ms=round(reads.elapsed * 1000)
        )
        event = TraceEvent(
            "wait",
            f"{verb} {awaited}",
            0,
            0,
            before=before.id if before is not None else None,
            after=reads.last.id if reads.last is not None else None,
            error=error,
            details=notes,
            failure=record,
        )
        context.recorder.keep(event, log, raised)


def _record_of(
    context: SessionContext,
    error: BaseException,
    verb: str,
    branches: Mapping[str, Target],
    last: Snapshot | None,
) -> FailureRecord:
    """What the error holds, else what the wait knows; of several branches, each in ``wanted``."""
    record = context.recorder.record_of(error)
    if record is None:
        timed_out = isinstance(error, (TargetError, DeviceTimeout))
        code: FailureCode = "TIMEOUT" if timed_out else "UNKNOWN"
        failed = Failure(
            code,
            "",
            action_type=verb,
            stage="verify",
            target=next(iter(branches.values())) if len(branches) == 1 else None,
            snapshot=last,
            error=error if isinstance(error, DeviceError) else None,
        )
        record = failure_record(failed, type(error).__name__)
    if record.kind != verb or len(branches) < 2:
        return record
    return replace(record, wanted={name: describe(target) for name, target in branches.items()})


def await_any(
    context: SessionContext,
    branches: Mapping[str, Target],
    timeout: float,
    verb: str = "wait_for",
    *,
    several: bool = False,
) -> tuple[str, Element]:
    """The first branch whose target is on two consecutive reads, and its element. Raises
    ``TargetError`` with the last outline if none came in time, ``DeviceError`` if nothing could be
    read. Where ``several`` will do, the first of them stands for all."""
    wanted = " or ".join(describe(target) for target in branches.values())
    reads = Reads(context, timeout, context.observer.recent())
    with _recorded(context, verb, wanted, reads, branches) as notes:
        counts = dict.fromkeys(branches, 0)
        trouble: StageFailed | None = None
        # once the time is over, a branch that is there gets its second read, and no more
        granted = False
        while True:
            reading = reads.next()
            for name, target in branches.items():
                if reading is None:
                    counts[name] = 0
                    continue
                try:
                    element = resolve(context.observer, reading.snapshot, target)
                except StageFailed as failed:
                    found = failed.failure.candidates if several else ()
                    if not found or failed.failure.code != "AMBIGUOUS_TARGET":
                        counts[name], trouble = 0, failed
                        continue
                    element = found[0]
                counts[name] += 1
                if counts[name] >= AGREEING_READS:
                    context.hand(reading.snapshot)
                    label = f"{name}: " if name else ""
                    notes["observed"] = f"{label}{element.describe()}"
                    return name, element
            if reads.out_of_time:
                if (granted or not any(counts.values())) and (trouble is not None or reads.failed):
                    break
                granted = True
        reads.raise_if_no_read(1 if trouble is not None else AGREEING_READS)
        assert trouble is not None
        only = next(iter(branches.values())) if len(branches) == 1 else None
        better = StageFailed(
            advised(context.observer, trouble.failure.snapshot, only, trouble.failure)
        )
        raise better.as_target_error(
            verb,
            only,
            f"waited for {wanted} on {context.phone} ({reads.describe()})",
            context.recorder.open_line(),
        )


def await_change(context: SessionContext, timeout: float) -> SnapshotDiff:
    """The change since the last read before this call, so that a change that is over already
    counts.

    Two consecutive reads must show it and agree on it, or go on changing for a whole window. A
    volatile region is no change. Raises ``TargetError`` if nothing changed in time."""
    base, volatile = context.observer.latest, context.observer.volatile
    reads, window = Reads(context, timeout), context.settings.window
    with _recorded(context, "wait_for_change", "a change", reads, {}) as notes:
        row: list[Reading] = []  # consecutive reads that show a change
        while True:
            reading = reads.next()
            base = base or reads.last
            if reading is None or base is None or volatile.alike(base, reading.snapshot):
                row = []
            else:
                diff = reading.snapshot.diff(base)
                row = [] if diff.empty else [*row, reading]
                lasted = reading.received_at - row[0].requested_at if row[1:] else -1.0
                if volatile.agreed(row) or lasted >= window:
                    notes["observed"] = diff.summary
                    context.hand(reading.snapshot)
                    return diff
            if reads.out_of_time and not row:
                break
        reads.raise_if_no_read()
        assert base is not None
        last = reads.last or base
        resting = volatile.masked(base, last)
        but = f" but its volatile regions: {', '.join(resting)}" if resting else ""
        failure = Failure(
            "TIMEOUT",
            f"nothing differs from {base.id}, the screen as it was last read before{but}.",
            asked=f"wait_for_change on {context.phone} ({reads.describe()})",
            advice=(
                f'wait for the element that is to appear; changes(since="{base.id}") lists what '
                "was read already",
            ),
            snapshot=last,
            page=context.recorder.open_line(),
        )
        raise TargetError(failure, outline=last.outline())
