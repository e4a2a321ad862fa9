"""``check_driver``: does a driver keep the contract of ``drivers.base``? Clause by clause, on any phone.

In a test of your own driver::

    def test_my_driver_keeps_the_contract():
        check_driver(lambda: MyDriver("serial"), app="com.example.app", text_field=Point(540, 800))

or one test a clause, with ``@pytest.mark.parametrize("clause", CLAUSES, ids=str)`` and ``clause.check(scene)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..drivers import Driver
from ..model import Point
from .contract import Broken, ContractBroken, check_clauses
from .driver_clauses.apps import APPS
from .driver_clauses.changing import CHANGING
from .driver_clauses.clause import Clause, Installable, Scene
from .driver_clauses.closing import CLOSING
from .driver_clauses.dying import DYING
from .driver_clauses.files import FILES
from .driver_clauses.installing import INSTALLING
from .driver_clauses.looking import LOOKING
from .driver_clauses.missing import MISSING
from .driver_clauses.reading import READING
from .driver_clauses.touching import TOUCHING
from .driver_clauses.typing import TYPING

__all__ = ["CLAUSES", "Broken", "Clause", "DriverCheckFailed", "Installable", "Scene", "check_driver"]

CLAUSES: tuple[Clause, ...] = (
    *(*LOOKING, *APPS, *TOUCHING, *TYPING, *READING),
    *(*DYING, *CHANGING, *INSTALLING, *FILES, *MISSING, *CLOSING),
)


class DriverCheckFailed(ContractBroken):
    """Clauses of the contract that the driver breaks, in ``broken``."""

    by = "the driver"


def check_driver(
    connect: Callable[[], Driver],
    *,
    app: str,
    text_field: Point | None = None,
    patience: float = 10.0,
    installable: Installable | None = None,
    folder: str = "/data/local/tmp",
    link: str | None = None,
    clauses: Sequence[Clause] = CLAUSES,
) -> None:
    """Runs the clauses that the driver's capabilities and the arguments allow; raises ``DriverCheckFailed``.

    ``connect`` makes a fresh driver of the same phone each time. ``app`` is an installed app, which is launched,
    stopped and touched. ``text_field`` is a point inside a text field of one line on its first screen, in device
    pixels; without it nothing is typed. ``patience`` is in seconds, for what a phone does in its own time.
    ``installable`` is an app that is not on the phone; without it none is installed. ``folder`` is one on the
    phone that files may be written to. ``link`` is an address that the app opens; without it none is.
    """
    driver = connect()
    try:
        scene = Scene(driver, connect, app, text_field, patience, installable, folder, link)
        check_clauses(clauses, scene, DriverCheckFailed)
    finally:
        driver.close()
