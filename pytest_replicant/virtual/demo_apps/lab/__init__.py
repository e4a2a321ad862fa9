"""``dev.replicant.lab``: one screen for each thing that breaks mobile tests."""

from __future__ import annotations

from ...app_kit import App
from . import links
from .dialogs import LOCATION, PERMISSIONS
from .exhibits import all_exhibits
from .looks import THEME
from .start import Start
from .state import LabState

PACKAGE = "dev.replicant.lab"


def lab() -> App[LabState]:
    """A fresh declaration, for one phone."""
    return App(
        package=PACKAGE,
        label="Lab",
        state=LabState,
        start=Start,
        screens={exhibit.activity: exhibit for exhibit in all_exhibits()},
        url_prefixes=(links.PREFIX,),
        links=links.screen_for,
        theme=THEME,
        permissions=(LOCATION, *PERMISSIONS),
        icon_color="#5b3f8c",
    )


__all__ = ["PACKAGE", "lab"]
