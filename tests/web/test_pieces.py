"""The pieces of pages: safe, complete in words, and light."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import pytest

from frontdesk import web
from frontdesk.desks.rsvp.pages.event_page import ACROSS, DOWN, cover_tiles
from frontdesk.web.colours import DEFAULT_ACCENT, accent_palette

WEB = Path(web.__file__).parent
PAGES = ["styleguide.html", "styleguide/event.html", "styleguide/link.html", "console/confirm.html"]
PROBLEM = "problem.html"
HOSTILE = "<script>alert('x')</script>\" onload=\"x"

environment = jinja2.Environment(
    loader=jinja2.FileSystemLoader([WEB / "templates", Path(__file__).parent / "styleguide"]),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(name: str, **more: Any) -> str:
    """Renders a page as the web layer would."""
    return environment.get_template(name).render(
        {
            "business_name": "The Glasshouse",
            "accent_css": accent_palette(DEFAULT_ACCENT).css,
            "csp_nonce": "n0nce",
            "static_url": "/static/{}".format,
            "now_iso": "2027-03-05T05:46:00Z",
            "page_title": "Supper",
            "nav": [
                {"label": "Today", "url": "/", "icon": "today", "active": True, "badge": "3"},
                {"label": "Events", "url": "/events", "icon": "events", "active": False},
            ],
            "signed_in_as": "mira@glasshouse.example",
            "flash": None,
            "crumbs": [],
            "tiles": cover_tiles("supper"),
            "happened": "This offer has ended",
            "means": "You are still on the list.",
            "way_out": {"url": "/", "label": "See where you stand"},
            "question": "Call the event off?",
            "action": "/events/1/call-off",
            "label": "Call it off",
            "keep_label": "Keep it",
            "keep_url": "/events/1",
            "fields": {"csrf": "secret"},
            **more,
        }
    )


def piece(source: str, **values: Any) -> str:
    """Renders a template macro with some values, on one line."""
    return " ".join(environment.from_string(source).render(values).split())


class Tags(HTMLParser):
    """Collects every opening tag with its attributes, and the text between tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def words(self) -> str:
        return " ".join(self.text.split())


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("name", [*PAGES, PROBLEM])
def test_no_page_carries_inline_styles_scripts_or_handlers(name: str) -> None:
    for tag, attributes in Tags(page(name)).tags:
        assert "style" not in attributes
        assert [key for key in attributes if key.startswith("on")] == []
        if tag == "style" or (tag == "script" and "src" not in attributes):
            assert attributes == {"nonce": "n0nce"}


@pytest.mark.parametrize("name", [*PAGES, PROBLEM])
def test_ids_are_unique_and_every_reference_finds_its_element(name: str) -> None:
    tags = Tags(page(name)).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    wanted = {
        reference
        for _, attributes in tags
        for key in ("for", "aria-describedby", "aria-labelledby", "data-copy", "data-filter")
        for reference in (attributes.get(key) or "").split()
    }

    assert len(ids) == len(set(ids))
    assert wanted - set(ids) == set()


@pytest.mark.spec("FD-22")
@pytest.mark.parametrize("more", [{}, {"full": True}])
def test_a_public_page_is_light_and_asks_for_one_file_more(more: dict[str, bool]) -> None:
    html = page("styleguide/event.html", **more)
    requests = [
        attributes.get("href") or attributes.get("src")
        for tag, attributes in Tags(html).tags
        if tag in ("link", "script", "img", "iframe")
    ]

    assert [url for url in requests if url and not url.startswith("data:")] == [
        "/static/public.css"
    ]
    assert len(html.encode()) + (WEB / "static/public.css").stat().st_size < 60_000


def test_scripts_stay_small() -> None:
    sizes = {script.name: script.stat().st_size for script in (WEB / "static").glob("*.js")}

    assert sizes.pop("list.js") <= 16_384  # the table that staff edit like a sheet
    assert sizes.pop("rules.js") <= 4_096  # the editor that checks the text during typing
    assert sizes.pop("week_hours.js") <= 4_096  # the grid in which staff paint hours
    assert {name: size for name, size in sizes.items() if size > 3_072} == {}
    assert (WEB / "templates/inline/countdown.js").stat().st_size <= 2_048


def test_a_page_of_the_console_loads_the_scripts_that_it_has_something_for() -> None:
    assert scripts_of(page("console/confirm.html")) == ["console.js"]
    assert scripts_of(page("styleguide.html")) == [
        "console.js",
        "live.js",
        "copy.js",
        "narrow.js",
    ]


def scripts_of(html: str) -> list[str]:
    return [
        (attributes["src"] or "").rpartition("/")[2]
        for tag, attributes in Tags(html).tags
        if tag == "script" and "src" in attributes
    ]


@pytest.mark.spec("FD-22")
def test_nothing_is_asked_of_other_hosts() -> None:
    for sheet in ("public.css", "console.css"):
        css = (WEB / "static" / sheet).read_text()
        assert re.findall(r"@import|url\((?!\"data:)", css) == []
    for name in [*PAGES, PROBLEM]:
        for tag, attributes in Tags(page(name)).tags:
            source = attributes.get("src") or (attributes.get("href") if tag == "link" else None)
            assert not (source or "").startswith(("http", "//"))


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize(
    "source",
    [
        '{% from "pieces/people.html" import person_row %}{{ person_row(x, x, x) }}',
        '{% from "pieces/people.html" import offer_card %}{{ offer_card(x, x, "good", x, x, x) }}',
        '{% from "pieces/forms.html" import field %}{{ field("n", x, x, hint=x, error=x) }}',
        '{% from "pieces/forms.html" import text_area %}{{ text_area("n", x, x) }}',
        '{% from "pieces/forms.html" import post_button %}{{ post_button(x, x, {"a": x}) }}',
        '{% from "pieces/messages.html" import mail_preview %}{{ mail_preview(x, x, x, text=x) }}',
        '{% from "pieces/messages.html" import text_preview %}{{ text_preview(x, x, x) }}',
        '{% from "pieces/boxes.html" import snippet %}{{ snippet("s", x, x) }}',
        '{% from "pieces/notices.html" import flash_bar %}{{ flash_bar(x, undo_url=x) }}',
        '{% from "pieces/status.html" import chip, stat %}{{ chip(x) }}{{ stat(x, x, x) }}',
        '{% from "pieces/charts.html" import line %}{{ line(x, [{"label": x, "value": 1}], x) }}',
        (
            '{% from "pieces/tables.html" import data_table %}'
            '{{ data_table("t", x, [{"key": "a", "label": x}], [{"cells": {"a": x}, "url": x}]) }}'
        ),
        '{% from "pieces/tables.html" import data_table %}{{ data_table("t", x, [], [], x) }}',
    ],
)
def test_text_from_people_stays_text(source: str) -> None:
    tags = Tags(piece(source, x=HOSTILE)).tags

    assert [tag for tag, attributes in tags if tag == "script" or "onload" in attributes] == []


METER = '{% from "pieces/seats.html" import seat_meter %}'


@pytest.mark.spec("FD-22")
def test_the_seat_meter_says_in_words_what_it_draws() -> None:
    html = piece(METER + "{{ seat_meter('m', 15, 2, 7, 3, '7 of 24 seats left') }}")
    squares = html.split("</svg>")[0]
    drawn = [squares.count(f'"seat-{part}"') for part in ("taken", "held", "free")]

    assert drawn == [15, 2, 7]
    assert Tags(html).words() == "7 of 24 seats left taken 15 held 2 free 7 waiting 3"


def test_a_large_room_is_a_bar_with_shares() -> None:
    html = piece(METER + "{{ seat_meter('m', 150, 30, 20) }}")

    assert 'x="75.00%" width="15.00%"' in html
    assert 'class="seat-taken" width="75.00%"' in html


def test_a_room_with_more_promised_than_it_holds_draws_no_free_seat() -> None:
    html = piece(METER + "{{ seat_meter('m', 10, 2, -4) }}")

    assert html.split("</svg>")[0].count('"seat-free"') == 0
    assert Tags(html).words() == "taken 10 held 2 free 0 waiting 0"


def test_a_live_meter_names_its_keys() -> None:
    html = piece(METER + "{{ seat_meter('m', 1, 0, 1, live='e1') }}")

    assert re.findall(r'data-live-key="(.*?)"', html) == [
        "e1.taken",
        "e1.held",
        "e1.free",
        "e1.waiting",
    ]


@pytest.mark.spec("FD-22")
@pytest.mark.parametrize("state", ["good", "waiting", "ending", "gone", "neutral"])
def test_a_state_has_a_word_and_a_sign_besides_its_colour(state: str) -> None:
    html = piece('{% from "pieces/status.html" import chip %}{{ chip("In line", s) }}', s=state)

    assert Tags(html).words() == "In line"
    assert "<path" in html or "<circle" in html


@pytest.mark.spec("FD-22")
def test_a_countdown_reads_as_its_deadline_without_javascript() -> None:
    html = piece(
        '{% from "pieces/dates.html" import countdown %}'
        '{{ countdown("2027-03-05T08:00:00Z", "until 16:00 today") }}'
    )

    assert Tags(html).words() == "until 16:00 today"
    assert 'datetime="2027-03-05T08:00:00Z"' in html


@pytest.mark.spec("FD-22")
def test_a_wrong_field_points_to_its_hint_and_its_error() -> None:
    html = piece(
        '{% from "pieces/forms.html" import field %}'
        '{{ field("email", "E-mail", "ada@", "email", "We write here.", "Add what follows the @.",'
        ' autocomplete="email") }}'
    )
    attributes = next(attributes for tag, attributes in Tags(html).tags if tag == "input")

    assert attributes == {
        "class": "input",
        "type": "email",
        "value": "ada@",
        "autocomplete": "email",
        "id": "f-email",
        "name": "email",
        "required": None,
        "aria-describedby": "f-email-hint f-email-error",
        "aria-invalid": "true",
    }
    assert Tags(html).words() == "E-mail We write here. Add what follows the @."


def test_a_dangerous_button_carries_its_question_and_works_as_a_plain_form() -> None:
    html = piece(
        '{% from "pieces/forms.html" import post_button %}'
        '{{ post_button("/off", "Call it off", {"csrf": "s"}, "danger", "Really?", keep="No") }}'
    )
    attributes = [attributes for tag, attributes in Tags(html).tags if tag in ("form", "button")]

    assert attributes[0] == {"method": "post", "action": "/off"}
    assert attributes[1]["data-confirm"] == "Really?"


def test_the_confirm_page_repeats_the_post_with_a_yes() -> None:
    fields = [
        (attributes["name"], attributes["value"])
        for tag, attributes in Tags(page("console/confirm.html")).tags
        if tag == "input"
    ]

    assert fields == [("csrf", "secret"), ("confirmed", "yes")]


def test_an_empty_table_says_so_instead_of_showing_its_head() -> None:
    html = piece(
        '{% from "pieces/tables.html" import data_table %}'
        '{{ data_table("t", "Guests", [{"key": "a", "label": "Name"}], [], "Nobody yet.") }}'
    )

    assert html == '<p class="table-empty">Nobody yet.</p>'


def test_a_chart_with_no_numbers_says_so_and_draws_nothing() -> None:
    html = piece(
        '{% from "pieces/charts.html" import line %}{{ line("Check-ins", [], "Nobody yet.") }}'
    )

    assert Tags(html).words() == "Check-insNobody yet."
    assert "<svg" not in html


@pytest.mark.spec("FD-16")
def test_a_mail_is_shown_in_a_frame_that_runs_nothing() -> None:
    html = piece(
        '{% from "pieces/messages.html" import mail_preview %}'
        '{{ mail_preview("a", "b", "c", html_url="/mail/1") }}'
    )
    frame = next(attributes for tag, attributes in Tags(html).tags if tag == "iframe")
    allowed = (frame["sandbox"] or "").split()

    assert frame["src"] == "/mail/1"
    assert not {"allow-scripts", "allow-same-origin", "allow-forms"} & set(allowed)


def test_an_error_page_has_a_link() -> None:
    tags = Tags(page(PROBLEM)).tags

    assert [a for tag, a in tags if tag == "a" and "button" in (a.get("class") or "")] != []


def test_the_rail_shows_the_given_desks_and_marks_the_present_page() -> None:
    desks = [
        (attributes["href"], attributes.get("aria-current"))
        for tag, attributes in Tags(page("console/confirm.html")).tags
        if attributes.get("class") == "desk"
    ]

    assert desks == [("/", "page"), ("/events", None)]


def test_a_flash_may_be_a_sentence_or_come_with_an_undo() -> None:
    plain = page("console/confirm.html", flash="Saved.")
    undo = page("console/confirm.html", flash={"says": "Taken off.", "undo_url": "/undo"})

    assert "Saved." in plain
    assert 'action="/undo"' not in plain
    assert 'action="/undo"' in undo


def test_a_poster_is_the_same_for_the_same_event_and_full() -> None:
    tiles = cover_tiles("supper")

    assert tiles == cover_tiles("supper") != cover_tiles("brunch")
    assert {(tile.column, tile.row) for tile in tiles} == {
        (column, row) for column in range(ACROSS) for row in range(DOWN)
    }
    assert [tile for tile in tiles if tile.tone == tile.ground] == []
