"""Where a gesture goes, and what is in its way: each reason is named, and none is a guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.model import Point
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..scripted_phone import APP, button, node, screen


def window(*nodes: str, package: str = APP, bounds: str = "[0,0][1000,2000]") -> str:
    """A window of its own; the one on top comes first."""
    root = (
        '<node index="0" text="" resource-id="" class="android.widget.FrameLayout" '
        f'package="{package}" content-desc="" checkable="false" checked="false" clickable="false" '
        'enabled="true" focusable="false" focused="false" scrollable="false" '
        'long-clickable="false" password="false" selected="false" '
        f'bounds="{bounds}">{"".join(nodes)}</node>'
    )
    return root if package == APP else root.replace(f'package="{APP}"', f'package="{package}"')


def windows(*roots: str) -> bytes:
    return (
        "<?xml version='1.0' encoding='UTF-8' ?><hierarchy "
        f'rotation="0">{"".join(roots)}</hierarchy>'
    ).encode()


def dialog(*nodes: str, title: str = "Allow notifications?", package: str = APP) -> str:
    heading = node("TextView", (150, 820, 850, 880), text=title, resource_id=f"{APP}:id/alertTitle")
    return window(heading, *nodes, package=package, bounds="[100,800][900,1200]")


ALLOW = node("Button", (150, 1050, 450, 1150), text="Allow", clickable=True)
PAY = node("Button", (100, 900, 500, 1000), text="Pay", resource_id=f"{APP}:id/pay", clickable=True)


Touched = Callable[..., Point]


@pytest.fixture
def point(play: Play) -> Touched:
    """``point(source, **by)``: where a tap on that goes."""

    def touched(source: bytes, **by: Any) -> Point:
        session, phone = play([source])
        session.tap(timeout=0.3, **by)
        ((_, found),) = phone.gestures
        return found

    return touched


def why(point: Touched, source: bytes, **by: Any) -> str:
    with pytest.raises(ActionFailed) as failed:
        point(source, **by)
    return str(failed.value)


def test_the_centre_where_it_is_free(point: Touched) -> None:
    assert point(screen(button("Go")), text="Go") == Point(300, 250)


def test_a_later_sibling_over_a_half_leaves_the_other_half(point: Touched) -> None:
    over = node("Button", (100, 200, 320, 300), text="Over", clickable=True)
    assert point(screen(button("Go"), over), text="Go").x >= 320


def test_an_earlier_sibling_is_below_and_takes_nothing(point: Touched) -> None:
    under = node("Button", (100, 200, 320, 300), text="Under", clickable=True)
    assert point(screen(under, button("Go")), text="Go") == Point(300, 250)


def test_of_an_element_partly_off_the_screen_the_visible_part_is_touched(point: Touched) -> None:
    low = node("Button", (100, 1950, 500, 2150), text="Go", clickable=True)
    assert point(screen(low), text="Go") == Point(300, 1975)


def test_what_scrolls_shows_no_more_than_its_own_part(point: Touched) -> None:
    row = node("Button", (0, 350, 1000, 550), text="Row", clickable=True)
    listed = node("RecyclerView", (0, 400, 1000, 1500), row, scrollable=True)
    assert point(screen(listed), text="Row") == Point(500, 475)


def test_a_text_drawn_inside_a_button_is_its_caption_and_no_cover(point: Touched) -> None:
    nameless = node("Button", (100, 200, 500, 300), resource_id="pay", clickable=True)
    caption = node("TextView", (250, 230, 350, 270), text="Pay now")
    assert point(screen(nameless, caption), resource_id="pay") == Point(300, 250)


def test_what_fills_an_element_wholly_is_one_thing_with_it(point: Touched) -> None:
    inner = node("FrameLayout", (0, 200, 1000, 300), clickable=True)
    card = node("LinearLayout", (0, 200, 1000, 300), inner, text="Card", clickable=True)
    assert point(screen(card), text="Card") == Point(500, 250)


def test_a_list_whose_rows_take_every_touch_is_not_tapped_on_a_guess(point: Touched) -> None:
    rows = [
        node("Button", (0, top, 1000, top + 100), text=f"Row {top}", clickable=True)
        for top in (200, 300)
    ]
    listed = node("ListView", (0, 200, 1000, 400), *rows, resource_id="all", scrollable=True)
    failed = why(point, screen(listed), resource_id="all")
    assert 'Button "Row 300" in it takes every touch; name that instead' in failed


def snackbar(*below: str) -> bytes:
    text = node(
        "TextView", (0, 1800, 700, 1900), text="Deleted", resource_id=f"{APP}:id/snackbar_text"
    )
    undo = node("Button", (700, 1800, 1000, 1900), text="Undo", clickable=True)
    return screen(*below, node("FrameLayout", (0, 1790, 1000, 1910), text, undo))


def test_a_snackbar_is_named(point: Touched) -> None:
    beside = node("Button", (600, 1800, 990, 1890), text="Next", clickable=True)
    assert 'covered by TextView "Deleted" (snackbar)' in why(point, snackbar(beside), text="Next")
    below = node("Button", (710, 1810, 990, 1890), text="Next", clickable=True)
    assert 'covered by Button "Undo" (snackbar)' in why(point, snackbar(below), text="Next")


def test_a_notice_takes_touches_with_all_of_itself(point: Touched) -> None:
    notice = node(
        "FrameLayout",
        (0, 180, 1000, 320),
        node("TextView", (40, 200, 600, 300), text="No connection"),
    )
    failed = why(point, screen(button("Go"), notice), text="Go")
    assert 'covered by TextView "No connection"' in failed


def test_a_disabled_one(point: Touched) -> None:
    assert "it is disabled" in why(point, screen(button("Go", enabled=False)), text="Go")


def test_a_system_bar_takes_the_touches_on_itself_only(point: Touched) -> None:
    bar = window(
        node("TextView", (0, 1900, 1000, 2000), text="nav"),
        package="com.android.systemui",
        bounds="[0,1900][1000,2000]",
    )
    low = node("Button", (100, 1800, 500, 2000), text="Go", clickable=True)
    for roots in ((bar, window(low)), (window(low), bar)):
        assert point(windows(*roots), text="Go").y < 1900


def test_what_a_dialog_covers_is_not_missing(play: Play) -> None:
    session, phone = play([windows(dialog(ALLOW), window(PAY))])
    with pytest.raises(ActionFailed) as failed:
        session.tap(text="Pay", timeout=0.5)
    said = str(failed.value)
    assert failed.value.failure_code == "ELEMENT_NOT_INTERACTABLE"
    assert 'Button "Pay": covered by Dialog "Allow notifications?"' in said
    assert 'Button "Allow"\nNext: tap one of them first.' in said
    assert phone.gestures == []


def test_what_is_neither_on_the_dialog_nor_below_it_is_missing(play: Play) -> None:
    session, _ = play([windows(dialog(ALLOW), window(PAY))])
    with refused("ELEMENT_NOT_FOUND") as failed:
        session.tap(text="Check out", timeout=0.5)
    assert 'A window "Allow notifications?" covers the app' in str(failed.value)
    assert 'Button "Allow"' in str(failed.value)


def test_a_prompt_of_the_system_says_how_to_answer_it(play: Play) -> None:
    prompts = "com.google.android.permissioncontroller"
    allow = node(
        "Button", (150, 1050, 450, 1150), text="Allow",
        resource_id="com.android.permissioncontroller:id/permission_allow_button", clickable=True,
    ).replace(APP, prompts)  # fmt: skip
    title = node(
        "TextView", (150, 820, 850, 880), text="Allow Shop?", resource_id="alertTitle"
    ).replace(APP, prompts)
    prompt = window(title, allow, package=prompts, bounds="[100,800][900,1200]")
    session, _ = play([windows(prompt, window(PAY))])
    with pytest.raises(ActionFailed) as failed:
        session.tap(text="Checkout", timeout=0.3)
    assert 'A system alert covers the app: "Allow Shop?"' in str(failed.value)
    assert 'Next: answer_permission("allow"), or grant it before launch.' in str(failed.value)


def test_a_dialog_without_a_title_is_named_by_what_it_says(play: Play) -> None:
    says = node(
        "TextView", (150, 820, 850, 880), text="Rate this app?", resource_id="android:id/message"
    )
    session, _ = play([windows(window(says, ALLOW, bounds="[100,800][900,1200]"), window(PAY))])
    with pytest.raises(ActionFailed, match=r'covered by Dialog "Rate this app\?"'):
        session.tap(text="Pay", timeout=0.3)


def test_what_was_there_when_a_dialog_opened_alone_is_covered(play: Play) -> None:
    """Many dumps hold the window on top alone."""
    session, phone = play([windows(window(PAY))])
    ref = session.snapshot().ref(text="Pay")
    phone.frames = [windows(dialog(ALLOW))]
    session._context.observer.invalidate()
    with refused("ELEMENT_NOT_INTERACTABLE", r'covered by Dialog "Allow notifications\?"'):
        session.tap(ref, timeout=0.3)
    session.tap(session.snapshot().find(text="Allow"))
    with refused("ELEMENT_NOT_FOUND"):
        session.tap(text="Other", timeout=0.3)


def test_a_ref_under_a_dialog_is_covered_and_not_stale(play: Play) -> None:
    session, phone = play([windows(window(PAY))])
    ref = session.snapshot().ref(text="Pay")
    phone.frames = [windows(dialog(ALLOW), window(PAY))]
    session._context.observer.invalidate()
    with refused("ELEMENT_NOT_INTERACTABLE", "covered by Dialog") as failed:
        session.tap(ref, timeout=0.3)
    assert f"[{ref}]" in str(failed.value)


@pytest.mark.parametrize(
    ("bounds", "where", "way"),
    [
        ((0, 2100, 500, 2200), "below", ""),
        ((0, -300, 500, -200), "above", ', direction="up"'),
        ((1100, 0, 1500, 100), "to the right", ', direction="right"'),
    ],
)
def test_what_lies_off_the_screen_says_where(
    play: Play, bounds: tuple[int, int, int, int], where: str, way: str
) -> None:
    session, _ = play([screen(button("Go"), node("Button", bounds, text="Far", clickable=True))])
    with pytest.raises(
        ActionFailed, match=f"it is off screen {where}. Nothing was touched"
    ) as failed:
        session.tap(text="Far", timeout=0.2)
    assert f'Next: scroll_to(text="Far"{way}).' in str(failed.value)
    assert failed.value.failure_code == "ELEMENT_NOT_INTERACTABLE"
