"""Commands about apps: launch, terminate, activate, state, links."""

from __future__ import annotations

from typing import Any

from .apps import in_front, is_running_now, launch_now, state_now
from .failures import invalid_argument, not_installed, unknown_error
from .routes import Call, Route

BACKGROUND_S = 3.0  # how long deactivateApp keeps an app away by default


async def launch(call: Call) -> Any:
    agent, bundle_id = call.agent, call.text("bundleId")
    await agent.phone.pace.take("launch")
    await agent.on_phone(lambda: launch_now(agent.phone, bundle_id))
    await in_front(agent, bundle_id)
    if bundle_id == call.session.bundle_id:
        call.session.expected = True
    return None


async def activate(call: Call) -> Any:
    agent, bundle_id = call.agent, call.text("bundleId")
    await agent.phone.pace.take("launch")
    await agent.on_phone(lambda: launch_now(agent.phone, bundle_id))
    await in_front(agent, bundle_id)
    return None


async def terminate(call: Call) -> Any:
    """Whether it ran."""
    agent, bundle_id = call.agent, call.text("bundleId")
    await agent.phone.pace.take("rpc")
    if bundle_id == call.session.bundle_id:
        call.session.expected = False

    def act() -> bool:
        ran = is_running_now(agent.phone, bundle_id)
        agent.phone.stop_app(bundle_id)
        return ran

    return await agent.on_phone(act)


async def state(call: Call) -> Any:
    agent, bundle_id = call.agent, call.text("bundleId")
    await agent.phone.pace.take("rpc")
    return await agent.on_phone(lambda: state_now(agent.phone, bundle_id))


async def listed(call: Call) -> Any:
    """Lists the active app only: background apps are not reported."""
    return [await active_info(call)]


async def active_info(call: Call) -> Any:
    agent = call.agent
    await agent.phone.pace.take("rpc")

    def look() -> Any:
        bundle_id = agent.active_now()
        pid = agent.phone.processes().get(bundle_id, 0)
        return {"pid": pid, "bundleId": bundle_id, "name": "", "processArguments": {"args": [], "env": {}}}

    return await agent.on_phone(look)


async def deactivate(call: Call) -> Any:
    """To the home screen and back again, however long that was to take."""
    agent = call.agent
    seconds = call.number("duration", BACKGROUND_S)
    await agent.phone.pace.take("launch")

    def leave() -> str:
        bundle_id = agent.active_now()
        agent.phone.press_key("HOME")
        return bundle_id

    bundle_id = await agent.on_phone(leave)
    if agent.phone.latency.gesture_ms:
        await agent.phone.pace.sleep(min(max(seconds, 0), BACKGROUND_S * 10))
    await agent.on_phone(lambda: launch_now(agent.phone, bundle_id))
    return None


async def open_link(call: Call) -> Any:
    """In the app that declares it, or in the one that ``bundleId`` names; SpringBoard may ask first."""
    agent, url = call.agent, call.text("url")
    bundle_id = call.arguments.get("bundleId")
    await agent.phone.pace.take("launch")

    def act() -> None:
        packages = agent.phone.packages
        names = [bundle_id] if bundle_id else packages.names()
        able = [
            package.name
            for name in names
            if (package := packages.get(str(name))) is not None
            and any(url.startswith(prefix) for prefix in package.url_prefixes)
        ]
        if bundle_id and packages.get(str(bundle_id)) is None:
            raise not_installed(str(bundle_id))
        if not able:
            raise unknown_error(f"The URL {url} cannot be opened: no app is registered for it")
        agent.phone.open_link(able[0], url)

    if ":" not in url:
        raise invalid_argument(f"'{url}' is not a valid URL")
    await agent.on_phone(act)
    return None


ROUTES = (
    Route("POST", "/wda/apps/launch", launch),
    Route("POST", "/wda/apps/activate", activate),
    Route("POST", "/wda/apps/terminate", terminate),
    Route("POST", "/wda/apps/state", state),
    Route("GET", "/wda/apps/list", listed),
    Route("GET", "/wda/activeAppInfo", active_info, "both"),
    Route("POST", "/wda/deactivateApp", deactivate),
    Route("POST", "/url", open_link, "both"),
)
