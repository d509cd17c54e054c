"""A stranger who knows somebody's address learns and changes nothing with the public forms."""

import json
from datetime import date

import pytest

from frontdesk.desks.reminders.commands import PlanTick
from tests.desks.booking.pages.shop import ANN, Shop, at, text
from tests.support.data_file import run_sql

FRIDAY = date(2026, 11, 27)
#: The number that a stranger types beside somebody else's address.
STRANGE = "+6591234567"


def texts_to(shop: Shop, mobile: str) -> list[str]:
    data_dir = shop.served.desk.product.settings.data_dir
    sql = "SELECT text FROM fd_message WHERE to_mobile = ?"
    return [found for (found,) in run_sql(data_dir, sql, mobile)]


@pytest.mark.spec("FD-11", "BK-13")
def test_a_number_that_a_stranger_typed_beside_an_address_gets_none_of_its_messages(
    shop: Shop,
) -> None:
    """It gets neither the confirmation nor the reminders, although these name all visits of a day.
    (Reminders give the time of the business, which is UTC here.)"""
    shop.given().do(PlanTick())
    theirs = {"name": "Eve", "email": ANN["contact"], "mobile": STRANGE}
    body = json.dumps({"service": "Haircut", "at": text(at(9, on=FRIDAY)), **theirs}).encode()
    shop.visitor.send("POST", "/api/booking", body, {"content-type": "application/json"})
    shop.settle()

    shop.book(at(14, on=FRIDAY))
    for _ in range(11):
        shop.wait(days=1)

    of_stranger = texts_to(shop, STRANGE)
    assert len(of_stranger) == 3, "the confirmation and two reminders of their own booking"
    assert not any("14:00" in each or "06:00" in each for each in of_stranger)
    assert shop.told(ANN["contact"]) == [
        "Confirmed: Haircut on Friday 27 November, 14:00 (SGT)",
        "Your appointment in 3 days: Haircut",
        "Haircut tomorrow at 06:00: please confirm",
    ]
