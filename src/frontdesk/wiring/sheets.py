"""Builds the sync of a desk's table with the sheet of its staff."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.errors import BadSettings, SourceFailed
from frontdesk.features.sheet_sync.schema import Columns, SheetTable
from frontdesk.features.sheet_sync.sources import NotOpened, source_at
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.settings import Settings
from frontdesk.wiring.application import Application
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.google_documents import account_in_file, account_in_secret

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.model import SheetSource
    from frontdesk.web.site import Site
    from frontdesk.wiring.aws import AwsResources

#: On AWS. A version of the whole table costs more the longer the table is.
TABLE_EVERY: Final = timedelta(hours=1)


def synced(
    back: Application, site: Site, table: SheetTable, columns: Columns, setting: str
) -> PeriodicTask:
    """Keeps a table and the sheet that the setting names in sync; pages can start a sync at
    once."""
    from frontdesk.features.sheet_sync.console import kept_in, source_key, sync_key

    settings = back.settings
    where: str = getattr(settings, setting)
    try:
        source = source_at(where, columns, lambda: account_in_file(settings), settings.google_api)
    except SourceFailed as bad:
        raise BadSettings(f"{setting}: {bad}") from bad
    sync = SheetSync(back.engine, back.clock, table, source)
    back.store.on_commit(sync.heard)
    site.shared[sync_key(table.code)] = sync
    if source is not None:
        site.shared[source_key(table.code)] = kept_in(where)
    return PeriodicTask(setting.replace("_", " "), sync.turn, lambda: sync.every)


def sheet_on_aws(
    settings: Settings, account: AwsResources, where: str, columns: Columns
) -> SheetSource | None:
    """Returns the sheet at this address, if there is one. Staff see an error for one that cannot be
    opened."""
    try:
        return source_at(where, columns, lambda: account_in_secret(account), settings.google_api)
    except SourceFailed as bad:
        return NotOpened(str(bad))
