"""``virtual:N`` in a parallel run: N phones in the controller, which its workers share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..stash import OPTIONS

if TYPE_CHECKING:
    import pytest

    from ..pool import DeviceUri


def share_phones(config: pytest.Config) -> None:
    """Starts them where there will be workers; without, the one process opens its own when a test asks."""
    if not config.pluginmanager.hasplugin("dsession"):
        return
    options = config.stash[OPTIONS]
    shared = tuple(
        (given, _start(config, uri, uri.count))
        for given, uri in _several(options.devices)
        if uri.count is not None
    )
    config.stash[OPTIONS] = replace(options, shared_phones=(*options.shared_phones, *shared))


def _several(devices: tuple[str, ...]) -> list[tuple[str, DeviceUri]]:
    from ..pool import is_virtual, parse_uri

    found = []
    for given in dict.fromkeys(devices):
        try:
            uri = parse_uri(given)
        except UsageError:
            if is_virtual(given):
                raise
            continue  # a hook may know it
        found.append((given, uri))
    return found


def _start(config: pytest.Config, uri: DeviceUri, count: int) -> tuple[str, ...]:
    from ..pool import named, parse_uri, virtual_phone
    from ..virtual import start_server

    phones = [virtual_phone(parse_uri(each)) for each in named(uri, count)]
    iphones = uri.platform == "ios"
    server = start_server(*phones, server=not iphones, wda=iphones)
    config.add_cleanup(server.close)
    if iphones:
        return tuple(f"ios:http://{server.host}:{port}" for port in server.wda_ports.values())
    return tuple(f"adb://{server.host}:{server.port}/{serial}" for serial in server.serials)
