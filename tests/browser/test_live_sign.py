"""The sign beside live numbers where each response ends and the page asks again, as on AWS."""

from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

import frontdesk.web

SCRIPT = Path(frontdesk.web.__file__).parent / "static" / "live.js"
SITE = "https://desk.example"
PAGE = """
<span data-live="/counts" data-live-on="Live" data-live-lost="Lost"
  ><i data-live-state>Off</i></span>
<b data-live-key="seats"></b>
<script>
  const said = [];
  const words = document.querySelector("[data-live-state]");
  new MutationObserver(() => said.push(words.textContent)).observe(words, { childList: true });
</script>
<script src="/live.js"></script>
"""


@pytest.mark.home("AWS")
@pytest.mark.spec("EV-27")
def test_numbers_that_the_page_asks_for_again_stay_live_between_the_answers(
    browser: Browser,
) -> None:
    page, answers = browser.new_page(), count(1)

    def counts(route: Route) -> None:
        told = f'retry: 50\nevent: count\ndata: {{"seats": "{next(answers)}"}}\n\n'
        route.fulfill(body=told, content_type="text/event-stream")

    page.route(f"{SITE}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/live.js", lambda route: route.fulfill(path=SCRIPT))
    page.route(f"{SITE}/counts", counts)
    page.goto(f"{SITE}/")

    page.wait_for_function("parseInt(document.querySelector('[data-live-key]').textContent) >= 4")
    assert set(page.evaluate("said")) == {"Live"}
    page.close()
