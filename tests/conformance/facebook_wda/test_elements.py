"""Plain facebook-wda against the virtual iPhone: how elements are found, and what is done with
them."""

from __future__ import annotations

from pytest_replicant.virtual import VirtualPhone

from .stock import leaves_sockets_to_the_collector, shop_of, wda

pytestmark = leaves_sockets_to_the_collector

HOSTILE = 'it\'s "quoted" a & b <c> (d) $abc `e` 100% %s \\ 日本語 👩‍🚀'


def test_by_name(s: wda.Client) -> None:
    assert s(name="email").exists
    assert s(name="email").className == "XCUIElementTypeTextField"
    assert s(nameContains="emai").exists
    assert s(nameMatches="e.ail").exists
    assert not s(name="no such name").exists


def test_by_label(s: wda.Client) -> None:
    assert s(label="Forgot password?").count() == 1
    assert s(labelContains="Forgot").get(timeout=0).label == "Forgot password?"


def test_by_class(s: wda.Client) -> None:
    assert s(className="SecureTextField").get(timeout=0).name == "XCUIElementTypeSecureTextField"
    assert s(type="XCUIElementTypeTextField").count() == 1
    assert s(className="Button", label="Sign in").exists


def test_by_value_and_state(s: wda.Client) -> None:
    s(name="email").set_text("ada@example.com")
    assert s(value="ada@example.com").className == "XCUIElementTypeTextField"
    assert s(valueContains="example").exists
    assert s(name="email", enabled=True).exists
    assert s(name="email", visible=True).exists
    assert not s(name="email", enabled=False).exists


def test_by_xpath(s: wda.Client) -> None:
    assert s.xpath('//Button[@label="Forgot password?"]').exists
    assert s(xpath="//*[@name='email']").className == "XCUIElementTypeTextField"
    assert s.xpath(
        '//XCUIElementTypeTextField[@name="email"]/following::XCUIElementTypeButton[1]'
    ).exists
    assert not s.xpath('//Button[@label="No such button"]').exists


def test_a_child_is_found_right_under_its_parent(s: wda.Client) -> None:
    assert s(className="NavigationBar").child(className="StaticText", label="Sign in").exists
    assert not s(className="Window").child(className="TextField", name="email").exists
    assert s(classChain="**/XCUIElementTypeWindow/**/XCUIElementTypeTextField").exists


def test_set_text_and_clear_text(s: wda.Client, phone: VirtualPhone) -> None:
    field = s(name="email").get(timeout=0)
    field.set_text("ada@")
    field.set_text("example.com")
    assert field.value == "ada@example.com"
    assert shop_of(phone).form.email == "ada@example.com"
    field.clear_text()
    assert shop_of(phone).form.email == ""
    field.set_text(HOSTILE)
    assert shop_of(phone).form.email == HOSTILE


def test_send_keys_goes_to_the_field_with_the_focus(s: wda.Client, phone: VirtualPhone) -> None:
    s(name="email").click()
    assert s(className="Keyboard").exists
    s.send_keys("ada@example.com\n")
    s.send_keys(["correct", " horse"])
    assert (shop_of(phone).form.email, shop_of(phone).form.password) == (
        "ada@example.com",
        "correct horse",
    )
    assert s(className="SecureTextField").value != "correct horse"


def test_a_switch_has_a_value(s: wda.Client, phone: VirtualPhone) -> None:
    switch = s(className="Switch", name="remember_me").get(timeout=0)
    assert switch.value in ("0", 0)
    switch.click()
    assert switch.value in ("1", 1)
    assert shop_of(phone).form.remember is True
