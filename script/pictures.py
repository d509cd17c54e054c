"""Takes the pictures of README and docs from a running demo, so that they show the present pages.

script/pictures [NAME ...]
"""

import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from script.fuzz_run import Server, started

IMAGES: Final = Path(__file__).parents[1] / "docs" / "images"
PHONE: Final = (390, 800)
WINDOW: Final = (1280, 1092)
#: Keeps a picture of two pages below the 200 KB that tests allow.
SMALLER: Final = 0.9
#: A window of the console, with a phone in front of it.
_BESIDE: Final = """
<body style="margin:0;width:1264px;height:840px;background:#ebeef8;position:relative">
<img src="{window}" style="position:absolute;left:48px;top:48px;width:872px;height:744px;
  border-radius:14px;box-shadow:0 6px 24px #0002">
<img src="{phone}" style="position:absolute;left:912px;top:168px;width:288px;height:588px;
  border:8px solid #111318;border-radius:28px;box-shadow:0 6px 24px #0003">
"""
#: The list of guests in the picture of an import.
_PASTED: Final = """\
Ann Lee, ann@example.org, 2
Bob Tan <bob@example.org>
cleo@example.org
Amara Lindqvist, amara.lindqvist@example.org
nora@example
"""


class Studio:
    """Shows the demo in a browser: the console to the owner, the pages to customers on a phone."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.base = f"http://127.0.0.1:{server.port}"
        self._browser, self._folder = browser, server.folder
        self._cookies = [
            {"name": name, "value": value, "url": self.base}
            for name, _, value in (one.partition("=") for one in server.cookies.split("; "))
        ]

    def _opened(
        self, size: tuple[int, int], *, signed_in: bool, scale: float = 1
    ) -> BrowserContext:
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            base_url=self.base,
            locale="en-GB",
            device_scale_factor=scale,
        )
        if signed_in:
            context.add_cookies(self._cookies)  # type: ignore[arg-type]
        return context

    def console(self, path: str, size: tuple[int, int] = WINDOW) -> Page:
        page = self._opened(size, signed_in=True).new_page()
        page.goto(path)
        return page

    def phone(self, path: str) -> Page:
        page = self._opened(PHONE, signed_in=False).new_page()
        page.goto(path)
        return page

    def event(self, name: str, part: str = "", size: tuple[int, int] = WINDOW) -> Page:
        """Returns a page of an event in the console."""
        page = self.console("/console/events", size)
        page.get_by_role("link", name=name).first.click()
        page.goto(f"{page.url}{part}")
        return page

    def linked(self, kind: str, desk: str, heading: str) -> Page:
        """Opens on a phone the newest page with this heading to which a message of this kind
        links."""
        with sqlite3.connect(f"file:{self._folder}/frontdesk.db?mode=ro", uri=True) as db:
            query = """
                SELECT m.text FROM fd_send s JOIN fd_message m USING (send_id)
                WHERE s.kind = ? AND s.desk = ? ORDER BY m.sent_at DESC
            """
            texts = [text for (text,) in db.execute(query, (kind, desk))]
        for link in filter(None, (re.search(r"/l/[\w-]+", each) for each in texts)):
            page = self.phone(link[0])
            if heading in " ".join(page.locator("h1").inner_text().split()):
                return page
        raise LookupError(f"the demo has no message {kind} of {desk} with '{heading}'")

    def beside(self, window: Page, phone: Page) -> Page:
        """Joins a window of the console and a phone on one page."""
        with tempfile.TemporaryDirectory() as folder:
            names = {"window": window, "phone": phone}
            for name, page in names.items():
                page.screenshot(path=f"{folder}/{name}.png")
            html = Path(folder, "both.html")
            html.write_text(_BESIDE.format(**{name: f"{name}.png" for name in names}))
            both = self._opened((1264, 840), signed_in=False, scale=SMALLER).new_page()
            both.goto(html.as_uri(), wait_until="load")
            return both


def _held_time(studio: Studio) -> Page:
    page = studio.phone("/book")
    page.locator("button.best").first.click()
    return page


def _import(studio: Studio) -> Page:
    page = studio.event("Pottery workshop", "/import", (1100, 1240))
    page.fill("[name=pasted]", _PASTED)
    page.get_by_role("button", name="See what is in it").click()
    return page


def _new_event(studio: Studio) -> Page:
    page = studio.console("/console/events/new", (1100, 1400))
    page.fill("[name=name]", "Pottery workshop")
    in_a_month = datetime.now(UTC).date() + timedelta(days=30)
    page.fill("[name=starts]", f"{in_a_month}T18:00")
    page.fill("[name=ends]", f"{in_a_month}T20:30")
    page.fill("[name=venue]", "12 Kiln Lane")
    page.fill("[name=description]", "Throw your first bowl. Clay, apron and tea are there.")
    return page


def _request(studio: Studio) -> Page:
    page = studio.console("/console/waitlist/requests", (1120, 900))
    page.get_by_role("link", name="Noor Haddad").first.click()
    return page


PICTURES: Final[dict[str, Callable[[Studio], Page]]] = {
    "today": lambda one: one.beside(one.console("/console"), one.linked("offer", "wl", "A time")),
    "booking": lambda one: one.beside(one.console("/console/bookings"), one.phone("/book")),
    "booking-page": lambda one: one.beside(one.console("/book"), _held_time(one)),
    "reminders": lambda one: one.beside(
        one.console("/console/reminders"), one.linked("first_reminder", "ar", "Are you coming?")
    ),
    "waitlist": lambda one: one.beside(
        one.console("/console/waitlist"), one.linked("offer", "wl", "A time")
    ),
    "frontdesk": lambda one: one.beside(one.event("Supper by candlelight"), one.phone("/e/supper")),
    "new-event": _new_event,
    "import": _import,
    "line": lambda one: one.event("Supper by candlelight", "/line", (1100, 960)),
    "offer": lambda one: one.linked("offer", "ev", "A seat"),
    "door": lambda one: one.event("Pottery workshop", "/door", PHONE),
    "request": _request,
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(PICTURES)
    if unknown:
        print(f"There is no picture {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    with (
        tempfile.TemporaryDirectory(prefix="pictures-") as folder,
        started(Path(folder), Path(folder, "log")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        studio = Studio(browser, server)
        for name in names or PICTURES:
            PICTURES[name](studio).screenshot(path=IMAGES / f"{name}.png")
            print(name)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
