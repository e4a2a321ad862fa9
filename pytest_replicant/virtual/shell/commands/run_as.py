"""run-as: a command in the data folder of a debuggable app, by that app's right."""

from __future__ import annotations

import io
import json
import posixpath
import tarfile
from collections.abc import Callable, Sequence

from ..call import Call, CommandFailed, short_options
from ..registry import table

STORED = "shared_prefs/stored.json"
"""The file in which an app's stored values are seen, no matter what they are."""
_USAGE = "run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]"

Files = dict[str, bytes]
"""By path, as seen from the app's folder."""


async def _run_as(call: Call) -> int:
    """The messages are those of AOSP's ``system/core/run-as/run-as.cpp``."""
    words = [*call.words]
    if words[1:2] == ["--user"]:
        del words[1:3]
    if len(words) < 2:
        raise CommandFailed(_USAGE)
    name, command, *arguments = words
    package = call.phone.packages.get(name)
    if package is None:
        raise CommandFailed(f"run-as: unknown package: {name}")
    if not package.debuggable:
        raise CommandFailed(f"run-as: package not debuggable: {name}")
    own = _COMMANDS.get(posixpath.basename(command))
    if own is None:
        return await call.spawn([command, *arguments], call.channels)
    stored = call.phone.app_data().get(name)
    files: Files = {STORED: json.dumps(stored).encode()} if stored else {}
    said = own(files, arguments, await call.read_all() if _reads(command, arguments) else b"")
    call.phone.store_app_data(name, json.loads(files[STORED]) if STORED in files else {})
    await call.channels.write(said)
    return 0


def _reads(command: str, arguments: Sequence[str]) -> bool:
    return command == "tar" and any("x" in word for word in arguments[:1])


def _ls(files: Files, arguments: Sequence[str], _: bytes) -> bytes:
    short_options(arguments, "aA1")
    names = {path.partition("/")[0] for path in files} | {"cache"}
    return "".join(f"{name}\n" for name in sorted(names)).encode()


def _rm(files: Files, arguments: Sequence[str], _: bytes) -> bytes:
    for name in short_options(arguments, "rRf")[1]:
        for path in _below(files, name):
            del files[path]
    return b""


def _tar(files: Files, arguments: Sequence[str], given: bytes) -> bytes:
    options, names = short_options(arguments, "cxpv", "f")
    if options.get("f") != "-" or ("c" in options) == ("x" in options):
        raise CommandFailed("tar: Need one of -cxt")
    if "x" in options:
        try:
            with tarfile.open(fileobj=io.BytesIO(given)) as archive:
                for member in archive:
                    if (content := archive.extractfile(member)) is not None:
                        files[posixpath.normpath(member.name)] = content.read()
        except tarfile.TarError:
            raise CommandFailed("tar: bad header") from None
        return b""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in names:
            for path in _below(files, name):
                entry = tarfile.TarInfo(f"./{path}")
                entry.size = len(files[path])
                archive.addfile(entry, io.BytesIO(files[path]))
    return packed.getvalue()


def _below(files: Files, name: str) -> list[str]:
    clean = posixpath.normpath(name)
    return [path for path in files if clean == "." or path == clean or path.startswith(f"{clean}/")]


_COMMANDS: dict[str, Callable[[Files, Sequence[str], bytes], bytes]] = {"ls": _ls, "rm": _rm, "tar": _tar}

COMMANDS = table("shell", run__as=_run_as)
