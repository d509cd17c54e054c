"""The board of the day, slots, their stories and the figures."""

from __future__ import annotations

from starlette.routing import BaseRoute

from frontdesk.desks.waitlist.console import acts, board, day, figures, freeing, slot


def routes() -> list[BaseRoute]:
    return [
        *board.routes(),
        *freeing.routes(),
        *day.routes(),
        *figures.routes(),
        *slot.routes(),
        *acts.routes(),
    ]
