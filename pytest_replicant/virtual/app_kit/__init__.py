"""The kit in which apps for the virtual phone are declared.

An ``App`` names its package, how its state is made and its first ``Screen``; a screen builds
widgets from the state, and callbacks change the state or ask the ``RunningApp`` for another screen,
a dialog, a toast, a timer::

    class Counter(Screen[State]):
        title = "Counter"

        def build(self, app: RunningApp[State]) -> Widget:
            button = Button("Tap me", on_click=app.state.add)
            return Column([Text(f"{app.state.count} taps", id="count"), button])

    COUNTER = App(
        package="com.example.counter",
        label="Counter",
        state=lambda stored: State(),
        start=Counter,
    )

Screens are built again whenever something changed; focus, carets and scroll positions stay with the
widget of the same key. Lengths are dp and text sizes sp; what an app raises kills the app, not the
phone.
"""

from .app import App
from .choices import CheckBox, RadioButton, RadioGroup, RatingBar, SeekBar, Spinner, Switch, stepper
from .containers import Card, Column, Group, RecyclerList, Row, Scroll, Stack, WebView
from .crash import AppCrash
from .declared import Page
from .dialog import Dialog, DialogButton
from .fields import EditText
from .labels import Button, Canvas, Divider, IconButton, Image, Progress, Space, Text
from .running import RunningApp
from .screen import Screen
from .sideways import HorizontalScroll, Pager
from .theme import DARK, LIGHT, Theme
from .timers import Timer
from .widget import Widget

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
    "Group",
    "HorizontalScroll",
    "IconButton",
    "Image",
    "Page",
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
    "WebView",
    "Widget",
    "stepper",
]
