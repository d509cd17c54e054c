"""A hundred clients for one time over HTTP: exactly one booking."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlencode

import pytest
import urllib3

from frontdesk.web.limits import Limits
from tests.desks.booking.pages.shop import SPA, Shop, at, text
from tests.support.server import FORM

CLIENTS = 100


@pytest.mark.spec("BK-11")
def test_of_a_hundred_clients_for_one_time_exactly_one_books_it(shop: Shop) -> None:
    shop.given(services=(SPA,))
    shop.served.desk.product.site.limits = Limits(enabled=False)
    start = Barrier(CLIENTS)

    def client(number: int) -> int:
        form = {
            "service": "Head spa",
            "at": text(at(10)),
            "name": f"Guest {number}",
            "contact": f"guest{number}@example.org",
        }
        with urllib3.PoolManager() as http:
            start.wait()
            answer = http.request(
                "POST",
                f"{shop.served.base_url}/book",
                body=urlencode(form),
                headers={"content-type": FORM},
                redirect=False,
                retries=False,
                timeout=60,
            )
        return answer.status

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = Counter(pool.map(client, range(CLIENTS)))

    assert answers == {303: 1, 409: CLIENTS - 1}
    assert len([one for one in shop.bookings() if one.takes_time]) == 1
