"""A proof that is struck at any of its clauses leaves the phone as it was, or says what it left to
the next."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_replicant.drivers import Capability
from pytest_replicant.pool import WORDS, open_device
from pytest_replicant.real_phones import EXTRAS, Proof, proof, tour
from pytest_replicant.testing import DRIVER_CLAUSES, SharedClock, VirtualDevice
from pytest_replicant.virtual import UIAUTOMATOR2_MAIN

from .desk import on_desk, proof_of, uri_of
from .phone_state import differences, state_of

SEED = 1
CLAUSES: tuple[Any, ...] = (*DRIVER_CLAUSES, *tour.tour(EXTRAS))
ASKED = tuple(each.name for each in CLAUSES if not getattr(each, "lacks", Capability.NONE))
SHOWN_BY = {
    "the orientation": ("orientation",),
    "the app in front": ("app in front", "keyboard"),
    "the dark screen": ("screen",),
}
"""How the phone's state shows what was left."""


class Struck:
    """Makes the fault happen when a clause begins, or so many steps of the clock later."""

    def __init__(
        self, device: VirtualDevice, at: str, steps: int, strike: Callable[[], object]
    ) -> None:
        self._at, self._steps, self._strike = at, steps, strike
        assert isinstance(device.clock, SharedClock)
        self._clock = device.clock
        self.done = False

    def began(self, clause: Any) -> Any:
        if clause.name == self._at:
            self._clock.on_step.append(self._step)
            self._step()
        return clause

    def _step(self) -> None:
        self._steps -= 1
        if self._steps < 0 and not self.done:
            self.done = True
            self._strike()


def unplug(device: VirtualDevice, _: Proof) -> None:
    device.server.detach(device.phone.profile.serial)


def plug_in(device: VirtualDevice) -> None:
    device.server.attach(device.phone)


def kill_server(device: VirtualDevice, _: Proof) -> None:
    if device.phone.profile.platform == "ios":
        device.server.lose_sessions()
    else:
        device.phone.kill_program(UIAUTOMATOR2_MAIN)


def lock(device: VirtualDevice, _: Proof) -> None:
    device.phone.keyguard.set_pin("1234")
    for _key in range(2):
        device.phone.press_key("POWER")


def unlock(device: VirtualDevice) -> None:
    device.phone.keyguard.set_pin("")
    device.phone.dismiss_keyguard()
    device.phone.settings.delete("locksettings", "pin")
    device.phone.keyguard.disable(True)


def fill(device: VirtualDevice, _: Proof) -> None:
    device.phone.files.capacity = device.phone.files.used


def make_room(device: VirtualDevice) -> None:
    device.phone.files.capacity = None


def stop(_: VirtualDevice, running: Proof) -> None:
    running.stop()


def stop_twice(_: VirtualDevice, running: Proof) -> None:
    running.stop()
    running.stop()


def nothing(_: VirtualDevice) -> None: ...


ANDROID = {
    "unplugged": (unplug, plug_in),
    "server-killed": (kill_server, nothing),
    "locked": (lock, unlock),
    "storage-full": (fill, make_room),
    "stopped": (stop, nothing),
    "stopped-twice": (stop_twice, nothing),
}
IPHONE = {name: ANDROID[name] for name in ("server-killed", "stopped", "stopped-twice")}
ENDS = ("unplugged", "locked", "stopped", "stopped-twice")
CASES = [("pixel", fault) for fault in ANDROID] + [("iphone", fault) for fault in IPHONE]


def troubles(
    monkeypatch: pytest.MonkeyPatch, profile: str, fault: str, at: str, steps: int = 0
) -> Sequence[str]:
    """The troubles after a proof of that clause, those next to it and the last one."""
    place = ASKED.index(at)
    chosen = {*ASKED[max(place - 1, 0) : place + 2], ASKED[-1]}
    if "tour-page" in chosen:  # whose page is the one that was seen before
        chosen.add("tour-display")
    judged = [name for name in ASKED if name in chosen]
    monkeypatch.setattr(
        proof, "DRIVER_CLAUSES", [each for each in DRIVER_CLAUSES if each.name in judged]
    )
    monkeypatch.setattr(
        proof, "tour", lambda _: [each for each in tour.TOUR if each.name in judged]
    )
    strike, undo = ANDROID[fault]
    with on_desk(profile) as device:
        before = state_of(device.phone)
        struck = Struck(device, at, steps, lambda: strike(device, running))
        running = proof_of(device)
        judged_by = running._judged
        monkeypatch.setattr(
            running, "_judged", lambda clause, *how: judged_by(struck.began(clause), *how)
        )
        list(running.run())
        if not struck.done:  # the proof was sooner
            return []
        undo(device)
        if running.left:
            with open_device(uri_of(device), clock=device.clock, timeout=5.0) as again:
                again.use_settings(WORDS)  # as whoever opens it next
        after = state_of(device.phone)
    left = tuple(name for each in running.left for name in SHOWN_BY.get(each, ()))
    killed = ("program", "port") if fault in ("unplugged", "server-killed") else ()
    changed = [each for each in differences(before, after) if not each.startswith((*left, *killed))]
    return [
        f"{fault} {steps} steps into {at}: {each}"
        for each in (*changed, *wrong_rows(running, fault, at, steps, judged))
    ]


def wrong_rows(running: Proof, fault: str, at: str, steps: int, judged: Sequence[str]) -> list[str]:
    """What was found before is kept, and all that follows an end is not reached."""
    said = {row.name: row.verdict for row in running.rows}
    wrong = []
    if [*said] != [*judged]:
        wrong.append(f"the rows are {[*said]}")
    if said[judged[0]] in ("broken", "not reached") and judged[0] != at:
        wrong.append(f"{judged[0]} is {said[judged[0]]}")
    reached = [name for name, verdict in said.items() if verdict != "not reached"]
    if [*said][: len(reached)] != reached or bool(running.ended) == (len(reached) == len(said)):
        wrong.append(f"ended: {running.ended!r}, and {said}")
    while_judging = said[judged[-1]] == "not reached"  # and not while the phone was put back
    if fault in ENDS and not while_judging and at != judged[-1] and not steps:
        wrong.append("it went on")
    if running.interrupted != fault.startswith("stopped") and (
        while_judging or running.interrupted
    ):
        wrong.append(f"interrupted: {running.interrupted}")
    if fault in ("stopped", "storage-full", "server-killed") and running.left:
        wrong.append(f"left: {running.left}")
    if fault == "stopped-twice" and not running.left:
        wrong.append("nothing is named as left")
    return wrong


@pytest.mark.parametrize(("profile", "fault"), CASES)
def test_struck_at_one_clause(profile: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = random.Random(f"{SEED} {profile} {fault}").choice(ASKED)
    assert troubles(monkeypatch, profile, fault, at) == []


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("profile", "fault"), CASES)
def test_struck_at_each_clause(profile: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it begins, and in the midst of it."""
    steps = random.Random(f"{SEED} {profile} {fault}")
    struck = [(at, count) for at in ASKED for count in (0, steps.randrange(1, 20))]
    assert [
        each for at, count in struck for each in troubles(monkeypatch, profile, fault, at, count)
    ] == []
