"""A driver of the kind that a cloud of phones allows: one session a phone, no shell, a log that is
given once, the focus and toasts in the hierarchy, and pictures that are dear."""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import pytest

from pytest_replicant import Capability, Driver, ExpectationFailed, Mobile, Traits, Unsupported
from pytest_replicant.drivers import Relay
from pytest_replicant.errors import DeviceOffline
from pytest_replicant.session import build_session
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import METHODS_NEEDING, VirtualDevice, check_driver, virtual_device

from ..architecture.source_tree import ROOT
from .phones import SHOP

ABLE = (
    Capability.LOGS
    | Capability.OPEN_URL
    | Capability.DRAG
    | Capability.ROTATE
    | Capability.CLEAR_DATA
)


@dataclass
class Cloud:
    """A phone and what it keeps for whichever session it serves."""

    phone: Driver
    served: Endpoint | None = None
    given: int = 0
    calls: Counter[str] = field(default_factory=Counter)


class Endpoint(Relay):
    """``before`` are lines of the log that another session had."""

    def __init__(self, cloud: Cloud) -> None:
        super().__init__(cloud.phone)
        self._cloud = cloud
        self._closed = False
        self.reconnect(1.0)

    @property
    def capabilities(self) -> Capability:
        return ABLE

    @property
    def traits(self) -> Traits:
        return Traits(
            one_session=True, focus_in_hierarchy=True, toasts_in_hierarchy=True, log_drains=True,
            dear_pictures=True,
        )  # fmt: skip

    def _ask(self, verb: str, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if self._closed or self._cloud.served is not self:
            raise DeviceOffline("the session has ended: another one has begun", device=self.uri)
        for capability, methods in METHODS_NEEDING.items():
            if verb in methods and capability not in ABLE:
                raise self.unsupported(verb, capability)
        self._cloud.calls[verb] += 1
        return super()._ask(verb, args, named)

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        if activity is not None:
            raise self.unsupported("launch(activity)", Capability.CURRENT_ACTIVITY)
        super().launch(app, None, args)

    def dump_hierarchy(self) -> bytes:
        source, toast = super().dump_hierarchy(), self._driver.last_toast()
        if not toast:
            return source
        place = f'package="{SHOP}" bounds="[90,1700][900,1800]"'
        shown = f'<node class="android.widget.Toast" text="{escape(toast)}" {place}/>'
        return source.replace(b"</hierarchy>", shown.encode() + b"</hierarchy>")

    def logs(self, since: object = None, buffers: Sequence[str] = ()) -> list[str]:
        lines = super().logs(None, buffers)
        start, self._cloud.given = self._cloud.given, len(lines)
        return lines[start:]

    def reconnect(self, timeout: float) -> None:
        if self._closed:
            raise DeviceOffline("the session has ended", device=self.uri)
        self._cloud.served = self

    def is_locked(self) -> bool:
        raise self.unsupported("is_locked", Capability.LOCK)

    def close(self) -> None:
        self._closed = True


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    with virtual_device(SHOP) as made:
        yield made


@pytest.fixture
def cloud(device: VirtualDevice) -> Cloud:
    return Cloud(device.driver)


@pytest.fixture
def mobile(cloud: Cloud, device: VirtualDevice) -> Iterator[Mobile]:
    session, recorder = build_session(Endpoint(cloud), clock=device.clock, app=SHOP)
    yield session
    recorder.close()


@pytest.mark.slow
def test_it_keeps_the_contract(cloud: Cloud) -> None:
    cloud.phone.launch(SHOP, None, ())
    field_at = Snapshot.parse(cloud.phone.dump_hierarchy()).find(text="Email").bounds.center
    verdicts = check_driver(
        lambda: Endpoint(cloud), app=SHOP, text_field=field_at, link="replicant-shop://catalogue"
    )
    said = {verdict.clause.name: verdict for verdict in verdicts}
    for name in (
        "leaves-alone",
        "reconnect-keeps",
        "closed",
        "log-mark",
        "type",
        "no-shell",
        "no-toasts",
    ):
        assert said[name].kept, said[name]
    assert str(said["shell"]) == "shell: not offered: shell"


def example(name: str, test: str) -> Callable[[Mobile], None]:
    """One of the example tests, which is given a session."""
    found: Callable[[Mobile], None] = runpy.run_path(str(ROOT / "example_app_tests" / name))[test]
    return found


def sign_in(mobile: Mobile) -> None:
    example("test_01_sign_in.py", "test_sign_in_by_label")(mobile)


def test_example_tests_pass_on_it(mobile: Mobile) -> None:
    example("test_01_sign_in.py", "test_a_wrong_password_is_refused")(mobile)
    sign_in(mobile)
    example("test_03_lists.py", "test_the_add_of_one_row")(mobile)
    example("test_04_dialogs_and_toasts.py", "test_a_toast_is_seen_though_it_is_in_no_hierarchy")(
        mobile
    )


def test_the_focus_and_a_passing_test_cost_nothing_of_their_own(
    mobile: Mobile, cloud: Cloud
) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
    assert (cloud.calls["focused_field"], cloud.calls["screenshot"]) == (0, 0)
    with pytest.raises(ExpectationFailed):
        mobile.expect_visible(text="Somewhere else", timeout=0)
    assert cloud.calls["screenshot"] == 1


def test_a_line_that_was_given_once_is_in_each_window(
    mobile: Mobile, device: VirtualDevice
) -> None:
    mobile.launch(SHOP)
    device.phone.log.append("I", "Shop", "before", 1)
    mobile.tap(text="Email")
    device.phone.log.append("I", "Shop", "after", 1)
    for _ in range(2):
        assert [
            one.message
            for one in mobile.logs(tag="Shop", since="action")
            if one.message != "before"
        ] == ["after"]
        assert {"before", "after"} <= {one.message for one in mobile.logs(tag="Shop", since="test")}


def test_what_it_lacks_is_refused_before_anything_is_sent(mobile: Mobile, cloud: Cloud) -> None:
    mobile.launch(SHOP)
    before = replace(cloud).calls.copy()
    with pytest.raises(Unsupported, match="does not offer 'shell'"):
        mobile.shell("ls")
    assert cloud.calls == before
