"""Provides a browser for each module here, and the whole product in virtual time."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.windows import PATIENCE_MS, Windows, windows_on
from tests.support.server import Served, serve

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closes after each module: while it is open, no other test can run an event loop."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serves the product with its empty console."""
    with serve(tmp_path_factory.mktemp("data"), console=True) as served:
        yield served


@pytest.fixture
def windows(browser: Browser, stage: Served) -> Iterator[Windows]:
    """Fails the test if a page logs an error."""
    with windows_on(browser, stage.base_url) as opened:
        yield opened
