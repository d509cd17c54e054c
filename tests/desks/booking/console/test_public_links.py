"""The console page with links to the booking page."""

import re
from html import unescape

import pytest

from frontdesk.desks.booking.commands import SetRules
from frontdesk.desks.waitlist.commands import SetCatalogue
from frontdesk.features.catalogue.model import Catalogue
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


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(
    "path", [LINKS, "/console/bookings", "/console/bookings/new", "/console/bookings/why"]
)
def test_a_new_business_is_led_from_its_services_to_its_first_rules(
    salon: Salon, path: str
) -> None:
    host = owner(salon)
    page = host.get(path)
    assert "Say when you are open" in page.says
    assert 'href="/console/bookings/hours/_business"' in page.text
    assert "Not saved yet" in host.get("/console/bookings/rules").says

    salon.run(SetCatalogue(Catalogue()))
    page = host.get(path)
    assert "Say what can be booked" in page.says
    assert 'href="/console/bookings/services"' in page.text

    salon.run(SetRules(RULES))
    assert "Say what can be booked" not in host.get(path).says


def test_nothing_offers_to_book_before_there_is_a_service(salon: Salon) -> None:
    host = owner(salon)
    before = host.get("/console/bookings").says
    salon.run(SetRules(RULES))

    assert "Book for a customer" not in before
    assert "Book for a customer" in host.get("/console/bookings").says


def test_only_staff_see_the_links(salon: Salon) -> None:
    assert salon.visitor.get(LINKS).status != 200
