"""``replicant snapshot``: what it prints, with which exit code, and what it says when it cannot."""

from __future__ import annotations

import ast
import io
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from pytest_replicant.model import by
from pytest_replicant.snapshots import Snapshot
from tests.conftest import Capture
from tests.unit.snapshots.screens import SHOP, button, node, screen, text

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "pytest_replicant.cli", "snapshot"]


ADD = Snapshot.parse(SHOP).ref(text="Add", nth=0)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    saved = tmp_path / "shop.xml"
    saved.write_text(SHOP, encoding="utf-8")
    return str(saved)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def test_the_outline_of_a_file(shop: str, capsys: Capture) -> None:
    assert main(["snapshot", shop]) == 0
    assert capsys.readouterr().out == Snapshot.parse(SHOP).outline() + "\n"


def test_the_outline_of_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHOP.encode())))
    assert main(["snapshot", "-"]) == 0
    assert capsys.readouterr().out == Snapshot.parse(SHOP).outline() + "\n"


def test_options_shape_the_outline(shop: str, capsys: Capture) -> None:
    whole = Snapshot.parse(SHOP)
    listed = whole.ref(class_name="RecyclerView")
    options = [
        "--bounds",
        "--offscreen",
        "--full",
        "--depth",
        "2",
        "--max-chars",
        "200",
        "--within",
        listed,
    ]
    assert main(["snapshot", shop, *options]) == 0
    expected = whole.outline(
        bounds=True, offscreen=True, full=True, depth=2, max_chars=200, within=listed
    )
    assert capsys.readouterr().out == expected + "\n"


def test_within_takes_a_label_or_a_ref_as_the_outline_prints_it(shop: str, capsys: Capture) -> None:
    for given, shown in (("Blue mug", '"Blue mug"'), (f"[{ADD}]", 'Button "Add"')):
        assert main(["snapshot", shop, "--within", given]) == 0
        assert [line.split("] ")[1] for line in capsys.readouterr().out.splitlines()[1:]] == [shown]


def test_a_label_may_look_like_a_ref(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "seats.xml").write_text(screen(button("b100")), encoding="utf-8")
    assert main(["snapshot", str(tmp_path / "seats.xml"), "--within", "b100"]) == 0
    assert 'Button "b100"' in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_the_output_cannot_take_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "euro.xml").write_text(screen(text("9 €")), encoding="utf-8")
    command = [*COMMAND, str(tmp_path / "euro.xml")]
    ascii_only = environment(PYTHONIOENCODING="ascii")
    assert (
        b'"9 \\u20ac"'
        in subprocess.run(command, capture_output=True, env=ascii_only, check=True).stdout
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, env=ascii_only, check=False
        )
    assert (done.returncode, done.stderr) == (3, b"replicant: [Errno 28] No space left on device\n")


def test_json_has_everything(tmp_path: Path, capsys: Capture) -> None:
    source = screen(
        node(
            "EditText",
            at=(0, 110, 900, 200),
            hint="Email",
            text="ada",
            focused="true",
            enabled="true",
        ),
        node(
            "ScrollView",
            button("Pay", at=(0, 300, 200, 400)),
            at=(0, 300, 1080, 2400),
            scrollable="true",
        ),
        title="Cart",
    )
    (tmp_path / "cart.xml").write_text(source, encoding="utf-8")
    snapshot = Snapshot.parse(source)
    assert main(["snapshot", str(tmp_path / "cart.xml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"format": 1, **snapshot.to_dict()}
    assert (told["screen"], told["app"], told["size"], told["keyboard"]) == (
        "Cart",
        "dev.shop",
        [1080, 2400],
        None,
    )
    heading, email, scrolled, pay = told["elements"]
    assert email["states"] == {
        "focused": True,
        "enabled": True,
        "editable": True,
    }  # those that are reported
    assert (email["ref"], email["identity"]) == (
        snapshot.ref(text="Email"),
        f"{snapshot.find(text='Email').identity:016x}",
    )
    assert (email["label"], email["value"], email["role"]) == ("Email", "ada", "text_field")
    assert email["actions"] == ["tap", "type_text"]
    assert (heading["label"], pay["parent"]) == ("Cart", scrolled["ref"])


LONG = "We roast it on the day on which it is sent, and not before"


def proposals(path: Path, capsys: Capture, *sources: str) -> str:
    path.write_text(screen(*sources), encoding="utf-8")
    assert main(["snapshot", str(path), "--selectors"]) == 0
    return capsys.readouterr().out


def test_the_selectors_of_a_screen_by_purpose(tmp_path: Path, capsys: Capture) -> None:
    cart = button("Cart 3", resource_id="dev.shop:id/cart")
    printed = proposals(tmp_path / "cart.xml", capsys, cart, text("9 left", at=(0, 500, 90, 590)))
    one, other = Snapshot.parse((tmp_path / "cart.xml").read_bytes()).elements
    assert printed.splitlines() == [
        "# (dev.shop)",
        "",
        f'# [{one.ref}] Button "Cart 3"',
        'by(resource_id="cart")  # action',
        'by(text="Cart 3")  # check',
        "#   the label holds digits, which may change",
        "",
        f'# [{other.ref}] TextView "9 left"',
        r'by(text_matches=r"^\d+ left$")  # action',
        "#   the label holds digits, which may change: the pattern takes any number",
        'by(text="9 left")  # check',
        "#   the label holds digits, which may change",
    ]


def test_the_selectors_are_python_that_meets_each_element(tmp_path: Path, capsys: Capture) -> None:
    rows = [
        node(
            "LinearLayout",
            text(f"{LONG} {end}", at=(0, top, 300, top + 50)),
            button("Add to the basket of today", at=(900, top, 1080, top + 99)),
            at=(0, top, 1080, top + 100),
        )
        for end, top in (("a", 400), ("b", 500))
    ]
    hostile = button('"\nimport os', at=(0, 900, 90, 990), resource_id='x"\nimport os')
    printed = proposals(tmp_path / "long.xml", capsys, *rows, hostile)
    snapshot = Snapshot.parse((tmp_path / "long.xml").read_bytes())
    statements = ast.parse(printed).body
    found = [eval(ast.unparse(one), {"by": by}) for one in statements]
    assert {element.ref for one in found for element in snapshot.match(one)} == {
        e.ref for e in snapshot.elements
    }
    assert all(len(snapshot.match(one)) == 1 for one in found)


def test_the_selectors_of_a_part_as_json(shop: str, capsys: Capture) -> None:
    assert main(["snapshot", shop, "--selectors", "--json", "--within", ADD]) == 0
    (element,) = json.loads(capsys.readouterr().out)["elements"]
    code = 'by(text="Add", row_with="Blue mug")'
    assert element["selectors"] == {
        purpose: {"code": code, "unique": True, "warnings": []} for purpose in ("action", "check")
    }
    assert main(["snapshot", shop, "--json", "--within", ADD]) == 0
    assert "selectors" not in json.loads(capsys.readouterr().out)["elements"][0]


def test_a_heading_is_there_to_be_checked(shop: str, capsys: Capture) -> None:
    assert main(["snapshot", shop, "--selectors", "--json"]) == 0
    heading = json.loads(capsys.readouterr().out)["elements"][0]
    assert (heading["label"], list(heading["selectors"])) == ("Catalogue", ["check"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs a FILE"),
        (
            ["FILE", "--selectors", "--depth", "2"],
            "--depth shapes the outline; --selectors has everything",
        ),
        (["FILE", "--selectors", "--bounds"], "--bounds shapes the outline"),
        (["nowhere.zip", "--selectors"], "--selectors is about one screen: nowhere.zip SCREEN"),
        (["FILE", "--replicant-device", "virtual"], "not both"),
        (["FILE", "--depth", "0"], "'0' is no whole number from 1"),
        (["FILE", "--json", "--depth", "2"], "--depth shapes the outline"),
        (["/nowhere/at/all.xml"], "cannot read '/nowhere/at/all.xml': No such file or directory"),
        (["nul\0l"], "cannot read 'nul\\x00l'"),
        (["virtual"], "No such file or directory. A phone is named by --device=virtual"),
        (["ios:http://ada:hunter2@h:8100"], "cannot read 'ios:http://•••@h:8100'"),
        (["ios:http://h:8100"], "A phone is named by --device=ios:http://h:8100"),
        (["--replicant-device", "ios:8100"], "Did you mean ios:http://127.0.0.1:8100?"),
        (["FILE", "--within", " "], "--within takes a ref or a label"),
        (["--replicant-device", "virtul"], "virtul"),
        (
            ["--replicant-device", "virtual?app=dev.replicant.shpo"],
            "Did you mean dev.replicant.shop?",
        ),
        (["FILE", "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, shop: str, capsys: Capture) -> None:
    assert main(["snapshot", *(shop if item == "FILE" else item for item in arguments)]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    ("source", "arguments", "said"),
    [
        ("", [], "no screen: the dump is empty"),
        ("ERROR: could not get idle state.", [], "never came to rest"),
        (SHOP, ["--within", "Bleu mug"], 'Did you mean text="Blue mug"?'),
        (SHOP, ["--within", "[k000]"], "none of the 10 elements has this ref"),
        (SHOP, ["--within", "Nothing"], "Next: without --within, the outline shows what there is."),
        (SHOP, ["--within", "Add"], f"Next: --within {ADD}, or another of these refs."),
        (SHOP, ["--within", "Add"], "AMBIGUOUS_TARGET"),
        ("Killed", ["--selectors"], "no screen"),
    ],
)
def test_a_finding(
    source: str, arguments: list[str], said: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "saved.xml").write_text(source, encoding="utf-8")
    assert main(["snapshot", str(tmp_path / "saved.xml"), *arguments]) == 1
    printed = capsys.readouterr()
    assert said in printed.err
    assert len(printed.err.splitlines()) <= 5
    assert printed.out == ""


@pytest.mark.parametrize("uri", ["adb://127.0.0.1:{}/x", "ios:http://127.0.0.1:{}"])
def test_nobody_at_the_port_is_device_trouble(uri: str, capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert main(["snapshot", "--replicant-device", uri.format(port)]) == 3
    told = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in told
    assert "Traceback" not in told


@pytest.mark.slow
@pytest.mark.parametrize(("uri", "width"), [("virtual", 1080), ("virtual:ios", 1179)])
def test_a_live_phone_in_its_pixels(uri: str, width: int, capsys: Capture) -> None:
    assert (
        main(
            ["snapshot", "--replicant-device", f"{uri}?app=dev.replicant.shop&latency=0", "--json"]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["app"], told["screen"]) == ("dev.replicant.shop", "Sign in")
    assert max(element["bounds"][2] for element in told["elements"]) > width - 100


@pytest.mark.slow
def test_a_signal_while_the_phone_is_asked_ends_it_quietly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        arguments = [
            "snapshot",
            "--replicant-device",
            f"adb://127.0.0.1:{silent.getsockname()[1]}/x",
        ]
        program = (
            f"import sys; from pytest_replicant.cli import main; sys.exit(main({arguments!r}))"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        ) as process:
            silent.settimeout(20)
            asked, _ = silent.accept()
            with asked:
                process.send_signal(signal.SIGTERM)
                out, complaints = process.communicate(timeout=20)
    assert (process.returncode, out, complaints) == (130, "", "")


@pytest.mark.slow
def test_a_reader_that_has_gone_is_no_traceback(tmp_path: Path) -> None:
    many = screen(*(button(f"Button {n}", at=(0, n, 90, n + 1)) for n in range(2000)))
    (tmp_path / "many.xml").write_text(many, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "many.xml"), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 3
