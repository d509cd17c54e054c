"""The catalogue pages of the waitlist: who waits for a service, and moving them to another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import EditEntry, SetCatalogue
from frontdesk.desks.waitlist.console.page import WAITLIST, waitlist_page, wl_of
from frontdesk.desks.waitlist.console.rows import LIST
from frontdesk.desks.waitlist.model import EntryId, EntryStatus
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.errors import Busy
from frontdesk.features.catalogue.console import CatalogueConsole, UserTexts, save_by
from frontdesk.values import replace
from frontdesk.web.console.shell import run
from frontdesk.web.site import site_of

TEXTS: Final = UserTexts(
    lead="What people can wait for, how long it takes and what it costs, and who does it.",
    column="Waiting",
    empty="Add what people can wait for. The form offers these services, and requests by mail are"
    " read by their names.",
    staff_gone="for somebody who is not in the team any more.",
    unlisted="Nobody else can join for it. Give them another service, where they keep their places,"
    " or add it here again.",
    renaming="They are taken along and keep their places. An offer under the old name that is open"
    " just now is taken back.",
    removing="They stay there, but nobody can join for it any more, and you would have to give"
    " them another service by hand.",
    verbs=("person waits", "people wait"),
    on_list="on the list",
    is_unused="Nobody on the list waits for it.",
    was_unused="Nobody was waiting for it.",
    removed="{users} for it still: see below.",
    price_hint="For the figures of the month. Offers do not have to name it.",
    not_moved="see below.",
    moved="Whoever waited for {before} waits for {to} now.",
)


def routes() -> list[BaseRoute]:
    return CatalogueConsole(
        path=f"{WAITLIST}/services",
        save=lambda request, catalogue: save_by(request, SetCatalogue(catalogue)),
        users=_Waiting(),
        page=waitlist_page,
        desk=("Waitlist", WAITLIST),
        move=move_waiting,
    ).routes()


class _Waiting:
    texts = TEXTS

    def by_service(self, request: Request) -> Mapping[str, int]:
        return Counter(one.entry.service for one in _waiting(request))

    def asking_for(self, request: Request, members: Collection[str]) -> int:
        return sum(one.entry.staff in members for one in _waiting(request))

    def url(self, service: str) -> str:
        return f"{LIST}?{urlencode({'q': service})}"


def _waiting(request: Request) -> list[ListRow]:
    ours = wl_of(request).list_rows()
    return [one for one in ours if one.entry.status is EntryStatus.WAITING]


# --- moving people to another service --------------------------------------------------------

#: The number of entries that are moved concurrently.
AT_ONCE: Final = 50
#: The time limit of a request. Staff can continue with the rest.
LONGEST: Final = timedelta(seconds=10)


async def move_waiting(request: Request, before: str, to: str) -> int:
    """Moves those who wait for a service to another one. Returns how many are not moved yet."""
    waiting = await run_in_threadpool(_waiting, request)
    rows = [one for one in waiting if one.entry.service == before]
    return await _move(request, rows, to)


async def _move(request: Request, rows: Sequence[ListRow], service: str) -> int:
    """Moves entries to another service; they keep their places. Returns how many are not moved yet.

    Each entry is moved in its own commit, so an interruption leaves every row consistent.
    """
    clock = site_of(request).clock
    until, left = clock.now() + LONGEST, 0
    for start in range(0, len(rows), AT_ONCE):
        if clock.now() >= until:
            return left + len(rows) - start
        some = rows[start : start + AT_ONCE]
        left += sum(await asyncio.gather(*(_is_left(request, one, service) for one in some)))
    return left


async def _is_left(request: Request, ours: ListRow, service: str) -> bool:
    site, entry = site_of(request), ours.entry
    command = EditEntry(
        entry.id,
        EntryId(site.new_id()),
        ours.name,
        ours.email,
        ours.mobile,
        replace(entry.wish, service=service),
        entry.joined_at,
        ours.seen,
    )
    try:
        return isinstance(await run(request, command), Refused)
    except Busy:
        return True
