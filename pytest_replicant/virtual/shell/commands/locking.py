"""locksettings: the lock screen, and the pin that opens it."""

from __future__ import annotations

from ..call import Call, CommandFailed
from ..registry import table

_SHORTEST = 4  # digits


async def _locksettings(call: Call) -> int:
    """``set-pin PIN``, ``clear --old PIN``, ``verify``."""
    keyguard, words = call.phone.keyguard, list(call.words)
    old = (
        words.pop(at + 1)
        if "--old" in words and (at := words.index("--old")) + 1 < len(words)
        else ""
    )
    words = [word for word in words if word != "--old"]
    verb, value = [*words, "", ""][:2]
    if verb in ("set-pin", "clear", "verify") and keyguard.pin and old != keyguard.pin:
        raise CommandFailed(
            f"Old password {old!r} didn't match" if old else "Old password is needed: --old", 255
        )
    if verb == "set-pin" and value.isdecimal() and len(value) >= _SHORTEST:
        keyguard.set_pin(value)
        await call.line(f"Pin set to '{value}'")
    elif verb == "clear":
        keyguard.set_pin("")
        await call.line("Lock credential cleared")
    elif verb == "verify":
        await call.line("Lock credential verified successfully")
    else:
        raise CommandFailed("lock settings service commands: set-pin clear verify", 255)
    return 0


COMMANDS = table("shell", locksettings=_locksettings)
