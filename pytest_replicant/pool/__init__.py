"""From a device URI to a running device: virtual phones, attached phones, leases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .attached import is_this_computer, list_phones, server_address
    from .demo_apps import DEMO_APPS
    from .doctor.check import Subject, examine
    from .doctor.computer import computer
    from .doctor.phones import phones
    from .fitness.android_state import ANIMATIONS
    from .fitness.checks import make_ready, why_unfit
    from .fitness.finding import Finding, Status, verdict
    from .kinds import expand, named, names_of
    from .leases.lease import Lease, lease_folder
    from .leases.lease_folder import MUTEX
    from .leases.tickets import Tickets
    from .open import OpenDevice, open_device, virtual_phone
    from .opened import Opened
    from .quarantine import Loss, Quarantine, is_lost, tells_of_a_loss
    from .uri import DeviceUri, is_unlimited, is_virtual, parse_uri
    from .wanted import NoneFits, Wanted
    from .warm import WarmPhones
    from .wda_url import hidden_in, told_uri

__getattr__ = lazy_names(
    __name__,
    {
        "attached": "is_this_computer list_phones server_address",
        "demo_apps": "DEMO_APPS",
        "doctor.check": "Subject examine",
        "doctor.computer": "computer",
        "doctor.phones": "phones",
        "fitness.android_state": "ANIMATIONS",
        "fitness.checks": "make_ready why_unfit",
        "fitness.finding": "Finding Status verdict",
        "kinds": "expand named names_of",
        "leases.lease": "Lease lease_folder",
        "leases.lease_folder": "MUTEX",
        "leases.tickets": "Tickets",
        "open": "OpenDevice open_device virtual_phone",
        "opened": "Opened",
        "quarantine": "Loss Quarantine is_lost tells_of_a_loss",
        "uri": "DeviceUri is_unlimited is_virtual parse_uri",
        "wanted": "NoneFits Wanted",
        "warm": "WarmPhones",
        "wda_url": "hidden_in told_uri",
    },
)
