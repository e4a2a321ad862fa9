"""The table of verbs: what each room needs to know of a call of a session, an outcome or a locator.

A new call is a row here and its method. Rooms ask for what a row says, and keep no lists of names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

VerbKind: TypeAlias = Literal["action", "check", "wait", "read"]
"""An action changes something, a check claims, a wait synchronises, a read returns what it is
for."""
Targets: TypeAlias = Literal["", "one", "any", "branches"]
"""How many elements it is about: none, exactly one, any number, or one selector for each branch."""
Proves: TypeAlias = Literal["", "itself", "presence", "absence", "past"]
"""What holding proves: nothing by itself, its own promise, that something is there, is not there,
or was there."""
ActsOn: TypeAlias = Literal["", "field", "choice", "control"]
"""What an element has to be for it: anything, a field to type into, what offers a choice, what can
be set."""
GuardClass: TypeAlias = Literal["", "front", "label", "point"]
"""What a guard looks at before it: nothing, the app in front, that and the labels touched, an
unknown point."""


@dataclass(frozen=True)
class Verb:
    """One call. The flow of an action, policies and reports go by these facts, never by its name.

    ``words`` are what may follow it in a step of a kept session, if it is not written as a call:
    None for a call that is no step. ``recorded`` is its type in traces if that is another name, and
    ``others`` are names that other tools have for it.

    ``image``: finds an image as well. ``types``: types a text. ``scrolls``: brings more of the same
    screen into view; ``finds``: until its target is on it. ``answered``: an app shows something in
    answer. ``of_outcome``: only what an action returns has it. ``state`` is the one state that a
    check compares, ``acts_on`` what an element has to be.

    ``idempotent``: giving it twice does no more than once. ``looks_first``: that is so because it
    looks what there is to be done; of what it sends, the same may do more the second time, if the
    effect of the first is not on the screen yet. ``sweeps``: a gesture across its target, which
    needs no free point in it. ``starts_app``: it is to bring an app to the front. ``local``: it
    changes nothing but the screen, on any target. ``lasts``: every later screen can tell whether
    its postcondition still holds. ``aside``: without a target, it is about something else than the
    app in front, to which a gesture or a key would go.
    """

    kind: VerbKind
    name: str
    words: str | None = None
    targets: Targets = ""
    proves: Proves = ""
    guard: GuardClass = ""
    recorded: str = ""
    others: tuple[str, ...] = ()
    image: bool = False
    types: bool = False
    scrolls: bool = False
    finds: bool = False
    answered: bool = False
    of_outcome: bool = False
    state: str = ""
    acts_on: ActsOn = ""
    idempotent: bool = False
    looks_first: bool = False
    sweeps: bool = False
    starts_app: bool = False
    local: bool = False
    lasts: bool = False
    aside: bool = False

    @property
    def is_flag(self) -> bool:
        """Whether the state that it checks is True or False."""
        return self.state not in ("", "text", "value")

    @property
    def action_type(self) -> str:
        """Its type in results and traces."""
        return self.recorded or self.name


_action = partial(Verb, "action")
_check = partial(Verb, "check")
_wait = partial(Verb, "wait")
_read = partial(Verb, "read")
_touch = partial(_action, targets="one", guard="label")
_app = partial(_action, idempotent=True, aside=True)

TABLE: tuple[Verb, ...] = (
    _app("launch", "[app]", proves="itself", starts_app=True, others=("start_app", "launch_app")),
    _app("activate", "[app]", proves="itself", starts_app=True, others=("activate_app",)),
    _app("background", "[literal]", proves="itself", others=("background_app",)),
    _app("stop", "[app]", others=("stop_app", "kill", "terminate_app", "close_app", "app_stop")),
    _app("clear_data", "[app]", others=("reset_app",)),
    _action("open_url", "text", proves="itself", starts_app=True, aside=True,
            others=("goto", "get", "deep_link")),
    _touch("tap", "ref", image=True, answered=True, others=("click", "hover")),
    _touch("double_tap", "ref", image=True, answered=True, others=("dblclick",)),
    _touch("long_press", "ref", image=True, answered=True, others=("long_click",)),
    _touch("drag", "ref ref", answered=True, others=("drag_and_drop", "drag_to")),
    _action("tap_at", "literal literal", guard="point"),
    _touch("pinch", "ref scale=literal", sweeps=True, local=True),
    _touch("swipe", "word [ref]", scrolls=True, sweeps=True, local=True),
    _action("scroll", "word [ref]", "one", guard="front", scrolls=True, sweeps=True, local=True),
    _action(
        "scroll_to", "ref", "one", guard="front", scrolls=True, finds=True, idempotent=True,
        local=True,
        others=("scroll_into_view", "scroll_into_view_if_needed", "scroll_until_visible"),
    ),
    _action(
        "fill", "ref value", "one", "itself", "front", "type_text", types=True, acts_on="field",
        idempotent=True, local=True,
        others=("type", "send_keys", "type_text", "input_text", "set_text", "press_sequentially"),
    ),
    _action(
        "clear_text", "ref", "one", "itself", "front", acts_on="field", idempotent=True, local=True,
        others=("clear",),
    ),
    _touch(
        "select", "ref text", proves="itself", answered=True, others=("select_option",),
        acts_on="choice", idempotent=True, looks_first=True, local=True, lasts=True,
    ),
    _touch(
        "adjust", "ref literal", proves="itself", answered=True, acts_on="control",
        idempotent=True, looks_first=True, sweeps=True, local=True, lasts=True,
    ),
    _action("press_key", "word", guard="front", answered=True, local=True),
    _action("hide_keyboard", "", proves="itself", idempotent=True, looks_first=True, local=True),
    _action("back", "", recorded="press_back", answered=True, others=("go_back", "press_back")),
    _app("home", "", proves="itself", recorded="press_home", others=("press_home",)),
    _action(
        "rotate", "word", proves="itself", idempotent=True, local=True,
        others=("set_orientation", "orientation"),
    ),
    _action("answer_permission", "word", proves="itself"),
    _app("set_permission", "word literal", others=("grant_permissions",)),
    _app("install", "text", others=("install_app",)),
    _action("uninstall", "app", aside=True, others=("remove_app",)),
    _app("push_file", "text text"),
    _read("pull_file", idempotent=True, aside=True),
    _read("collect", None, "any", guard="front"),
    _read("find", None, "one", image=True, others=("find_element", "element")),
    _read("find_all", None, "any", others=("find_elements", "all")),
    _read("snapshot", others=("page_source", "hierarchy", "dump_hierarchy", "content")),
    _read("changes"),
    _read("shot"),
    _read("screenshot", others=("get_screenshot_as_png",)),
    _read("accessibility_findings"),
    _read("logs", others=("get_log",)),
    _read("crashes"),
    _read("shell", others=("execute_script",)),
    _read("app_status"),
    _wait("wait_for", "ref", "one", image=True, others=("wait", "wait_for_selector", "wait_until")),
    _wait("wait_for_change", ""),
    _wait("wait_for_any", "", "branches"),
    _check("expect_screen", "text", others=("expect_title", "expect_url")),
    _check(
        "expect_visible", "ref", "any", "presence", image=True,
        others=("expect_exists", "expect_present", "expect_not_gone", "to_be_visible",
                "assert_visible"),
    ),
    _check(
        "expect_gone", "ref", "any", "absence",
        others=(
            "expect_hidden", "expect_not_visible", "expect_absent", "expect_not_seen",
            "to_be_hidden", "assert_not_visible", "wait_gone", "wait_for_hidden",
        ),
    ),
    _check("expect_seen", "ref", "any", "past"),
    _check("expect_count", "literal", "any", "absence", others=("to_have_count",)),
    _check("expect_state", "ref", "one"),
    _check(
        "expect_text", "ref expected=text", "one", state="text",
        others=("expect_label", "expect_have_text", "to_have_text"),
    ),
    _check("expect_not_text", "ref expected=text", "one", "absence", state="text"),
    _check("expect_value", "ref expected=literal", "one", state="value", others=("to_have_value",)),
    _check("expect_not_value", "ref expected=literal", "one", "absence", state="value"),
    _check("expect_checked", "ref", "one", state="checked", others=("to_be_checked",)),
    _check("expect_not_checked", "ref", "one", "absence", state="checked"),
    _check("expect_enabled", "ref", "one", state="enabled", others=("to_be_enabled",)),
    _check("expect_not_enabled", "ref", "one", "absence", state="enabled"),
    _check("expect_focused", "ref", "one", state="focused"),
    _check("expect_not_focused", "ref", "one", "absence", state="focused"),
    _check("expect_selected", "ref", "one", state="selected"),
    _check("expect_not_selected", "ref", "one", "absence", state="selected"),
    _check("expect_app", "word [app]"),
    _check("expect_no_crash", "[app]"),
    _check("expect_log", "text"),
    _check("expect_changed", "", of_outcome=True),
    _check("expect_unchanged", "", of_outcome=True),
    _check("expect"),
    _check("expect_outline", proves="absence"),
    _check(
        "expect_looks_like",
        others=("to_have_screenshot", "to_match_snapshot", "assert_screenshot"),
    ),
    _check("expect_no_accessibility_findings"),
)  # fmt: skip
VERBS: Mapping[str, Verb] = {one.name: one for one in TABLE}
NO_VERB = Verb("read", "")
"""For a name that is no call: it says nothing."""


def verb_of(name: str) -> Verb:
    """The row of a call, also by its type in traces; of no call, one that says nothing."""
    return VERBS.get(name) or _RECORDED.get(name, NO_VERB)


_RECORDED: Mapping[str, Verb] = {one.recorded: one for one in TABLE if one.recorded}
