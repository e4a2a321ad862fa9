"""What ``dumpsys package`` says of installed packages."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...designs.material.permissions import RUNTIME
from ...device.phone import VirtualPhone
from ...system.packages import Package
from .dump_display import token
from .intent import LAUNCHER, MAIN


def dump_package(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys package [P]``; of all packages without one."""
    plain = [word for word in words if not word.startswith("-")]
    if plain:
        found = phone.packages.get(plain[-1])
        if found is None:
            return f"\nDexopt state:\n  Unable to find package: {plain[-1]}\n"
        chosen = [found]
    else:
        chosen = phone.packages.installed()
    return (
        "".join(_resolver(package) for package in chosen)
        + "\nPackages:\n"
        + "".join(_package(phone, package) for package in chosen)
    )


def _resolver(package: Package) -> str:
    launcher = [(f"{MAIN} {LAUNCHER}", package.activity)] if package.activity else []
    lines = []
    for intent, activity in (*launcher, *package.answers):
        action, *categories = intent.split()
        lines += [
            f"      {action}:",
            f"        {token(package.name)} {package.component(activity)} filter {token(activity)}",
            f'          Action: "{action}"',
            *(f'          Category: "{category}"' for category in categories),
        ]
    return "\n".join(["Activity Resolver Table:", "  Non-Data Actions:", *lines, ""]) if lines else ""


def _package(phone: VirtualPhone, package: Package) -> str:
    kind = "SYSTEM HAS_CODE" if package.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
    kind = f"DEBUGGABLE {kind}" if package.debuggable else kind
    lines = [
        f"  Package [{package.name}] ({token(package.name)}):",
        f"    userId={package.user_id}",
        f"    pkg=Package{{{token(package.path)} {package.name}}}",
        f"    codePath={package.path.rpartition('/')[0]}",
        f"    resourcePath={package.path.rpartition('/')[0]}",
        f"    primaryCpuAbi={phone.profile.abi}",
        f"    versionCode={package.version_code} minSdk={package.min_sdk} targetSdk={package.target_sdk}",
        f"    versionName={package.version_name}",
        f"    flags=[ {kind} ]",
        f"    pkgFlags=[ {kind} ]",
        f"    dataDir=/data/user/0/{package.name}",
        f"    firstInstallTime={_moment(package.installed_at)}",
        f"    lastUpdateTime={_moment(package.updated_at)}",
        f"    signatures=PackageSignatures{{{token(package.name)} version:2, signatures:[{package.signature}]}}",
        "    requested permissions:",
        *(f"      {name}" for name in package.requested),
        "    install permissions:",
        *(f"      {name}: granted=true" for name in package.requested if name not in RUNTIME),
        "    User 0: ceDataInode=1000 installed=true hidden=false suspended=false stopped=false enabled=0",
        "      runtime permissions:",
        *(
            f"        {name}: granted={str(name in package.granted).lower()}, flags=[ {_flags(package, name)}]"
            for name in sorted({*package.requested, *package.granted} & RUNTIME.keys())
        ),
        "",
    ]
    return "\n".join(lines) + "\n"


def _flags(package: Package, permission: str) -> str:
    flags = {"USER_SET": package.user_set, "USER_FIXED": package.user_fixed, "ONE_TIME": package.one_time}
    names = "|".join(flag for flag, held in flags.items() if permission in held)
    return f"{names} " if names else ""


def _moment(epoch: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(epoch))
