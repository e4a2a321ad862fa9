"""``replicant mcp``: real clients over pipes."""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest
from PIL import Image

from pytest_replicant.cli import session as command_line
from pytest_replicant.errors import UsageError
from pytest_replicant.exploring import COMMANDS

pytestmark = pytest.mark.ci  # processes of their own

ROOT = str(Path(__file__).parents[3])
SECRET = "correct horse"
SERVER = "import sys; from pytest_replicant.exploring.mcp import serve; sys.exit(serve())"
QUICK = """
[pytest]
replicant_device = virtual?latency=0
replicant_stabilize = 0.3 0.01 0.05
replicant_screenshot = off
replicant_trace = off
"""
SIGN_IN = [
    "fill(text='Email', value='ada@example.com')",
    "fill(text='Password', env='SHOP_PASSWORD')",
    "tap m987",
]


def environment() -> dict[str, str]:
    return {
        "PYTHONPATH": ROOT,
        "TMPDIR": os.environ["TMPDIR"],
        "SHOP_PASSWORD": SECRET,
        "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:pytest-bdd",
    }


# --- a client that is the SDK's own


@dataclass
class Agent:
    """The SDK's client, for tests that are not asynchronous. ``heard`` is all that it was
    answered."""

    ask: Callable[..., Any]
    session: Any
    folder: Path
    heard: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def tools(self) -> list[dict[str, Any]]:
        listed = self.ask(self.session.list_tools)
        return [
            one.model_dump(by_alias=True, exclude_none=True, mode="json") for one in listed.tools
        ]

    def call(self, tool: str, **arguments: Any) -> Any:
        result = self.ask(self.session.call_tool, tool, arguments)
        self.heard.append(result.model_dump_json())
        if tool == "open" and not result.is_error:
            self.opened.append(result.content[0].text.partition(" ")[0])
        return result

    def fine(self, tool: str, **arguments: Any) -> str:
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content[0].text
        return str(result.content[0].text)

    def error(self, tool: str, **arguments: Any) -> str:
        result = self.call(tool, **arguments)
        assert result.is_error, result.content[0].text
        return str(result.content[0].text)


@pytest.fixture(scope="module")
def client_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    pytest.importorskip("mcp_types")
    from anyio.from_thread import start_blocking_portal
    from mcp import ClientSession, StdioServerParameters, stdio_client

    folder = tmp_path_factory.mktemp("project")
    (folder / "pytest.ini").write_text(QUICK, encoding="utf-8")
    its = StdioServerParameters(
        command=sys.executable, args=["-c", SERVER], env=environment(), cwd=folder
    )
    with ExitStack() as stack:
        log = stack.enter_context((folder / "stderr").open("w"))
        portal = stack.enter_context(start_blocking_portal())
        streams = stack.enter_context(
            portal.wrap_async_context_manager(stdio_client(its, errlog=log))
        )
        session = stack.enter_context(portal.wrap_async_context_manager(ClientSession(*streams)))
        portal.call(session.initialize)
        yield Agent(portal.call, session, folder)


@pytest.fixture
def agent(client_of_all: Agent) -> Iterator[Agent]:
    """One server for all tests; each finds it without a session."""
    yield client_of_all
    while client_of_all.opened:
        client_of_all.call("close", session=client_of_all.opened.pop())


def test_the_definitions_are_those_of_the_table_and_few(agent: Agent) -> None:
    tools = agent.tools()
    assert [one["name"] for one in tools] == [one.name for one in COMMANDS if one.tool]
    assert len(tools) <= 12
    assert len(json.dumps(tools, ensure_ascii=False)) <= 8_000
    assert "idle" not in tools[0]["inputSchema"]["properties"]


@pytest.mark.slow
def test_from_open_to_a_test_that_ran(agent: Agent) -> None:
    assert '[k020] EditText "Email"' in agent.fine("open", app="dev.replicant.shop", guard=True)
    assert "here it is tap. Next: tap m987" in agent.error("do", steps=["click m987"])
    assert "3a expect_screen" in agent.fine("do", steps=SIGN_IN, id="sign-in")
    assert "3a recorded: holds" in agent.fine("expect", checks=["3a"])
    assert agent.fine("look").startswith("Catalogue  (")
    assert "AMBIGUOUS_TARGET" in agent.error("do", steps=["tap(text='Add')"])
    assert "AMBIGUOUS_TARGET" in agent.error("last")
    assert "3 ok" in agent.fine("last", id="sign-in")
    text, picture = agent.call("evidence", what="screenshot").content
    assert text.text.startswith("screenshot, ")
    assert Image.open(io.BytesIO(base64.b64decode(picture.data))).format == "PNG"
    assert picture.mime_type == "image/png"
    assert "shot.png, " in agent.fine("evidence", what="screenshot", output="shot.png")
    marks, picture = agent.call("evidence", what="marks").content
    assert marks.text.startswith("marks, ")
    assert '] Button "Add" in row "Desk lamp £45.00"' in marks.text
    assert Image.open(io.BytesIO(base64.b64decode(picture.data))).height == 1000
    saved = agent.fine("save", place="test_in.py::test_in", run=True)
    assert "Fresh run: passed" in saved
    assert "closed, virtual-1" in agent.fine("close")
    assert "no session is open" in agent.error("look")
    written = (agent.folder / "test_in.py").read_text(encoding="utf-8")
    assert 'os.environ["SHOP_PASSWORD"]' in written
    assert ".expect_screen(" in written
    assert SECRET not in "".join([*agent.heard, written, (agent.folder / "stderr").read_text()])


@pytest.mark.slow
def test_two_sessions_and_what_is_wrong_with_arguments(agent: Agent) -> None:
    assert agent.fine("open", app="dev.replicant.shop", session="a").startswith("a  virtual-")
    assert "iOS" in agent.fine(
        "open", app="dev.replicant.shop", session="b", device="virtual:ios?latency=0"
    )
    assert "name one, as in session=a" in agent.error("look")
    assert "one of a, b" in agent.error("look", session="c")
    agent.fine("do", session="b", steps=["tap(text='Forgot password?')"])
    assert "Sign in  (" in agent.fine("look", session="a")
    assert "b closed" in agent.fine("close", session="b")
    assert "$NOT_SET is not set" in agent.error("do", steps=["fill(text='Email', env='NOT_SET')"])
    assert "a step evaluates nothing" in agent.error(
        "do", steps=["tap(text=__import__('os').getcwd())"]
    )
    assert "give logs, crashes" in agent.error("evidence", what="../x")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("opn", {}, "'opn' is no tool. Did you mean open?"),
        ("open", {}, "open takes the id of an app"),
        ("open", {"app": "x", "session": 3}, "session=3 is no text"),
        ("open", {"app": "x", "idle": 3}, "no argument 'idle' here"),
        (
            "save",
            {"test": "x"},
            "save has no argument 'test'. It takes place, diff, run, replace, allow",
        ),
        ("click", {}, "'click' is no command but a step, tap(). Next: do 'tap ...'"),
        ("open", {"app": "x", "device": "nonsense"}, "nonsense"),
        ("do", {"steps": [1]}, "steps is a list of texts"),
    ],
)
def test_a_call_that_cannot_be_is_an_error_that_says_why(
    agent: Agent, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in agent.error(tool, **arguments)


# --- clients that come to an end


CLIENT = """
import json, subprocess, sys
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
server = subprocess.Popen([sys.executable, "-c", sys.argv[1]], **pipes)
def send(id, method, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": id} if id else {})}
    print(json.dumps(message), file=server.stdin, flush=True)
send(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})
answers = [server.stdout.readline()]
send(0, "notifications/initialized")
send(2, "tools/call", name="open", arguments={"app": "dev.replicant.shop", "device": "virtual?latency=0"})
answers.append(server.stdout.readline())
send(3, "tools/call", name="do", arguments={"steps": ["wait_for(text='Never', timeout=60)"]})
while "still at it" not in answers[-1]:
    assert '"isError":true' not in answers[-1], answers
    send(4, "tools/call", name="last", arguments={})
    answers.append(server.stdout.readline())
print(json.dumps({"pid": server.pid, "answers": [json.loads(one) for one in answers]}), flush=True)
if sys.stdin.readline().strip() == "close":
    server.stdin.close()
print(server.wait(), flush=True)
"""
NOISY = """
import os, sys
from pytest_replicant.exploring import mcp
ask = mcp.Tools._ask
def noisy(*given):
    print("noise", flush=True)
    os.system("echo noise of a child")
    return ask(*given)
mcp.Tools._ask = noisy
sys.exit(mcp.serve())
"""
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def client(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A client whose server does a step that takes a minute, and what it was answered until
    then."""
    pytest.importorskip("mcp_types")
    process = subprocess.Popen(
        [sys.executable, "-c", CLIENT, getattr(request, "param", SERVER)], cwd=tmp_path, text=True,
        env={**os.environ, **environment()}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    report = json.loads(process.stdout.readline())
    yield process, report
    if is_alive(report["pid"]):
        os.kill(report["pid"], signal.SIGKILL)
    process.kill()
    process.communicate()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][:1]
    except FileNotFoundError:
        return False
    return state != "Z"  # whoever inherits it may take a while


def line_of(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


Client = tuple[subprocess.Popen[str], dict[str, Any]]


@needs_signals
@pytest.mark.slow
@pytest.mark.parametrize("client", [NOISY], indirect=True)
def test_the_server_ends_when_its_client_closes_and_nothing_but_protocol_was_on_its_output(
    client: Client,
) -> None:
    process, report = client
    assert process.stdin is not None
    process.stdin.write("close\n")
    process.stdin.flush()
    assert line_of(process.stdout) == "0"
    assert [one["id"] for one in report["answers"]][:3] == [1, 2, 4]
    assert "still at it" in report["answers"][-1]["result"]["content"][0]["text"]
    err = process.communicate()[1]
    assert "noise\n" in err
    assert "noise of a child\n" in err


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    command_line.add_to(parser.add_subparsers())
    arguments = parser.parse_args(["mcp"])
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    with pytest.raises(
        UsageError, match=r"in a checkout of pytest-replicant, pip install '\.\[mcp\]'"
    ) as caught:
        arguments.perform(arguments)
    assert "\n" not in str(caught.value)


def test_the_command_line_has_no_need_of_the_extra_before() -> None:
    code = (
        "import sys, pytest_replicant.cli, pytest_replicant.exploring.mcp; print('mcp_types' in "
        "sys.modules)"
    )
    for first, loaded in (("", "False"), ("import mcp_types; ", "True")):
        ran = subprocess.run(
            [sys.executable, "-c", first + code], env={**os.environ, **environment()},
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        assert ran.stdout.strip() == loaded
