"""How the app looks and sounds."""

from __future__ import annotations

from ...app_kit import Button, Divider, Screen, Scroll, SeekBar, Switch, Text, Widget
from . import routes
from .looks import PILL, caption
from .routes import Shop
from .state import ShopState

LOUDEST = 15


class Settings(Screen[ShopState]):
    activity = routes.SETTINGS
    title = "Settings"
    up = True

    def build(self, app: Shop) -> Widget:
        state = app.state
        return Scroll(
            children=[
                caption("Display"),
                Switch(
                    "Dark mode",
                    id="dark_mode",
                    width="fill",
                    checked=state.dark,
                    on_change=lambda on: setattr(state, "dark", on),
                ),
                Divider(margin=(0, 12, 0, 0)),
                caption("Sound"),
                Text(f"Volume: {state.volume}", id="volume_value", margin=(0, 4)),
                SeekBar(
                    id="volume",
                    description="Volume",
                    value=state.volume,
                    high=LOUDEST,
                    on_change=lambda value: setattr(state, "volume", value),
                ),
                Divider(margin=(0, 12, 0, 0)),
                caption("Account"),
                Text(state.email or "Not signed in", id="account", lines=1, margin=(0, 4, 0, 12)),
                Button(
                    "Sign out",
                    id="sign_out",
                    flat=True,
                    shape="button_outlined",
                    radius=PILL,
                    width="fill",
                    on_click=lambda: self.sign_out(app),
                ),
            ],
            padding=(16, 0),
        )

    def sign_out(self, app: Shop) -> None:
        app.state.sign_out()
        app.log("signed out")
        app.reset_to(routes.screen_at(app, routes.SIGN_IN))
