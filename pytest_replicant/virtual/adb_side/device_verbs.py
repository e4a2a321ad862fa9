"""Host services about devices: lists, tracking, states, waiting."""

from __future__ import annotations

from collections.abc import Callable

from . import device_list, framing
from .attachment import FEATURES
from .conversation import Conversation, Verb
from .roster import HostFailure, Roster, Which

Render = Callable[[tuple[device_list.Listed, ...]], bytes]


def lists(render: Render) -> Verb:
    async def verb(conversation: Conversation, which: Which, argument: str) -> None:
        await conversation.say(render(conversation.roster.listing()))

    return verb


def tracks(render: Render) -> Verb:
    async def verb(conversation: Conversation, which: Which, argument: str) -> None:
        await conversation.say()
        with conversation.roster.changes() as changes:

            async def report() -> None:
                while True:
                    await conversation.stream.write(framing.block(render(await changes.get())))

            await conversation.while_connected(report())

    return verb


async def state(conversation: Conversation, which: Which, argument: str) -> None:
    await conversation.say(conversation.roster.ready(which).state)


async def serial(conversation: Conversation, which: Which, argument: str) -> None:
    await conversation.say(conversation.roster.ready(which).serial)


async def device_path(conversation: Conversation, which: Which, argument: str) -> None:
    conversation.roster.ready(which)
    await conversation.say("unknown")  # as of every phone on TCP


async def features(conversation: Conversation, which: Which, argument: str) -> None:
    conversation.roster.ready(which)
    await conversation.say(",".join(FEATURES))


async def reconnect(conversation: Conversation, which: Which, argument: str) -> None:
    device = conversation.roster.find(which)
    await device.sessions.end()
    await conversation.say(f"reconnecting {device.serial} [{device.state}]\n")


async def connect(conversation: Conversation, which: Which, address: str) -> None:
    if conversation.roster.get(address):
        await conversation.say(f"already connected to {address}")
    elif conversation.reconnect(address):
        await conversation.say(f"connected to {address}")
    else:
        await conversation.say(f"failed to connect to '{address}': Connection refused")


async def disconnect(conversation: Conversation, which: Which, address: str) -> None:
    """Only phones whose serial is an address can be disconnected; without one, all of those are."""
    connected = [each for each in conversation.roster if ":" in each.serial]
    chosen = [each for each in connected if address in ("", each.serial)]
    if address and not chosen:
        raise HostFailure(f"no such device '{address}'")
    for device in chosen:
        conversation.roster.detach(device)
        await device.sessions.end()
    await conversation.say(f"disconnected {address or 'everything'}")


async def wait_for(conversation: Conversation, which: Which, argument: str) -> None:
    """``any-device``, ``local-offline``, ``usb-disconnect`` …: by which way, and for which
    state."""
    way, _, wanted = argument.partition("-")
    await conversation.say()
    if way not in ("any", "local", "usb"):
        raise HostFailure(f"bad wait-for- transport: {argument}")
    if wanted not in ("device", "any", "offline", "unauthorized", "disconnect"):
        raise HostFailure(f"bad wait-for- state: {argument}")
    with conversation.roster.changes() as changes:

        async def reached() -> None:
            while way == "usb" or not _is_reached(conversation.roster, which, wanted):
                await changes.get()
            await conversation.say()

        await conversation.while_connected(reached())


def _is_reached(roster: Roster, which: Which, wanted: str) -> bool:
    try:
        device = roster.find(which)
    except HostFailure:
        return wanted == "disconnect"
    return wanted in ("any", device.state)
