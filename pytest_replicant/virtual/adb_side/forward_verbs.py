"""Host services about forwards."""

from __future__ import annotations

from . import framing
from .conversation import Conversation
from .roster import Which


async def forward(conversation: Conversation, which: Which, argument: str) -> None:
    """``LOCAL;REMOTE``, or ``norebind:LOCAL;REMOTE``. The first OKAY is for the request, the second
    for the forward."""
    device = conversation.roster.ready(which)
    rebind = not argument.startswith("norebind:")
    local, _, remote = argument.removeprefix("norebind:").partition(";")
    chosen = await conversation.forwards.forward(device.serial, local, remote, rebind=rebind)
    await conversation.stream.write(
        framing.OKAY + framing.okay(None if chosen is None else str(chosen))
    )


async def list_forward(conversation: Conversation, which: Which, argument: str) -> None:
    """Those of all devices, no matter which was asked about, as adb does."""
    await conversation.say(conversation.forwards.listing())


async def kill_forward(conversation: Conversation, which: Which, argument: str) -> None:
    conversation.forwards.kill(argument)
    await conversation.stream.write(framing.OKAY + framing.OKAY)


async def kill_all_forwards(conversation: Conversation, which: Which, argument: str) -> None:
    conversation.forwards.kill_all(which.serial)
    await conversation.stream.write(framing.OKAY + framing.OKAY)
