"""Apps of your own on the virtual phone: the kit to declare them in, and phones and sessions for
one test.

An app's module imports from here alone. These names stay as they are; the rest of the kit may
change::

    from pytest_replicant.testing.virtual import App, Button, Column, RunningApp, Screen, Text

- **The app**: ``App``, ``Screen``, ``RunningApp``, ``Timer``, ``AppCrash``; ``Theme`` with
  ``LIGHT`` and ``DARK``.
- **Over a screen**: ``Dialog``, ``DialogButton``; toasts, snackbars and prompts are methods of
  ``RunningApp``.
- **Holds widgets**: ``Column``, ``Row``, ``Stack``, ``Card``, ``Scroll``, ``RecyclerList``,
  ``HorizontalScroll``, ``Pager``, ``WebView``.
- **Shows something**: ``Text``, ``Image``, ``Progress``, ``Divider``, ``Space``, ``Canvas``.
- **Takes a tap or text**: ``Button``, ``IconButton``, ``EditText``.
- **Holds a choice**: ``CheckBox``, ``Switch``, ``RadioButton``, ``RadioGroup``, ``SeekBar``,
  ``RatingBar``, ``Spinner``, ``stepper``.
- **Phones in code**: ``virtual_device``, ``VirtualDevice``, ``virtual_session``, ``Latency``,
  ``Faults``.

``Widget`` is the type of all widgets. ``Screen`` here is a screen of an app.
``pytest_replicant.Screen`` is another class, for what a test expects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import lazy_names

if TYPE_CHECKING:
    from ...virtual import Faults, Latency
    from ...virtual.app_kit import (
        DARK,
        LIGHT,
        App,
        AppCrash,
        Button,
        Canvas,
        Card,
        CheckBox,
        Column,
        Dialog,
        DialogButton,
        Divider,
        EditText,
        HorizontalScroll,
        IconButton,
        Image,
        Pager,
        Progress,
        RadioButton,
        RadioGroup,
        RatingBar,
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
        Theme,
        Timer,
        WebView,
        Widget,
        stepper,
    )
    from .phone import VirtualDevice, virtual_device, virtual_session

__all__ = [
    "DARK",
    "LIGHT",
    "App",
    "AppCrash",
    "Button",
    "Canvas",
    "Card",
    "CheckBox",
    "Column",
    "Dialog",
    "DialogButton",
    "Divider",
    "EditText",
    "Faults",
    "HorizontalScroll",
    "IconButton",
    "Image",
    "Latency",
    "Pager",
    "Progress",
    "RadioButton",
    "RadioGroup",
    "RatingBar",
    "RecyclerList",
    "Row",
    "RunningApp",
    "Screen",
    "Scroll",
    "SeekBar",
    "Space",
    "Spinner",
    "Stack",
    "Switch",
    "Text",
    "Theme",
    "Timer",
    "VirtualDevice",
    "WebView",
    "Widget",
    "stepper",
    "virtual_device",
    "virtual_session",
]

__getattr__, __dir__ = lazy_names(__name__)
