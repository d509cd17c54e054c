"""Builds the sync of a desk's table with the sheet of its staff."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from frontdesk.errors import BadSettings, SourceFailed
from frontdesk.features.sheet_sync.schema import Columns, SheetTable
from frontdesk.features.sheet_sync.sources import UnavailableSource, source_at
from frontdesk.features.sheet_sync.sync import SheetSync
from frontdesk.wiring.application import Application
from frontdesk.wiring.context import PeriodicTask
from frontdesk.wiring.google_documents import account_in_file, account_in_secret

if TYPE_CHECKING:
    from frontdesk.features.sheet_sync.console import SheetSyncer
    from frontdesk.features.sheet_sync.model import SheetSource
    from frontdesk.web.site import Site
    from frontdesk.wiring.aws import AwsResources

#: The function that syncs sheets, and copies documents from Google Drive.
DRIVE_SYNC: Final = "drive-sync"
#: On AWS. A version of the whole table costs more the longer the table is.
TABLE_EVERY: Final = timedelta(hours=1)


def synced(
    back: Application, site: Site, table: SheetTable, columns: Columns, setting: str
) -> PeriodicTask:
    """Keeps a table and the sheet that the setting names in sync; pages can start a sync at
    once."""
    from frontdesk.features.sheet_sync.console import editing_place, source_key, sync_key

    settings = back.settings
    where: str = getattr(settings, setting)
    try:
        source = source_at(where, columns, lambda: account_in_file(settings), settings.google_api)
    except SourceFailed as bad:
        raise BadSettings(f"{setting}: {bad}") from bad
    sync = SheetSync(back.engine, back.clock, table, source)
    back.store.on_commit(sync.on_commit)
    site.shared[sync_key(table.code)] = sync
    if source is not None:
        site.shared[source_key(table.code)] = editing_place(where)
    return PeriodicTask(setting.replace("_", " "), sync.turn, lambda: sync.every)


def sync_on_aws(
    back: Application,
    account: AwsResources,
    table: SheetTable,
    columns: Columns,
    where: str,
    *,
    changed: bool = True,
) -> SheetSync:
    """`changed` means that the table may have changed on our side since the last sync. Staff see
    an error for a sheet that cannot be opened."""
    source: SheetSource | None
    try:
        api = back.settings.google_api
        source = source_at(where, columns, lambda: account_in_secret(account), api)
    except SourceFailed as bad:
        source = UnavailableSource(str(bad))
    return SheetSync(
        back.engine, back.clock, table, source, changed=changed, table_every=TABLE_EVERY
    )


def install_on_aws(
    site: Site, code: str, where: str, elsewhere: SheetSyncer, here: Callable[[], SheetSync]
) -> None:
    """Another function syncs with a sheet. Without one, pages write the console's own table."""
    from frontdesk.features.sheet_sync.console import editing_place, source_key, sync_key

    if where:
        site.shared[sync_key(code)] = elsewhere
        site.shared[source_key(code)] = editing_place(where)
    else:
        site.shared[sync_key(code)] = here()
