"""Whether a screen is called settled in mid-motion: seeded steps on what moves and what comes late,
on a clock of their own, in this process.

A screen was falsely called settled where it changes once more within 150 ms after the first of the
two reads that agreed: who had waited for so long would have seen it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pytest_replicant.model import ManualClock
from pytest_replicant.session import DeviceSession, build_session
from pytest_replicant.session.stabilize.reads import settle
from pytest_replicant.virtual import (
    App,
    Button,
    CheckBox,
    Column,
    Latency,
    RunningApp,
    Screen,
    Space,
    VirtualPhone,
    Widget,
    lab,
    render_hierarchy,
)
from tests.unit.session.kit_phone import KitPhone

from .table import Table

STEPS, COMPARED = 10_000, 2_000
LAB, MOTION = "dev.replicant.lab", "dev.replicant.motion"
PAUSE_MS, LOOK_MS = 150, 4
DUMPS_MS = (2, 20, 60, 120)
FRAMES_MS = (16, 33, 50, 100, 120)  # of a smooth phone, and of an emulator that draws by itself
FIRST_FRAMES_MS = (0, 8, 16, 33)  # an animation begins with the next frame
RULES: dict[str, tuple[dict[str, Any], int]] = {
    "adaptive, the default": ({}, STEPS),
    "150 ms": ({"interval": 0.15}, COMPARED),
    "50 ms": ({"interval": 0.05}, COMPARED),
    "none, as a control": ({"interval": 0.0}, COMPARED),
}
State = dict[str, Any]


class Toggle(Screen[State]):
    """A box that takes its state at once, after which something else moves, or nothing does."""

    activity, title = ".Toggle", "Toggle"
    on: bool = False
    frame: int = 0

    def build(self, app: RunningApp[State]) -> Widget:
        box = CheckBox(
            "Agree", id="agree", checked=self.on, on_change=lambda on: self.turn(app, on)
        )
        return Column(
            [box, Space(height=20 + 7 * self.frame), Button("Below", id="below")], height="fill"
        )

    def turn(self, app: RunningApp[State], on: bool) -> None:
        self.on = on
        first, every, frames = app.state["motion"]
        for number in range(frames):
            app.after(first + number * every, self.move)

    def move(self) -> None:
        self.frame += 1


class Watched(KitPhone):
    """A phone whose reads are kept: when each was asked for, and what it showed in the middle of
    that time."""

    def show(self, clock: ManualClock) -> None:
        self.hold(clock, lab(), LAB)
        motion: App[State] = App(package=MOTION, label="Motion", state=lambda _: {}, start=Toggle)
        latency = Latency.from_knobs({"latency": "0"})
        self.phone = VirtualPhone([lab(), motion], latency=latency, clock=clock.now)
        self.phone.settings.put("global", "stay_on_while_plugged_in", "7")
        self.phone.start_app(LAB)
        self.reads: list[tuple[float, bytes]] = []

    def dump_hierarchy(self) -> bytes:
        asked = self.clock.now()
        self.clock.advance(self.dump_seconds / 2)
        shown = render_hierarchy(self.phone.windows(), 0, server=True)
        self.clock.advance(self.dump_seconds / 2)
        self.reads.append((asked, shown))
        return shown

    def changes_again(self) -> bool:
        """Whether the screen changes within the usual pause after the last read but one."""
        (first, _), (_, shown) = self.reads[-2:]
        while self.clock.now() < first + PAUSE_MS / 1000:
            self.clock.advance(LOOK_MS / 1000)
            if render_hierarchy(self.phone.windows(), 0, server=True) != shown:
                return True
        return False


def _open_lab(phone: Watched, exhibit: str, **knobs: int) -> None:
    phone.phone.stop_app(LAB)
    query = "&".join(f"{name}={value}" for name, value in knobs.items())
    phone.phone.start_app(LAB, url=f"lab://{exhibit}?{query}")


def _step(session: DeviceSession, phone: Watched, drawn: random.Random) -> bool:
    """Makes one step. Returns whether the screen was called settled."""
    context = session._context
    phone.dump_seconds = drawn.choice(DUMPS_MS) / 1000
    kind = drawn.choice(
        ("toggle", "toggle", "toggle", "moving", "moving", "late content", "late button", "flash")
    )
    if kind == "toggle":
        phone.phone.stop_app(MOTION)
        phone.phone.start_app(MOTION)
        frames = drawn.choice((0, 1, 2, 5, 12))
        motion = (drawn.choice(FIRST_FRAMES_MS), drawn.choice(FRAMES_MS), frames)
        phone.phone.app_state(MOTION)["motion"] = motion  # type: ignore[index]
        session.snapshot()
        session.tap(resource_id="agree")
    elif kind == "flash":
        _open_lab(phone, "flash", lasts=drawn.randrange(50, 800))
        session.snapshot()
        session.tap(resource_id="save")
    else:
        before = session.snapshot()
        if kind == "moving":
            _open_lab(phone, "moving-button", lasts=drawn.randrange(16, 900))
        elif kind == "late content":
            _open_lab(phone, "late-content", delay=drawn.randrange(300, 900))
        else:
            _open_lab(phone, "late-button", delay=drawn.randrange(1, 900))
        context.observer.invalidate()
        phone.clock.advance(drawn.randrange(60) / 1000)
        return settle(context, before).agreed
    stage = next(
        one for one in context.recorder.results[-1].trace.steps if one.stage == "stabilize"
    )
    return bool(stage.metadata["agreed"])


@contextmanager
def _session(settings: dict[str, Any]) -> Iterator[tuple[DeviceSession, Watched]]:
    clock = ManualClock()
    phone = Watched(clock, lambda app: [])
    phone.show(clock)
    session, recorder = build_session(
        phone, clock=clock, screenshots=False, recover=None, **settings
    )
    try:
        yield session, phone
    finally:
        recorder.close()


def run(settings: dict[str, Any], steps: int, seed: int = 1) -> Counter[str]:
    """How many steps there were, of how many the screen was called settled, and of how many
    falsely: ``steps``, ``settled``, ``reads`` and ``false``."""
    counts: Counter[str] = Counter()
    drawn = random.Random(seed)
    while counts["steps"] < steps:
        with _session(settings) as (session, phone):
            for _ in range(min(200, steps - counts["steps"])):
                settled = _step(session, phone, drawn)
                counts.update(steps=1, settled=settled, reads=len(phone.reads))
                if settled and phone.changes_again():
                    counts["false"] += 1
                phone.reads.clear()
                phone.clock.advance(2.0)
    return counts


def table() -> Table:
    rows = []
    for rule, (settings, steps) in RULES.items():
        counts = run(settings, steps)
        reads = round(counts["reads"] / steps, 2)
        rows.append((rule, counts["steps"], counts["settled"], counts["false"], reads))
    return Table(
        "settling",
        "Screens called settled in mid-motion",
        "python -m benchmarks verified_step",
        ("pause between two reads", "steps", "called settled", "falsely", "reads a step"),
        tuple(rows),
        "Seeded steps on the lab's moving and late screens, at 8 to 60 frames a second. Also on a "
        "box that takes its state at once while something else begins to move. Falsely: the "
        "screen changed again within 150 ms after the first of the two reads that agreed.",
    )
