"""What follows ``am start``: an intent, read from words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...system.packages import Package
from ..call import CommandFailed

MAIN, VIEW = "android.intent.action.MAIN", "android.intent.action.VIEW"
DEFAULT = "android.intent.category.DEFAULT"
LAUNCHER, HOME = "android.intent.category.LAUNCHER", "android.intent.category.HOME"
CHOOSER = ("android", "com.android.internal.app.ResolverActivity")
"""Which asks the user where several activities answer an intent."""
_PAIRS = frozenset(("-e", "--es", "--ez", "--ei", "--el", "--ef", "--ed", "--eu", "--ecn"))
_VALUED = frozenset(
    ("-t", "-f", "-i", "--user", "--display", "--windowingMode", "--activityType", "-R", "-P")
)
_LONE = frozenset(
    ("-W", "-S", "-D", "-N", "--track-allocation", "--ordered", "--async", "--task-overlay")
)


@dataclass
class Intent:
    """``component`` is package and full class name; ``options`` the words such as -W that stand
    alone."""

    action: str = ""
    data: str = ""
    categories: list[str] = field(default_factory=list)
    component: tuple[str, str] | None = None
    package: str = ""
    extras: dict[str, str] = field(default_factory=dict)
    numbers: set[str] = field(
        default_factory=set
    )  # of the extras, those that were given as whole ones
    options: set[str] = field(default_factory=set)

    def __str__(self) -> str:
        parts = [
            f"act={self.action}" if self.action else "",
            f"cat=[{','.join(self.categories)}]" if self.categories else "",
            f"dat={self.data}" if self.data else "",
            f"pkg={self.package}" if self.package else "",
            f"cmp={short_component(*self.component)}" if self.component else "",
            "(has extras)" if self.extras else "",
        ]
        return f"Intent {{ {' '.join(part for part in parts if part)} }}"


def answering(intent: Intent, installed: Sequence[Package]) -> list[tuple[str, str]]:
    """Package and activity of all that an intent may mean, by what they declare: its action and
    categories, its link, or a launcher's for a package that it names."""
    if intent.component:
        return [intent.component for package in installed if package.name == intent.component[0]]
    named = [package for package in installed if intent.package in ("", package.name)]
    found = [
        (package.name, activity) for package in named for activity in _answers(package, intent)
    ]
    return found or [
        (package.name, package.activity) for package in named if _handles(package, intent)
    ]


def _answers(package: Package, intent: Intent) -> list[str]:
    """Every category of an intent has to be among a filter's, which may have more
    (IntentFilter.java, ``matchCategories``); a filter for MAIN with a category answers no bare
    MAIN."""
    wanted = set(intent.categories) - {DEFAULT}
    if intent.data and not any(intent.data.startswith(prefix) for prefix in package.url_prefixes):
        return []
    return [
        activity
        for (action, *categories), activity in (
            (key.split(), activity) for key, activity in package.answers
        )
        if action == intent.action and wanted <= set(categories) and (wanted or not categories)
    ]


def _handles(package: Package, intent: Intent) -> bool:
    """By its link filter, or, for an intent without data that names the package, by its
    launcher's."""
    if not package.activity:
        return False
    if intent.data:
        is_link = any(intent.data.startswith(prefix) for prefix in package.url_prefixes)
        return is_link and intent.action in ("", VIEW)
    return bool(intent.package) and intent.action in ("", MAIN)


def short_component(package: str, activity: str) -> str:
    """``dev.x/.Main`` for ``dev.x.Main``."""
    if activity.startswith(f"{package}."):
        activity = activity.removeprefix(package)
    return f"{package}/{activity}"


def read_component(word: str) -> tuple[str, str]:
    """Package and full class name. Raises ``CommandFailed``."""
    package, slash, activity = word.partition("/")
    if not slash or not package or not activity:
        raise CommandFailed(f"Error: Bad component name: {word}", 1)
    return package, package + activity if activity.startswith(".") else activity


def read_intent(words: Sequence[str]) -> Intent:
    """Raises ``CommandFailed`` for a missing value or an unknown option."""
    intent = Intent()
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word in _LONE or word.startswith(
            ("--grant-", "--activity-", "--receiver-", "--include-")
        ):
            intent.options.add(word)
        elif not word.startswith("-"):
            _read_bare(intent, word)
        else:
            _read_valued(intent, word, pending)
    return intent


def _read_valued(intent: Intent, option: str, pending: list[str]) -> None:
    if option not in ("-a", "-d", "-c", "-n", "-p", "--esn") and not (
        option in _VALUED or option in _PAIRS
    ):
        raise CommandFailed(f"Error: Unknown option: {option}", 1)
    if not pending:
        raise CommandFailed(f'Error: Argument expected after "{option}"', 1)
    value = pending.pop(0)
    if option == "-a":
        intent.action = value
    elif option == "-d":
        intent.data = value
    elif option == "-c":
        intent.categories.append(value)
    elif option == "-n":
        intent.component = read_component(value)
    elif option == "-p":
        intent.package = value
    elif option == "--esn":
        intent.extras[value] = ""
    elif option in _PAIRS:
        if not pending:
            raise CommandFailed(f'Error: Argument expected after "{value}"', 1)
        intent.extras[value] = pending.pop(0)
        if option == "--ei":
            intent.numbers.add(value)


def _read_bare(intent: Intent, word: str) -> None:
    """A word alone is a URI, a component or a package, by its form."""
    if ":" in word:
        intent.data = word
        intent.action = intent.action or VIEW
    elif "/" in word:
        intent.component = read_component(word)
    else:
        intent.package = word
        intent.action = intent.action or MAIN
