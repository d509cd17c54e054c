"""The style guide in a real browser: readable, large enough to press, and within the strict
policy."""

import json
from pathlib import Path
from typing import Any, Literal

import jinja2
import pytest
from playwright.sync_api import Browser, ConsoleMessage, FloatRect, Page, Route, expect

from frontdesk import web
from frontdesk.core.occasions import Occasion
from frontdesk.core.wording import Action, DetailsCard, FilledWording, Headline, Paragraph
from frontdesk.desks.rsvp.pages.event_page import cover_tiles
from frontdesk.web.colours import accent_palette
from frontdesk.web.mail_layout import MailFrame, html_part
from tests.browser.windows import AXE, overflow_px

WEB = Path(web.__file__).parent
GUIDE = Path(__file__).parents[1] / "web" / "styleguide"
HOST = "http://frontdesk.test"
POLICY = (
    "default-src 'none'; style-src 'self' 'nonce-n0nce'; script-src 'self' 'nonce-n0nce';"
    " img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; frame-src 'self';"
    " base-uri 'none'; connect-src 'self'"
)
PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "/guide": ("styleguide.html", {}),
    "/event": ("styleguide/event.html", {}),
    "/full": ("styleguide/event.html", {"full": True}),
    "/link": ("styleguide/link.html", {}),
    "/after": ("styleguide/link.html", {"after": True}),
    "/problem": (
        "problem.html",
        {
            "happened": "There is nothing here.",
            "means": "The address may have been cut short when it was copied.",
            "way_out": {"url": "/", "label": "To the home page"},
            "calm": True,
        },
    ),
}
TYPES = {".css": "text/css", ".js": "text/javascript"}

environment = jinja2.Environment(
    loader=jinja2.FileSystemLoader([WEB / "templates", GUIDE]),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def answer(route: Route) -> None:
    path = route.request.url.removeprefix(HOST).partition("#")[0]
    if path in PAGES:
        name, more = PAGES[path]
        route.fulfill(
            body=environment.get_template(name).render(context() | more),
            headers={"content-type": "text/html", "content-security-policy": POLICY},
        )
    elif path == "/live":
        counts = json.dumps({"e1.taken": "30", "e1.held": "5", "e1.free": "5"})
        route.fulfill(body=f"event: count\ndata: {counts}\n\n", content_type="text/event-stream")
    else:
        file = WEB / path.lstrip("/")
        route.fulfill(body=file.read_text(), content_type=TYPES[file.suffix])


def context() -> dict[str, Any]:
    return {
        "business_name": "The Glasshouse",
        "accent_css": accent_palette("#ffd400").css,
        "csp_nonce": "n0nce",
        "static_url": "/static/{}".format,
        "now_iso": "2027-03-05T05:46:00Z",
        "page_title": "Supper",
        "nav": [
            {"label": name, "url": "#", "icon": name.lower(), "active": name == "Events"}
            | ({"badge": "12"} if name == "Settings" else {})
            for name in ("Today", "Events", "People", "Messages", "Settings")
        ],
        "signed_in_as": "mira@glasshouse.example",
        "flash": "Saved.",
        "crumbs": [{"label": "Events", "url": "#"}, {"label": "Supper"}],
        "tiles": cover_tiles("supper"),
    }


def opened(
    browser: Browser,
    path: str,
    *,
    width: int = 1280,
    scheme: Literal["light", "dark"] = "light",
    scripts: bool = True,
) -> Page:
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=scripts
    )
    page.route("**/*", answer)
    page.goto(HOST + path)
    return page


@pytest.mark.spec("FD-22", "FD-29")
@pytest.mark.parametrize("width", [390, 820, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_reachable_readable_and_within_the_policy(
    browser: Browser, width: int, scheme: Literal["light", "dark"]
) -> None:
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("console", listen)
    page.route("**/*", answer)
    found = {path: seen(page, path) for path in PAGES}
    page.close()

    assert found == {path: {"axe": [], "small": [], "tight": [], "wide": False} for path in PAGES}
    assert complaints == []


def seen(page: Page, path: str) -> dict[str, Any]:
    """Returns all problems of a page."""
    page.goto(HOST + path)
    page.evaluate(AXE)
    violations = page.evaluate("axe.run()")["violations"]
    return {
        "axe": [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations],
        "small": page.evaluate(SMALL_TEXT),
        "tight": page.evaluate(TIGHT_TARGETS),
        "wide": page.evaluate("document.documentElement.scrollWidth > innerWidth"),
    }


SMALL_TEXT = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
  while (walk.nextNode()) {
    const place = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !place.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(place).fontSize) < 16) small.push(place.outerHTML);
  }
  return small;
}"""

#: A link inside a sentence may be as high as its line.
TIGHT_TARGETS = """() => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((it) => it.checkVisibility() && it.type !== "hidden" && !it.closest(".trap, .skip"))
  .filter((it) => !(it.closest("p, li, .mail-text") && getComputedStyle(it).display === "inline"))
  .filter((it) => (it.closest("label.option") ?? it).getBoundingClientRect().height < 43.5)
  .map((it) => it.outerHTML)"""


PAIR = """
{% from "pieces/forms.html" import field %}
<div class="form pair">
{{ field("mobile", "Mobile", hint="A mobile, an address, or both.", error="Enter one of them.") }}
{{ field("email", "E-mail") }}
</div>
"""


@pytest.mark.parametrize("width", [390, 820])
def test_two_fields_beside_each_other_stay_on_a_line_when_one_has_an_error(
    browser: Browser, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(environment.from_string(PAIR).render())
    page.add_style_tag(path=WEB / "static" / "public.css")
    first, second = (box(page, f"input[name={name}]") for name in ("mobile", "email"))
    error, label = box(page, ".field-error"), box(page, "label[for=f-email]")
    page.close()

    if width == 820:
        assert first["y"] == second["y"]
        assert error["y"] == first["y"] + first["height"] + 8
    else:
        assert label["y"] == error["y"] + error["height"] + 20


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).bounding_box()
    assert found is not None
    return found


@pytest.mark.spec("FD-22")
def test_a_mail_fits_a_phone_however_long_its_words_are(browser: Browser) -> None:
    word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
    what = Occasion(word, "Friday", word, "Nov", "20", "Fri")
    blocks = (Headline(word), Paragraph(word), DetailsCard(), Action("", word, "#"))
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.set_content(
        html_part(FilledWording("", blocks), MailFrame(business=word, what=what, why=word))
    )
    too_wide = overflow_px(page)
    page.close()

    assert too_wide == 0


@pytest.mark.parametrize("width", [390, 820])
def test_a_badge_stands_beside_its_icon(browser: Browser, width: int) -> None:
    page = opened(browser, "/guide", width=width)
    badge = page.locator(".badge").bounding_box()
    icon = page.locator(".desk:has(.badge) .icon").bounding_box()
    page.close()

    assert badge
    assert icon
    assert badge["x"] >= icon["x"] + icon["width"]
    assert badge["x"] + badge["width"] <= width


@pytest.mark.spec("EV-27")
def test_live_counts_reach_the_numbers_and_the_bar(browser: Browser) -> None:
    page = opened(browser, "/guide")
    page.locator("[data-live-key='e1.held'] >> text='5'").first.wait_for()
    bar = page.locator("[data-live-bar] [data-part]")
    shares = [
        (part.get_attribute("data-part"), part.get_attribute("x"), part.get_attribute("width"))
        for part in bar.all()
    ]
    page.close()

    assert shares == [("held", "75%", "12.5%"), ("taken", None, "75%")]


def test_a_countdown_goes_by_the_servers_clock(browser: Browser) -> None:
    page = opened(browser, "/link")
    words = page.locator("time.countdown").inner_text()
    page.close()

    assert " ".join(words.split()) == "until 16:00 today (Singapore time) 2 h 14 min left"


@pytest.mark.spec("FD-22")
def test_without_javascript_a_deadline_is_a_time_in_words(browser: Browser) -> None:
    page = opened(browser, "/link", scripts=False)
    words = page.locator("time.countdown").inner_text()
    page.close()

    assert words == "until 16:00 today (Singapore time)"


def test_a_dangerous_button_asks_first_and_no_leaves_everything(browser: Browser) -> None:
    page = opened(browser, "/guide")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Call the event off").click()
    asked = page.get_by_role("dialog").inner_text().splitlines()[0]
    page.get_by_role("button", name="Keep the event").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.close()

    assert asked == "Call the event off? 38 people are told at once."


def test_yes_posts_the_form_with_the_confirmation(browser: Browser) -> None:
    page = opened(browser, "/guide")
    page.get_by_role("button", name="Take it back").click()
    with page.expect_navigation() as answered:
        page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    request = answered.value.request
    page.close()

    assert (request.method, request.post_data) == ("POST", "csrf=x&confirmed=yes")


def test_typing_narrows_the_list_whatever_the_accents(browser: Browser) -> None:
    page = opened(browser, "/guide")
    page.get_by_role("searchbox").fill("sohne CHARLOTTE")
    rows = page.locator("#guests tbody tr:visible th")
    expect(rows).to_have_text(["Wilhelmina-Charlotte van der Berg-Abdulrahman und Söhne"])
    page.close()


def test_the_printed_door_list_is_a_table_with_boxes_to_tick(browser: Browser) -> None:
    page = opened(browser, "/guide", width=703)
    page.emulate_media(media="print")
    shown = {
        selector: page.locator(selector).first.is_visible()
        for selector in (".rail", ".tools", ".pager", "#guests .tick", "#guests .row-gone")
    }
    display = page.locator("#guests tbody tr").first.evaluate("it => getComputedStyle(it).display")
    page.close()

    assert shown == {
        ".rail": False,
        ".tools": False,
        ".pager": False,
        "#guests .tick": True,
        "#guests .row-gone": False,
    }
    assert display == "table-row"
