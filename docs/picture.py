"""``python -m docs.picture``: the picture of a red build, in README and the tutorial, as Chromium
shows it.

It runs README's test with ``Cart, 1 items`` for its last check on a virtual phone, and opens the
page of that run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser.chromium import Tab

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "red-build.png"
WIDTH, HEIGHT = 1120, 850
COLOURS = 96  # more make the file larger than 60 kB, and look the same


def main() -> None:
    """Writes the picture."""
    found = re.search(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_cart.py").write_text(
            found[1].replace("1 item", "1 items"), encoding="utf-8"
        )
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "test_cart.py"], cwd=folder, check=False
        )
        (page,) = folder.glob("replicant-report/*/*/trace.html")
        tab = Tab(folder / "profile", WIDTH, HEIGHT)
        try:
            tab.resize(WIDTH, HEIGHT)
            tab.open(page.as_uri())
            tab.run("document.documentElement.style.scrollbarWidth = 'none'")
            tab.screenshot(PICTURE)
        finally:
            tab.close()
    Image.open(PICTURE).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
