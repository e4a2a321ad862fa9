"""The virtual phone: a real server that unmodified clients drive."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .app_kit import (
        App,
        AppCrash,
        Button,
        Canvas,
        CheckBox,
        Column,
        Dialog,
        DialogButton,
        EditText,
        IconButton,
        RadioGroup,
        RecyclerList,
        Row,
        RunningApp,
        Screen,
        Scroll,
        SeekBar,
        Space,
        Spinner,
        Stack,
        Switch,
        Text,
        Widget,
        stepper,
    )
    from .app_kit.loading import check_place, load_apps
    from .demo_apps.lab import lab
    from .demo_apps.lab.exhibits import EXHIBITS, all_exhibits
    from .demo_apps.lab.state import LabState
    from .demo_apps.shop import shop
    from .demo_apps.system_apps import PERSONAL_TEXTS
    from .designs.material.askers import asker_of
    from .device.phone import VirtualPhone
    from .faults import DumpFault, Faults, FaultSource
    from .profile import IPHONE, OVERLAYS, PERMISSION_DIALOGS, Latency, Profile
    from .profile_file import SCHEMA as PROFILE_SCHEMA
    from .profile_file import check_fact
    from .profiles import MAKES, make_named, profile_lines, profile_of
    from .recording import RecordedNode, RecordedScreen, check_screens
    from .renderers.pixels.icons import icon_mask
    from .renderers.pixels.screen import draw_screen
    from .renderers.png import render_png
    from .renderers.uiautomator import active_window, render_hierarchy
    from .renderers.xcuitest import Frame, XCElement, element_tree, to_json, to_xml
    from .serve import UIAUTOMATOR2_MAIN, PhoneServer, start_server
    from .shell import run, run_words
    from .shell.call import Call, CommandFailed
    from .shell.commands import COMMANDS
    from .shell.commands.logcat import LogFormat
    from .streams import Stream, Terminal, in_thread
    from .system.files import FileSystem
    from .system.logcat import LogEntry
    from .ui import Look, UiNode, Window, drawn_by_apps
    from .uiautomator2_side.automation import Automation
    from .uiautomator2_side.failures import RpcError
    from .uiautomator2_side.pushed import used_before
    from .uiautomator2_side.server import METHODS, UI_AUTOMATION, run_server
    from .wda_side.failures import WdaError

__getattr__, __dir__ = lazy_names(__name__)
