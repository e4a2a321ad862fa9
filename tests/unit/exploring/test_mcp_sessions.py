"""The sessions behind ``replicant mcp``, without the protocol and with phones that are none."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.exploring import Answer, Request, Said
from pytest_replicant.exploring import mcp as serving
from pytest_replicant.exploring.mcp import MAX_CHARS, Reply, Tools
from tests.conftest import Capture

pytestmark = pytest.mark.ci  # processes of their own

SECRET = "correct horse"


class Stub:
    """A session whose ``do`` does what its first step says."""

    def __init__(self) -> None:
        self.began, self.go = threading.Event(), threading.Event()
        self.done: list[str] = []
        self.closed_on: list[str] = []
        self.refuses = False
        self.shot = b""
        self.explorer = SimpleNamespace(secrets={})

    def answer(self, name: str, values: Mapping[str, Any], request: Request) -> Said:
        step = values.get("steps", [name])[0]
        if step == "wait":
            self.began.set()
            while not self.go.is_set():
                time.sleep(0.001)
        if step == "fail":
            raise DeviceError("no such thing. Next: look")
        if step == "break":
            raise KeyError(f"a defect, {SECRET}")
        self.done.append(step)
        return Said(f"{step} {dict(request.env)}", code=int(step == "bad"), ends=name == "close")

    def picture(self, what: str) -> tuple[bytes, list[str]]:
        return self.shot, [f'[k020] Button "{SECRET}"'] if what == "marks" else []

    def hidden(self, text: str) -> str:
        return text.replace(SECRET, "•••")

    def close(self) -> None:
        if self.refuses:
            raise RuntimeError("the phone did not let go")
        self.closed_on.append(threading.current_thread().name)


@dataclass
class Desk:
    tools: Tools
    stubs: dict[str, Stub] = field(default_factory=dict)

    def ask(self, tool: str, **given: Any) -> Reply:
        return self.tools.call(tool, given).result(10)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(serving, "_GRACE_SECONDS", 0.05)
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)

    def opener(name: str, request: Request) -> Any:
        if "bad" in request.argv:
            raise UsageError("no such app. Next: name another")
        made.stubs[name] = Stub()
        return made.stubs[name], Answer(f"{name} {request.argv}\n")

    made = Desk(Tools("/somewhere", opener))
    yield made
    for stub in made.stubs.values():
        stub.go.set()
    made.tools.close()
    assert [one.name for one in threading.enumerate() if one.name.startswith("session-")] == []


def test_open_is_given_what_was_asked_for_and_names_are_found(desk: Desk) -> None:
    opened = desk.ask("open", app="--json", device="-x", refuse=["a b", "--c"], allow=[], guard=True, max_chars=0)
    words = ("open", "--device=-x", "--guard", "--refuse=a b", "--refuse=--c", "--max-chars=0", "--", "--json")
    assert opened == Reply(f"s1 {words}")
    assert desk.ask("open", app="x", session="s2").text.startswith("s2 ")
    assert desk.ask("open", app="x").text.startswith("s3 ")


def test_a_session_that_did_not_open_is_none(desk: Desk) -> None:
    assert desk.ask("open", app="bad", session="a") == Reply("replicant: no such app. Next: name another", True)
    assert "no session is open" in desk.ask("look").text
    assert not desk.ask("open", app="x", session="a").is_error


def test_secrets_come_from_the_environment_and_go_nowhere(desk: Desk) -> None:
    desk.ask("open", app="x")
    said = desk.ask("do", steps=["fill k020 ada", "fill(text='P', env='SHOP_PASSWORD').expect_text('x')"])
    assert said == Reply("fill k020 ada {'SHOP_PASSWORD': '•••'}")
    assert desk.ask("do", steps=["fill k020 SHOP_PASSWORD"]).text.endswith(" {}")


def test_errors_and_findings_are_errors(desk: Desk, capsys: Capture) -> None:
    desk.ask("open", app="x")
    assert desk.ask("do", steps=["bad"]) == Reply("bad {}", True)
    assert desk.ask("do", steps=["fail"]).is_error
    desk.stubs["s1"].explorer.secrets = {"SHOP_PASSWORD": SECRET}
    broken = desk.ask("do", steps=["break"])
    assert broken.is_error
    assert "KeyError: 'a defect, $SHOP_PASSWORD'\nThis is a defect" in broken.text
    shown = capsys.readouterr()
    assert "Traceback" in shown.err
    assert SECRET not in shown.err + shown.out
    assert desk.ask("do", steps=["good"]) == Reply("good {}")


def test_calls_of_a_session_come_one_after_the_other_and_last_at_once(desk: Desk) -> None:
    desk.ask("open", app="x")
    desk.ask("open", app="x")
    first = desk.tools.call("do", {"steps": ["wait"], "session": "s1"})
    stub = desk.stubs["s1"]
    assert stub.began.wait(10)
    second = desk.tools.call("do", {"steps": ["second"], "session": "s1"})
    assert desk.ask("last", session="s1") == Reply("last {}")
    assert desk.ask("do", steps=["other"], session="s2") == Reply("other {}")
    assert not second.done()
    stub.go.set()
    assert (first.result(10), second.result(10)) == (Reply("wait {}"), Reply("second {}"))
    assert stub.done == ["last", "wait", "second"]


def test_close_waits_for_a_step_and_then_cuts_it_short(desk: Desk) -> None:
    desk.ask("open", app="x")
    step = desk.tools.call("do", {"steps": ["wait"]})
    stub = desk.stubs["s1"]
    assert stub.began.wait(10)
    waits = desk.tools.call("do", {"steps": ["never"]})
    assert desk.ask("close") == Reply("close {}")
    assert "was cut short" in step.result(10).text
    assert "closed meanwhile" in waits.result(10).text
    assert stub.done == ["close"]
    assert stub.closed_on == ["session-s1_0"]
    assert desk.ask("close").text == "replicant: no session is open. Next: open"


def test_a_client_that_goes_takes_its_steps_back_and_no_close(desk: Desk) -> None:
    desk.ask("open", app="x")
    step = desk.tools.call("do", {"steps": ["wait"]})
    assert desk.stubs["s1"].began.wait(10)
    waits = desk.tools.call("do", {"steps": ["never"]})
    close = desk.tools.call("close", {})
    assert (step.cancel(), waits.cancel(), close.cancel()) == (False, True, False)
    assert desk.tools.close()
    assert desk.stubs["s1"].closed_on == ["session-s1_0"]
    assert "never" not in desk.stubs["s1"].done


def test_a_step_that_ends_in_time_is_not_cut_short(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_GRACE_SECONDS", 10.0)
    desk.ask("open", app="x")
    step = desk.tools.call("do", {"steps": ["wait"]})
    assert desk.stubs["s1"].began.wait(10)
    close = desk.tools.call("close", {})
    desk.stubs["s1"].go.set()
    assert (step.result(10), close.result(10)) == (Reply("wait {}"), Reply("close {}"))


def test_the_end_of_the_client_releases_every_phone_at_once(desk: Desk) -> None:
    for name in "ab":
        desk.ask("open", app="x", session=name)
    step = desk.tools.call("do", {"steps": ["wait"], "session": "a"})
    assert desk.stubs["a"].began.wait(10)
    assert desk.tools.close()
    assert step.result(10).is_error
    assert [stub.closed_on for stub in desk.stubs.values()] == [["session-a_0"], ["session-b_0"]]
    assert "server is ending" in desk.ask("open", app="x").text
    assert desk.tools.close()


def test_a_phone_that_does_not_let_go_is_reported(desk: Desk, capsys: Capture) -> None:
    desk.ask("open", app="x")
    desk.stubs["s1"].refuses = True
    assert "the phone did not let go" in desk.ask("close").text
    desk.ask("open", app="x", session="again")
    desk.stubs["again"].refuses = True
    assert not desk.tools.close()
    capsys.readouterr()


def test_an_answer_has_a_bound_and_says_what_is_missing(desk: Desk) -> None:
    desk.ask("open", app="x")
    said = desk.ask("do", steps=["line\n" * 5_000]).text
    assert said == "line\n" * 4_000 + "… and 5004 more characters"
    whole = "x" * (MAX_CHARS - len(" {}"))
    assert desk.ask("do", steps=[whole]).text == f"{whole} {{}}"


def test_a_large_picture_is_made_smaller_and_a_small_one_is_left(desk: Desk) -> None:
    def drawn(width: int, height: int, *, noise: bool) -> bytes:
        image = Image.frombytes("RGB", (width, height), os.urandom(3 * width * height)) if noise else None
        file = io.BytesIO()
        (image or Image.new("RGB", (width, height))).save(file, "PNG")
        return file.getvalue()

    desk.ask("open", app="x")
    stub = desk.stubs["s1"]
    stub.shot = drawn(1440, 3120, noise=False)
    assert desk.ask("evidence", what="screenshot") == Reply("screenshot, 1440 x 3120 pixels", picture=stub.shot)
    marks = desk.ask("evidence", what="marks")
    assert marks == Reply('marks, 1440 x 3120 pixels\n[k020] Button "•••"', picture=stub.shot)
    stub.shot = drawn(400, 1600, noise=True)
    reply = desk.ask("evidence", what="screenshot")
    assert reply.text == "screenshot, 400 x 1600 pixels, shown at 392 x 1568"
    assert reply.picture is not None
    assert Image.open(io.BytesIO(reply.picture)).size == (392, 1568)
