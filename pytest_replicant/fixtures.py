"""The fixtures a test asks for: expensive ones live as long as the run, cheap ones as long as the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from .errors import DeviceError
from .marks import read_marks
from .scheduling import acquire_for_test, acquire_further
from .stash import (
    APP,
    GROUPS,
    OPTIONS,
    PICTURE_TAKEN,
    POOL,
    SECRETS,
    SESSIONS,
    TRACE_PAGE,
    TestSession,
    attempt_number,
)

if TYPE_CHECKING:
    from .apps import AppPackage
    from .model import Failure, Recovery, RecoveryState
    from .options import Options
    from .pool import DevicePool, DeviceUri, Opened
    from .session import DeviceSession


@pytest.fixture(scope="session")
def mobile_pool(pytestconfig: pytest.Config) -> Iterator[DevicePool]:
    """The phones of this run, opened when first asked for and kept warm between tests."""
    from . import recovery  # only a run with phones needs its policies
    from .provisioning import phones_of

    recovery.register(pytestconfig.pluginmanager)
    phones = phones_of(pytestconfig)
    pytestconfig.stash[POOL] = phones
    pytestconfig.add_cleanup(lambda: close_phones(pytestconfig))  # where an interrupt ends this fixture's teardown
    try:
        yield phones
    finally:
        close_phones(pytestconfig)


def close_phones(config: pytest.Config) -> None:
    """Puts back what was set on the phones of this process and gives them back, once. Where a test still has one,
    an interrupt came in the teardown of its fixtures."""
    phones = config.stash.get(POOL, None)
    if phones is None:
        return
    for opened in phones.in_use:
        with suppress(DeviceError):
            opened.driver.restore_settings()
    phones.close()
    del config.stash[POOL]  # not before: an interrupt may come here as well


@pytest.fixture(scope="session")
def mobile_app(pytestconfig: pytest.Config) -> AppPackage | None:
    """What the package that ``--replicant-app`` named says of itself; None where it named an id, or nothing."""
    return pytestconfig.stash.get(APP, None)


@pytest.fixture
def _mobile_kind(request: pytest.FixtureRequest) -> DeviceUri | None:
    """Which of the run's phones this test is for, under ``--replicant-matrix``; None: any."""
    return getattr(request, "param", None)


@pytest.fixture
def mobile_device(
    mobile_pool: DevicePool, _mobile_kind: DeviceUri | None, request: pytest.FixtureRequest
) -> Iterator[Opened]:
    """The phone lent to this test: of those that its marker allows, the first that is free."""
    opened = acquire_for_test(mobile_pool, request.node, _mobile_kind)
    try:
        yield opened
    finally:
        mobile_pool.release(opened)


@pytest.fixture(scope="session")
def mobile_session_args() -> dict[str, Any]:
    """Override to change what sessions work by: ``app`` and any field of ``SessionSettings``."""
    return {}


@pytest.fixture
def mobile(
    mobile_device: Opened,
    mobile_pool: DevicePool,
    request: pytest.FixtureRequest,
    mobile_session_args: dict[str, Any],
) -> Iterator[DeviceSession]:
    """One phone in this test, with a trace of its own."""
    yield from _session(request, mobile_pool, mobile_device, mobile_session_args)


@pytest.fixture
def new_mobile(
    mobile_pool: DevicePool, request: pytest.FixtureRequest, mobile_session_args: dict[str, Any]
) -> Iterator[Callable[..., DeviceSession]]:
    """``new_mobile(uri=None, *, platform=None, timeout=60)``: one more phone in this test, ready within that many
    seconds; what the test's marker says of phones counts where neither is given. Raises ``DeviceBusy`` where the
    run has no further one."""
    with ExitStack() as open_now:

        def make(
            uri: str | None = None, *, platform: str | None = None, timeout: float | None = None
        ) -> DeviceSession:
            opened = acquire_further(mobile_pool, request.node, uri, platform, timeout)
            open_now.callback(mobile_pool.release, opened)
            session = contextmanager(_session)(request, mobile_pool, opened, mobile_session_args)
            return open_now.enter_context(session)

        yield make


def _session(
    request: pytest.FixtureRequest, phones: DevicePool, opened: Opened, session_args: dict[str, Any]
) -> Iterator[DeviceSession]:
    """A session on the phone, known to the report, which closes its recorder once the teardown is reported;
    afterwards the apps that it started are reset."""
    from .pool import is_device_loss, loss_reason
    from .provisioning import check_reset, reset_phone
    from .session import build_session, end_session, late_crash, launched_apps

    options = request.config.stash[OPTIONS]
    item: pytest.Item = request.node
    marks = read_marks(item)
    reset = marks.reset or options.reset
    check_reset(opened, reset, options)
    sessions = item.stash.setdefault(SESSIONS, [])
    settings = {**_settings(options), "allow": marks.allow, **session_args}
    session, recorder = build_session(opened.driver, recover=_recover(item), **settings)
    nodeid = item.nodeid if not sessions else f"{item.nodeid} (phone {len(sessions) + 1})"
    attempt = attempt_number(item)
    recorder.redactor = request.config.stash[SECRETS]
    recorder.groups[:] = item.stash.get(GROUPS, ())
    recorder.picture_taken = request.config.stash.get(PICTURE_TAKEN, None)
    recorder.page_of = partial(request.config.stash[TRACE_PAGE], nodeid, attempt)
    entry = TestSession(session, recorder, nodeid, attempt)
    sessions.append(entry)
    try:
        yield session
        if phones.is_lost(opened):
            return
        entry.late_death = late_crash(session) if options.crash != "ignore" else None
        apps = {**launched_apps(session), **({settings["app"]: True} if settings["app"] else {})}
        reset_phone(phones, opened, apps, reset, options)
    except DeviceError as error:
        if is_device_loss(error):
            phones.quarantine(opened, loss_reason(error))
        else:
            phones.drop(opened)
        raise
    finally:
        end_session(session, f"its test was {item.nodeid}, and its phone is given back")


def _recover(item: pytest.Item) -> Callable[..., Recovery | None]:
    """Asks the hooks that are near the test, as ``ihook`` knows them: those of its own folders come first."""

    def ask(session: DeviceSession, failure: Failure, state: RecoveryState) -> Recovery | None:
        answer: Recovery | None = item.ihook.pytest_replicant_recover(
            session=session, failure=failure, state=state
        )
        return answer

    return ask


def _settings(options: Options) -> dict[str, Any]:
    from .session import SessionSettings

    return {
        "app": options.app,
        "action_timeout": options.action_timeout,
        "expect_timeout": options.expect_timeout,
        **dict(zip(("window", "interval", "quiet"), options.stabilize, strict=True)),
        "read_on": options.read_on,
        "reconnect_timeout": min(options.device_timeout, SessionSettings.reconnect_timeout),
        "screenshots": options.screenshot != "off" and options.trace != "off",
        "trace": options.trace != "off",
        "recovery": options.recovery,
        "permission_prompts": options.permission_prompts,
    }
