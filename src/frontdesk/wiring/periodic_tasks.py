"""What is looked at now and then while the product runs: sheets, calendars."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from frontdesk.desks.waitlist.sheet import COLUMNS, list_table
from frontdesk.errors import BadSettings, SourceFailed
from frontdesk.features.sheet_sync.console import SOURCE, SYNC, kept_in
from frontdesk.features.sheet_sync.sources import source_at
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.values import Frozen
from frontdesk.web.site import Site
from frontdesk.wiring.application import Application


class PeriodicTask(Frozen):
    name: str
    turn: Callable[[], bool]
    """Does what there is to do; whether there was anything."""
    every: Callable[[], timedelta]
    """How long to wait until the next look."""


def sheet(back: Application, site: Site, account: Callable[[], str]) -> PeriodicTask:
    """The list and the sheet that staff edit are kept in step; pages can ask for it at once."""
    settings = back.settings
    try:
        source = source_at(settings.waitlist_sheet, COLUMNS, account, settings.google_api)
    except SourceFailed as bad:
        raise BadSettings(f"waitlist_sheet: {bad}") from bad
    keeper = SheetSync(back.engine, back.clock, list_table(settings.country), source)
    back.store.on_commit(keeper.heard)
    site.memory[SYNC.format("wl")] = keeper
    if source is not None:
        site.memory[SOURCE.format("wl")] = kept_in(settings.waitlist_sheet)
    return PeriodicTask("sheet", keeper.turn, lambda: keeper.every)
