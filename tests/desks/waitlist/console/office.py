"""Staff in the office of a salon: the list as they see it, and requests of its script."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from frontdesk.desks.waitlist.model import Entry, EntryId
from frontdesk.desks.waitlist.views import ListRow
from tests.desks.rsvp.console_desk import Host
from tests.support.browser import Answer
from tests.support.salon import Salon

LIST = "/console/waitlist/list"
ENTRIES = "/console/waitlist/entries"
ANN = {
    "name": "Ann Lee",
    "mobile": "9123 4567",
    "email": "",
    "service": "cut",
    "party": "1",
    "earliest": "2026-11-16",
    "latest": "20 Nov 2026",
    "staff": "",
    "priority": "",
    "joined": "",
}


def script(host: Host, url: str, **fields: str) -> tuple[int, dict[str, Any]]:
    """Sends a request of the table's script and returns the answer."""
    token = host.get(f"{LIST}/add").csrf
    host.sends = {"accept": "application/json"}
    answer = host.post(url, csrf=token, **fields)
    host.sends = {}
    return answer.status, json.loads(answer.text)


def cells(html: str) -> dict[str, str]:
    """Returns the values of the cells of a row in the editor."""
    found = re.findall(r'data-field="(\w+)" data-value="([^"]*)"', html)
    return {field: unescape(value) for field, value in found}


def row(host: Host, entry_id: str, query: str = "?state=all") -> dict[str, str]:
    """Returns the cells of a row of the table, and its stamp."""
    page = host.get(f"{LIST}{query}").text
    found = re.search(rf'<tr[^>]* data-row="{entry_id}".*?</tr>', page, re.DOTALL)
    assert found, f"no row {entry_id}"
    stamp = re.search(r'data-stamp="(\w+)"', found[0])
    assert stamp
    return {**cells(found[0]), "stamp": stamp[1]}


def edits(host: Host, entry_id: str, **changed: str) -> tuple[int, dict[str, Any]]:
    """Sends the present row with some cells changed."""
    return script(host, f"{ENTRIES}/{entry_id}/edit", **{**row(host, entry_id), **changed})


def names(page: Answer) -> list[str]:
    return re.findall(r'data-field="name" data-value="([^"]+)"', page.text)


def entry(salon: Salon, entry_id: str) -> Entry:
    found = salon.wl.entry(EntryId(entry_id))
    assert found is not None
    return found


def everybody(salon: Salon) -> list[ListRow]:
    return list(salon.wl.list_rows())
