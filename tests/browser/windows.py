"""Opens pages in a real browser, records their errors, and inspects them with axe."""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    WebError,
)

AXE: Final = (files("axe_playwright_python") / "axe.min.js").read_text()
PHONE: Final = 390
DESK: Final = 1280
#: Time for a page to show something, on a busy machine.
PATIENCE_MS: Final = 60_000
#: The folder of screenshots for people.
SCREENSHOTS: Final = Path(__file__).parents[2] / "build" / "screenshots"

Scheme = Literal["light", "dark"]


@dataclass
class Windows:
    """Opens windows on one site and records errors in them."""

    browser: Browser
    host: str
    now: datetime | None = None
    """The time in its windows; by default the real one."""
    contexts: list[BrowserContext] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, *, width: int = DESK, scheme: Scheme = "light", scripts: bool = True) -> Page:
        """Opens a window with its own cookies, like that of another person."""
        context = self.browser.new_context(
            base_url=self.host,
            viewport={"width": width, "height": 844 if width == PHONE else 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        if self.now is not None:
            context.clock.set_fixed_time(self.now)
        context.on("console", self._says)
        context.on("weberror", self._broke)
        context.on("request", self._asked)
        context.on("response", self._answered)
        self.contexts.append(context)
        return context.new_page()

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def _says(self, message: ConsoleMessage) -> None:
        """Records what a page logs, except missing resources, which `_answered` handles. Setting
        the clock needs a script, which frames without scripts refuse."""
        if message.text.startswith("Failed to load resource"):
            return
        if self.now is None or not message.text.startswith("Blocked script execution in"):
            self.errors.append(f"{message.type}: {message.text}")

    def _broke(self, error: WebError) -> None:
        self.errors.append(str(error.error))

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.host, "data:")):
            self.errors.append(f"asks {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= (500 if response.request.is_navigation_request() else 400):
            self.errors.append(f"{response.status} for {response.url}")


@contextmanager
def windows_on(browser: Browser, host: str, now: datetime | None = None) -> Iterator[Windows]:
    """Closes the windows at the end, and fails the test if a page has logged an error."""
    windows = Windows(browser, host, now)
    yield windows
    windows.close()
    assert windows.errors == []


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Runs axe with these rules, or all of them, outside the policy of the page, which allows no
    other script."""
    return inspect_page(page, rules)[0]


def inspect_page(page: Page, rules: Sequence[str] = ()) -> tuple[list[str], int]:
    """Returns the findings of axe and the horizontal overflow in one call."""
    if not page.evaluate("'axe' in window"):
        page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE})
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    found, wide = page.evaluate(LOOK, {"resultTypes": ["violations"], **only})
    return [
        f"{rule['impact']}: {rule['id']}: {node['html'][:200]}"
        for rule in found
        for node in rule["nodes"]
    ], int(wide)


#: Returns only the needed part of axe's report.
LOOK: Final = """async (options) => {
  const found = (await axe.run(document, options)).violations;
  const page = document.documentElement;
  const htmlOf = ({ html }) => ({ html });
  return [
    found.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(htmlOf) })),
    page.scrollWidth - page.clientWidth,
  ];
}"""


def overflow_px(page: Page) -> int:
    """Returns how far a page can be scrolled to the side, in pixels."""
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(wide))


def keep_picture(page: Page, name: str, width: int, scheme: Scheme) -> None:
    """Saves a picture of the whole page, as the browser has it; waiting until it stands still takes
    longer.

    Only on demand: `FRONTDESK_PICTURES=yes script/test tests/browser`.
    """
    if not os.environ.get("FRONTDESK_PICTURES"):
        return
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    lens = page.context.new_cdp_session(page)
    size = lens.send("Page.getLayoutMetrics")["cssContentSize"]
    taken = lens.send(
        "Page.captureScreenshot",
        {
            "format": "png",
            "optimizeForSpeed": True,
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": width, "height": size["height"], "scale": 1},
        },
    )
    lens.detach()
    (SCREENSHOTS / f"{name}-{width}-{scheme}.png").write_bytes(b64decode(taken["data"]))
