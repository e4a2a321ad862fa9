"""How a whole phone is, to compare: "the phone is as it was" is `differences` finding none."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_replicant.virtual import VirtualPhone

PUSHED = "/data/local/tmp/u2.jar"  # 4 MB that the next run need not push again
TIMES = frozenset(
    {"installed_at", "updated_at"}
)  # of a package: in words they say that it was installed again
OVER = frozenset({"dialog", "system_dialog", "popup"})


def state_of(phone: VirtualPhone) -> Mapping[str, str]:
    """All that a user could find changed, by what it is called: settings of all namespaces, files,
    packages with their permissions and data, volume, orientation, radios, screen, the app in front
    and what lies over it, what runs and listens. Not the log, and not which apps run unseen."""
    with phone.lock:
        return dict(_facts(phone))


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """In words, in the order of names; none where nothing differs."""
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    return [_words(name, before.get(name), after.get(name)) for name in names]


def _words(name: str, was: str | None, now: str | None) -> str:
    if was is None:
        return f"{name} is new: {now}" if now else f"{name} is new"
    if now is None:
        return f"{name} is gone; it was {was}" if was else f"{name} is gone"
    return f"{name} was {was or 'empty'}, is {now or 'empty'}"


def _facts(phone: VirtualPhone) -> Iterator[tuple[str, str]]:
    for space in phone.settings.namespaces():
        for key, value in phone.settings.list(space):
            yield f"setting {space} {key}", value
    for path in phone.files.walk("/"):
        if path != PUSHED:
            data = phone.files.read(path)
            yield f"file {path}", f"{len(data)} bytes {hashlib.sha256(data).hexdigest()[:8]}"
    yield from _of_packages(phone)
    yield from ((f"radio {name}", "on" if on else "off") for name, on in phone.radios.items())
    yield "volume", str(phone.volume)
    yield "orientation", f"{phone.rotation} quarter turns"
    yield "screen", "on" if phone.awake else "off"
    yield "keyboard", "up" if phone.keyboard_shown else "down"
    yield "clipboard", phone.clipboard or ""
    yield "app in front", "/".join(phone.foreground())
    for number, window in enumerate(window for window in phone.windows() if window.kind in OVER):
        yield f"window {number} over the app", window.title
    yield from ((f"program {name}", "") for name in phone.running_programs)
    yield from ((f"port {address}", "") for address in phone.ports.addresses())
    yield from ((f"job {pid}", job.text) for pid, job in phone.jobs.running.items())


def _of_packages(phone: VirtualPhone) -> Iterator[tuple[str, str]]:
    for package in phone.packages.installed():
        for field in dataclasses.fields(package):
            value = getattr(package, field.name)
            if isinstance(value, frozenset):
                yield from ((f"package {package.name}: {field.name} {each}", "") for each in value)
            else:
                name = f"{field.name} (installed again)" if field.name in TIMES else field.name
                yield f"package {package.name}: {name}", str(value)
    for name, stored in phone.app_data().items():
        yield from ((f"data of {name}: {key}", repr(value)) for key, value in stored.items())
