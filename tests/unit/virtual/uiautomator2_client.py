"""A client that calls the on-device uiautomator2 server's methods by name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from pytest_replicant.virtual import METHODS, Automation, VirtualPhone
from pytest_replicant.virtual.uiautomator2_side.rpc import MethodTable, answer
from pytest_replicant.virtual.uiautomator2_side.selector import ATTRIBUTES, INSTANCE_MASK

from .notes_phone import APP


class Client:
    """What a client sees of a phone: methods by name, results and errors."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone
        self.automation = Automation(phone)
        self.table = MethodTable(METHODS)

    def call(self, method: str, *params: object) -> Any:
        """The result; raises ``AssertionError`` where the answer is an error."""
        return run(self.calling(method, *params))

    async def calling(self, method: str, *params: object) -> Any:
        reply = await self.replying(
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        )
        assert "error" not in reply, reply
        return reply["result"]

    def error(self, method: str, *params: object) -> Any:
        reply = run(
            self.replying({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
        )
        assert "result" not in reply, reply
        return reply["error"]

    async def replying(self, request: object) -> Any:
        return json.loads(await answer(self.table, self.automation, json.dumps(request).encode()))

    def raw(self, body: bytes) -> Any:
        reply = run(answer(self.table, self.automation, body))
        return json.loads(reply) if reply else None

    def taps(self) -> str:
        """ "3 taps"."""
        return str(self.call("getText", selector(resourceId=f"{APP}:id/taps")))

    def centre(self, **keys: object) -> tuple[int, int]:
        bounds = self.call("objInfo", selector(**keys))["visibleBounds"]
        return (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 20))


def selector(**keys: object) -> dict[str, object]:
    bits = {
        **{key: attribute.mask for key, attribute in ATTRIBUTES.items()},
        "instance": INSTANCE_MASK,
    }
    mask = sum(bits[key] for key in keys)
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], **keys}
