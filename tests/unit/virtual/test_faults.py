"""Faults on purpose: how they are asked for, how often they happen, what each does."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.pool import FAULT_KNOBS, open_device, parse_uri
from pytest_replicant.virtual import (
    Automation,
    DumpFault,
    Faults,
    FaultSource,
    RpcError,
    VirtualPhone,
)
from pytest_replicant.virtual.uiautomator2_side import methods_screen, rpc

from .notes_phone import APP, make_phone, sh
from .toy_app import Hand, ManualClock


# --- asked for ------------------------------------------------------------------------------------
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


def test_the_log_says_how_to_have_the_same_faults_again() -> None:
    phone, _ = faulty_phone(fail_dump=0.25, lose_tap=1)
    (said,) = [each.message for each in phone.log.entries() if each.tag == "VirtualPhone"]
    assert said.endswith("fail_dump=0.25&lose_tap=1&seed=7")
    phone, _ = faulty_phone()
    assert "VirtualPhone" not in [each.tag for each in phone.log.entries()]


# --- drawn ----------------------------------------------------------------------------------------
def drawn(source: FaultSource, times: int = 400) -> list[DumpFault]:
    return [source.of_dump("", 0, has_former=True) for _ in range(times)]


def test_the_same_seed_gives_the_same_faults() -> None:
    faults = Faults(fail_dump=0.2, truncate_dump=0.2, stale_dump=0.2, slow_dump=0.2, seed=7)
    first, second, third = (
        FaultSource(faults),
        FaultSource(faults),
        FaultSource(Faults(fail_dump=0.2, seed=8)),
    )
    assert drawn(first) == drawn(second)
    assert first.injected == second.injected
    assert [each.fails for each in drawn(FaultSource(faults))] != [
        each.fails for each in drawn(third)
    ]


def test_one_kind_does_not_shift_another() -> None:
    alone = FaultSource(Faults(fail_dump=0.3, seed=7))
    among = FaultSource(
        Faults(fail_dump=0.3, truncate_dump=0.5, stale_dump=0.5, lose_tap=0.5, seed=7)
    )
    for _ in range(50):
        among.strikes("lose_tap")
    assert [each.fails for each in drawn(alone)] == [each.fails for each in drawn(among)]


def test_they_happen_as_often_as_was_asked_and_are_counted() -> None:
    source = FaultSource(Faults(fail_dump=0.25, seed=7))
    fails = sum(each.fails for each in drawn(source, 2000))
    assert 400 < fails < 600
    assert source.injected == Counter(fail_dump=fails)


# --- one screen -----------------------------------------------------------------------------------
def faulty_phone(**faults: Any) -> tuple[VirtualPhone, Hand]:
    phone = make_phone(clock=ManualClock(), faults=Faults(**{"seed": 7, **faults}))
    phone.start_app(APP)
    return phone, Hand(phone, APP)


def server_dump(phone: VirtualPhone) -> str:
    answer = asyncio.run(methods_screen.dump(Automation(phone), False))
    assert isinstance(answer, rpc.RawJson)
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
    phone, _ = faulty_phone(truncate_dump=1)
    with pytest.raises(ElementTree.ParseError):
        ElementTree.fromstring(read(phone).encode())
    assert phone.faults.injected == Counter(truncate_dump=1)


@READERS
def test_a_stale_dump_shows_what_the_one_before_would_have_shown(read: Any) -> None:
    phone, hand = faulty_phone(stale_dump=1)
    assert taps(read(phone)) == "0 taps"
    assert phone.faults.injected == Counter()
    hand.tap(text="Count")
    assert taps(read(phone)) == "0 taps"
    hand.tap(text="Count")
    assert taps(read(phone)) == "1 taps"
    assert taps(read(phone)) == "2 taps"
    assert phone.faults.injected == Counter(stale_dump=3)


def test_a_dump_that_fails_says_what_android_says() -> None:
    phone, _ = faulty_phone(fail_dump=1)
    with pytest.raises(RpcError, match=r"NullPointerException.*AccessibilityServiceInfo.flags"):
        server_dump(phone)
    assert "could not get idle state" in sh(phone, "uiautomator dump").error
    assert phone.faults.injected == Counter(fail_dump=2)


@READERS
def test_a_slow_dump_takes_longer(read: Any) -> None:
    phone, _ = faulty_phone(slow_dump=1, slow_dump_ms=40)
    assert taps(read(phone)) == "0 taps"
    assert phone.pace.waited_ms == 40
    assert phone.faults.injected == Counter(slow_dump=1)


# --- through the driver ---------------------------------------------------------------------------
def test_a_lost_tap_is_answered_and_never_arrives() -> None:
    phone, hand = faulty_phone(lose_tap=0.5)
    for _ in range(40):
        hand.tap(text="Count")
    lost = phone.faults.injected["lose_tap"]
    assert 8 < lost < 32
    assert taps(server_dump(phone)) == f"{40 - lost} taps"


# --- killed in mid-dump ---------------------------------------------------------------------------
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
        assert device.phone.faults.injected == {
            "kill_dump": 2
        }  # a read is repeated once, on a new server
