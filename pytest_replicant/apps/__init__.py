"""The app under test: its package, its build, and the emulator that it may run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .app_file import find_file, is_path
    from .boot_gate import AdbBooting, BootGate, pass_gates, running_avds
    from .build import BuildResult, run_build
    from .emulator import (
        Emulator,
        Wish,
        avd_home,
        check_avd,
        choose_port,
        find_emulator,
        has_display,
        known_avds,
        start_emulator,
    )
    from .emulator_console import Console, console_port, snapshot_name
    from .package import AppPackage, ensure_installed
    from .package_readers import read_package
    from .process_tree import Interrupts

__getattr__ = lazy_names(
    __name__,
    {
        "app_file": "find_file is_path",
        "boot_gate": "AdbBooting BootGate pass_gates running_avds",
        "build": "BuildResult run_build",
        "emulator": "Emulator Wish avd_home check_avd choose_port find_emulator has_display known_avds "
        "start_emulator",
        "emulator_console": "Console console_port snapshot_name",
        "package": "AppPackage ensure_installed",
        "process_tree": "Interrupts",
        "package_readers": "read_package",
    },
)
