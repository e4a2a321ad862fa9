"""Tests whose fixtures make it hard: of every scope, with parameters, with data, failing, acting at
their end."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from pytest_replicant import Mobile, Screen, Secret, by, mobile_state, recorded

from .conftest import SHOP, sign_in

# --- parameters -----------------------------------------------------------------------------------


@pytest.fixture(scope="class", params=["ada", "grace"])
def of_each(request: pytest.FixtureRequest, class_mobile: Mobile) -> Mobile:
    sign_in(class_mobile, request.param)
    return class_mobile


class TestOfEach:
    def test_one(self, of_each: Mobile) -> None:
        of_each.expect_screen("Catalogue")

    def test_fails_two(self, of_each: Mobile) -> None:
        of_each.expect_visible(text="Welcome, Joan", timeout=0.5)


class Person:
    def __init__(self, name: str) -> None:
        self.name = name


@mobile_state(proof=Screen("Catalogue"), params=[Person("ada"), Person("joan")])
def someone(mobile: Mobile, request: pytest.FixtureRequest) -> None:
    sign_in(mobile, request.param.name)


def test_someone(someone: Mobile) -> None:
    someone.expect_visible(text="Red mug")


def test_fails_someone(someone: Mobile) -> None:
    someone.expect_visible(text="Blue jug", timeout=0.5)


def test_stacked(one_mug: Mobile) -> None:
    one_mug.expect_visible(text="Total £8.00")


def test_stacked_again(one_mug: Mobile) -> None:
    one_mug.expect_visible(text="Total £8.00")


@mobile_state(proof=Screen("Cart"))
def hopeless(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Cart", timeout=0.5)


@pytest.mark.parametrize("time", range(3))
def test_fails_hopelessly(hopeless: Mobile, time: int) -> None:
    """The third time it is not tried any more."""


# --- data -----------------------------------------------------------------------------------------


@pytest.fixture(scope="class")
def coded(class_mobile: Mobile) -> tuple[Mobile, str]:
    sign_in(class_mobile)
    code = class_mobile.recorded("code", lambda: uuid.uuid4().hex[:6])
    class_mobile.fill(text="Search products", value=code)
    return class_mobile, code


class TestCoded:
    def test_its_code(self, coded: tuple[Mobile, str]) -> None:
        mobile, code = coded
        mobile.expect_state(by(role="text_field"), text=code)


@pytest.fixture
@recorded
def no_service() -> str:
    raise ConnectionError("the service is down")


def test_fails_for_want_of_data(no_service: str, mobile: Mobile) -> None:
    mobile.launch(SHOP)


def test_fails_making_data(mobile: Mobile) -> None:
    mobile.recorded("order", lambda: 1 // 0)


def test_a_secret(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret("joan@example.com"))


def test_the_same_in_the_clear(mobile: Mobile) -> None:
    sign_in(mobile, "joan")


def test_fails_in_a_folder_of_its_own(mobile: Mobile, tmp_path: Path) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    assert not tmp_path.exists()


@pytest.fixture(scope="class")
def catalogue(class_mobile: Mobile) -> Mobile:
    sign_in(class_mobile)
    return class_mobile


@pytest.fixture(scope="class")
def looked_at(class_mobile: Mobile) -> Mobile:
    class_mobile.expect_visible(text="Red mug")
    return class_mobile


@pytest.fixture(scope="class")
def cart_label(looked_at: Mobile) -> str:
    return looked_at.find(text_contains="Cart,").text


class TestLooks:
    """Its fixtures share a session, and some ask the phone for nothing new."""

    def test_one(self, catalogue: Mobile, looked_at: Mobile) -> None:
        """The fixtures do it all."""

    def test_two(self, catalogue: Mobile, looked_at: Mobile, class_mobile: Mobile) -> None:
        class_mobile.expect_visible(text="Oak tray")

    def test_three(self, catalogue: Mobile, cart_label: str) -> None:
        assert cart_label == "Cart, 0 items"

    def test_fails_four(self, catalogue: Mobile, cart_label: str) -> None:
        assert cart_label == "Cart, 1 item"


# --- what ends ------------------------------------------------------------------------------------


@pytest.fixture(scope="class")
def leaving(class_mobile: Mobile) -> Iterator[Mobile]:
    sign_in(class_mobile)
    yield class_mobile
    class_mobile.tap(description="Settings").expect_screen("Settings")


class TestLeaving:
    """The fixture of the class taps when the last one is over."""

    def test_one(self, leaving: Mobile) -> None:
        leaving.expect_screen("Catalogue")

    def test_fails_in_teardown(self, leaving: Mobile, broken_end: None) -> None:
        leaving.expect_screen("Catalogue")

    def test_fails_as_the_class_ends(self, leaving: Mobile) -> None:
        leaving.tap(text_contains="Cart,").expect_screen("Cart")


@pytest.fixture
def broken_end() -> Iterator[None]:
    yield
    raise LookupError("nothing to clean up")


def test_fails_at_its_end_though_skipped(strict: Mobile) -> None:
    pytest.skip("not today")


@pytest.fixture
def signed_out(mobile: Mobile, request: pytest.FixtureRequest) -> Iterator[Mobile]:
    """As a test passed or failed, by the report that the hook of the suite has kept."""
    sign_in(mobile)
    yield mobile
    if request.node.stash[REPORTS]["call"].passed:
        mobile.tap(description="Settings").expect_screen("Settings")
    else:
        mobile.home()


REPORTS = pytest.StashKey[dict[str, pytest.TestReport]]()


class Keeping:
    """A plugin of the suite, as the documentation of pytest has it in a conftest."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        item.stash.setdefault(REPORTS, {})[str(report.when)] = report
        return report


@pytest.fixture(scope="module", autouse=True)
def _reports(pytestconfig: pytest.Config) -> Iterator[None]:
    plugin = Keeping()
    pytestconfig.pluginmanager.register(plugin, f"keeping-{next(_NUMBERS)}")
    yield
    pytestconfig.pluginmanager.unregister(plugin)


_NUMBERS = itertools.count()


def test_leaves_as_it_passed(signed_out: Mobile) -> None:
    signed_out.expect_screen("Catalogue")


def test_fails_and_leaves_as_it_failed(signed_out: Mobile) -> None:
    signed_out.expect_visible(text="Nothing", timeout=0.5)
