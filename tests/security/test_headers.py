"""Security headers of every response."""

from pathlib import Path

import pytest

from tests.desks.rsvp.console_desk import console_desk
from tests.support.browser import Browser

ANSWERS = ("/e/pottery", "/e/none", "/sign-in", "/console", "/api/events/pottery", "/health")


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    ("base_url", "said"),
    [("https://desk.example", "max-age=31536000"), ("http://desk.example", None)],
    ids=["https", "http"],
)
def test_a_site_with_https_is_never_visited_without_it_again(
    tmp_path: Path, base_url: str, said: str | None
) -> None:
    with console_desk(tmp_path, base_url=base_url) as con:
        con.desk.given(cap=1)
        visitor = Browser(con.app, base_url)

        found = {
            path: visitor.get(path).headers.get("strict-transport-security") for path in ANSWERS
        }

    assert found == dict.fromkeys(ANSWERS, said)


@pytest.mark.spec("FD-29")
def test_json_is_sent_with_its_own_content_type(tmp_path: Path) -> None:
    with console_desk(tmp_path) as con:
        con.desk.given(cap=1)
        visitor, owner = Browser(con.app, "http://desk.example"), con.owner()
        json = {"accept": "application/json"}
        answers = [
            visitor.ask("GET", "/nothing", headers=json),
            visitor.ask("GET", con.url, headers=json),
            visitor.get("/api/events/pottery"),
            visitor.get("/api/events/none"),
            owner.get(f"{con.url}/live?poll=1"),
        ]

    assert [
        (answer.status, answer.headers["content-type"], answer.headers["x-content-type-options"])
        for answer in answers
    ] == [(status, "application/json", "nosniff") for status in (404, 401, 200, 404, 200)]
