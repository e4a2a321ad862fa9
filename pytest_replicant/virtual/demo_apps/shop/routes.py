"""Where one can go, by activity name: screens open each other without knowing each other."""

from __future__ import annotations

from ...app_kit import Page, RunningApp
from .state import ShopState

SIGN_IN = ".SignInActivity"
RESET_PASSWORD = ".ResetPasswordActivity"
CATALOGUE = ".CatalogueActivity"
PRODUCT = ".ProductActivity"
CART = ".CartActivity"
CHECKOUT = ".CheckoutActivity"
ORDER_PLACED = ".OrderPlacedActivity"
SETTINGS = ".SettingsActivity"

Shop = RunningApp[ShopState]
"""The running shop, as every screen is given it."""


def screen_at(app: Shop, activity: str) -> Page:
    """A fresh screen for the activity."""
    return app.app.screens[activity]()
