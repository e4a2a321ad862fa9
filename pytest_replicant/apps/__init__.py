"""The app under test: what its package says, building it, and the emulator that it may run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .building.build import BuildResult, run_build
    from .emulators.boot_gate import BootGate, pass_gates
    from .emulators.emulator import Emulator, Wish, has_display, start_emulator
    from .emulators.emulator_adb import AdbBooting, running_avds
    from .emulators.emulator_binary import avd_home, check_avd, find_emulator, known_avds
    from .emulators.emulator_console import Console, console_port, snapshot_name
    from .emulators.emulator_ports import choose_port
    from .packages.given import find_file, is_path
    from .packages.installed import ensure_installed
    from .packages.package import AppPackage
    from .packages.read import read_package
    from .processes.interrupts import Interrupts

__getattr__ = lazy_names(
    __name__,
    {
        "building.build": "BuildResult run_build",
        "emulators.boot_gate": "BootGate pass_gates",
        "emulators.emulator": "Emulator Wish has_display start_emulator",
        "emulators.emulator_adb": "AdbBooting running_avds",
        "emulators.emulator_binary": "avd_home check_avd find_emulator known_avds",
        "emulators.emulator_console": "Console console_port snapshot_name",
        "emulators.emulator_ports": "choose_port",
        "packages.given": "find_file is_path",
        "packages.installed": "ensure_installed",
        "packages.package": "AppPackage",
        "packages.read": "read_package",
        "processes.interrupts": "Interrupts",
    },
)
