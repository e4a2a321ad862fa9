"""What ``getprop`` reads, from the make of the phone."""

from __future__ import annotations

from ..profile import Profile

RADIO = "1.0.0"
BUILD = "RV1A.240101.001"
SAME_ON_EVERY_PHONE = {
    "dev.bootcomplete": "1",
    "gsm.sim.state": "ABSENT",
    "gsm.version.baseband": RADIO,
    "init.svc.adbd": "running",
    "init.svc.bootanim": "stopped",
    "persist.sys.timezone": "UTC",
    "persist.sys.usb.config": "adb",
    "ro.bootloader": "unknown",
    "ro.build.date.utc": "1704067200",
    "ro.build.display.id": BUILD,
    "ro.build.id": BUILD,
    "ro.build.tags": "release-keys",
    "ro.build.type": "user",
    "ro.build.version.codename": "REL",
    "ro.build.version.incremental": "1",
    "ro.build.version.security_patch": "2024-01-01",
    "ro.debuggable": "0",
    "ro.secure": "1",
    "service.adb.root": "0",
    "sys.boot_completed": "1",
    "sys.usb.state": "adb",
    "wifi.interface": "wlan0",
}

BOOTING = {"dev.bootcomplete": "", "init.svc.bootanim": "running", "sys.boot_completed": ""}
"""The properties that differ until Android is up."""


def properties(profile: Profile) -> dict[str, str]:
    """Android's read-only properties by name."""
    language, _, region = profile.locale.partition("-")
    make = f"{profile.brand}/{profile.product}/{profile.device}"
    names = {
        "brand": profile.brand,
        "device": profile.device,
        "manufacturer": profile.brand,
        "model": profile.model,
        "name": profile.product,
    }
    return {
        **SAME_ON_EVERY_PHONE,
        **{f"ro.product.{suffix}": value for suffix, value in names.items()},
        **{f"ro.product.system.{suffix}": value for suffix, value in names.items()},
        "persist.sys.locale": profile.locale,
        "ro.build.characteristics": profile.characteristics,
        "ro.boot.hardware": profile.device,
        "ro.boot.serialno": profile.serial,
        "ro.build.fingerprint": f"{make}:{profile.release}/{BUILD}/1:user/release-keys",
        "ro.build.product": profile.device,
        "ro.build.version.release": profile.release,
        "ro.build.version.sdk": str(profile.sdk),
        "ro.hardware": profile.device,
        "ro.product.cpu.abi": profile.abi,
        "ro.product.cpu.abilist": profile.abi,
        "ro.product.locale": profile.locale,
        "ro.product.locale.language": language,
        "ro.product.locale.region": region,
        "ro.serialno": profile.serial,
        "ro.sf.lcd_density": str(profile.density),
    }
