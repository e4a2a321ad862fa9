"""``set -e``, conditions and loops, and what toybox says of one file twice. The expectations are what mksh R59 and
toybox 0.8.9 answer to the same lines."""

from __future__ import annotations

import asyncio
import struct

import pytest

from pytest_replicant.virtual import VirtualPhone
from pytest_replicant.virtual.shell import run

from .notes_phone import Memory, make_phone, sh

BAD_LISTS = "cut: bad -c '3-2'\ncut: bad -c '0'\ncut: bad -f 'x'\ncut: bad -b '1-99999999999'\n"


@pytest.fixture
def phone() -> VirtualPhone:
    return make_phone()


@pytest.mark.parametrize(
    ("line", "out", "code"),
    [
        ("set -e; false; echo no", "", 1),
        ("set -e; (exit 3); echo no", "", 3),
        ("set -e; false || echo yes; echo on", "yes\non\n", 0),
        ("set -e; false && echo; echo on", "on\n", 0),
        ("set -e; true && false; echo no", "", 1),
        ("set -e; ! true; echo on", "on\n", 0),
        ("set -e; (false; echo in); echo no", "", 1),
        ("set -e; (false && true); echo no", "", 1),
        ("set -e; { false && true; }; echo after", "after\n", 0),
        ("set -e; { false; echo in; } || echo or", "in\n", 0),
        ("set -e; (false; echo in) || echo or", "in\n", 0),
        ("set -e; x=$(false; echo in); echo no", "", 1),
        ("set -e; echo $(false; echo in); echo on", "\non\n", 0),
        ("set -e; false | true; echo on; true | false; echo no", "on\n", 1),
        (
            "set -e; if { false; echo in; }; then echo then; fi; while false; do :; done; echo on",
            "in\nthen\non\n",
            0,
        ),
        ("set -e; if true; then false && true; fi; echo after", "after\n", 0),
        ("set -e; if true; then false; fi; echo no", "", 1),
        ("set -e; for i in 1; do false; echo in; done; echo no", "", 1),
        ("set -e; eval false; echo no", "", 1),
        ("set -e; eval 'false; echo in' || echo or", "or\n", 0),
        ("set -e; eval 'exit 4' || echo or", "", 4),
        ("set -e; sh -c 'false; echo in'; echo on", "in\non\n", 0),
        ("set -e; echo $-; set +e; false; echo $-", "ehUc\nhUc\n", 0),
        ("set -e; (set +e; false; echo in); false; echo no", "in\n", 1),
        ("set -e; nope; echo no", "", 127),
        ("set -e; true > /no/where; echo no", "", 1),
        ("set -e; false & echo on; wait $!; echo no", "on\n", 1),
        ("set -o errexit; false; echo no", "", 1),
        ("sh -e -c 'false; echo in'; echo $?", "1\n", 0),
        ("set -z; echo no", "", 1),
        ("set -- a b; shift x; echo $? $#; shift ''; echo $?", "1 2\n1\n", 0),
        ("set -u; (echo $nope); echo $? ${nope:-d}; echo $nope; echo no", "1 d\n", 1),
        ("x=$(exit 3); echo $?; x=$(true) y=$(exit 4); echo $?; x=1; echo $?", "3\n4\n0\n", 0),
        (
            "set -- a 'b c'; for i; do echo \"[$i]\"; done; printf '<%s>' \"x$@y\"; shift; echo $1 $#",
            "[a]\n[b c]\n<xa><b cy>b c 1\n",
            0,
        ),
        ("sh -c 'echo $0 $1 $#' name one two", "name one 2\n", 0),
        (
            "if false; then echo a; elif true; then echo c; else echo b; fi; if false; then :; fi; echo $?",
            "c\n0\n",
            0,
        ),
        ("i=0; until [ $i -ge 3 ]; do i=$((i+1)); [ $i = 2 ] && continue; echo $i; done", "1\n3\n", 0),
        (
            "for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j;"
            " done; done",
            "1a\n2a\n",
            0,
        ),
        ("for i in a 'b c' $(echo d; echo e)\ndo\n echo $i\ndone | wc -l", "4\n", 0),
        (
            "case abc in x|a*) echo star;; *) echo no;; esac; case 'a*' in \"a*\") echo quoted; esac",
            "star\nquoted\n",
            0,
        ),
        ("case x in y) echo;; esac; echo $?", "0\n", 0),
        ("printf 'a b\\nc d\\n' | while read x y; do echo $y $x; done", "b a\nd c\n", 0),
        ("printf x | { read a; echo $? $a; }", "1 x\n", 0),
        ("break; echo $?; for i in 1 2; do (break); echo $i; done", "0\n1\n2\n", 0),
        ("if true; then echo a; fi > /dev/null; echo b", "b\n", 0),
        ("echo $(nope) 2>/dev/null; set -x; echo 'a b'", "\na b\n", 0),
    ],
)
def test_a_script(phone: VirtualPhone, line: str, out: str, code: int) -> None:
    answer = sh(phone, line)
    assert (answer.out, answer.code) == (out, code)


def test_errors_of_a_substitution_are_seen(phone: VirtualPhone) -> None:
    assert sh(phone, "echo $(nope)").error == "/system/bin/sh: nope: inaccessible or not found\n"
    assert sh(phone, "set -x; x=1 echo 'a b'").error == "+ x=1 echo 'a b'\n"


def test_a_loop_without_end_goes_with_its_client(phone: VirtualPhone) -> None:
    async def hung_up() -> None:
        running = asyncio.ensure_future(run(phone, "while true; do :; done", Memory()))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(asyncio.wait_for(hung_up(), 5))


@pytest.mark.parametrize(
    ("line", "error", "code"),
    [
        ("mv x x; mv x ./x; mv x /sdcard/../sdcard/x", "", 0),
        ("mv d d", "mv: bad 'd': Invalid argument\n", 1),
        ("mv d d/new", "mv: bad 'd': Invalid argument\n", 1),
        ("mv nope z", "mv: bad 'nope': No such file or directory\n", 1),
        ("mv d x", "mv: bad 'd': Not a directory\n", 1),
        ("mv x nodir/", "mv: bad 'x': Not a directory\n", 1),
        ("mv x", 'mv: Needs 2 arguments (see "mv --help")\n', 1),
        ("mv x y z", "mv: 'z' not directory\n", 1),
        ("mv -Z a b", "mv: Unknown option 'Z' (see \"mv --help\")\n", 1),
        ("mv --nope a b", "mv: Unknown option 'nope' (see \"mv --help\")\n", 1),
        ("cp x x", "cp: '/sdcard/x' is '/sdcard/x'\n", 1),
        ("rm", 'rm: Needs 1 argument (see "rm --help")\n', 1),
    ],
)
def test_moving_and_copying(phone: VirtualPhone, line: str, error: str, code: int) -> None:
    sh(phone, "cd /sdcard; echo kept > x; mkdir d; echo in > d/f")
    answer = sh(phone, f"cd /sdcard; {line}")
    assert (answer.error, answer.code) == (error, code)
    assert sh(phone, "cd /sdcard; cat x d/f").out == "kept\nin\n"


def test_not_over_what_is_there(phone: VirtualPhone) -> None:
    assert (
        sh(phone, "cd /sdcard; echo a > a; echo b > b; mv -n a b; cat a b; mv a b; cat b; ls a").out == "a\nb\na\n"
    )


@pytest.mark.parametrize(
    ("line", "out", "error"),
    [
        ("wm density | cut -d ' ' -f 3", "420\n", ""),
        ("printf 'a:b:c\\n\\nnone\\n' | cut -d: -f3,1", "a:c\n\nnone\n", ""),
        ("printf 'a:b:c\\nnone\\n' | cut -d: -f 2- -O / -s", "b/c\n", ""),
        ("printf 'a:b,c\\n' | cut -d:, -f2,3", "b:,c\n", ""),
        ("printf 'äöü\\n' | cut -c -2,2; printf 'äöü' | cut -b 1-2", "äö\nä\n", ""),
        ("echo abcdef | cut -c 2-3,5-; echo abc | cut -c 9; echo 'a b' | cut -d '' -f 1", "bcef\n\na b\n", ""),
        ("echo a > f; cut -c 1 f f", "a\na\n", ""),
        ("cut; cut -f 1 -c 1 -d", "", 'cut: no selections\ncut: Missing argument to -d (see "cut --help")\n'),
        ("cut -c 3-2; cut -c 0; cut -f x; cut -b 1-99999999999", "", BAD_LISTS),
        ("cut -c 1 -s; cut -f 1 nope", "", "cut: -s needs -Ff\ncut: nope: No such file or directory\n"),
    ],
)
def test_cutting_lines(phone: VirtualPhone, line: str, out: str, error: str) -> None:
    answer = sh(phone, f"cd /sdcard; {line}")
    assert (answer.out, answer.error) == (out, error)


def test_what_holds_a_file(phone: VirtualPhone) -> None:
    card = "/storage/emulated"
    for name, place in {"/data/app": "/data", "/sdcard/DCIM": card, "/system": "/", f"{card}/0": card}.items():
        shown = sh(phone, f"df -k {name}").out.splitlines()
        assert len(shown) == 2
        assert shown[1].split()[-1] == place
    assert sh(phone, "cd /sdcard; df /data nope").error == "df: nope: No such file or directory\n"


def test_the_null_device_is_a_file(phone: VirtualPhone) -> None:
    assert sh(phone, "cd /sdcard; echo x > f; cp /dev/null f; cat f /dev/null < /dev/null").out == ""
    assert sh(phone, "cd /sdcard; echo x > f; cp f /dev/null; [ -e /dev/null ] && cat /dev/null").code == 0
    assert sh(phone, "cat /dev/null").out == ""
    assert "Permission denied" in sh(phone, "rm /dev/null").error


def test_a_log_in_binary(phone: VirtualPhone) -> None:
    phone.log.clear()
    phone.log.append("W", "Täg", "two\nlines", 77, 78, uid=10001)
    phone.log.append("I", "long", "x" * 9000, 77)
    data = sh(phone, "logcat -d -B").bytes
    length, header, pid, tid, _, _, buffer, uid = struct.unpack_from("<HHiiIIII", data)
    assert (length, header, pid, tid, buffer, uid) == (16, 28, 77, 78, 0, 10001)
    assert data[header : header + length] == "\x05Täg\0two\nlines\0".encode()
    assert len(data) == 28 + 16 + 28 + struct.unpack_from("<H", data, 44)[0]
