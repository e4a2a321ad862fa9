"""What Android phones of many versions print, read; and what it means for tests."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import DeviceError
from pytest_replicant.pool import Finding, Status
from pytest_replicant.pool import readiness as found

DF = "Filesystem      1K-blocks     Used Available Use% Mounted on\n"

SOUND = {
    "boot": "1",
    "power": "mWakefulness=Awake",
    "policy": "showing=false",
    "storage": f"{DF}/dev/block/dm-5 4194304 0 4194304 0% /data",
    "animations": "0\n0\n0",
    "facts": "Pixel 7\n14\n34\narm64-v8a",
    "battery": "level: 80\n  status: 3",
    "keyboard": "com.example/.Keys",
    "clock": "1000",
}


@pytest.mark.parametrize("answer", ["", "sh: dumpsys: not found\n@power\n\n@storage\n@clock\nno\n"])
def test_nothing_said_is_nothing_known(answer: str) -> None:
    seen = every(found.parts_of(answer))
    assert {each.status for each in seen if each.name != "keyboard"} == {"skip"}


@pytest.mark.parametrize(
    ("answer", "name", "status"),
    [
        ("@boot\n1\n", "boot", "ok"),
        ("@boot\n\n", "boot", "fail"),
        ("@boot\r\n1\r\n", "boot", "ok"),
        ("@power\n  mWakefulness=Dreaming\n@boot\n1\n", "screen", "ok"),
        ("@power\n  mWakefulness=Dozing\n", "screen", "warn"),
        ("@policy\n  mShowingLockscreen=true mDreamingLockscreen=false\n", "lock", "fail"),
        ("@policy\n    showing=false\n    showingAndNotOccluded=true\n", "lock", "ok"),
        ("@policy\n    mIsShowing=true\n", "lock", "fail"),
        ("@policy\n  mShowingLockscreenX=true\n", "lock", "skip"),
        ("@policy\n    showing=true\n    secure=true\n", "lock", "fail"),
        ("@policy\n    showing=true\n    secure=false\n", "lock", "warn"),
        ("@policy\n    showing=true\n    insecure=false\n", "lock", "fail"),
        ("@animations\n0\n0\n0\n", "animations", "ok"),
        ("@animations\n0.0\n0\n1\n", "animations", "warn"),
        ("@animations\nnull\n0\n0\n", "animations", "warn"),
        ("@animations\n0\n0\n", "animations", "skip"),
        ("@keyboard\nnull\n@miui\nV14\n1\n", "input", "ok"),
        ("@keyboard\nnull\n@miui\nV14\n\n", "input", "fail"),
    ],
)
def test_what_a_phone_says_of_itself(answer: str, name: str, status: Status) -> None:
    seen = {each.name: each.status for each in every(found.parts_of(answer))}
    assert seen[name] == status


def test_the_scales_that_are_on_are_named() -> None:
    assert "on (animator_duration_scale)" in found.animations({"animations": "0.0\n0\n1"}).found


@pytest.mark.parametrize(
    ("said", "kib"),
    [
        (f"{DF}/dev/block/dm-5 114204648 9316560 104888088   9% /data/user/0\n", 104888088),
        (
            f"{DF}/dev/root 4194304 0 4194304 0% /\n/dev/block/dm-1 4194304 4194000 304 99% "
            "/data\n",
            304,
        ),
        (
            "Filesystem     Size   Used   Free   Blksize\n/data         10.8G   6.7G   4.1G   "
            "4096\n",
            4299161,
        ),
        ("df: /data: No such file or directory\n", None),
        (f"{DF}/dev/root 1 1 1 0% /\n/dev/fuse 1 1 1 0% /storage\n", None),
    ],
)
def test_storage(said: str, kib: int | None) -> None:
    assert found.free_kib(said) == kib


def test_all_that_only_the_doctor_asks() -> None:
    said = found.parts_of(
        "@facts\nPixel 7\n14\n34\narm64-v8a\n@battery\n  level: 12\n  status: 3\n  voltage: 4200\n"
        "@keyboard\ncom.example/.Keys\n@clock\n1700000000\n@miui\n\n\n"
    )
    assert found.system(said).found == "Pixel 7, Android 14, API 34, arm64-v8a"
    assert found.battery(said).found == "12 %, and not charging"
    assert found.keyboard(said).found.startswith("com.example/.Keys; ")
    assert found.clock(said, 1700000000).status == "ok"
    assert found.injection(said) is None
    assert "none is set" in found.keyboard({"keyboard": "cmd: Can't find service: settings"}).found


@pytest.mark.parametrize(
    ("changed", "name", "status"),
    [
        ({"boot": ""}, "boot", "fail"),
        ({"power": "mWakefulness=Asleep"}, "screen", "warn"),
        ({"policy": "showing=true"}, "lock", "fail"),
        ({"policy": "showing=true\nsecure=true"}, "lock", "fail"),
        ({"policy": "showing=true\nsecure=false"}, "lock", "warn"),
        ({"storage": f"{DF}/dev/dm-5 1 0 {400 * 1024} 0% /data"}, "storage", "warn"),
        ({"storage": f"{DF}/dev/dm-5 1 0 {50 * 1024} 0% /data"}, "storage", "fail"),
        ({"animations": "0\n0\n1"}, "animations", "warn"),
        ({"battery": "level: 15"}, "battery", "warn"),
        ({"battery": "level: 15\nstatus: 2"}, "battery", "ok"),
        ({"keyboard": "null"}, "keyboard", "ok"),
        ({"clock": "900"}, "clock", "warn"),
        ({"clock": "1100"}, "clock", "warn"),
        ({"miui": "V14\n1"}, "input", "ok"),
        ({"miui": "V14\n0"}, "input", "fail"),
    ],
)
def test_what_one_fact_makes_of_a_sound_phone(
    changed: dict[str, str], name: str, status: Status
) -> None:
    """All else stays fine; and each trouble comes with the next step."""
    seen = {finding.name: finding for finding in every({**SOUND, **changed})}
    assert seen[name].status == status
    assert bool(seen[name].next) == (status in ("warn", "fail"))
    assert {finding.status for other, finding in seen.items() if other != name} == {"ok"}


def every(said: found.Said) -> list[Finding]:
    checks = (
        found.boot,
        found.screen,
        found.lock,
        found.storage,
        found.animations,
        found.system,
        found.battery,
    )
    injection = found.injection(said)
    rest = [found.keyboard(said), found.clock(said, 1000.0), *([injection] if injection else [])]
    return [*(check(said) for check in checks), *rest]


def test_how_long_and_how_much_is_reported_in_round_words() -> None:
    assert [found.duration_text(each) for each in (61, 150, 7300, 200_000)] == [
        "61 s",
        "2 minutes",
        "2 hours",
        "2 days",
    ]
    for kib, text in ((1024, "1 MiB"), (3 * 1024**2 // 2, "1.5 GiB")):
        assert f"{text} free" in found.storage({"storage": f"{DF}/dev/dm 1 0 {kib} 0% /data"}).found
    assert "ahead of" in found.clock({"clock": "5000"}, 1000.0).found
    assert "behind" in found.clock({"clock": "5000"}, 9000.0).found


def test_an_error_is_a_finding_with_its_own_advice() -> None:
    finding = found.failed("x", DeviceError("it is gone", advice="plug it in"))
    assert (finding.status, finding.found, finding.next) == ("fail", "it is gone", "plug it in")
    assert found.failed("x", DeviceError("it is gone")).found == "it is gone"
    assert found.failed("x", KeyError("y")).found == "KeyError: 'y'"
    assert found.failed("x", ValueError()).found == "ValueError"
