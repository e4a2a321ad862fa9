"""What a running app knows of its own declaration, and of the screens on its stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from .theme import Theme
    from .widget import Widget

S = TypeVar("S")


class Page(Protocol):
    """A screen, as the stack sees it; ``Screen`` says what the members mean."""

    activity: str
    title: str
    up: bool
    soft_input: Literal["resize", "pan"]
    dump: Literal["", "slow", "stale", "truncated", "none"]
    dump_ms: int

    def build(self, app: Any) -> Widget: ...

    def actions(self, app: Any) -> Sequence[Widget]: ...

    def title_for(self, app: Any) -> str: ...

    def opened(self, app: Any) -> None: ...

    def back(self, app: Any) -> bool: ...


class Declared(Protocol[S]):
    """An app, as its process sees it; ``App`` says what the members mean."""

    @property
    def package(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def state(self) -> Callable[[dict[str, Any]], S]: ...

    @property
    def screens(self) -> Mapping[str, Callable[[], Page]]: ...

    @property
    def theme(self) -> Theme | Callable[[S], Theme]: ...

    @property
    def system(self) -> bool: ...

    @property
    def anr_ms(self) -> int: ...

    def full_name(self, activity: str) -> str: ...
