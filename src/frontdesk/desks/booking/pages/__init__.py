"""Public pages of the booking desk: the booking page, and the page of each booking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.routing import BaseRoute, Route

from frontdesk.desks.booking.links import Purpose
from frontdesk.desks.booking.pages import (
    api,
    book_page,
    booking_form,
    embed,
    feed,
    link_again,
    manage,
    note_form,
    proposal,
)
from frontdesk.desks.booking.pages.embed import Snippets, snippets
from frontdesk.web.cors_json import preflight
from frontdesk.web.links import LinkHandler, handler, lost_link_routes

__all__ = ["LINKS", "Snippets", "routes", "snippets"]

#: Handlers by purpose, for the link route that all desks share.
LINKS: Final[Mapping[int, LinkHandler]] = {
    Purpose.MANAGE: handler(
        manage.at_booking, manage.show, manage.act, calendar_ics=manage.calendar
    ),
    Purpose.PROPOSAL: handler(proposal.at_proposal, proposal.show, proposal.act),
}


def routes() -> list[BaseRoute]:
    return [
        Route("/book", book_page.show, methods=["GET"]),
        Route("/book", booking_form.book, methods=["POST"]),
        Route(note_form.ASK, note_form.show, methods=["GET"]),
        Route(note_form.ASK, note_form.ask, methods=["POST"]),
        Route("/book/choose", booking_form.choose, methods=["POST"]),
        *lost_link_routes("/book/link", link_again.lost_link),
        Route("/book/received", booking_form.received, methods=["GET"]),
        Route(embed.SCRIPT_PATH, embed.script, methods=["GET"]),
        Route("/book/embed", book_page.show_embedded, methods=["GET"]),
        Route("/book/embed/choose", booking_form.choose_embedded, methods=["POST"]),
        Route("/book/embed/{service}", book_page.show_embedded, methods=["GET"]),
        Route("/book/{service}", book_page.show, methods=["GET"]),
        Route(feed.PATH, feed.feed, methods=["GET"]),
        Route("/api/booking/times", api.times, methods=["GET"]),
        Route("/api/booking/times", preflight, methods=["OPTIONS"]),
        Route("/api/booking", api.book_by_json, methods=["POST"]),
        Route("/api/booking", preflight, methods=["OPTIONS"]),
    ]
