"""What is done with a phone before tests get it: the app is installed once, still, and left as it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.apps import AppPackage, read_package
from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.pool import ANIMATIONS, OpenDevice, open_device
from pytest_replicant.provisioning import KEPT, PhonePreparation
from pytest_replicant.virtual import PhoneServer, VirtualPhone
from tests.apks import apk, ipa

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
    ) -> OpenDevice:
        driver = AndroidDriver.connect(self._server.host, self._server.port, self.phone.profile.serial)
        opened = OpenDevice(driver, (self._server.host, self._server.port))
        opened.on_close(driver.close)
        self._open.callback(opened.close)
        PhonePreparation(package, changes).prepare(opened)
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
    assert [stat[0] for stat in runs.phone.files.list("/data/local/tmp") if stat[0].endswith(".apk")] == []


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


def test_a_package_that_was_changed_meanwhile(runs: Runs, tmp_path: Path) -> None:
    package = camera(tmp_path)
    camera(tmp_path, 1, label="Another")
    with pytest.raises(UsageError, match="was changed since this run began"):
        runs.open(package)
    assert runs.installed() == 0


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


def test_a_package_that_is_for_several_processors(runs: Runs, tmp_path: Path) -> None:
    runs.open(camera(tmp_path, abis=("x86_64", "arm64-v8a")))
    assert runs.installed() > 0


def test_a_refused_package_is_sent_once(runs: Runs, tmp_path: Path) -> None:
    opened = runs.open()
    preparation = PhonePreparation(camera(tmp_path, min_sdk=99), ())
    errors = []
    for _ in range(2):
        with pytest.raises(UsageError) as raised:
            preparation.prepare(opened)
        errors.append(raised.value)
    assert errors[0] is errors[1]


def test_a_full_phone_is_the_phones_trouble(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_permissions_are_left_to_be_asked_for(runs: Runs, tmp_path: Path) -> None:
    driver = runs.open(camera(tmp_path, permissions=("CAMERA",))).driver
    assert driver.permissions(APP) == {CAMERA: False}


@pytest.mark.parametrize("make", [apk, ipa])
def test_an_iphone_is_left_alone(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    package = read_package(make(tmp_path))
    with open_device("virtual:ios?latency=0") as opened:
        PhonePreparation(package, ("permissions", "animations")).prepare(opened)
        assert opened.driver.app_status(package.id) == "stopped"


def scales(phone: VirtualPhone) -> list[str | None]:
    return [phone.settings.get("global", name) for name in ANIMATIONS]


def test_animations_are_off_and_back(runs: Runs) -> None:
    runs.phone.settings.put("global", ANIMATIONS[0], "0.5")
    runs.phone.settings.delete("global", ANIMATIONS[1])
    before = scales(runs.phone)
    opened = runs.open(changes=["animations"])
    assert scales(runs.phone) == ["0", "0", "0"]
    opened.close()
    assert scales(runs.phone) == before
    assert not runs.phone.files.exists(KEPT)


def test_animations_may_be_kept(runs: Runs) -> None:
    before = scales(runs.phone)
    runs.open()
    assert scales(runs.phone) == before


def test_a_run_that_was_killed_leaves_them_for_the_next(runs: Runs) -> None:
    runs.phone.settings.put("global", ANIMATIONS[0], "2")
    before = scales(runs.phone)
    runs.open(changes=["animations"]).driver.close()  # and nothing more is done
    assert scales(runs.phone) == ["0", "0", "0"]
    runs.open(changes=["animations"]).close()
    assert scales(runs.phone) == before
    assert not runs.phone.files.exists(KEPT)


def test_what_was_kept_is_no_command(runs: Runs) -> None:
    runs.phone.files.write(KEPT, b"1; setprop bad 1\n$(setprop bad 1)\n2\n")
    runs.open(changes=["animations"]).close()
    assert scales(runs.phone) == [None, None, "2"]
    assert runs.phone.settings.get("property", "bad") is None


@pytest.mark.parametrize("damaged", [b"", b"1\n", b"1\n2\n3\n4\n"])
def test_what_was_kept_by_halves_is_kept_again(runs: Runs, damaged: bytes) -> None:
    runs.phone.settings.put("global", ANIMATIONS[0], "0.5")
    before = scales(runs.phone)
    runs.phone.files.write(KEPT, damaged)
    opened = runs.open(changes=["animations"])
    assert scales(runs.phone) == ["0", "0", "0"]
    opened.close()
    assert scales(runs.phone) == before
    assert not runs.phone.files.exists(KEPT)


def test_a_setting_of_several_lines_leaves_them_on(runs: Runs) -> None:
    runs.phone.settings.put("global", ANIMATIONS[1], "1\nof two lines")
    before = scales(runs.phone)
    runs.open(changes=["animations"]).close()
    assert scales(runs.phone) == before


def test_where_nothing_can_be_kept_nothing_is_changed(runs: Runs) -> None:
    runs.phone.files.mkdir(f"{KEPT}.new")
    before = scales(runs.phone)
    runs.open(changes=["animations"]).close()
    assert scales(runs.phone) == before


def test_animations_cost_one_command_each_way(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    shell = AndroidDriver.shell

    def counting(driver: AndroidDriver, command: str, timeout: float) -> object:
        said.append(command)
        return shell(driver, command, timeout)

    monkeypatch.setattr(AndroidDriver, "shell", counting)
    opened = runs.open(changes=["animations"])
    assert len(said) == 1
    opened.close()
    assert len(said) == 2


def test_a_phone_that_is_gone_is_closed_all_the_same(runs: Runs) -> None:
    opened = runs.open(changes=["animations"])
    opened.driver.close()
    opened.close()
