"""Every field of every form answers invalid values with a sentence, never with the text of a
library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import cycle
from pathlib import Path

import pytest

from frontdesk.values import Frozen
from tests.desks.rsvp.console_desk import _Fields, multipart
from tests.security.world import World, is_html, open_world, poll
from tests.support.browser import Answer, Browser
from tests.support.raw_texts import RAW

#: Values that parsers of dates, times, numbers, zones, addresses, YAML and templates reject.
BAD = (
    *("2026-13-45", "25:99", "2026-02-30T25:61", "9999-12-31T23:59", "31.02."),
    *("1e999999", "٣x", "9" * 30, "-1", "Nowhere/Land", "a@@b", "http://[", "#12"),
    *("a: [", "{0.__class__}", "hours: {mon: 25:00-26:00}"),
)
#: People do not fill in these fields.
HIDDEN = frozenset({"csrf", "once", "website"})
#: These forms would end what the test needs: the session, the team.
ENDS = ("/sign-out", "/remove", "/role", "/erase")
FORM = re.compile(r"<form\b(?P<head>[^>]*)>.*?</form>", re.DOTALL)


class PostForm(Frozen):
    who: str
    action: str
    fields: dict[str, str]
    in_parts: bool


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    """A separate world, because some of these forms are accepted."""
    with open_world(tmp_path) as world:
        yield world


@pytest.mark.spec("FD-27")
def test_no_form_answers_bad_values_with_the_text_of_a_library(fresh: World) -> None:
    forms = list(all_forms(fresh))
    values, wrong, tried = cycle(BAD), [], 0
    csrf = fresh.owner.get("/console/you").csrf

    for form in forms:
        for fields in bad_versions(form, values):
            answer = sent(fresh.team[form.who], form, fields, csrf)
            tried += 1
            if answer.status >= 500 or (found := RAW.search(answer.says)) is not None:
                wrong.append((form.action, fields, answer.status, found and found[0]))

    assert wrong == []
    desks = {"waitlist", "bookings", "reminders", "events", "people", "settings"}
    assert desks <= {part for form in forms for part in form.action.split("/")}
    assert tried > 500


def all_forms(world: World) -> Iterator[PostForm]:
    """Yields every form on the pages that an owner or a visitor can open, once."""
    seen: set[tuple[str, str, frozenset[str]]] = set()
    urls = [poll(world.path(pattern)) for pattern in world.routes("GET")]
    urls += [f"/l/{token}" for token in world.links().values()]
    for who in ("owner", "visitor"):
        for url in urls:
            page = world.team[who].get(url)
            if page.status != 200 or not is_html(page):
                continue
            for form in forms_on(page, who, url):
                key = (who, form.action, frozenset(form.fields))
                if key not in seen and not form.action.endswith(ENDS):
                    seen.add(key)
                    yield form


def forms_on(page: Answer, who: str, url: str) -> Iterator[PostForm]:
    for found in FORM.finditer(page.text):
        head = found["head"]
        if 'method="post"' not in head:
            continue
        action = re.search(r'action="([^"]*)"', head)
        parser = _Fields()
        parser.feed(found[0])
        target = unescape(action[1]) if action else url
        yield PostForm(who, target, dict(parser.found), "multipart" in head)


def bad_versions(form: PostForm, values: Iterator[str]) -> Iterator[dict[str, str]]:
    """Yields versions of a form: all fields with the same bad value, for each value; then each
    field alone."""
    own = [name for name in form.fields if name not in HIDDEN]
    for value in BAD if own else ():
        yield form.fields | dict.fromkeys(own, value)
    for name in own:
        yield form.fields | {name: next(values)}


def sent(browser: Browser, form: PostForm, fields: dict[str, str], csrf: str) -> Answer:
    """Sends the form and returns the page that follows."""
    if "csrf" in fields:
        fields = fields | {"csrf": csrf}
    if form.in_parts:
        body, kind = multipart(dict(fields), {})
        headers = {"content-type": kind, "origin": browser.base_url}
        answer = browser.ask("POST", form.action, body, headers)
    else:
        answer = browser.post(form.action, **fields)
    return browser.open(answer.location) if answer.status == 303 else answer
