"""Any request to the public pages gets a clear answer without an error, and changes nothing."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontdesk.core.links import TOKEN_CHARACTERS
from frontdesk.web.limits import Limits
from tests.support.server import FORM, Page, Served, serve

EXAMPLES = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Has an event with one guest and one person in line."""
    with serve(tmp_path_factory.mktemp("data")) as served:
        served.desk.given(cap=1, party_limit=3, confirmed=["ann"], line=["bob"])
        served.desk.product.site.limits = Limits(enabled=False)
        yield served
        assert served.desk.settle().problems() == []


def assert_calm(page: Page) -> None:
    assert page.status < 500, page.body
    assert page.body
    assert "Traceback" not in page.body


kinds = st.sampled_from(
    [
        FORM,
        "application/json",
        "application/json; charset=utf-16",
        "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=" + "y" * 300,
        "text/plain",
        "",
    ]
)
paths = st.sampled_from(["/e/pottery", "/e/pottery/embed", "/api/events/pottery/guests"])
bodies = st.one_of(
    st.binary(max_size=400),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=100).map(lambda text: f"name={text}&email={text}&party={text}".encode()),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    ).map(lambda value: repr(value).encode("utf-8", "replace")),
)


@pytest.mark.spec("FD-27")
@given(path=paths, kind=kinds, body=bodies)
@EXAMPLES
def test_no_body_makes_a_public_page_fail_or_change_anything(
    served: Served, path: str, kind: str, body: bytes
) -> None:
    before = served.dump()

    page = served.visitor.send("POST", path, body, {"content-type": kind})

    assert_calm(page)
    assert page.status >= 400
    assert served.dump() == before


fields = st.fixed_dictionaries(
    {"name": st.text(max_size=200), "email": st.text(max_size=300)},
    optional={"party": st.text(max_size=12), "website": st.text(max_size=5)},
)


@pytest.mark.spec("FD-27", "FD-29")
@given(typed=fields)
@EXAMPLES
def test_any_input_is_shown_as_text(served: Served, typed: dict[str, str]) -> None:
    marked = typed | {"name": typed["name"] + "<i>\"'", "email": typed["email"] + "<i>\"'"}

    page = served.visitor.post("/e/pottery", **marked)

    assert_calm(page)
    assert page.status == 422
    assert "<i>" not in page.body


segments = st.text(
    st.characters(exclude_characters="/?#", exclude_categories=["Cs"]), min_size=1, max_size=80
)


@pytest.mark.spec("FD-27")
@given(slug=segments, method=st.sampled_from(["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"]))
@EXAMPLES
def test_no_address_makes_a_page_fail(served: Served, slug: str, method: str) -> None:
    from urllib.parse import quote

    before = served.dump()

    for path in ("/e/{}", "/e/{}/embed", "/api/events/{}", "/api/events/{}/guests", "/l/{}"):
        page = served.visitor.send(method, path.format(quote(slug, safe="")), b"")
        assert page.status < 500
    assert served.dump() == before


tokens = st.text(
    st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="),
    min_size=TOKEN_CHARACTERS - 2,
    max_size=TOKEN_CHARACTERS + 2,
)


@pytest.mark.spec("FD-08", "FD-27")
@given(token=tokens, part=st.sampled_from(["", "/calendar.ics", "/x", "?do=cancel"]))
@EXAMPLES
def test_no_token_that_we_did_not_sign_opens_anything(
    served: Served, token: str, part: str
) -> None:
    before = served.dump()

    shown = served.visitor.get(f"/l/{token}{part}")
    pressed = served.visitor.post(f"/l/{token}", do="cancel")

    assert (shown.status, pressed.status) == (404, 404)
    assert served.dump() == before


@pytest.mark.spec("FD-08")
@given(place=st.integers(0, TOKEN_CHARACTERS - 1), to=st.sampled_from("AQgw-_09zZ="))
@EXAMPLES
def test_no_character_of_a_good_token_can_be_changed(served: Served, place: int, to: str) -> None:
    token = served.link("ann", "See my ticket").rpartition("/")[2]
    changed = token[:place] + to + token[place + 1 :]
    before = served.dump()

    page = served.visitor.post(f"/l/{changed}", do="party", party=0)

    assert page.status == (200 if changed == token else 404)
    assert served.dump() == before


header_values = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=120)


@pytest.mark.spec("FD-27")
@given(
    headers=st.dictionaries(
        st.sampled_from(
            [
                "accept",
                "accept-language",
                "content-type",
                "cookie",
                "idempotency-key",
                "origin",
                "range",
                "referer",
                "user-agent",
                "x-forwarded-for",
                "x-forwarded-proto",
            ]
        ),
        header_values,
        max_size=5,
    )
)
@EXAMPLES
def test_no_header_makes_a_page_fail(served: Served, headers: dict[str, str]) -> None:
    before = served.dump()

    assert served.visitor.send("GET", "/e/pottery", headers=headers).status == 200
    assert_calm(served.visitor.send("POST", "/e/pottery", b"name=&email=", headers))
    assert served.dump() == before


@pytest.mark.spec("FD-29")
def test_a_press_leads_nowhere_but_to_the_link_itself(served: Served) -> None:
    link = served.link("ann", "See my ticket")

    page = served.visitor.send(
        "POST",
        f"{link}?next=https://evil.example&do=x",
        b"do=x&next=https%3A%2F%2Fevil.example",
        {"content-type": FORM, "host": "evil.example"},
    )

    assert (page.status, page.headers["location"]) == (303, f"/l/{link.rpartition('/')[2]}")
