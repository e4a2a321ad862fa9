"""What a guard refuses before a gesture, and what it lets pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import UsageError, by
from pytest_replicant.drivers import Platform
from pytest_replicant.session import Guard
from pytest_replicant.testing import virtual_device
from pytest_replicant.testing.virtual import Image
from pytest_replicant.virtual import (
    Button,
    Column,
    EditText,
    IconButton,
    Row,
    SeekBar,
    Text,
    Widget,
)
from tests.unit.session.on_phone import PACKAGE, Page, done, noting, page_on

REFUSED = [
    "Pay", "Pay £8.00", "Place order", "BUY NOW", "Löschen", "Konto löschen", "Envoyer",
    "Eliminar cuenta", "削除", "すべて削除する", "메시지 보내기", "Удалить всё", "Call now", "Send", "Post",
    "Book now", "Book  NOW, please",
]  # fmt: skip
FREE = [
    "Payment methods",
    "Sender",
    "Sign in",
    "Calls",
    "Deleted items",
    "Postcode",
    "Recall",
    "Spay",
    "Book",
    "支",
]
GUARD = Guard.of(["on", "refuse Book now"], {PACKAGE})


def buttons(page: Page) -> Widget:
    """Each label on a button of its own, two in a row."""
    every = [
        Button(label, on_click=noting(page, label), width=150, height=40)
        for label in (*REFUSED, *FREE)
    ]
    return Column([Row(every[at : at + 2]) for at in range(0, len(every), 2)])


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_label_is_refused_by_words_of_its_own(platform: Platform) -> None:
    with page_on(platform, buttons, guard=GUARD) as (session, page, _):
        for label in REFUSED:
            with pytest.raises(UsageError, match=r"GUARDED.*--allow"):
                session.tap(text=" ".join(label.split()))
        for gesture in (session.long_press, session.double_tap):
            with pytest.raises(UsageError, match="GUARDED"):
                gesture(text="Pay")
        assert not done(page)
        for label in FREE:
            session.tap(text=label)
        assert done(page) == FREE


def test_what_has_no_words_is_known_by_its_id_and_what_is_in_a_row_by_the_row() -> None:
    def build(page: Page) -> Widget:
        touched = noting(page, "tapped")
        return Column(
            [
                IconButton(icon="trash", id="deleteAccount", on_click=touched),
                Row([Text("Ada")], id="ada", on_click=touched),
                Row([Text("Send it all")], id="everything", on_click=touched),
            ]
        )

    with page_on("android", build, guard=GUARD) as (session, page, _):
        for refused in ("deleteAccount", "everything"):
            with pytest.raises(UsageError, match="GUARDED"):
                session.tap(resource_id=refused)
        with pytest.raises(UsageError, match="GUARDED"):
            session.tap(text="Send it all")
        with pytest.raises(UsageError, match="not known"):
            session.tap_at(10, 10)
        assert not done(page)
        session.tap(text="Ada")
        assert done(page) == ["tapped"]


def test_what_else_may_act_is_refused() -> None:
    def build(page: Page) -> Widget:
        rows: list[Widget] = [
            EditText("Message"),
            SeekBar(description="Slide to pay", high=10),
            Row([Text("x1"), Image(id="ic_delete")], id="row", on_click=noting(page, "row")),
        ]
        return Column(rows)

    with page_on("android", build, guard=GUARD) as (session, page, _):
        session.fill(text="Message", value="hello")
        for key in ("enter", "search", "power"):
            with pytest.raises(UsageError, match=f"--allow {key}"):
                session.press_key(key)
        refused: list[Callable[[], object]] = [
            lambda: session.tap(text="x1"),
            lambda: session.adjust(text="Slide to pay", to=8),
            lambda: session.swipe("right", by(text="Slide to pay")),
            lambda: session.select(by(text="Message"), "Delete all"),
            lambda: session.open_url("tel:911"),
            lambda: session.open_url("https://example.com", "com.android.browser"),
            lambda: session.push_file(b"x", "/sdcard/x"),
            lambda: session.set_permission("CAMERA", True, "com.other.app"),
        ]
        for one in refused:
            with pytest.raises(UsageError, match="GUARDED"):
                one()
        assert not done(page)
        session.press_key("tab")


def test_another_app_is_left_alone() -> None:
    with virtual_device("dev.replicant.shop", "dev.replicant.lab", start=False) as device:
        guard = Guard.of(["on"], {"dev.replicant.shop"})
        with device.session(guard=guard, screenshots=False) as session:
            for refused in (
                session.launch,
                session.stop,
                session.clear_data,
                session.activate,
                session.uninstall,
            ):
                with pytest.raises(UsageError, match=r"other apps"):
                    refused("dev.replicant.lab")
            session.launch("dev.replicant.shop")
            session.home()
            apps = session.snapshot()
            with pytest.raises(UsageError, match="is in front"):
                session.tap(apps.elements[0])
            with pytest.raises(UsageError, match="is in front"):
                session.swipe("left")
            session.activate("dev.replicant.shop").expect_visible(text="Email")


def test_what_is_allowed_by_word_passes_and_no_other() -> None:
    for words, free in ((["allow pay"], True), (["allow Pay now"], True), (["allow send"], False)):
        guard = Guard.of(["on", *words], {PACKAGE})
        with page_on("android", lambda page: Column([Button("Pay now")]), guard=guard) as (
            session,
            _,
            _,
        ):
            if free:
                session.tap(text="Pay now")
            else:
                with pytest.raises(UsageError, match="may pay"):
                    session.tap(text="Pay now")
    assert Guard.of(["on", "allow pay"], {"a"}).describe() == "delete, send, call, other apps"
    assert Guard.of(["on"], ()).allowing(["pay"]).lines == ["on", "allow other apps", "allow pay"]
