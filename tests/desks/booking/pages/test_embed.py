"""The booking page on another site: one script tag, no cookies; a booking leaves the frame."""

import re

import pytest

from frontdesk.desks.booking.pages import snippets
from tests.desks.booking.pages.shop import ANN, Shop, hrefs, place, text, times_in
from tests.desks.booking.pages.shop import at as wall


@pytest.mark.spec("BK-36")
def test_only_the_pages_for_frames_can_be_framed(shop: Shop) -> None:
    shop.given()
    framed = {
        path: "frame-ancestors *" in shop.get(path).headers["content-security-policy"]
        for path in ("/book", "/book/haircut", "/book/embed", "/book/embed/haircut")
    }
    booked = shop.book()

    assert framed == {
        "/book": False,
        "/book/haircut": False,
        "/book/embed": True,
        "/book/embed/haircut": True,
    }
    assert booked.headers["x-frame-options"] == "DENY"


@pytest.mark.spec("BK-36")
def test_one_books_in_a_frame_without_any_cookie(shop: Shop) -> None:
    page = shop.given().get("/book/embed/haircut")
    leaving = [each for each in hrefs(page) if each.startswith("/book") and "/embed" not in each]
    assert leaving == ["/book/link"]
    assert '<a href="/book/link" target="_top">' in page.body

    chosen = shop.post("/book/embed/choose", **page.fields, at=times_in(page)[0])
    assert place(chosen).startswith("/book/embed/haircut?")
    assert "We hold this time for you" in chosen.says
    form = re.search(r"<form[^>]*>", chosen.body.partition("deadline")[2])
    assert form is not None
    assert 'action="/book" target="_top"' in form[0]

    assert shop.post("/book", **{**chosen.fields, **ANN}).heading == "It's booked."


def test_the_frame_tells_its_height_and_has_no_head_and_foot(shop: Shop) -> None:
    page = shop.given().get("/book/embed")

    assert "frontdeskHeight" in page.body
    assert "public-head" not in page.body
    assert "public-foot" not in page.body


def test_the_frame_keeps_the_input(shop: Shop) -> None:
    page = shop.given().post("/book/embed/choose", service="Haircut", at=text(wall(10)), **ANN)

    assert "frame-ancestors *" in page.headers["content-security-policy"]
    assert page.fields["contact"] == ANN["contact"]


@pytest.mark.spec("BK-36")
def test_the_script_is_plain_javascript_for_any_site(shop: Shop) -> None:
    page = shop.get("/book/embed.js")

    assert page.status == 200
    assert page.headers["content-type"] == "text/javascript; charset=utf-8"
    assert page.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "{{" not in page.body


def test_the_snippet_is_one_script_tag() -> None:
    site = "https://salon.example"

    assert snippets(site).script == (
        '<script src="https://salon.example/book/embed.js" async></script>'
    )
    assert snippets(site, "Head spa").script == (
        '<script src="https://salon.example/book/embed.js" data-page="/head-spa" async></script>'
    )
    assert 'src="https://salon.example/book/embed/head-spa"' in snippets(site, "Head spa").frame
