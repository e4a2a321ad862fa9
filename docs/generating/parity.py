"""``docs/reference/parity.md``, from a run of the drivers' contract on both virtual phones, and
from what a session answers there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pytest_replicant.drivers import Capability, Driver, Key
from pytest_replicant.errors import ReplicantError, Unsupported
from pytest_replicant.model import by
from pytest_replicant.session import DeviceSession, build_session
from pytest_replicant.testing import (
    DRIVER_CLAUSES,
    METHODS_NEEDING,
    DriverClause,
    Verdict,
    capability_names,
    judge,
    why_unsupported,
)
from tests.conformance.phones import Subject, place_of, virtual

from .wording import cell

PLATFORMS: Mapping[str, str] = {"Android": "virtual:android", "iPhone": "virtual:ios"}
ABSENT = "dev.example.absent"
ABILITIES = tuple(each for each in Capability if each)

ACTIONS: Mapping[str, Callable[[DeviceSession], object]] = {
    "launch(fresh=True)": lambda mobile: mobile.launch(ABSENT, fresh=True),
    "launch(activity=...)": lambda mobile: mobile.launch(ABSENT, activity=".Main"),
    "clear_data": lambda mobile: mobile.clear_data(ABSENT),
    "open_url": lambda mobile: mobile.open_url("nobodys://place"),
    "drag": lambda mobile: mobile.drag(by(text="Neither"), by(text="Nor"), timeout=0),
    "pinch": lambda mobile: mobile.pinch(text="Neither", scale=2, timeout=0),
    "rotate": lambda mobile: mobile.rotate("portrait"),
    "answer_permission": lambda mobile: mobile.answer_permission("deny", timeout=0),
    "set_permission": lambda mobile: mobile.set_permission("camera", False, ABSENT),
    "install": lambda mobile: mobile.install(__file__),
    "uninstall": lambda mobile: mobile.uninstall(ABSENT),
    "push_file": lambda mobile: mobile.push_file(b"", "/no/such/folder/file"),
    "pull_file": lambda mobile: mobile.pull_file("/no/such/file"),
    "logs": lambda mobile: mobile.logs(),
    "crashes": lambda mobile: mobile.crashes(),
    "shell": lambda mobile: mobile.shell("true"),
}
"""What a session has that needs an ability, called so that nothing comes of it where the phone has
it."""

HEAD = """\
# Android and iPhone, side by side

What each platform's driver can do, and keeps to: the virtual phones of both went through
[the contract of drivers](../how-to/write-a-driver.md), clause by clause. What one lacks is in the words of its error.

## Abilities

With the number of clauses that were checked and kept. [The methods of each](drivers.md#capabilities) raise
`Unsupported` if a driver lacks it, before anything is sent; that is checked as well.
"""
GAPS = """\
## Gaps, and why

First what the driver says, with what else reaches the phone; then what a session advises to do in a test.

"""
SESSION = """\
## In a test

What a session offers on every phone is [not listed here](session.md). Of the rest, "no" is `Unsupported`, before
anything is sent.
"""
KEYS = """\
## Keys

What became of `press_key`, with the focus in a text field; of `back`, on an app's second screen.
"""
CLAUSES_HEAD = """\
## Clauses that do not hold on each

{kept} of {every} clauses are kept by all. {denials} say that the methods of a missing ability raise `Unsupported`, and
name it: those hold wherever they apply. The others:

| clause | what it says | {names} |
|---|---|{lines}|
"""


@dataclass(frozen=True)
class Ran:
    """One platform: a verdict for each clause, why each ability is missing, which actions and keys
    it refuses."""

    capabilities: Capability
    verdicts: Mapping[DriverClause, Verdict]
    gaps: Mapping[Capability, str]
    refused: Mapping[str, Unsupported]
    keys: Mapping[str, str]

    def says(self, clause: DriverClause) -> str:
        verdict = self.verdicts[clause]
        return (
            "kept"
            if verdict.kept
            else "–"
            if not verdict.asked
            else f"**broken**: {cell(str(verdict.error))}"
        )

    def has(self, capability: Capability) -> str:
        if capability not in self.capabilities:
            return "no"
        about = [
            each
            for clause, each in self.verdicts.items()
            if capability in clause.needs and each.asked
        ]
        kept = sum(each.kept for each in about)
        return f"yes, {kept}" if kept == len(about) else f"**{kept} of {len(about)}**"


def page() -> str:
    """The whole page."""
    return render({name: run(uri) for name, uri in PLATFORMS.items()})


def run(uri: str) -> Ran:
    """The contract on the virtual phone of that URI."""
    with tempfile.TemporaryDirectory() as folder, virtual(uri, Path(folder)) as subject:
        scene = subject.scene()
        try:
            driver = scene.driver
            verdicts = dict(zip(DRIVER_CLAUSES, judge(DRIVER_CLAUSES, scene), strict=True))
            lacking = [each for each in METHODS_NEEDING if each not in driver.capabilities]
            gaps = {each: reason(why_unsupported(driver, each)) for each in lacking}
            return Ran(driver.capabilities, verdicts, gaps, refused(driver), _keys(subject, driver))
        finally:
            scene.driver.close()


def refused(driver: Driver) -> dict[str, Unsupported]:
    """The actions that a session says are not offered there, with what it says."""
    session, recorder = build_session(driver, trace=False, screenshots=False)
    try:
        found = {name: _refusal(call, session) for name, call in ACTIONS.items()}
    finally:
        recorder.close()
        driver.restore_settings()
    return {name: error for name, error in found.items() if error is not None}


def _refusal(call: Callable[[DeviceSession], object], session: DeviceSession) -> Unsupported | None:
    with suppress(ReplicantError, AssertionError):
        try:
            call(session)
        except Unsupported as error:
            return error
    return None


def _keys(subject: Subject, driver: Driver) -> dict[str, str]:
    """For each key "" or why it is refused; the one that switches the screen off is pressed last,
    and back on."""
    found: dict[str, str] = {}
    for key in sorted(get_args(Key), key=lambda each: each == "power"):
        driver.stop(subject.app)
        driver.launch(subject.app, None, ())
        driver.tap(place_of(subject.device, "forgot_password" if key == "back" else "email"))
        try:
            driver.press_key(key)
        except ReplicantError as error:
            found[key] = reason(str(error))
        else:
            found[key] = ""
    with suppress(ReplicantError):
        driver.wake()
    return found


def reason(message: str) -> str:
    """The reason alone: without the call and the phone that it begins with, and what was not
    done."""
    said = re.sub(r"^\S[^:]*? on [^ ]+: ", "", message)
    said = re.sub(r"^this phone does not offer '\w+': ", "", said)
    return re.sub(r" Nothing was \w+\.", "", said)


def render(ran: Mapping[str, Ran]) -> str:
    """The page of these runs."""
    return "\n".join(
        [
            HEAD,
            *_abilities(ran),
            GAPS + _gaps(ran),
            SESSION,
            *_actions(ran),
            KEYS,
            *_pressed(ran),
            _clauses(ran),
        ]
    )


def _table(first: str, ran: Mapping[str, Ran]) -> str:
    return f"| {first} | {' | '.join(ran)} |\n|---|{'|'.join('---' for _ in ran)}|"


def _abilities(ran: Mapping[str, Ran]) -> Iterator[str]:
    yield _table("ability", ran)
    for each in ABILITIES:
        yield f"| {capability_names(each)} | {' | '.join(one.has(each) for one in ran.values())} |"
    yield ""


def _gaps(ran: Mapping[str, Ran]) -> str:
    lines = [
        f"- **{capability_names(each)}**, {name}: {cell(why)}{_advice(one, each)}"
        for name, one in ran.items()
        for each, why in one.gaps.items()
    ]
    return "\n".join(lines or ["Nothing."]) + "\n"


def _advice(one: Ran, capability: Capability) -> str:
    """Of whichever action needs it; none does for what no action needs."""
    said = [
        str(each) for each in one.refused.values() if each.capability.upper() == capability.name
    ]
    advice = said[0].partition("\nNext: ")[2] if said else ""
    return f" In a test: {cell(advice)}" if advice else ""


def _actions(ran: Mapping[str, Ran]) -> Iterator[str]:
    yield _table("action", ran)
    yield from _rows(
        {
            name: " | ".join("no" if name in one.refused else "yes" for one in ran.values())
            for name in ACTIONS
        }
    )
    yield ""


def _pressed(ran: Mapping[str, Ran]) -> Iterator[str]:
    yield _table("key", ran)
    yield from _rows(
        {
            key: " | ".join(
                "yes" if not one.keys[key] else f"no: {cell(one.keys[key])}" for one in ran.values()
            )
            for key in get_args(Key)
        }
    )
    yield ""


def _rows(said: Mapping[str, str]) -> Iterator[str]:
    """One for all that have the same said of them."""
    for each in dict.fromkeys(said.values()):
        names = ", ".join(f"`{name}`" for name in said if said[name] == each)
        yield f"| {names} | {each} |"


def _clauses(ran: Mapping[str, Ran]) -> str:
    rows = []
    denials = 0
    for each in DRIVER_CLAUSES:
        said = [one.says(each) for one in ran.values()]
        if each.lacks and {*said} <= {"kept", "–"}:
            denials += 1
        elif {*said} != {"kept"}:
            rows.append(f"| `{each.name}` | {cell(each.claim)} | {' | '.join(said)} |")
    kept, every = len(DRIVER_CLAUSES) - len(rows) - denials, len(DRIVER_CLAUSES)
    lines = "|".join("---" for _ in ran)
    head = CLAUSES_HEAD.format(
        kept=kept, every=every, denials=denials, names=" | ".join(ran), lines=lines
    )
    return head + "\n".join(rows) + "\n"
