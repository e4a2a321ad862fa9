"""From a device URI to a running device: virtual phones, attached phones, leases; accounts that are
leased too."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .apps.build import BuildResult, lines_of, run_build
    from .apps.emulator import (
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
    from .apps.package import AppPackage, ensure_installed, find_file, is_path, read_package
    from .apps.process_tree import ProcessTree, interrupt_held
    from .attached import is_this_computer, list_phones, server_address
    from .device_pool import DevicePool
    from .doctor import Check, Subject, attached_phones, bounded, computer, examine, phones
    from .leases import MUTEX, Lease, Tickets, alone, holder_of
    from .open import (
        OpenDevice,
        Opened,
        demo_apps,
        installed_apps,
        open_device,
        parse_uri,
        read_uri,
        virtual_phone,
    )
    from .phone_settings import (
        KEPT,
        SETTINGS,
        WORDS,
        has_settings,
        put_back_left,
        use_settings,
    )
    from .quarantine import Loss, Quarantine, is_device_loss, is_lost, lease_folder, loss_reason
    from .readiness import (
        ANIMATIONS,
        Finding,
        PhoneUnfit,
        Status,
        make_ready,
        quick_checks,
        verdict,
        why_unfit,
        why_unusable,
    )
    from .requirements import ABILITIES, DeviceRequirements, Facts, NoMatchingDevice
    from .resources import Declared, Resource, ResourcePool, read_resources
    from .uri import DEMO_APPS, FAULT_KNOBS, KNOBS, LATENCY_KNOBS, DeviceUri, kind_of_phone

__getattr__, __dir__ = lazy_names(__name__)
