"""For those who forgot theirs."""

from __future__ import annotations

from ...app_kit import Button, EditText, Screen, Scroll, Text, Widget
from . import routes
from .looks import PILL
from .routes import Shop
from .state import ShopState


class ResetPassword(Screen[ShopState]):
    activity = routes.RESET_PASSWORD
    title = "Reset password"
    up = True

    def build(self, app: Shop) -> Widget:
        state = app.state
        return Scroll(
            children=[
                Text("We will send you a link to choose a new one.", muted=True, margin=(0, 24, 0, 12)),
                EditText(
                    "Email",
                    id="email",
                    input="email",
                    text=state.reset_email,
                    height=64,
                    on_change=lambda text: setattr(state, "reset_email", text),
                    on_done=lambda: self.send(app),
                ),
                Button(
                    "Send reset link",
                    id="send_reset_link",
                    width="fill",
                    radius=PILL,
                    margin=(0, 16),
                    enabled="@" in state.reset_email,
                    on_click=lambda: self.send(app),
                ),
                Text("Check your inbox", id="status", visible=state.reset_sent, bold=True, gravity="center"),
            ],
            padding=(24, 0),
        )

    def opened(self, app: Shop) -> None:
        app.state.reset_email = app.state.form.email
        app.state.reset_sent = False

    def send(self, app: Shop) -> None:
        app.hide_keyboard()
        app.state.reset_sent = True
        app.log("reset link sent")
