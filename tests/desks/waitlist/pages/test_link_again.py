"""A person on the list asks for a lost link; a stranger gets the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.wiring.one_machine import web_app
from tests.support.browser import Answer, Browser
from tests.support.salon import Salon
from tests.support.salon import salon as open_salon

PAGE = "/waitlist/link"


@pytest.fixture
def salon(tmp_path: Path) -> Iterator[Salon]:
    with open_salon(tmp_path) as opened:
        yield opened


def ask(salon: Salon, contact: str) -> Answer:
    browser = Browser(web_app(salon.product), salon.product.settings.base_url)
    answer = browser.post(PAGE, contact=contact)
    salon.settle()
    return answer


@pytest.mark.spec("WL-06", "FD-28")
def test_a_lost_message_is_sent_again_and_a_stranger_hears_the_same(salon: Salon) -> None:
    salon.joins("Ann")
    salon.joins("Bob", email="", mobile="+6591234567")

    answers = [ask(salon, each) for each in ("ann@example.org", "9123 4567", "zoe@example.org")]

    [same] = {(answer.status, answer.says) for answer in answers}
    assert same[0] == 200
    assert len(salon.messages("ann@example.org")) == 1
    assert len(salon.messages("+6591234567")) == 1
    page = salon.visitor.get(salon.last_link("ann@example.org"))
    assert "first" in page.says


def test_the_same_link_can_be_asked_for_again_later(salon: Salon) -> None:
    salon.joins("Ann")

    for _ in range(2):
        ask(salon, "ann@example.org")
        salon.later(timedelta(minutes=30))

    assert len(salon.messages("ann@example.org")) == 2


def test_an_invalid_contact_is_an_error_at_the_field(salon: Salon) -> None:
    answer = ask(salon, "")

    assert (answer.status, "Please give an e-mail address or a mobile number." in answer.says) == (
        422,
        True,
    )
    assert f'href="{PAGE}"' in salon.visitor.get("/waitlist").body
