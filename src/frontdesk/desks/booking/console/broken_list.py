"""The bookings that other rules would break, as rows of a page and as a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from starlette.requests import Request

from frontdesk.core.localtime import spoken_start
from frontdesk.core.words import count
from frontdesk.desks.booking.console import listing
from frontdesk.desks.booking.console.page import bk_of, booking_url, zone_of
from frontdesk.desks.booking.facts import DocumentTaken
from frontdesk.desks.booking.model import Booking
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.desks.booking.search.broken_bookings import broken_bookings
from frontdesk.engine.stories import newest_first
from frontdesk.features.documents.console import MOST_EARLIER, AfterSaving


def broken_rows(
    request: Request, found: Iterable[Booking], before: BookingRules, after: BookingRules | None
) -> list[dict[str, str]]:
    """The bookings that `before` allows and `after` does not; none if `after` has mistakes."""
    tz = zone_of(request)
    if after is None or after == before:
        return []
    return [
        {
            "when": spoken_start(one.booking.starts_at, tz),
            "what": one.booking.service,
            "name": one.booking.name,
            "url": booking_url(one.booking.id),
        }
        for one in broken_bookings(found, before, after)
    ]


def broken_by_text(request: Request, text: str) -> list[dict[str, str]]:
    """The upcoming bookings that the rules in force allow and this text does not."""
    rules = bk_of(request).rules()
    return broken_rows(
        request, listing.upcoming(request), rules, parse_rules(text, rules.zone).rules
    )


def broken_since(request: Request) -> list[dict[str, str]]:
    """The upcoming bookings that an earlier version allowed, and the rules in force do not. The
    address names the version: '?since=12'."""
    seq, rules = request.query_params.get("since", ""), bk_of(request).rules()
    text = next((fact.text for number, fact in _versions(request) if str(number) == seq), None)
    before = None if text is None else parse_rules(text, rules.zone).rules
    return broken_rows(request, listing.upcoming(request), before, rules) if before else []


def after_saving(text: str, request: Request) -> AfterSaving:
    """' 2 bookings do not fit them. ...', with the address of the page that lists them; or
    nothing."""
    broken = len(broken_by_text(request, text))
    if not broken:
        return AfterSaving()
    fit = count(broken, "booking does not", "bookings do not")
    seq = next((number for number, _ in _versions(request)), None)
    return AfterSaving(
        f" {fit} fit them: nothing is cancelled, and customers are told when you move or cancel.",
        f"?since={seq}" if seq is not None else "",
    )


def _versions(request: Request) -> Iterator[tuple[int, DocumentTaken]]:
    """The latest versions of the rules, with the numbers of their facts, the newest first."""
    facts = newest_first(bk_of(request), "booking", DocumentTaken.kind)
    for recorded in islice(facts, MOST_EARLIER):
        if isinstance(recorded.fact, DocumentTaken):
            yield recorded.seq, recorded.fact
