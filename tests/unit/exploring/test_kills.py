"""Processes that are killed in the middle of commands: the one that holds a session, and a
client."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Profile, VirtualPhone, start_server

from .desks import Desk
from .sessions import SHOP
from .test_mcp import QUICK

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
]
COMMANDS = 40


class CountingPhone(VirtualPhone):
    """Counts what reaches it: each command taps another point of an empty part of the screen."""

    def __init__(self) -> None:
        super().__init__(demo_apps([SHOP]), profile=Profile())
        self.taps: Counter[int] = Counter()

    def tap(self, x: int, y: int) -> None:
        self.taps[y] += 1
        super().tap(x, y)


class Killing:
    """The phone outlives every process."""

    def __init__(self, desk: Desk, phone: CountingPhone, uri: str, random: Random) -> None:
        self.desk, self.phone, self.uri, self.random = desk, phone, uri, random
        self.number = 1000
        self.seen: Counter[str] = Counter()

    def run(self, *words: str) -> tuple[str, int]:
        process = self.desk.start(*words)
        out, err = process.communicate(timeout=90)
        return out + err, process.returncode

    def open(self) -> None:
        """Which a phone that is leased refuses."""
        said, code = self.run("open", SHOP, "--device", self.uri, "--no-guard")
        assert code == 0, said

    def command(self) -> tuple[str, ...]:
        self.number += 1
        return "do", f"tap_at(5, {self.number})", "--id", f"c{self.number}"

    @property
    def effects(self) -> int:
        """How often the newest command reached the phone."""
        return self.phone.taps[self.number]

    def some_time(self) -> None:
        time.sleep(self.random.uniform(0.0, 0.8))

    def plain(self) -> None:
        said, code = self.run(*self.command())
        assert (code, self.effects) == (0, 1), said

    def client(self) -> None:
        """The client is killed; the same request again does nothing that was done."""
        words = self.command()
        process = self.desk.start(*words)
        self.some_time()
        process.kill()
        process.communicate()
        while "still at it" in (said := self.run("last", f"c{self.number}")[0]):
            pass
        reached = "no such request reached this session" not in said
        assert self.effects == reached, said
        self.seen["reached" if reached else "never sent"] += 1
        said, code = self.run(*words)
        assert (code, self.effects) == (0, 1), said
        assert ("was asked for before" in said) == reached

    def holder(self) -> None:
        """The holder is killed; what the command became is said, and the phone is free."""
        record = self.desk.record()
        process = self.desk.start(*self.command())
        self.some_time()
        os.kill(record.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=90)
        if process.returncode == 0:
            assert self.effects == 1, out
        else:
            assert process.returncode == 3, err
            assert "the process of session s1 has gone; what it had recorded is lost" in err
            assert self.effects <= 1
            assert not self.effects or "whether this command had an effect is not known" in err
        self.seen[f"killed, {self.effects}"] += 1
        said, code = self.run("look")
        assert code == 3
        assert "the process of session s1 has gone" in said
        self.open()


@pytest.fixture
def killing(desk: Desk) -> Iterator[Killing]:
    (desk.folder / "pytest.ini").write_text(QUICK, encoding="utf-8")
    desk.real = ("-m", "pytest_replicant.exploring.process")
    phone = CountingPhone()
    with start_server(phone) as its:
        yield Killing(desk, phone, f"adb://127.0.0.1:{its.port}/{phone.profile.serial}", Random(7))


def test_nothing_is_done_twice_or_left_leased_when_processes_are_killed(killing: Killing) -> None:
    killing.open()
    kinds = [killing.client] * 7 + [killing.holder] * 4
    kinds += [killing.plain] * (COMMANDS - len(kinds))
    killing.random.shuffle(kinds)
    for kind in kinds:
        kind()
    assert killing.run("close")[1] == 0
    assert max(killing.phone.taps.values()) == 1
    assert killing.seen["reached"] > 0
    assert sum(count for what, count in killing.seen.items() if what.startswith("killed")) == 4
