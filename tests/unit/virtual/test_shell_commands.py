from __future__ import annotations

import asyncio
import hashlib
import re
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.virtual import COMMANDS, Latency, VirtualPhone, run

from .notes_phone import APP, BEYOND_ASCII, HOSTILE, Memory, make_phone, sh

PHONE = make_phone()  # for properties, which need no fresh one


@pytest.fixture
def phone() -> VirtualPhone:
    return make_phone()


@pytest.mark.parametrize(
    ("line", "out", "error", "code"),
    [
        ("echo hi", "hi\n", "", 0),
        ("echo -n hi; echo ' there'", "hi there\n", "", 0),
        ("echo 'a\\tb'; echo -E 'a\\tb'", "a\tb\na\\tb\n", "", 0),
        ("printf '%s=%03d;' a 1 b 2; printf '100%%\\n'", "a=001;b=002;100%\n", "", 0),
        ("false && echo no || echo yes", "yes\n", "", 0),
        ("nope", "", "/system/bin/sh: nope: inaccessible or not found\n", 127),
        ("nope 2>/dev/null; echo $?", "127\n", "", 0),
        ("(exit 4); echo X4EXIT:$?", "X4EXIT:4\n", "", 0),
        ("exit 300", "", "", 44),
        ("A=1; A=2 sh -c 'echo $A'; echo $A", "2\n1\n", "", 0),
        ("reboot -p", "", "reboot: the virtual phone restarts only, and knows no '-p'\n", 1),
        ("exec echo over; echo never", "over\n", "", 0),
        (
            "echo $((1 + 2))",
            "",
            "/system/bin/sh: syntax error: '$((' is not known to the virtual phone's shell\n",
            1,
        ),
        (
            "set -x; echo",
            "",
            "/system/bin/sh: set: -x: not known to the virtual phone's shell\n",
            1,
        ),
        (
            "wm density | cut -d ' ' -f 3; printf 'a:b:c\\nnone\\n' | cut -d: -f3,1",
            "420\na:c\nnone\n",
            "",
            0,
        ),
        ("su -c 'echo root'", "", "/system/bin/sh: su: inaccessible or not found\n", 127),
        (
            "toybox echo hi; toybox nope",
            "hi\n",
            "/system/bin/sh: nope: inaccessible or not found\n",
            127,
        ),
        (
            "cd /sdcard; pwd; echo a > x; ls x; cat < x; [ -e x ] && id -u",
            "/sdcard\nx\na\n2000\n",
            "",
            0,
        ),
        ("cat /nope", "", "cat: /nope: No such file or directory\n", 1),
        (
            "echo x > /no/where",
            "",
            "/system/bin/sh: can't open /no/where: No such file or directory\n",
            1,
        ),
        ("which input nope", "/system/bin/input\n", "", 1),
        ("echo one | grep -q two; echo $?; echo one | grep -c 'o[n]e'", "1\n1\n", "", 0),
    ],
)
def test_a_line(phone: VirtualPhone, line: str, out: str, error: str, code: int) -> None:
    answer = sh(phone, line)
    assert (answer.out, answer.error, answer.code) == (out, error, code)


@pytest.mark.parametrize("text", [*HOSTILE, *BEYOND_ASCII, "%s", "new\nline", "tab\t", " ", ""])
def test_a_quoted_word_reaches_a_command_exactly(phone: VirtualPhone, text: str) -> None:
    assert sh(phone, f"printf '[%s]' {shlex.quote(text)}").out == f"[{text}]"
    assert sh(phone, shlex.join(["settings", "put", "system", "k", text])).code == 0
    assert sh(phone, "settings get system k").out == f"{text}\n"


def test_bytes_that_are_no_text_pass_through_pipes_and_files(phone: VirtualPhone) -> None:
    data = bytes(range(256)) * 1000
    phone.files.write("/sdcard/b", data)
    assert sh(phone, "cat /sdcard/b | cat > /sdcard/c; cat < /sdcard/c").bytes == data
    assert sh(phone, "cat > /sdcard/d", given=data).code == 0
    assert phone.files.read("/sdcard/d") == data
    assert sh(phone, "md5sum /sdcard/d").out == f"{hashlib.md5(data).hexdigest()}  /sdcard/d\n"


def test_a_crash_in_a_command_is_an_exit_code(
    phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*point: int) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(phone, "tap", broken)
    answer = sh(phone, "input tap 1 2; echo still here")
    assert (answer.out, answer.error) == ("still here\n", "input: ZeroDivisionError: a bug\n")


FOREVER = frozenset(("sleep", "getevent", "logcat"))
WORDS = [
    "",
    "-",
    "-n",
    "-c",
    "-d",
    "-S",
    "-v",
    "--user",
    "1",
    "-1",
    "nan",
    "9" * 20,
    "\udc80",
    "%d",
    "\\x",
]
PLACES = ["/sdcard", "/nope", APP, f"{APP}/.NotesActivity", "/", "=", "+", "[", "*"]
VERBS = [
    "start",
    "list",
    "get",
    "set",
    "put",
    "dump",
    "install",
    "tap",
    "text",
    "keyevent",
    "system",
    "package",
]


@pytest.mark.slow
@settings(deadline=None)  # drawing the screen takes as long as it takes
@given(
    st.sampled_from(sorted(set(COMMANDS) - FOREVER)),
    st.lists(st.sampled_from([*WORDS, *PLACES, *VERBS]) | st.text(max_size=8), max_size=5),
)
def test_no_words_make_a_command_crash(name: str, given_words: list[str]) -> None:
    line = shlex.join([name, *(word.replace("\0", "") for word in given_words)])
    answer = sh(PHONE, line, given=b"some\ninput 1\n")
    assert 0 <= answer.code <= 255
    assert not re.search(r"^\S+: \w+(Error|Exception|Iteration): ", answer.error, re.MULTILINE), (
        answer.error
    )


def test_a_client_that_has_gone_ends_the_command_quietly(phone: VirtualPhone) -> None:
    class Gone(Memory):
        async def write(self, data: bytes) -> None:
            raise ConnectionResetError("gone")

    assert asyncio.run(asyncio.wait_for(run(phone, "echo a; echo b", Gone()), 10)) != 0


@pytest.mark.parametrize(
    "line", ["sleep 100", "getevent", "logcat | grep x", "cat", "while true; do :; done"]
)
def test_what_runs_for_ever_ends_when_it_is_cancelled(phone: VirtualPhone, line: str) -> None:
    async def cancel() -> None:
        task = asyncio.ensure_future(run(phone, line, Memory(live=True)))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 5)
        assert [other for other in asyncio.all_tasks() if other is not asyncio.current_task()] == []

    asyncio.run(cancel())


@pytest.mark.parametrize("name", [*HOSTILE, *BEYOND_ASCII, "%s", "new\nline", " "])
def test_files_of_any_name(phone: VirtualPhone, name: str) -> None:
    path = shlex.quote(f"/sdcard/t/{name}")
    line = f"mkdir -p /sdcard/t && echo x > {path} && mv {path} {path}.2 && ls /sdcard/t"
    answer = sh(phone, line)
    assert (answer.out, answer.code) == (f"{name}.2\n", 0)
    assert sh(phone, f"cat {path}.2; rm {path}.2; ls /sdcard/t").out == "x\n"


def test_listings(phone: VirtualPhone) -> None:
    phone.files.write("/sdcard/l/a.txt", b"12345", mtime=1_700_000_000)
    phone.files.write("/sdcard/l/.b", b"", mtime=1_700_000_000)
    assert sh(phone, "ls /sdcard/l").out == "a.txt\n"
    assert sh(phone, "ls -a /sdcard/l").out == ".\n..\n.b\na.txt\n"
    long = sh(phone, "ls -l /sdcard/l").out.splitlines()
    assert long == ["total 4", "-rw-r--r-- 1 shell shell 5 2023-11-14 22:13 a.txt"]
    assert sh(phone, "chmod 755 /sdcard/l/a.txt; ls -l /sdcard/l/*").out.startswith(
        "-rwxr-xr-x 1 shell"
    )
    missing = sh(phone, "ls /nope")
    assert (missing.error, missing.code) == ("ls: /nope: No such file or directory\n", 1)


def test_removing_needs_r_for_folders_and_f_for_silence(phone: VirtualPhone) -> None:
    phone.files.write("/sdcard/d/f", b"")
    assert sh(phone, "rm /sdcard/d").error == "rm: /sdcard/d: is directory\n"
    assert sh(phone, "rm -r /sdcard/d").code == 0
    assert sh(phone, "rm /sdcard/d").error == "rm: /sdcard/d: No such file or directory\n"
    gone = sh(phone, "rm -f /sdcard/d")
    assert (gone.error, gone.code) == ("", 0)


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("echo a; echo b; cat /nope; ls /", {"shell": 1}),
        ("wm size; wm density", {"shell": 2}),
        ("exec uiautomator dump /dev/tty", {"dump": 1}),
        ("sh -c 'cmd package list packages'", {"shell": 1}),
    ],
)
def test_each_command_takes_its_time_once(
    phone: VirtualPhone, line: str, calls: dict[str, int]
) -> None:
    sh(phone, line)
    assert phone.pace.calls == calls


def test_a_gesture_takes_its_own_length_too(phone: VirtualPhone) -> None:
    phone.pace = type(phone.pace)(Latency(0, gesture_ms=5))
    sh(phone, "input swipe 500 1500 500 1000 20")
    assert phone.pace.waited_ms == 25
