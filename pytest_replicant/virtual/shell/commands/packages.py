"""pm: installed packages and their permissions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ...demo_apps.launcher import LAUNCHER as HOME_SCREEN
from ...designs.material.permissions import RUNTIME
from ...streams import in_thread
from ...system.apk import InstallFailed
from ...system.packages import Package
from ..call import Call, CommandFailed
from ..registry import table
from .intent import CHOOSER, DEFAULT, HOME, LAUNCHER, MAIN, answering, read_intent, short_component

FEATURES = (
    "reqGlEsVersion=0x30002",
    "android.hardware.camera",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.touchscreen",
    "android.hardware.wifi",
    "android.software.input_methods",
)
_VALUED = frozenset(("--user", "-i", "-a", "-c", "-d", "-t", "--query-flags", "--uid", "--display"))


def _plain(words: Sequence[str], valued: frozenset[str] = _VALUED) -> tuple[set[str], list[str]]:
    """Options, and the words that are none (nor an option's value)."""
    options: set[str] = set()
    plain: list[str] = []
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word.startswith("-"):
            options.add(word)
            if word in valued:
                pending = pending[1:]
        elif word:
            plain.append(word)
    return options, plain


def _required(call: Call) -> str:
    plain = _plain(call.words[1:])[1]
    if not plain:
        raise CommandFailed("Error: no package specified", 1)
    return plain[0]


_USERS = ["Users:", "\tUserInfo{0:Owner:c13} running"]


async def _list(call: Call) -> int:
    what = call.words[1] if len(call.words) > 1 else ""
    if what in ("packages", "package"):
        return await _list_packages(call)
    lists = {
        "features": [f"feature:{name}" for name in FEATURES],
        "instrumentation": [],
        "users": _USERS,
    }
    if what not in lists:
        raise CommandFailed(f"Error: unknown list type '{what}'", 255)
    await call.out("".join(f"{line}\n" for line in lists[what]))
    return 0


async def _list_packages(call: Call) -> int:
    options, plain = _plain(call.words[2:], frozenset(("--user", "--uid")))
    wanted = plain[0] if plain else ""
    for package in call.phone.packages.installed():
        if (package.system and "-3" in options) or (not package.system and "-s" in options):
            continue
        if "-d" in options or wanted not in package.name:
            continue
        await call.line(_package_line(package, options))
    return 0


def _package_line(package: Package, options: set[str]) -> str:
    line = "package:" + (f"{package.path}={package.name}" if "-f" in options else package.name)
    if "--show-versioncode" in options:
        line += f" versionCode:{package.version_code}"
    if "-i" in options:
        line += "  installer=null"
    if "-U" in options:
        line += f" uid:{package.user_id}"
    return line


async def _path(call: Call) -> int:
    name = _required(call)
    if name == "android":  # Android itself, which boots into being a package first of all
        await call.line("package:/system/framework/framework-res.apk")
        return 0
    package = call.phone.packages.get(name)
    if package is None:
        return 1
    await call.line(f"package:{package.path}")
    return 0


async def _clear(call: Call) -> int:
    cleared = await in_thread(call.phone.clear_app, _required(call))
    await call.line("Success" if cleared else "Failed")
    return int(not cleared)


async def _uninstall(call: Call) -> int:
    name = _required(call)
    package = call.phone.packages.get(name)
    if package is None or package.system:
        await call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]")
        return 1
    await in_thread(call.phone.clear_app, name)
    call.phone.packages.uninstall(name)
    if call.phone.files.exists(package.path):
        call.phone.files.remove(package.path)
    await call.line("Success")
    return 0


async def _permission(call: Call) -> int:
    """``grant`` and ``revoke``. An app that loses a permission is ended, as by the settings of a
    phone."""
    verb, plain = call.words[0], _plain(call.words[1:])[1]
    if len(plain) < 2:
        raise CommandFailed("Error: no permission specified", 1)
    name, permission = plain[:2]
    package = call.phone.packages.get(name)
    problem = _no_permission(package, name, permission)
    if package is None or problem:
        raise CommandFailed(f"\nException occurred while executing '{verb}':\n{problem}", 255)
    if verb == "grant":
        call.phone.packages.grant(name, permission)
    else:
        call.phone.packages.revoke(name, permission)
        if permission in package.granted:
            await in_thread(call.phone.stop_app, name)
    return 0


def _no_permission(package: Package | None, name: str, permission: str) -> str:
    """Returns the reason why it cannot be granted or revoked, in Android's words; "" if it can."""
    if package is None:
        return f"java.lang.IllegalArgumentException: Unknown package: {name}"
    if permission not in package.requested:
        return (
            f"java.lang.SecurityException: Package {name} has not requested permission {permission}"
        )
    if permission.startswith("android.permission.") and permission not in RUNTIME:
        return (
            f"java.lang.SecurityException: Permission {permission} requested by {name} "
            "is not a changeable permission type"
        )
    return ""


_MATCH = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"


def _found(call: Call) -> tuple[bool, list[tuple[str, str]]]:
    """Whether it is to be brief, and package and activity of all that answer the intent
    (PackageManagerShellCommand.java, ``runQueryIntentActivities``). Raises ``CommandFailed``."""
    words = list(call.words[1:])
    while "--query-flags" in words:
        at = words.index("--query-flags")
        del words[at : at + 2]
    if not [word for word in words if word]:
        missing = "java.lang.IllegalArgumentException: No intent supplied"
        raise CommandFailed(
            f"\nException occurred while executing '{call.words[0]}':\n{missing}", 255
        )
    intent = read_intent([word for word in words if word not in ("--brief", "--components")])
    installed = call.phone.packages.installed()
    if intent.action == MAIN and HOME in intent.categories:
        return "--brief" in words, [(HOME_SCREEN.package, HOME_SCREEN.main_activity)]
    if (
        intent.action in ("", MAIN)
        and not intent.component
        and set(intent.categories) <= {LAUNCHER, DEFAULT}
    ):
        started = [
            each for each in installed if each.activity and intent.package in ("", each.name)
        ]
        return "--brief" in words, [(each.name, each.activity) for each in started]
    return "--brief" in words, answering(intent, installed)


async def _resolve(call: Call) -> int:
    """The one activity that an intent opens; if there are several, who asks the user which."""
    brief, found = _found(call)
    if not found:
        await call.line("No activity found")
        return 0
    chosen = found[0] if len(found) == 1 else CHOOSER
    if brief:
        await call.out(f"{_MATCH}\n{short_component(*chosen)}\n")
    else:
        await call.out(_activity_info(*chosen, ""))
    return 0


def _activity_info(package: str, activity: str, indent: str) -> str:
    lines = (
        _MATCH,
        "ActivityInfo:",
        f"  name={activity}",
        f"  packageName={package}",
        "  enabled=true exported=true",
        "  ApplicationInfo:",
        f"    packageName={package}",
        f"    processName={package}",
    )
    return "".join(f"{indent}{line}\n" for line in lines)


async def _query(call: Call) -> int:
    brief, found = _found(call)
    if not found:
        await call.line("No activities found")
        return 0
    await call.line(f"{len(found)} activities found:")
    for index, each in enumerate(found):
        if brief:
            await call.out(f"  {_MATCH}\n  {short_component(*each)}\n")
        else:
            await call.out(f"  Activity #{index}:\n" + _activity_info(*each, "    "))
    return 0


_WITH_VALUE = frozenset(
    ("-S", "-i", "--user", "--abi", "--install-location", "--install-reason", "-p", "--pkg")
)


_NO_ROOM = "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location]"


@dataclass
class _Options:
    flags: set[str] = field(default_factory=set)
    size: int | None = None
    words: list[str] = field(default_factory=list)


def _read(words: Sequence[str]) -> _Options:
    options = _Options()
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word in _WITH_VALUE:
            if not pending:
                raise CommandFailed(f'Error: Argument expected after "{word}"', 1)
            value = pending.pop(0)
            if word == "-S":
                if not value.isdecimal():
                    raise CommandFailed(f"Error: Bad size: {value}", 1)
                options.size = int(value)
        elif word.startswith("-") and word != "-":
            options.flags.add(word)
        else:
            options.words.append(word)
    return options


async def _read_bytes(call: Call, size: int) -> bytes:
    """Exactly so many bytes of standard input, which the client may leave open. Raises
    ``CommandFailed``."""
    taken = bytearray()
    while len(taken) < size:
        chunk = await call.channels.read(min(1 << 16, size - len(taken)))
        if not chunk:
            raise CommandFailed(
                f"Failure [INSTALL_FAILED_INVALID_APK: {len(taken)} of {size} bytes came]", 1
            )
        taken += chunk
    return bytes(taken)


async def _install(call: Call) -> int:
    options = _read(call.words[1:])
    name = options.words[0] if options.words else "-"
    if options.size is not None:
        data, source = await _read_bytes(call, options.size), "base.apk"
    elif name == "-":
        raise CommandFailed("Error: must either specify a package size or an APK file", 1)
    else:
        source = call.path(name)
        data = _from_file(call, source)
    return await _commit(call, data, source, options.flags)


def _from_file(call: Call, path: str) -> bytes:
    try:
        return call.phone.files.read(path)
    except OSError:
        message = (
            f"Error: failed to open file: {path}\nError: Unable to open file: {path}\n"
            "Consider using a file under /data/local/tmp/"
        )
        raise CommandFailed(message, 255) from None


def _oldest_target(sdk: int) -> int:
    """The lowest targetSdkVersion that is installed: 23 from Android 14 on, 24 from Android 15 on
    (AOSP ``services/core/java/com/android/server/pm/InstallPackageHelper.java``)."""
    return 24 if sdk >= 35 else 23 if sdk == 34 else 0


async def _commit(call: Call, data: bytes, source: str, flags: set[str]) -> int:
    packages, files = call.phone.packages, call.phone.files
    profile, settings = call.phone.profile, call.phone.settings
    if profile.verifier and settings.get("global", "verifier_verify_adb_installs") != "0":
        await call.line(
            "Failure [INSTALL_FAILED_VERIFICATION_FAILURE: Install not allowed]"
        )  # no one answered
        return 1
    oldest = 0 if "--bypass-low-target-sdk-block" in flags else _oldest_target(profile.sdk)
    try:
        files.check_room(len(data))  # before anything is written into the books
        install = partial(packages.install, oldest_target=oldest)
        package = await in_thread(install, data, source, profile.abi)
        files.write(package.path, data)
    except InstallFailed as failure:
        await call.line(str(failure))
        return 1
    except OSError:
        await call.line(_NO_ROOM)
        return 1
    if "-g" in flags:
        for permission in package.requested:
            packages.grant(package.name, permission)
    await in_thread(call.phone.stop_app, package.name)
    await call.line("Success")
    return 0


_PM: dict[str, Callable[[Call], Awaitable[int]]] = {
    "list": _list,
    "path": _path,
    "clear": _clear,
    "uninstall": _uninstall,
    "grant": _permission,
    "revoke": _permission,
    "resolve-activity": _resolve,
    "query-activities": _query,
    "install": _install,
}


async def _pm(call: Call) -> int:
    words = list(call.words)
    command = _PM.get(words[0]) if words else None
    if command is None:
        unknown = f"Unknown command: {words[0]}\n" if words else ""
        raise CommandFailed(
            f"{unknown}Package manager (package) commands: {' '.join(sorted(_PM))}", 255
        )
    return await command(replace(call, name="pm"))


COMMANDS = table("shell", pm=_pm)
