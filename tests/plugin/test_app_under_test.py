from __future__ import annotations

import json

import pytest

from tests.apks import apk
from tests.conftest import Run, run_record

pytestmark = pytest.mark.slow

SHOP = "dev.replicant.shop"
ACTIVITY = ".SignInActivity"


def test_a_package_is_built_installed_started_and_told(run: Run, pytester: pytest.Pytester) -> None:
    made = apk(pytester.path, "made", activity=ACTIVITY, permissions=("CAMERA",))
    source = f"""
    def test_facts(mobile, mobile_app, mobile_device):
        assert (mobile_app.id, mobile_app.version, mobile_app.label) == ("{SHOP}", "1.4 (37)", "Replicant Shop")
        assert mobile_device.phone.packages.get("{SHOP}").version_code == 37
        assert mobile_device.phone.packages.get("{SHOP}").granted == {{"android.permission.CAMERA"}}
        mobile.launch().expect_screen("Sign in")
        assert mobile_device.phone.settings.get("global", "window_animation_scale") == "0"
    """
    result = run(
        source,
        "--replicant-build=cp made shop.apk",
        "--replicant-app=*.apk",
        "--replicant-output=out",
        "--alluredir=allure",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["replicant: app under test: Replicant Shop 1.4 (37), shop.apk"])
    environment = run_record(pytester.path)["environment"]
    assert (environment["app"], environment["app version"]) == (SHOP, "1.4 (37)")
    assert environment["app package"].startswith("shop.apk, sha256 ")
    properties = (pytester.path / "allure" / "environment.properties").read_text(encoding="ascii")
    assert f"\napp={SHOP}\n" in properties
    assert str(made.parent) not in json.dumps(environment)


def test_a_package_that_is_not_there_ends_the_run_before_it_begins(run: Run) -> None:
    result = run("def test_any(mobile): ...", ini="replicant_app = app/build/*.apk\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*replicant: --replicant-app=app/build/[*].apk: no file matches, seen from*"]
    )
    listed = run(
        "def test_any(mobile): ...", "--collect-only", ini="replicant_app = app/build/*.apk\n"
    )
    assert listed.ret == pytest.ExitCode.OK


def test_the_app_under_test_is_reset_as_its_test_says(run: Run) -> None:
    source = f"""
    import pytest

    def runs(device):
        return device.driver.app_status("{SHOP}") != "stopped"

    def test_started_in_another_way(mobile_device, mobile):
        mobile_device.driver.launch("{SHOP}", None, ())

    def test_is_ended(mobile_device):
        assert not runs(mobile_device)

    @pytest.mark.replicant(reset="none")
    def test_that_leaves_it(mobile):
        mobile.launch().expect_screen("Sign in")

    def test_is_left(mobile_device):
        assert runs(mobile_device)

    @pytest.mark.replicant(reset="snapshot")
    def test_without_one(mobile): ...
    """
    result = run(source, f"--replicant-app={SHOP}", ini="replicant_unverified = ignore\n")
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(
        [
            "E * reset by snapshot: which one is not said. Next: "
            "--replicant-device=avd:NAME[?]snapshot=SNAPSHOT"
        ]
    )
    assert "contextlib" not in result.stdout.str()


@pytest.mark.parametrize(("changed", "held"), [("", False), ("permissions", True)])
def test_clearing_leaves_the_permissions_that_are_granted(
    run: Run, pytester: pytest.Pytester, changed: str, held: bool
) -> None:
    apk(pytester.path, package="dev.example.camera", permissions=("CAMERA",))
    source = f"""
    import pytest

    @pytest.mark.replicant(reset="clear")
    def test_that_clears(mobile, mobile_device, mobile_app):
        mobile_device.phone.packages.grant(mobile_app.id, "android.permission.CAMERA")

    def test_held(mobile_device, mobile_app):
        assert mobile_device.driver.permissions(mobile_app.id) == {{"android.permission.CAMERA": {held}}}
    """
    ini = f"replicant_app = shop.apk\nreplicant_prepare = {changed}\n"
    run(source, ini=ini).assert_outcomes(passed=2)
