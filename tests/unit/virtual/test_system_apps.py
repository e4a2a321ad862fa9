"""Settings, contacts and dialler: on every phone, opened by the intents that real ones answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import MAKES, PERSONAL_TEXTS, App, Latency, VirtualPhone, profile_of

from .notes_phone import sh

SETTINGS, SEARCH = "com.android.settings", "com.android.settings.intelligence"
CONTACTS = "android.intent.action.MAIN -c android.intent.category.APP_CONTACTS"
MATCH = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"
INTENTS = {
    "android.settings.SETTINGS": f"{SETTINGS}/.Settings",
    "android.settings.DISPLAY_SETTINGS": f"{SETTINGS}/.Settings$DisplaySettingsActivity",
    "android.settings.APP_SEARCH_SETTINGS": f"{SEARCH}/.search.SearchActivity",
    "android.settings.panel.action.VOLUME": f"{SETTINGS}/.panel.SettingsPanelActivity",
    CONTACTS: "com.android.contacts/.activities.PeopleActivity",
    "android.intent.action.DIAL": "com.android.dialer/.main.impl.MainActivity",
}
SINCE_29 = ("android.settings.APP_SEARCH_SETTINGS", "android.settings.panel.action.VOLUME")
ANDROIDS = [name for name, make in MAKES.items() if make.platform == "android"]


def phone_of(name: str, *apps: App[object]) -> VirtualPhone:
    platform = MAKES[name].platform
    return VirtualPhone(
        apps,
        profile=profile_of(platform, {"profile": name}),
        latency=Latency.from_knobs({"latency": "0"}),
    )


@pytest.fixture
def mobile() -> Iterator[DeviceSession]:
    with virtual_device() as device, device.session() as session:
        yield session


@pytest.mark.parametrize("make", ANDROIDS)
def test_each_intent_opens_what_it_is_said_to_open(make: str) -> None:
    phone = phone_of(make)
    for intent, component in INTENTS.items():
        said = sh(phone, f"cmd package resolve-activity --brief -a {intent}").out
        started = sh(phone, f"am start -W -a {intent}")
        if intent in SINCE_29 and phone.profile.sdk < 29:
            assert said == "No activity found\n"
            assert (started.code, phone.foreground()[0]) != (0, component.partition("/")[0])
            assert (
                "Error: Activity not started, unable to resolve Intent { act="
                in started.out + started.error
            )
            continue
        assert said == f"{MATCH}\n{component}\n"
        assert f"Activity: {component}\n" in started.out
        package, activity = phone.foreground()
        assert component == f"{package}/{activity.removeprefix(package)}"
        listed = sh(phone, f"cmd package query-activities --brief -a {intent}").out
        assert listed == f"1 activities found:\n  {MATCH}\n  {component}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-a android.settings.NO_SUCH_SETTINGS", "No activity found\n"),
        ("-a android.settings.SETTINGS -p dev.replicant.shop", "No activity found\n"),
        (
            "-a android.settings.SETTINGS -c android.intent.category.APP_CONTACTS",
            "No activity found\n",
        ),
        ("-a android.intent.action.DIAL -d geo:1,2", "No activity found\n"),
        (
            "-a android.settings.SETTINGS -c android.intent.category.DEFAULT",
            f"{SETTINGS}/.Settings\n",
        ),
        (
            "--user 0 --query-flags 65536 -a android.intent.action.DIAL -d tel:123",
            "dialer/.main.impl.MainActivity\n",
        ),
        ("-a android.intent.action.MAIN -c android.intent.category.LAUNCHER", "ResolverActivity\n"),
        (SETTINGS, f"{SETTINGS}/.Settings\n"),
        (SEARCH, "No activity found\n"),
        ("no.such.package", "No activity found\n"),
    ],
)
def test_what_else_resolves_and_what_does_not(words: str, said: str) -> None:
    phone = VirtualPhone(demo_apps(()))
    assert sh(phone, f"cmd package resolve-activity --brief {words}").out.endswith(said)


def test_the_launcher_and_the_list_of_own_apps_are_as_they_were() -> None:
    phone = VirtualPhone(demo_apps(()))
    icons = [
        node.text
        for window in phone.windows()
        for node in window.root.walk()
        if "icon" in node.resource_id
    ]
    assert [icon for icon in icons if icon] == ["Lab", "Shop"]
    assert (
        sh(phone, "pm list packages -3").out
        == "package:dev.replicant.lab\npackage:dev.replicant.shop\n"
    )
    assert f"package:{SETTINGS}\n" in sh(phone, "pm list packages -s").out
    resolver = sh(phone, f"dumpsys package {SETTINGS}").out
    assert resolver.count(f" {SETTINGS}/.Settings filter ") == 2
    assert '          Action: "android.settings.DISPLAY_SETTINGS"' in resolver
    assert sh(phone, f"pm uninstall {SETTINGS}").out == "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"


def test_a_start_of_settings_leads_back_to_the_main_list(mobile: DeviceSession) -> None:
    mobile.shell("am start -a android.settings.SETTINGS")
    mobile.tap(text_contains="Network & internet").expect_visible(
        text_contains=PERSONAL_TEXTS["wifi"]
    )
    mobile.back().expect_visible(
        resource_id="com.android.settings:id/main_content_scrollable_container"
    )
    mobile.shell("am start -a android.settings.DISPLAY_SETTINGS")
    mobile.shell("am start -a android.settings.SETTINGS")
    assert mobile.snapshot().find(
        resource_id="com.android.settings:id/main_content_scrollable_container"
    )
    mobile.back()
    assert mobile.snapshot().app == "com.replicant.launcher"


def test_the_volume_panel_is_a_dialog_over_what_was_there(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.shell("am start -a android.settings.panel.action.VOLUME")
    mobile.shell("am start -a android.settings.panel.action.VOLUME")
    shown = mobile.snapshot()
    assert shown.app == SETTINGS
    assert len(shown.find_all(class_name="SeekBar")) == 4
    assert not shown.find_all(text="Forgot password?")
    mobile.back().expect_screen("Sign in")
    mobile.shell("am start -a android.settings.panel.action.VOLUME")
    mobile.home()
    mobile.activate("dev.replicant.shop").expect_screen("Sign in")
    mobile.shell("am start -a android.settings.panel.action.VOLUME")
    mobile.shell(f"am force-stop {SETTINGS}")
    assert mobile.snapshot().app == "dev.replicant.shop"


def test_the_apps_of_an_iphone() -> None:
    with virtual_device(platform="ios") as device, device.session() as mobile:
        main = mobile.launch("com.apple.Preferences").snapshot
        assert main.find(class_name="SearchField")
        assert main.find(text="Airplane Mode").states.checked is False
        mobile.tap(text="General").expect_screen("General")
        mobile.back().expect_screen("Settings")
        mobile.scroll("down").expect_visible(text="Safari")
        mobile.launch("com.apple.MobileAddressBook").expect_visible(text=PERSONAL_TEXTS["friend"])
        mobile.launch("com.apple.mobilephone").expect_visible(text="Call")


def test_each_personal_text_is_shown_somewhere_on_each_platform() -> None:
    for platform, homes in {
        "android": [SETTINGS, "com.android.contacts", "com.android.dialer"],
        "ios": ["com.apple.Preferences", "com.apple.MobileAddressBook", "com.apple.mobilephone"],
    }.items():
        phone = phone_of("iphone" if platform == "ios" else "pixel")
        seen = " ".join(_texts_of(phone, homes))
        missing = {name for name, text in PERSONAL_TEXTS.items() if text not in seen}
        assert missing <= ({"ip address"} if platform == "ios" else set())


def _texts_of(phone: VirtualPhone, homes: list[str]) -> Iterator[str]:
    """All that these apps show, on the pages too that their rows lead to."""
    for home in homes:
        phone.start_app(home)
        yield from _walk(phone, 2)
        phone.stop_app(home)


def _walk(phone: VirtualPhone, depth: int) -> Iterator[str]:
    for _ in range(3):
        width, height = phone.size
        nodes = [
            node
            for window in phone.windows()
            if window.kind == "app"
            for node in window.root.walk()
        ]
        yield from (node.text for node in nodes)
        here = phone.screen()
        for node in nodes if depth else ():
            if (
                node.clickable
                and not node.editable
                and height * 0.1 < node.bounds.center.y < height * 0.9
            ):
                phone.tap(*node.bounds.center)
                if phone.screen() is not here:
                    yield from _walk(phone, depth - 1)
                    phone.press_key("BACK") if phone.profile.platform == "android" else phone.swipe(
                        2, height // 2, width - 9, height // 2
                    )
        phone.swipe(width // 2, int(height * 0.8), width // 2, int(height * 0.3), 2000)
