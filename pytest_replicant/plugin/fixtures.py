"""The fixtures a test asks for: expensive ones live as long as the run, cheap ones as long as the
test.

Its assertions are not rewritten: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol

import pytest

from ..errors import DeviceError, UsageError
from ..model import AnyDict, public
from ..running import APP, POOL, WIDER_SCOPES, HeldPhone, held_phones

if TYPE_CHECKING:
    from ..pool import AppPackage, DevicePool, DeviceUri, Opened, Resource, ResourcePool
    from ..session import DeviceSession


@pytest.fixture(scope="session")
def mobile_pool(pytestconfig: pytest.Config) -> Iterator[DevicePool]:
    """The phones of this run, opened when first asked for and kept warm between tests."""
    from .. import recovery  # only a run with phones needs its policies
    from ..running import phones_of

    recovery.register(pytestconfig.pluginmanager)
    phones = phones_of(pytestconfig)
    pytestconfig.stash[POOL] = phones
    pytestconfig.add_cleanup(
        lambda: close_phones(pytestconfig)
    )  # where an interrupt ends this fixture's teardown
    try:
        yield phones
    finally:
        close_phones(pytestconfig)


def close_phones(config: pytest.Config) -> None:
    """Puts back what was set on the phones of this process and gives them back, once. If a test
    still has one, an interrupt came in the teardown of its fixtures."""
    phones = config.stash.get(POOL, None)
    if not phones:
        return
    for opened in phones.in_use:
        with suppress(DeviceError):
            opened.driver.restore_settings()
    phones.close()
    del config.stash[POOL]  # not before: an interrupt may come here as well


@pytest.fixture(scope="session")
def mobile_resource_pool(pytestconfig: pytest.Config) -> Iterator[ResourcePool]:
    """The accounts and other resources of ``replicant_resources``, for a fixture of a wider scope:
    ``with mobile_resource_pool.leased("account") as account``. What a command has made is removed
    when the run ends."""
    from ..running import resources_of

    yield from resources_of(pytestconfig)


@pytest.fixture
def mobile_resource(
    mobile_resource_pool: ResourcePool, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Resource | tuple[Resource, ...]]]:
    """``mobile_resource(kind)``: an account or other resource that no other test has meanwhile,
    released when the test ends. ``mobile_resource("account", "account")`` leases several at once.
    Raises ``UsageError`` for a kind that ``replicant_resources`` does not have, and
    ``ResourceUnavailable`` if none came free in time."""
    if (
        "mobile_device" in request.fixturenames
    ):  # all wait for a phone first: else two could wait for each other
        request.getfixturevalue("mobile_device")
    from ..running import note_resources

    with ExitStack() as held:

        @public
        def mobile_resource(
            kind: str, *more: str, **wrong: object
        ) -> Resource | tuple[Resource, ...]:
            if wrong:
                raise UsageError(
                    f"mobile_resource() takes kinds alone, not {', '.join(wrong)}=. Next: for a "
                    "certain one, "
                    f'ask for mobile_resource_pool: with mobile_resource_pool.leased("{kind}", '
                    f"name=...) as {kind}"
                )
            try:
                resources = mobile_resource_pool.acquire(kind, *more)
                held.callback(mobile_resource_pool.release, *resources)
            finally:
                note_resources(request.node, mobile_resource_pool.last_wait)
            return resources if more else resources[0]

        yield mobile_resource


@pytest.fixture(scope="session")
def mobile_app(pytestconfig: pytest.Config) -> AppPackage | None:
    """What the package that ``--replicant-app`` named says of itself; None if it named an id, or
    nothing."""
    return pytestconfig.stash.get(APP, None)


@pytest.fixture(scope="session")
def _mobile_kind(request: pytest.FixtureRequest) -> DeviceUri | None:
    """Which of the run's phones this test is for, under ``--replicant-matrix``; None: any."""
    return getattr(request, "param", None)


@pytest.fixture
def mobile_device(
    mobile_pool: DevicePool, _mobile_kind: DeviceUri | None, request: pytest.FixtureRequest
) -> Iterator[Opened]:
    """The phone lent to this test: the one that it shares, by ``module_mobile`` and its like.
    Otherwise, of those that its marker allows, the first that is free."""
    phones = held_phones(request.config)
    if shared := phones.fitting(request):
        yield shared.opened
        return
    opened = phones.acquire(mobile_pool, request.node, _mobile_kind)
    try:
        yield opened
    finally:
        mobile_pool.release(opened)


@pytest.fixture(scope="session")
def mobile_session_args() -> AnyDict:
    """Override to change what sessions work by: ``app`` and any field of ``SessionSettings``."""
    return {}


@pytest.fixture
def _held_mobile(
    mobile_device: Opened,
    mobile_pool: DevicePool,
    request: pytest.FixtureRequest,
    mobile_session_args: AnyDict,
) -> Iterator[HeldPhone]:
    phones = held_phones(request.config)
    if shared := phones.fitting(request):
        yield shared
        return
    yield from phones.held_by(mobile_pool, mobile_device, request.node, mobile_session_args)


@pytest.fixture
def mobile(_held_mobile: HeldPhone, request: pytest.FixtureRequest) -> DeviceSession:
    """One phone in this test, with a trace of its own: its own phone, or the one that it shares, by
    ``class_mobile``, ``module_mobile`` or ``session_mobile``."""
    return _held_mobile.session_of(request.node)


def _shared(scope: Literal["session", "module", "class"]) -> Any:
    def share(
        mobile_pool: DevicePool,
        _mobile_kind: DeviceUri | None,
        request: pytest.FixtureRequest,
        mobile_session_args: AnyDict,
    ) -> Iterator[DeviceSession]:
        phones = held_phones(request.config)
        yield from phones.shared_for(mobile_pool, request, _mobile_kind, mobile_session_args)

    share.__doc__ = (
        f"A phone that the tests of a {scope} share, and the session on it of the test that is "
        f"running, which is its ``mobile`` too. The phone is reset when the {scope} ends, not "
        "between its tests."
    )
    return pytest.fixture(scope=scope, name=f"{scope}_mobile")(share)


session_mobile, module_mobile, class_mobile = map(_shared, WIDER_SCOPES)


class NewMobile(Protocol):
    """The type of the fixture ``new_mobile``, for annotations. ``uri`` names a phone, ``platform``
    is "android" or "ios", ``timeout`` is in seconds."""

    def __call__(
        self, uri: str | None = None, *, platform: str | None = None, timeout: float | None = None
    ) -> DeviceSession: ...


@pytest.fixture
def new_mobile(
    mobile_pool: DevicePool, request: pytest.FixtureRequest, mobile_session_args: AnyDict
) -> Iterator[NewMobile]:
    """``new_mobile(uri=None, *, platform=None, timeout=60)``, a ``NewMobile``: one more phone in
    this test, ready within that many seconds; what the test's marker says of phones counts if
    neither is given. Raises ``DeviceBusy`` if the run has no further one."""
    phones = held_phones(request.config)
    with ExitStack() as open_now:

        @public
        def new_mobile(
            uri: str | None = None, *, platform: str | None = None, timeout: float | None = None
        ) -> DeviceSession:
            from ..session import checked_seconds

            if not isinstance(uri, (str, type(None))):
                raise UsageError(
                    f'new_mobile({uri!r}): a phone is named by its URI, as in new_mobile("virtual")'
                )
            checked_seconds("new_mobile", timeout, 0)
            opened = phones.acquire_further(mobile_pool, request.node, uri, platform, timeout)
            open_now.callback(mobile_pool.release, opened)
            held = HeldPhone(mobile_pool, opened, request.node, mobile_session_args)
            open_now.callback(held.end)
            return held.session_of(request.node)

        yield new_mobile
