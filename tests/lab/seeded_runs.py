"""Random walks through the lab on a phone with random faults, and what an independent witness says
of them.

``python -m tests.lab.seeded_runs --seed 7 -v`` repeats one; ``--runs 1000`` makes many, in two
processes, and ``--platform ios`` on an iPhone.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from pytest_replicant import ExpectationFailed
from pytest_replicant.drivers import Capability, Platform
from pytest_replicant.errors import ReplicantError
from pytest_replicant.model import Element
from pytest_replicant.session import DeviceSession
from pytest_replicant.virtual import Faults

from .claims_drawn import Drawn, Printed, content, draw, falsehood, has_been_true
from .lab_phone import lab_phone
from .oracle import Witness
from .stations import STATIONS, Act, Station

SHARES = (0.0, 0.0, 0.0, 0.05, 0.15, 0.3)
ALLOWANCES = ((), (), ("step_back",), ("relaunch",), ("step_back", "relaunch"))
COUNTED = (
    "runs",
    "actions",
    "checks",
    "passed",
    "failed",
    "true claims",
    "true and passed",
    "false claims",
)


@dataclass
class Tally:
    """What became of one run or many. ``findings`` are the defects, each with its seed."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.faults += other.faults
        self.endings += other.endings
        self.findings += other.findings


class Walk:
    """One run. ``break_it`` may break the session that is walked with, to prove that the witness
    sees it."""

    def __init__(
        self,
        seed: int,
        platform: Platform = "android",
        *,
        verbose: bool = False,
        windows: str = "",
        break_it: Callable[[DeviceSession], object] = id,
    ) -> None:
        self.seed = seed
        self._platform = platform
        self.tally = Tally()
        self._chance = random.Random(f"lab {seed}")
        self._verbose = verbose
        self._windows = windows
        self._break = break_it
        self._printed: list[Printed] = []

    def go(self) -> Tally:
        chance, threads = self._chance, threading.active_count()
        shares = {
            name: chance.choice(SHARES)
            for name in ("fail_dump", "truncate_dump", "stale_dump", "lose_tap")
        }
        faults = Faults(
            **shares,
            slow_dump=chance.choice(SHARES),
            slow_dump_ms=3,
            drop_connection=chance.choice((0.0, 0.0, 0.0, 0.02, 0.05)),
            seed=self.seed,
        )
        settings: dict[str, Any] = {
            "action_timeout": 0.8,
            "expect_timeout": 0.6,
            "allow": frozenset(chance.choice(ALLOWANCES)),
            "permission_prompts": chance.choice(["deny", "deny", "leave"]),
            "trace": chance.random() < 0.9,
            "read_on": chance.choice((0.0, 0.5)),
        }
        self._allow = settings["allow"]
        self._tell(f"seed {self.seed}: {faults} {settings}")
        with lab_phone(self._platform, faults, windows=self._windows) as self._lab:
            self._witness = Witness(self._lab)
            with self._lab.recorded(**settings) as (session, self._recorder):
                self._break(session)
                for station in chance.choices(STATIONS, k=2):
                    self._visit(session, station)
            self.tally.faults += self._lab.phone.faults.injected
        self.tally.counts["runs"] += 1
        if left := _left_over(threads):
            self._find(f"left running: {left}")
        return self.tally

    def _visit(self, session: DeviceSession, station: Station) -> None:
        self._tell(f"-- {station.link}")
        began, start = len(self._witness.events), self._witness.now
        arrived = self._attempt(lambda: session.open_url(f"lab://{station.link}"), "open_url")
        if arrived is None:
            return
        self._printed = self._print(session)
        for _ in range(self._chance.randint(1, 2)):
            self._act(session, self._chance.choice(station.acts), station)
        happened = self._witness.events[began:]
        if station.never and (wrong := [one for one in happened if re.search(station.never, one)]):
            self._find_unless_misled(start, f"{station.link}: what nothing asked for: {wrong}")

    def _print(self, session: DeviceSession) -> list[Printed]:
        """Refs of what has an id of its own, as a test is given them now. An iPhone names some that
        the app does not, such as a spinner: those the witness does not know."""
        shown = self._attempt(session.snapshot, "snapshot")
        elements = shown.elements if shown is not None else ()
        now = self._witness.moments[-1]
        named = [
            (one.ref, one.resource_id.rpartition("/")[2], one.text, now.title)
            for one in elements
            if _is_named(one) and now.having(id=one.resource_id.rpartition("/")[2], text=one.text)
        ]
        often = Counter(each[1] for each in named)
        return [one for one in named if often[one[1]] == 1]

    def _find_unless_misled(self, start: float, what: str) -> None:
        """A gesture that went by a read of an earlier screen may miss, which cannot be promised
        away: such are counted apart. What one did instead, no check takes for what it was meant to
        do."""
        if self._witness.was_misled(start, self._witness.now):
            self.tally.counts["misled"] += 1
            self._tell(f"   (misled) {what}")
        else:
            self._find(what)

    # --- acting -----------------------------------------------------------------------------------
    def _act(self, session: DeviceSession, act: Act, station: Station) -> None:
        witness, start = self._witness, self._witness.now
        before, gestures, lost = len(witness.events), len(witness.gestures), self._lost
        mended = self._mended = len(self._recorder.recoveries)
        handed = session._context.handed
        outcome = self._attempt(lambda: act.do(session), act.name)
        self.tally.counts["actions"] += 1
        touches, recovered = (
            len(witness.gestures) - gestures,
            len(self._recorder.recoveries) > mended,
        )
        if outcome is not None and act.event and touches != 1 and not recovered:
            self._find(f"{station.link}: {act.name} was a plain success with {touches} gestures")
        if outcome is not None and recovered != (outcome.result.recovery is not None):
            self._find(
                f"{station.link}: {act.name}: its result says recovery={outcome.result.recovery}"
            )
        if outcome is not None and act.holds and not self._holds(*act.holds, start):
            self._find(
                f"{station.link}: {act.name} succeeded, and {act.holds[0]} never held "
                f"{act.holds[1]!r}"
            )
        for _ in range(self._chance.randint(1, 3)):
            self._check(
                outcome if outcome is not None else session, start, on_outcome=outcome is not None
            )
        in_dialog = (
            handed is not None and handed.dialog is not None
        )  # it is what the test was given, and is meant
        arrives = outcome is not None and not station.loses and self._lost == lost and not in_dialog
        if act.event:
            self._count(act, station, start, before, arrives)

    @property
    def _lost(self) -> int:
        return self._lab.phone.faults.injected["lose_tap"]

    def _count(
        self, act: Act, station: Station, start: float, before: int, must_arrive: bool
    ) -> None:
        """However often it was tried and recovered: a tap reaches the app once at most."""
        timed = [one for one in self._witness.timed_events[before:] if re.search(act.event, one[1])]
        happened = [event for _, event in timed]
        if len(happened) > 1 and self._left_no_trace(start, timed[-1][0]):
            self.tally.counts["untraced"] += 1
            self._tell(f"   (without a trace) {station.link}: {act.name} was sent again")
        elif len(happened) > 1:
            self._find(
                f"{station.link}: {act.name} reached the app {len(happened)} times: {happened}"
            )
        if must_arrive and not happened and not re.search("switched|sorting|tap", act.event):
            self._find_unless_misled(
                start, f"{station.link}: {act.name} was a success and never reached the app"
            )

    def _left_no_trace(self, start: float, again: float) -> bool:
        """Whether it was sent again by a recovery that the test allows, on a phone without a log,
        and nothing was to be seen of it until the last time: then no one can tell it from a tap
        that was lost."""
        recovered = len(self._recorder.recoveries) > self._mended
        allowed = "step_back" in self._allow
        if Capability.LOGS in self._lab.driver.capabilities or not recovered or not allowed:
            return False
        shown = [
            content(moment) for moment in self._witness.between(start, again) if moment.at < again
        ]
        return all(one == shown[0] for one in shown)

    def _holds(self, id: str, text: str, start: float) -> bool:
        moments = self._witness.between(start, self._witness.now)
        return any(view.text == text for moment in moments for view in moment.having(id=id))

    # --- checking ---------------------------------------------------------------------------------
    def _check(self, on: Any, acted: float, *, on_outcome: bool) -> None:
        witness = self._witness
        witness.look()
        drawn = draw(self._chance, witness, on_outcome=on_outcome, printed=self._printed)
        asked, mended, gestures = witness.now, len(self._recorder.recoveries), len(witness.gestures)
        passed = self._attempt(lambda: drawn.check(on), drawn.told) is not None
        end = witness.now
        self._weigh(drawn, passed, asked, end)
        if len(witness.gestures) > gestures and len(self._recorder.recoveries) == mended:
            self._find(f"{drawn.told} touched the phone, and nothing says that it recovered")
        why = falsehood(drawn, witness, asked, acted, end) if passed else ""
        if why:
            for dump in witness.dumps[-5:]:
                self._tell(
                    f"      read at {dump.at - asked:+.3f}, of {dump.of - asked:+.3f}: "
                    f"{dump.shown is not None}"
                )
            self._find(f"false pass of {drawn.told}: {why}")

    def _weigh(self, drawn: Drawn, passed: bool, asked: float, end: float) -> None:
        counts = self.tally.counts
        counts["checks"] += 1
        counts["passed" if passed else "failed"] += 1
        if drawn.how not in ("settled", "window") or drawn.told.startswith(
            ("expect_changed", "expect_unch")
        ):
            return
        moments = self._witness.between(asked, end)
        if has_been_true(drawn, self._witness, asked, end):
            counts["true claims"] += 1
            counts["true and passed"] += passed
        elif not any(map(drawn.truth, moments)):
            counts["false claims"] += 1

    def _attempt(self, do: Callable[[], Any], told: str) -> Any:
        """What it returned, None where it raised what a test may have to deal with."""
        known = len(self._recorder.recoveries)
        try:
            answer, ending = do(), "passed"
        except (ReplicantError, ExpectationFailed) as error:
            answer, ending = None, type(error).__name__
        except Exception as error:  # whatever it is, it is not ours
            answer, ending = None, f"{type(error).__name__}: {error}"
            self._find(f"{told} raised what is none of this package's errors: {ending}")
        recoveries = self._recorder.recoveries[known:]
        self.tally.endings[ending.partition(":")[0]] += 1
        self.tally.counts["recoveries"] += len(recoveries)
        self.tally.counts["recovered"] += bool(recoveries) and answer is not None
        mended = "; ".join(f"{one.policy} {one.strategy}" for one in recoveries)
        self._tell(
            f"   {told}: {ending}{f' [{mended}]' if mended else ''} {self._witness.events[-3:]}"
        )
        return answer

    def _find(self, what: str) -> None:
        self.tally.findings.append(f"seed {self.seed}: {what}")
        self._tell(f"!! {what}")

    def _tell(self, what: str) -> None:
        if self._verbose:
            print(what)


def _is_named(element: Element) -> bool:
    """By an id of the app's own. An empty field prints its hint, which is no text of it."""
    own = ":id/" in element.resource_id or element.resource_id.islower()
    return own and element.label == element.text != "" and not element.states.editable


def _left_over(threads: int, patience: float = 2.0) -> list[str]:
    """Threads that outlive their run; those that are ending are given a moment."""
    gc.collect()
    deadline = time.monotonic() + patience
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.01)
    extra = max(threading.active_count() - threads, 0)
    return [each.name for each in islice(reversed(threading.enumerate()), extra)]


def walk(seed: int, platform: Platform, windows: str = "") -> Tally:
    return Walk(seed, platform, windows=windows).go()


def walk_all(seeds: range, platform: Platform, processes: int, windows: str = "") -> Tally:
    total = Tally()
    with ProcessPoolExecutor(processes) as pool:
        for tally in pool.map(
            partial(walk, platform=platform, windows=windows), seeds, chunksize=5
        ):
            total.add(tally)
    return total


def report(total: Tally, seeds: range, seconds: float) -> str:
    counts = total.counts
    share = counts["true and passed"] / max(counts["true claims"], 1)
    return "\n".join(
        [
            f"{counts['runs']} runs (seeds {seeds.start} to {seeds.stop - 1}) in {seconds:.0f} s",
            f"actions {counts['actions']}, checks {counts['checks']}: {counts['passed']} passed, "
            f"{counts['failed']} did not",
            f"claims true all the time {counts['true claims']}, of which {share:.1%} passed; "
            f"claims true at no time {counts['false claims']}",
            f"gestures that missed, misled by a read of an earlier screen: {counts['misled']}",
            "sent again, since nothing at all was to be seen of the first time: "
            f"{counts['untraced']}",
            f"recoveries {counts['recoveries']}, actions and checks that passed by one "
            f"{counts['recovered']}",
            "endings: "
            + ", ".join(f"{name} {count}" for name, count in total.endings.most_common()),
            "faults injected: "
            + ", ".join(f"{name} {count}" for name, count in sorted(total.faults.items())),
            f"false passes and other findings: {len(total.findings)}",
            *total.findings,
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.seeded_runs", description=__doc__)
    parser.add_argument("--seed", type=int, help="repeat this one")
    parser.add_argument("--platform", choices=("android", "ios"), default="android")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--windows", default="", help="over the app, as in virtual?windows=taskbar,bubble"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="tell each step; with --seed")
    given = parser.parse_args()
    began = time.monotonic()
    if given.seed is not None:
        seeds = range(given.seed, given.seed + 1)
        total = Walk(given.seed, given.platform, verbose=given.verbose, windows=given.windows).go()
    else:
        seeds = range(given.first, given.first + given.runs)
        total = walk_all(seeds, given.platform, given.processes, given.windows)
    print(report(total, seeds, time.monotonic() - began))
    return 1 if total.findings else 0


if __name__ == "__main__":
    sys.exit(main())
