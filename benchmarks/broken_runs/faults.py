"""What can be done to a demo app or its phone for the length of one test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_replicant import DeviceOffline
from pytest_replicant.virtual import (
    AppCrash,
    Button,
    CheckBox,
    Column,
    Dialog,
    DialogButton,
    EditText,
    IconButton,
    SeekBar,
    Switch,
    Text,
    Widget,
)
from pytest_replicant.virtual.demo_apps.shop import (
    cart,
    catalogue,
    checkout,
    order_placed,
    product,
    reset_password,
    settings,
    sign_in,
    state,
)
from pytest_replicant.virtual.demo_apps.shop.looks import caption
from pytest_replicant.virtual.demo_apps.shop.products import PRODUCTS

NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"


@dataclass(frozen=True)
class Bench:
    """What a fault may lay hands on; all is undone after the test."""

    patch: pytest.MonkeyPatch
    request: pytest.FixtureRequest

    def widget(self, module: Any, kind: str, made: Callable[..., Widget], was: str, /, **changes: Any) -> None:
        """Every widget of that kind and label in a module is built with the changes."""

        def build(label: str = "", /, *rest: Any, **given: Any) -> Widget:
            if label != was:
                return made(label, *rest, **given)
            told = changes.get("label", label)
            return made(told, *rest, **{**given, **{name: changes[name] for name in changes if name != "label"}})

        self.patch.setattr(module, kind, build)


def _crash(java_class: str, message: str, at: Sequence[str]) -> Callable[..., None]:
    def die(*_: object, **__: object) -> None:
        raise AppCrash(java_class, message, at=at)

    return die


def checkbox_renamed(bench: Bench) -> None:
    bench.widget(sign_in, "CheckBox", CheckBox, "Remember me", label="Stay signed in", id="stay")


def forgot_renamed(bench: Bench) -> None:
    bench.widget(sign_in, "Button", Button, "Forgot password?", label="Trouble?", id="trouble")


def adding_crashes(bench: Bench) -> None:
    die = _crash("java.lang.NullPointerException", "no cart 4711", ("CartStore.add:42", "CartStore.open:7"))
    bench.patch.setattr(product, "add_to_cart", die)
    bench.patch.setattr(catalogue, "add_to_cart", die)


def checkout_crashes(bench: Bench) -> None:
    die = _crash(
        "java.lang.NullPointerException", "no cart 815", ("Delivery.options:9", "CheckoutActivity.open:3")
    )
    bench.patch.setattr(checkout.Checkout, "opened", die)


def asks_permission(bench: Bench) -> None:
    def opened(self: catalogue.Catalogue, app: Any) -> None:
        app.request_permission(NOTIFICATIONS)

    bench.patch.setattr(catalogue.Catalogue, "opened", opened)


def server_down(bench: Bench) -> None:
    def build(self: catalogue.Catalogue, app: Any) -> Widget:
        return Column(children=[Text("Something went wrong", id="error"), Button("Try again", id="retry")])

    bench.patch.setattr(catalogue.Catalogue, "build", build)


def total_is_wrong(bench: Bench) -> None:
    right: Any = vars(cart.Cart)["pence"]
    bench.patch.setattr(cart.Cart, "pence", property(lambda self: right.fget(self) + 1 if self else 0))


def order_disabled(bench: Bench) -> None:
    bench.widget(checkout, "Button", Button, "Place order", enabled=False)


def two_gears(bench: Bench) -> None:
    once = catalogue.Catalogue.actions

    def twice(self: catalogue.Catalogue, app: Any) -> Sequence[Widget]:
        return [*once(self, app), *(IconButton(icon="settings", description="Settings") for _ in range(1))]

    bench.patch.setattr(catalogue.Catalogue, "actions", twice)


def sign_out_dead(bench: Bench) -> None:
    bench.patch.setattr(settings.Settings, "sign_out", lambda self, app: None)


def login_refused(bench: Bench) -> None:
    bench.patch.setattr(state.SignInForm, "is_right", property(lambda self: False))


def nothing(bench: Bench) -> None:
    """The fault is in the test's own code."""


# --- held out: no rule of the grouping was made for these ------------------------------------------------


def reset_renamed(bench: Bench) -> None:
    bench.widget(reset_password, "Button", Button, "Send reset link", label="Mail me", id="mail_me")


def dark_mode_crashes(bench: Bench) -> None:
    die = _crash("java.lang.IllegalStateException", "theme 7f0a is gone", ("Theme.apply:88", "Settings.toggle:5"))
    bench.patch.setattr(settings, "Switch", lambda *args, **given: Switch(*args, **{**given, "on_change": die}))


def battery_low(bench: Bench) -> None:
    def opened(self: product.ProductScreen, app: Any) -> None:
        app.system_dialog("Battery low", "14% remaining", ("Details", "Settings"))

    bench.patch.setattr(product.ProductScreen, "opened", opened)
    phone = bench.request.getfixturevalue("mobile_device").phone
    bench.request.addfinalizer(lambda: phone.press_key("back"))  # the phone is the next test's as well


def rating_asked(bench: Bench) -> None:
    """A window of the app's own that nobody expects."""

    def opened(self: order_placed.OrderPlaced, app: Any) -> None:
        app.show(Dialog("Do you like the shop?", "Tell others.", [DialogButton("Rate us")]))

    bench.patch.setattr(order_placed.OrderPlaced, "opened", opened)


def email_renamed(bench: Bench) -> None:
    bench.widget(sign_in, "EditText", EditText, "Email", label="Address", id="address")


def reset_email_renamed(bench: Bench) -> None:
    bench.widget(reset_password, "EditText", EditText, "Email", label="Address", id="address")


def volume_stuck(bench: Bench) -> None:
    bench.patch.setattr(settings, "SeekBar", lambda **given: SeekBar(**{**given, "on_change": lambda value: None}))


def translated(bench: Bench) -> None:
    """The settings come up in another language."""
    words = {"Dark mode": "Dunkel", "Sign out": "Abmelden", "Display": "Anzeige", "Sound": "Ton"}
    for kind, made in (("Switch", Switch), ("Button", Button), ("caption", caption)):
        bench.patch.setattr(settings, kind, _saying(made, words))


def _saying(made: Callable[..., Widget], words: dict[str, str]) -> Callable[..., Widget]:
    return lambda label, *rest, **given: made(words.get(label, label), *rest, **given)


def cart_dead(bench: Bench) -> None:
    bench.patch.setattr(catalogue, "Button", _without_effect("Cart, "))


def _without_effect(begins: str) -> Callable[..., Widget]:
    def build(label: str, /, *rest: Any, **given: Any) -> Widget:
        return Button(label, *rest, **({**given, "on_click": lambda: None} if label.startswith(begins) else given))

    return build


def search_broken(bench: Bench) -> None:
    """Whatever is searched for, nothing is found."""
    bench.patch.setattr(state.ShopState, "found", property(lambda self: [] if self.search else list(PRODUCTS)))


def remove_gone(bench: Bench) -> None:
    from pytest_replicant.virtual.demo_apps.shop import cart_screen

    bench.widget(cart_screen, "Button", Button, "Remove", visible=False)


def phone_mute(bench: Bench) -> None:
    """The phone runs and answers, but for its screen."""
    opened = bench.request.getfixturevalue("mobile_device")
    reading = opened.driver.dump_hierarchy

    def dump(*args: Any, **given: Any) -> Any:
        if opened.phone.foreground()[1].endswith("Catalogue" + "Activity"):
            raise DeviceOffline(
                "the phone does not answer: device 'virtual-1' not found", device=opened.driver.uri
            )
        return reading(*args, **given)

    bench.patch.setattr(opened.driver, "dump_hierarchy", dump)


Fault = Callable[[Bench], None]
FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        *(checkbox_renamed, forgot_renamed, adding_crashes, checkout_crashes, asks_permission, server_down),
        *(total_is_wrong, order_disabled, two_gears, sign_out_dead, login_refused, nothing),
        *(reset_renamed, dark_mode_crashes, battery_low, rating_asked, email_renamed, reset_email_renamed),
        *(volume_stuck, translated, cart_dead, search_broken, remove_gone, phone_mute),
    )
}
