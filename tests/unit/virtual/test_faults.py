"""Faults on purpose: how they are asked for, how often they happen, what each does."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_replicant.errors import DeviceError, ProtocolError, UsageError
from pytest_replicant.pool import FAULT_KNOBS, OpenDevice, open_device, parse_uri
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    DumpFault,
    Faults,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
)
from pytest_replicant.virtual.faults import FAULTLESS, FaultSource
from pytest_replicant.virtual.uiautomator2_side.automation import Automation
from pytest_replicant.virtual.uiautomator2_side.failures import RpcError
from pytest_replicant.virtual.uiautomator2_side.methods_screen import dump
from pytest_replicant.virtual.uiautomator2_side.rpc import RawJson

from .notes_phone import sh
from .toy_app import STILL, Hand, ManualClock

PACKAGE = "dev.replicant.faulty"


# --- asked for --------------------------------------------------------------------------------------------
def test_knobs_are_read_and_taken_out() -> None:
    knobs = {"fail_dump": "0.5", "slow_dump_ms": "70", "seed": "7", "other": "x"}
    assert Faults.from_knobs(knobs) == Faults(fail_dump=0.5, slow_dump_ms=70, seed=7)
    assert knobs == {"other": "x"}


def test_every_fault_knob_of_a_uri_is_one_that_the_phone_knows() -> None:
    query = "&".join(f"{name}=1" for name in FAULT_KNOBS)
    knobs = {name: values[-1] for name, values in parse_uri(f"virtual:ios?{query}").knobs.items()}
    faults = Faults.from_knobs(knobs)
    assert knobs == {}
    assert all(getattr(faults, name) == 1 for name in FAULT_KNOBS)


@pytest.mark.parametrize(
    ("name", "value", "wording"),
    [
        ("fail_dump", "1.5", "probability from 0 to 1"),
        ("lose_tap", "-0.1", "probability from 0 to 1"),
        ("stale_dump", "often", "probability from 0 to 1"),
        ("truncate_dump", "nan", "probability from 0 to 1"),
        ("drop_connection", "inf", "probability from 0 to 1"),
        ("slow_dump_ms", "soon", "milliseconds"),
        ("seed", "-1", "seed=-1 is not a number"),
        ("seed", "9" * 30, "is not a number"),
    ],
)
def test_what_is_no_value_is_refused(name: str, value: str, wording: str) -> None:
    with pytest.raises(UsageError, match=wording) as refused:
        Faults.from_knobs({name: value})
    assert f"{name}={value}" in str(refused.value)


def test_a_probability_given_in_code_is_checked_as_well() -> None:
    with pytest.raises(UsageError, match="lose_tap=2"):
        Faults(lose_tap=2)


def test_without_a_seed_one_is_drawn_and_reported() -> None:
    seeds = {FaultSource(Faults()).seed for _ in range(8)}
    assert len(seeds) > 1
    assert FaultSource(Faults(seed=7)).seed == 7


def test_the_log_says_how_to_have_the_same_faults_again() -> None:
    phone, _ = faulty_phone(fail_dump=0.25, lose_tap=1)
    (said,) = [each.message for each in phone.log.entries() if each.tag == "VirtualPhone"]
    assert said.endswith("fail_dump=0.25&lose_tap=1&seed=7")
    phone, _ = faulty_phone()
    assert "VirtualPhone" not in [each.tag for each in phone.log.entries()]


# --- drawn ------------------------------------------------------------------------------------------------
def drawn(source: FaultSource, times: int = 400) -> list[DumpFault]:
    return [source.of_dump("", 0, has_former=True) for _ in range(times)]


def test_the_same_seed_gives_the_same_faults() -> None:
    faults = Faults(fail_dump=0.2, truncate_dump=0.2, stale_dump=0.2, slow_dump=0.2, seed=7)
    first, second, third = FaultSource(faults), FaultSource(faults), FaultSource(Faults(fail_dump=0.2, seed=8))
    assert drawn(first) == drawn(second)
    assert first.injected == second.injected
    assert [each.fails for each in drawn(FaultSource(faults))] != [each.fails for each in drawn(third)]


def test_one_kind_does_not_shift_another() -> None:
    alone = FaultSource(Faults(fail_dump=0.3, seed=7))
    among = FaultSource(Faults(fail_dump=0.3, truncate_dump=0.5, stale_dump=0.5, lose_tap=0.5, seed=7))
    for _ in range(50):
        among.strikes("lose_tap")
    assert [each.fails for each in drawn(alone)] == [each.fails for each in drawn(among)]


def test_they_happen_as_often_as_was_asked_and_are_counted() -> None:
    source = FaultSource(Faults(fail_dump=0.25, seed=7))
    fails = sum(each.fails for each in drawn(source, 2000))
    assert 400 < fails < 600
    assert source.injected == Counter(fail_dump=fails)


def test_a_dump_that_is_killed_is_nothing_else() -> None:
    source = FaultSource(Faults(kill_dump=1, fail_dump=1, slow_dump=1))
    assert drawn(source, 1) == [DumpFault(killed=True)]
    assert source.injected == Counter(kill_dump=1)


def test_by_default_nothing_happens() -> None:
    source = FaultSource(Faults(seed=7))
    assert drawn(source) == [FAULTLESS] * 400
    assert source.drop() == ""
    assert source.injected == Counter()


def test_half_of_the_dropped_calls_have_taken_effect() -> None:
    source = FaultSource(Faults(drop_connection=1))
    assert [source.drop() for _ in range(4)] == ["before", "after", "before", "after"]


# --- one screen -------------------------------------------------------------------------------------------
class Home(Screen[dict[str, Any]]):
    title = "Home"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def add() -> None:
            app.state["count"] = app.state.get("count", 0) + 1

        def opener(screen: Home) -> Button:
            return Button(screen.title, on_click=lambda: app.go(screen))

        others = [opener(make()) for make in (Slow, Stale, Cut, Nothing)]
        return Column([Text(f"{app.state.get('count', 0)} taps \u00e9"), Button("Add", on_click=add), *others])


class Slow(Home):
    title = "Slow"
    dump = "slow"
    dump_ms = 123


class Stale(Home):
    title = "Stale"
    dump = "stale"


class Cut(Home):
    title = "Cut"
    dump = "truncated"


class Nothing(Home):
    title = "Nothing"
    dump = "none"


def faulty_phone(**faults: Any) -> tuple[VirtualPhone, Hand]:
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Faulty", state=dict, start=Home)
    phone = VirtualPhone([app], latency=STILL, clock=ManualClock(), faults=Faults(**{"seed": 7, **faults}))
    phone.start_app(PACKAGE)
    return phone, Hand(phone)


def server_dump(phone: VirtualPhone) -> str:
    answer = asyncio.run(dump(Automation(phone), False))
    assert isinstance(answer, RawJson)
    text = json.loads(answer.text)
    assert isinstance(text, str)
    return text


def shell_dump(phone: VirtualPhone) -> str:
    return sh(phone, "uiautomator dump /dev/tty").out.partition("UI hierchary")[0]


READERS = pytest.mark.parametrize("read", [server_dump, shell_dump])


def taps(xml: str) -> str:
    texts = [node.get("text", "") for node in ElementTree.fromstring(xml.encode()).iter("node")]
    (text,) = [text for text in texts if "taps" in text]
    return text


@READERS
def test_a_truncated_dump_breaks_off(read: Any) -> None:
    phone, hand = faulty_phone()
    whole = read(phone)
    hand.tap(text="Cut")
    for _ in range(20):
        part = read(phone)
        assert 0 < len(part) < len(whole) * 1.2
        with pytest.raises(ElementTree.ParseError):
            ElementTree.fromstring(part.encode())
    assert phone.faults.injected == Counter(truncate_dump=20)


@READERS
def test_a_stale_dump_shows_what_the_one_before_would_have_shown(read: Any) -> None:
    phone, hand = faulty_phone(stale_dump=1)
    assert taps(read(phone)) == "0 taps \u00e9"
    assert phone.faults.injected == Counter()
    hand.tap(text="Add")
    assert taps(read(phone)) == "0 taps \u00e9"
    hand.tap(text="Add")
    assert taps(read(phone)) == "1 taps \u00e9"
    assert taps(read(phone)) == "2 taps \u00e9"
    assert phone.faults.injected == Counter(stale_dump=3)


def test_a_screen_can_be_stale_by_itself() -> None:
    phone, hand = faulty_phone()
    server_dump(phone)
    hand.tap(text="Stale")
    assert "Stale" not in taps(server_dump(phone))
    hand.tap(text="Add")
    assert taps(server_dump(phone)) == "0 taps \u00e9"
    assert taps(server_dump(phone)) == "1 taps \u00e9"


def test_a_screen_without_a_window_is_an_empty_hierarchy_or_androids_error() -> None:
    phone, hand = faulty_phone()
    hand.tap(text="Nothing")
    assert server_dump(phone).endswith('<hierarchy rotation="0" />')
    assert "null root node" in sh(phone, "uiautomator dump").error
    phone.press_key("BACK")
    assert "taps" in server_dump(phone)


def test_a_dump_that_fails_says_what_android_says() -> None:
    phone, _ = faulty_phone(fail_dump=1)
    with pytest.raises(RpcError, match=r"NullPointerException.*AccessibilityServiceInfo.flags"):
        server_dump(phone)
    assert "could not get idle state" in sh(phone, "uiautomator dump").error
    assert phone.faults.injected == Counter(fail_dump=2)


@pytest.mark.parametrize("read", [server_dump, shell_dump])
def test_a_slow_dump_takes_longer(read: Any) -> None:
    phone, hand = faulty_phone(slow_dump=1, slow_dump_ms=40)
    assert taps(read(phone)) == "0 taps \u00e9"
    assert phone.pace.waited_ms == 40
    hand.tap(text="Slow")
    read(phone)
    assert phone.pace.waited_ms == 40 + 123
    assert phone.faults.injected == Counter(slow_dump=2)


# --- through the driver -----------------------------------------------------------------------------------
def test_a_lost_tap_is_answered_and_never_arrives() -> None:
    phone, hand = faulty_phone(lose_tap=0.5)
    for _ in range(40):
        hand.tap(text="Add")
    lost = phone.faults.injected["lose_tap"]
    assert 8 < lost < 32
    assert taps(server_dump(phone)) == f"{40 - lost} taps \u00e9"


@pytest.fixture
def opened() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0&app=dev.replicant.shop&seed=7&drop_connection=0.5") as device:
        yield device


@pytest.mark.slow
def test_a_dropped_connection_is_an_error_of_the_device(opened: OpenDevice) -> None:
    assert opened.phone is not None
    assert opened.phone.faults.seed == 7
    cut = 0
    for _ in range(20):
        try:
            opened.driver.dump_hierarchy()
        except (DeviceError, ProtocolError):
            cut += 1
    assert 0 < cut < 20
    assert opened.phone.faults.injected["drop_connection"] >= cut


# --- killed in mid-dump -----------------------------------------------------------------------------------
def test_the_shells_own_dump_says_killed() -> None:
    phone, _ = faulty_phone(kill_dump=1)
    answer = sh(phone, "uiautomator dump /sdcard/dump.xml")
    assert (answer.code, answer.out, answer.error) == (137, "", "Killed\n")
    assert not phone.files.exists("/sdcard/dump.xml")


def test_the_server_that_dumps_is_gone_and_no_screen_is_made_up() -> None:
    with open_device("virtual?latency=0&kill_dump=1") as device:
        with pytest.raises(DeviceError, match="dumpWindowHierarchy on virtual-1"):
            device.driver.dump_hierarchy()
        assert device.phone is not None
        assert device.phone.faults.injected == {"kill_dump": 2}  # a read is repeated once, on a new server


def test_webdriveragent_hangs_up() -> None:
    with open_device("virtual:ios?latency=0&kill_dump=1") as device, pytest.raises(DeviceError):
        device.driver.dump_hierarchy()
