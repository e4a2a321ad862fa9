"""Alerts of apps and of SpringBoard, and menus."""

from __future__ import annotations

from pytest_replicant.virtual import Dialog, DialogButton, EditText

from ..toy_app import state_of
from .iphone import all_of, front, iphone, kind_of, points, window


def test_an_alert_is_named_by_its_title_and_cancels_at_the_left() -> None:
    phone, hand = iphone()
    hand.tap(text="Ask")
    root = window(phone, "dialog").root
    assert (kind_of(root), root.description) == ("Alert", "Sure?")
    assert points(root)[2] == 270
    assert abs(root.bounds.center.x - phone.size[0] // 2) <= 3
    assert [node.text for node in all_of(root, "StaticText")] == ["Sure?", "There is no way back."]
    no, yes = all_of(root, "Button")
    assert (no.text, yes.text) == ("No", "Yes")
    assert no.bounds.top == yes.bounds.top
    assert no.bounds.right <= yes.bounds.left


def test_only_its_buttons_close_an_alert() -> None:
    phone, hand = iphone()
    hand.tap(text="Ask")
    phone.tap(20, phone.size[1] // 2)
    phone.press_key("BACK")
    assert "dialog" in hand.kinds()
    hand.tap(text="Yes")
    assert "dialog" not in hand.kinds()
    assert state_of(phone).events == ["yes"]


def test_three_buttons_lie_below_one_another_the_one_that_cancels_last() -> None:
    phone, _ = iphone()
    buttons = [DialogButton("Save", id="save"), DialogButton("Cancel"), DialogButton("Delete", enabled=False)]
    front(phone).show(Dialog("Changes", "", buttons))
    shown = all_of(window(phone, "dialog").root, "Button")
    assert [node.text for node in shown] == ["Save", "Delete", "Cancel"]
    assert [node.bounds.top for node in shown] == sorted({node.bounds.top for node in shown})
    assert [node.enabled for node in shown] == [True, False, True]
    assert shown[0].resource_id.endswith(":id/save")
    assert shown[1].resource_id == ""


def test_a_field_in_an_alert_can_be_typed_in() -> None:
    phone, hand = iphone()
    content = Dialog("Name", "", [DialogButton("OK")], content=lambda: EditText("Name", id="name"))
    front(phone).show(content)
    hand.tap(id="name")
    assert phone.type_text("ada")
    assert hand.find(id="name").text == "ada"
    assert window(phone, "dialog").root.bounds.bottom <= window(phone, "keyboard").root.bounds.top


def test_a_pop_up_menu_has_a_cell_per_choice_and_marks_the_chosen_one() -> None:
    phone, hand = iphone()
    hand.tap(id="country")
    root = window(phone, "popup").root
    assert kind_of(root) == "CollectionView"
    assert [kind_of(cell) for cell in root.children] == ["Cell"] * 3
    shown = all_of(root, "Button")
    assert [(node.text, node.selected) for node in shown] == [
        ("Denmark", True),
        ("Norway", False),
        ("Sweden", False),
    ]
    hand.tap(text="Sweden")
    assert state_of(phone).country == 2
    assert "popup" not in hand.kinds()


def test_a_notice_is_springboard_s_and_waits_for_its_button() -> None:
    phone, hand = iphone()
    phone.show_system_dialog("Battery low", "10%", ("OK",))
    alert = window(phone, "system_dialog")
    assert (alert.package, alert.root.description) == ("com.apple.springboard", "Battery low")
    phone.tap(20, 300)
    phone.press_key("BACK")
    assert "system_dialog" in hand.kinds()
    hand.tap(text="OK")
    assert "system_dialog" not in hand.kinds()
