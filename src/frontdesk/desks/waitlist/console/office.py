"""The list, requests that came in, and what the business has written down."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.waitlist.console import (
    adding,
    documents,
    editing,
    entry,
    listing,
    requests,
    services,
    versions,
)


def routes() -> list[BaseRoute]:
    return [
        *listing.routes(),
        *adding.routes(),
        *editing.routes(),
        *entry.routes(),
        *requests.routes(),
        *documents.routes(),
        *services.routes(),
        *versions.routes(),
    ]
