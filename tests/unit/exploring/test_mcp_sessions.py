"""The sessions behind ``replicant mcp``, without the protocol of agents and with phones that are
none."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_replicant.exploring import Reply, Tools, mcp
from pytest_replicant.exploring.process import starting

from .desks import Desk, until

pytestmark = [
    pytest.mark.ci,  # processes of their own
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
]
SECRET = "correct horse"


@dataclass
class Agents:
    """The agents of one desk."""

    desk: Desk
    portal: Any

    def tools(self, folder: Path) -> Tools:
        return Tools(str(folder))

    def call(self, tools: Tools, name: str, given: dict[str, Any]) -> Future[Reply]:
        called: Future[Reply] = self.portal.start_task_soon(tools.call, name, given)
        return called


@pytest.fixture
def agents(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Agents]:
    anyio = pytest.importorskip("anyio.from_thread")
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)
    monkeypatch.setattr(starting, "PROGRAM", desk.program)
    with anyio.start_blocking_portal() as portal:
        yield Agents(desk, portal)


@dataclass
class Agent:
    agents: Agents
    its: Tools

    def call(self, tool: str, **given: Any) -> Future[Reply]:
        return self.agents.call(self.its, tool, given)

    def ask(self, tool: str, **given: Any) -> Reply:
        return self.call(tool, **given).result(20)


@pytest.fixture
def agent(agents: Agents) -> Iterator[Agent]:
    with ExitStack() as stack:
        tools = agents.tools(agents.desk.folder)
        stack.callback(tools.close)
        yield Agent(agents, tools)


def test_open_is_given_what_was_asked_for_and_names_are_found(agent: Agent) -> None:
    opened = agent.ask(
        "open", app="--json", device="-x", refuse=["a b", "--c"], allow=[], guard=True
    )
    words = ("open", "--device=-x", "--guard", "--refuse=a b", "--refuse=--c", "--", "--json")
    assert opened == Reply(f"opened s1 {words}")
    assert agent.ask("open", app="x", session="s2").text.startswith("opened s2 ")
    assert (
        "several sessions are open: s1, s2. Next: name one, as in session=s1"
        in agent.ask("look").text
    )
    assert "session s2 is open already" in agent.ask("open", app="x", session="s2").text
    assert agent.ask("open", app="bad", session="a") == Reply(
        "replicant: no such app. Next: name another", True
    )
    assert not agent.ask("open", app="x", session="a").is_error
    assert agent.ask("do", session="a", steps=["lost"]) == Reply(
        "replicant: the phone has gone. Next: plug it in", True
    )


def test_a_call_that_is_cancelled_before_its_turn_is_not_begun(agent: Agent, desk: Desk) -> None:
    agent.ask("open", app="x")
    step = agent.call("do", steps=["wait", "first"])
    desk.began("first")
    waits = agent.call("do", steps=["wait", "never"])
    until(lambda: "'waiting': 1" in str(desk.state()))
    waits.cancel()
    agent.ask("last")  # by the time of this answer its connection is closed
    desk.let("first")
    assert not step.result(20).is_error
    assert agent.ask("last") == Reply("first")
    assert not agent.ask("look").is_error
    assert not (desk.folder / "never.began").exists()


def test_the_end_of_the_client_releases_every_phone_at_once(agent: Agent, desk: Desk) -> None:
    for name in "ab":
        agent.ask("open", app="x", session=name)
    step = agent.call("do", steps=["wait", "never"], session="a")
    desk.began("never")
    assert agent.its.close()
    assert "was cut short" in step.result(20).text
    assert desk.left == []
    assert agent.its.close()


def test_an_agent_finds_the_session_of_its_project(agents: Agents) -> None:
    desk = agents.desk
    shop, bank = desk.project("shop"), desk.project("bank")
    desk.run("open", cwd=shop)
    mine, other = Agent(agents, agents.tools(shop / "tests")), Agent(agents, agents.tools(bank))
    done = mine.ask("do", steps=["-x", "y"], id="7")
    assert done.text.startswith("(('do', '--id=7', '--', '-x', 'y'), ")
    refused = other.ask("look")
    assert (
        "is open in this project. Open in others: s1. Next: open, or session=s1 for" in refused.text
    )
    assert other.ask("look", session="s1").text.startswith("(('look', '--'")
    assert mine.ask("close").text == "closed"
    assert "The last one of this project, s1, was closed" in mine.ask("look").text


def test_a_long_answer_and_a_large_picture_have_a_bound(agent: Agent, desk: Desk) -> None:
    agent.ask("open", app="x")
    said = agent.ask("do", steps=["x" * (mcp.MAX_CHARS + 5)]).text
    assert said.startswith("(('do', ")
    assert said[mcp.MAX_CHARS :].startswith("\n… and ")
    file = io.BytesIO()
    Image.frombytes("RGB", (400, 1600), os.urandom(3 * 400 * 1600)).save(file, "PNG")
    (desk.folder / "shot").write_bytes(file.getvalue())
    reply = agent.ask("evidence", what="screenshot")
    assert reply.text.startswith("screenshot, 400 x 1600 pixels, shown at 392 x 1568")
    assert reply.picture is not None
    assert Image.open(io.BytesIO(reply.picture)).size == (392, 1568)
