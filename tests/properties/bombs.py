"""Documents that attack their reader, small or large: each must be refused or read for what it is.

As a program (``python -m tests.properties.bombs FOLDER all``) it reads them with little memory and
prints as JSON what became of each; ``FOLDER`` holds the file that some of them ask for."""

from __future__ import annotations

import codecs
import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Snapshot

MB = 1_000_000
MOST_BYTES = 2**30
SECRET = "what no dump may bring along"
LAUGH = "hahaha" * 10
BODY = (
    '<hierarchy><node class="a.Button" clickable="true" text="%s" '
    'bounds="[0,0][90,90]">%s</node></hierarchy>'
)


def documents(folder: Path, which: str = "all") -> Iterator[tuple[str, bytes]]:
    """All of them, or those of at most a few hundred kilobytes (``short``)."""
    yield from declared(folder)
    yield from disguised(folder)
    if which == "all":
        yield from huge()


def declared(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Document types as they are usually written."""
    for name, doctype, use in _doctypes(folder):
        for place, (inside, beside) in {"attribute": (use, ""), "text": ("x", use)}.items():
            yield (
                f"{name} in {place}",
                f"<?xml version='1.0'?>{doctype}{BODY % (inside, beside)}".encode(),
            )
        yield (
            f"{name} of iOS",
            f"<?xml version='1.0'?>{doctype}<AppiumAUT>{use}</AppiumAUT>".encode(),
        )


def _doctypes(folder: Path) -> Iterator[tuple[str, str, str]]:
    secret = (folder / "secret.txt").as_uri()
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    yield "laughs", f'<!DOCTYPE x [<!ENTITY l0 "{LAUGH}">{laughs}]>', "&l9;"
    yield "quadratic", f'<!DOCTYPE x [<!ENTITY a "{LAUGH * 2000}">]>', "&a;" * 20_000
    yield "one", f'<!DOCTYPE x [<!ENTITY a "{LAUGH}">]>', "&a;"
    yield "itself", '<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]>', "&a;"
    yield "file", f'<!DOCTYPE x [<!ENTITY a SYSTEM "{secret}">]>', "&a;"
    yield "parameter", f'<!DOCTYPE x [<!ENTITY % p SYSTEM "{secret}"> %p;]>', "x"
    yield (
        "nested parameters",
        "<!DOCTYPE x [<!ENTITY % a '&#60;!ENTITY b \"" + LAUGH + "\">'> %a;]>",
        "&b;",
    )
    yield "subset", f'<!DOCTYPE hierarchy SYSTEM "{secret}">', "x"
    yield "default", f"<!DOCTYPE x [<!ATTLIST node content-desc CDATA '{LAUGH}'>]>", "x"


def disguised(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The same where a search for ``<!DOCTYPE`` does not see it."""
    doctype = f'<!DOCTYPE x [<!ENTITY a "{LAUGH}">]>'
    plain = doctype + BODY % ("&a;", "&a;")
    lower = plain.replace("DOCTYPE", "doctype")
    for encoding in (
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "utf-32-be",
        "utf-7",
        "cp037",
        "cp500",
        "cp1026",
        "iso2022_jp",
        "hz",
    ):
        name = {
            "utf-16-le": "UTF-16",
            "utf-16-be": "UTF-16",
            "cp037": "IBM037",
            "hz": "HZ-GB-2312",
        }.get(encoding, encoding)
        head = f'<?xml version="1.0" encoding="{name}"?>'
        body = plain.encode(encoding)
        if encoding == "utf-7":
            body = (
                plain.replace("<!DOCTYPE", "+ADwAIQ-DOCTYPE")
                .replace("<!ENTITY", "+ADwAIQ-ENTITY")
                .encode()
            )
        yield f"{encoding} all of it", head.encode(encoding) + body
        yield f"{encoding} after its declaration", head.encode() + body
        yield f"{encoding} after its declaration, in ASCII", head.encode() + plain.encode()
        yield f"{encoding} before a hierarchy", body + BODY.encode()
    for mark, encoding in (
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ):
        for head in (
            "",
            "<?xml version='1.0' encoding='UTF-16'?>",
            "<?xml version='1.0' encoding='UTF-8'?>",
        ):
            yield f"{encoding} marked, {head}", mark + (head + plain).encode(encoding)
    yield "in lower case", lower.encode()
    yield "in lower case, declared", b"<?xml version='1.0'?>" + lower.encode()
    yield "split by a nul", plain.replace("DOC", "DOC\x00").encode()
    yield (
        "declared, split by a nul",
        b"<?xml version='1.0'?>" + plain.replace("DOC", "DOC\x00").encode(),
    )
    yield (
        "split by a bad byte",
        b"<?xml version='1.0'?>" + plain.encode().replace(b"DOC", b"DOC\xff"),
    )
    yield (
        "from a reference",
        b"<?xml version='1.0'?>" + plain.replace("<!DOC", "&#60;!DOC").encode(),
    )
    yield (
        "half a character within",
        b"<?xml version='1.0'?>" + plain.replace("<!DOC", "<!&#0;DOC").encode(),
    )
    yield "behind a comment", f"<?xml version='1.0'?><!-- > -->{plain}".encode()
    yield "behind an instruction", f"<?xml version='1.0'?><?x > ?>{plain}".encode()
    yield "far behind", f"<?xml version='1.0'?>{' ' * 100_000}{plain}".encode()
    yield "within", BODY.replace("%s</node>", plain).encode()
    yield "behind it", BODY.encode() + plain.encode()
    include = (
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" '
        f'href="{folder / "secret.txt"}"/>'
    )
    yield "XInclude", (BODY % ("x", include)).encode()


def huge() -> Iterator[tuple[str, bytes]]:
    """Values that no screen has."""
    for name in (
        "text",
        "content-desc",
        "resource-id",
        "class",
        "package",
        "hint",
        "pane-title",
        "bounds",
        "NAF",
    ):
        yield f"long {name}", _single(**{name: "x" * MB})
        yield f"long {name} of blanks", _single(**{name: " \t9." * (MB // 4)})
    for text in ("\u0301\u0323", "😀", "a\u200b", '"', "3 min ago ", "&", "[k427] "):
        yield f"long text of {text!r}", _single(text=text * (MB // len(text.encode())))
        yield (
            f"field that holds {text!r}",
            _single("EditText", text=text * (MB // len(text.encode())), hint="Email"),
        )
    yield "long slider", _single("SeekBar", text="12:34 " * (MB // 6))
    yield (
        "marks in the wrong order",
        _single(text="a" + "\u0301" * (MB // 4) + "\u0323" * (MB // 4)),
    )
    yield "digits in bounds", _single(bounds="[" + "9" * MB + ",0][1,1]")
    yield "many digits in bounds", _single(bounds="[1,2]" * (MB // 5))
    yield "minus in bounds", _single(bounds="-" * MB)
    yield "far away", _single(bounds="[-999999999,-999999999][999999999,999999999]")
    yield (
        "huge size",
        f"<hierarchy width='{'9' * MB}' height='{'9' * MB}'><node/></hierarchy>".encode(),
    )
    yield "a slider at infinity", _single("SeekBar", text="9" * 400)
    yield "a slider past every limit on digits", _single("SeekBar", text="9" * 5000 + "%")
    many = "".join(f' a{n}="{n}"' for n in range(100_000))
    yield (
        "many attributes",
        '<hierarchy><node class="a.Button" text="x" '
        f'bounds="[0,0][9,9]"{many}/></hierarchy>'.encode(),
    )
    yield (
        "many name spaces",
        f"<hierarchy><node{many.replace(' a', ' xmlns:a')} "
        "bounds='[0,0][9,9]'/></hierarchy>".encode(),
    )
    yield (
        "one attribute very often",
        ("<hierarchy><node " + "text='x' " * 100_000 + "/></hierarchy>").encode(),
    )
    yield "many references", _single().replace(b"OK", b"&#65;" * (MB // 5))
    yield "many halves", _single().replace(b"OK", b"&#55357;&#56832;" * (MB // 16))
    yield "many nuls", _single().replace(b"OK", b"O\x00K" * (MB // 3))
    yield "many bad bytes", _single().replace(b"OK", b"\xff\xc3" * (MB // 2))
    yield "many open tags", b"<node " * (MB // 6)
    yield "many starts", b"<?xml " * (MB // 6)
    yield "many ends", b"<node" + b">" * MB
    yield "nothing but nuls", bytes(20 * MB)
    yield "nothing but blanks", b" " * (20 * MB)
    yield "nothing but open brackets", b"<" * (20 * MB)
    yield "long comment", BODY.replace("%s</node>", f"<!--{'-x' * MB}--></node>").encode()
    yield "long text between nodes", BODY.replace("%s</node>", "x" * (15 * MB) + "</node>").encode()
    for opened in ('{"value":', '{"children":[', "[", '{"type":"Application","children":['):
        yield f"deep JSON {opened}", (opened * 50_000).encode()
    deep = '{"type":"Other","rect":{"x":0,"y":0,"width":9,"height":9},"children":['
    yield "deep JSON, closed", (f'{{"value":{deep}' + deep * 49_999 + "]}" * 50_000 + "}").encode()
    yield (
        "huge JSON number",
        b'{"value":{"type":"Button","label":"x","rect":{"x":'
        + b"9" * MB
        + b',"y":0,"width":9,"height":9}}}',
    )
    yield (
        "infinite JSON",
        b'{"value":{"type":"Button","label":"x","rect":{"x":1e999,"y":NaN,"width":-Infinity,"height":9}}}',
    )
    yield "deep iOS", b"<XCUIElementTypeOther>" * 50_000 + b"</XCUIElementTypeOther>" * 50_000


def _single(kind: str = "Button", **attributes: str) -> bytes:
    from html import escape

    known = {
        "class": f"a.{kind}",
        "clickable": "true",
        "text": "OK",
        "bounds": "[0,0][90,90]",
    } | attributes
    written = "".join(f' {name}="{escape(value)}"' for name, value in known.items())
    return f"<hierarchy><node{written}/></hierarchy>".encode()


def outcome(data: bytes) -> str:
    """ "refused: ..." or "read: ..." with how many characters came out of it, and whether a secret
    did."""
    try:
        snapshot = Snapshot.parse(data)
    except SnapshotError as error:
        return f"refused: {error}"
    texts = [f"{node.text}{node.description}{node.hint}" for node in snapshot.nodes]
    everything = [*texts, snapshot.outline(bounds=True, offscreen=True), str(snapshot.diff(None))]
    assert snapshot.fingerprint
    assert snapshot.screen_key
    for element in snapshot.elements[:3]:
        everything.append(snapshot.selector(element.ref).code)
        snapshot.locate(element)
    found = [word for word in (SECRET, LAUGH) if any(word in text for text in everything)]
    return (
        f"read: {sum(map(len, texts))} characters, {', '.join(found) or 'nothing'} of what was "
        "hidden"
    )


def main(folder: Path, which: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    (folder / "secret.txt").write_text(SECRET)
    for name, data in documents(folder, which):
        began = time.process_time()
        try:
            what = outcome(data)
        except Exception as error:
            what = f"raised: {type(error).__name__}: {str(error)[:200]}"
        print(json.dumps([name, what[:600], time.process_time() - began, len(data)]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
