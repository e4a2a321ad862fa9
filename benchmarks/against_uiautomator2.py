"""The price of a verified step against bare uiautomator2, in turns, on two equal virtual phones."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle

import adbutils
import uiautomator2

from pytest_replicant import DeviceSession, Secret
from pytest_replicant.drivers import Exchange
from pytest_replicant.pool import open_device
from pytest_replicant.session import build_session

from .table import Table

ROUNDS = 21
APP = "dev.replicant.shop"
BOX, EMAIL, PASSWORD = "Remember me", f"{APP}:id/email", f"{APP}:id/password"
AGED = 0.2  # seconds: beyond the 150 ms for which a read serves a gesture, within the 500 for which it counts
_TEXT = ("setText", "clearTextField")
_GESTURES = ("click", "swipe", "drag", "gesture")
Turn = Callable[[int], object]
"""One step, by the number of its round."""


@dataclass(frozen=True)
class Case:
    """A step as both write it. ``aged`` seconds pass between it and the step before, and are not measured."""

    name: str
    ours: Turn
    theirs: Turn
    aged: float = 0.0
    bar: str = ""


def table() -> Table:
    """Ours has the trace on and pictures off; all else are the defaults."""
    with open_device("virtual:android") as mine, open_device("virtual:android") as other:
        for opened in (mine, other):
            assert opened.phone is not None
            opened.phone.settings.put("global", "stay_on_while_plugged_in", "7")  # as a run sees to it
        host, port = other.address
        other.driver.close()
        device = uiautomator2.connect(adbutils.AdbClient(host, port).device(other.driver.info.serial))
        session, recorder = build_session(mine.driver, screenshots=False)
        heard: list[Exchange] = []
        mine.driver.exchanges.listener = heard.append  # type: ignore[attr-defined]
        try:
            rows = tuple(_measured(case, heard) for case in _cases(session, device))
        finally:
            recorder.close()
            device.stop_uiautomator()
    return Table(
        "against_uiautomator2",
        "A verified step against bare uiautomator2",
        "python -m benchmarks verified_step",
        ("step", "ours ms", "uiautomator2 ms", "ratio", "bar", "dumps", "rpc and shell", "gestures", "text calls"),
        rows,
        f"Median of {ROUNDS} rounds in which each took its turn on a virtual phone of its own, at default "
        "latencies. The ratio is the median of the pairs. Counts are of our round trips. A step follows upon the "
        f"last read within 150 ms, which serves it. Where it comes {AGED * 1000:.0f} ms later, one more read is "
        'made before it ("later"). uiautomator2\'s own `set_text` touches the field each time, for which this '
        "phone charges nothing. A real one takes about as long as for a tap.",
    )


def _measured(case: Case, heard: list[Exchange]) -> tuple[object, ...]:
    pairs: list[tuple[float, float]] = []
    case.ours(0), case.theirs(0)
    calls: Counter[str] = Counter()
    for number in range(1, ROUNDS + 1):
        if case.aged:
            time.sleep(case.aged)
        else:
            case.ours(-number)  # so that the last read is just over
        heard.clear()
        ours = _milliseconds(case.ours, number)
        calls += Counter(_sort(each) for each in heard)
        pairs.append((ours, _milliseconds(case.theirs, number)))
    ours_ms, theirs_ms = (round(statistics.median(column)) for column in zip(*pairs, strict=True))
    ratio = round(statistics.median(ours / theirs for ours, theirs in pairs), 2)
    counts = (round(calls[kind] / ROUNDS, 2) for kind in ("dumps", "others", "gestures", "texts"))
    return (case.name, ours_ms, theirs_ms, ratio, case.bar, *counts)


def _milliseconds(turn: Turn, number: int) -> float:
    began = time.perf_counter()
    turn(number)
    return (time.perf_counter() - began) * 1000


def _sort(exchange: Exchange) -> str:
    if exchange.kind == "call" and exchange.doing == "dumpWindowHierarchy":
        return "dumps"
    return "texts" if exchange.doing in _TEXT else "gestures" if exchange.doing in _GESTURES else "others"


def _cases(session: DeviceSession, device: uiautomator2.Device) -> list[Case]:
    session.launch(APP).expect_screen("Sign in")
    _launch(device)
    box, field = device(text=BOX), device(resourceId=EMAIL)
    checked = {"ours": False, "theirs": False}
    fields = {who: cycle((EMAIL, PASSWORD)) for who in checked}

    def tap(_: int) -> None:
        checked["ours"] = not checked["ours"]
        session.tap(text=BOX).expect_state(checked=checked["ours"])

    def click_and_poll(_: int) -> None:
        checked["theirs"] = not checked["theirs"]
        box.click()
        while box.info["checked"] is not checked["theirs"]:
            pass

    def click_and_wait(_: int) -> None:
        checked["theirs"] = not checked["theirs"]
        box.click()
        assert device(text=BOX, checked=checked["theirs"]).wait(timeout=5)

    def fill(number: int) -> None:
        text = f"ada{number}@example.com"
        session.fill(resource_id=EMAIL, value=text).expect_state(text=text)

    def set_text(number: int) -> None:
        text = f"ada{number}@example.com"
        field.set_text(text)
        while field.get_text() != text:
            pass

    def fill_next(number: int) -> None:
        name, text = next(fields["ours"]), f"{abs(number):05}"
        session.fill(resource_id=name, value=Secret(text)).expect_state(text=Secret(text))

    def set_text_of_next(number: int) -> None:
        name, text = next(fields["theirs"]), f"{abs(number):05}"
        device(resourceId=name).set_text(text)
        while len(device(resourceId=name).get_text()) != len(text):
            pass

    def launch(_: int) -> None:
        session.launch(APP).expect_screen("Sign in")

    return [
        Case("tap and check, `info` polled", tap, click_and_poll, bar="1.3"),
        Case("tap and check, `wait`", tap, click_and_wait, bar="1.3"),
        Case("tap and check, later, `info` polled", tap, click_and_poll, aged=AGED),
        Case("tap and check, later, `wait`", tap, click_and_wait, aged=AGED),
        Case("fill and check", fill, set_text, bar="2.0"),
        Case("fill and check, later", fill, set_text, aged=AGED),
        Case("launch and check", launch, lambda _: _launch(device), bar="3 round trips"),
        Case("fill and check, another field each time", fill_next, set_text_of_next),
    ]


def _launch(device: uiautomator2.Device) -> None:
    device.app_stop(APP)
    device.app_start(APP, wait=True)
    assert device(text="Sign in").wait(timeout=5)
