"""Chooses resources with the search of a whole day; a claim must choose the same."""

from datetime import datetime

from frontdesk.desks.booking.search.anyone import Choice, choose_resources, load_of
from frontdesk.desks.booking.search.query import Occupancy
from frontdesk.desks.booking.search.times import Times
from frontdesk.desks.booking.ticks import tick_at


def choose_at(times: Times, starts_at: datetime, occupancy: Occupancy) -> Choice | None:
    """Returns the resources that would serve a visit at a time; None if it cannot be booked."""
    space, available = times.space, times.stages[-1]
    tick = tick_at(starts_at) - space.first
    if tick < 0:
        return None
    on = space.days.date_of(space.first + tick)
    free = [key for key, fits in available.fits.items() if fits >> tick & 1]
    return choose_resources(
        space.service,
        choosable=[key for key, starts in available.starts.items() if starts >> tick & 1],
        free=free,
        loads={key: load_of(occupancy, key, on) for key in free},
        wished=bool(space.query.resource),
    )
