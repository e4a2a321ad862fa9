"""Clauses about text: exact, or refused before anything is typed."""

from __future__ import annotations

from functools import partial

from ...drivers import FocusedField
from ...errors import UsageError
from .clause import Clause, Scene, must, refuses

HOSTILE_TEXTS = (
    "plain",
    "it's",
    "a & b (c)",
    "$abc",
    "$(reboot)",
    "100%",
    "%s",
    '"quotes"',
    "back\\slash",
    "semi;colon | pipe > file",
    "<b>&amp;</b>",
    "  two  spaces  ",
    "-n",
    "日本語",
    "zażółć gęślą jaźń",
    "שלום",
    "e\u0301",
    "👩\u200d🚀🇵🇱",
)
UNTYPEABLE_TEXTS = ("nul\0", "bell\a", "escape\x1b[0m", "half \ud83d", "\udc00 half", "none\uffff")


def _every_text_is_typeable(scene: Scene) -> None:
    for text in HOSTILE_TEXTS:
        scene.driver.check_typeable(text)


def _what_cannot_arrive_is_refused(scene: Scene) -> None:
    for text in UNTYPEABLE_TEXTS:
        refuses(partial(scene.driver.check_typeable, text), UsageError, f"check_typeable({text!r})")


def _text_arrives_exactly(scene: Scene) -> None:
    focus(scene)
    for text in HOSTILE_TEXTS:
        scene.driver.clear_text()
        scene.driver.type_text(text)
        expect_text(scene, text)


def _text_is_added_at_the_end(scene: Scene) -> None:
    focus(scene)
    scene.driver.clear_text()
    for text in ("one", " & two", " 三"):
        scene.driver.type_text(text)
    expect_text(scene, "one & two 三")


def _asking_what_a_field_takes_types_nothing(scene: Scene) -> None:
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text("before")
    scene.driver.check_field_takes("plain")
    expect_text(scene, "before")


def _refused_text_types_nothing(scene: Scene) -> None:
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text("before")
    refuses(lambda: scene.driver.type_text("half\0"), UsageError, "typing a NUL character")
    expect_text(scene, "before")


def _a_newline_is_kept_or_refused(scene: Scene) -> None:
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text("before")
    try:
        scene.driver.type_text(" two\nlines")
    except UsageError:
        expect_text(scene, "before")
    else:
        expect_text(scene, "before two\nlines")


def _hidden_keyboard(scene: Scene) -> None:
    """An iPhone's keyboard often has no key for that; what it has instead does more than to hide it."""
    field = focus(scene)
    try:
        scene.driver.hide_keyboard()
    except UsageError as error:
        must(scene.driver.keyboard_shown(), f"a keyboard that is not up cannot be hidden: {error}")
        now = scene.driver.focused_field()
        same = now is not None and now.is_same(field.resource_id, field.bounds)
        must(same, f"the keyboard cannot be hidden, and yet the focus left {field.bounds} for {now}")
        scene.driver.press_key("home")
    scene.wait_for(lambda: not scene.driver.keyboard_shown(), "the keyboard's end")
    front = scene.driver.app_in_front()
    scene.driver.hide_keyboard()
    must(scene.driver.app_in_front() == front, "hiding a keyboard that is not up left the screen")


def focus(scene: Scene) -> FocusedField:
    """The field, with the focus in it."""
    scene.front()
    point = scene.text_field
    if point is None:
        raise AssertionError("there is no text field to type into")
    scene.driver.tap(point)
    scene.wait_for(lambda: scene.driver.focused_field() is not None, "the focus in the text field")
    field = scene.driver.focused_field()
    if field is None:
        raise AssertionError("the text field has lost the focus")
    return field


def _nowhere_to_type(scene: Scene) -> None:
    scene.front()
    if scene.driver.focused_field() is None:
        refuses(lambda: scene.driver.type_text("nowhere"), UsageError, "typing without a focused field")
        refuses(scene.driver.clear_text, UsageError, "clearing without a focused field")


def expect_text(scene: Scene, text: str) -> None:
    scene.wait_for(lambda: _typed(scene) == text, f"{text!r} (what came was {_typed(scene)!r})")


def _typed(scene: Scene) -> str | None:
    field = scene.driver.focused_field()
    return None if field is None else field.text


TYPING = (
    Clause("typeable", "check_typeable lets through what people write", _every_text_is_typeable),
    Clause("untypeable", "check_typeable refuses what cannot arrive", _what_cannot_arrive_is_refused),
    Clause("type", "text arrives exactly", _text_arrives_exactly, needs_field=True),
    Clause("type-more", "text is added behind what is there", _text_is_added_at_the_end, needs_field=True),
    Clause(
        "field-takes",
        "a field that takes any text is said to, and nothing is typed",
        _asking_what_a_field_takes_types_nothing,
        needs_field=True,
    ),
    Clause("type-nothing", "a refused text leaves the field alone", _refused_text_types_nothing, needs_field=True),
    Clause("type-nowhere", "without a focused field nothing is typed", _nowhere_to_type),
    Clause("newline", "a newline is kept or refused", _a_newline_is_kept_or_refused, needs_field=True),
    Clause("hide-keyboard", "hide_keyboard hides it, or does nothing", _hidden_keyboard, needs_field=True),
)
