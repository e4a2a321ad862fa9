"""What the adb server answers itself: requests that start with ``host``, one function each, in a
table."""

from __future__ import annotations

import re
import struct

from . import device_list, framing
from . import device_verbs as devices
from . import forward_verbs as forwards
from .attachment import FEATURES
from .conversation import Conversation, Verb
from .forward import ForwardFailed
from .roster import HostFailure, Which

SERVER_VERSION = 41  # clients of any other version end such a server and start their own
HOST_FEATURES = (*FEATURES, "libusb", "push_sync")
SCOPES = ("host:", "host-serial:", "host-transport-id:", "host-usb:", "host-local:")


def is_host_request(request: str) -> bool:
    return request.startswith(SCOPES)


async def answer(conversation: Conversation, request: str) -> bool:
    """Answers one request; True if the connection goes on, a transport being chosen."""
    try:
        which, text = _addressed(conversation, request)
        for name, verb in VERBS.items():
            if text == name or (name[-1] in ":-" and text.startswith(name)):
                await verb(conversation, which, text[len(name) :])
                return name.startswith(("transport", "tport"))
        raise HostFailure(f"unknown host service '{text}'")
    except (HostFailure, ForwardFailed) as error:
        await conversation.stream.write(framing.fail(str(error)))
        return False


def _addressed(conversation: Conversation, request: str) -> tuple[Which, str]:
    """Which device a request is about, and what it asks. A serial may hold colons
    (``127.0.0.1:5555``), so known serials are matched first, and then what can follow one."""
    scope, _, rest = request.partition(":")
    if scope == "host-transport-id":
        number, _, text = rest.partition(":")
        return Which(transport_id=_number(number)), text
    if scope != "host-serial":
        chosen = conversation.device
        return Which(transport_id=chosen.transport_id) if chosen else Which(), rest
    for serial in sorted(conversation.roster.serials(), key=len, reverse=True):
        if rest.startswith(f"{serial}:"):
            return Which(serial), rest[len(serial) + 1 :]
    verbs = "|".join(re.escape(name) for name in VERBS)
    found = re.fullmatch(rf"(.+?):((?:{verbs}).*)", rest, re.DOTALL)
    if found is None:
        raise HostFailure(f"unknown host service '{rest.partition(':')[2]}'")
    return Which(found[1]), found[2]


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 18:
        raise HostFailure("invalid transport id")
    return int(text)


async def _version(conversation: Conversation, which: Which, argument: str) -> None:
    await conversation.say(f"{SERVER_VERSION:04x}")


async def _host_features(conversation: Conversation, which: Which, argument: str) -> None:
    await conversation.say(",".join(HOST_FEATURES))


async def _kill(conversation: Conversation, which: Which, argument: str) -> None:
    raise HostFailure("kill-server rejected by remote server")


async def _transport(conversation: Conversation, which: Which, serial: str) -> None:
    conversation.device = conversation.roster.ready(Which(serial))
    await conversation.say()


async def _transport_any(conversation: Conversation, which: Which, argument: str) -> None:
    conversation.device = conversation.roster.ready(Which())
    await conversation.say()


async def _transport_id(conversation: Conversation, which: Which, number: str) -> None:
    conversation.device = conversation.roster.ready(Which(transport_id=_number(number)))
    await conversation.say()


async def _tport(conversation: Conversation, which: Which, argument: str) -> None:
    """``serial:S``, ``any``, ``usb``, ``local``; answers with the transport id."""
    scope, _, serial = argument.partition(":")
    device = conversation.roster.ready(Which(serial) if scope == "serial" else Which())
    conversation.device = device
    await conversation.stream.write(framing.OKAY + struct.pack("<Q", device.transport_id))


VERBS: dict[str, Verb] = {
    "version": _version,
    "host-features": _host_features,
    "kill": _kill,
    "transport:": _transport,
    "transport-any": _transport_any,
    "transport-usb": _transport_any,
    "transport-local": _transport_any,
    "transport-id:": _transport_id,
    "tport:": _tport,
    "devices": devices.lists(device_list.short),
    "devices-l": devices.lists(device_list.long),
    "track-devices": devices.tracks(device_list.short),
    "track-devices-l": devices.tracks(device_list.long),
    "get-state": devices.state,
    "get-serialno": devices.serial,
    "get-devpath": devices.device_path,
    "features": devices.features,
    "connect:": devices.connect,
    "disconnect:": devices.disconnect,
    "reconnect": devices.reconnect,
    "wait-for-": devices.wait_for,
    "forward:": forwards.forward,
    "list-forward": forwards.list_forward,
    "killforward:": forwards.kill_forward,
    "killforward-all": forwards.kill_all_forwards,
}
