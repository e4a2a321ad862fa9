"""pm install, in one go or as a session of several writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from ...streams import in_thread
from ...system.apk import InstallFailed
from ..call import Call, CommandFailed

_VALUED = frozenset(("-S", "-i", "--user", "--abi", "--install-location", "--install-reason", "-p", "--pkg"))
_VALUED_MORE = frozenset(("--originating-uri", "--referrer", "--installer", "--dexopt-compiler-filter"))


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
        if word in _VALUED or word in _VALUED_MORE:
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
    """Exactly so many bytes of standard input, which the client may leave open. Raises ``CommandFailed``."""
    taken = bytearray()
    while len(taken) < size:
        chunk = await call.channels.read(min(1 << 16, size - len(taken)))
        if not chunk:
            raise CommandFailed(f"Failure [INSTALL_FAILED_INVALID_APK: {len(taken)} of {size} bytes came]", 1)
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
    """The lowest targetSdkVersion that is installed: 23 from Android 14 on, 24 from Android 15 on (AOSP
    ``services/core/java/com/android/server/pm/InstallPackageHelper.java``)."""
    return 24 if sdk >= 35 else 23 if sdk == 34 else 0


async def _commit(call: Call, data: bytes, source: str, flags: set[str]) -> int:
    packages, files = call.phone.packages, call.phone.files
    profile, settings = call.phone.profile, call.phone.settings
    if profile.verifier and settings.get("global", "verifier_verify_adb_installs") != "0":
        await call.line("Failure [INSTALL_FAILED_VERIFICATION_FAILURE: Install not allowed]")  # no one answered
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


def _folder(session: str) -> str:
    return f"/data/app/vmdl{session}.tmp"


async def _create(call: Call) -> int:
    files = call.phone.files
    options = _read(call.words[1:])
    session = next(str(number) for number in range(1_000_000, 2_000_000) if not files.exists(_folder(str(number))))
    files.mkdir(_folder(session))
    files.write(f"{_folder(session)}/.flags", " ".join(options.flags).encode())
    await call.line(f"Success: created install session [{session}]")
    return 0


def _session(call: Call, options: _Options) -> str:
    session = options.words[0] if options.words else ""
    if not session.isdecimal() or not call.phone.files.exists(_folder(session)):
        problem = f"java.lang.SecurityException: Caller has no access to session {session}"
        raise CommandFailed(f"\nException occurred while executing '{call.words[0]}':\n{problem}", 255)
    return session


async def _write(call: Call) -> int:
    options = _read(call.words[1:])
    session = _session(call, options)
    split = options.words[1].replace("/", "_") if len(options.words) > 1 else "base.apk"
    path = options.words[2] if len(options.words) > 2 else "-"
    if path != "-":
        data = _from_file(call, call.path(path))
    else:
        data = await (call.read_all() if options.size is None else _read_bytes(call, options.size))
    try:
        call.phone.files.write(f"{_folder(session)}/{split}", data)
    except OSError as error:
        raise CommandFailed(f"Error: failed to write; {error.strerror}", 255) from None
    await call.line(f"Success: streamed {len(data)} bytes")
    return 0


async def _commit_session(call: Call) -> int:
    session = _session(call, _read(call.words[1:]))
    files, folder = call.phone.files, _folder(session)
    parts = sorted((-stat.size, name) for name, stat in files.list(folder) if not name.startswith("."))
    if not parts:
        await call.line("Failure [INSTALL_FAILED_INVALID_APK: Missing split for session]")
        return 1
    names = [name for _, name in parts]
    base = next((name for name in names if name.startswith("base")), names[0])
    data, flags = files.read(f"{folder}/{base}"), files.read(f"{folder}/.flags").decode().split()
    files.remove(folder, recursive=True)
    return await _commit(call, data, base, set(flags))


async def _abandon(call: Call) -> int:
    session = _session(call, _read(call.words[1:]))
    call.phone.files.remove(_folder(session), recursive=True)
    await call.line("Success")
    return 0


INSTALLING: dict[str, Callable[[Call], Awaitable[int]]] = {
    "install": _install,
    "install-create": _create,
    "install-write": _write,
    "install-commit": _commit_session,
    "install-abandon": _abandon,
}
