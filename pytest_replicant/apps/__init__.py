"""The app under test: its package, its build, and the emulator that it may run on."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .build import BuildResult, lines_of, run_build
    from .emulator import (
        AdbBooting,
        BootGate,
        Console,
        Emulator,
        Wish,
        avd_home,
        check_avd,
        choose_port,
        console_port,
        find_emulator,
        has_display,
        known_avds,
        pass_gates,
        running_avds,
        snapshot_name,
        start_emulator,
    )
    from .package import AppPackage, ensure_installed, find_file, is_path, read_package
    from .process_tree import ProcessTree, interrupt_held

__getattr__, __dir__ = lazy_names(__name__)
