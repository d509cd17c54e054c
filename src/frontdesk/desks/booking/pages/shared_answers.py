"""Answers that are the same for everybody: many visitors who ask at once get one search.

An answer is kept for one second at most, and only until the rows that it shows change. Decisions
never use it, and neither does a page that knows its visitor.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from typing import Final, TypeVar

from starlette.requests import Request

from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.booking.changes import AddToTally, WriteCells
from frontdesk.desks.booking.load import booking_reads
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.web.page_cache import CachedPage, MomentCache
from frontdesk.web.shared_objects import SharedKey
from frontdesk.web.site import Site, site_of

T = TypeVar("T")

#: The keys in `Site.shared` of the pages and of the answers in JSON.
PAGES: Final = SharedKey[MomentCache[CachedPage | None]]("bk.pages")
JSON_ANSWERS: Final = SharedKey[MomentCache[bytes | None]]("bk.json_answers")
_RULES: Final = SharedKey[tuple[Hashable, BookingRules]]("bk.rules")
#: Every commit that can change the times has one of these changes: claimed time, caps and loads,
#: and the saved settings with rules, catalogue and busy times of calendars.
CHANGES_OF_TIMES: Final = (WriteCells, AddToTally, WriteSetting)
#: The parameters of a URL that say nothing about the visitor.
_SAME_FOR_ALL: Final = frozenset(("service", "staff", "party", "day", "from", "view", "zone"))
_LONGEST_QUERY: Final = 200


async def shared_answer(
    request: Request,
    kept_in: SharedKey[MomentCache[T | None]],
    make: Callable[[], Coroutine[None, None, T | None]],
) -> T | None:
    """Returns the answer of `make`, or the cached one to an equal request. None if the request
    needs an answer of its own.

    Times are whole seconds and the revision is read before the rows, so a cached answer is the same
    as a new one.
    """
    site, query = site_of(request), request.scope["query_string"]
    answers = site.shared.get(kept_in)
    revision = site.engine.store.revision(CHANGES_OF_TIMES)
    if answers is None or revision is None or len(query) > _LONGEST_QUERY:
        return None

    async def make_for_all() -> T | None:
        return await make() if request.query_params.keys() <= _SAME_FOR_ALL else None

    stamp = (site.clock.now(), revision, site.renderer.branding)
    return await answers.get(stamp, (request.scope["path"], query), make_for_all)


def rules_in_force(site: Site) -> BookingRules:
    """The rules, which are read again only after a commit of a setting. The revision is read before
    the row, so that the rules are never older than it says."""
    revision = site.engine.store.revision((WriteSetting,))
    known = site.shared.get(_RULES)
    if known is not None and revision is not None and known[0] == revision:
        return known[1]
    rules = booking_reads(site.reads()).rules()
    site.shared[_RULES] = revision, rules
    return rules
