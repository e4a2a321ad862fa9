"""From a goal to a test: does a scripted agent get 30 flows recorded, do their tests pass, and find faults?

``python -m benchmarks exploring`` prints flows, faults and cost; ``--seed N`` and ``--part flows`` choose.
The agent (``exploring_agent``) holds no label, ref or screen; it reads what the command line prints.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from pytest_replicant.drivers import Platform

from . import exploring_cost
from .exploring_agent import Agent, GaveUp, labels_on
from .exploring_flows import BANK, FLOWS, LAB, LIBRARY, SHOP, Flow, Labels, Words
from .exploring_mutants import MUTANTS, Mutant
from .exploring_phone import Clients, Inside, run_saved, seconds_since
from .table import Table

COMMAND = "python -m benchmarks exploring"
PLATFORMS: tuple[Platform, ...] = ("android", "ios")
APPS = {SHOP: "shop", LAB: "lab", LIBRARY: "library", BANK: "bank"}
BY_CLIENTS: tuple[tuple[str, str], ...] = (
    ("sign in", "virtual"),
    ("order", "virtual"),
    ("segments", "virtual:ios"),
    ("rename", "virtual?apps=benchmarks.broken_runs.bank_app:bank"),
    ("members sign in", "virtual:ios?apps=benchmarks.first_user.library:apps"),
)
"""Flows that go through processes of the client as well, with the phone of each; the session runs their tests."""


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
    advised: int = 0
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


# --- the flows -----------------------------------------------------------------------------------------------


def scout(flow: Flow, platform: Platform, folder: Path) -> Labels:
    """Reads words off the app's screens, on a phone of its own."""

    def labels(goal: str, pattern: str = "(.+)", under: str = "") -> list[str]:
        with closing(Inside(flow.app, platform, folder)) as surface:
            agent = Agent(surface, allowed=("pay",))
            agent.pursue(goal)
            return labels_on(agent, pattern, under)

    return labels


def record(flow: Flow, platform: Platform, style: str, rng: random.Random, folder: Path) -> Done:
    """One flow, in this process: words are drawn, the agent pursues the goal and saves the test."""

    done = Done(flow, platform, {})
    try:
        done.words = flow.draw(scout(flow, platform, folder), rng)
        with closing(Inside(flow.app, platform, folder)) as surface:
            agent = Agent(surface, style, flow.allow)
            pursue(agent, done)
            text, _ = surface.run("save", f"{done.test}.py::{done.test}")
            done.saved(text)
            done.is_true = flow.truth(surface.state, done.words)
    except GaveUp as error:
        done.trouble = str(error)
    return done


def pursue(agent: Agent, done: Done) -> None:
    agent.pursue(done.flow.goal.format(**done.words))
    done.steps, done.unchecked, done.refused = agent.steps, list(agent.unchecked), agent.refused
    done.advised = agent.advised


def record_all(seed: int, folder: Path) -> list[Done]:
    """All flows on both platforms, tests in a folder of each. Refs and labels take turns as names of elements."""
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
        alone = run_saved(folder / platform, platform)
        shared = run_saved(folder / platform, platform, shared=True)
        other: Platform = "ios" if platform == "android" else "android"
        crossed = run_saved(folder / platform, other)
        for app, name in APPS.items():
            own = [one for one in mine if one.flow.app == app]
            tests = [one.test for one in own]
            rows.append(
                (
                    name, platform, len(own), sum(one.is_true for one in own), sum(one.steps for one in own),
                    sum(len(one.unchecked) for one in own), sum(one.proposed for one in own),
                    sum(one.own for one in own), sum(len(one.refused) for one in own),
                    *(_passed(tests, outcomes) for outcomes in (alone, shared, crossed)),
                )
            )  # fmt: skip
        wrong += [f"{one.flow.name} on {platform}: {one.trouble}" for one in mine if one.trouble]
        wrong += [
            f"{one.flow.name} on {platform}: not true" for one in mine if not one.is_true and not one.trouble
        ]
        wrong += [f"{platform}: {one}" for one in alone.values() if one != "passed"]
        wrong += [f"{platform}, refused when made: {each}" for one in mine for each in one.refused]
        for label, outcomes in (("one phone for all", shared), (f"on {other}", crossed)):
            wrong += [f"{platform}, {label}: {one}" for one in outcomes.values() if one != "passed"]
    note = (
        f"Seed {seed}. Done: the app's own state has what the goal asked for. Refused: proposed checks, or the "
        "agent's own, that did not hold when they were made. Passed: saved tests, each on cleared apps; then "
        "all on one phone that no one clears; then on the other platform."
    )
    columns = (
        "app", "platform", "flows", "done", "steps", "without a check", "checks proposed", "own", "refused",
        "passed", "passed, phone shared", "passed on the other platform",
    )  # fmt: skip
    return Table("exploring_flows", "From a goal to a test", COMMAND, columns, tuple(rows), note), wrong


def _passed(tests: Sequence[str], outcomes: dict[str, str]) -> str:
    return f"{sum(outcomes.get(one) == 'passed' for one in tests)} of {len(tests)}"


# --- the faults ----------------------------------------------------------------------------------------------


def mutants_table(made: Sequence[Done], folder: Path, mutants: Sequence[Mutant] = MUTANTS) -> Table:
    """Which saved tests of its app find each fault: those of Android that pass on the app as it is."""
    rows: list[tuple[object, ...]] = []
    sound = {name for name, outcome in run_saved(folder / "android", "android").items() if outcome == "passed"}
    for mutant in mutants:
        mine = [one.test for one in made if one.platform == "android" and one.flow.app == mutant.app]
        tests = [one for one in mine if one in sound]
        outcomes = run_saved(folder / "android", "android", mutant.name, [f"{one}.py" for one in tests])
        found = [one for one in tests if outcomes.get(one, "not run") != "passed"]
        first = outcomes.get(found[0], "not run").partition(" - ")[2] if found else ""
        rows.append((mutant.name, APPS[mutant.app], len(tests), len(found), "yes" if found else "NO", first[:90]))
    return Table(
        "exploring_mutants", "Faults that the saved tests find", COMMAND,
        ("fault", "app", "tests of the app", "that fail", "found", "the first says"), tuple(rows),
        "Only tests that pass on the apps as they are were run.", detail=True,
    )  # fmt: skip


# --- by clients ----------------------------------------------------------------------------------------------


def clients_table(seed: int, chosen: Sequence[tuple[str, str]] = BY_CLIENTS) -> Table:
    """Flows by processes of the client; each test is run by the session, on a fresh phone and in real time."""
    rows: list[tuple[object, ...]] = []
    rng = random.Random(f"{seed} clients")
    for name, uri in chosen:
        flow = next(one for one in FLOWS if one.name == name)
        begin = time.monotonic()
        done = Done(flow, uri, {})
        with tempfile.TemporaryDirectory() as kept:
            by_client(done, uri, rng, Path(kept))
        passed = "yes" if "Fresh run: passed" in done.said else f"no: {done.trouble or done.said}"[:300]
        rows.append((name, uri.partition("?")[0], done.steps, len(done.unchecked), passed, seconds_since(begin)))
    columns = ("flow", "phone", "steps", "without a check", "fresh run passed", "seconds")
    return Table("exploring_clients", "The same by processes of the client", COMMAND, columns, tuple(rows))


def by_client(done: Done, uri: str, rng: random.Random, folder: Path) -> None:
    """Words come from the screens of a phone in this process; the flow itself goes through the client."""
    platform: Platform = "ios" if uri.startswith("virtual:ios") else "android"
    try:
        done.words = done.flow.draw(scout(done.flow, platform, folder), rng)
        with closing(Clients(done.flow.app, uri, folder)) as surface:
            pursue(Agent(surface, rng.choice(("ref", "call")), done.flow.allow), done)
            allow = [word for one in done.flow.allow for word in ("--allow", one)]
            text, _ = surface.run("save", f"tests/{done.test}.py::{done.test}", "--run", *allow)
            done.saved(text)
    except (GaveUp, RuntimeError) as error:
        done.trouble = " ".join(str(error).split())


# --- all ----------------------------------------------------------------------------------------------------


def measure() -> list[Table]:
    return run(random.SystemRandom().randrange(10_000), ("flows", "mutants", "clients", "cost"))


def run(seed: int, parts: Sequence[str], *, show: bool = False) -> list[Table]:
    tables: list[Table] = []
    with tempfile.TemporaryDirectory(prefix="exploring-") as kept:
        folder = Path(kept)
        if "flows" in parts or "mutants" in parts:
            made = record_all(seed, folder)
        if "flows" in parts:
            table, wrong = flows_table(seed, made, folder)
            tables.append(table)
            print("\n".join(wrong) if show else f"{len(wrong)} remarks; --show prints them")
        if "mutants" in parts:
            tables.append(mutants_table(made, folder))
    if "clients" in parts:
        tables.append(clients_table(seed))
    if "cost" in parts:
        tables.append(exploring_cost.measure())
    return tables


def alone(options: Sequence[str]) -> list[Table]:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument("--part", action="append", choices=("flows", "mutants", "clients", "cost"))
    parser.add_argument("--show", action="store_true", help="print what went wrong, and checks that were refused")
    given = parser.parse_args(options)
    return run(given.seed, given.part or ("flows", "mutants", "clients", "cost"), show=given.show)
