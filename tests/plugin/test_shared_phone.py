"""A phone for more than one test: of a module, a class or the run, and with a state that is made
once."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from tests.conftest import Run

from .test_requeue import Rack, rack  # noqa: F401  # a fixture

pytestmark = [pytest.mark.slow, pytest.mark.ci]

SIGNED_IN = """
import pytest
from pathlib import Path
from pytest_replicant import Screen, UsageError, mobile_state

SHOP = "dev.replicant.shop"
MADE, KEPT = [], {}

def sign_in(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value="correct horse")
    mobile.tap(text="Sign in").expect_screen("Catalogue")

@pytest.fixture(scope="module")
def shop(module_mobile):
    MADE.append(module_mobile.info.serial)
    sign_in(module_mobile)
    yield module_mobile
    module_mobile.expect_app("foreground")
    MADE.append("ended")

@mobile_state(proof=Screen("Catalogue"))
def signed_in(mobile):
    MADE.append(mobile.info.serial)
    sign_in(mobile)
"""


LAB_OF_A_MODULE = """
import pytest

LAB = "dev.replicant.lab"

@pytest.fixture(scope="module")
def lab(module_mobile):
    module_mobile.launch(LAB)
    return module_mobile
"""


def test_the_tests_of_a_module_share_a_phone_and_nothing_else(run: Run) -> None:
    source = """
    def test_first(shop, mobile, mobile_device):
        KEPT.update(mobile=mobile, phone=mobile_device, part=mobile.within(text_contains="Cart,"))
        KEPT.update(outcome=mobile.rotate("landscape"), element=mobile.find(text_contains="Cart,"))

    @pytest.mark.parametrize("use", [
        lambda: KEPT["mobile"].snapshot(),
        lambda: KEPT["part"].find_all(text="Add"),
        lambda: KEPT["outcome"].expect_screen("Catalogue"),
        lambda: KEPT["outcome"].snapshot,
    ])
    def test_second(shop, mobile, mobile_device, use):
        assert mobile_device is KEPT["phone"]
        with pytest.raises(UsageError, match="test_first.* and its phone stays with module_mobile of"):
            use()
        with pytest.raises(UsageError, match="it was read before that began, by an earlier test"):
            mobile.tap(KEPT["element"])
        width, height, *_ = mobile.expect_screen("Catalogue").snapshot().size
        assert width > height, "a setting lives as long as the phone is shared"

    def test_through_the_fixture_alone(shop):
        shop.expect_screen("Catalogue")
        assert shop.app_status() == "foreground"
        shop.launch().expect_screen("Sign in")

    def test_apart(mobile, mobile_device):
        assert mobile_device is not KEPT["phone"]
        mobile.launch(SHOP).expect_screen("Sign in")

    def test_the_phone_is_in_the_state_that_the_last_one_left(shop, mobile):
        mobile.expect_screen("Sign in")
        assert len(MADE) == 1
    """
    result = run(SIGNED_IN + dedent(source), ini="replicant_unverified = ignore\n")
    result.assert_outcomes(passed=8)


def test_a_phone_is_reset_when_its_scope_ends(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_b="""
        def test_next_module(mobile, mobile_device):
            assert mobile.info.serial == "virtual-1"
            width, height, *_ = mobile.snapshot().size
            assert width < height
            assert mobile.app_status("dev.replicant.shop") == "stopped"
        """
    )
    source = """
    class TestOfAClass:
        def test_one(self, class_mobile, mobile):
            sign_in(mobile)
            mobile.rotate("landscape")

        def test_two(self, class_mobile):
            class_mobile.expect_screen("Catalogue")

    def test_after_the_class(mobile):
        assert mobile.snapshot().size[0] < mobile.snapshot().size[1]
        assert mobile.app_status(SHOP) == "stopped"

    class TestOfTheModule:
        def test_one(self, shop, class_mobile, mobile):
            mobile.rotate("landscape").expect_screen("Catalogue")
            class_mobile.expect_screen("Catalogue")
    """
    result = run(SIGNED_IN + dedent(source))
    result.assert_outcomes(passed=5)


def test_a_marker_that_the_shared_phone_does_not_satisfy_is_an_error(run: Run) -> None:
    source = """
    @pytest.mark.replicant(platform="ios")
    def test_platform(shop, mobile):
        pass

    @pytest.mark.replicant(reset="clear")
    def test_reset(shop, mobile):
        pass

    @pytest.mark.replicant(reset="clear")
    def test_by_the_scope_alone(shop):
        pass

    @pytest.mark.replicant(api=">=26")
    def test_satisfied(shop, mobile):
        mobile.expect_screen("Catalogue")
    """
    result = run(SIGNED_IN + dedent(source))
    result.assert_outcomes(passed=1, errors=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*marker replicant: an Android phone, not an iPhone, and the phone is shared by "
            "module_mobile of *"
        ]
    )
    result.stdout.fnmatch_lines(
        ["*marker replicant: reset='clear', but the phone is shared by module_mobile of *"]
    )


def test_a_matrix_has_each_scope_on_each_phone(run: Run) -> None:
    source = """
    @pytest.fixture(scope="module")
    def lab(module_mobile):
        MADE.append(module_mobile.platform)
        module_mobile.launch("dev.replicant.lab")
        yield module_mobile
        MADE.append(f"end {module_mobile.platform}")

    def test_one(lab, mobile):
        mobile.expect_visible(text="Look-alike rows")

    @pytest.mark.replicant(platform="android")
    def test_two(lab, mobile):
        mobile.expect_visible(text="Look-alike rows")

    def test_last(lab):
        assert MADE in (["android"], ["android", "end android", "ios"])
    """
    devices = ("--replicant-device=virtual?latency=0", "--replicant-device=virtual:ios?latency=0")
    result = run(SIGNED_IN + dedent(source), *devices, "--replicant-matrix", "-rs")
    result.assert_outcomes(passed=5, skipped=1)
    result.stdout.fnmatch_lines(
        ["*SKIPPED*, of module_mobile of *: an iPhone, not an Android phone*"]
    )


LOSES = """
from conftest import unplug

def lose(mobile_device, name="lost"):
    if not Path(name).exists():
        Path(name).touch()
        unplug(mobile_device)

def test_first(shop, mobile):
    mobile.expect_screen("Catalogue")

def test_loses(shop, mobile, mobile_device):
    lose(mobile_device)
    mobile.expect_screen("Catalogue")

def test_next(shop, mobile):
    mobile.expect_screen("Catalogue")
    assert MADE == ["phone-1", "phone-2"]
"""


@pytest.mark.parametrize(
    ("fixture", "options"), [("shop", []), ("shop", ["--reruns=1"]), ("signed_in", [])]
)
def test_what_loses_its_phone_is_made_again_on_another(
    rack: Rack,  # noqa: F811
    fixture: str,
    options: list[str],
) -> None:
    result = rack(SIGNED_IN + LOSES.replace("(shop,", f"({fixture},"), 3, *options)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*3 passed, 1 requeued*"])


def test_a_scope_is_built_again_once(rack: Rack) -> None:  # noqa: F811
    source = LOSES.replace("def test_next", "def test_loses_again(shop, mobile, mobile_device):\n"
        "    lose(mobile_device, 'again')\n    mobile.expect_screen('Catalogue')\n\ndef "
        "test_next")  # fmt: skip
    result = rack(SIGNED_IN + source, 4)
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(["*module_mobile of * has lost two phones, and no third is tried*"])


def test_a_rerun_finds_the_scope_and_the_scope_still_ends(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(
        test_b="def test_b(mobile_device):\n    assert mobile_device.driver.info.serial == 'one'"
    )
    pytester.makeconftest(
        """
        from pytest_replicant.pool import open_device
        def pytest_replicant_driver(uri, config):
            return open_device("virtual?latency=0&serial=one").driver if uri == "farm:7" else None
        """
    )
    source = """
    def test_flaky(shop, mobile):
        mobile.expect_screen("Catalogue")
        if not Path("failed").exists():
            Path("failed").touch()
            raise AssertionError

    def test_next(shop, mobile):
        mobile.expect_screen("Catalogue")
        assert len(MADE) == 1
    """
    result = run(SIGNED_IN + dedent(source), "--reruns=1", "--replicant-device=farm:7")
    result.stdout.fnmatch_lines(["*3 passed, 1 rerun*"])


def test_a_state_is_made_once_and_proven_before_each_test(
    run: Run, pytester: pytest.Pytester
) -> None:
    source = """
    @mobile_state(proof=Screen("Sign in"))
    def guest(mobile):
        MADE.append("guest")
        mobile.launch(SHOP)

    @mobile_state(proof=Screen("Cart"))
    def at_the_cart(signed_in):
        MADE.append("cart")
        signed_in.tap(text_contains="Cart,")

    @pytest.fixture(autouse=True)
    def made():
        before = len(MADE)
        yield
        KEPT["made"] = len(MADE) - before

    def test_made(signed_in, mobile):
        assert signed_in is mobile
        mobile.expect_screen("Catalogue")
        assert len(MADE) == 1

    def test_held(signed_in, new_mobile):
        assert len(MADE) == 1
        new_mobile().launch(SHOP).expect_screen("Sign in")
        signed_in.tap(text_contains="Cart,").expect_screen("Cart")

    def test_left(signed_in):
        assert len(MADE) == 2, "the shop forgets who signed in when it is launched again"

    def test_plain(mobile):
        mobile.launch(SHOP).expect_screen("Sign in")

    def test_after_a_reset(signed_in):
        assert len(MADE) == 3

    def test_another(guest):
        assert MADE[3:] == ["guest"]

    def test_still_another(guest):
        assert MADE[3:] == ["guest"]
        MADE.clear()

    def test_exclude_each_other(guest, signed_in):
        pass

    def test_built_on_another(at_the_cart, signed_in):
        MADE.clear()
        signed_in.expect_screen("Cart")

    def test_both_are_proven_by_the_upper(at_the_cart):
        assert MADE == []

    @pytest.mark.replicant(reset="stop")
    def test_reset(at_the_cart):
        assert MADE == []

    def test_made_again(at_the_cart):
        assert MADE == ["virtual-1", "cart"]

    def test_of_another_build(at_the_cart):
        MADE.clear()
        at_the_cart.uninstall("dev.replicant.lab")

    def test_proves_nothing_of_the_one_before(at_the_cart):
        assert MADE == ["virtual-1", "cart"]

    def test_fails_once(at_the_cart):
        at_the_cart.launch(SHOP)
        if not Path("failed").exists():
            Path("failed").touch()
            raise AssertionError
    """
    result = run(SIGNED_IN + dedent(source), "--reruns=1", "--only-rerun=AssertionError")
    result.assert_outcomes(passed=14, errors=1)
    (trace,) = (pytester.path / "replicant-report").glob("*/test-left-*/trace.json")
    for group in (
        "state signed_in: launch again, since expect_screen Catalogue: Cart",
        "make again, since expect_",
    ):
        assert group in trace.read_text("utf-8")
    result.stdout.fnmatch_lines(
        [
            "*state signed_in: once it was made, the state guest of the same test held no more: "
            "expect_screen *"
        ]
    )


def test_a_state_that_cannot_be_made_is_given_up(run: Run) -> None:
    source = """
    @mobile_state(proof=Screen("Nowhere"))
    def nowhere(mobile):
        MADE.append("made")
        mobile.launch(SHOP)

    @pytest.mark.parametrize("time", range(3))
    def test_never(nowhere, time):
        pass

    def test_twice():
        assert MADE == ["made", "made"]
    """
    result = run(SIGNED_IN + dedent(source))
    result.assert_outcomes(passed=1, errors=3)
    result.stdout.fnmatch_lines(
        [
            "*state nowhere was made, but its proof does not show: expect_screen Nowhere*",
            "*Sign in*",
        ]
    )
    result.stdout.fnmatch_lines(
        ["*state nowhere: it could not be made 2 times in a row, and is not tried again*"]
    )


def test_what_a_test_left_on_a_shared_phone_does_not_reach_the_next(run: Run) -> None:
    source = """
    def test_dies(lab, mobile):
        mobile.launch(LAB, activity=".Crash").expect_visible(text="Weigh")
        mobile.tap(text="Weigh", silent=True)
        mobile.wait_for_change()

    def test_no_dialog(lab, mobile):
        mobile.expect_gone(text_contains="keeps stopping")

    def test_asks(lab, mobile):
        mobile.launch(LAB, activity=".PermissionQuestion")
        mobile.tap(text="Where am I?", silent=True)
        mobile.wait_for(text_contains="location?")

    def test_no_prompt(lab, mobile):
        mobile.expect_visible(text="We may not know")
        mobile.expect_gone(text_contains="location?")

    @pytest.fixture(scope="module")
    def announced(lab):
        with lab.step("Announced"), lab.on_interrupt(by(text="Rate us"), lambda mobile: mobile.back()):
            yield

    def test_of_one_test(announced):
        pass

    def test_of_another(lab):
        pass
    """
    result = run(
        SIGNED_IN.replace("import Screen", "import Screen, by") + LAB_OF_A_MODULE + dedent(source),
        "-Wdefault",
        ini="replicant_unverified = ignore\n",
    )
    result.stdout.fnmatch_lines(
        [
            '*interrupt: text="Rate us": it ended with *::test_of_one_test. Next: announce it in '
            "a fixture of *"
        ]
    )
    result.assert_outcomes(passed=5, failed=1, warnings=1)
    result.stdout.fnmatch_lines(["FAILED *test_dies*"])


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "sign-in-once.md"


def test_the_examples_of_the_page_run(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD", "correct horse")
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shared = [code for code in examples if code.startswith("# conftest.py")]
    tests = [code for code in examples if code not in shared]
    tests += ["def test_customer(customer):\n    customer.expect_screen('Catalogue')"] * 2
    pytester.makeconftest("\n\n".join(shared))
    pytester.makepyfile(**{f"test_{number}": code for number, code in enumerate(tests)})
    resources = (
        "replicant_resources =\n    account: ada@example.com password=$PASSWORD first_name=Ada\n"
    )
    run("", ini=resources).assert_outcomes(passed=7)


def test_a_state_is_known_by_its_parameter_its_account_and_its_data(run: Run) -> None:
    source = """
    import pytest
    from pytest_replicant import Screen, mobile_state

    SHOP, MADE = "dev.replicant.shop", []

    @mobile_state(proof=Screen("Reset password"))
    def user(mobile, request):
        MADE.append(request.param)
        mobile.launch(SHOP)
        mobile.tap(text="Forgot password?")

    @pytest.mark.parametrize("user", ["ada"], indirect=True)
    def test_one(user):
        assert MADE == ["ada"]

    @pytest.mark.parametrize("user", ["bob"], indirect=True)
    def test_another_by_the_first_parameter_too(user):
        assert MADE == ["ada", "bob"]

    @pytest.mark.parametrize("user", ["bob"], indirect=True)
    def test_the_same(user):
        assert MADE == ["ada", "bob"]
        user.clear_data(SHOP)

    @pytest.mark.parametrize("user", ["bob"], indirect=True)
    def test_after_its_data_was_cleared(user):
        assert MADE == ["ada", "bob", "bob"]
        user.launch("dev.replicant.lab")

    @pytest.fixture
    def account(request):
        return type("Account", (), {"kind": request.param, "name": "ada"})()

    @mobile_state(proof=lambda account: Screen("Reset password"), belongs_to="account")
    def owned(mobile, account):
        MADE.append(account.kind)
        mobile.launch(SHOP)
        mobile.tap(text="Forgot password?")

    @pytest.fixture
    def through(owned):
        return owned

    @mobile_state(proof=Screen("Reset password"))
    def on_top(through):
        MADE.append("on top")

    @pytest.mark.parametrize("account", ["account", "admin"], indirect=True)
    def test_two_kinds_of_one_name(owned, account):
        assert MADE[-1] == account.kind

    @pytest.mark.parametrize("account", ["admin"], indirect=True)
    def test_built_on_it_through_a_fixture(on_top, account):
        assert MADE[-1] == "on top"
    """
    run(dedent(source), ini="replicant_unverified = ignore\n").assert_outcomes(passed=7)


def test_an_app_that_dies_of_an_earlier_test_is_reported_by_the_next(run: Run) -> None:
    source = """
    def test_leaves(lab, mobile):
        mobile.launch(LAB, activity=".Crash").expect_visible(text="Weigh")

    def test_sees(lab, mobile, mobile_device):
        point = mobile.find(text="Weigh").center
        mobile_device.driver.tap(point)  # by no action of this test
        mobile.wait_for(text_contains="keeps stopping", timeout=5)
    """
    result = run(LAB_OF_A_MODULE + dedent(source), ini="replicant_unverified = ignore\n")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*test_sees dev.replicant.lab died: *"])
