"""The lab's tests and the example tests, unchanged, on makes of phones: ``python -m
tests.lab.on_profiles NAME``.

All makes unless named. ``--quick`` leaves out what takes long, and what is refuted. Ends with the
names of those where a test failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from pytest_replicant.errors import UsageError
from pytest_replicant.virtual import MAKES, make_named


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MAKES)}, or a file")
    parser.add_argument("--quick", action="store_true", help="without tests that take long")
    given = parser.parse_args()
    try:
        list(map(make_named, given.names))
    except UsageError as error:
        parser.error(str(error))
    failed = [name for name in given.names or MAKES if not passes(name, quick=given.quick)]
    say(f"failed on {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def say(text: str) -> None:
    sys.stdout.write(f"profiles: {text}\n")
    sys.stdout.flush()


def passes(name: str, *, quick: bool) -> bool:
    """Whether every test passes on that make."""
    make = make_named(name)
    say(f"{name}, {make.called}")
    platform = "virtual:ios" if make.platform == "ios" else "virtual"
    return subprocess.run(command(platform, name, quick=quick), check=False).returncode == 0


def command(platform: str, name: str, *, quick: bool) -> list[str]:
    """The example tests share a clock with their phone, as those of the lab do, so that no wait
    takes time."""
    pytest = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "worksteal",
        "-p",
        "tests.shared_clock",
    ]
    chosen = ["-m", "not slow and not thorough", "--lab-proofs"] if quick else []
    device = f"--replicant-device={platform}?profile={name}"
    output = f"--replicant-output=replicant-report/profiles/{Path(name).stem}"
    tests = ["tests/lab", "example_app_tests", f"--lab-profile={name}"]
    return [*pytest, *chosen, *tests, device, output, "--replicant-screenshot=off"]


if __name__ == "__main__":
    sys.exit(main())
