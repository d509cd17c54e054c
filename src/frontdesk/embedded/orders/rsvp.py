"""Orders about events: start an import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from frontdesk.core.jobs import JobId
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport
from frontdesk.embedded.orders import NotDone, Order, run
from frontdesk.wiring.one_machine import Frontdesk


def begin_import(product: Frontdesk, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Starts an import. Each row runs the seat request of any guest; `job` shows its progress."""
    event = product.engine.reads().desk("ev").event_by_slug(arguments["event"])
    if event is None:
        raise NotDone(f"There is no event {arguments['event']}.")
    job_id = JobId(product.engine.new_id())
    rows = tuple(ImportRow(*row) for row in arguments["rows"])
    run(product, BeginImport(event.id, job_id, rows, invite=bool(arguments["invite"])))
    return {"job": job_id}


ORDERS: Final[Mapping[str, Order]] = {"import": begin_import}
