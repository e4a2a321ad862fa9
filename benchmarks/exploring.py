"""From a goal to a test: does a scripted agent get 24 flows recorded on each platform, and do their
tests pass?

``python -m benchmarks exploring --seed N`` draws the words of the goals as another run did. The
agent (``exploring_agent``) holds no label, ref or screen; it reads what the command line prints.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from pytest_replicant.drivers import Platform

from .exploring_agent import Agent, GaveUp
from .exploring_flows import BANK, FLOWS, LAB, SHOP, Flow, Words, words_for
from .exploring_phone import Inside, run_saved
from .table import Table

COMMAND = "python -m benchmarks exploring"
PLATFORMS: tuple[Platform, ...] = ("android", "ios")
APPS = {SHOP: "shop", LAB: "lab", BANK: "bank"}


@dataclass
class Done:
    """One flow on one platform. ``is_true``: the app's own state says that it was done."""

    flow: Flow
    platform: str
    words: Words
    is_true: bool = False
    trouble: str = ""
    steps: int = 0
    unchecked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    proposed: int = 0
    own: int = 0
    said: str = ""

    @property
    def test(self) -> str:
        return f"test_{re.sub('[^a-z]+', '_', self.flow.name)}"

    def saved(self, text: str) -> None:
        """Reads the answer to save."""
        self.said = " ".join(text.split())
        if counts := re.search(r"Checks: (\d+) proposed, (\d+) your own", text):
            self.proposed, self.own = int(counts[1]), int(counts[2])
        if bare := re.search(r"Unverified: ([\d, ]+)\.", text):
            self.unchecked += [f"step {one}" for one in bare[1].split(", ")]


# --- the flows ------------------------------------------------------------------------------------


def record(flow: Flow, platform: Platform, style: str, rng: random.Random, folder: Path) -> Done:
    """One flow, in this process: words are drawn, the agent pursues the goal and saves the test."""

    done = Done(flow, platform, words_for(flow, rng))
    try:
        with closing(Inside(flow.app, platform, folder)) as surface:
            agent = Agent(surface, style, flow.allow)
            agent.pursue(flow.goal.format(**done.words))
            done.steps, done.unchecked, done.refused = agent.steps, agent.unchecked, agent.refused
            text, _ = surface.run("save", f"{done.test}.py::{done.test}")
            done.saved(text)
            done.is_true = flow.truth(surface.state, done.words)
    except GaveUp as error:
        done.trouble = str(error)
    return done


def record_all(seed: int, folder: Path) -> list[Done]:
    """All flows on both platforms, tests in a folder of each. Refs and labels take turns as names
    of elements."""
    made = []
    for platform in PLATFORMS:
        (folder / platform).mkdir(parents=True, exist_ok=True)
        rng = random.Random(f"{seed} {platform}")
        for flow in FLOWS:
            style = rng.choice(("ref", "call"))
            made.append(record(flow, platform, style, rng, folder / platform))
    return made


def flows_table(seed: int, made: Sequence[Done], folder: Path) -> tuple[Table, list[str]]:
    """And what went wrong, a line each."""
    rows: list[tuple[object, ...]] = []
    wrong: list[str] = []
    for platform in PLATFORMS:
        mine = [one for one in made if one.platform == platform]
        outcomes = run_saved(folder / platform, platform)
        for app, name in APPS.items():
            own = [one for one in mine if one.flow.app == app]
            rows.append(
                (
                    name, platform, len(own), sum(one.is_true for one in own),
                    sum(one.steps for one in own), sum(len(one.unchecked) for one in own),
                    sum(one.proposed for one in own), sum(one.own for one in own),
                    sum(len(one.refused) for one in own),
                    f"{sum(outcomes.get(one.test) == 'passed' for one in own)} of {len(own)}",
                )
            )  # fmt: skip
        for one in mine:
            if not one.is_true:
                wrong.append(f"{one.flow.name} on {platform}: {one.trouble or 'not true'}")
            wrong += [f"{platform}, refused when made: {each}" for each in one.refused]
        wrong += [f"{platform}: {one}" for one in outcomes.values() if one != "passed"]
    note = (
        f"Seed {seed}. Done: the app's own state has what the goal asked for. Refused: proposed "
        "checks, or the agent's own, that did not hold when they were made. Passed: saved tests, "
        "each on cleared apps."
    )
    columns = (
        "app", "platform", "flows", "done", "steps", "without a check", "checks proposed", "own",
        "refused", "passed",
    )  # fmt: skip
    return Table(
        "exploring_flows", "From a goal to a test", COMMAND, columns, tuple(rows), note
    ), wrong


# --- all ------------------------------------------------------------------------------------------


def measure() -> list[Table]:
    return alone([])


def run(seed: int, *, show: bool) -> Table:
    with tempfile.TemporaryDirectory(prefix="exploring-") as kept:
        folder = Path(kept)
        table, wrong = flows_table(seed, record_all(seed, folder), folder)
    print("\n".join(wrong) if show else f"{len(wrong)} remarks; --show prints them")
    return table


def alone(options: Sequence[str]) -> list[Table]:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument(
        "--show", action="store_true", help="print what went wrong, and checks that were refused"
    )
    given = parser.parse_args(options)
    return [run(given.seed, show=given.show)]
