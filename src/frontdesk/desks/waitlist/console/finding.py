"""Which part of the list is asked for, and who is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request

from frontdesk.desks.waitlist.console.rows import full_name
from frontdesk.desks.waitlist.model import EntryId, EntryStatus, OrderBy
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.features.sheet_sync.model import OurRow
from frontdesk.values import Frozen

MOST_OPEN_SLOTS: Final = 1_000
FILTERS: Final = (
    ("", "Waiting"),
    ("offered", "Offered"),
    ("booked", "Booked"),
    ("left", "Left"),
    ("stopped", "Stopped"),
    ("expired", "Expired"),
    ("all", "All"),
)
SORTS: Final = ("order", "name", "service", "earliest", "latest", "joined")


class Wanted(Frozen):
    """Which part of the list, in which order; it is all in the address."""

    state: str = ""
    search: str = ""
    sort: str = "order"

    def query(self, **other: str | int) -> str:
        asked = {"state": self.state, "q": self.search, "sort": self.sort, **other}
        kept = {key: value for key, value in asked.items() if value and value != "order"}
        return f"?{urlencode(kept)}" if kept else ""


def wanted_of(request: Request) -> Wanted:
    """What the address asks for; anything that is not known is left out."""
    query = request.query_params
    state, sort = query.get("state", ""), query.get("sort", "order")
    return Wanted(
        state if state in dict(FILTERS) else "",
        query.get("q", "")[:100].strip(),
        sort if sort.removeprefix("-") in SORTS else "order",
    )


def page_number(request: Request) -> int:
    """From 1; what is no number is the first page."""
    text = request.query_params.get("page", "1")
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) <= 6 else 1


class Found(Frozen):
    rows: Sequence[OurRow]
    """All that were asked for."""
    counts: Mapping[str, int]
    offered: frozenset[EntryId]


def find(wl: WaitlistReads, wanted: Wanted) -> Found:
    everybody, offered = wl.sheet.ours(), with_an_offer(wl)
    groups: dict[str, list[OurRow]] = {name: [] for name, _ in FILTERS}
    for one in everybody:
        groups["all"].append(one)
        groups["" if one.entry.status is EntryStatus.WAITING else one.entry.status].append(one)
        if one.entry.id in offered:
            groups["offered"].append(one)
    words = wanted.search.casefold().split()
    rows = [one for one in groups[wanted.state] if _has(one, words)]
    rows.sort(key=_order(wl, wanted.sort.removeprefix("-")), reverse=wanted.sort.startswith("-"))
    return Found(rows, {name: len(group) for name, group in groups.items()}, offered)


def with_an_offer(wl: WaitlistReads) -> frozenset[EntryId]:
    """Whom an open slot is held for just now."""
    slots = (wl.slot(slot_id) for slot_id in wl.open_slots(MOST_OPEN_SLOTS))
    offers = (wl.offer(one.id, one.offer_seq) for one in slots if one and one.offer_seq)
    return frozenset(one.entry_id for one in offers if one)


def _has(one: OurRow, words: Sequence[str]) -> bool:
    """A number is found however it is written."""
    entry = one.entry
    said = " ".join((full_name(one), one.email, one.mobile, entry.service, entry.staff)).casefold()
    return all(word in said for word in words) or _digits(words) in one.mobile


def _digits(words: Sequence[str]) -> str:
    bare = "".join(words)
    is_number = len(bare) > 3 and set(bare) <= set("+0123456789-()./")
    return "".join(filter(str.isdigit, bare)) if is_number else "no number"


def _order(wl: WaitlistReads, sort: str) -> Callable[[OurRow], Any]:
    by_priority = OrderBy.PRIORITY in wl.rules().order
    keys: dict[str, Callable[[OurRow], Any]] = {
        "order": lambda one: by_priority and not one.entry.priority,
        "name": lambda one: full_name(one).casefold(),
        "service": lambda one: one.entry.service.casefold(),
        "earliest": lambda one: one.entry.earliest_on,
        "latest": lambda one: one.entry.latest_on,
        "joined": lambda one: one.entry.joined_at,
    }
    return lambda one: (keys[sort](one), one.entry.joined_at, one.entry.id)
