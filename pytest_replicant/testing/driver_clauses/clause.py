"""What a clause is, and what it is given."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...drivers import Capability, Driver, traits_of
from ...model import Point
from ...snapshots import Snapshot

_LOOK_EVERY = 0.05


@dataclass(frozen=True)
class Installable:
    """An app in a local file, which a check may install and remove. ``permission`` is the short name of one that
    it asks for and its user may decide."""

    app: str
    path: Path
    permission: str = ""


@dataclass(frozen=True)
class Scene:
    """A connected driver, and what the phone behind it offers to a check."""

    driver: Driver
    connect: Callable[[], Driver]
    app: str
    text_field: Point | None
    patience: float
    installable: Installable | None = None
    folder: str = "/data/local/tmp"
    link: str | None = None

    def look(self) -> Snapshot:
        """The screen as a session reads it, in pixels."""
        info = self.driver.info
        scale = traits_of(self.driver).scale(info)
        return Snapshot.parse(self.driver.dump_hierarchy(), info.platform, scale=scale)

    def front(self) -> None:
        """The app in front, on its first screen."""
        self.driver.stop(self.app)
        self.driver.launch(self.app, None, ())
        self.wait_for(lambda: self.driver.app_in_front().app == self.app, f"{self.app} in front")

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Raises ``AssertionError`` where it does not come within ``patience``."""
        deadline = time.monotonic() + self.patience
        while not condition():
            if time.monotonic() >= deadline:
                raise AssertionError(f"{what} did not come in {self.patience:g} s")
            time.sleep(_LOOK_EVERY)


@dataclass(frozen=True)
class Clause:
    """``check`` raises where the ``claim`` does not hold. ``needs`` is what a driver must be able to do for it to
    be asked of it at all, ``lacks`` what it must not."""

    name: str
    claim: str
    check: Callable[[Scene], None]
    needs: Capability = Capability.NONE
    lacks: Capability = Capability.NONE
    needs_field: bool = False
    needs_package: bool = False
    needs_link: bool = False

    def applies_to(self, scene: Scene) -> bool:
        return not self.unmet(scene)

    def unmet(self, scene: Scene) -> str:
        """Why it is not asked there, in words; "" where it is."""
        able = scene.driver.capabilities
        if self.lacks & able:
            return f"the driver has {named(self.lacks)}"
        if self.needs not in able:
            return f"the driver lacks {named(self.needs & ~able)}"
        given = {
            "text_field": scene.text_field is not None or not self.needs_field,
            "installable": scene.installable is not None or not self.needs_package,
            "link": scene.link is not None or not self.needs_link,
        }
        return next((f"no {name} was given" for name, there in given.items() if not there), "")

    def __str__(self) -> str:
        return self.name


def named(capabilities: Capability) -> str:
    """As people write them: "logs and shell"."""
    parts = [each for each in Capability if each and each in capabilities]
    return " and ".join(str(each.name).lower().replace("_", " ") for each in parts)


def must(holds: bool, said: str) -> None:
    """An ``assert`` that optimised Python keeps."""
    if not holds:
        raise AssertionError(said)


def refuses(
    call: Callable[[], object], kind: type[Exception] | tuple[type[Exception], ...], what: str
) -> Exception:
    """The error of that kind that the call must raise."""
    try:
        result = call()
    except kind as error:
        must(bool(str(error)), f"{what} raises {type(error).__name__} without a word")
        return error
    raise AssertionError(f"{what} gives {result!r}, and should raise {_named(kind)}")


def _named(kind: type[Exception] | tuple[type[Exception], ...]) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return " or ".join(each.__name__ for each in kinds)
