"""Output that was broken on its way, breaks off, or was made to be slow to read."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import plain, read_build_output
from pytest_replicant.pool import lines_of

from .builds import JAVA, place, read

POWERSHELL = """\
.\\gradlew.bat : e: file:///D:/shop/src/main/ja
va/Cart.kt:12:5 Unresolved reference~
'totl'.
In Zeile:1 Zeichen:1
+ .\\gradlew.bat assembleDebug 2>&1 | Out-File x
+ ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    + CategoryInfo          : NotSpecified: (e:~
   file:String) [], RemoteException
    + FullyQualifiedErrorId : NativeCommandError
~
e: file:///D:/shop/src/main/java/Cart.kt:13:5 X
e: file:///D:/shop/src/main/java/AVeryLongName_
OfAFile.kt:14:5 Y
BUILD FAILED in 2s
""".replace("~\n", " \n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_powershell_broke_is_recovered(encoding: str, end: str) -> None:
    printed = POWERSHELL.replace("\n", end).encode(encoding)
    summary = read_build_output(lines_of([printed]))
    assert [(*place(error), error.message) for error in summary.errors] == [
        ("D:/shop/src/main/java/Cart.kt", 12, 5, "Unresolved reference 'totl'."),
        ("D:/shop/src/main/java/Cart.kt", 13, 5, "X"),
        ("D:/shop/src/main/java/AVeryLongName_OfAFile.kt", 14, 5, "Y"),
    ]
    assert summary.verdict == "failed"


@pytest.mark.parametrize("cut", range(0, len(POWERSHELL), 17))
def test_output_that_breaks_off_is_read_as_far_as_it_goes(cut: int) -> None:
    assert read(POWERSHELL[:cut]).error_count <= 3
    assert len([error for error in read(JAVA[:cut]).errors if error.file]) <= 2


def test_a_line_is_shown_without_colours() -> None:
    assert (
        plain("\x1b[1m> Task :app:x\x1b[0m \x1b]8;;http://a\x07FAILED\x1b]8;;\x07\r\n")
        == "> Task :app:x FAILED"
    )


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a : b\n",
            "e: " + "x:1:" * 50 + "\n",
            ":1" * 2000 + " error\n",
            "> Task " + "a" * 5000 + "\n",
        ),
        *(
            "* What went wrong:\n" + "> x\n" * 40,
            "\x1b[" * 500 + "\n",
            "+ \n",
            "Line 1: \n^ x\n",
            "\0\ufffd\n",
        ),
        *(
            "Type " * 1000 + "\n",
            "sh: " * 1000 + " error\n",
            ".x" * 2000 + "error: \n",
            "Error generating " * 200,
        ),
        "e: " + "Error generating class file (compiled from [" * 100 + "\n",
        *(
            "e: " + "/a.b: (1, " * 500 + "\n",
            "a.xml:1:1-" * 500 + " Error:\n",
            "Plugin [id: " * 500 + "\n",
        ),
    ],
)
def test_hostile_output_takes_time_in_proportion(piece: str) -> None:
    """Twice as much does not take four times as long; what would be quadratic takes minutes
    here."""
    assert read(piece * (50_000 // len(piece))).verdict == "unknown"
