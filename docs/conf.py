"""The site of the documents: ``make docs-site``, which is ``sphinx-build -c docs -W . docs-site``.

Sphinx reads the same Markdown as GitHub shows. The sidebar is made from ``docs/README.md``: a group
for each heading, with the links below it in their order. Every warning fails the build. There is
one for a link to a page, heading or file that does not exist, and for a page that the sidebar
lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE_LIST = Path(__file__).with_name("README.md")

project = "pytest-replicant"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md"]
nitpicky = True

myst_heading_anchors = 6  # as GitHub makes them, so that one link serves both

html_theme = "furo"
html_title = "pytest-replicant"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
highlight_language = "text"

INDEX = """\
<!doctype html>
<meta charset="utf-8">
<title>pytest-replicant</title>
<meta http-equiv="refresh" content="0; url=README.html">
<a href="README.html">pytest-replicant</a>
"""


def groups(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each heading of the list of pages, and the pages linked below it, as Sphinx names them."""
    for section in text.split("\n## ")[1:]:
        heading, _, links = section.partition("\n")
        paths = re.findall(r"\]\(([^)#]+)\.md\)", links)
        yield (
            heading,
            [(PAGE_LIST.parent / path).resolve().relative_to(ROOT).as_posix() for path in paths],
        )


def sidebar(text: str) -> str:
    """A table of contents for each group, hidden on the page itself."""
    trees = ["```{toctree}\n:hidden:\n\nAll pages <docs/README>\n```"]
    for heading, pages in groups(text):
        trees.append(
            "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```"])
        )
    return "\n\n".join(trees)


def _add_sidebar(app: Any, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += "\n\n" + sidebar(PAGE_LIST.read_text(encoding="utf-8")) + "\n"


def _add_index(app: Any, failure: Exception | None) -> None:
    if failure is None and app.builder.name == "html":
        (Path(app.outdir) / "index.html").write_text(INDEX, encoding="utf-8")


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("source-read", _add_sidebar)
    app.connect("build-finished", _add_index)
