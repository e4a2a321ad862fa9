"""A phone with one small app, and a client that calls the on-device uiautomator2 server's methods by name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from pytest_replicant.virtual import (
    App,
    Button,
    CheckBox,
    Column,
    Dialog,
    DialogButton,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
)
from pytest_replicant.virtual.uiautomator2_side.automation import Automation
from pytest_replicant.virtual.uiautomator2_side.rpc import MethodTable, answer
from pytest_replicant.virtual.uiautomator2_side.selector import ATTRIBUTES, INSTANCE_MASK
from pytest_replicant.virtual.uiautomator2_side.server import METHODS

PACKAGE = "dev.replicant.form"


@dataclass
class Form:
    name: str = ""
    taps: int = 0
    long_presses: int = 0
    agreed: bool = False


class FormScreen(Screen[Form]):
    title = "Form"

    def build(self, app: RunningApp[Form]) -> Widget:
        form = app.state

        def rename(text: str) -> None:
            form.name = text

        def tap() -> None:
            form.taps += 1

        def press_long() -> None:
            form.long_presses += 1

        def ask() -> None:
            app.show(Dialog("Sure?", "It cannot be undone.", (DialogButton("OK"), DialogButton("Cancel"))))

        return Column(
            [
                Text(f"{form.taps} taps, {form.long_presses} long", id="taps"),
                EditText(hint="Name", id="name", text=form.name, on_change=rename),
                Row(
                    [
                        Button("Tap", id="tap", on_click=tap, on_long_click=press_long),
                        Button("Ask", on_click=ask),
                        Button("Toast", on_click=lambda: app.toast("Saved")),
                        CheckBox("Agree", checked=form.agreed),
                    ]
                ),
                RecyclerList(
                    [Row([Text(f"Row {number}")], key=f"row{number}") for number in range(40)],
                    id="rows",
                    weight=1,
                ),
            ]
        )


FORM = App(package=PACKAGE, label="Form", state=lambda stored: Form(), start=FormScreen)


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
        reply = await self.replying({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
        assert "error" not in reply, reply
        return reply["result"]

    def error(self, method: str, *params: object) -> Any:
        reply = run(self.replying({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}))
        assert "result" not in reply, reply
        return reply["error"]

    async def replying(self, request: object) -> Any:
        return json.loads(await answer(self.table, self.automation, json.dumps(request).encode()))

    def raw(self, body: bytes) -> Any:
        reply = run(answer(self.table, self.automation, body))
        return json.loads(reply) if reply else None

    def taps(self) -> str:
        return str(self.call("getText", selector(resourceId=f"{PACKAGE}:id/taps")))

    def centre(self, **keys: object) -> tuple[int, int]:
        bounds = self.call("objInfo", selector(**keys))["visibleBounds"]
        return (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 20))


def selector(**keys: object) -> dict[str, object]:
    bits = {**{key: attribute.mask for key, attribute in ATTRIBUTES.items()}, "instance": INSTANCE_MASK}
    mask = sum(bits[key] for key in keys)
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], **keys}
