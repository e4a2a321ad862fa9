"""Commands about apps: launch, terminate, activate, state, links."""

from __future__ import annotations

from typing import Any

from .apps import in_front, is_running_now, launch_now, state_now
from .failures import invalid_argument, not_installed, unknown_error
from .routes import Call, Route, look

BACKGROUND_S = 3.0  # how long deactivateApp keeps an app away by default


async def launch(call: Call) -> Any:
    agent, bundle_id = call.agent, call.text("bundleId")
    await agent.on_phone(lambda: launch_now(agent.phone, bundle_id))
    await in_front(agent, bundle_id)
    if bundle_id == call.session.bundle_id:
        call.session.expected = True
    return None


def terminate(call: Call) -> bool:
    """Whether it ran."""
    phone, bundle_id = call.agent.phone, call.text("bundleId")
    if bundle_id == call.session.bundle_id:
        call.session.expected = False
    ran = is_running_now(phone, bundle_id)
    phone.stop_app(bundle_id)
    return ran


def state(call: Call) -> int:
    return state_now(call.agent.phone, call.text("bundleId"))


def active_info(call: Call) -> Any:
    agent = call.agent
    bundle_id = agent.active_now()
    pid = agent.phone.processes().get(bundle_id, 0)
    return {
        "pid": pid,
        "bundleId": bundle_id,
        "name": "",
        "processArguments": {"args": [], "env": {}},
    }


async def deactivate(call: Call) -> Any:
    """To the home screen and back again, however long that was to take."""
    agent = call.agent
    seconds = call.number("duration", BACKGROUND_S)

    def leave() -> str:
        bundle_id = agent.active_now()
        agent.phone.press_key("HOME")
        return bundle_id

    bundle_id = await agent.on_phone(leave)
    if agent.phone.latency.gesture_ms:
        await agent.phone.pace.sleep(min(max(seconds, 0), BACKGROUND_S * 10))
    await agent.on_phone(lambda: launch_now(agent.phone, bundle_id))
    return None


def open_link(call: Call) -> None:
    """In the app that declares it, or in the one that ``bundleId`` names; SpringBoard may ask
    first."""
    phone, url = call.agent.phone, call.text("url")
    bundle_id = call.arguments.get("bundleId")
    if ":" not in url:
        raise invalid_argument(f"'{url}' is not a valid URL")
    named = [package for package in phone.packages.installed() if bundle_id in (None, package.name)]
    if not named:
        raise not_installed(str(bundle_id))
    for package in named:
        if any(url.startswith(prefix) for prefix in package.url_prefixes):
            phone.open_link(package.name, url)
            return
    raise unknown_error(f"The URL {url} cannot be opened: no app is registered for it")


ROUTES = (
    Route("POST", "/wda/apps/launch", launch, pace="launch"),
    Route("POST", "/wda/apps/activate", launch, pace="launch"),
    Route("POST", "/wda/apps/terminate", look(terminate)),
    Route("POST", "/wda/apps/state", look(state)),
    Route("GET", "/wda/apps/list", look(lambda call: [active_info(call)])),
    Route("GET", "/wda/activeAppInfo", look(active_info), "both"),
    Route("POST", "/wda/deactivateApp", deactivate, pace="launch"),
    Route("POST", "/url", look(open_link), "both", "launch"),
)
