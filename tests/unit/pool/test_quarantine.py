"""What counts as lost, and who passes a lost phone over until when."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.errors import (
    DeviceBusy,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
)
from pytest_replicant.pool import (
    DevicePool,
    DeviceRequirements,
    DeviceUri,
    Quarantine,
    is_lost,
    loss_reason,
    open_device,
)

from .rack import uris
from .test_device_pool import Phone, Rack


class Answers:
    """A driver that reconnects and shows its screen, but for the one that raises ``error``."""

    def __init__(
        self, reconnecting: DeviceError | None = None, reading: DeviceError | None = None
    ) -> None:
        self._errors = reconnecting, reading
        self.asked: list[str] = []

    def reconnect(self, timeout: float) -> None:
        self._say("reconnect", self._errors[0])

    def dump_hierarchy(self) -> bytes:
        self._say("dump_hierarchy", self._errors[1])
        return b"<hierarchy/>"

    def _say(self, what: str, error: DeviceError | None) -> None:
        self.asked.append(what)
        if error is not None:
            raise error


A, B = uris("android:a", "android:b")


def lost(driver: Answers, error: DeviceError) -> bool:
    return is_lost(cast("Driver", driver), error)


@pytest.mark.parametrize(
    "error", [DeviceOffline("unplugged"), DeviceNotFound("gone")], ids=["offline", "gone"]
)
def test_a_phone_that_is_gone_is_lost_without_asking_it_again(error: DeviceError) -> None:
    driver = Answers()
    assert lost(driver, error)
    assert driver.asked == []


@pytest.mark.parametrize(
    "error",
    [ProtocolError("what?"), DeviceBusy("taken"), DeviceError("odd")],
    ids=["protocol", "busy", "other"],
)
def test_a_phone_that_answers_is_not_lost(error: DeviceError) -> None:
    assert not lost(Answers(reading=DeviceOffline("never asked")), error)


def test_a_phone_that_was_late_is_asked() -> None:
    driver = Answers()
    assert not lost(driver, DeviceTimeout("slow"))
    assert driver.asked == ["reconnect", "dump_hierarchy"]
    assert lost(Answers(reconnecting=DeviceOffline("gone")), DeviceTimeout("slow"))
    assert lost(Answers(reading=DeviceTimeout("still slow")), DeviceTimeout("slow"))
    assert not lost(Answers(reading=ProtocolError("odd, but there")), DeviceTimeout("slow"))


@pytest.mark.slow
def test_a_driver_that_is_closed_says_nothing_of_its_phone() -> None:
    with open_device("virtual?latency=0") as opened:
        opened.close()
        assert not is_lost(opened.driver, DeviceTimeout("slow"))


class TestWhoKnows:
    def test_every_process_of_the_run_and_no_other_run(self, tmp_path: Path) -> None:
        one, other = Quarantine("r1", tmp_path), Quarantine("r1", tmp_path)
        one.add(A, "unplugged")
        assert other.reason(A) == "unplugged"
        assert other.reason(B) == ""
        assert Quarantine("r2", tmp_path).reason(A) == ""
        other.lift(A)
        assert one.reason(A) == ""

    @pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
    def test_a_folder_that_is_somebody_elses_is_left_alone(self, tmp_path: Path) -> None:
        """Whoever may write where leases are kept could have laid a link there."""
        foreign, link = tmp_path / "foreign", tmp_path / "link"
        (foreign / "quarantine-r1").mkdir(parents=True)
        link.symlink_to(foreign)
        one = Quarantine("r1", link)
        one.add(A, "unplugged")
        one.lift(B)
        one.forget()
        assert [path.name for path in foreign.rglob("*")] == ["quarantine-r1"]
        assert one.reason(A) == "unplugged"
        assert Quarantine("r1", link).reason(A) == ""

    def test_the_run_is_no_path(self, tmp_path: Path) -> None:
        Quarantine("../../etc/x", tmp_path).add(A, "unplugged")
        assert [path.parent for path in tmp_path.iterdir()] == [tmp_path]


def test_a_try_in_vain_is_not_repeated_at_once() -> None:
    now = [1000.0]
    quarantine = Quarantine(now=lambda: now[0])
    quarantine.add(A, "unplugged", took=2.0)
    with pytest.raises(
        DeviceOffline, match=r"android:a is in quarantine.*again in 20 s\. It was lost: unplugged"
    ):
        quarantine.check(A)
    now[0] += 20
    quarantine.check(A)
    quarantine.add(A, "unplugged", took=60.0)
    with pytest.raises(DeviceOffline, match="again in 60 s"):
        quarantine.check(A)
    quarantine.add(A, "in mid-test")
    quarantine.check(A)


class TestDevicePool:
    def test_a_lost_phone_is_closed_and_passed_over(self) -> None:
        rack = Rack()
        phones = DevicePool(uris("android:a", "android:b"), rack.open)
        first = cast("Phone", phones.acquire())
        phones.lose(first, "unplugged")
        assert not first.closed, "the test still looks at it"
        phones.release(first)
        assert first.closed
        assert cast("Phone", phones.acquire()).uri == "android:b"
        assert [(loss.uri, loss.reason) for loss in phones.losses] == [("android:a", "unplugged")]

    def test_it_is_tried_again_where_nothing_else_is_left(self) -> None:
        rack = Rack()
        phones = DevicePool(uris("android:a", "android:b"), rack.open)
        for uri in ("android:a", "android:b"):
            phones.quarantine(phones.acquire(uri), "unplugged")
        assert cast("Phone", phones.acquire()).uri == "android:a"
        assert phones.quarantined.reason(A) == ""
        assert phones.quarantined.reason(B) == "unplugged"

    def test_one_that_cannot_be_opened_is_passed_over_the_next_time(self) -> None:
        rack = Rack({"android:a": DeviceOffline("unauthorised")})
        phones = DevicePool(uris("android:a", "android:b"), rack.open)
        with pytest.raises(DeviceOffline, match="unauthorised"):
            phones.acquire()
        assert cast("Phone", phones.acquire()).uri == "android:b"

    def test_of_virtual_phones_there_is_always_a_new_one(self) -> None:
        rack = Rack()
        phones = DevicePool(uris("virtual"), rack.open)
        first = phones.acquire()
        phones.quarantine(first, "switched off")
        assert phones.acquire() is not first
        assert phones.has_alternative("virtual", DeviceRequirements())

    def test_who_may_serve_a_test_instead(self) -> None:
        phones = DevicePool(uris("android:a", "android:b", "ios:http://h:1"), Rack().open)
        assert phones.has_alternative("android:a", DeviceRequirements())
        assert phones.has_alternative("android:a", DeviceRequirements("android"))
        assert not phones.has_alternative("ios:http://h:1", DeviceRequirements("ios"))
        assert not phones.has_alternative("android:a", DeviceRequirements(), A), (
            "a matrix wants this one"
        )
        assert not phones.has_alternative("android:elsewhere", DeviceRequirements()), (
            "the test names it itself"
        )
        phones.quarantined.add(B, "gone")
        assert not phones.has_alternative("android:a", DeviceRequirements("android"))
        assert not DevicePool(uris("android:a"), Rack().open).has_alternative(
            "android:a", DeviceRequirements()
        )

    def test_what_was_attached_and_is_not_any_more_was_ours(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        attached = [A, B]
        monkeypatch.setattr(DeviceUri, "expand", lambda given: (tuple(attached), []))
        phones = DevicePool(uris("android"), Rack().open)
        first = phones.acquire()
        phones.lose(first, "unplugged")
        attached.remove(A)
        assert phones.has_alternative("android:a", DeviceRequirements())
        phones.release(first)
        assert cast("Phone", phones.acquire()).uri == "android:b"
        attached.clear()
        assert not phones.has_alternative("android:b", DeviceRequirements())

    def test_a_lost_phone_is_no_phone_that_does_not_fit(self) -> None:
        rack = Rack(platforms={"ios:http://h:1": "ios"})
        phones = DevicePool(uris("android:a", "ios:http://h:1"), rack.open)
        phones.quarantine(phones.acquire(platform="android"), "unplugged")
        assert cast("Phone", phones.acquire(platform="android")).uri == "android:a", (
            "nothing else is left"
        )
        phones.quarantine(phones.in_use[0], "unplugged again")
        rack.trouble["android:a"] = DeviceOffline("still unplugged")
        with pytest.raises(DeviceOffline, match="still unplugged"):
            phones.acquire(platform="android")

    def test_whoever_waits_for_it_does_not_get_it(self) -> None:
        phones = DevicePool(uris("android:a", "android:b"), Rack().open)
        first, second = phones.acquire(), phones.acquire()
        phones.lose(first, "unplugged")
        with pytest.raises(DeviceBusy, match="android:b is in use by this test"):
            phones.acquire()
        phones.release(second)
        assert phones.acquire() is second


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            DeviceOffline("clearLastToast on a: closed. Check it.", detail="closed"),
            "it went offline: closed",
        ),
        (
            DeviceNotFound("tap on a: not found. Is it?", detail="not found"),
            "it is gone: not found",
        ),
        (DeviceTimeout("tap on a: late", detail="late"), "it did not answer in time: late"),
        (DeviceOffline("a does not answer adb: unplug it"), "a does not answer adb: unplug it"),
        (ProtocolError("tap on a: nonsense", detail="nonsense"), "tap on a: nonsense"),
    ],
)
def test_a_loss_says_first_what_became_of_the_phone(error: DeviceError, reason: str) -> None:
    assert loss_reason(error) == reason
