"""The log of a journey, of failures and of libraries contains no personal data."""

import json
import logging
from collections.abc import Iterator

import pytest

from frontdesk.desks.rsvp.commands import Cancel
from frontdesk.desks.rsvp.pages import visit
from frontdesk.logs import LibraryLog
from tests.security.world import World
from tests.support.browser import FORM

TOKEN = "AQIAAAGZ0example" * 3 + "q9-_w=="
WHY = f"no row for Ann <ann@example.org>\nnor for {TOKEN}\x9b31m\u2028"


@pytest.fixture
def heard() -> Iterator[logging.Logger]:
    logger, handler = logging.getLogger("some.library"), LibraryLog()
    logger.addHandler(handler)
    yield logger
    logger.removeHandler(handler)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """Returns the log, after checking that each line is JSON in ASCII."""
    found = capsys.readouterr().err
    assert found.isascii()
    return [json.loads(line) for line in found.splitlines()]


@pytest.mark.spec("FD-30", "FD-29")
def test_a_log_record_of_a_library_is_one_line_without_personal_data(
    heard: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise KeyError(WHY)
    except KeyError:
        heard.exception("no mail to %s", "ann@example.org")

    (line,) = lines(capsys)
    assert line.pop("at")
    assert str(line.pop("where")).startswith("test_log_lines.py:")
    assert line == {
        "event": "library",
        "by": "some.library",
        "says": "no mail to (address)",
        "why": "KeyError: 'no row for Ann <(address)>\\nnor for (token)\\x9b31m\\u2028'",
    }


@pytest.mark.spec("FD-30", "FD-29")
def test_a_page_that_breaks_is_logged_without_the_token_in_its_address(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_reads: object) -> None:
        raise ValueError(WHY)

    monkeypatch.setattr(visit, "rsvp", fails)
    token = world.links()["manage"]
    with pytest.raises(ValueError, match="no row"):
        world.visitor.get(f"/l/{token}?do=cancel")

    (line,) = lines(capsys)
    assert (line["event"], line["path"]) == ("page.failed", "/l/(token)")
    assert not {"ann@example.org", TOKEN, token} & set(json.dumps(line).split())
    assert world.con.desk.product.health().broken_pages == 1


@pytest.mark.spec("FD-19", "FD-30")
def test_a_journey_leaves_no_address_and_no_token_in_the_log(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = world.con.desk
    visitor, csrf = world.visitor, world.owner.get("/console/you").csrf
    sign_in = world.sign_in_token()
    visitor.post("/e/pottery", name="Zoe", email="zoe@example.org")
    visitor.ask("POST", "/e/pottery", b"\xff", {"content-type": FORM})
    visitor.post("/sign-in", email="sam@example.org")
    visitor.post(f"/sign-in/{sign_in}")
    visitor.get(f"/sign-in/{sign_in}x")
    for token in world.links().values():
        visitor.post(f"/l/{token}", do="take")
    world.owner.post(f"{world.con.url}/cap", cap="x", csrf=csrf)
    desk.do(Cancel(desk.id("cat")))
    desk.wait(days=1)

    said = "".join(capsys.readouterr())
    secrets = [*world.links().values(), sign_in, csrf, *world.owner.cookies.values()]
    assert [secret for secret in (*secrets, "@example.org", "Zoe") if secret in said] == []
