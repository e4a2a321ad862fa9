"""The readme as a package index shows it: its links and pictures lead to the repository.

Their address is `Source` of `[project.urls]` in pyproject.toml, and nowhere else.
"""

import re
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent


def address():
    """Of the repository, without a slash at its end."""
    return re.search(
        r'^Source = "(.+?)/?"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE
    )[1]


def readme():
    """README.md with whole addresses."""
    text = (ROOT / "README.md").read_text("utf-8")
    pictures = re.sub(r"(!\[[^\]]*\]\()(?!https?:|#)", rf"\1{address()}/raw/HEAD/", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{address()}/blob/HEAD/", pictures)


if __name__ == "__main__":
    setup(long_description=readme(), long_description_content_type="text/markdown")
