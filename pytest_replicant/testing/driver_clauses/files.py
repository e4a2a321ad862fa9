"""Clauses about files."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from ...drivers import Capability
from ...errors import DeviceError, UsageError
from .clause import Clause, Scene, must, refuses

_CONTENTS = (b"", b"plain\n", bytes(range(256)) * 1025, b"\0\r\n\x1a")  # the third is longer than one portion
_NAME = "replicant check's (file).bin"


def _content_arrives_exactly(scene: Scene) -> None:
    remote = f"{scene.folder}/{_NAME}"
    try:
        for content in _CONTENTS:
            scene.driver.push_file(content, remote)
            back = scene.driver.pull_file(remote)
            must(back == content, f"{len(content)} bytes went there, {len(back)} others came back")
        with tempfile.TemporaryDirectory() as folder:
            local = Path(folder) / "local"
            local.write_bytes(b"from a file")
            for path in (local, str(local)):
                scene.driver.push_file(path, remote)
                must(scene.driver.pull_file(remote) == b"from a file", "a local file did not arrive")
    finally:
        _remove(scene, remote)


def _files_that_are_not_there(scene: Scene) -> None:
    missing = f"{scene.folder}/replicant-no-such-file"
    error = refuses(lambda: scene.driver.pull_file(missing), UsageError, "pulling what is not there")
    must(missing in str(error), f"the error does not name {missing}: {error}")
    refuses(
        lambda: scene.driver.push_file(Path("/no/such/file"), missing), UsageError, "pushing what is not there"
    )
    refuses(lambda: scene.driver.pull_file(missing), UsageError, "pulling what was not pushed")


def _paths_that_are_none(scene: Scene) -> None:
    for remote in ("", "relative", f"{scene.folder}/nul\0", f"{scene.folder}/"):
        refuses(partial(scene.driver.push_file, b"x", remote), (UsageError, DeviceError), f"push to {remote!r}")
    refuses(lambda: scene.driver.pull_file(scene.folder), (UsageError, DeviceError), "pulling a folder")


def _remove(scene: Scene, remote: str) -> None:
    if Capability.SHELL in scene.driver.capabilities:
        scene.driver.shell(["rm", "-f", remote], 10.0)


FILES = (
    Clause("files", "a file arrives and comes back exactly", _content_arrives_exactly, Capability.FILES),
    Clause(
        "files-absent", "a file that is not there is a UsageError", _files_that_are_not_there, Capability.FILES
    ),
    Clause("files-nowhere", "what is no file's path is an error", _paths_that_are_none, Capability.FILES),
)
