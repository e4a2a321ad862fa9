"""The Android emulator's own program: where it is on this computer, and which virtual devices it knows."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...errors import DeviceError, UsageError

LIST_SECONDS = 30.0  # it reads a folder; a first start on a cold disk is slow
_AVD = re.compile(r"[A-Za-z0-9._-]+")  # what avdmanager lets one be called


def find_emulator(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """The SDK that the environment names, then where SDKs usually are, then PATH. Raises ``UsageError`` naming
    every place that was looked at."""
    program = "emulator.exe" if system == "win32" else "emulator"
    places = [root / folder / program for root in _roots(environment, system) for folder in ("emulator", "tools")]
    for place in places:
        if os.access(place, os.X_OK) and place.is_file():
            return place
    on_path = shutil.which(program, path=environment.get("PATH", ""))
    if on_path is not None:
        return Path(on_path)
    raise UsageError(
        "the Android emulator is not installed, or not where it was looked for. Next: `sdkmanager emulator` "
        "(or Android Studio's SDK Manager), and ANDROID_HOME set to the folder of the SDK. Looked at:\n"
        + "\n".join(f"  {place}" for place in places)
        + f"\n  {program} on PATH"
    )


def _roots(environment: Mapping[str, str], system: str) -> Iterator[Path]:
    named = [environment.get(name) for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT")]
    roots = [Path(each).expanduser() for each in named if each]
    home = Path(environment["HOME"]) if environment.get("HOME") else Path.home()
    if system == "darwin":
        roots += [
            home / "Library/Android/sdk",
            Path("/opt/homebrew/share/android-commandlinetools"),
            Path("/usr/local/share/android-commandlinetools"),
        ]
    elif system == "win32":
        roots += [Path(environment.get("LOCALAPPDATA") or home / "AppData/Local") / "Android/Sdk"]
    else:
        roots += [home / "Android/Sdk", Path("/usr/local/lib/android/sdk"), Path("/usr/lib/android-sdk")]
    yield from dict.fromkeys(roots)


def avd_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Where virtual devices are kept: two of one name are one only in one such place."""
    if environment.get("ANDROID_AVD_HOME"):
        return Path(environment["ANDROID_AVD_HOME"])
    for name in ("ANDROID_USER_HOME", "ANDROID_EMULATOR_HOME"):
        if environment.get(name):
            return Path(environment[name]) / "avd"
    return Path(environment.get("ANDROID_SDK_HOME") or environment.get("HOME") or Path.home()) / ".android" / "avd"


def known_avds(binary: Path) -> list[str]:
    """The names of the virtual devices on this computer. Raises ``DeviceError``."""
    try:
        done = subprocess.run(
            [str(binary), "-list-avds"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DeviceError(f"`{binary} -list-avds` gave no answer in {LIST_SECONDS:g} s") from None
    except OSError as error:
        raise DeviceError(f"`{binary} -list-avds` cannot be run: {error.strerror or error}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[-500:]
        raise DeviceError(f"`{binary} -list-avds` ended with {done.returncode}: {said or 'it said nothing'}")
    lines = done.stdout.decode(errors="replace").splitlines()
    return [line.strip() for line in lines if _AVD.fullmatch(line.strip())]  # newer ones log between the names


def check_avd(name: str, known: list[str]) -> None:
    """Raises ``UsageError`` for one that this computer does not have."""
    if name in known:
        return
    if not known:
        raise UsageError(
            f"--replicant-avd={name}: this computer has no Android virtual device. Next: create one in Android "
            "Studio's Device Manager, or with `avdmanager create avd`; ANDROID_AVD_HOME names another folder"
        )
    near = difflib.get_close_matches(name, known, 1, 0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    raise UsageError(f"--replicant-avd={name}: no such virtual device.{meant} There are: {', '.join(known)}")
