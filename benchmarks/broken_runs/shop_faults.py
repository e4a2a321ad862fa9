"""What can be broken in the shop, by kind of fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.virtual import (
    App,
    AppCrash,
    Column,
    Dialog,
    DialogButton,
    IconButton,
    RunningApp,
    Screen,
    Text,
    Widget,
    shop,
)
from pytest_replicant.virtual.demo_apps.shop import (
    cart,
    cart_screen,
    catalogue,
    checkout,
    order,
    product,
    products,
    settings,
    sign_in,
    state,
)

Patch = pytest.MonkeyPatch
NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"


def asking_shop() -> App[Any]:
    """The shop, which may ask to send notifications."""
    return replace(shop(), permissions=(NOTIFICATIONS,))


def _widget(patch: Patch, module: Any, kind: str, was: str, /, **changes: Any) -> None:
    """Every widget of that kind, and with a label that begins so, is built with the changes."""
    made: Callable[..., Widget] = getattr(module, kind)

    def build(label: str = "", /, *rest: Any, **given: Any) -> Widget:
        if not (label or given.get("description", "")).startswith(was):
            return made(label, *rest, **given) if label else made(*rest, **given)
        changed = {**given, **changes}
        label = changed.pop("label", label)
        return made(label, *rest, **changed) if label else made(*rest, **changed)

    patch.setattr(module, kind, build)


def _opened(patch: Patch, screen: type[Screen[Any]], then: Callable[[RunningApp[Any]], object]) -> None:
    """The screen does something more when it opens."""
    once = screen.opened

    def opened(self: Screen[Any], app: RunningApp[Any]) -> None:
        once(self, app)
        then(app)

    patch.setattr(screen, "opened", opened)


def _refused(app: RunningApp[Any], request: str) -> None:
    """As an app that says what its server answered."""
    app.toast("Something went wrong. Try again later")
    app.log(f"{request} 503 Service Unavailable", level="E")


def _twice(patch: Patch, module: Any, label: str) -> None:
    """A second button next to the first, as after a merge gone wrong."""
    made = module.Button

    def build(text: str = "", /, *rest: Any, **given: Any) -> Widget:
        one = made(text, *rest, **given)
        return Column([one, made(text, *rest, **given)], width="wrap") if text == label else one

    patch.setattr(module, "Button", build)


def _slow(patch: Patch, screen: type[Screen[Any]]) -> None:
    """The screen has its content after twenty seconds."""
    build, opened = screen.build, screen.opened

    def wait(self: Any, app: RunningApp[Any]) -> None:
        opened(self, app)
        self.ready = False
        app.after(20_000, lambda: setattr(self, "ready", True))

    def late(self: Any, app: RunningApp[Any]) -> Widget:
        return build(self, app) if self.ready else Column([Text("Loading", margin=(16, 16))], height="fill")

    patch.setattr(screen, "opened", wait)
    patch.setattr(screen, "build", late)


# --- renamed control --------------------------------------------------------------------------------------


def forgot_renamed(patch: Patch) -> None:
    _widget(patch, sign_in, "Button", "Forgot password?", label="Trouble signing in?", id="trouble")


def check_out_renamed(patch: Patch) -> None:
    _widget(patch, cart_screen, "Button", "Check out", label="Proceed", id="proceed")


def gear_renamed(patch: Patch) -> None:
    _widget(patch, catalogue, "IconButton", "Settings", description="More")


def place_order_renamed(patch: Patch) -> None:
    _widget(patch, checkout, "Button", "Place order", label="Buy now", id="buy_now")


# --- server error -----------------------------------------------------------------------------------------


def adding_refused(patch: Patch) -> None:
    def add(app: Any, one: products.Product) -> None:
        _refused(app, "POST /cart")

    patch.setattr(catalogue, "add_to_cart", add)
    patch.setattr(product, "add_to_cart", add)


def order_refused(patch: Patch) -> None:
    patch.setattr(checkout.Checkout, "place", lambda self, app: _refused(app, "POST /orders"))


def reset_refused(patch: Patch) -> None:
    patch.setattr(sign_in.ResetPassword, "send", lambda self, app: _refused(app, "POST /reset"))


def removal_refused(patch: Patch) -> None:
    patch.setattr(cart_screen, "remove", lambda app, one: _refused(app, "DELETE /cart"))


# --- wrong total ------------------------------------------------------------------------------------------


def cart_total_wrong(patch: Patch) -> None:
    right: Any = vars(cart.Cart)["pence"]
    patch.setattr(cart.Cart, "pence", property(lambda self: right.fget(self) + 1 if self else 0))


def order_total_wrong(patch: Patch) -> None:
    patch.setattr(order.Order, "pence", lambda self, cart: cart.pence + self.shipping.pence + 100)


# --- disabled button --------------------------------------------------------------------------------------


def order_disabled(patch: Patch) -> None:
    _widget(patch, checkout, "Button", "Place order", enabled=False)


def reset_disabled(patch: Patch) -> None:
    _widget(patch, sign_in, "Button", "Send reset link", enabled=False)


def check_out_disabled(patch: Patch) -> None:
    _widget(patch, cart_screen, "Button", "Check out", enabled=False)


# --- dead button ------------------------------------------------------------------------------------------


def sign_out_dead(patch: Patch) -> None:
    patch.setattr(settings.Settings, "sign_out", lambda self, app: None)


def remove_dead(patch: Patch) -> None:
    patch.setattr(cart_screen, "remove", lambda app, one: None)


def cart_dead(patch: Patch) -> None:
    _widget(patch, catalogue, "Button", "Cart, ", on_click=lambda: None)


def forgot_dead(patch: Patch) -> None:
    _widget(patch, sign_in, "Button", "Forgot password?", on_click=lambda: None)


# --- crash ------------------------------------------------------------------------------------------------


def _dies(java_class: str, message: str, at: Sequence[str]) -> Callable[..., None]:
    def die(*_: object, **__: object) -> None:
        raise AppCrash(java_class, message, at=at)

    return die


def product_crashes(patch: Patch) -> None:
    at = ("Gallery.load:88", "ProductActivity.onCreate:31")
    patch.setattr(product.ProductScreen, "opened", _dies("java.lang.OutOfMemoryError", "picture 7f0a", at))


def settings_crash(patch: Patch) -> None:
    at = ("Theme.apply:12", "SettingsActivity.onCreate:9")
    patch.setattr(settings.Settings, "opened", _dies("java.lang.IllegalStateException", "no theme 7f0a", at))


def order_crashes(patch: Patch) -> None:
    at = ("Orders.place:42", "CheckoutActivity.pay:77")
    patch.setattr(checkout.Checkout, "place", _dies("java.lang.NullPointerException", "no cart 4711", at))


# --- over the app -----------------------------------------------------------------------------------------


def asks_in_settings(patch: Patch) -> None:
    _opened(patch, settings.Settings, lambda app: app.request_permission(NOTIFICATIONS))


def asks_in_checkout(patch: Patch) -> None:
    _opened(patch, checkout.Checkout, lambda app: app.request_permission(NOTIFICATIONS))


def offer_on_product(patch: Patch) -> None:
    offer = Dialog("Half price today", "Only until midnight.", [DialogButton("Show me"), DialogButton("Later")])
    _opened(patch, product.ProductScreen, lambda app: app.show(offer))


def survey_in_cart(patch: Patch) -> None:
    survey = Dialog("Do you like the shop?", "Tell others.", [DialogButton("Rate us"), DialogButton("Not now")])
    _opened(patch, cart_screen.CartScreen, lambda app: app.show(survey))


# --- missing list item ------------------------------------------------------------------------------------


def _without(patch: Patch, name: str) -> None:
    found: Any = vars(state.ShopState)["found"]
    patch.setattr(
        state.ShopState, "found", property(lambda self: [one for one in found.fget(self) if one.name != name])
    )


def blue_mug_missing(patch: Patch) -> None:
    _without(patch, "Blue mug")


def red_mug_missing(patch: Patch) -> None:
    _without(patch, "Red mug")


def oak_tray_missing(patch: Patch) -> None:
    _without(patch, "Oak tray")


# --- duplicate control ------------------------------------------------------------------------------------


def two_gears(patch: Patch) -> None:
    once = catalogue.Catalogue.actions

    def twice(self: catalogue.Catalogue, app: Any) -> Sequence[Widget]:
        return [*once(self, app), IconButton(icon="settings", description="Settings")]

    patch.setattr(catalogue.Catalogue, "actions", twice)


def two_remove(patch: Patch) -> None:
    _twice(patch, cart_screen, "Remove")


def two_send(patch: Patch) -> None:
    _twice(patch, sign_in, "Send reset link")


def two_orders(patch: Patch) -> None:
    _twice(patch, checkout, "Place order")


# --- slow screen ------------------------------------------------------------------------------------------


def checkout_slow(patch: Patch) -> None:
    _slow(patch, checkout.Checkout)


def settings_slow(patch: Patch) -> None:
    _slow(patch, settings.Settings)


def product_slow(patch: Patch) -> None:
    _slow(patch, product.ProductScreen)


KINDS: Mapping[str, tuple[Callable[[Patch], None], ...]] = {
    "renamed control": (forgot_renamed, check_out_renamed, gear_renamed, place_order_renamed),
    "server error": (adding_refused, order_refused, reset_refused, removal_refused),
    "wrong total": (cart_total_wrong, order_total_wrong),
    "disabled button": (order_disabled, reset_disabled, check_out_disabled),
    "dead button": (sign_out_dead, remove_dead, cart_dead, forgot_dead),
    "crash": (product_crashes, settings_crash, order_crashes),
    "dialog over the app": (asks_in_settings, asks_in_checkout, offer_on_product, survey_in_cart),
    "missing list item": (blue_mug_missing, red_mug_missing, oak_tray_missing),
    "duplicate control": (two_gears, two_remove, two_send, two_orders),
    "slow screen": (checkout_slow, settings_slow, product_slow),
}
