"""Open sessions on virtual phones of one clock, where no wait takes time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from pytest_replicant.drivers import Platform
from pytest_replicant.exploring import Answer, Explorer, OpenSession, Phone, Request
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, Guard
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import App

SHOP = "dev.replicant.shop"
LAB = "dev.replicant.lab"
SIGN_IN = (
    'fill(text="Email", value="ada@example.com")',
    'fill(text="Password", env="SHOP_PASSWORD")',
    'tap(text="Sign in")',
)
SECRETS = {"SHOP_PASSWORD": "correct horse"}


@contextmanager
def opened(
    app: str | App[Any] = SHOP,
    *,
    platform: Platform = "android",
    guard: Guard | None = None,
    folder: str = ".",
) -> Iterator[Typed]:
    """A session whose app is in front; a fresh app is one whose data are cleared."""
    name = app if isinstance(app, str) else app.package
    with virtual_device(app, platform=platform, start=False) as device, ExitStack() as sessions:

        def fresh() -> DeviceSession:
            sessions.close()
            device.phone.clear_app(name)
            session = sessions.enter_context(
                device.session(
                    app=name, guard=guard, recover=builtin, screenshots=False, action_timeout=1.0
                )
            )
            session.launch(name)
            return session

        explorer = Explorer(fresh(), name, fresh)
        phone = Phone(
            "s1", f"virtual:{platform}?latency=0", name, "virtual-1, Android 14", "data cleared"
        )
        yield Typed(OpenSession(explorer, phone, guard), folder)


class Typed:
    """A session that obeys words as its client would send them."""

    def __init__(self, session: OpenSession, folder: str) -> None:
        self.session = session
        self.explorer = session.explorer
        self.folder = folder

    def __call__(
        self, *argv: str, stdin: str | None = None, env: dict[str, str] = SECRETS
    ) -> Answer:
        return self.session.handle(Request(argv, self.folder, stdin, env))

    def codes(self) -> list[str]:
        """The recorded steps, as a test has them."""
        return [step.durable.code("mobile.") for step in self.explorer.steps]
