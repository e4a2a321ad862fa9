"""``docs/reference/lab.md``, from the lab's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_replicant.virtual import EXHIBITS, all_exhibits
from pytest_replicant.virtual.demo_apps.lab.exhibit import Exhibit
from tests.lab.exhibits_shown import NEEDED, import_tests

from .wording import cell, words_of

_UNIT = re.compile(r"^milliseconds (?=until|between|from|without)")

HEAD = """\
# The lab: a screen for all that breaks tests

`dev.replicant.lab` is an app on every virtual phone, next to the shop: one screen for each thing that breaks
mobile tests. Try a test, a policy or a whole framework on the screen that stands for your trouble.

```python
from pytest_replicant import by


def test_buys_the_chair_of_oak(mobile):
    mobile.open_url("lab://look-alikes?seed=7")
    mobile.tap(text="Buy", row_with="Oak")
    mobile.expect_visible(text="Bought the chair of oak")
```

Each exhibit is opened from the app's start screen, by link, or by activity, whose name is the link's in capitals:
`mobile.launch("dev.replicant.lab", activity=".LookAlikes")`. A link may set the exhibit's parameters, which are
whole numbers. A link that is wrong, or a number out of range, leads to the start screen, which says why.

Nothing in the lab is random: a `seed` draws the same each time. Times are milliseconds of the phone's clock. What
really happened is in its log under the tag `Lab`: `I Lab: tap 1`.
"""
IPHONE = """\
## On an iPhone

On the virtual iPhone (`virtual:ios`) the lab is as UIKit would show it. Its tests prove and refute there what they
do on Android, but for this:

| why a part of it is not tested there | exhibits |
|---|---|
"""


COLUMNS = """\
| exhibit | link | what it shows, and what its link may set |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, IPHONE + "\n".join(_lacking()) + "\n"]
    for family, exhibits in EXHIBITS.items():
        parts += [f"## {family}\n", COLUMNS + "\n".join(map(_row, exhibits)) + "\n"]
    return "\n".join(parts)


def _lacking() -> Iterator[str]:
    """What tests of the lab need and an iPhone has not."""
    import_tests()
    for need, slugs in NEEDED.items():
        titles = ", ".join(each.title for each in all_exhibits() if each.slug in slugs)
        yield f"| {need.lacking} | {titles} |"


def _row(exhibit: type[Exhibit]) -> str:
    shows = cell(words_of(exhibit).partition("\n\n")[0])
    sets = " ".join(
        f"`{each.name}={each.default}`: {cell(_UNIT.sub('', each.meaning))}."
        for each in exhibit.parameters
    )
    return f"| {exhibit.title} | `lab://{exhibit.slug}` | {shows} {sets}".rstrip() + " |"
