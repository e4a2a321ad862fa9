"""getprop, setprop, settings: values kept by name."""

from __future__ import annotations

from ...streams import in_thread
from ...system.properties import BOOTING, properties
from ...system.settings import PUBLIC
from ..call import Call, CommandFailed
from ..registry import table

_PROPERTY = "property"  # the private namespace of the settings that keeps what setprop sets


def all_properties(call: Call) -> dict[str, str]:
    """By name, those that were set included."""
    booting = {} if call.phone.boot.completed else BOOTING
    return {
        **properties(call.phone.profile),
        **booting,
        **dict(call.phone.settings.list(_PROPERTY)),
    }


async def _getprop(call: Call) -> int:
    values = all_properties(call)
    words = [word for word in call.words if word not in ("-T", "-Z")]
    if words:
        await call.line(values.get(words[0]) or (words[1] if len(words) > 1 else ""))
        return 0
    await call.out("".join(f"[{name}]: [{values[name]}]\n" for name in sorted(values)))
    return 0


async def _setprop(call: Call) -> int:
    if len(call.words) != 2:
        raise CommandFailed("usage: setprop NAME VALUE")
    name, value = call.words
    if name.startswith("ro.") and name in properties(call.phone.profile):
        raise CommandFailed(
            f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason."
        )
    call.phone.settings.put(_PROPERTY, name, value)
    return 0


def _may_write(call: Call, verb: str, namespace: str) -> None:
    """Raises ``CommandFailed`` if the maker lets adb write no settings, in the words of MIUI's
    provider, as a stack under "Exception occurred" (songhanghang/auto_set_proxy#1). The namespace
    ``system`` needs no such permission."""
    if not call.phone.profile.writes_settings and namespace != "system":
        raise CommandFailed(
            f"\nException occurred while executing '{verb}':\njava.lang.SecurityException: "
            "Permission denial: writing to settings "
            "requires:android.permission.WRITE_SECURE_SETTINGS\n\tat "
            "com.android.providers.settings.SettingsProvider.enforceWritePermission(SettingsProvider.java:2272)",
            255,
        )


async def put_setting(call: Call, namespace: str, key: str, value: str) -> None:
    """Also turns the screen where the setting is about that."""
    _may_write(call, "put", namespace)
    call.phone.settings.put(namespace, key, value)
    if (namespace, key) == ("system", "user_rotation") and value in ("0", "1", "2", "3"):
        await in_thread(call.phone.set_rotation, int(value))


async def _settings(call: Call) -> int:
    words = list(call.words)
    if "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    if len(words) < 2:
        raise CommandFailed("Settings provider (settings) commands: get put delete list", 255)
    verb, namespace, *rest = words
    if namespace not in PUBLIC:
        raise CommandFailed(f"Invalid namespace '{namespace}'", 255)
    needed = {"get": 1, "put": 2, "delete": 1, "list": 0}.get(verb)
    if needed is None:
        raise CommandFailed(f"Invalid command: {verb}", 255)
    if len(rest) < needed:
        raise CommandFailed("Bad arguments", 255)
    store = call.phone.settings
    if verb == "get":
        found = store.get(namespace, rest[0])
        await call.line("null" if found is None else found)
    elif verb == "put":
        await put_setting(call, namespace, rest[0], rest[1])
    elif verb == "delete":
        _may_write(call, "delete", namespace)
        await call.line(f"Deleted {int(store.delete(namespace, rest[0]))} rows")
    else:
        await call.out("".join(f"{name}={value}\n" for name, value in store.list(namespace)))
    return 0


COMMANDS = {
    **table("free", getprop=_getprop, setprop=_setprop),
    **table("shell", settings=_settings),
}
