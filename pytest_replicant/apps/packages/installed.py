"""Is the app on the phone this very package? What the phone holds is asked of the phone, and of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drivers import Capability
from ...errors import UsageError
from .digest import sha256_of

if TYPE_CHECKING:
    from ...drivers import Driver
    from .package import AppPackage

HASH_SECONDS = 60.0  # a large package on a slow phone
ASK_SECONDS = 20.0


def ensure_installed(driver: Driver, package: AppPackage) -> bool:
    """Installs it unless the phone has it, and says whether it did. What is for another platform, or for a phone
    that installs nothing, is left to its user.

    Raises ``UsageError`` for a package that this phone cannot take, ``DeviceError`` where the phone is in trouble.
    """
    if driver.info.platform != package.platform or Capability.INSTALL not in driver.capabilities:
        return False
    if Capability.SHELL in driver.capabilities and _is_there(driver, package):
        return False
    _check_fits(driver, package)
    if sha256_of(package.path) != package.sha256:
        raise UsageError(f"{package.path} was changed since this run began; nothing was installed. Run it again")
    driver.install(package.path)
    return True


def _is_there(driver: Driver, package: AppPackage) -> bool:
    """By the bytes that the phone keeps of what was installed: so it is noticed whoever installed another build.
    A phone that cannot say has it not."""
    listed = driver.shell(["pm", "path", package.id], ASK_SECONDS).stdout.split("\n")
    places = [line[len("package:") :].strip() for line in listed if line.startswith("package:")]
    if len(places) != 1:  # none, or the parts of a split package
        return False
    said = driver.shell(["sha256sum", places[0]], HASH_SECONDS).stdout.split()
    return said[:1] == [package.sha256]


def _check_fits(driver: Driver, package: AppPackage) -> None:
    """Before megabytes are sent. What the phone does not say is for its installer to judge."""
    info = driver.info
    level = str(info.extra.get("sdk", ""))
    if level.isdecimal() and int(level) < package.min_api:
        raise UsageError(
            f"{package.path.name} needs API level {package.min_api}, and {info.serial} ({info.model}) has "
            f"{level}. Nothing was installed. Next: a newer phone, such as by @pytest.mark.replicant(api="
            f'">={package.min_api}"), or a lower minSdk'
        )
    if not package.abis or Capability.SHELL not in driver.capabilities:
        return
    said = driver.shell(["getprop", "ro.product.cpu.abilist"], ASK_SECONDS).stdout
    runs = [name.strip() for name in said.split(",") if name.strip()]
    if runs and not {*runs} & {*package.abis}:
        raise UsageError(
            f"{package.path.name} holds native code for {', '.join(package.abis)} alone, and {info.serial} "
            f"({info.model}) runs {', '.join(runs)}. Nothing was installed. Next: build it for {runs[0]} as well"
        )
