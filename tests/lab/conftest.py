"""One warm phone a worker, on a clock of its own; each visit begins as if the lab had just been
installed.

``--lab-platform ios`` runs the whole folder on an iPhone, ``--lab-profile NAME`` on a phone of that
make. Without them it is on Android, and what is marked ``on_both`` on an iPhone as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession
from pytest_replicant.virtual import make_named

from .exhibits_shown import SHOWING, Visit
from .lab_phone import LabPhone, lab_phone
from .needed import skip_unless

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--lab-platform",
        choices=("android", "ios"),
        default=None,
        help="the phone of the lab's tests",
    )
    parser.addoption(
        "--lab-proofs", action="store_true", help="only tests of the lab that prove something there"
    )
    parser.addoption("--lab-profile", default="", help="the make of that phone, by name or file")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "platform" not in metafunc.fixturenames:
        return
    asked = metafunc.config.getoption("lab_platform", default=None)
    profile = metafunc.config.getoption("lab_profile", default="")
    asked = make_named(profile).platform if profile else asked
    both = metafunc.definition.get_closest_marker("on_both") is not None
    platforms = [asked] if asked else ["android", "ios"] if both else ["android"]
    metafunc.parametrize("platform", platforms, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--lab-proofs`` what is refuted, which is a matter of checks and not of phones, is left
    out."""
    if config.getoption("lab_proofs", default=False):
        kept = [
            item
            for item in items
            if item.path.parent != HERE or "proves" in SHOWING.get(_name(item), ())
        ]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _name(item: pytest.Item) -> str:
    return getattr(item, "originalname", "") or item.name


class WarmPhone:
    """A phone that is kept from test to test, until something died or hung on it, which a phone
    remembers."""

    def __init__(self, platform: Platform, profile: str = "") -> None:
        self._platform = platform
        self._profile = profile
        self._open = ExitStack()
        self._phone: LabPhone | None = None

    def take(self) -> LabPhone:
        if self._phone is None or self._phone.is_spoilt:
            self.close()
            self._phone = self._open.enter_context(lab_phone(self._platform, profile=self._profile))
        self._phone.reset()
        return self._phone

    def close(self) -> None:
        self._open.close()
        self._phone = None


@pytest.fixture(scope="session")
def warm_phone(platform: Platform, request: pytest.FixtureRequest) -> Iterator[WarmPhone]:
    warm = WarmPhone(platform, request.config.getoption("lab_profile", default=""))
    yield warm
    warm.close()


@pytest.fixture
def lab(request: pytest.FixtureRequest, warm_phone: WarmPhone) -> LabPhone:
    """The phone itself, which knows what really happened."""
    phone = warm_phone.take()
    for marker in request.node.iter_markers("needs"):
        skip_unless(phone.driver, *marker.args)
    return phone


@pytest.fixture
def visit(lab: LabPhone) -> Iterator[Visit]:
    """``visit("late-content?delay=300", **settings)``: a session that is at that exhibit."""
    with ExitStack() as stack:

        def make(link: str, **settings: Any) -> DeviceSession:
            session = stack.enter_context(lab.session(**settings))
            session.open_url(f"lab://{link}")
            return session

        yield make
