"""The catalogue pages of the booking desk: services, team and currency, without `rules.yml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import BaseRoute

from frontdesk.desks.booking.commands import EditCatalogue
from frontdesk.desks.booking.console import listing
from frontdesk.desks.booking.console.form_edits import CHANGED, ELSEWHERE, documents_of
from frontdesk.desks.booking.console.page import (
    BOOKINGS,
    SERVICES,
    bk_of,
    booking_page,
    first_step,
)
from frontdesk.desks.booking.decide.documents import RULES_NAME
from frontdesk.desks.booking.reasons import Reason
from frontdesk.features.catalogue.console import (
    CatalogueConsole,
    NextStep,
    UserTexts,
    save_by,
)
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue
from frontdesk.web.site import site_of

BY_HAND: Final = (
    "This form cannot change the rules like that. Please edit the rules themselves: their page"
    " explains each mistake. Nothing was changed."
)
_TEXTS: Final = UserTexts(
    lead="What customers can book, how long it takes and what it costs, and who does it.",
    column="Booked",
    empty="Add what customers can book: a haircut, a lesson, a table.",
    staff_gone="with somebody who is not in the team any more. They stay booked. Please look at"
    " them in the list.",
    unlisted="They stay booked, but nobody can book it any more.",
    renaming="They stay booked, and the old name still works. Whoever waits for it on the waitlist"
    " keeps their place; an offer of it that is open just now is taken back.",
    removing="They stay booked, but nobody can book it any more.",
    verbs=("booking is", "bookings are"),
    on_list="ahead",
    is_unused="No booking ahead is for it.",
    was_unused="No booking ahead was for it.",
    removed="{users} for it still; they stay booked.",
    not_moved="see Waitlist → Services.",
    price_hint="Customers see it before they book. Empty if there is none to show.",
)


def routes() -> list[BaseRoute]:
    return CatalogueConsole(
        path=SERVICES,
        save=_save,
        users=_Bookings(),
        page=booking_page,
        desk=("Bookings", BOOKINGS),
        next_step=_next_step,
    ).routes()


class _Bookings:
    """Tells the catalogue pages which upcoming bookings have a service or a staff member."""

    texts = _TEXTS

    def by_service(self, request: Request) -> Mapping[str, int]:
        catalogue = _catalogue(request)
        counted = Counter(one.service for one in listing.upcoming(request))
        by_name: Counter[str] = Counter()
        for name, number in counted.items():
            known = catalogue.service(name)
            by_name[known.name if known else name] += number
        return by_name

    def asking_for(self, request: Request, members: Collection[str]) -> int:
        resources = bk_of(request).rules().resources
        gone = {one.id for one in resources if one.name in members}
        return sum(not gone.isdisjoint(one.resources) for one in listing.upcoming(request))

    def url(self, service: str) -> str:
        return f"{listing.PATH}?{urlencode({'q': service})}"


def _catalogue(request: Request) -> Catalogue:
    return site_of(request).reads().engine.setting(CATALOGUE)


def _next_step(request: Request) -> NextStep | None:
    """The first step that is left; None for an empty list, which shows its first step itself."""
    return first_step(request) if _catalogue(request).services else None


async def _save(request: Request, catalogue: Catalogue) -> str:
    """First takes over an edit of the file, so that the form never overwrites it."""
    documents = documents_of(request)
    if documents.files.edited_at(RULES_NAME):
        return ELSEWHERE
    if await run_in_threadpool(documents.take_edits, by="console"):
        return CHANGED
    return await save_by(request, EditCatalogue(catalogue), {Reason.BAD_RULES: BY_HAND})
