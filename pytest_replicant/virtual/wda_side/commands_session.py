"""Commands about WebDriverAgent itself: is it there, the session, its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import settings
from .agent import Agent
from .apps import NOT_RUNNING, in_front, is_running_now, launch_now, state_now
from .failures import WdaError
from .routes import Call, Route, look
from .session import Session

_WHY_NOT = (
    "Make sure the correct bundle identifier has been provided in capabilities and check the "
    "device log for possible crash report occurrences"
)


async def status(call: Call) -> Any:
    profile = call.agent.phone.profile
    return {
        "message": "WebDriverAgent is ready to accept commands",
        "state": "success",
        "ready": True,
        "os": {
            "testmanagerdVersion": 28,
            "name": "iOS",
            "version": profile.release,
            "sdkVersion": profile.release,
        },
        "ios": {"ip": "127.0.0.1"},
        "build": {
            "time": "Jan  5 2026 10:00:00",
            "productBundleIdentifier": "com.facebook.WebDriverAgentRunner",
            "version": f"{profile.wda}.0",
        },
        "device": profile.device,
    }


async def create(call: Call) -> Any:
    """A session that there was is ended, as there is one at a time. Answers when the app is in
    front (FBSessionCommands.m handleCreateSession)."""
    agent = call.agent
    wanted = _capabilities(call.arguments)
    bundle_id = str(wanted.get("bundleId") or "")
    await agent.phone.pace.take("launch" if bundle_id else "rpc")
    opened = await agent.on_phone(lambda: _open_now(agent, wanted))
    if bundle_id:
        await in_front(agent, bundle_id)
        if await agent.on_phone(lambda: state_now(agent.phone, bundle_id)) == NOT_RUNNING:
            agent.session = None
            raise WdaError(
                "session not created", f"Cannot launch {bundle_id} application. {_WHY_NOT}"
            )
    return opened


def _capabilities(arguments: Mapping[str, Any]) -> dict[str, Any]:
    given = arguments.get("capabilities")
    if not isinstance(given, dict):
        raise WdaError("session not created", "'capabilities' is mandatory to create a new session")
    always, firsts = given.get("alwaysMatch") or {}, given.get("firstMatch") or [{}]
    first = firsts[0] if isinstance(firsts, list) else None
    if not isinstance(always, dict) or not isinstance(first, dict):
        raise WdaError(
            "session not created", "'alwaysMatch' is an object, 'firstMatch' a list of objects"
        )
    merged = {
        **first,
        **always,
        **{name: given[name] for name in ("defaultAlertAction",) if name in given},
    }
    return {name.removeprefix("appium:"): value for name, value in merged.items()}


def _open_now(agent: Agent, wanted: Mapping[str, Any]) -> Any:
    _end_now(agent)
    bundle_id = str(wanted.get("bundleId") or "")
    if bundle_id:
        try:
            launch_now(agent.phone, bundle_id, afresh=bool(wanted.get("forceAppLaunch", True)))
        except WdaError as error:
            raise WdaError("session not created", error.message) from None
    obeyed = settings.changed(settings.defaults(agent.phone.profile.wda), wanted)
    session = Session(
        bundle_id, expected=bool(bundle_id), ends_app=bool(wanted.get("shouldTerminateApp", True))
    )
    agent.open(session)
    agent.settings = obeyed
    return _description(agent, session)


def _end_now(agent: Agent) -> None:
    """The app that a session was opened for ends with it."""
    session, agent.session = agent.session, None
    if session is not None and session.ends_app and is_running_now(agent.phone, session.bundle_id):
        agent.phone.stop_app(session.bundle_id)


def _description(agent: Agent, session: Session) -> Any:
    phone = agent.phone
    package = phone.packages.get(session.bundle_id or phone.foreground()[0])
    capabilities = {
        "device": phone.profile.device,
        "browserName": package.label if package is not None else " ",
        "sdkVersion": phone.profile.release,
        "CFBundleIdentifier": package.name if package is not None else None,
    }
    return {"sessionId": session.id, "capabilities": capabilities}


def describe(call: Call) -> Any:
    return _description(call.agent, call.session)


def delete(call: Call) -> None:
    _end_now(call.agent)


async def get_settings(call: Call) -> Any:
    return dict(call.agent.settings)


async def set_settings(call: Call) -> Any:
    """Answers all of them, as they are now."""
    given = call.arguments.get("settings")
    if not isinstance(given, dict):
        raise WdaError("invalid argument", "'settings' has to be an object")
    call.agent.settings = settings.changed(call.agent.settings, given)
    return dict(call.agent.settings)


async def nothing(call: Call) -> None:
    """Taken and passed over: the agent is there, and waits for nothing that is not."""


ROUTES = (
    Route("GET", "/status", status, "free", ""),
    Route("GET", "/wda/healthcheck", nothing, "free"),
    Route("POST", "/session", create, "free", ""),
    Route("GET", "/", look(describe)),
    Route("DELETE", "/", look(delete)),
    Route("GET", "/appium/settings", get_settings),
    Route("POST", "/appium/settings", set_settings),
    Route("POST", "/timeouts", nothing),
)
