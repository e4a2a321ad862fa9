"""``replicant virtual serve``: a virtual phone for any adb, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from ..virtual.device.phone import VirtualPhone
    from ..virtual.serve import PhoneServer

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_to(commands: Commands) -> None:
    virtual = commands.add_parser("virtual", help="the virtual phone, outside a test run")
    inner = virtual.add_subparsers(title="commands", required=True, metavar="COMMAND")
    serve = inner.add_parser(
        "serve",
        help="start a virtual Android phone that adb can connect to",
        description="Starts a virtual Android phone on 127.0.0.1 and keeps it until Ctrl-C. "
        "It neither starts nor talks to an adb server.",
    )
    serve.add_argument("--face", choices=("adbd", "server", "both"), default="adbd", help=_FACE_HELP)
    serve.add_argument("--adbd-port", type=_port, default=0, metavar="N", help="default: any free port")
    serve.add_argument("--app", metavar="ID", help="the app to open, such as dev.replicant.shop")
    serve.add_argument("--latency", metavar="MS", help="what every call takes; default: as a mid-range phone")
    serve.add_argument("--knob", action="append", default=[], metavar="NAME=VALUE", help=_KNOB_HELP)
    serve.add_argument("--serial", metavar="S", help="the phone's serial number; default: virtual-1")
    serve.set_defaults(run=run)


_KNOB_HELP = "any knob of a device URI, such as dump_ms=500 or lose_tap=0.05; once for each"
_FACE_HELP = (
    "adbd (default): a phone on the network, for 'adb connect'; server: an adb server of its own with the "
    "phone behind it, for clients without an adb; both"
)


def run(arguments: argparse.Namespace) -> int:
    """Serves until Ctrl-C or SIGTERM. Raises ``UsageError`` and ``DeviceError``."""
    from ..virtual.serve import start_server

    stopped = threading.Event()
    phone = _phone(arguments)
    with (
        _Until(stopped.set),
        start_server(
            phone,
            server=arguments.face != "adbd",
            adbd=arguments.face != "server",
            adbd_port=arguments.adbd_port,
        ) as server,
    ):
        sys.stdout.write(_how_to_connect(server))
        sys.stdout.flush()
        stopped.wait()
    return 0


def _phone(arguments: argparse.Namespace) -> VirtualPhone:
    from ..pool.demo_apps import DEMO_APPS, demo_apps
    from ..virtual.device.phone import VirtualPhone
    from ..virtual.faults import Faults
    from ..virtual.profile import Latency, Profile

    if arguments.adbd_port and arguments.face == "server":
        raise UsageError("--adbd-port is for --face adbd or both")
    apps = demo_apps(sorted(DEMO_APPS))
    if arguments.app is not None:
        demo_apps([arguments.app])  # says which there are, where it is none of them
    knobs = _knobs(arguments)
    profile = Profile() if arguments.serial is None else replace(Profile(), serial=arguments.serial)
    latency, faults = Latency.from_knobs(knobs), Faults.from_knobs(knobs)
    phone = VirtualPhone(apps, profile=profile, latency=latency, faults=faults)
    if arguments.app is not None:
        phone.start_app(arguments.app)
    return phone


def _knobs(arguments: argparse.Namespace) -> dict[str, str]:
    from ..pool.uri import parse_uri

    given = parse_uri(f"virtual?{'&'.join(arguments.knob)}").knobs
    if "app" in given:
        raise UsageError("--knob app=…: all demo apps are installed; --app opens one")
    knobs = {name: values[-1] for name, values in given.items()}
    return knobs if arguments.latency is None else {**knobs, "latency": arguments.latency}


def _how_to_connect(server: PhoneServer) -> str:
    lines = []
    for serial, port in server.adbd_ports.items():
        address = f"{server.host}:{port}"
        lines.append(f"Virtual phone {serial} is ready. Connect with:\n  adb connect {address}")
        lines.append(f"Then, for example:\n  adb -s {address} shell\nAfterwards:\n  adb disconnect {address}")
    if server.port:
        lines.append(f"Adb server with phone {', '.join(server.serials)} at {server.host}:{server.port}.")
        lines.append(f"Point any adb client at it:\n  ANDROID_ADB_SERVER_PORT={server.port} adb devices")
    return "\n".join(lines) + "\nCtrl-C ends it.\n"


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port (0 to 65535; 0 is any free one)")
    return int(text)


class _Until:
    """While it is entered, Ctrl-C and SIGTERM call ``stop`` instead of ending the process at once."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> None:
        for name in (signal.SIGINT, signal.SIGTERM):
            self._before[name] = signal.signal(name, lambda _number, _frame: self._stop())

    def __exit__(self, *_error: object) -> None:
        for name, before in self._before.items():
            signal.signal(name, before)  # type: ignore[arg-type]  # it is what signal() gave
