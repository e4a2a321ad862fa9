"""The process that keeps a session, and its client: real processes, with a phone that is none."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant import client
from pytest_replicant.exploring.process import protocol, records
from pytest_replicant.pool.quarantine import lease_folder_path
from tests.conftest import Capture

from .desks import CLIENT, PROCESS, ROOT, Desk, until

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and modes"),
]


def here(capsys: Capture, *argv: str, code: int = 0) -> str:
    """A command of this very process: what it prints, on both streams."""
    capsys.readouterr()
    left = client.main(argv)
    shown = "".join(capsys.readouterr())
    assert left == code, shown
    return shown


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- from open to close


def test_a_session_lives_from_open_to_close(desk: Desk, capsys: Capture) -> None:
    assert "opened s1 ('open', 'shop')" in desk.run("open", "shop")
    assert f"(('look', '-x'), {str(Path.cwd())!r}, None, {{}})" in here(capsys, "look", "-x")
    assert (
        os.getsid(desk.record().pid) == desk.record().pid
    )  # no terminal's Ctrl-C or end reaches it
    assert desk.left == ["s1.json", "s1.lock", "s1.log"]
    assert mode(desk.sessions) == 0o700
    assert {mode(desk.sessions / name) for name in desk.left} == {0o600}
    assert here(capsys, "close") == "closed\n"
    assert (desk.folder / "released").exists()  # by the time that close has answered
    assert desk.left == []
    desk.ended()
    assert "no session is open. Next: replicant open" in here(capsys, "look", code=2)


@pytest.mark.slow
def test_names_are_given_before_or_after_the_verb_or_by_the_environment(
    desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.run("open").startswith("opened s1 ")
    assert desk.run("open").startswith("opened s2 ")
    assert desk.run("-s", "shop.1", "open").startswith("opened shop.1 ")
    assert "several sessions are open: s1, s2, shop.1. Next: " in here(capsys, "look", code=2)
    for words in (["-s", "s2", "look"], ["look", "--session", "s2"], ["look", "--session=s2"]):
        assert here(capsys, *words).startswith("(('look',)")
    assert "('note', '--', '-s', 'x')" in here(capsys, "note", "-s", "s2", "--", "-s", "x")
    monkeypatch.setenv("REPLICANT_SESSION", "shop.1")
    assert here(capsys, "close") == "closed\n"
    assert "no session shop.1 is open. Open: s1, s2. Next: " in here(capsys, "look", code=2)
    assert here(capsys, "close", "--all") == "closed\nclosed\n"
    assert desk.left == []


@pytest.mark.parametrize("name", ["", "../x", "x" * 41, "\x1b[31m"])
def test_a_name_that_is_none_is_refused(name: str, desk: Desk, capsys: Capture) -> None:
    shown = here(capsys, "look", "-s", name, code=2)
    assert "no name of a session" in shown
    assert "\x1b" not in shown


def test_what_the_command_names_of_the_environment_goes_with_it(
    desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.run("open")
    monkeypatch.setenv("SHOP_PASSWORD", "correct horse")
    monkeypatch.setenv("OTHER", "not asked for")
    shown = here(
        capsys, "do", "fill k1 env='SHOP_PASSWORD'", 'fill k2 env = "MISSING"', "fill k3 OTHER"
    )
    assert "{'SHOP_PASSWORD': 'correct horse'}" in shown
    assert "not asked for" not in shown
    assert all("correct horse" not in path.read_text() for path in desk.sessions.glob("*.[jl]*"))


def test_standard_input_is_read_where_it_is_asked_for(desk: Desk) -> None:
    desk.run("open")
    assert "'tap k3\\n'" in desk.run("do", "-", "--json", "--id", "7", stdin="tap k3\n")
    assert "None" in desk.run("do", "--id", "7", "tap k4", stdin="not read")
    assert "standard input is longer than" in desk.run(
        "do", "-", stdin="x" * (protocol.LARGEST_REQUEST + 1), code=2
    )


def test_a_working_directory_that_is_gone(desk: Desk, capsys: Capture) -> None:
    desk.run("open")
    before, gone = Path.cwd(), desk.folder / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        assert "the working directory is gone" in here(capsys, "look", code=2)
    finally:
        os.chdir(before)


def test_the_process_imports_nothing_from_where_the_client_is(desk: Desk) -> None:
    for folder in ("bin", "modules", "tests"):
        (desk.folder / folder).mkdir()
    (desk.folder / "bin" / "client.py").write_text(CLIENT)
    (desk.folder / "modules" / "standin.py").write_text(PROCESS)
    for name in ("select", "signal", "socket", "json"):
        (desk.folder / "tests" / f"{name}.py").write_text("raise SystemExit('hijacked')")
    opened = subprocess.run(
        [sys.executable, str(desk.folder / "bin" / "client.py"), f"-m|standin|{desk.folder}",
         "open"],
        cwd=desk.folder / "tests",
        env={**os.environ, "PYTHONPATH": os.pathsep.join((ROOT, "../modules"))},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    assert (opened.returncode, opened.stdout) == (0, "opened s1 ('open',)\n"), opened.stderr


# --- opening


@pytest.mark.parametrize(
    ("app", "code", "said"),
    [
        ("bad", 2, "no such app. Next: name another"),
        ("defect", 3, "KeyError: 'a defect'"),
        (
            "die",
            3,
            'the session\'s process gave no answer (exit code -9). Its log ends with "last words".',
        ),
    ],
)
def test_an_open_that_fails_leaves_nothing(app: str, code: int, said: str, desk: Desk) -> None:
    shown = desk.run("open", app, code=code)
    assert said in shown
    assert "Next: " in shown
    assert desk.left == []


@pytest.mark.parametrize("minutes", ["nan", "0", "soon", "1e9"])
def test_idle_is_a_number_of_minutes(minutes: str, desk: Desk) -> None:
    assert re.search(r"--idle \S+ is no number", desk.run("open", "--idle", minutes, code=2))
    assert desk.left == []


@pytest.mark.slow
def test_of_two_that_open_one_name_one_wins(desk: Desk) -> None:
    both = [desk.start("open", "-s", "shop", "slow") for _ in range(2)]
    until(lambda: any(process.poll() is not None for process in both))
    desk.let("slow")
    shown = [process.communicate(timeout=20) for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], shown
    assert sum("session shop is open already. Next: " in err for _, err in shown) == 1


def test_a_client_that_is_killed_while_opening(desk: Desk, capsys: Capture) -> None:
    opening = desk.start("open", "slow")
    desk.began("slow")
    assert "s1" in (listed := here(capsys, "sessions"))
    assert "opening" in listed
    assert "session s1 is still opening" in here(capsys, "look", code=2)
    opening.kill()
    opening.communicate()
    desk.let("slow")
    until(lambda: desk.record().port)
    assert here(capsys, "close") == "closed\n"


def test_a_process_that_is_ended_while_it_opens(desk: Desk) -> None:
    opening = desk.start("open", "slow")
    desk.began("slow")
    os.kill(int((desk.folder / "pid").read_text()), signal.SIGTERM)
    _, err = opening.communicate(timeout=20)
    assert (opening.returncode, err) == (
        3,
        "replicant: the session was ended while it was opening\n",
    )
    assert desk.left == []


# --- projects


def test_a_session_is_found_from_its_project_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    shop, bank = desk.project("shop"), desk.project("shop/bank")  # one in the other
    (desk.folder / "link").symlink_to(shop)
    for folder, name in ((shop / "tests", "s1"), (bank, "s2")):
        assert desk.run("open", cwd=folder).startswith(f"opened {name} ")
    for folder, name in (
        (shop, "s1"),
        (desk.folder / "link" / "tests", "s1"),
        (bank / "tests", "s2"),
    ):
        monkeypatch.chdir(folder)
        here(capsys, "note", name)
        assert desk.record(name).project == str(shop if name == "s1" else bank)
    monkeypatch.chdir(desk.folder)
    elsewhere = "no session is open in this project. Open in others: s1, s2. Next: replicant open"
    for words in (["look"], ["do", "x"], ["save", "t.py"], ["close"], ["last"]):
        assert elsewhere in here(capsys, *words, code=2)
    assert here(capsys, "close", "--all") == "no session is open\n"
    assert [f"in {one}" in here(capsys, "sessions") for one in (shop, bank)] == [True, True]
    assert here(capsys, "look", "-s", "s1").startswith("(('look',)")
    monkeypatch.chdir(bank)
    assert here(capsys, "close") == "closed\n"
    monkeypatch.chdir(shop)
    desk.run("open", cwd=shop)
    assert "several sessions are open: s1, s2. Next: name one, as in -s s1" in here(
        capsys, "look", code=2
    )
    shutil.rmtree(bank)
    monkeypatch.chdir(desk.folder)
    assert here(capsys, "close", "-s", "s2") == "closed\n"


def test_of_the_last_session_of_the_project_it_is_known_how_it_ended(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    shop, bank = desk.project("shop"), desk.project("bank")
    monkeypatch.chdir(shop)

    def last() -> str:
        return (
            here(capsys, "look", code=2)
            .partition("The last one of this project, ")[2]
            .partition(" (20")[0]
        )

    assert last() == ""
    desk.run("open", cwd=shop)
    here(capsys, "close")
    assert last() == "s1, was closed by a command"
    desk.run("open", cwd=shop)
    os.kill(desk.record().pid, signal.SIGKILL)
    desk.ended()
    assert "the process of session s1 has gone" in here(capsys, "look", code=3)
    here(capsys, "sessions")
    assert last() == "s1, died: its process went without closing it"
    desk.run("open", "--idle", "0.001", cwd=shop)
    desk.ended()
    assert last() == "s1, ended after 0.001 minutes without a command"
    desk.run("open", cwd=shop)
    os.kill(desk.record().pid, signal.SIGTERM)
    desk.ended()
    assert last() == "s1, was ended by a signal"
    monkeypatch.chdir(bank)
    assert last() == ""


@pytest.mark.parametrize(
    ("files", "inside"),
    [
        ({"pytest.ini": ""}, "a/b"),
        ({"a/.pytest.ini": "", "pytest.ini": ""}, "a/b"),
        ({"pytest.toml": "[pytest]\n"}, "a"),
        (
            {
                "pyproject.toml": "[project]\n[tool.pytest.ini_options]\n",
                "a/pyproject.toml": "[tool.black]\n",
            },
            "a/b",
        ),
        ({"tox.ini": "[tox]\n[pytest]\n", "a/pyproject.toml": "[tool.pytest_env]\n"}, "a/b"),
        ({"setup.py": "", "a/setup.cfg": "[metadata]\n"}, "a/b"),
        ({}, "a/b"),
    ],
)
def test_the_project_is_the_root_that_pytest_finds(
    files: dict[str, str], inside: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pytester.path / "a" / "b").mkdir(parents=True)
    for name, text in files.items():
        (pytester.path / name).write_text(text)
    monkeypatch.chdir(pytester.path / inside)
    assert records.project_of(os.getcwd()) == str(pytester.parseconfig().rootpath)


# --- the end


@pytest.mark.slow
def test_a_process_that_was_killed_is_swept_up(desk: Desk, capsys: Capture) -> None:
    desk.run("open")
    desk.run("open")
    here(capsys, "do", "noise", "3", "-s", "s1")
    os.kill(desk.record().pid, signal.SIGKILL)
    desk.ended()
    shown = here(capsys, "look", "-s", "s1", code=3)
    assert "the process of session s1 has gone" in shown
    assert 'Its log ends with "nnn". Next: replicant open' in shown
    assert here(capsys, "look").startswith("(('look',)")  # the other one is the only one now
    assert "session s1: its process had gone" in here(capsys, "sessions")
    assert desk.left == ["s2.json", "s2.lock", "s2.log"]
    assert "opened s1" in desk.run("open")
    os.kill(desk.record("s2").pid, signal.SIGKILL)
    desk.ended("s2")
    assert "opened s3" in desk.run("open", "-s", "s3")
    assert not any(name.startswith("s2") for name in desk.left)


def test_a_signal_cuts_a_step_short(desk: Desk) -> None:
    desk.run("open")
    step = desk.start("do", "wait", "never")
    desk.began("never")
    os.kill(desk.record().pid, signal.SIGTERM)
    _, err = step.communicate(timeout=20)
    assert (step.returncode, err) == (
        3,
        "replicant: the step was cut short, as the session is being closed\n",
    )
    desk.ended()
    assert (desk.folder / "released").exists()
    assert desk.left == []


@pytest.mark.slow
def test_close_cuts_a_step_short_and_answers_whoever_waits(desk: Desk) -> None:
    desk.run("open")
    step = desk.start("do", "wait", "never")
    desk.began("never")
    second = desk.start("do", "tap k1")
    assert second.stderr is not None
    assert second.stderr.readline() == "replicant: waiting for its turn after: do wait never\n"
    assert desk.run("close").endswith(
        "closed\nreplicant: waiting for its turn after: do wait never\n"
    )
    assert "the step was cut short" in step.communicate(timeout=20)[1]
    assert "the session was closed meanwhile" in second.communicate(timeout=20)[1]
    assert (step.returncode, second.returncode) == (3, 3)
    assert desk.left == []


def test_close_says_what_went_wrong(desk: Desk, capsys: Capture) -> None:
    desk.run("open")
    desk.let("stuck")
    assert here(capsys, "close", code=3) == "closed\nreplicant: the phone did not let go\n"
    assert desk.left == []


def test_a_defect_of_the_handler_releases_the_phone(desk: Desk) -> None:
    desk.let("defect")
    assert "gave no answer (exit code 1)" in desk.run("open", code=3)
    assert (desk.folder / "released").exists()
    assert desk.left == []


def test_a_record_that_cannot_be_written_fails_the_open(desk: Desk) -> None:
    (desk.sessions / "s1.json").mkdir(parents=True)
    desk.sessions.chmod(0o700)
    assert "cannot keep sessions in" in desk.run("open", code=2)
    assert desk.left == ["s1.json"]


# --- several clients


def test_a_second_client_waits_and_is_informed(desk: Desk, capsys: Capture) -> None:
    desk.run("open")
    first = desk.start("do", "wait", "first")
    desk.began("first")
    second = desk.start("do", "tap", "\x1b[31mk1")
    assert second.stderr is not None
    assert second.stderr.readline() == "replicant: waiting for its turn after: do wait first\n"
    assert here(capsys, "last") == "nothing yet\n"
    assert "busy: do wait first" in here(capsys, "sessions")
    assert first.poll() is None
    desk.let("first")
    assert "'wait', 'first'" in first.communicate(timeout=20)[0]
    assert "('do', 'tap'," in second.communicate(timeout=20)[0]
    assert here(capsys, "last") == "first\n"
    assert "idle for 0 s" in here(capsys, "sessions")


def test_a_client_that_is_killed_leaves_its_step_alone(desk: Desk, capsys: Capture) -> None:
    desk.run("open")
    step = desk.start("do", "wait", "first")
    desk.began("first")
    step.kill()
    step.communicate()
    waiting = desk.start("do", "wait", "second")
    assert waiting.stderr is not None
    waiting.stderr.readline()
    waiting.kill()  # before its turn: it is dropped
    waiting.communicate()
    desk.let("first")
    desk.let("second")
    assert here(capsys, "look").startswith("(('look',)")
    assert here(capsys, "last") == "first\n"
    assert not (desk.folder / "second.began").exists()


def test_ctrl_c_ends_the_client_alone(desk: Desk, capsys: Capture) -> None:
    desk.run("open", "-s", "shop")
    step = desk.start("do", "-s", "shop", "wait", "first")
    desk.began("first")
    step.send_signal(signal.SIGINT)
    _, err = step.communicate(timeout=20)
    assert step.returncode == 130
    assert err == "replicant: interrupted; the step goes on. Next: replicant last -s shop\n"
    desk.let("first")
    until(lambda: here(capsys, "last") == "first\n")


def test_errors_of_the_handler_are_told_apart(
    desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.run("open")
    monkeypatch.setenv("SHOP_PASSWORD", "correct horse")
    assert here(capsys, "do", "lost", code=3) == "replicant: the phone has gone. Next: plug it in\n"
    shown = here(capsys, "do", "raise", "env='SHOP_PASSWORD'", code=3)
    assert "RuntimeError: no idea of {'SHOP_PASSWORD': '$SHOP_PASSWORD'}" in shown
    log = (desk.sessions / "s1.log").read_text()
    assert "Traceback" in log
    assert "correct horse" not in shown + log
    assert here(capsys, "look").startswith("(('look',)")


# --- who may ask


def exchange(desk: Desk, sent: bytes) -> bytes:
    """What comes back until the other side closes."""
    with desk.connected() as connection:
        connection.sendall(sent)
        got = b""
        try:
            while part := connection.recv(4096):
                got += part
        except ConnectionResetError:  # it closed before it had read everything
            pass
        return got


def message(desk: Desk, **changes: object) -> bytes:
    plain = {
        "v": protocol.VERSION,
        "token": desk.record().token,
        "cwd": "/",
        "stdin": None,
        "env": {},
    }
    return protocol.pack(json.dumps({**plain, "argv": ["look"], **changes}).encode())


@pytest.mark.slow
def test_only_the_token_is_answered(desk: Desk) -> None:
    desk.run("open")
    token = desk.record().token
    assert len(token) == 64
    assert b"'look'" in exchange(desk, message(desk))
    for wrong in (token[:-1], token[::-1], token.upper() + "x", "", None, 1, ["x"], "\ud800"):
        assert exchange(desk, message(desk, token=wrong)) == b""
    http = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + b"x" * 100
    for sent in (
        http,
        b"\0\0\0\2[]",
        b"\0\0\0\3{,}",
        b"\xff" * 8,
        b"\0\0\xff\xff" + b"[" * 0xFFFF,
        b"\0",
    ):
        assert exchange(desk, sent) == b""
    assert b"'look'" in exchange(desk, message(desk))
    assert (desk.sessions / "s1.log").read_text() == ""  # none of them is an error


def test_a_frame_has_a_largest_size() -> None:
    def read(sent: bytes, largest: int) -> dict[str, Any]:
        return protocol.read_frame(io.BytesIO(sent).read, largest)

    frame = protocol.pack(b'{"argv": ["\\u00fc", "\\ud800"]}')
    assert read(frame, len(frame) - 4) == {"argv": ["ü", "\ud800"]}
    with pytest.raises(ValueError, match=r"a frame of 30 bytes, 29 allowed"):
        read(frame[:4], len(frame) - 5)  # known before any of it is read
    with pytest.raises(ValueError, match=r"code: Expected `int`, got `str`"):
        protocol.checked({"out": "ok", "code": "0"})


def test_a_port_is_on_the_loopback_alone(desk: Desk) -> None:
    desk.run("open")
    port = desk.record().port
    socket.create_connection(("127.0.0.1", port), 5).close()
    with pytest.raises(OSError, match=r"refused|assign|unreachable|timed out"):
        socket.create_connection(("127.0.0.2", port), 1)


def test_requests_of_another_form_are_refused_with_the_token(desk: Desk) -> None:
    desk.run("open")
    assert b"opened by another version" in exchange(desk, message(desk, v=1))
    changed: list[dict[str, object]] = [{"argv": []}, {"argv": "look"}, {"env": {"A": 1}}]
    for changes in changed:
        assert b"no request of a client" in exchange(desk, message(desk, **changes))
    assert b"argv[0]: Expected `str`, got `int`" in exchange(desk, message(desk, argv=[1]))


@pytest.mark.parametrize("change", ["mode", "link"])
def test_a_folder_that_others_can_use_is_refused(change: str, desk: Desk, capsys: Capture) -> None:
    desk.sessions.mkdir(parents=True, mode=0o700)
    here(capsys, "sessions")  # it was fine
    if change == "mode":
        desk.sessions.chmod(0o770)
    else:
        desk.sessions.rmdir()
        desk.sessions.symlink_to(desk.folder)
    for words in (["sessions"], ["look"], ["open"], ["close", "--all"]):
        shown = here(capsys, *words, code=2)
        assert f"cannot keep sessions in {desk.sessions}: " in shown
        assert "Next: " in shown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", ""),
        ('{"version": 1, "name": "s1"}', "it is of another version"),
        ('{"version": 3, "name": "s1"}', "pid: Expected `int`, got `NoneType`"),
    ],
)
def test_a_damaged_record_is_named(text: str, why: str, desk: Desk, capsys: Capture) -> None:
    desk.sessions.mkdir(parents=True, mode=0o700)
    held = records.Lock(str(desk.sessions), "s1")
    assert held.take()
    (desk.sessions / "s1.json").write_text(text)
    assert "Open in others: s1 (its project is not known)" in here(capsys, "look", code=2)
    assert f"the record of session s1 cannot be used: {why}" in here(
        capsys, "look", "-s", "s1", code=2
    )
    assert "s1" in here(capsys, "sessions")
    assert "session s1: its project is not known" in here(capsys, "close", "--all", code=2)
    held.release()
    here(capsys, "sessions")
    assert desk.left == []


# --- small parts


def test_the_folder_is_in_that_of_the_leases(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in (str(tmp_path), "", str(tmp_path / "missing"), f"{tmp_path}/./x/.."):
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        (tmp_path / "x").mkdir(exist_ok=True)
        assert records.sessions_folder() == str(lease_folder_path() / "sessions")


def test_a_lock_whose_file_was_removed_is_taken_on_the_new_one(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    first, second = records.Lock(str(tmp_path), "a"), records.Lock(str(tmp_path), "a")
    assert first.take()
    assert records.is_held(path)
    assert not second.take()
    first.release()
    assert not records.is_held(path)
    assert second.take()
    first.release()  # again: it has nothing to remove
    assert records.is_held(path)
    second.release()
    assert os.listdir(tmp_path) == []


def test_a_client_loads_little(desk: Desk) -> None:
    """Each of these would cost as much as half an interpreter."""
    desk.run("open")
    heavy = {
        "typing", "argparse", "dataclasses", "pathlib", "tempfile", "subprocess", "inspect", "ast",
        "threading", "importlib.util", "random", "hashlib", "pytest_replicant.errors",
        "pytest_replicant.cli",
    }  # fmt: skip
    code = (
        f"import sys; sys.path.insert(0, {ROOT!r}); from pytest_replicant.client import main; "
        "main(['look']); "
    )
    looked = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"{code}print(*sys.modules, sep='\\n')"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=20, check=True,
    )  # fmt: skip
    shown, *loaded = looked.stdout.splitlines()
    assert "'look'" in shown
    assert heavy.intersection(loaded) == set()
    assert sum(name.startswith("pytest_replicant") for name in loaded) <= 9


def test_the_environment_names_are_found_in_words_and_input() -> None:
    found = protocol._VARIABLE.findall(
        """fill k1 env="A_1" env='B' env="C' xenv="D" env = "E" env="1F" """
    )
    assert [name for _, name in found] == ["A_1", "B", "E"]
