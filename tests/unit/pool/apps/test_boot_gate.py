"""What it takes for an emulator to be ready, and what is no evidence of it."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import known_phones
from pytest_replicant.errors import DeviceOffline, DeviceTimeout
from pytest_replicant.model import ManualClock
from pytest_replicant.pool import AdbBooting, BootGate, pass_gates, running_avds
from pytest_replicant.pool.apps.emulator import conditions
from pytest_replicant.virtual import Latency, Profile, VirtualPhone, start_server

READY = {
    "getprop sys": "1\n1\nstopped\nend\n",
    "pm path": "package:/system/framework/framework-res.apk\n",
    "cmd "
    "package": "priority=0 match=0x108000\ncom.android.launcher3/.uioverrides.QuickstepLauncher\n",
    "settings get": "null\n",
    "dumpsys window": "  mCurrentFocus=null\n  mCurrentFocus=Window{9f1 u0 "
    "com.android.launcher3/.Launcher}\n",
}
NAMES = [name for name, _ in conditions()]


class Answers:
    """Answers by the beginning of a command; "" for a state that adb does not know."""

    def __init__(self, state: str = "device", **answers: str) -> None:
        self.adb = state
        self.answers = {**READY, **{name.replace("_", " "): said for name, said in answers.items()}}
        self.heard: list[str] = []

    def state(self) -> str:
        return self.adb

    def shell(self, command: str) -> str:
        self.heard.append(command)
        for beginning, said in self.answers.items():
            if command.startswith(beginning):
                return said
        return ""


@pytest.mark.parametrize(
    ("phone", "condition", "seen"),
    [
        (Answers(""), 0, "does not know it yet"),
        (Answers("offline"), 1, "adb says offline"),
        (Answers("unauthorized"), 1, "adb says unauthorized"),
        (Answers(getprop_sys="\n\nrunning\nend\n"), 2, "sys.boot_completed=(unset)"),
        (Answers(getprop_sys="1\n0\nstopped\nend\n"), 2, "dev.bootcomplete=0"),
        (Answers(getprop_sys="1\n1\nrunning\nend\n"), 2, "animation is running"),
        (Answers(getprop_sys=""), 2, "getprop answers ''"),
        (Answers(getprop_sys="1\n1\nstopped\n"), 2, "getprop answers"),
        (Answers(pm_path="cmd: Can't find service: package\n"), 3, "Can't find service: package"),
        (Answers(pm_path=""), 3, "answers nothing"),
        (
            Answers(cmd_package="No activity found\ncode 0\n"),
            4,
            "nothing answers to HOME: No activity found",
        ),
        (Answers(cmd_package="com.android.settings/.FallbackHome\n"), 4, "not unlocked"),
        (
            Answers(settings_get="cmd: Can't find service: settings\n"),
            5,
            "Can't find service: settings",
        ),
        (Answers(dumpsys_window="Can't find service: window\n"), 6, "no window has the focus"),
        (Answers(dumpsys_window="  mCurrentFocus=null\n"), 6, "no window has the focus"),
    ],
)
def test_what_does_not_hold_is_named(phone: Answers, condition: int, seen: str) -> None:
    gate = BootGate("A", phone)
    assert not gate.look()
    assert gate.standing == f"{NAMES[condition]} ({condition + 1}/{len(NAMES)})"
    assert seen in gate.last_seen


@pytest.mark.parametrize(
    "phone",
    [
        Answers(
            getprop_sys="1\n\n\nend\n"
        ),  # an image without the older one, and no animation was started
        Answers(settings_get="0.5\n"),
        Answers(cmd_package="/system/bin/sh: cmd: not found\ncode 127\n"),
        Answers(dumpsys_window="  mCurrentFocus=Window{9f1 u0 NotificationShade}\n"),
    ],
)
def test_what_older_and_other_images_say_will_do(phone: Answers) -> None:
    assert BootGate("A", phone).look()


def test_a_question_that_fails_is_no_evidence() -> None:
    class Broken(Answers):
        def shell(self, command: str) -> str:
            raise DeviceOffline("running 'getprop' on emulator-5554: device offline")

    gate = BootGate("A", Broken())
    assert not gate.look()
    assert "the question failed: running 'getprop'" in gate.last_seen


def test_what_held_is_not_asked_again() -> None:
    phone = Answers(settings_get="")
    gate = BootGate("A", phone)
    gate.look()
    phone.heard.clear()
    phone.answers["settings get"] = "1.0\n"
    assert gate.look()
    assert [line.split()[0] for line in phone.heard] == ["settings", "dumpsys"]


HANGING = "  mCurrentFocus=Window{1 u0 Application Not Responding: com.android.systemui}\n"
BUTTON = (
    '<node index="1" resource-id="android:id/aerr_wait" text="Wait" bounds="[100,200][300,400]" />'
)


def test_an_app_that_hangs_gets_its_wait_pressed_once() -> None:
    phone = Answers(dumpsys_window=HANGING, uiautomator_dump=BUTTON)
    gate = BootGate("A", phone)
    for _ in range(3):
        assert not gate.look()
    assert [line for line in phone.heard if line.startswith("input")] == ["input tap 200 300"]
    assert "com.android.systemui (its Wait was pressed once)" in gate.last_seen
    phone.answers["dumpsys window"] = READY["dumpsys window"]
    assert gate.look()


def test_a_button_that_is_not_found_is_not_guessed() -> None:
    phone = Answers(dumpsys_window=HANGING, uiautomator_dump="ERROR: could not get idle state.\n")
    gate = BootGate("A", phone)
    assert not gate.look()
    assert "Wait button was not found" in gate.last_seen
    assert not any(line.startswith("input") for line in phone.heard)
    phone.answers["uiautomator dump"] = BUTTON
    gate.look()
    assert any(line.startswith("input") for line in phone.heard)


def test_time_out_names_all_that_are_not_ready() -> None:
    clock = ManualClock()
    gates = [
        BootGate("A", Answers()),
        BootGate("B", Answers("")),
        BootGate("C", Answers("offline")),
    ]
    elapsed: list[float] = []
    with pytest.raises(DeviceTimeout) as caught:
        pass_gates(gates, 3, clock, lambda _, seconds: elapsed.append(seconds))
    assert clock.now() == 1003
    assert elapsed == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    said = str(caught.value)
    assert "within avd:NAME?timeout = 3 s" in said
    assert (
        "B stands at: attached to adb (1/7); last seen: the adb server does not know it yet" in said
    )
    assert "C stands at: online (2/7); last seen: adb says offline" in said
    assert "A stands" not in said


def test_the_last_look_is_at_the_deadline() -> None:
    clock, phone = ManualClock(), Answers("")

    def turn_on(gates: object, seconds: float) -> None:
        phone.adb = "device" if seconds >= 2.5 else ""

    pass_gates([BootGate("A", phone)], 3, clock, turn_on)
    assert clock.now() == 1003


SERIAL = "emulator-9996"  # beyond the ports of emulators, so that no console is asked


def test_an_emulator_says_whose_it_is_by_its_properties_too() -> None:
    phones = [
        VirtualPhone(profile=Profile(serial=serial), latency=Latency.from_knobs({"latency": "0"}))
        for serial in (SERIAL, "R5CT")
    ]
    with start_server(*phones) as server:
        where = server.host, server.port

        def running() -> dict[str, str]:
            return running_avds(*where, known_phones(*where, 5))

        assert running() == {}
        AdbBooting(*where, "R5CT").shell("setprop ro.kernel.qemu.avd_name Other")
        AdbBooting(*where, SERIAL).shell("setprop ro.kernel.qemu.avd_name Pixel_6")
        assert running() == {"Pixel_6": SERIAL}
        server.set_state(SERIAL, "offline")
        assert running() == {}
