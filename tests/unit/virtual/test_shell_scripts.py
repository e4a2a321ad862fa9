"""``set -e``, conditions and loops, and what toybox says of one file twice. The expectations are
what mksh R59 and toybox 0.8.9 answer to the same lines."""

from __future__ import annotations

import struct

import pytest

from pytest_replicant.virtual import VirtualPhone

from .notes_phone import make_phone, sh


@pytest.fixture
def phone() -> VirtualPhone:
    return make_phone()


@pytest.mark.parametrize(
    ("line", "out", "code"),
    [
        ("set -e; false; echo no", "", 1),
        ("set -e; (exit 3); echo no", "", 3),
        ("set -e; false || echo yes; echo on", "yes\non\n", 0),
        ("set -e; true && false; echo no", "", 1),
        ("set -e; ! true; echo on", "on\n", 0),
        ("set -e; (false; echo in); echo no", "", 1),
        ("set -e; { false && true; }; echo after", "after\n", 0),
        ("set -e; { false; echo in; } || echo or", "in\n", 0),
        ("set -e; x=$(false; echo in); echo no", "", 1),
        ("set -e; echo $(false; echo in); echo on", "\non\n", 0),
        ("set -e; false | true; echo on; true | false; echo no", "on\n", 1),
        ("set -e; sh -c 'false; echo in'; echo on", "in\non\n", 0),
        ("set -e; (set +e; false; echo in); false; echo no", "in\n", 1),
        ("set -e; nope; echo no", "", 127),
        ("set -e; true > /no/where; echo no", "", 1),
        ("sh -e -c 'false; echo in'; echo $?", "1\n", 0),
        ("x=$(exit 3); echo $?; x=$(true) y=$(exit 4); echo $?; x=1; echo $?", "3\n4\n0\n", 0),
        ("for i in a 'b c' $(echo d; echo e)\ndo\n echo $i\ndone | grep -c .", "4\n", 0),
        (
            "case abc in x|a*) echo star;; *) echo no;; esac; case 'a*' in \"a*\") echo quoted; "
            "esac",
            "star\nquoted\n",
            0,
        ),
        ("break; echo $?; for i in 1 2; do (break); echo $i; done", "0\n1\n2\n", 0),
    ],
)
def test_a_script(phone: VirtualPhone, line: str, out: str, code: int) -> None:
    answer = sh(phone, line)
    assert (answer.out, answer.code) == (out, code)


@pytest.mark.parametrize(
    ("line", "error", "code"),
    [
        ("mv x x; mv x ./x; mv x /sdcard/../sdcard/x", "", 0),
        ("mv d d/new", "mv: bad 'd': Invalid argument\n", 1),
        ("mv d x", "mv: bad 'd': Not a directory\n", 1),
        ("mv x nodir/", "mv: 'nodir/' not directory\n", 1),
        ("mv x y z", "mv: 'z' not directory\n", 1),
        ("mv --nope a b", "mv: Unknown option 'nope' (see \"mv --help\")\n", 1),
        ("rm", 'rm: Needs 1 argument (see "rm --help")\n', 1),
    ],
)
def test_moving_and_copying(phone: VirtualPhone, line: str, error: str, code: int) -> None:
    sh(phone, "cd /sdcard; echo kept > x; mkdir d; echo in > d/f")
    answer = sh(phone, f"cd /sdcard; {line}")
    assert (answer.error, answer.code) == (error, code)
    assert sh(phone, "cd /sdcard; cat x d/f").out == "kept\nin\n"


def test_the_null_device_is_a_file(phone: VirtualPhone) -> None:
    assert sh(phone, "cp /dev/null /sdcard/f && cat /sdcard/f /dev/null").code == 0
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
