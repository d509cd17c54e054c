"""Any invalid form, list or JSON gets a clear answer and changes nothing."""

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.web.forms import MOST_FORM_BYTES, MOST_UPLOAD_BYTES
from tests.desks.rsvp.console_desk import form_fields, multipart
from tests.security.world import World
from tests.support.browser import FORM

JSON = "application/json"
PARTS = "multipart/form-data; boundary=x"
SIGN_UPS = ("/e/pottery", "/e/pottery/embed", "/api/events/pottery/guests")
BY_PARTS, _ = multipart({"name": "Zoe \\ud800", "email": "zoe@example.org"}, {})


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (f"{PARTS}; charset=unicode_escape", BY_PARTS),
        (f"{PARTS}; charset=raw_unicode_escape", BY_PARTS),
        (f"{PARTS}; charset=utf-7", BY_PARTS),
        (f"{PARTS}; charset=punycode", BY_PARTS),
        (f"{PARTS}; charset=", BY_PARTS),
        (f"{PARTS}; charset=utf-8; charset=unicode_escape", BY_PARTS),
        ("multipart/form-data", BY_PARTS),
        ("multipart/form-data; boundary=", BY_PARTS),
        (PARTS, b"--x\r\ncontent-disposition: form-data\r\n\r\nx\r\n--x--\r\n"),
        (PARTS, b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nno end'),
        (PARTS, b"--x\r\n" + b"a: b\r\n" * 5_000),
        (PARTS, multipart({f"f{n}": "" for n in range(1_000)}, {})[0]),
        (PARTS, multipart({}, {f"f{n}": ("", b"") for n in range(100)})[0]),
        (FORM, b"name=" + b"x" * MOST_FORM_BYTES),
        (FORM, b"&".join(b"f%d=" % n for n in range(5_000))),
        (FORM, b"name=\xff\xfe&email=zoe%40example.org"),
        (FORM, b"name=%00&email=%00"),
        (JSON, b"[" * 30_000),
        (JSON, b'{"a":' * 10_000),
        (JSON, b'{"name":"\\ud800","email":"zoe@example.org"}'),
        (JSON, b'{"name":"Zoe","email":"zoe@example.org","party":1e400}'),
        (JSON, b'{"name":"Zoe","email":"zoe@example.org","party":' + b"9" * 5_000 + b"}"),
        (JSON, b'{"name":{"a":1},"email":[]}'),
        (JSON, b'"' + b"x" * MOST_FORM_BYTES + b'"'),
    ],
)
def test_an_odd_sign_up_is_answered_and_changes_nothing(
    world: World, kind: str, body: bytes
) -> None:
    before = world.dump()

    for path in SIGN_UPS:
        answer = world.visitor.ask("POST", path, body, {"content-type": kind})
        assert answer.status in (400, 422), (path, answer.says)

    assert world.dump() == before


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("path", SIGN_UPS)
def test_strangers_send_no_more_in_parts_than_in_one_piece(world: World, path: str) -> None:
    body, kind = multipart({"name": "Zoe"}, {"file": ("a.csv", b"x" * MOST_FORM_BYTES)})

    answer = world.visitor.ask("POST", path, body, {"content-type": kind})

    assert (answer.status, "more than we can take" in answer.text) == (400, True)


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize("length", ["²", "9" * 5_000, "-1", "1e9", "x", str(10**11)])
def test_an_odd_length_is_answered(world: World, length: str) -> None:
    body, headers = b"name=", {"content-type": FORM, "content-length": length}

    for path in ("/e/pottery", "/sign-in", f"/l/{world.links()['manage']}"):
        assert world.visitor.ask("POST", path, body, headers).status < 500


@pytest.mark.spec("FD-27")
@pytest.mark.parametrize(
    "rows",
    [
        '[[1e30,"Zoe","zoe@example.org",1]]',
        f'[[{10**30},"Zoe","zoe@example.org",1]]',
        f'[[{2**63},"Zoe","zoe@example.org",1]]',
        '[[-5,"Zoe","zoe@example.org",1]]',
        '[[1,"Zoe","zoe@example.org",1],[1,"Yan","yan@example.org",1]]',
        '[[1,"Zoe \\ud800","zoe@example.org",1]]',
        '[[1,"Zoe","zoe@example.org",1,"",2]]',
        '[[1,"Zoe"]]',
        '{"line":1}',
        "[]",
        "",
        "[" * 500_000,
    ],
)
def test_rows_that_were_never_handed_out_are_refused(world: World, rows: str) -> None:
    before, url = world.dump(), f"{world.con.url}/import"
    fields = {"csrf": world.host.get(url).csrf, "how": "confirm", "rows0": rows}
    body, kind = multipart(fields, {})

    answer = world.host.ask("POST", f"{url}/begin", body, {"content-type": kind})

    assert (answer.status, world.dump() == before) == (400, True), answer.says


def bomb() -> bytes:
    """Builds a file that is small to send and far too large to open."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", b"<a>" + b" " * 300_000_000)
    return file.getvalue()


@pytest.mark.spec("FD-27", "FD-29")
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("list.csv", b"\x00\x01\x02"),
        ("list.csv", b""),
        ("list.csv", b'"' * 100_000),
        ("list.csv", b"name,email\n" + b"," * 200_000),
        ("list.csv", b"x" * (MOST_UPLOAD_BYTES - 1_000)),
        ("list.xlsx", b"PK\x03\x04" + b"\x00" * 100),
        ("list.xlsx", bomb()),
        ("list.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("../../etc/passwd", b"%PDF-1.7"),
    ],
)
def test_an_odd_list_is_answered_and_changes_nothing(world: World, name: str, file: bytes) -> None:
    before, url = world.dump(), f"{world.con.url}/import"
    body, kind = multipart({"csrf": world.host.get(url).csrf}, {"file": (name, file)})

    answer = world.host.ask("POST", url, body, {"content-type": kind})

    assert (answer.status, world.dump() == before) == (422, True), answer.says


@pytest.mark.spec("FD-27", "EV-10")
def test_a_long_list_of_names_in_any_script_travels_through_the_form(world: World) -> None:
    url, name = f"{world.con.url}/import", "\N{CJK UNIFIED IDEOGRAPH-20BB7}" * 110
    lines = "\n".join(f"{name},p{number}@example.org" for number in range(2_600))
    fields = {"csrf": world.host.get(url).csrf}
    body, kind = multipart(fields, {"file": ("list.csv", f"name,email\n{lines}".encode())})
    preview = world.host.ask("POST", url, body, {"content-type": kind})

    rows = form_fields(preview.text, f"{url}/begin") | {"how": "nonsense"}
    body, kind = multipart({each: value or "" for each, value in rows.items()}, {})
    answer = world.host.ask("POST", f"{url}/begin", body, {"content-type": kind})

    assert "Please say whether to invite them" in answer.text  # after all rows were read


kinds = st.sampled_from([FORM, PARTS, f"{PARTS}; charset=utf-16", JSON, "text/plain", ""])
pieces = st.sampled_from(
    [
        b"--x\r\n",
        b"--x--\r\n",
        b'content-disposition: form-data; name="name"\r\n\r\n',
        b'content-disposition: form-data; name="file"; filename="\xff"\r\n\r\n',
        b"csrf=x&",
        b"name=%ED%A0%80&",
        b'{"name":',
        b"\\ud800",
        b"[" * 50,
        b"\r\n",
        b"\x00",
        b"\xff",
    ]
)
bodies = st.lists(pieces | st.binary(max_size=30), max_size=12).map(b"".join)


@pytest.mark.spec("FD-27")
@given(kind=kinds, body=bodies)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_body_makes_any_form_fail(world: World, kind: str, body: bytes) -> None:
    before = world.dump()

    for pattern in world.routes("POST"):
        for browser in (world.visitor, world.owner):
            answer = browser.ask("POST", world.path(pattern), body, {"content-type": kind})
            assert answer.status < 500, pattern

    assert world.dump() == before


@pytest.mark.spec("FD-27")
def test_a_number_that_no_table_holds_is_answered(world: World) -> None:
    path = world.path("/console/waitlist/slots/{slot}/offers/{seq}/accept", seq="9" * 30)
    csrf = world.owner.get("/console/team").csrf

    assert world.owner.post(path, csrf=csrf).status == 303
