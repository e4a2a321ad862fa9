"""What is done with a phone before tests get it: the app is installed once, still, and left as it
was."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.pool import ANIMATIONS, KEPT, SETTINGS, AppPackage, OpenDevice, read_package
from pytest_replicant.running import PhonePreparation
from pytest_replicant.virtual import PhoneServer, Profile, VirtualPhone
from tests.apks import apk

APP = "dev.example.camera"
CAMERA, INTERNET = "android.permission.CAMERA", "android.permission.INTERNET"


class Runs:
    """Each ``open`` is another run that uses the phone."""

    def __init__(self, phone: VirtualPhone, server: PhoneServer) -> None:
        self.phone = phone
        self._server = server
        self._open = ExitStack()

    def open(
        self,
        package: AppPackage | None = None,
        changes: Collection[str] = (),
        app: str | None = None,
    ) -> OpenDevice:
        driver = AndroidDriver.connect(
            self._server.host, self._server.port, self.phone.profile.serial
        )
        opened = OpenDevice(driver, (self._server.host, self._server.port))
        opened.on_close(driver.close)
        self._open.callback(opened.close)
        PhonePreparation(package, changes, app).prepare(opened)
        return opened

    def installed(self) -> float:
        """When it was."""
        found = self.phone.packages.get(APP)
        return found.updated_at if found else 0.0

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def runs(phone: VirtualPhone, server: PhoneServer) -> Iterator[Runs]:
    made = Runs(phone, server)
    yield made
    made.close()


def camera(folder: Path, version: int = 1, **facts: Any) -> AppPackage:
    made = apk(folder, f"camera-{version}.apk", package=APP, version_code=version, **facts)
    return read_package(made)


def test_it_is_installed_once(runs: Runs, tmp_path: Path) -> None:
    package = camera(tmp_path)
    runs.open(package).close()
    first = runs.installed()
    assert first > 0
    runs.open(package).close()
    assert runs.installed() == first
    assert [
        stat[0] for stat in runs.phone.files.list("/data/local/tmp") if stat[0].endswith(".apk")
    ] == []


def test_another_build_is_installed_over_it(runs: Runs, tmp_path: Path) -> None:
    runs.open(camera(tmp_path)).close()
    first = runs.installed()
    runs.open(camera(tmp_path, 2)).close()
    assert runs.installed() > first
    found = runs.phone.packages.get(APP)
    assert found is not None
    assert found.version_code == 2


def test_a_build_that_somebody_else_installed_is_noticed(runs: Runs, tmp_path: Path) -> None:
    package = camera(tmp_path)
    runs.open(package).close()
    same_version = apk(tmp_path, "other.apk", package=APP, label="Other")
    runs.phone.packages.install(same_version.read_bytes())
    found = runs.phone.packages.get(APP)
    assert found is not None
    runs.phone.files.write(found.path, same_version.read_bytes())
    runs.open(package).close()
    assert runs.phone.files.read(found.path) == package.path.read_bytes()


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"min_sdk": 99}, "needs API level 99"),
        ({"abis": ("mips",)}, "holds native code for mips alone, and .* runs arm64-v8a"),
    ],
)
def test_a_package_that_does_not_fit_is_not_sent(
    runs: Runs, tmp_path: Path, facts: dict[str, Any], expected: str
) -> None:
    with pytest.raises(UsageError, match=expected):
        runs.open(camera(tmp_path, **facts))
    assert runs.installed() == 0


def test_an_app_under_test_that_is_not_there_is_refused_with_the_nearest(runs: Runs) -> None:
    """Tests that launch their app by name would pass, whatever ``--replicant-app`` says."""
    there = next(name for name in runs.phone.packages.names() if name.startswith("dev."))
    runs.open(app=there)
    with pytest.raises(
        UsageError, match=rf"{there}x is not installed.* Near names on it: {there}\b"
    ):
        runs.open(app=f"{there}x")


def test_a_full_phone_is_the_phones_trouble(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = camera(tmp_path)
    write = runs.phone.files.write

    def full(path: str, *rest: object) -> None:
        if path.startswith("/data/app"):
            raise OSError(28, "No space left on device", path)
        write(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(runs.phone.files, "write", full)
    with pytest.raises(DeviceError, match="INSUFFICIENT_STORAGE"):
        runs.open(package)


def test_permissions_are_granted_and_stay_so(runs: Runs, tmp_path: Path) -> None:
    driver = runs.open(camera(tmp_path, permissions=("CAMERA", "INTERNET")), ["permissions"]).driver
    assert driver.permissions(APP) == {CAMERA: True}
    driver.clear_data(APP)
    assert driver.permissions(APP) == {CAMERA: True}
    driver.set_permission(APP, "camera", False)
    assert driver.permissions(APP) == {CAMERA: False}
    driver.restore_settings()
    assert driver.permissions(APP) == {CAMERA: True}


WORDS = ("animations", "awake", "dialogs")
DOCTORED = "com.google.android.gms/.autofill.service.AutofillService"


def settings_of(phone: VirtualPhone) -> dict[str, str | None]:
    return {one.name: phone.settings.get(one.namespace, one.key) for one in SETTINGS}


def scales(phone: VirtualPhone) -> list[str | None]:
    return [phone.settings.get("global", name) for name in ANIMATIONS]


def test_settings_are_changed_while_it_is_used_and_put_back(runs: Runs) -> None:
    runs.phone.settings.put("global", ANIMATIONS[0], "0.5")
    runs.phone.settings.delete("global", ANIMATIONS[1])
    runs.phone.settings.put("secure", "autofill_service", DOCTORED)
    before = settings_of(runs.phone)
    opened = runs.open(changes=WORDS)
    plugged = {one.name: one.value for one in SETTINGS if not one.only}
    assert {
        name: value for name, value in settings_of(runs.phone).items() if name in plugged
    } == plugged
    assert runs.phone.settings.get("system", "screen_off_timeout") == "30000"
    assert runs.phone.settings.get("secure", "stylus_handwriting_enabled") is None
    opened.close()
    assert settings_of(runs.phone) == before
    assert [
        name
        for name, _ in runs.phone.files.list("/data/local/tmp")
        if name.startswith("replicant-s")
    ] == []


def test_without_a_cable_the_screen_stays_on_by_its_timeout(runs: Runs) -> None:
    opened = runs.open()
    opened.driver.shell("dumpsys battery unplug", 5)
    opened.close()
    opened = runs.open(changes=WORDS)
    assert runs.phone.settings.get("system", "screen_off_timeout") == "14400000"
    opened.close()
    assert runs.phone.settings.get("system", "screen_off_timeout") == "30000"


@pytest.mark.parametrize("again", [WORDS, ("awake",), ()])
def test_a_run_that_was_killed_leaves_its_record_for_the_next(
    runs: Runs, again: tuple[str, ...]
) -> None:
    runs.phone.settings.put("global", ANIMATIONS[0], "2")
    before = settings_of(runs.phone)
    runs.open(changes=WORDS).driver.close()  # and nothing more is done
    assert scales(runs.phone) == ["0", "0", "0"]
    opened = runs.open(changes=again)
    after = settings_of(runs.phone)
    assert {one.word for one in SETTINGS if after[one.name] != before[one.name]} == set(again)
    opened.close()
    assert settings_of(runs.phone) == before
    assert not runs.phone.files.exists(KEPT)


HOSTILE = [
    "$(setprop bad 1)",
    "'; setprop bad 1; '",
    "",
    "a\n\n",
    "0\nglobal stay_on_while_plugged_in\n9",
    "-n",
    "é 😀",
]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_is_put_back_as_it_was(runs: Runs, value: str) -> None:
    runs.phone.settings.put("global", ANIMATIONS[1], value)
    before = settings_of(runs.phone)
    opened = runs.open(changes=WORDS)
    assert scales(runs.phone) == ["0", "0", "0"]
    opened.close()
    assert settings_of(runs.phone) == before
    assert runs.phone.settings.get("property", "bad") is None


@pytest.mark.parametrize(
    "record",
    [
        b"\xff\n",
        b"",
        b"m\nm global adb_enabled\n0\nm end\n",
        b"m\nm global x; setprop bad 1\n0\nm end\n",
        f"m\nm global {ANIMATIONS[0]}\n$(setprop bad 1)".encode(),
    ],
)
def test_a_damaged_or_hostile_record_changes_nothing_else(runs: Runs, record: bytes) -> None:
    before = settings_of(runs.phone)
    runs.phone.files.write(KEPT, record)
    runs.open(changes=WORDS).close()
    assert settings_of(runs.phone) == before
    assert runs.phone.settings.get("global", "adb_enabled") == "1"
    assert runs.phone.settings.get("property", "bad") is None
    assert not runs.phone.files.exists(KEPT)


def test_where_nothing_can_be_recorded_nothing_is_changed(runs: Runs) -> None:
    runs.phone.files.mkdir(f"{KEPT}.new")
    before = settings_of(runs.phone)
    with pytest.warns(pytest.PytestWarning, match="cannot record .*, so that none was changed"):
        opened = runs.open(changes=WORDS)
    assert settings_of(runs.phone) == before
    opened.close()


def test_settings_cost_one_command_each_way(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    shell = AndroidDriver.shell

    def counting(driver: AndroidDriver, command: str, timeout: float) -> object:
        said.append(command)
        return shell(driver, command, timeout)

    monkeypatch.setattr(AndroidDriver, "shell", counting)
    opened = runs.open(changes=WORDS)
    assert len(said) == 1
    opened.close()
    assert len(said) == 2


DENIED = (
    "the phone refused to change window_animation_scale.*SecurityException: Permission denial: "
    "writing to settings"
)


@pytest.mark.parametrize("phone", [Profile(writes_settings=False)], indirect=True)
def test_a_maker_that_refuses_is_said_once_and_the_run_goes_on(runs: Runs) -> None:
    before = settings_of(runs.phone)
    with pytest.warns(pytest.PytestWarning) as warned:
        opened = runs.open(changes=WORDS)
    (said,) = warned
    assert re.search(DENIED, str(said.message))
    assert "USB debugging (Security settings), then restart the phone" in str(said.message)
    assert "animations stay on; the screen may go dark" in str(said.message)
    assert settings_of(runs.phone) == before
    opened.close()
    assert not runs.phone.files.exists(KEPT)


def test_a_phone_that_is_gone_is_closed_all_the_same(runs: Runs) -> None:
    opened = runs.open(changes=WORDS)
    opened.driver.close()
    opened.close()
