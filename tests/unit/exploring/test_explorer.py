"""One session from the first look to the test: what is done, said, recorded, proposed, and done
again."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_replicant import UsageError
from pytest_replicant.drivers import Platform
from pytest_replicant.exploring import (
    OpenSession,
    SessionAnswer,
    answers,
    open_session,
    proposals,
    values_of,
)
from pytest_replicant.model import decode, json_schema
from pytest_replicant.session import Guard
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    EditText,
    RunningApp,
    Screen,
    Switch,
    Text,
    Widget,
)
from tests.unit.exploring.sessions import LAB, SECRETS, SHOP, SIGN_IN, Typed, opened

BOTH: list[Platform] = ["android", "ios"]
ONE_BY_DAY = ["android", pytest.param("ios", marks=pytest.mark.thorough)]  # a whole run each


@pytest.mark.parametrize("platform", BOTH)
def test_a_batch_is_done_said_and_recorded(platform: Platform) -> None:
    with opened(platform=platform) as typed:
        ref = typed.explorer.look().ref(text="Sign in")
        typed("look")
        answer = typed("do", "--id", "one", *SIGN_IN[:2], f"tap {ref}")
        assert answer.code == 0
        lines = answer.out.splitlines()
        assert (
            lines[0]
            == '1 ok  2 ok  mobile.fill(text="Password", value=Secret(os.environ["SHOP_PASSWORD"]))'
        )
        assert lines[1] == '3 ok  mobile.tap(text="Sign in")'  # a ref becomes words
        assert lines[2].startswith("Catalogue")  # another screen: the outline, and no diff
        assert lines[-1] == '3a expect_screen("Catalogue")   3b expect_visible(text="Welcome, Ada")'
        assert "correct horse" not in answer.out
        assert "nothing was done now" in typed("do", "--id", "one", *SIGN_IN).out
        with pytest.MonkeyPatch.context() as bound:
            bound.setattr(answers, "MAX_CHARS", 300)
            assert len(typed("look").out) < 400 < len(typed("look", "--all").out)
        answer = typed("do", f"tap {typed.explorer.look().ref(text='Add', row_with='Red mug')}")
        assert "Catalogue: " in answer.out.splitlines()[1]  # the same screen: what differs
        assert '"Cart, 0 items" → "Cart, 1 item"' in answer.out
        assert 'expect_visible(text="Cart, 1 item")' in answer.out.splitlines()[-1]
        assert typed.codes()[3:] == ['mobile.tap(text="Add", row_with="Red mug")']
        assert "3 ok" in typed("last", "one").out
        assert typed("last", "two").code == 2


def test_a_batch_stops_at_its_first_failure_and_what_it_advises_can_be_pasted() -> None:
    def advised(said: str) -> str:
        return next(line for line in said.splitlines() if "Next: " in line).partition("Next: ")[2]

    with opened() as typed:
        missed = typed("do", *SIGN_IN[:2], 'tap(text="Sgin in", timeout=0)').out
        assert "ELEMENT_NOT_FOUND" in missed
        assert advised(missed).startswith('tap(text="Sign in"')
        assert typed("do", advised(missed)).code == 0
        answer = typed("do", 'tap(text="Add", timeout=0)', "tap c236")
        assert answer.code == 1
        first, candidates, *_ = answer.out.splitlines()
        assert (
            first
            == "4 FAILED AMBIGUOUS_TARGET, nothing sent, nothing recorded; 1 later step not tried"
        )
        assert '[n400] row "Blue mug £9.90"' in candidates
        assert len(typed.codes()) == 3
        assert typed("do", advised(answer.out)).code == 0
        assert 'row_with="Blue mug"' in typed.codes()[3]


def test_a_word_that_is_none_stops_all_of_them_before_the_first() -> None:
    with opened() as typed:
        wrong = typed("do", 'fill(text="Email", value="ada")', "tapp m987", env={})
        assert wrong.code == 2
        assert "Did you mean tap" in wrong.err
        missing = typed("do", *SIGN_IN, env={})
        assert missing.code == 2
        assert "$SHOP_PASSWORD is not set" in missing.err
        assert (
            typed("expect", 'expect_text(text="Email", expected=Secret(os.environ["NONE"]))').code
            == 2
        )
        wrong = typed("save", "test_a.py::test_a", "--test", "x")
        assert "save has no argument '--test'" in wrong.err
        assert "It takes place, --diff, --run, --replace, --allow" in wrong.err
        assert "rewind takes no word 'b'. It takes number, --allow" in typed("rewind", "1", "b").err
        assert "rewind: number 'b' is no number" in typed("rewind", "b").err
        assert "a whole number from 0, and not nan" in typed("rewind", "nan").err
        assert "evidence: --output takes a value" in typed("evidence", "logs", "--output").err
        assert "evidence needs what" in typed("evidence").err
        refused = typed("do", 'fill(text="Email", value="a")', 'tap(tex="Sign in")')
        assert 'it takes no tex=. Did you mean tap(text="Sign in")?' in refused.err
        assert not typed.codes()


def test_checks_are_recorded_where_they_hold_and_said_to_prove_something_or_nothing() -> None:
    with opened() as typed:
        typed("do", *SIGN_IN)
        assert typed("expect", "3a", "3b").out.splitlines() == [
            "3a recorded: holds, was false before step 3",
            "3b recorded: holds, was false before step 3",
        ]
        assert "recorded before" in typed("expect", "3a").out
        failed = typed("expect", 'expect_visible(text="Nowhere", timeout=0)')
        assert failed.code == 1
        assert "check FAILED VERIFICATION_FAILED, nothing recorded" in failed.out
        answer = typed(
            "do", 'tap(text="Add", row_with="Red mug").expect_screen("Nowhere", timeout=0)'
        )
        assert answer.code == 1
        assert "4 check FAILED" in answer.out
        assert "the action was done and is recorded" in answer.out
        assert (
            "was true before step 4 too"
            in typed("expect", 'expect_visible(text="Welcome, Ada")').out
        )
        assert typed("expect", "9z").code == 2
        checks = [[(one.own, one.vacuous) for one in step.checks] for step in typed.explorer.steps]
        assert checks == [[], [], [(False, False), (False, False)], [(True, True)]]


def test_nothing_is_proposed_that_was_true_before_or_moves() -> None:
    with opened(LAB) as typed:
        for exhibit in ("lists", "dialogs", "late"):
            typed("do", f'open_url("lab://{exhibit}")')
            before = typed.explorer.steps[-1].before
            assert before is not None
            for proposed in typed.explorer.proposed.values():
                if proposed.verb == "expect_visible":
                    assert not before.match_labels(next(iter(proposed.targets())))


class _Offer(Screen[dict[str, Any]]):
    """A button that can be tapped once, a total, a switch and a button that changes its words."""

    title = "Offer"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        taken, on, followed = (app.state.get(name) for name in ("taken", "on", "followed"))
        switch = Switch(
            "Gift wrap", checked=bool(on), id="wrap", on_change=lambda to: app.state.update(on=to)
        )
        return Column(
            [
                Button("Take it", enabled=not taken, on_click=lambda: app.state.update(taken=True)),
                Text("Thank you" if taken else "Choose one", id="thanks"),
                switch,
                Text("Wrapped" if on else "Plain", id="how"),
                Button(
                    "Following" if followed else "Follow",
                    id="follow",
                    on_click=lambda: app.state.update(followed=1),
                ),
                Text("Total: 8.00 EUR" if taken else "Total: 0.00 EUR", id="total"),
            ]
        )


OFFER: App[dict[str, Any]] = App(
    package="dev.replicant.offer", label="Offer", state=dict, start=_Offer
)


@pytest.mark.parametrize("platform", BOTH)
@pytest.mark.parametrize(
    ("step", "first"),
    [
        ('tap(text="Take it")', 'expect_visible(text="Total: 8.00 EUR")'),
        ('tap(text="Gift wrap")', 'expect_state(by(text="Gift wrap"), checked=True)'),
        ('tap(resource_id="wrap")', 'expect_state(by(resource_id="wrap"), checked=True)'),
        ('tap(resource_id="follow")', 'expect_state(by(resource_id="follow"), text="Following")'),
        ('tap(text="Follow")', 'expect_visible(text="Following")'),
    ],
)
def test_what_proves_most_is_proposed_first_by_the_locator_of_the_step(
    step: str, first: str, platform: Platform
) -> None:
    with opened(OFFER, platform=platform) as typed:
        typed("do", step)
        found = [one.code() for one in typed.explorer.proposed.values()]
        assert found[0] == first, found
        assert typed("expect", next(iter(typed.explorer.proposed))).code == 0


@pytest.mark.parametrize("platform", BOTH)
def test_rewinding_does_the_steps_again_on_a_fresh_app(platform: Platform) -> None:
    with opened(platform=platform) as typed:
        typed("do", *SIGN_IN)
        typed("expect", "3a")
        typed("do", 'tap(text="Add", row_with="Red mug")')
        answer = typed("rewind", "3")
        assert answer.out.startswith(
            "app cleared, steps 1 to 3 run again: ok, check 3a holds, same screen (Catalogue)"
        )
        assert len(typed.codes()) == 3
        assert typed("look").out.count("Cart, 0 items") == 1
        assert typed.explorer.steps[2].checks[0].own is False
        assert typed("rewind", "7").code == 2
        proposed = typed("do", 'tap(text="Add", row_with="Red mug")').out.splitlines()[-1]
        assert proposed.startswith("4")
        assert not proposed.startswith("4a")  # ids are never used twice
        typed.explorer.secrets["SHOP_PASSWORD"] = "another"
        answer = typed("rewind", "3", env={})  # which signs in no more
        assert answer.code == 1
        assert "check FAILED" in answer.out


def test_secrets_reach_no_answer(tmp_path: Path) -> None:
    with opened(folder=str(tmp_path)) as typed:
        typed.explorer.secrets["QUOTED"] = 'sécret "of" mine'
        typed("do", 'fill(text="Email", env="QUOTED")', env={"QUOTED": 'sécret "of" mine'})
        assert not {"mine", "cret"} & set(re.findall(r"[a-z]+", typed("look", "--json").out))
        everything = [
            typed("do", *SIGN_IN, "--json"),
            typed("last"),
            typed("look"),
            typed("look", "--json"),
        ]
        everything += [typed("save", "test_a.py::test_a")]
        kept = "".join(path.read_text() for path in tmp_path.iterdir())
        assert SECRETS["SHOP_PASSWORD"] not in kept + "".join(
            one.out + one.err for one in everything
        )
        assert 'Secret(os.environ["SHOP_PASSWORD"])' in kept


def test_a_password_that_stood_in_a_command_is_in_no_test(tmp_path: Path) -> None:
    with opened(folder=str(tmp_path)) as typed:
        answer = typed("do", SIGN_IN[0], "fill c766 correct horse", 'tap(text="Sign in")', env={})
        assert answer.code == 0
        assert "the test takes it from $PASSWORD" in answer.out
        assert (
            typed.codes()[1] == 'mobile.fill(text="Password", value=Secret(os.environ["PASSWORD"]))'
        )
        typed("save", "test_a.py::test_a")
        everything = [typed("last"), typed("last", "--json"), typed("rewind", "3")]
        kept = "".join(path.read_text() for path in tmp_path.iterdir())
        assert "correct horse" not in kept + "".join(one.out for one in (answer, *everything))
        assert everything[-1].code == 0


class _Page(Screen[dict[str, Any]]):
    """A form: what is typed stands in large letters, and on the next page; a word that changes by
    itself."""

    title = "Form"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def typed(text: str) -> None:
            app.state["typed"] = text

        shout = app.state.get("typed", "").upper()
        return Column(
            [
                EditText("Upper", text=shout, on_change=typed, id="upper"),
                Text(f"Typed {shout}", id="typed"),
                Button("Go", on_click=lambda: app.go(_Next())),
            ]
        )


class _Next(Screen[dict[str, Any]]):
    title = "Next"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        name = app.state.get("typed", "")
        rows = [
            Button(f"Profile of {name}", id="profile"),
            Text("Monday"),
            Text("Order #4711"),
            Text("All is well"),
        ]
        return Column([Text(f"Signed in as {name}"), *rows])


FORM: App[dict[str, Any]] = App(package="dev.replicant.form", label="Form", state=dict, start=_Page)


def test_the_value_of_a_secret_is_in_no_locator_check_or_file(tmp_path: Path) -> None:
    env = {"NAME": "HUNTER2XYZ"}
    with opened(FORM, folder=str(tmp_path)) as typed:
        done = typed("do", 'fill(text="Upper", env="NAME")', 'tap(text="Go")', env=env)
        assert done.code == 0, done.out
        assert "Signed in" not in done.out.splitlines()[-1]  # no proposal
        ref = next(
            one.ref for one in typed.explorer.look().elements if one.label.startswith("Profile")
        )
        assert typed("do", f"tap {ref}", env=env).code == 0
        assert typed.codes()[2] == 'mobile.tap(resource_id="profile")'
        assert typed("do", 'tap(text="Profile of HUNTER2XYZ")', env=env).code == 2
        assert typed("expect", 'expect_visible(text="Signed in as HUNTER2XYZ")', env=env).code == 2
        for shown in ("HUNTER2\u200bXYZ", "\u2068HUNTER2XYZ\u2069"):
            assert typed("do", f'tap(text="Profile of {shown}")', env=env).code == 2
        typed("save", "test_a.py::test_a", env=env)
        assert "HUNTER2XYZ" not in (tmp_path / "test_a.py").read_text()


def test_nothing_is_recorded_behind_a_step_that_failed_and_had_an_effect() -> None:
    with opened(FORM) as typed:
        failed = typed("do", 'fill(text="Upper", value="loud")')
        assert failed.code == 1
        assert "it may have had an effect" in failed.out
        held = typed("do", 'expect_visible(text="Typed LOUD")')
        assert "is not recorded" in held.out
        assert not typed.explorer.steps
        typed("do", 'tap(text="Go")')
        assert "stands on a step that failed" in typed("last").out
        assert typed("rewind", "0").code == 0
        silent = 'fill(text="Upper", value="loud", silent=True)'
        assert typed("do", silent, 'expect_visible(text="Typed LOUD")').code == 0
        assert [len(step.checks) for step in typed.explorer.steps] == [1]


def test_dates_and_numbers_of_orders_are_no_checks() -> None:
    with opened(FORM) as typed:
        proposed = typed("do", 'tap(text="Go")').out.splitlines()[-1]
        assert "All is well" in proposed
        assert not re.search("Monday|4711", proposed)


MOVING = [
    "Thursday, 26 November", "26 Nov 2026", "Nov 26", "Yesterday", "Today, quarter past four",
    "In 5 Minuten", "12:30", "heute um 16 Uhr", "hier, à 16h30", "Good evening, Ada", "Code 483920",
    "Session 8f3a9c1e", "Token eyJhbGciOi", "Order #4711-88 placed", "2 new messages",
    "3 days left", "40 %", "Order number 1001", "3 of 5", "2/7",
]  # fmt: skip
LASTING = [
    "Total £8.00",
    "Cart, 1 item",
    "Balance €1,204.33",
    "Catalogue",
    "Welcome, Ada",
    "Tip: £0",
    "All",
]


@pytest.mark.parametrize("text", [*MOVING, *LASTING])
def test_a_text_that_is_another_one_by_the_next_run_is_known(text: str) -> None:
    assert proposals.lasts(text) is (text in LASTING)


def test_a_check_of_a_step_that_others_followed_is_refused() -> None:
    with opened() as typed:
        typed("do", *SIGN_IN)
        typed("do", 'tap(text="Add", row_with="Red mug")')
        refused = typed("expect", "3a")
        assert refused.code == 2
        assert "3a is no proposed check of the newest step; there are: 4a" in refused.err


def test_a_scroll_proposes_its_target_alone() -> None:
    with opened(LAB) as typed:
        assert typed("do", 'scroll_to(text="Dropdown")').code == 0
        (proposal,) = typed.explorer.proposed.values()
        assert proposal.code() == 'expect_visible(text="Dropdown")'


def test_a_banner_that_has_gone_meanwhile_was_seen() -> None:
    with opened(platform="ios") as typed:
        typed("do", *SIGN_IN, 'tap(text="Add", row_with="Red mug")')
        assert typed.explorer.proposed["4b"].verb == "expect_visible"
        typed.explorer.session._context.clock.sleep(5)
        assert 'this is expect_seen(text="Added Red mug to cart")' in typed("expect", "4b").out
        assert [check.call.verb for check in typed.explorer.steps[3].checks] == ["expect_seen"]


def test_what_the_phone_cannot_do_is_a_wrong_call() -> None:
    with opened(platform="ios") as typed:
        for words in (
            ("do", "launch(fresh=True)"),
            ("expect", "expect_no_crash()"),
            ("evidence", "logs"),
        ):
            answer = typed(*words)
            assert answer.code == 2
            assert "Next: " in answer.out + answer.err
        assert typed.codes() == []


def test_a_wait_is_compared_with_the_screen_in_front_of_it() -> None:
    with opened() as typed:
        typed("do", 'tap(text="Forgot password?")', "back")
        typed("look")
        ref = typed.explorer.look().ref(text="Email")
        answer = typed("do", f"wait_for {ref}")
        assert answer.code == 0, answer.out
        assert not typed.explorer.batches[-1].proposed


def test_json_has_a_versioned_schema_and_keeps_to_it(tmp_path: Path) -> None:
    schema = json_schema(SessionAnswer)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with opened(folder=str(tmp_path)) as typed:

        def row(*argv: str) -> dict[str, Any]:
            said = typed(*argv, "--json").out
            found: dict[str, Any] = json.loads(said)
            validator.validate(found)
            answer = decode(SessionAnswer, said)
            assert (answer.schema, answer.command) == ("replicant.session/1", argv[0])
            return found

        done = row("do", *SIGN_IN)
        assert [one["state"] for one in done["steps"]] == ["ok", "ok", "ok"]
        assert done["steps"][2]["code"] == 'mobile.tap(text="Sign in")'
        assert list(done["proposed"]) == ["3a", "3b"]
        row("expect", "3a")
        failed = row("do", 'tap(text="Add", timeout=0)', "back")
        assert failed["code"] == 1
        assert failed["steps"][0]["failure"]["code"] == "AMBIGUOUS_TARGET"
        assert failed["steps"][1]["state"] == "not tried"
        assert "no step" in row("do", "shout")["error"]
        assert row("save", "test_a.py::test_a")["ran"] is None
        others = (
            "look;last;note x;evidence logs;evidence marks;rewind 1;save test_a.py::test_b "
            "--diff;close"
        )
        for command in others.split(";"):
            row(*command.split())
    assert not validator.is_valid({**done, "more": 1})


def test_a_picture_has_refs_that_a_step_takes_or_the_points_of_a_grid(tmp_path: Path) -> None:
    with opened(platform="ios", folder=str(tmp_path)) as typed:
        typed("do", *SIGN_IN)
        file, *marks = typed("evidence", "marks", "--output", "marked.png").out.splitlines()
        assert file.startswith(str(tmp_path / "marked.png"))
        assert (tmp_path / "marked.png").read_bytes()[:4] == b"\x89PNG"
        add = next(line for line in marks if '"Add"' in line)
        assert typed("do", f"tap {add[1:5]}").code == 0
        _, *cells = typed("evidence", "grid", "--output", "grid.png").out.splitlines()
        width, height = typed.explorer.look().size
        middle = re.fullmatch(r"cell 12: tap_at\((\d+), (\d+)\)", cells[11])
        assert middle is not None, cells
        assert abs(int(middle[1]) - width * 11 / 12) < 4 > abs(int(middle[2]) - height * 3 / 8)
        assert len(cells) == 24


def test_the_guard_refuses_before_anything_is_sent_until_it_is_allowed_by_word() -> None:
    with opened(guard=Guard.of(["on"], {"dev.replicant.shop"})) as typed:
        typed("do", *SIGN_IN, 'tap(text="Add", row_with="Red mug")', 'tap(text="Cart, 1 item")')
        typed("do", 'tap(text="Check out")')
        answer = typed("do", 'tap(text="Place order")')
        assert answer.code == 1
        assert "GUARDED, nothing sent, nothing recorded" in answer.out
        assert "--allow pay" in answer.out
        assert typed("do", "--allow", "pay", 'tap(text="Place order")').code == 0
        assert "You pay" in typed("look").out
        refused = typed("rewind", "7")
        assert refused.code == 1
        assert "GUARDED" in refused.out  # it holds for what is done again, too
        typed("do", "--allow", "pay", 'tap(text="Place order")')
        assert typed("rewind", "7", "--allow", "pay").code == 0


def test_a_step_that_would_be_done_too_early_is_named(tmp_path: Path) -> None:
    with opened(folder=str(tmp_path)) as typed:
        typed("do", *SIGN_IN, 'tap(text="Add", row_with="Red mug")', 'tap(text="Cart, 1 item")')
        typed("do", 'tap(text="Check out")', 'tap(text="Place order")', 'tap(text="Place order")')
        said = "Hasty: step 8 finds a target before step 7 too, so check step 7."
        assert said in typed("save", "test_a.py::test_a").out
        typed("rewind", "7")
        typed("expect", 'expect_visible(text="Place order?")')
        typed("do", 'tap(text="Place order")')
        assert "Hasty" not in typed("save", "test_b.py::test_b").out


def test_a_saved_test_says_what_is_unverified(tmp_path: Path) -> None:
    with opened(folder=str(tmp_path)) as typed:
        assert typed("save", "test_a.py::test_a").code == 2  # nothing is recorded
        typed("do", *SIGN_IN)
        typed("expect", "3a")
        typed("note", "buy a mug")
        typed("do", 'tap(text="Add", row_with="Red mug")')
        typed("expect", 'expect_visible(text="Cart, 1 item")')
        patch = typed("save", "test_a.py::test_a", "--diff").out
        assert not [*tmp_path.iterdir()]
        answer = typed("save", "test_a.py::test_a")
        said = "Not run. Unverified: 1, 2. Checks: 1 proposed, 1 your own. Needs: $SHOP_PASSWORD."
        assert answer.out == f"written, +12 -0. {said}\n"
        code = (tmp_path / "test_a.py").read_text()
        assert all(f"+{line}" in patch for line in code.splitlines())
        assert code.splitlines()[5:] == [
            "def test_a(mobile: Mobile) -> None:",
            '    mobile.launch("dev.replicant.shop")',
            '    mobile.fill(text="Email", value="ada@example.com")',
            '    mobile.fill(text="Password", value=Secret(os.environ["SHOP_PASSWORD"]))',
            '    mobile.tap(text="Sign in").expect_screen("Catalogue")',
            '    with mobile.step("buy a mug"):',
            '        mobile.tap(text="Add", row_with="Red mug").expect_visible(text="Cart, 1 '
            'item")',
        ]
        assert typed("save", "nothing").code == 2
        assert typed("save", "test_a.py::shop").code == 2
        assert typed("save", "test_a.py::TestShop::test_a").code == 2


def test_unsaved_steps_are_counted_since_the_last_save(tmp_path: Path) -> None:
    with opened(folder=str(tmp_path)) as typed:
        typed("do", *SIGN_IN)
        assert "; 3 steps recorded and not saved" in typed("close").out
        typed("save", "test_a.py::test_a")
        assert "saved" not in typed("close").out
        typed("expect", "3a")
        typed("do", 'tap(text="Add", row_with="Red mug")')
        assert "; 2 steps recorded since the last save and not saved" in typed("close").out
        typed("save", "test_a.py::test_a", "--replace")
        typed("rewind", "2")
        assert "saved" not in typed("close").out
        typed("do", SIGN_IN[2])
        assert json.loads(typed("close", "--json").out)["unsaved"] == 1


@pytest.mark.ci
@pytest.mark.parametrize("platform", ONE_BY_DAY)
def test_a_test_whose_last_action_has_no_check_is_no_pass(
    tmp_path: Path, platform: Platform
) -> None:
    with opened(folder=str(tmp_path), platform=platform) as typed:
        typed("do", *SIGN_IN)
        answer = typed("save", "test_a.py::test_a", "--run")
        begin, _, ran = answer.out.partition("Fresh run: ")
        assert (
            'Nothing checks step 3, the last action. Next: expect 3a, expect_screen("Catalogue")'
            in begin
        )
        assert "passed" not in ran
        assert "proves nothing" in ran
        assert answer.code == 1
        assert json.loads(typed("run", "--json").out)["ran"]["passed"] is False
        typed("expect", "3a")
        answer = typed("save", "test_a.py::test_a", "--replace", "--run")
        assert "Nothing checks" not in answer.out
        assert "Fresh run: passed" in answer.out


def test_a_fixture_that_does_the_first_steps_is_asked_for(tmp_path: Path) -> None:
    steps = [
        step.replace('env="SHOP_PASSWORD"', 'value=Secret(os.environ["SHOP_PASSWORD"])')
        for step in SIGN_IN
    ]
    body = [
        'mobile.launch("dev.replicant.shop", fresh=True)',
        *(f"mobile.{step}" for step in steps),
    ]
    fixture = "\n".join(f"    {line}" for line in body)
    head = "import os\nimport pytest\nfrom pytest_replicant import Secret\n\n@pytest.fixture\n"
    head += "def signed_in(mobile):\n"
    (tmp_path / "conftest.py").write_text(f"{head}{fixture}\n")
    with opened(folder=str(tmp_path)) as typed:
        typed.session.phone.fresh_in_test = True
        typed("do", *SIGN_IN, 'tap(text="Add", row_with="Red mug")')
        said = typed("save", "test_a.py::test_a").out
        assert "signed_in of conftest.py:6 in place of 4 steps" in said
        code = (tmp_path / "test_a.py").read_text()
        assert "def test_a(mobile: Mobile, signed_in) -> None:" in code
        assert "Email" not in code


STATES = """
import os
import pytest
from pytest_replicant import by, mobile_state

@pytest.fixture
def account():
    return "ada@example.com"

@mobile_state(proof=by(text="Welcome, Ada"))
def signed_in(mobile, account):
    mobile.launch("dev.replicant.shop")
    mobile.fill(text="Email", value=account)
    mobile.fill(text="Password", value=os.environ["SHOP_PASSWORD"])
    mobile.tap(text="Sign in").expect_screen("Catalogue")

@pytest.fixture
def broken(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Catalogue", timeout=0.2)
"""


@pytest.mark.ci
@pytest.mark.parametrize("platform", ONE_BY_DAY)
def test_exploring_begins_from_a_fixture_that_the_saved_test_asks_for(
    tmp_path: Path, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", SECRETS["SHOP_PASSWORD"])
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(STATES)

    def begin(*words: str) -> OpenSession:
        argv = ("open", "--device", f"virtual:{platform}?latency=0", *words)
        return open_session("s1", values_of(argv), str(tmp_path))

    with closing(begin("--state", "signed_in")) as session:
        typed = Typed(session, str(tmp_path))
        assert session.phone.app == SHOP
        typed("do", 'tap(text="Add", row_with="Red mug").expect_visible(text="Cart, 1 item")')
        refused = typed("save", "test_a.py::test_a")
        assert "test_a.py has no fixture signed_in" in refused.err
        saved = typed("save", "tests/test_a.py::test_a", "--run")
        assert "Fresh run: passed" in saved.out, saved
        assert typed("rewind", "1").out.startswith(
            "begins from signed_in, step 1 run again: ok, check 1a holds"
        )
    assert (tmp_path / "tests" / "test_a.py").read_text().splitlines()[3:] == [
        "def test_a(mobile: Mobile, signed_in) -> None:",
        '    mobile.tap(text="Add", row_with="Red mug").expect_visible(text="Cart, 1 item")',
    ]
    with pytest.raises(
        UsageError, match=r"'signed_on' is no fixture .* Did you mean signed_in\?.*broken"
    ):
        begin(SHOP, "--state", "signed_on")
    with pytest.raises(
        UsageError, match=r"broken of .*conftest.py could not be had[^$]*VERIFICATION_FAILED"
    ):
        begin(SHOP, "--state", "broken")
