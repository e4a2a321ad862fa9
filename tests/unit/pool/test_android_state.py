"""What Android phones of many versions print, read; and what it means for tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.errors import DeviceError
from pytest_replicant.pool import Finding, Status
from pytest_replicant.pool import readiness as found
from pytest_replicant.pool.readiness import AndroidState, failed, read_state

SOUND = AndroidState(
    booted=True,
    awake=True,
    locked=False,
    free_kib=4 * 1024**2,
    animations=(),
    facts=("Pixel 7", "14", "34", "arm64-v8a"),
    battery=80,
    charging=False,
    keyboard="com.example/.Keys",
    clock=1000,
)


def test_nothing_said_is_nothing_known() -> None:
    assert read_state("") == AndroidState()
    assert read_state("sh: dumpsys: not found\n@power\n\n@storage\n@clock\nno\n") == AndroidState()


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("@boot\n1\n", "booted", True),
        ("@boot\n\n", "booted", False),
        ("@boot\r\n1\r\n", "booted", True),
        ("@power\n  mWakefulness=Dreaming\n@boot\n1\n", "awake", True),
        ("@power\n  mWakefulness=Dozing\n", "awake", False),
        ("@policy\n  mShowingLockscreen=true mDreamingLockscreen=false\n", "locked", True),
        ("@policy\n    showing=false\n    showingAndNotOccluded=true\n", "locked", False),
        ("@policy\n    mIsShowing=true\n", "locked", True),
        ("@policy\n  mShowingLockscreenX=true\n", "locked", None),
        ("@policy\n    showing=true\n    secure=true\n", "secure", True),
        ("@policy\n    showing=true\n    secure=false\n", "secure", False),
        ("@policy\n    showing=true\n    insecure=false\n", "secure", None),
        ("@animations\n0\n0\n0\n", "animations", ()),
        ("@animations\n0.0\n0\n1\n", "animations", ("animator_duration_scale",)),
        ("@animations\nnull\n0\n0\n", "animations", ("window_animation_scale",)),
        ("@animations\n0\n0\n", "animations", None),
    ],
)
def test_what_a_phone_says_of_itself(said: str, name: str, value: object) -> None:
    assert getattr(read_state(said), name) == value


DF = "Filesystem      1K-blocks     Used Available Use% Mounted on\n"


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
    assert read_state(f"@storage\n{said}").free_kib == kib


def test_all_that_only_the_doctor_asks() -> None:
    state = read_state(
        "@facts\nPixel 7\n14\n34\narm64-v8a\n@battery\n  level: 12\n  status: 3\n  voltage: 4200\n"
        "@keyboard\ncom.example/.Keys\n@clock\n1700000000\n@miui\nV14\n1\n"
    )
    assert state.facts == ("Pixel 7", "14", "34", "arm64-v8a")
    assert (state.battery, state.charging, state.clock, state.injects) == (
        12,
        False,
        1700000000,
        True,
    )
    assert state.keyboard == "com.example/.Keys"
    assert read_state("@keyboard\ncmd: Can't find service: settings\n").keyboard is None
    assert read_state("@keyboard\nnull\n@miui\nV14\n\n").injects is False
    assert read_state("@keyboard\nnull\n@miui\n\n\n") == AndroidState()


@pytest.mark.parametrize(
    ("changed", "name", "status"),
    [
        ({"booted": False}, "boot", "fail"),
        ({"awake": False}, "screen", "warn"),
        ({"locked": True}, "lock", "fail"),
        ({"locked": True, "secure": True}, "lock", "fail"),
        ({"locked": True, "secure": False}, "lock", "warn"),
        ({"free_kib": 400 * 1024}, "storage", "warn"),
        ({"free_kib": 50 * 1024}, "storage", "fail"),
        ({"animations": ("animator_duration_scale",)}, "animations", "warn"),
        ({"battery": 15}, "battery", "warn"),
        ({"battery": 15, "charging": True}, "battery", "ok"),
        ({"keyboard": None}, "keyboard", "ok"),
        ({"clock": 900}, "clock", "warn"),
        ({"clock": 1100}, "clock", "warn"),
        ({"injects": True}, "input", "ok"),
        ({"injects": False}, "input", "fail"),
    ],
)
def test_what_one_fact_makes_of_a_sound_phone(
    changed: dict[str, object], name: str, status: Status
) -> None:
    """All else stays fine; and each trouble comes with the next step."""
    seen = {finding.name: finding for finding in every(replace(SOUND, **changed))}  # type: ignore[arg-type]
    assert seen[name].status == status
    assert bool(seen[name].next) == (status in ("warn", "fail"))
    assert {finding.status for other, finding in seen.items() if other != name} == {"ok"}


def test_what_is_not_known_is_skipped() -> None:
    assert {each.status for each in every(AndroidState()) if each.name != "keyboard"} == {"skip"}


def every(state: AndroidState) -> list[Finding]:
    checks = (
        found.boot,
        found.screen,
        found.lock,
        found.storage,
        found.animations,
        found.system,
        found.battery,
    )
    injection = found.injection(state)
    rest = [found.keyboard(state), found.clock(state, 1000.0), *([injection] if injection else [])]
    return [*(check(state) for check in checks), *rest]


def test_how_long_and_how_much_is_reported_in_round_words() -> None:
    assert [found.duration_text(each) for each in (61, 150, 7300, 200_000)] == [
        "61 s",
        "2 minutes",
        "2 hours",
        "2 days",
    ]
    assert [found.size_text(each) for each in (1024, 3 * 1024**2 // 2)] == ["1 MiB", "1.5 GiB"]
    assert "ahead of" in found.clock(replace(SOUND, clock=5000), 1000.0).found
    assert "behind" in found.clock(replace(SOUND, clock=5000), 9000.0).found


def test_an_error_is_a_finding_with_its_own_advice() -> None:
    finding = failed("x", DeviceError("it is gone", advice="plug it in"))
    assert (finding.status, finding.found, finding.next) == ("fail", "it is gone", "plug it in")
    assert failed("x", DeviceError("it is gone")).found == "it is gone"
    assert failed("x", KeyError("y")).found == "KeyError: 'y'"
    assert failed("x", ValueError()).found == "ValueError"
