"""The driver's roles in one object: what each calls its own is no other's."""

from __future__ import annotations

import inspect
from collections import defaultdict
from itertools import pairwise

from pytest_replicant.drivers import ANDROID_DIALOGS, AndroidDriver, Capability, Driver
from pytest_replicant.drivers.android.driver import CAPABILITIES
from pytest_replicant.drivers.android.screen import Role


def clashes(kind: type) -> dict[str, list[str]]:
    """Names that two classes define, neither of which inherits from the other."""
    owners: dict[str, list[type]] = defaultdict(list)
    for base in kind.__mro__:
        if issubclass(base, Role):
            for name in vars(base):
                if not name.startswith("__"):
                    owners[name].append(base)
    return {
        name: [each.__name__ for each in classes]
        for name, classes in owners.items()
        if any(not issubclass(one, other) for one, other in pairwise(classes))
    }


def test_no_role_takes_anothers_name() -> None:
    assert clashes(AndroidDriver) == {}


def test_a_planted_clash_is_found() -> None:
    class One(Role):
        def _read(self) -> None: ...

    class Two(Role):
        def _read(self) -> None: ...

    class Both(One, Two): ...

    assert clashes(Both) == {"_read": ["One", "Two"]}


def test_every_ability_is_there() -> None:
    promised = {name for name, _ in inspect.getmembers(Driver, inspect.isfunction) if not name.startswith("_")}
    assert promised <= set(dir(AndroidDriver))
    assert CAPABILITIES == ~Capability.NONE


def test_each_answer_has_buttons_of_old_and_new_phones() -> None:
    for answer in ("allow", "deny"):
        names = [button.resource_id or "" for button in ANDROID_DIALOGS.permission_buttons[answer]]
        assert f"com.android.permissioncontroller:id/permission_{answer}_button" == names[0]
        assert f"com.android.packageinstaller:id/permission_{answer}_button" in names
    once = [button.resource_id or "" for button in ANDROID_DIALOGS.permission_buttons["allow_once"]]
    assert all("one_time" in name for name in once)


def test_no_button_gives_two_answers() -> None:
    buttons = [button for each in ANDROID_DIALOGS.permission_buttons.values() for button in each]
    assert len(set(buttons)) == len(buttons)
