"""The console page with the links of the booking page."""

import re
from html import unescape

import pytest

from frontdesk.desks.booking.commands import SetRules
from frontdesk.values import replace
from tests.desks.booking.pages.shop import CUT, RULES, SPA
from tests.desks.waitlist.console.counter import owner
from tests.support.salon import Salon

LINKS = "/console/bookings/links"


@pytest.mark.spec("BK-36")
def test_an_owner_copies_links_to_services_private_ones_too(salon: Salon) -> None:
    salon.run(SetRules(replace(RULES, services=(CUT, replace(SPA, unlisted=True)))))

    page = owner(salon).get(LINKS)

    codes = [unescape(each) for each in re.findall(r"<code>(.*?)</code>", page.body.decode())]
    book, cut, spa, script, frame = codes
    assert book.endswith("/book")
    assert cut.endswith("/book/haircut")
    assert "/book/head-spa?key=" in spa
    assert (script.startswith("<script src="), frame.startswith("<iframe src=")) == (True, True)
    assert "Head spa · private link" in page.says
    assert "Service Head spa" in salon.visitor.get(spa).says
    assert salon.visitor.get(spa.partition("?")[0]).status == 404


def test_without_services_the_page_says_what_to_do_first(salon: Salon) -> None:
    page = owner(salon).get(LINKS)

    assert "Write the rules" in page.says


def test_only_staff_see_the_links(salon: Salon) -> None:
    assert salon.visitor.get(LINKS).status != 200
