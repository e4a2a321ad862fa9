"""Other tools' names for what a session, an outcome and a locator have, and where a name is
misspelt the right one: for who knows Playwright, Appium or Maestro, and for who types."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import UsageError
from ..model import TABLE, PublicMethods, verb_of

HERE = {
    **{other: f"{one.name}()" for one in TABLE for other in one.others},
    **{
        one.name: f"expect_state(by(...), {one.state}=...)"
        for one in TABLE
        if one.state and not one.proves
    },
    **{one.name: f"{one.name}(...)" for one in TABLE if one.state and one.proves},
    **{one.name: f"expect_{one.state}(False)" for one in TABLE if one.is_flag and one.proves},
    "press": "press_key() or tap()", "set_value": "fill() or adjust()", "check": "adjust(to=True)",
    "uncheck": "adjust(to=False)", "set_checked": "adjust(to=True)", "swipe_left": 'swipe("left")',
    "swipe_right": 'swipe("right")', "swipe_up": 'swipe("up")', "swipe_down": 'swipe("down")',
    "accept_alert": 'answer_permission("allow")', "dismiss_alert": 'answer_permission("deny")',
    "get_by_text": "locator(text=...)", "get_by_label": "locator(text=...)",
    "get_by_placeholder": "locator(text=...)", "get_by_role": "locator(role=...)",
    "get_by_test_id": "locator(resource_id=...)", "count": "find_all(), or expect_count(n, ...)",
    "text_content": "find().label, or expect_text()",
    "inner_text": "find().label, or expect_text()", "input_value": "find().value, or expect_text()",
    "get_attribute": "find(), whose fields say it",
    "is_visible": "expect_visible(), or find_all() without waiting",
    "is_enabled": "find().states.enabled, or expect_enabled()",
    "is_checked": "find().states.checked, or expect_checked()", "bounding_box": "find().bounds",
    "sleep": "wait_for() or wait_for_change()",
    "wait_for_timeout": "wait_for() or wait_for_change()", "current_package": "current_app",
    "current_activity": "current_app", "device_info": "info",
    "add_locator_handler": "on_interrupt()", "expect_disabled": "expect_enabled(False)",
    "expect_unchecked": "expect_checked(False)", "expect_toast": "expect_seen(text=...)",
    "expect_dialog": "expect_visible(text=...) with its title",
    "expect_alert": "expect_visible(text=...) with its title",
    "expect_contain_text": "expect_visible(text_contains=...)",
    "to_be_disabled": "expect_enabled(False)", "and_": "filter()", "or_": "locator() | locator()",
    "not_": "expect_not_text() and its like", "expect_editable": "find().states.editable",
    "expect_expanded": "expect_state(expanded=True)",
    "expect_collapsed": "expect_state(expanded=False)", "value": "find().value",
    "checked": "find().states.checked",
    "expect_not_screen": "expect_screen() of the one that it should be",
}  # fmt: skip
"""What each is here: the call, of a session, an outcome or a locator."""

NOT_HERE = {
    "set_location": "the emulator's console or the simulator sets a location, before the run or "
        "by a fixture",
    "set_geolocation": "the emulator's console or the simulator sets a location, before the run "
        "or by a fixture",
    "clipboard": "fill() types a text without it; what the app copied is checked where the app "
        "shows it",
    "set_clipboard": "fill() types a text without it",
    "get_clipboard": "what the app copied is checked where the app shows it",
    "set_offline": 'shell("svc wifi disable") switches a connection off, on Android',
    "set_network_connection": 'shell("svc wifi disable") switches a connection off, on Android',
    "toggle_wifi": 'shell("svc wifi disable") switches a connection off, on Android',
    "route": "a server of the test's own stands in for the backend; the app is given its address",
    "evaluate": "a phone runs no script of the test; shell() runs a command, on Android",
    "frame_locator": "a web view is looked at as the hierarchy shows it",
    "contexts": "a web view is looked at as the hierarchy shows it",
    "switch_to": "a web view is looked at as the hierarchy shows it",
    "start_recording_screen": "the trace has a picture of each step",
    "video": "the trace has a picture of each step",
    "implicitly_wait": "each action and check waits by itself, for timeout= seconds",
    "shake": 'shell() has what the phone has for it, on Android',
    "biometrics": "the emulator's console or the simulator answers a fingerprint",
}  # fmt: skip
"""What no one offers here, with the way around."""


_NoSuchCheck = type(
    "UsageError", (UsageError, AttributeError), {"__module__": UsageError.__module__}
)
"""For a check of one state, which the session has for no element that is named."""


class OtherNames(PublicMethods):
    """Answers for a name that is not there. ``_known_as`` is what the object is called in a test,
    ``_on_session`` are the names that a session has."""

    _known_as = "mobile"
    _on_session: ClassVar[frozenset[str]] = frozenset()

    if not TYPE_CHECKING:  # a checker knows which names there are

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True
            hint = "" if name.startswith("_") else _hint(self, name)
            said = f"{type(self).__name__} has no {name!r}{hint}"
            if verb_of(name).state:
                raise _NoSuchCheck(said)
            raise AttributeError(said, name=name, obj=self)


def _hint(asked: OtherNames, name: str) -> str:
    own = {each for each in dir(type(asked)) if not each.startswith("_")}
    if name in asked._on_session:
        return f"; it is on the session: mobile.{name}"
    if name in NOT_HERE:
        return f", and there is none here: {NOT_HERE[name]}"
    if name not in HERE:
        likely = (
            each
            for each in (*own, *HERE)
            if ("not" in each.split("_")) == ("not" in name.split("_"))
        )
        near = difflib.get_close_matches(name, list(likely), 1, 0.85)
        if not near or near[0] in own:
            return f". Did you mean {near[0]}?" if near else ""
        name = near[0]
    call = HERE[name]
    verb = call.partition("(")[0]
    if asked._known_as == "locator" and verb in own and verb.startswith("expect_"):
        call = call.replace("(text=...)", "()").replace("(text_contains=...)", "()")
    owner = asked._known_as if verb in own else "mobile" if verb in asked._on_session else "locator"
    return f"; here that is {owner}.{call}"
