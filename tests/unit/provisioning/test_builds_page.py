"""What the page on builds shows is what there is."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

from pytest_replicant.options import SETTINGS

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "builds.md"


def test_the_example_has_keys_that_there_are() -> None:
    found = re.search(r"```ini\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    example = configparser.ConfigParser(interpolation=None)
    example.read_string(found[1])
    assert (
        {"replicant_build", "replicant_app"}
        <= set(example["pytest"])
        <= {key for one in SETTINGS for key in one.keys}
    )
