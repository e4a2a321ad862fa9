"""What an ability of phones takes: a copy of the package is given one more, and it works
everywhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from .source_tree import PACKAGE

MOST_FILES = 7

BATTERY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "drivers/base.py": (
        ("    STYLE = auto()\n", "    STYLE = auto()\n    BATTERY = auto()\n"),
        (
            '    Capability.ROTATE: "turn',
            '    Capability.BATTERY: "have a test go by what the app shows",\n    '
            'Capability.ROTATE: "turn',
        ),
        (
            "    @abstractmethod\n    def orientation",
            '    def battery(self) -> int:\n        """How full it is, in percent."""\n'
            '        raise self.unsupported("battery", Capability.BATTERY)\n\n    @abstractmethod\n '
            "   def orientation",
        ),
    ),
    "drivers/relay.py": (
        ("    wake = _", "    battery = _fact(Driver.battery, int)\n    wake = _"),
    ),
    "drivers/android/driver.py": (
        (
            "    def reconnect(self",
            '    def battery(self) -> int:\n        said = self._link.run("dumpsys battery").text\n'
            '        return int(said.partition("level: ")[2].split()[0])\n\n    def reconnect(self',
        ),
    ),
    "drivers/ios/driver.py": (
        (
            "    Capability.DRAWN: ",
            '    Capability.BATTERY: "its status bar shows it",\n    Capability.DRAWN: ',
        ),
    ),
    "testing/driver_check.py": (
        (
            "    Capability.LOCK: ",
            '    Capability.BATTERY: _calls("battery"),\n    Capability.LOCK: ',
        ),
        (
            "MISSING = ",
            'BATTERY = DriverClauses()\n\n\n@BATTERY.clause("a battery is full, empty or between", '
            "needs=Capability.BATTERY)\ndef _battery(scene: DriverScene) -> None:\n"
            '    must(0 <= scene.driver.battery() <= 100, "it is none")\n\n\nMISSING = ',
        ),
        ("(*SCREEN, ", "(*BATTERY, *SCREEN, "),
    ),
    "session/queries.py": (
        (
            "    @property\n    def current_app(",
            '    def battery(self) -> int:\n        """How full the battery is, in percent."""\n'
            '        need(self._context.driver, "battery", Capability.BATTERY)\n'
            "        return self._context.driver.battery()\n\n    @property\n    def current_app(",
        ),
    ),
    "model/verbs.py": (
        ('    _read("crashes"),\n', '    _read("crashes"),\n    _read("battery"),\n'),
    ),
}
"""By file of the package: a text, and what comes in its place."""

USE = """
import pytest_replicant
from pytest_replicant import Unsupported, open_device
from pytest_replicant.cassettes import Cassette, CassetteDriver, Header, Recording, Replay
from pytest_replicant.model import SystemClock
from pytest_replicant.model import Redactor, TABLE
from pytest_replicant.session import build_session
from pytest_replicant.testing import DRIVER_CLAUSES, DriverScene, judge

def verdicts(driver):
    scene = DriverScene(driver, lambda: driver, "dev.replicant.shop", None, 5.0)
    return [str(one) for one in judge([c for c in DRIVER_CLAUSES if "battery" in c.name], scene)]

print(pytest_replicant.__file__)
print("battery" in {one.name for one in TABLE})
with open_device("virtual?latency=0") as device:
    print(*verdicts(device.driver), sep=" | ")
    tape = Recording(SystemClock())
    session, recorder = build_session(tape.phone(device.driver), tape=tape, clock=tape)
    full = session.battery()
    print(type(full).__name__, [one.method for one in tape.entries() if one.method == "battery"])
    recorder.close()
    header = Header("t", "passed", "", tape.began_ms)
    replay = Replay(Cassette(header, tuple(tape.phones), tape.entries()), None, Redactor())
    again, recorder = build_session(CassetteDriver(replay, replay.next_phone()), tape=replay, clock=replay)
    print(again.battery() == full)
    recorder.close()
with open_device("virtual:ios?latency=0") as device:
    print(*verdicts(device.driver), sep=" | ")
    session, recorder = build_session(device.driver)
    try:
        session.battery()
    except Unsupported as missing:
        print(missing.advice)
    recorder.close()
"""
SAID = """\
True
battery: kept | no-battery: the driver has battery
int ['battery']
True
battery: not offered: battery | no-battery: kept
have a test go by what the app shows
"""


@pytest.mark.slow
def test_an_ability_is_added_in_few_files_and_works_everywhere(tmp_path: Path) -> None:
    copy = tmp_path / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, edits in BATTERY.items():
        text = (copy / name).read_text(encoding="utf-8")
        for old, new in edits:
            assert text.count(old) >= 1, (name, old)
            text = text.replace(old, new, 1)
        (copy / name).write_text(text, encoding="utf-8")
    assert len(BATTERY) <= MOST_FILES
    ran = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    where, _, said = ran.stdout.partition("\n")
    assert Path(where) == copy / "__init__.py"
    assert said == SAID
