"""Rows that are given another service, a few at a time: when it has another name, or is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from starlette.requests import Request

from frontdesk.core.decision import Refused
from frontdesk.desks.waitlist.commands import EditEntry
from frontdesk.desks.waitlist.model import EntryId
from frontdesk.desks.waitlist.views import ListRow
from frontdesk.errors import Busy
from frontdesk.values import replace
from frontdesk.web.console.shell import run
from frontdesk.web.site import site_of

#: So many are written together.
AT_ONCE: Final = 50
#: Nobody waits longer for a page; what is left is shown there, and goes on by a press.
LONGEST: Final = timedelta(seconds=10)


async def move_entries(request: Request, rows: Sequence[ListRow], service: str) -> int:
    """They wait for this service now, in their places. Returns how many do not yet.

    Each is a commit of its own: whenever we are cut off, every row says the one or the other.
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
