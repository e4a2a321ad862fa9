"""Which pictures a page or an archive carries along, where not all of them fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def carried_pictures(
    document: Mapping[str, Any],
    pictures: Mapping[str, bytes],
    budget: int,
    size: Callable[[bytes], int] = len,
) -> dict[str, bytes]:
    """Those that fit into so many bytes, the ones of failed steps before others, by the path that the document
    gives them. ``size`` is what one takes where it is carried."""
    carried: dict[str, bytes] = {}
    left = budget
    for path in _by_importance(document):
        data = pictures.get(path)
        if data is not None and path not in carried and size(data) <= left:
            left -= size(data)
            carried[path] = data
    return carried


def _by_importance(document: Mapping[str, Any]) -> Iterator[str]:
    for event in sorted(document["events"], key=lambda event: not event["error"]):
        for name in (event["before"], event["after"]):
            screenshot = document["snapshots"].get(name, {}).get("screenshot")
            if screenshot:
                yield screenshot["blob"]
