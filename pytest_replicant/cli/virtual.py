"""``replicant virtual``: ``serve`` is a virtual phone for any adb or facebook-wda, until Ctrl-C;
``from-capture`` makes the file of a phone out of what was captured on a real one."""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, get_args
from urllib.parse import quote

from .. import pool
from .. import real_phones as proving
from ..drivers import Platform
from ..errors import UsageError
from .process import (
    Commands,
    argument,
    command,
    given,
    number_up_to,
    on_signals,
    option,
    print_text,
    repeatable,
)

if TYPE_CHECKING:
    from ..virtual import PhoneServer, VirtualPhone


def add_to(commands: Commands) -> None:
    virtual = commands.add_parser("virtual", help="the virtual phone, outside a test run")
    inner = virtual.add_subparsers(title="commands", required=True, metavar="COMMAND")
    run.add_to(inner)
    from_capture.add_to(inner)


_port = number_up_to(65535, "port (0 to 65535; 0 is any free one)", 0, int)


@command(
    "serve",
    "start a virtual phone: an Android phone that adb can connect to, or an iPhone with "
    "WebDriverAgent",
    "Starts a virtual phone on 127.0.0.1 and keeps it until Ctrl-C. "
    "It neither starts nor talks to an adb server.",
    option(
        "platform",
        nargs="?",
        choices=get_args(Platform),
        default="android",
        help="android (default): for any adb; ios: a WebDriverAgent, for facebook-wda and this "
        "package",
    ),
    option(
        "--face",
        choices=("adbd", "server", "both"),
        help="Android alone. adbd (default): a phone on the network, for 'adb connect'; server: "
        "an adb server of its own with the phone behind it, for clients without an adb; both",
    ),
    argument("--adbd-port", "N", "default: any free port", type=_port, default=0),
    argument("--wda-port", "N", "default: any free port; a phone's is 8100", type=_port, default=0),
    repeatable(
        "--app",
        "ID",
        "an app to install, such as dev.replicant.shop; once for each, and the first one is opened",
    ),
    repeatable(
        "--apps",
        "MODULE:ATTRIBUTE",
        "apps of your own, in place of the demo apps; once for each place, or several with commas",
    ),
    argument("--latency", "MS", "what every call takes; default: as a mid-range phone"),
    repeatable(
        "--knob",
        "NAME=VALUE",
        "any knob of a device URI, such as dump_ms=500 or lose_tap=0.05; once for each",
    ),
    argument("--serial", "S", "the phone's serial number; default: virtual-1, virtual-iphone-1"),
)
def run(arguments: argparse.Namespace) -> int:
    """Serves until Ctrl-C or SIGTERM. Raises ``UsageError`` and ``DeviceError``."""
    from ..virtual import profile_lines, start_server

    stopped = threading.Event()
    phone = _phone(arguments)
    lines = profile_lines(_asked(arguments).knobs.get("profile", ()))
    ios = arguments.platform == "ios"
    with (
        on_signals(stopped.set, signal.SIGINT, signal.SIGTERM),
        start_server(
            phone,
            server=arguments.face in ("server", "both"),
            adbd=not ios and arguments.face != "server",
            adbd_port=arguments.adbd_port,
            wda=ios,
            wda_port=arguments.wda_port,
        ) as server,
    ):
        how = _how_to_test(server) if ios else _how_to_connect(server)
        print_text("\n".join([*lines, how]))
        stopped.wait()
    return 0


@command(
    "from-capture",
    "make a profile of what was captured on a phone, for virtual?profile=FILE.json",
    "Makes a profile of a capture, and names what it could not learn. Anyone's will do.",
    argument("capture", "ZIP", "written by doctor --prove --save or record", type=Path),
    option(
        "-o", "--output", type=Path, metavar="FILE.json", help="default: the capture's name, here"
    ),
)
def from_capture(arguments: argparse.Namespace) -> int:
    """Raises ``UsageError`` for a capture that is none, or harmful."""

    output: Path = arguments.output or Path(f"{arguments.capture.stem}.json")
    if output.suffix != ".json":
        raise UsageError(f"{output}: a profile's name ends in .json")
    if arguments.output is None and output.exists():
        raise UsageError(
            f"{output} is there already; -o FILE.json writes another one, or writes over it"
        )
    learned = proving.learn(proving.read_capture(arguments.capture))
    proving.write_profile(output, learned)
    print_text(f"{output}: {learned.called}, {len(learned.screens)} screens")
    for source, values in learned.facts.items():
        print_text(f"  {', '.join(values)}: from {source}")
    print_text(
        f"Not learned, and as the virtual phone has it:{'' if learned.unknown else ' nothing'}"
    )
    for name, why in learned.unknown.items():
        print_text(f"  {name}: {why}")
    where = "virtual:ios" if learned.platform == "ios" else "virtual"
    path = quote(output.as_posix() if output.is_absolute() else f"./{output.as_posix()}", "/:")
    print_text(f"Use it by: pytest --replicant-device '{where}?profile={path}'")
    return 0


def _phone(arguments: argparse.Namespace) -> VirtualPhone:
    from ..virtual import VirtualPhone

    _check(arguments)
    asked = _asked(arguments)
    apps = pool.installed_apps(asked)
    there = [app.package for app in apps]
    if further := [app for app in arguments.app if app not in there]:
        apps += pool.demo_apps(further, there)
    knobs = {name: values[-1] for name, values in asked.knobs.items() if name != "apps"}
    if arguments.serial is not None:
        knobs["serial"] = arguments.serial
    phone = VirtualPhone.from_knobs(apps, arguments.platform, knobs)
    for app in arguments.app[:1]:
        phone.start_app(app)
    return phone


def _check(arguments: argparse.Namespace) -> None:
    if arguments.platform == "ios":
        if option := given(arguments, "face", "adbd_port"):
            raise UsageError(f"{option[0]} is for Android; an iPhone has its WebDriverAgent alone")
    elif arguments.wda_port:
        raise UsageError("--wda-port is for an iPhone: replicant virtual serve ios")
    if arguments.adbd_port and arguments.face == "server":
        raise UsageError("--adbd-port is for --face adbd or both")


def _asked(arguments: argparse.Namespace) -> pool.DeviceUri:
    """The URI that says the same."""

    latency = [] if arguments.latency is None else [f"latency={arguments.latency}"]
    knobs = [*arguments.knob, *(f"apps={place}" for place in arguments.apps), *latency]
    asked = pool.parse_uri(f"virtual:{arguments.platform}?{'&'.join(knobs)}")
    if "app" in asked.knobs:
        raise UsageError(f"--knob app={asked.knobs['app'][0]}: write --app {asked.knobs['app'][0]}")
    return asked


def _how_to_connect(server: PhoneServer) -> str:
    text = ""
    for serial, port in server.adbd_ports.items():
        address = f"{server.host}:{port}"
        text += (
            f"Virtual phone {serial} is ready. Connect with:\n  adb connect {address}\nThen, for "
            f"example:\n  adb -s {address} shell\nAfterwards:\n  adb disconnect {address}\n"
        )
    if server.port:
        text += (
            f"Adb server with phone {', '.join(server.serials)} at {server.host}:{server.port}.\n"
            f"Point any adb client at it:\n  ANDROID_ADB_SERVER_PORT={server.port} adb devices\n"
        )
    return f"{text}Ctrl-C ends it."


def _how_to_test(server: PhoneServer) -> str:
    url = server.wda_url
    return (
        f"Virtual iPhone {', '.join(server.serials)} is ready: WebDriverAgent at {url}\nTest on it "
        f"with:\n  pytest --replicant-device ios:{url}\nOr with plain facebook-wda:\n  python -c "
        f"\"import wda; print(wda.Client('{url}').app_current())\"\nCtrl-C ends it."
    )
