"""Secrets out of what Allure keeps of its own: errors of fixtures, which it reads before pytest reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

from ..redacting.redacted_error import learn_from_frames

if TYPE_CHECKING:
    from ...model import Redactor

hookimpl = HookimplMarker("allure")

_TEXTS = ("name", "description", "descriptionHtml", "message", "trace", "value")
_PARTS = ("befores", "afters", "steps", "statusDetails", "attachments", "parameters", "errors")


class AllureRedaction:
    """A plugin of Allure's: each result is cleaned before any other writes it."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    @hookimpl(tryfirst=True)
    def stop_step(self, exc_tb: Any) -> None:
        learn_from_frames(exc_tb, self._redactor)

    @hookimpl(tryfirst=True)
    def stop_fixture(self, exc_tb: Any) -> None:
        learn_from_frames(exc_tb, self._redactor)

    @hookimpl(tryfirst=True)
    def report_result(self, result: Any) -> None:
        clean_item(result, self._redactor)

    @hookimpl(tryfirst=True)
    def report_container(self, container: Any) -> None:
        clean_item(container, self._redactor)

    @hookimpl(tryfirst=True)
    def report_globals(self, globals_item: Any) -> None:
        clean_item(globals_item, self._redactor)


def clean_item(item: Any, redactor: Redactor) -> None:
    """Cleans a result, a container or a part of one in place; ids, paths and labels stay, as Allure joins by
    them."""
    for name in _TEXTS:
        text = getattr(item, name, None)
        if isinstance(text, str):
            setattr(item, name, _encodable(redactor.text(text)))
    for name in _PARTS:
        part = getattr(item, name, None)
        for one in part if isinstance(part, list) else [part]:
            if one is not None:
                clean_item(one, redactor)


def register_allure_redaction(redactor: Redactor) -> AllureRedaction:
    """Call it only where Allure is active; undone by ``unregister_allure_redaction``."""
    import allure_commons

    plugin = AllureRedaction(redactor)
    allure_commons.plugin_manager.register(plugin)
    return plugin


def unregister_allure_redaction(plugin: AllureRedaction) -> None:
    import allure_commons

    allure_commons.plugin_manager.unregister(plugin)


def _encodable(text: str) -> str:
    """Allure writes UTF-8, and a run ends where half a surrogate pair is among the parameters of a test."""
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")
